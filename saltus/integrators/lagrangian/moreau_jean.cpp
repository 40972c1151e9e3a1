#include "saltus/integrators/lagrangian/moreau_jean.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

void MoreauJean::check() const {
    require(theta >= 0.5 && theta <= 1.0, "{}: theta is {}; it must be between 1/2 and 1", name, theta);
    check_options(name, tolerance, max_iterations);
}

MoreauJeanStepper::MoreauJeanStepper(const LagrangianModel& model, const MoreauJean& scheme, double h)
    : LagrangianStepperBase(model, h, scheme.theta),
      scheme_(scheme),
      is_linear_(model.is_linear()),
      delassus_(system_starts_),
      has_X_(blocks_.size(), 0) {
    scheme_.check();
    for (const LagrangianSystem& system : model.systems)
        motions_.push_back(make_free_motion(system, model.t0, h, scheme.theta));
    if (scheme_.projection != Projection::none) projection_.emplace(blocks_, system_starts_);
    v_free_ = v_next_ = v_last_ = v_;
    q_next_ = q_theta_ = q_;
    P_next_ = P_;
    if (ImpactMap::is_needed(model)) impacts_ = std::make_unique<ImpactMap>(model);
}

void MoreauJeanStepper::activate() {
    active_.clear();
    const double least = projection_ ? PositionProjection::tolerance : 0.0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        const bool was_closed = placement_[static_cast<std::size_t>(block.start)] == Place::basic;
        block.is_active = !block.contact() ||
                          y_[block.start] + 0.5 * h_ * u_[block.start] <= (was_closed ? least + reach(block) : least);
        if (block.is_active) active_.push_back(static_cast<Index>(i));
    }
}

// The distance which forces close in half a step. A contact that was closed stays so within it: positions on a curved or
// moving surface drift by less, and a contact that opened for that reason would bounce.
double MoreauJeanStepper::reach(const StepBlock& block) const {
    double speed = 0.0;
    Index column = 0;
    for (std::size_t s = 0; s < block.starts_in_X.size(); ++s) {
        const auto system = static_cast<std::size_t>(block.interaction().systems[s]);
        const double change = std::visit([](const auto& motion) { return motion.change(); }, motions_[system]);
        for (Index c = 0; c < block.functions.coordinates_of_systems()[s]; ++c, ++column)
            speed += std::abs(block.J(0, column)) * change;
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
        q_theta_ = theta_ * q_next_ + (1.0 - theta_) * q_;
        block.functions.evaluate(t_end - (1.0 - theta_) * h_, q_theta_, forces.data());
        return fill_spring(block, {h_, theta_}, v_next_, u, P_next_.data() + block.start);
    }
    if (std::holds_alternative<RelayLaw>(block.interaction().law)) {
        block.functions.evaluate_relay(t_end, q_next_, v_next_, h_ * theta_);
        return fill_relay(block, v_next_);
    }
    if (!block.functions.is_steady()) block.functions.evaluate(t_end, q_next_);
    if (block.contact())
        fill_contact(block, u);
    else
        fill_joint(block);
}

void MoreauJeanStepper::linearise_interactions() {
    for (const Index i : active_) linearise(blocks_[static_cast<std::size_t>(i)]);
}

// X = W^-1 B and Delassus' operator; of a linear model only when other interactions are active.
void MoreauJeanStepper::update_operator() {
    if (is_linear_ && operator_of_ == active_ && delassus_.rows() > 0) return;
    for (const Index i : active_) {
        if (has_X_[static_cast<std::size_t>(i)]) continue;
        solve_block(blocks_[static_cast<std::size_t>(i)], system_starts_, motions_);
        has_X_[static_cast<std::size_t>(i)] = is_linear_ ? 1 : 0;
    }
    delassus_.assemble(blocks_, active_);
    operator_of_ = active_;
    std::vector<Law> laws;
    for (const Index i : active_) {
        const std::vector<Law>& own = blocks_[static_cast<std::size_t>(i)].laws;
        laws.insert(laws.end(), own.begin(), own.end());
    }
    solver_.set(delassus_.to_matrix(), std::move(laws));
    for (std::size_t k = 0; k < active_.size(); ++k) {
        double trace = 0.0;
        for (Index i = delassus_.start(k); i < delassus_.start(k + 1); ++i) trace += solver_.W()(i, i);
        StepBlock& block = blocks_[static_cast<std::size_t>(active_[k])];
        block.rho = trace > 0.0 ? static_cast<double>(block.rows()) / trace : 1.0;
    }
    load_.resize(delassus_.rows());
    percussions_.resize(delassus_.rows());
}

// The one-step problem: q = J v_free + offset. Cohesion c shifts the percussions: P + h c in K.
bool MoreauJeanStepper::find_percussions() {
    if (!active_.empty()) {
        linearise_interactions();
        update_operator();
    }
    v_last_ = v_next_;
    v_next_ = v_free_;
    if (active_.empty()) return true;
    bool is_cohesive = false;
    for (std::size_t k = 0; k < active_.size(); ++k) {
        const StepBlock& block = blocks_[static_cast<std::size_t>(active_[k])];
        const Index at = delassus_.start(k);
        for (Index i = 0; i < block.rows(); ++i) {
            double sum = block.offset[i];
            for (Index j = 0; j < block.J.cols(); ++j)
                sum += block.J(i, j) * v_free_[block.functions.coordinates()[static_cast<std::size_t>(j)]];
            load_[at + i] = sum;
        }
        percussions_.segment(at, block.rows()) = P_next_.segment(block.start, block.rows());
        is_cohesive = is_cohesive || block.cohesion() > 0.0;
    }
    if (is_cohesive) shift_cohesion(1.0);
    report_ = solver_.solve(load_, percussions_);
    if (is_cohesive) shift_cohesion(-1.0);
    for (std::size_t k = 0; k < active_.size(); ++k) {
        const StepBlock& block = blocks_[static_cast<std::size_t>(active_[k])];
        P_next_.segment(block.start, block.rows()) = percussions_.segment(delassus_.start(k), block.rows());
        block.add_to(v_next_, system_starts_, P_next_.data() + block.start);
    }
    return report_.converged();
}

// With P^ = P + h c: w = W P^ + (q - W h c).
void MoreauJeanStepper::shift_cohesion(double sign) {
    shift_.setZero(load_.size());
    for (std::size_t k = 0; k < active_.size(); ++k)
        shift_[delassus_.start(k)] = sign * h_ * blocks_[static_cast<std::size_t>(active_[k])].cohesion();
    percussions_ += shift_;
    if (sign < 0.0) return;
    shift_ = -shift_;
    solver_.W().multiply_add(shift_, load_);
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

bool MoreauJeanStepper::fail(std::string message) {
    report_ = {.status = SolveStatus::stalled, .message = std::move(message)};
    return false;
}

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
    if (!find_velocities() || !project_positions()) {
        exchange_impacts();
        return StepOutcome::failed;
    }
    return end_step();
}

bool MoreauJeanStepper::project_positions() {
    constexpr int most_changes = 50;
    if (!projection_) return true;
    for (int k = 0; k < most_changes; ++k) {
        report_ = projection_->project(time_of(steps_ + 1), motions_, q_next_);
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
