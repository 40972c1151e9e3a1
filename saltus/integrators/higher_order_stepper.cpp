#include "saltus/integrators/higher_order_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/integrators/step_equations.hpp"
#include "saltus/model/analysis.hpp"
#include "saltus/model/stacked.hpp"

namespace saltus {

namespace {

// The value of a function of time that must not vary.
Eigen::VectorXd constant(const Function& function, Index size, double t, const std::string& owner) {
    if (function.is_empty()) return Eigen::VectorXd::Zero(size);
    require(function.variation() == Variation::constant,
            "{}: {} varies with time; the derivatives of y then depend on it, which this scheme does not know",
            HigherOrderSweeping::name, owner);
    Eigen::VectorXd value(size);
    function.value(&t, value.data());
    return value;
}

void check_laws(const Model& model) {
    for (const Interaction& interaction : model.interactions)
        for (Index i = 0; i < interaction.rows(); ++i)
            require(interaction.law_of(i).lower == 0.0 && interaction.law_of(i).upper == infinity,
                    "{}: interaction '{}', row {}: the law is [{}, {}]; it must be complementarity",
                    HigherOrderSweeping::name, interaction.name, i, interaction.law_of(i).lower,
                    interaction.law_of(i).upper);
}

}  // namespace

HigherOrderStepper::HigherOrderStepper(const Model& model, double h) : StepperBase(model.t0, h) {
    model.check();
    require(model.is_linear(), "{}: model '{}' is not linear", HigherOrderSweeping::name, model.name);
    require(h > 0.0 && std::isfinite(h), "{}: the step is {}; it must be positive", HigherOrderSweeping::name, h);
    check_laws(model);
    const std::optional<int> degree = relative_degree(model).uniform;
    require(degree && *degree >= 2, "{}: model '{}' has {}; it must be uniform, and 2 or more",
            HigherOrderSweeping::name, model.name,
            degree ? fmt::format("relative degree {}", *degree) : "no uniform relative degree");
    build(model, *degree);
    x_ = model.initial_state();
    z_ = Z_ * x_ + offset_;
    mu_ = Eigen::VectorXd::Zero(z_.size());
    placement_.assign(static_cast<std::size_t>(outputs_), Place::at_lower);
}

// mu_i moves z_i and nothing else of z and of the zero dynamics: the directions span B, A B, ..., A^(r-1) B.
void HigherOrderStepper::build(const Model& model, int degree) {
    const Stacked parts(model);
    const DenseLu mass(parts.M.to_dense());
    const Eigen::MatrixXd A = mass.solve(parts.A.to_dense()), C = parts.C.to_dense();
    const Index n = parts.states(), m = parts.rows(), size = degree * m;
    Eigen::VectorXd b(n), e(m);
    for (std::size_t s = 0; s < model.systems.size(); ++s)
        b.segment(model.state_start(static_cast<Index>(s)), model.systems[s].x0.size()) = constant(
            model.systems[s].b, model.systems[s].x0.size(), t0_, fmt::format("b of '{}'", model.systems[s].name));
    for (std::size_t k = 0; k < model.interactions.size(); ++k)
        e.segment(model.row_start(static_cast<Index>(k)), model.interactions[k].rows()) =
            constant(model.interactions[k].e, model.interactions[k].rows(), t0_,
                     fmt::format("e of '{}'", model.interactions[k].name));
    b = mass.solve(b);

    Eigen::MatrixXd reach(n, size);
    Z_.resize(size, n);
    offset_.resize(size);
    Eigen::MatrixXd row = C, column = mass.solve(parts.B.to_dense());
    offset_.head(m) = e;
    for (Index i = 0; i < degree; ++i) {
        Z_.middleRows(i * m, m) = row;
        reach.middleCols(i * m, m) = column;
        if (i + 1 < degree) offset_.segment((i + 1) * m, m) = row * b;
        row = clean_product(row, A);
        column = clean_product(A, column);
    }
    outputs_ = m;
    leading_ = inverse(clean_product(Z_.bottomRows(m), reach.leftCols(m)));
    const Eigen::MatrixXd coupling = clean_product(Z_, reach);
    advance_ = inverse(Eigen::MatrixXd::Identity(n, n) - h_ * A);
    directions_ = advance_ * reach * inverse(coupling);
    load_ = h_ * b;
    problem_ = {clean_product(Z_, directions_), Eigen::VectorXd(size), Eigen::VectorXd::Zero(size),
                Eigen::VectorXd(size)};
}

// z_i may be stopped where z_1, ..., z_(i-1) are zero or below, up to rounding.
void HigherOrderStepper::set_laws() {
    const Eigen::VectorXd terms = Z_.cwiseAbs() * x_.cwiseAbs() + offset_.cwiseAbs();
    for (Index j = 0; j < outputs_; ++j) {
        bool may_stop = true;
        for (Index i = j; i < z_.size(); i += outputs_) {
            problem_.upper[i] = may_stop ? infinity : 0.0;
            may_stop = may_stop && z_[i] <= 1e-13 * terms[i];
        }
    }
}

StepOutcome HigherOrderStepper::step() {
    set_laws();
    const Eigen::VectorXd free = advance_ * (x_ + load_);
    problem_.q = Z_ * free + offset_;
    next_mu_ = mu_.cwiseMin(problem_.upper);
    report_ = Auto{}.solve(problem_, next_mu_, workspace_);
    next_x_ = free + directions_ * next_mu_;
    next_z_ = problem_.M * next_mu_ + problem_.q;
    if (report_.converged() && !next_x_.allFinite())
        report_ = {.status = SolveStatus::stalled, .message = "the state is no longer finite"};
    return report_.converged() ? accept() : StepOutcome::failed;
}

// A derivative that a measure stopped is exactly zero.
StepOutcome HigherOrderStepper::accept() {
    ++steps_;
    x_.swap(next_x_);
    z_.swap(next_z_);
    mu_.swap(next_mu_);
    const Placement before = placement_;
    for (Index j = 0; j < outputs_; ++j) placement_[static_cast<std::size_t>(j)] = Place::at_lower;
    for (Index i = 0; i < z_.size(); ++i)
        if (mu_[i] > 0.0) {
            z_[i] = 0.0;
            placement_[static_cast<std::size_t>(i % outputs_)] = Place::basic;
        }
    return placement_ == before ? StepOutcome::kept : StepOutcome::switched;
}

bool HigherOrderStepper::accept_unsolved() {
    if (!next_x_.allFinite()) return false;
    accept();
    return true;
}

Index HigherOrderStepper::worst_row() const {
    const Index row = saltus::worst_row(problem_, next_mu_);
    return row < 0 ? row : row % outputs_;
}

void HigherOrderStepper::resume(const State& state) {
    next_x_ = state.x;
    next_z_ = Z_ * next_x_ + offset_;
    next_mu_ = Eigen::VectorXd::Zero(z_.size());
    next_mu_.tail(outputs_) = inverse(leading_) * state.lambda;
    accept();
}

void HigherOrderStepper::read(State& state) const {
    state.t = t();
    state.x = x_;
    state.lambda = leading_ * mu_.tail(outputs_);
    state.y = z_.head(outputs_);
}

}  // namespace saltus
