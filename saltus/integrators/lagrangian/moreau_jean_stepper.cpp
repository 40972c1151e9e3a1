#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"

namespace saltus {

MoreauJeanStepper::MoreauJeanStepper(const LagrangianModel& model, const MoreauJean& scheme, double h, Closing closing)
    : LagrangianStepperBase(model, h, scheme.theta),
      scheme_(scheme),
      closing_(closing),
      is_linear_(model.is_linear()),
      operator_(system_starts_, blocks_.size(), is_linear_) {
    scheme_.check();
    for (const LagrangianSystem& system : model.systems)
        motions_.push_back(make_free_motion(system, model.t0, h, scheme.theta));
    if (scheme_.projection != Projection::none) projection_.emplace(blocks_, system_starts_);
    v_free_ = v_next_ = v_last_ = v_;
    q_next_ = q_theta_ = q_;
    P_next_ = P_;
    if (ImpactMap::is_needed(model)) impacts_ = std::make_unique<ImpactMap>(model);
    choose_spring_points();
    if (scheme_.control)
        solver_.tolerance = std::min(solver_.tolerance, std::max(1e-3 * scheme_.control->tolerance, 1e-13));
}

// Where a spring is stiff, h^2 k > m, its force is that of the end of the step: at theta h it would throw the masses
// back with more energy than they had. m is the mass that it sees, 1 / J W^-1 J'.
void MoreauJeanStepper::choose_spring_points() {
    bool has_springs = false;
    for (StepBlock& block : blocks_)
        has_springs = has_springs || std::holds_alternative<SpringLaw>(block.interaction().law);
    if (!has_springs) return;
    begin_motions();
    if (!find_free_velocities()) return;  // the first step will report it
    for (StepBlock& block : blocks_) {
        const SpringLaw* law = std::get_if<SpringLaw>(&block.interaction().law);
        if (!law) continue;
        block.spring_point = theta_;
        block.J = block.functions.J();
        block.B = block.J.transpose();
        find_X(block, system_starts_, solve_with(motions_));
        const Eigen::MatrixXd mobility = block.J * gathered_X(block);
        for (Index i = 0; i < block.rows(); ++i) {
            const SpringLaw::Piece& piece = law->pieces[law->pieces.size() == 1 ? 0 : static_cast<std::size_t>(i)];
            const Eigen::MatrixXd& compliance = block.functions.compliance();
            const double softness = 1.0 / piece.stiffness + (compliance.rows() > 0 ? compliance(i, i) : 0.0);
            if (!(h_ * h_ * mobility(i, i) <= softness)) block.spring_point = 1.0;
        }
    }
}

// The rows of X that belong to the columns of J.
Eigen::MatrixXd MoreauJeanStepper::gathered_X(const StepBlock& block) const {
    Eigen::MatrixXd result(block.J.cols(), block.X.cols());
    Index column = 0;
    for (std::size_t s = 0; s < block.starts_in_X.size(); ++s) {
        const auto system = static_cast<std::size_t>(block.interaction().systems[s]);
        for (Index c = 0; c < block.functions.coordinates_of_systems()[s]; ++c, ++column)
            result.row(column) = block.X.row(block.functions.coordinates()[static_cast<std::size_t>(column)] -
                                             system_starts_[system] + block.starts_in_X[s]);
    }
    return result;
}

bool MoreauJeanStepper::is_closed(StepBlock& block) const {
    const double y = y_[block.start], u = u_[block.start];
    if (was_closed(block) && block.cohesion() > 0.0) return true;  // opens by its force alone
    if (closing_ == Closing::positions) return y + h_ * u <= 0.0 || was_closed(block);
    if (was_closed(block)) block.reach = std::max(block.reach, reach(block));
    const double least = projection_ ? PositionProjection::tolerance : rounding;
    const double gap = closing_ == Closing::predicted ? y + 0.5 * h_ * u : y;
    return gap <= least + (was_closed(block) ? block.reach : 0.0);
}

void MoreauJeanStepper::activate() {
    active_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        block.is_active = !block.contact() || is_closed(block);
        block.tension = h_ * block.cohesion();
        if (block.is_active) active_.push_back(static_cast<Index>(i));
    }
}

bool MoreauJeanStepper::activate_violated() {
    const std::size_t before = active_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        if (block.is_active) continue;
        block.functions.evaluate(time_of(steps_ + 1), q_next_);
        block.is_active = !(block.functions.y()[0] >= 0.0);
        if (block.is_active) active_.push_back(static_cast<Index>(i));
    }
    return active_.size() > before;
}

