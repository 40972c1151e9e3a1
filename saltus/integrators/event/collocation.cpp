#include "saltus/integrators/event/collocation.hpp"

namespace saltus {

namespace {

// The nodes on [0, 1]: the eigenvalues of Jacobi's matrix of Legendre's polynomials (Golub and Welsch 1969), whose last
// diagonal entry is changed so that 1 is one of them for Radau's (Golub 1973).
Eigen::VectorXd nodes_of(Collocation::Family family, Index s) {
    Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(s, s);
    for (Index k = 1; k < s; ++k) {
        const auto n = static_cast<double>(k);
        jacobi(k, k - 1) = jacobi(k - 1, k) = n / std::sqrt(4.0 * n * n - 1.0);
    }
    if (family == Collocation::Family::radau) {
        jacobi(s - 1, s - 1) = 1.0;
        if (s > 1) {
            const double last = jacobi(s - 1, s - 2);
            const Eigen::MatrixXd inner = jacobi.topLeftCorner(s - 1, s - 1) - Eigen::MatrixXd::Identity(s - 1, s - 1);
            Eigen::VectorXd rhs = Eigen::VectorXd::Zero(s - 1);
            rhs[s - 2] = last * last;
            jacobi(s - 1, s - 1) += DenseLu(inner).solve(rhs)[s - 2];
        }
    }
    return 0.5 * (symmetric_eigenvalues(jacobi).array() + 1.0);
}

}  // namespace

// Collocation:  sum_j a_ij c_j^(k-1) = c_i^k / k,   sum_j b_j c_j^(k-1) = 1 / k,   k = 1, ..., s.
Collocation::Collocation(Family family, int stages, Index size, double length) : length_(length) {
    const Index s = stages;
    c_ = nodes_of(family, s);
    if (family == Family::radau) c_[s - 1] = 1.0;
    Eigen::MatrixXd powers(s, s), integrals(s, s);
    Eigen::VectorXd whole(s);
    for (Index k = 0; k < s; ++k) {
        const auto n = static_cast<double>(k + 1);
        powers.row(k) = c_.array().pow(n - 1.0);
        integrals.row(k) = c_.array().pow(n) / n;
        whole[k] = 1.0 / n;
    }
    const FullPivotLu factors(powers);
    a_ = factors.solve(integrals).transpose();
    b_ = factors.solve(whole);
    jacobian_.resize(size, size);
    slopes_.resize(size, s);
    stage_ = stage_slope_ = Eigen::VectorXd::Zero(size);
    scale_ = Eigen::VectorXd::Ones(size);
    residual_ = change_ = Eigen::VectorXd::Zero(size * s);
}

void Collocation::factor(double h) {
    if (factored_ == h) return;
    factored_ = h;
    const Index n = jacobian_.rows();
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n * stages(), n * stages());
    for (Index i = 0; i < stages(); ++i)
        for (Index j = 0; j < stages(); ++j) system.block(i * n, j * n, n, n) -= h * a_(i, j) * jacobian_;
    factors_.compute(system);
}

double Collocation::correct() {
    factors_.solve(residual_, change_);
    slopes_ += change_.reshaped(slopes_.rows(), slopes_.cols());
    return change_.lpNorm<Eigen::Infinity>();
}

}  // namespace saltus
