#include "saltus/integrators/lagrangian/anitescu_potra.hpp"

#include "saltus/core/check.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

namespace {

MoreauJean theta_step(const AnitescuPotra& scheme) {
    scheme.check();
    return {.theta = 1.0, .tolerance = scheme.tolerance, .max_iterations = scheme.max_iterations};
}

}  // namespace

void AnitescuPotra::check() const {
    require(facets == 0 || facets >= 3, "{}: facets is {}; it must be 0 (the disk), or 3 or more", name, facets);
    check_options(name, tolerance, max_iterations);
}

AnitescuPotraStepper::AnitescuPotraStepper(const LagrangianModel& model, const AnitescuPotra& scheme, double h)
    : MoreauJeanStepper(model, theta_step(scheme), h, Closing::closed),
      impact_operator_(system_starts_, blocks_.size(), is_linear_) {
    check_limits(AnitescuPotra::name,
                 {.has_forces = true, .has_rolling = scheme.facets == 0, .has_cohesion = true, .has_poisson = true},
                 model);
    solver_.facets = impact_solver_.facets = scheme.facets;
    for (const LagrangianSystem& system : model.systems) masses_.push_back(make_free_motion(system, model.t0, h, 0.0));
    impact_ = expansion_ = Eigen::VectorXd::Zero(P_.size());
}

// A contact of Poisson's law that is closed and approaches.
bool AnitescuPotraStepper::has_impact() const {
    for (const StepBlock& block : blocks_) {
        const ContactLaw* law = block.contact();
        if (law && law->impact == ContactLaw::Impact::poisson && law->restitution > 0.0 && is_closed(block) &&
            u_[block.start] < 0.0)
            return true;
    }
    return false;
}

bool AnitescuPotraStepper::collide() {
    for (std::size_t s = 0; s < masses_.size(); ++s) {
        const Index at = system_starts_[s];
        const bool is_regular = std::visit(
            [&](auto& mass) {
                mass.begin(t(), t(), q_.data() + at, v_.data() + at);
                return mass.linearise(v_.data() + at, v_free_.data() + at);
            },
            masses_[s]);
        if (!is_regular) return fail("a force or the mass is not finite: does the model blow up?");
    }
    active_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        const bool is_joint = std::holds_alternative<JointLaw>(block.interaction().law);
        if (!is_joint && !(block.contact() && is_closed(block))) continue;
        fill_joint(block);
        block.tension = 0.0;
        active_.push_back(static_cast<Index>(i));
    }
    impact_operator_.update(blocks_, active_, impact_solver_, [this](std::size_t s, double* x) {
        std::visit([x](const auto& mass) { mass.solve(x); }, masses_[s]);
    });
    impact_.setZero();
    bool is_solved = impact_operator_.solve(blocks_, active_, impact_solver_, v_, impact_);
    expansion_.setZero();
    for (const Index i : active_) {
        const StepBlock& block = blocks_[static_cast<std::size_t>(i)];
        const ContactLaw* law = block.contact();
        if (law && law->impact == ContactLaw::Impact::poisson)
            expansion_[block.start] = law->restitution * impact_[block.start];
    }
    const Eigen::VectorXd imposed = expansion_;
    is_solved = is_solved && impact_operator_.solve(blocks_, active_, impact_solver_, v_, expansion_, &imposed);
    report_ = impact_solver_.report();
    for (const Index i : active_) {
        const StepBlock& block = blocks_[static_cast<std::size_t>(i)];
        block.functions.velocity(v_, u_.data() + block.start);
    }
    impact_ += expansion_;
    return is_solved;
}

StepOutcome AnitescuPotraStepper::step() {
    if (!has_impact()) {
        impact_.setZero();
        return MoreauJeanStepper::step();
    }
    v_before_ = v_;
    u_before_ = u_;
    bool is_solved = collide();
    if (is_solved) {
        begin_step();
        activate();
        is_solved = find_velocities();
    } else {
        v_next_ = v_;
    }
    if (!is_solved) {
        v_.swap(v_before_);
        u_.swap(u_before_);
        return StepOutcome::failed;
    }
    P_next_ += impact_;
    return end_step();
}

bool AnitescuPotraStepper::accept_unsolved() {
    P_next_ += impact_;
    return MoreauJeanStepper::accept_unsolved();
}

}  // namespace saltus