// The distance which forces close in half a step. A contact that was closed stays so within the largest of them:
// positions on a curved or moving surface drift by less, and a contact that opened for that reason would bounce.
double MoreauJeanStepper::reach(const StepBlock& block) const {
    double speed = 0.0;
    Index column = 0;
    for (std::size_t s = 0; s < block.starts_in_X.size(); ++s) {
        const auto system = static_cast<std::size_t>(block.interaction().systems[s]);
        const double change = std::visit([](const auto& motion) { return motion.change(); }, motions_[system]);
        for (Index c = 0; c < block.functions.coordinates_of_systems()[s]; ++c, ++column)
            speed += std::abs(block.functions.J()(0, column)) * change;
    }
    return 0.5 * h_ * speed;
}

bool MoreauJeanStepper::find_free_velocities() {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s];
        const bool is_solved = std::visit(
            [&](auto& motion) { return motion.linearise(v_next_.data() + at, v_free_.data() + at); }, motions_[s]);
        if (!is_solved) return false;
    }
    return true;
}

void MoreauJeanStepper::linearise(StepBlock& block) {
    const double* u = u_.data() + block.start;
    const double t_end = time_of(steps_ + 1);
    if (std::holds_alternative<SpringLaw>(block.interaction().law)) {
        Eigen::VectorXd& forces = block.offset;
        forces = P_next_.segment(block.start, block.rows()) / h_;
        const double point = block.spring_point;
        q_theta_ = point * q_next_ + (1.0 - point) * q_;
        block.functions.evaluate(t_end - (1.0 - point) * h_, q_theta_, forces.data());
        return fill_spring(block, {h_, theta_}, v_next_, u, P_next_.data() + block.start);
    }
    if (std::holds_alternative<RelayLaw>(block.interaction().law)) {
        block.functions.evaluate_relay(t_end, q_next_, v_next_, h_ * theta_);
        return fill_relay(block, v_next_);
    }
    if (closing_ == Closing::positions || !block.functions.is_steady()) block.functions.evaluate(t_end, q_next_);
    if (closing_ == Closing::positions)
        fill_position(block, h_, v_next_);
    else if (block.contact())
        linearise_contact(block, u);
    else
        linearise_joint(block);
}

// A closed contact that opens, u_N > 0, and is pressed during the step has e = 1: with less it would gain the energy
// (1 - e) P_N u_N / 2 from its law.                                                              docs/theory.md (157)
void MoreauJeanStepper::linearise_contact(StepBlock& block, const double* u) {
    fill_contact(block, u);
    const ContactLaw& law = *block.contact();
    if (u[0] > 0.0 && law.impact == ContactLaw::Impact::newton) block.offset[0] += (1.0 - law.restitution) * u[0];
    if (block.functions.is_constant() || block.rows() > 1 || !was_closed(block)) return;
    evaluate_at_theta(block);
    block.B = block.functions.J().transpose();
}

void MoreauJeanStepper::evaluate_at_theta(StepBlock& block) {
    q_theta_ = theta_ * q_next_ + (1.0 - theta_) * q_;
    block.functions.evaluate(time_of(steps_ + 1) - (1.0 - theta_) * h_, q_theta_);
}

// The percussion acts along J in the middle of the step, where its work is that of second order; the velocities are
// those of the end.
void MoreauJeanStepper::linearise_joint(StepBlock& block) {
    if (block.functions.is_constant()) return fill_joint(block);
    evaluate_at_theta(block);
    block.B = block.functions.J().transpose();
    block.functions.evaluate(time_of(steps_ + 1), q_next_);
    block.J = block.functions.J();
    block.offset = block.functions.rate();
}

void MoreauJeanStepper::linearise_interactions() {
    for (const Index i : active_) linearise(blocks_[static_cast<std::size_t>(i)]);
}

bool MoreauJeanStepper::find_percussions() {
    if (!active_.empty()) linearise_interactions();
    for (const Index i : active_) {
        const StepBlock& block = blocks_[static_cast<std::size_t>(i)];
        if (!block.offset.allFinite() || !block.J.allFinite())
            return fail(
                fmt::format("interaction '{}': its position or velocity is not finite", block.interaction().name));
    }
    v_last_ = v_next_;
    v_next_ = v_free_;
    if (active_.empty()) return true;
    operator_.update(blocks_, active_, solver_, solve_with(motions_));
    const bool is_solved = operator_.solve(blocks_, active_, solver_, v_next_, P_next_);
    report_ = solver_.report();
    return is_solved;
}

