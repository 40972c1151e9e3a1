#include "saltus/model/linearisation.hpp"

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

Lineariser::Lineariser(const Model& model)
    : model_(model),
      parts_(model),
      A_(parts_.A.to_dense()),
      B_(parts_.B.to_dense()),
      C_(parts_.C.to_dense()),
      D_(parts_.D.to_dense()) {
    for (const Interaction& interaction : model_.interactions) {
        Gather gather{.start = gathers_.empty() ? 0 : gathers_.back().start + gathers_.back().rows,
                      .rows = interaction.rows()};
        for (const Index s : interaction.systems)
            for (Index i = 0; i < model_.systems[static_cast<std::size_t>(s)].x0.size(); ++i)
                gather.states.push_back(model_.state_start(s) + i);
        gathers_.push_back(std::move(gather));
    }
}

// value_ and jacobian_ at arguments_.
void Lineariser::call(const Function& function) {
    value_.resize(function.outputs());
    jacobian_.resize(function.outputs(), arguments_.size());
    function.value(arguments_.data(), value_.data());
    function.jacobian(arguments_.data(), jacobian_.data());
}

void Lineariser::evaluate_systems(double t, Linearisation& point) {
    point.F.noalias() = A_ * point.x;
    point.F_x = A_;
    Index at = 0;
    for (const FirstOrderSystem& system : model_.systems) {
        const Index n = system.x0.size();
        if (!system.b.is_empty()) {
            value_.resize(n);
            system.b.value(&t, value_.data());
            point.F.segment(at, n) += value_;
        }
        if (!system.f.is_empty()) {
            arguments_.resize(n + 1);
            arguments_.head(n) = point.x.segment(at, n);
            arguments_[n] = t;
            call(system.f);
            point.F.segment(at, n) += value_;
            point.F_x.block(at, at, n, n) += jacobian_.leftCols(n);
        }
        at += n;
    }
}

void Lineariser::evaluate_interaction(const Interaction& interaction, const Gather& gather, double t,
                                      Linearisation& point) {
    const Index n = std::ssize(gather.states), m = gather.rows, start = gather.start;
    const auto state = [&](Index i) { return gather.states[static_cast<std::size_t>(i)]; };
    if (!interaction.e.is_empty()) {
        value_.resize(m);
        interaction.e.value(&t, value_.data());
        point.y.segment(start, m) += value_;
        interaction.e.jacobian(&t, value_.data());
        point.y_t.segment(start, m) += value_;
    }
    if (interaction.h.is_empty() && interaction.g.is_empty()) return;
    arguments_.resize(n + m + 1);
    for (Index i = 0; i < n; ++i) arguments_[i] = point.x[state(i)];
    arguments_.segment(n, m) = point.lambda.segment(start, m);
    arguments_[n + m] = t;
    if (!interaction.h.is_empty()) {
        call(interaction.h);
        point.y.segment(start, m) += value_;
        for (Index j = 0; j < n; ++j) point.y_x.col(state(j)).segment(start, m) += jacobian_.col(j);
        point.y_lambda.block(start, start, m, m) += jacobian_.middleCols(n, m);
        point.y_t.segment(start, m) += jacobian_.col(n + m);
    }
    if (!interaction.g.is_empty()) {
        call(interaction.g);
        for (Index i = 0; i < n; ++i) {
            point.r[state(i)] += value_[i];
            for (Index j = 0; j < n; ++j) point.r_x(state(i), state(j)) += jacobian_(i, j);
            point.r_lambda.row(state(i)).segment(start, m) += jacobian_.row(i).segment(n, m);
        }
    }
}

void Lineariser::evaluate(double t, Linearisation& point) {
    evaluate_systems(t, point);
    point.r.noalias() = B_ * point.lambda;
    point.y.noalias() = C_ * point.x;
    point.y.noalias() += D_ * point.lambda;
    point.y_t.setZero(point.lambda.size());
    point.r_x.setZero(point.x.size(), point.x.size());
    point.r_lambda = B_;
    point.y_x = C_;
    point.y_lambda = D_;
    for (std::size_t k = 0; k < gathers_.size(); ++k)
        evaluate_interaction(model_.interactions[k], gathers_[k], t, point);
}

namespace {

void check_outputs(const Model& model, const Linearisation& point) {
    for (std::size_t k = 0; k < model.interactions.size(); ++k)
        for (Index i = 0; i < model.interactions[k].rows(); ++i) {
            const double y = point.y[model.row_start(static_cast<Index>(k)) + i];
            require(std::isfinite(y), "model '{}': interaction '{}', row {}: y is {} at t = {}; is it defined at x0?",
                    model.name, model.interactions[k].name, i, y, model.t0);
        }
}

}  // namespace

SolveReport begin(const Model& model, Lineariser& functions, Linearisation& point, double tolerance) {
    constexpr int most = 50;
    const Stacked& parts = functions.parts();
    const Eigen::VectorXd nearest_zero =
        Eigen::VectorXd::Zero(parts.rows()).cwiseMax(parts.lower).cwiseMin(parts.upper);
    point = {.x = model.initial_state(), .lambda = nearest_zero};
    SolveReport report;
    for (int k = 0; k <= most; ++k) {
        functions.evaluate(model.t0, point);
        check_outputs(model, point);
        const BoxVi laws{point.y_lambda, point.y - point.y_lambda * point.lambda, parts.lower, parts.upper};
        report.residual = residual(laws, point.lambda);
        report = confirmed(std::move(report), tolerance);
        if (report.converged()) return report;
        report = Auto{.tolerance = 1e-2 * tolerance}.solve(laws, point.lambda);
        if (!report.converged()) break;
        report.status = SolveStatus::iteration_limit;
    }
    point.lambda = nearest_zero;
    functions.evaluate(model.t0, point);
    return report;
}

Model linearised(const Model& model, const Eigen::VectorXd& lambda) {
    if (model.is_linear()) return model;
    Lineariser lineariser(model);
    Linearisation point{.x = model.initial_state(), .lambda = lambda};
    lineariser.evaluate(model.t0, point);
    Model result{.name = model.name, .t0 = model.t0};
    const Eigen::MatrixXd A = point.F_x + point.r_x;
    const Eigen::VectorXd b = point.F + point.r - A * point.x - point.r_lambda * lambda;
    const Eigen::VectorXd e = point.y - point.y_x * point.x - point.y_lambda * lambda;
    result.systems.push_back({.name = "systems",
                              .x0 = point.x,
                              .A = A,
                              .b = Function::constant(1, b),
                              .M = lineariser.parts().M.to_dense()});
    Interaction interaction{.name = "interactions", .C = point.y_x, .D = point.y_lambda, .B = point.r_lambda};
    interaction.e = Function::constant(1, e);
    interaction.law.clear();
    for (Index i = 0; i < model.rows(); ++i)
        interaction.law.push_back({lineariser.parts().lower[i], lineariser.parts().upper[i]});
    if (model.rows() > 0) result.interactions.push_back(std::move(interaction));
    return result;
}

}  // namespace saltus
