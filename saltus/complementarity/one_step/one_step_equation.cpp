#include "saltus/complementarity/one_step/one_step_equation.hpp"

namespace saltus::one_step {

namespace {

// Below this fraction of the mean of all a diagonal is rounding and not a unit.
constexpr double negligible = 1e-12;

}  // namespace

OneStepEquation::OneStepEquation(const OneStepView& problem, Formulation formulation)
    : problem_(problem),
      formulation_(formulation),
      centre_(Eigen::VectorXd::Zero(problem.size())),
      unit_(problem.blocks()),
      steps_(static_cast<std::size_t>(problem.blocks())) {
    const double mean = 1.0 / problem.rho();
    for (Index i = 0; i < problem.blocks(); ++i) {
        unit_[i] = problem.W.diagonal(i).diagonal().cwiseAbs().mean();
        if (!(unit_[i] > negligible * mean)) unit_[i] = mean;
    }
    set_steps();
}

void OneStepEquation::set_steps() {
    for (Index i = 0; i < problem_.blocks(); ++i)
        steps_[i] = std::visit(
            [&](const auto& law) { return block_steps(law, problem_.W.diagonal(i), proximal(i), 1.0 / unit_[i]); },
            problem_.law(i));
}

void OneStepEquation::set_proximal(double alpha, const Eigen::VectorXd& centre) {
    alpha_ = alpha;
    centre_ = centre;
    set_steps();
}

void OneStepEquation::evaluate(const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& F,
                               std::vector<BlockDerivative>& derivatives) const {
    std::array<double, BlockMatrix::largest_block> w{};
    for (Index i = 0, first = 0; i < problem_.blocks(); ++i) {
        const int n = problem_.W.size(i);
        const double weight = proximal(i);
        for (Index c = 0; c < n; ++c) w[c] = u[first + c] + weight * (r[first + c] - centre_[first + c]);
        std::visit(
            [&](const auto& law) {
                evaluate_block(law, formulation_, steps_[i], r.data() + first, w.data(), F.data() + first,
                               derivatives[i]);
            },
            problem_.law(i));
        first += n;
    }
}

}  // namespace saltus::one_step