// Newton's correction, relative to the velocities of each system and what forces make of them.
bool MoreauJeanStepper::has_converged() const {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s], size = system_starts_[s + 1] - at;
        const double speed = std::max(v_next_.segment(at, size).lpNorm<Eigen::Infinity>(),
                                      v_.segment(at, size).lpNorm<Eigen::Infinity>());
        const double change = std::visit([](const auto& motion) { return motion.change(); }, motions_[s]);
        const double correction = (v_next_ - v_last_).segment(at, size).lpNorm<Eigen::Infinity>();
        if (!(correction <= scheme_.tolerance * std::max(speed, change))) return false;
    }
    return true;
}

void MoreauJeanStepper::move() { q_next_ = q_ + h_ * (theta_ * v_next_ + (1.0 - theta_) * v_); }

bool MoreauJeanStepper::find_velocities() {
    v_next_ = v_;
    P_next_ = P_;
    for (StepBlock& block : blocks_)
        if (!block.is_active) P_next_.segment(block.start, block.rows()).setZero();
    for (int k = 0; k <= scheme_.max_iterations; ++k) {
        move();
        if (!find_free_velocities())
            return fail("a force or the mass is not finite: does the model blow up, or is the step too long?");
        if (!find_percussions()) return false;
        if (is_linear_ || (k > 0 && has_converged())) {
            move();
            return v_next_.allFinite() ||
                   fail("the velocities are no longer finite: does the model blow up, or is the step too long?");
        }
    }
    report_ = {.status = SolveStatus::iteration_limit,
               .iterations = scheme_.max_iterations,
               .message = "Newton's method does not converge; take a shorter step"};
    return false;
}

bool MoreauJeanStepper::apply_impacts() {
    has_impact_ = false;
    double change = 0.0;
    for (const FreeMotion& motion : motions_)
        change = std::max(change, std::visit([](const auto& m) { return m.change(); }, motion));
    const IndexList& struck = impacts_->find_struck(blocks_, y_, u_, v_, h_, change);
    if (struck.empty()) return true;
    has_impact_ = true;
    v_impact_ = v_;
    u_impact_ = u_;
    report_ = impacts_->apply(t(), q_, struck, v_, P_impact_);
    report_.solver = {};  // problem() is that of the step
    evaluate_rows(t());
    return report_.converged();
}

void MoreauJeanStepper::exchange_impacts() {
    if (!has_impact_) return;
    v_.swap(v_impact_);
    evaluate_rows(t());
}

void MoreauJeanStepper::begin_motions() {
    for (std::size_t s = 0; s < motions_.size(); ++s)
        std::visit(
            [&](auto& motion) {
                motion.begin(t(), time_of(steps_ + 1), q_.data() + system_starts_[s], v_.data() + system_starts_[s]);
            },
            motions_[s]);
}

// The impacts work with the mean of the velocities before and after them, not with those of the step.
StepOutcome MoreauJeanStepper::end_step() {
    if (has_impact_) P_next_ += P_impact_;
    v_.swap(v_next_);
    q_.swap(q_next_);
    P_.swap(P_next_);
    const StepOutcome outcome = finish_step();
    if (has_impact_) {
        work_ += 0.5 * P_impact_.dot(u_impact_ - u_);
        last_u_ = u_impact_;
    }
    return outcome;
}

StepOutcome MoreauJeanStepper::step() {
    begin_motions();
    activate();
    if (impacts_ && !apply_impacts()) {
        v_next_ = v_;
        P_next_.setZero();
        exchange_impacts();
        return StepOutcome::failed;
    }
    if (has_impact_) begin_motions();
    do {
        if (!find_velocities() || !project_positions()) {
            exchange_impacts();
            return StepOutcome::failed;
        }
    } while (closing_ == Closing::positions && activate_violated());
    return end_step();
}

bool MoreauJeanStepper::project_positions() {
    constexpr int most_changes = 50;
    if (!projection_) return true;
    for (int k = 0; k < most_changes; ++k) {
        report_ = projection_->project(time_of(steps_ + 1), motions_, q_next_);
        report_.solver = {};  // problem() is that of the velocities
        if (!report_.converged()) return false;
        if (scheme_.projection == Projection::direct) return true;
        bool is_grown = false;
        for (const Index i : projection_->pushed()) {
            StepBlock& block = blocks_[static_cast<std::size_t>(i)];
            is_grown = is_grown || !block.is_active;
            block.is_active = true;
        }
        if (!is_grown) return true;
        active_.clear();
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            if (blocks_[i].is_active) active_.push_back(static_cast<Index>(i));
        if (!find_velocities()) return false;
    }
    return fail("the contacts that take part in the step keep changing; take a shorter step");
}

bool MoreauJeanStepper::accept_unsolved() {
    exchange_impacts();
    move();
    if (!v_next_.allFinite() || !q_next_.allFinite()) {
        exchange_impacts();
        return false;
    }
    end_step();
    return true;
}

}  // namespace saltus
