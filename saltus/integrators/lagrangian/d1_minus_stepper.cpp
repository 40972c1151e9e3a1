#include "saltus/integrators/lagrangian/d1_minus_stepper.hpp"

#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

D1MinusStepper::D1MinusStepper(const LagrangianModel& model, const D1Minus& scheme, double h)
    : LagrangianStepperBase(model, h, 0.0), operator_(system_starts_, blocks_.size(), model.is_linear()) {
    scheme.check();
    check_limits(D1Minus::name, {}, model);
    for (const LagrangianSystem& system : model.systems) motions_.push_back(make_free_motion(system, model.t0, h, 0.0));
    v_free_ = v_stage_ = v_next_ = v_;
    q_next_ = q_;
    v_start_ = v_;
    P_start_ = P_stage_ = P_end_ = P_impact_ = P_;
}

bool D1MinusStepper::accelerate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s];
        const bool is_finite = std::visit(
            [&](auto& motion) {
                motion.begin(t, t, q.data() + at, v.data() + at);
                return motion.linearise(v.data() + at, v_free_.data() + at);
            },
            motions_[s]);
        if (!is_finite)
            return fail("a force or the mass is not finite: does the model blow up, or is the step too long?");
    }
    return true;
}

bool D1MinusStepper::constrain(Eigen::VectorXd& v, Eigen::VectorXd& P) {
    for (const StepBlock& block : blocks_)
        if (!block.is_active) P.segment(block.start, block.rows()).setZero();
    if (active_.empty()) return true;
    operator_.update(blocks_, active_, solver_, [this](std::size_t s, double* x) {
        std::visit([x](const auto& motion) { motion.solve(x); }, motions_[s]);
    });
    const bool is_solved = operator_.solve(blocks_, active_, solver_, v, P);
    report_ = solver_.report();
    return is_solved;
}

void D1MinusStepper::activate_closed() {
    active_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        block.is_active = !block.contact() || y_[block.start] <= rounding;
        if (block.is_active) active_.push_back(static_cast<Index>(i));
    }
}

// Contacts that were closed when the step began no longer approach.
bool D1MinusStepper::is_stopped(const StepBlock& block) const { return !is_first_ && y_[block.start] <= rounding; }

// The directions of the percussions are those of the beginning, the velocities those of the end.
bool D1MinusStepper::find_first_stage() {
    if (!accelerate(t(), q_, v_start_)) return false;
    q_next_ = q_ + h_ * v_start_;
    for (const Index i : active_) {
        StepBlock& block = blocks_[static_cast<std::size_t>(i)];
        if (!block.functions.is_steady()) {
            block.functions.evaluate(t(), q_);
            block.B = block.functions.J().transpose();
            block.functions.evaluate(time_of(steps_ + 1), q_next_);
            block.J = block.functions.J();
        }
        block.offset = block.functions.rate();
    }
    v_stage_ = v_free_;
    return constrain(v_stage_, P_stage_);
}

bool D1MinusStepper::find_second_stage() {
    q_next_ = q_ + 0.5 * h_ * (v_start_ + v_stage_);
    if (!accelerate(time_of(steps_ + 1), q_next_, v_stage_)) return false;
    for (const Index i : active_) {
        StepBlock& block = blocks_[static_cast<std::size_t>(i)];
        if (!block.functions.is_steady()) block.functions.evaluate(time_of(steps_ + 1), q_next_);
        fill_joint(block);
    }
    v_next_ = 0.5 * (v_start_ + v_free_);
    return constrain(v_next_, P_end_);
}

// The law of a contact that approaches has w = (u_N+ + e u_N-, u_T+ + e_T u_T-), of another one w = u+.
bool D1MinusStepper::collide(double t, const Eigen::VectorXd& q) {
    has_impact_ = false;
    active_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        const ContactLaw* law = block.contact();
        block.functions.evaluate(t, q);
        block.is_active = !law || block.functions.y()[0] <= rounding;
        if (!block.is_active) continue;
        active_.push_back(static_cast<Index>(i));
        fill_joint(block);
        if (!law || is_stopped(block)) continue;
        before_.resize(block.rows());
        block.functions.velocity(v_next_, before_.data());
        if (!(before_[0] < 0.0)) continue;
        has_impact_ = true;
        block.offset += law->tangential_restitution * before_;
        block.offset[0] += (law->restitution - law->tangential_restitution) * before_[0];
    }
    P_impact_.setZero();
    return !has_impact_ || constrain(v_next_, P_impact_);
}

// The initial velocities may be those of an impact.
bool D1MinusStepper::start() {
    v_next_ = v_;
    if (!accelerate(t(), q_, v_) || !collide(t(), q_)) return false;
    v_start_ = v_next_;
    P_start_ = P_impact_;
    return true;
}

bool D1MinusStepper::find_step() {
    v_start_ = v_;
    P_start_.setZero();
    if (is_first_ && !start()) return false;
    activate_closed();
    v_next_ = v_start_;  // the result if a stage fails
    if (!find_first_stage() || !find_second_stage()) return false;
    if (!collide(time_of(steps_ + 1), q_next_)) return false;
    return v_next_.allFinite() ||
           fail("the velocities are no longer finite: does the model blow up, or is the step too long?");
}

StepOutcome D1MinusStepper::end_step() {
    P_ = P_start_ + 0.5 * P_stage_ + P_end_ + P_impact_;
    v_.swap(v_next_);
    q_.swap(q_next_);
    is_first_ = false;
    return finish_step();
}

StepOutcome D1MinusStepper::step() { return find_step() ? end_step() : StepOutcome::failed; }

bool D1MinusStepper::accept_unsolved() {
    if (!v_next_.allFinite() || !q_next_.allFinite()) return false;
    end_step();
    return true;
}

void D1MinusStepper::resume(const LagrangianState& state) {
    LagrangianStepperBase::resume(state);
    is_first_ = true;
}

}  // namespace saltus
