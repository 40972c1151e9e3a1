#include "saltus/complementarity/friction/contact_equation.hpp"

#include <Eigen/Eigenvalues>

namespace saltus::friction {

namespace {

// Below this fraction of the mean of its kind a diagonal is rounding and no unit.
constexpr double negligible = 1e-12;

// The largest eigenvalue of the symmetric part of a block of 1 or 2 rows, in absolute value.
double largest_eigenvalue(const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& W) {
    if (W.rows() == 1) return std::abs(W(0, 0));
    const double mean = 0.5 * (W(0, 0) + W(1, 1)), half = 0.5 * (W(0, 0) - W(1, 1)), off = 0.5 * (W(0, 1) + W(1, 0));
    return std::abs(mean) + std::hypot(half, off);
}

double step(double eigenvalue, double unit) { return 1.0 / (eigenvalue > negligible * unit ? eigenvalue : unit); }

template <int Disks, int DiskSize>
BlockSteps steps_of(const FrictionLaw<Disks, DiskSize>&, const BlockMatrix::Block& W, double unit, double shift) {
    BlockSteps steps{.normal = step(std::abs(W(0, 0)) + shift, unit)};
    for (int k = 0; k < Disks; ++k) {
        const int at = 1 + k * DiskSize;
        steps.disk[k] = step(largest_eigenvalue(W.block(at, at, DiskSize, DiskSize)) + shift, unit);
    }
    return steps;
}

template <class L>
BlockSteps steps_of(const L&, const BlockMatrix::Block&, double unit, double shift) {
    return {.normal = 1.0 / (unit + shift)};
}

}  // namespace

ContactEquation::ContactEquation(const OneStepView& problem, Formulation formulation)
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

void ContactEquation::set_steps() {
    for (Index i = 0; i < problem_.blocks(); ++i)
        steps_[i] =
            std::visit([&](const auto& law) { return steps_of(law, problem_.W.diagonal(i), unit_[i], proximal(i)); },
                       problem_.law(i));
}

void ContactEquation::set_proximal(double alpha, const Eigen::VectorXd& centre) {
    alpha_ = alpha;
    centre_ = centre;
    set_steps();
}

template <class Visit>
void ContactEquation::for_each_block(const Eigen::VectorXd& r, const Eigen::VectorXd& u, Visit&& visit) const {
    std::array<double, BlockMatrix::largest_block> w{};
    for (Index i = 0, first = 0; i < problem_.blocks(); ++i) {
        const int n = problem_.W.size(i);
        const double weight = proximal(i);
        for (Index c = 0; c < n; ++c) w[c] = u[first + c] + weight * (r[first + c] - centre_[first + c]);
        visit(i, first, w.data());
        first += n;
    }
}

void ContactEquation::evaluate(const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& F) const {
    for_each_block(r, u, [&](Index i, Index first, const double* w) {
        std::visit(
            [&](const auto& law) {
                contact_function(law, formulation_, steps_[i], r.data() + first, w, F.data() + first, nullptr);
            },
            problem_.law(i));
    });
}

void ContactEquation::linearise(const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& F,
                                std::vector<BlockDerivative>& derivatives) const {
    for_each_block(r, u, [&](Index i, Index first, const double* w) {
        derivatives[i].reset(problem_.W.size(i));
        std::visit(
            [&](const auto& law) {
                contact_function(law, formulation_, steps_[i], r.data() + first, w, F.data() + first, &derivatives[i]);
            },
            problem_.law(i));
    });
}

}  // namespace saltus::friction
