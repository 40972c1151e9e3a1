#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

LagrangianStepperBase::LagrangianStepperBase(const LagrangianModel& model, double h, double theta)
    : t0_(model.t0), h_(h), theta_(theta), system_starts_(model.starts()) {
    model.check();
    require(h > 0.0 && std::isfinite(h), "the step is {}; it must be positive", h);
    q_.resize(system_starts_.back());
    v_.resize(system_starts_.back());
    for (std::size_t s = 0; s < model.systems.size(); ++s) {
        q_.segment(system_starts_[s], model.systems[s].size()) = model.systems[s].q0;
        v_.segment(system_starts_[s], model.systems[s].size()) = model.systems[s].v0;
    }
    Index rows = 0;
    for (Index i = 0; i < std::ssize(model.interactions); ++i) {
        blocks_.push_back(make_block(model, system_starts_, i, rows, h));
        rows += blocks_.back().rows();
    }
    y_ = u_ = last_y_ = last_u_ = P_ = Eigen::VectorXd::Zero(rows);
    placement_.assign(static_cast<std::size_t>(rows), Place::at_lower);
    evaluate_rows(t0_);
    for (const StepBlock& block : blocks_) {
        for (Index i = 0; i < block.rows(); ++i)
            require(std::isfinite(y_[block.start + i]) && std::isfinite(u_[block.start + i]),
                    "interaction '{}': y[{}] is {} and its velocity {} at t = {}; is it defined at q0?",
                    block.interaction().name, i, y_[block.start + i], u_[block.start + i], t0_);
        place_at_start(block);
    }
    last_placement_ = placement_;
}

void LagrangianStepperBase::evaluate(StepBlock& block, double t) {
    const Index start = block.start, m = block.rows();
    if (std::holds_alternative<RelayLaw>(block.interaction().law)) {
        block.functions.evaluate_relay(t, q_, v_, h_ * theta_);
        y_.segment(start, m) = block.functions.y();
        u_.segment(start, m).setZero();
        return;
    }
    forces_ = P_.segment(start, m) / h_;
    block.functions.evaluate(t, q_, forces_.data());
    y_.segment(start, m) = block.functions.y();
    block.functions.velocity(v_, u_.data() + start);
}

void LagrangianStepperBase::evaluate_rows(double t) {
    for (StepBlock& block : blocks_) evaluate(block, t);
}

void LagrangianStepperBase::place(const StepBlock& block) {
    const double* P = P_.data() + block.start;
    Place* places = placement_.data() + block.start;
    if (const ContactLaw* law = block.contact()) {
        const double tension = block.is_active ? h_ * block.cohesion() : 0.0;
        places[0] = P[0] > -(1.0 - 1e-9) * tension ? Place::basic : Place::at_lower;
        const Index sliding = std::min<Index>(block.rows() - 1, 2);
        const double traction = Eigen::Map<const Eigen::VectorXd>(P + 1, sliding).norm();
        const Place tangential = places[0] == Place::at_lower                      ? Place::at_lower
                                 : traction >= (1.0 - 1e-9) * law->friction * P[0] ? Place::at_upper
                                                                                   : Place::basic;
        for (Index i = 1; i < block.rows(); ++i) places[i] = tangential;
        return;
    }
    for (Index i = 0; i < block.rows(); ++i) {
        const Law& law = block.laws[block.laws.size() == 1 ? 0 : static_cast<std::size_t>(i)];
        const Interval* interval = std::get_if<Interval>(&law);
        places[i] = interval ? place_of(*interval, P[i]) : Place::basic;
    }
}

// Before the first step percussions are not known: a contact that rests is closed, a force is where its y says.
void LagrangianStepperBase::place_at_start(const StepBlock& block) {
    Place* places = placement_.data() + block.start;
    for (Index i = 0; i < block.rows(); ++i) {
        const double y = y_[block.start + i];
        if (block.contact()) {
            const bool is_closed = y_[block.start] <= rounding && std::abs(u_[block.start]) <= rounding;
            const bool slides = i > 0 && std::abs(u_[block.start + i]) > rounding;
            places[i] = !is_closed ? Place::at_lower : slides ? Place::at_upper : Place::basic;
        } else if (std::holds_alternative<JointLaw>(block.interaction().law)) {
            places[i] = Place::basic;
        } else {
            places[i] = y > rounding ? Place::at_lower : y < -rounding ? Place::at_upper : Place::basic;
        }
        if (std::holds_alternative<SpringLaw>(block.interaction().law) && y < 0.0) places[i] = Place::basic;
    }
}

