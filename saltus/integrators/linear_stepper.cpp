#include "saltus/integrators/linear_stepper.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// A + factor B.
Matrix sum(const Matrix& A, double factor, const Matrix& B) {
    if (A.is_sparse()) return Matrix::Sparse(A.sparse() + factor * B.sparse());
    return Matrix::Dense(A.dense() + factor * B.dense());
}

Matrix divided(const Matrix& A, double divisor) {
    if (A.is_sparse()) return Matrix::Sparse(A.sparse() / divisor);
    return Matrix::Dense(A.dense() / divisor);
}

StepEquations step_equations(const Model& model, const EulerMoreau& scheme, double h) {
    model.check();
    scheme.check();
    require(h > 0.0 && std::isfinite(h), "{}: the step is {}; it must be positive", EulerMoreau::name, h);
    const Stacked parts(model);
    const Signals signals(model);
    StepEquations equations;
    equations.K = sum(parts.M, -h * scheme.theta, parts.A);
    equations.P = sum(parts.M, h * (1.0 - scheme.theta), parts.A);
    equations.B = parts.B;
    equations.C = parts.C;
    equations.D = scheme.measures ? divided(parts.D, h) : parts.D;
    equations.c = scheme.measures ? 1.0 : h * scheme.gamma;
    equations.p = h * (1.0 - scheme.gamma);
    equations.h = h;
    const double scale = scheme.measures ? h : 1.0;
    equations.lower = scale * parts.lower;
    equations.upper = scale * parts.upper;
    equations.input_rows = signals.input_rows();
    equations.offset_rows = signals.offset_rows();
    return equations;
}

}  // namespace

template <class Equations>
PlacementStepper<Equations>::PlacementStepper(const Model& model, const EulerMoreau& scheme, double h)
    : StepperBase(model.t0, h), theta_(scheme.theta), solved_(step_equations(model, scheme, h)), signals_(model) {
    require(model.is_linear(), "model '{}': a function of x or lambda needs the Newton stepper", model.name);
    start(model);
}

template <class Equations>
void PlacementStepper<Equations>::start(const Model& model) {
    const StepEquations& e = equations();
    past_ = Eigen::VectorXd::Zero(e.past_size());
    end_ = trial_ = Eigen::VectorXd::Zero(e.states() + 2 * e.rows());
    b_.resize(signals_.inputs());
    b_next_.resize(signals_.inputs());
    past_.head(e.states()) = model.initial_state();
    signals_.evaluate_inputs(t0_, b_.data());
    signals_.evaluate_offsets(t0_, past_.data() + e.offsets_start());
    start_multipliers(model);
}

// The law at t0: -(C x0 + D lambda + e) in N(lambda).
template <class Equations>
void PlacementStepper<Equations>::start_multipliers(const Model& model) {
    const StepEquations& e = equations();
    const Eigen::VectorXd x0 = past_.head(e.states());
    problem_ = {e.D, e.C * x0 + e.offset(past_.data()), e.lower, e.upper};
    Eigen::VectorXd lambda;
    report_ = solve_laws(problem_, lambda);
    require(report_.converged() || e.p == 0.0,
            "model '{}': at t = {} the law has no multiplier ({}); gamma = {} needs one, take gamma = 1", model.name,
            t0_, report_.message, 1.0 - e.p / e.h);
    if (e.p != 0.0) past_.segment(e.states(), e.rows()) = lambda;
    end_ << x0, lambda, slack(problem_, lambda);
    placement_.resize(static_cast<std::size_t>(e.rows()));
    for (Index i = 0; i < e.rows(); ++i) placement_[static_cast<std::size_t>(i)] = place_of(e.law(i), lambda[i]);
    is_regular_ = solved_.place(placement_);
}

template <class Equations>
void PlacementStepper<Equations>::read_signals(double t) {
    if (signals_.inputs() > 0) {
        signals_.evaluate_inputs(t, b_next_.data());
        past_.segment(equations().inputs_start(), signals_.inputs()) = theta_ * b_next_ + (1.0 - theta_) * b_;
    }
    signals_.evaluate_offsets(t, past_.data() + equations().offsets_start());
}

template <class Equations>
bool PlacementStepper<Equations>::holds() const {
    const Index n = equations().states();
    const Eigen::VectorXd &least = solved_.least(), &most = solved_.most();
    bool holds = true;
    for (Index i = 0; i < least.size(); ++i) holds &= least[i] <= trial_[n + i] && trial_[n + i] <= most[i];
    return holds;
}

