#include "saltus/simulation/recorder.hpp"

#include <fmt/format.h>

#include "saltus/core/infinity.hpp"
#include "saltus/model/model_checks.hpp"

namespace saltus {

namespace {

void add_names(std::vector<std::string>& names, const std::string& owner, std::string_view kind, Index count) {
    for (Index i = 0; i < count; ++i) names.push_back(fmt::format("{}.{}[{}]", owner, kind, i));
}

bool is_contact(const LagrangianInteraction& interaction) {
    return std::holds_alternative<ContactLaw>(interaction.law);
}

}  // namespace

std::vector<std::string> channel_names(const Model& model, bool measures) {
    std::vector<std::string> names = state_names(model);
    for (const std::string_view kind : {measures ? "sigma" : "lambda", "y"})
        for (const Interaction& interaction : model.interactions)
            add_names(names, interaction.name, kind, interaction.rows());
    return names;
}

std::vector<std::string> channel_names(const Model& model, const Scheme& scheme) {
    return channel_names(model, uses_measures(scheme));
}

std::vector<std::string> channel_names(const LagrangianModel& model, const Scheme&) {
    std::vector<std::string> names;
    for (const LagrangianSystem& system : model.systems) {
        add_names(names, system.name, "q", system.size());
        add_names(names, system.name, "v", system.size());
    }
    for (const LagrangianInteraction& interaction : model.interactions) {
        const Index rows = model.rows_of(interaction);
        if (is_contact(interaction))
            names.push_back(interaction.name + ".gap");
        else
            add_names(names, interaction.name, "y", rows);
        for (const std::string_view kind : {"u", "P", "force"}) add_names(names, interaction.name, kind, rows);
    }
    for (const std::string_view kind : {"kinetic", "potential", "total", "interactions"})
        names.push_back(fmt::format("energy.{}", kind));
    return names;
}

std::vector<std::string> state_names(const Model& model) {
    std::vector<std::string> names;
    for (const FirstOrderSystem& system : model.systems) add_names(names, system.name, "x", system.x0.size());
    return names;
}

std::vector<std::string> state_names(const LagrangianModel& model) {
    std::vector<std::string> names;
    for (const std::string_view kind : {"q", "v"})
        for (const LagrangianSystem& system : model.systems) add_names(names, system.name, kind, system.size());
    return names;
}

EnergyMeter::EnergyMeter(const LagrangianModel& model) {
    Index start = 0;
    for (const LagrangianSystem& system : model.systems) {
        Part part{.start = start, .M = system.M, .K = system.K, .mass = system.mass};
        const Index n = system.size();
        part.x = part.y = Eigen::VectorXd::Zero(n);
        const bool is_conservative = is_absent(system.K) || system.K.is_symmetric(symmetry_rounding);
        const bool has_constant_load = system.b.is_empty() || system.b.variation() == Variation::constant;
        if (is_conservative) part.b = Eigen::VectorXd::Zero(n);
        if (is_conservative && has_constant_load && !system.b.is_empty()) system.b.value(&model.t0, part.b.data());
        if (!system.mass.is_empty()) part.M_at.resize(n, n);
        parts_.push_back(std::move(part));
        start += n;
    }
}

double EnergyMeter::kinetic(const LagrangianState& state) {
    double sum = 0.0;
    for (Part& part : parts_) {
        part.x = state.v.segment(part.start, part.x.size());
        if (!part.mass.is_empty()) {
            part.mass.value(state.q.data() + part.start, part.M_at.data());
            part.y.noalias() = part.M_at * part.x;
        } else if (is_absent(part.M)) {
            part.y = part.x;
        } else {
            part.y.setZero();
            part.M.multiply_add(part.x, part.y);
        }
        sum += 0.5 * part.x.dot(part.y);
    }
    return sum;
}

double EnergyMeter::potential(const LagrangianState& state) {
    double sum = 0.0;
    for (Part& part : parts_) {
        if (part.b.size() == 0) continue;
        part.x = state.q.segment(part.start, part.x.size());
        sum -= part.b.dot(part.x);
        if (is_absent(part.K)) continue;
        part.y.setZero();
        part.K.multiply_add(part.x, part.y);
        sum += 0.5 * part.x.dot(part.y);
    }
    return sum;
}

FirstOrderRecorder::FirstOrderRecorder(const Model& model, const Scheme& scheme, double h) {
    const double unit = uses_measures(scheme) ? h : 1.0;
    for (const Interaction& interaction : model.interactions)
        for (Index i = 0; i < interaction.rows(); ++i)
            laws_.push_back({unit * interaction.law_of(i).lower, unit * interaction.law_of(i).upper});
    values_.reserve(static_cast<std::size_t>(model.states()) + 2 * laws_.size());
}

// max_i | lambda_i - P_i(lambda_i - y_i) |, over the largest of 1, |lambda| and |y|: zero where every law holds.
void FirstOrderRecorder::write(Sample& sample) {
    double worst = 0.0, scale = 1.0;
    const double *lambda = state_.lambda.data(), *y = state_.y.data();
    for (std::size_t i = 0; i < laws_.size(); ++i) {
        worst = std::max(worst, std::abs(lambda[i] - laws_[i].project(lambda[i] - y[i])));
        scale = std::max({scale, std::abs(lambda[i]), std::abs(y[i])});
    }
    values_.clear();
    for (const Eigen::VectorXd* part : {&state_.x, &state_.lambda, &state_.y})
        values_.insert(values_.end(), part->data(), part->data() + part->size());
    const bool is_known = state_.x.allFinite() && !state_.y.hasNaN();
    sample.t = state_.t;
    sample.values = values_;
    sample.residual = is_known ? worst / scale : infinity;
}

LagrangianRecorder::LagrangianRecorder(const LagrangianModel& model) : energy_(model) {
    Index start = 0;
    for (const LagrangianSystem& system : model.systems) {
        systems_.push_back({.start = start, .size = system.size()});
        start += system.size();
    }
    start = 0;
    for (const LagrangianInteraction& interaction : model.interactions) {
        const Index rows = model.rows_of(interaction);
        interactions_.push_back({.start = start, .size = rows, .is_contact = is_contact(interaction)});
        start += rows;
    }
}

void LagrangianRecorder::add(const Eigen::VectorXd& v, Index start, Index count) {
    values_.insert(values_.end(), v.data() + start, v.data() + start + count);
}

void LagrangianRecorder::write(double residual, double work, Sample& sample) {
    values_.clear();
    for (const Piece& system : systems_) {
        add(state_.q, system.start, system.size);
        add(state_.v, system.start, system.size);
    }
    for (const Piece& interaction : interactions_) {
        add(state_.y, interaction.start, interaction.is_contact ? 1 : interaction.size);
        add(state_.u, interaction.start, interaction.size);
        add(state_.P, interaction.start, interaction.size);
        add(state_.force, interaction.start, interaction.size);
    }
    const double kinetic = energy_.kinetic(state_), potential = energy_.potential(state_);
    values_.insert(values_.end(), {kinetic, potential, kinetic + potential, work});
    const bool is_known = state_.q.allFinite() && state_.v.allFinite() && !state_.y.hasNaN();
    sample.t = state_.t;
    sample.values = values_;
    sample.residual = is_known ? residual : infinity;
}

}  // namespace saltus