StepOutcome LagrangianStepperBase::finish_step() {
    ++steps_;
    last_y_.swap(y_);
    last_u_.swap(u_);
    evaluate_rows(t());
    for (Index i = 0; i < P_.size(); ++i) work_ += 0.5 * P_[i] * (last_u_[i] + u_[i]);
    last_placement_ = placement_;
    for (StepBlock& block : blocks_) {
        place(block);
        const ContactLaw* law = block.contact();
        const auto row = static_cast<std::size_t>(block.start);
        if (!law || placement_[row] != Place::at_lower) continue;
        block.reach = 0.0;
        if (law->is_brittle && last_placement_[row] == Place::basic) block.is_intact = false;
    }
    return placement_ == last_placement_ ? StepOutcome::kept : StepOutcome::switched;
}

bool LagrangianStepperBase::fail(std::string message) {
    report_ = {.status = SolveStatus::stalled, .message = std::move(message)};
    return false;
}

Index LagrangianStepperBase::worst_row() const {
    return active_.size() == 1 ? blocks_[static_cast<std::size_t>(active_[0])].start : -1;
}

// The largest |P - proj(P - rho dual(w))|, w = J v + D P + offset, over the largest of |P| and of the terms of rho w.
double LagrangianStepperBase::law_residual(const Eigen::VectorXd& v, const Eigen::VectorXd& percussions) const {
    double worst = 0.0, scale = 0.0;
    Eigen::VectorXd P, w, moved;
    for (const Index k : active_) {
        const StepBlock& block = blocks_[static_cast<std::size_t>(k)];
        P = percussions.segment(block.start, block.rows());
        P[0] += block.tension;
        w = block.offset;
        double terms = w.lpNorm<Eigen::Infinity>();
        for (Index j = 0; j < block.J.cols(); ++j) {
            moved = block.J.col(j) * v[block.functions.coordinates()[static_cast<std::size_t>(j)]];
            terms = std::max(terms, moved.lpNorm<Eigen::Infinity>());
            w += moved;
        }
        if (block.D.rows() > 0) w += block.D * percussions.segment(block.start, block.rows());
        scale = std::max({scale, P.lpNorm<Eigen::Infinity>(), block.tension, block.rho * terms});
        moved = P - block.rho * w;
        Index at = 0;
        for (const Law& law : block.laws) {
            moved[at] -= block.rho * shift(law, w.data() + at);
            project(law, moved.data() + at);
            at += dimension(law);
        }
        worst = std::max(worst, (P - moved).lpNorm<Eigen::Infinity>());
    }
    return scale > 0.0 ? worst / scale : 0.0;
}

void LagrangianStepperBase::read(LagrangianState& state) const {
    state.t = t();
    state.q = q_;
    state.v = v_;
    state.y = y_;
    state.u = u_;
    state.P = P_;
    state.force = P_ / h_;
    state.broken.clear();
    for (std::size_t k = 0; k < blocks_.size(); ++k)
        if (!blocks_[k].is_intact) state.broken.push_back(static_cast<Index>(k));
}

void LagrangianStepperBase::resume(const LagrangianState& state) {
    q_ = state.q;
    v_ = state.v;
    P_ = state.P;
    for (const Index k : state.broken) blocks_[static_cast<std::size_t>(k)].is_intact = false;
    finish_step();
}

void LagrangianStepperBase::remember(StepperMemory& memory) const {
    memory.t = t();
    memory.h = h_;
    memory.q = q_;
    memory.v = v_;
    memory.y = y_;
    memory.P = P_;
    memory.placement = placement_;
    memory.is_intact.resize(blocks_.size());
    memory.reaches.resize(blocks_.size());
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        memory.is_intact[k] = blocks_[k].is_intact;
        memory.reaches[k] = blocks_[k].reach;
    }
    memory.work = work_;
}

void LagrangianStepperBase::add_velocities(const Eigen::VectorXd& percussions, Eigen::VectorXd& v) const {
    for (const StepBlock& block : blocks_) block.add_to(v, system_starts_, percussions.data() + block.start);
}

void LagrangianStepperBase::recall(const StepperMemory& memory) {
    steps_ = std::lround((memory.t - t0_) / h_);
    q_ = memory.q;
    v_ = memory.v;
    P_ = (h_ / memory.h) * memory.P;  // the same forces
    placement_ = memory.placement;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        blocks_[k].is_intact = memory.is_intact[k] != 0;
        blocks_[k].reach = memory.reaches[k];
    }
    work_ = memory.work;
    evaluate_rows(t());
}

}  // namespace saltus