template <class Equations>
bool PlacementStepper<Equations>::move_violated() {
    const Index n = equations().states(), m = equations().rows();
    bool is_rounding = true;
    for (Index i = 0; i < 2 * m; ++i) {
        const double value = trial_[n + i], least = solved_.least()[i], most = solved_.most()[i];
        if (least <= value && value <= most) continue;
        const double excess = std::max(least - value, value - most);
        is_rounding = is_rounding && excess <= solved_.rounding(past_.data(), trial_, n + i);
        Place& place = placement_[static_cast<std::size_t>(i < m ? i : i - m)];
        place = i >= m ? Place::basic : value < least ? Place::at_lower : Place::at_upper;
    }
    return is_rounding;
}

// If the placements cycle, one of them may hold up to rounding.
template <class Equations>
bool PlacementStepper<Equations>::search() {
    const Index most = std::min<Index>(2 * equations().rows() + 4, 40);
    Placement nearly;
    for (Index k = 0; k < most && is_regular_; ++k) {
        solved_.evaluate(past_.data(), trial_);
        if (holds()) return true;
        const Placement tried = placement_;
        if (move_violated()) {
            nearly = tried;
            if (Equations::takes_rounding) break;
        }
        is_regular_ = solved_.place(placement_);
    }
    if (nearly.empty()) return false;
    placement_ = nearly;
    is_regular_ = solved_.place(placement_);
    if (!Equations::takes_rounding) solved_.evaluate(past_.data(), trial_);
    return true;
}

// The placement of trial_, as the projection P(mu - y) sees it: a solver leaves multipliers which are almost zero.
template <class Equations>
void PlacementStepper<Equations>::place() {
    const Index n = equations().states(), m = equations().rows();
    for (Index i = 0; i < m; ++i)
        placement_[static_cast<std::size_t>(i)] = place_of(equations().law(i), trial_[n + i] - trial_[n + m + i]);
    is_regular_ = solved_.place(placement_);
}

template <class Equations>
bool PlacementStepper<Equations>::solve() {
    problem_ = solved_.problem(past_.data());
    z_ = solved_.guess(end_);
    report_ = Auto{}.solve(problem_, z_, workspace_);
    solved_.read(problem_, past_.data(), z_, trial_);
    if (!report_.converged()) return false;
    place();
    // The placement gives the multipliers more exactly than the solver.
    const Eigen::VectorXd solution = trial_;
    const Placement solved_placement = placement_;
    if (search()) return true;
    trial_ = solution;
    placement_ = solved_placement;
    is_regular_ = solved_.place(placement_);
    return true;
}

template <class Equations>
bool PlacementStepper<Equations>::trial_is_finite() {
    if (trial_.allFinite()) return true;
    report_ = {.status = SolveStatus::stalled,
               .message = "the state is no longer finite: does the model blow up, or is the step too long for theta?"};
    problem_ = {};  // it is not the cause
    z_.resize(0);
    return false;
}

template <class Equations>
void PlacementStepper<Equations>::accept() {
    const Index n = equations().states(), m = equations().rows();
    end_.swap(trial_);
    past_.head(n) = end_.head(n);
    if (equations().p != 0.0) past_.segment(n, m) = end_.segment(n, m);
    b_.swap(b_next_);
    ++steps_;
}

template <class Equations>
StepOutcome PlacementStepper<Equations>::step() {
    read_signals(time_of(steps_ + 1));
    if (is_regular_) {
        solved_.evaluate(past_.data(), trial_);
        if (holds() && trial_.allFinite()) {
            accept();
            return StepOutcome::kept;
        }
    }
    const Placement before = placement_;
    if ((!search() && !solve()) || !trial_is_finite()) {
        placement_ = before;
        is_regular_ = solved_.place(placement_);
        return StepOutcome::failed;
    }
    accept();
    return placement_ == before ? StepOutcome::kept : StepOutcome::switched;
}

template <class Equations>
bool PlacementStepper<Equations>::accept_unsolved() {
    if (!trial_.allFinite()) return false;
    place();
    accept();
    return true;
}

template <class Equations>
Index PlacementStepper<Equations>::worst_row() const {
    const Index row = saltus::worst_row(problem_, z_), states = problem_.q.size() - equations().rows();
    return row < 0 ? row : std::max<Index>(0, row - states);
}

template <class Equations>
void PlacementStepper<Equations>::resume(const State& state) {
    trial_ << state.x, state.lambda, state.y;
    place();
    accept();
}

template <class Equations>
void PlacementStepper<Equations>::read(State& state) const {
    const Index n = equations().states(), m = equations().rows();
    state.t = t();
    state.x = end_.head(n);
    state.lambda = end_.segment(n, m);
    state.y = end_.tail(m);
}

template class PlacementStepper<StepMaps>;
template class PlacementStepper<StepFactors>;

}  // namespace saltus
