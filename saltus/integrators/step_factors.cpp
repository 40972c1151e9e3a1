#include "saltus/integrators/step_factors.hpp"

#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void add(const Matrix& matrix, double factor, Index row, Index col, Triplets& triplets) {
    const Matrix::Sparse entries = matrix.to_sparse();
    for (Index k = 0; k < entries.outerSize(); ++k)
        for (Matrix::Sparse::InnerIterator it(entries, k); it; ++it)
            triplets.emplace_back(row + it.row(), col + it.col(), factor * it.value());
}

// The largest sum of a row.
double size_of(const Matrix& matrix) {
    const Matrix::Sparse entries = matrix.to_sparse();
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(matrix.rows());
    for (Index k = 0; k < entries.outerSize(); ++k)
        for (Matrix::Sparse::InnerIterator it(entries, k); it; ++it) sums[it.row()] += std::abs(it.value());
    return sums.size() > 0 ? sums.maxCoeff() : 0.0;
}

double largest(const Eigen::Ref<const Eigen::VectorXd>& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

// The pattern is the same for all placements, so that it is analysed once.
StepFactors::StepFactors(StepEquations equations) : equations_(std::move(equations)) {
    const Index n = equations_.states(), m = equations_.rows();
    Triplets entries;
    add(equations_.K, 1.0, 0, 0, entries);
    add(equations_.B, -equations_.c, 0, n, entries);
    add(equations_.C, 1.0, n, 0, entries);
    add(equations_.D, 1.0, n, n, entries);
    for (Index i = 0; i < m; ++i) entries.emplace_back(n + i, n + i, 0.0);
    rows_.resize(n + m, n + m);
    rows_.setFromTriplets(entries.begin(), entries.end());
    system_ = rows_;
    C_size_ = size_of(equations_.C);
    D_size_ = size_of(equations_.D);
}

bool StepFactors::place(const Placement& placement) {
    if (placement == placement_) return is_regular_;
    placement_ = placement;
    const Index n = equations_.states();
    for (Index col = 0; col < rows_.outerSize(); ++col) {
        Matrix::Sparse::InnerIterator to(system_, col);
        for (Matrix::Sparse::InnerIterator from(rows_, col); from; ++from, ++to) {
            const Index row = from.row();
            const bool is_bound = row >= n && placement[static_cast<std::size_t>(row - n)] != Place::basic;
            to.valueRef() = !is_bound ? from.value() : row == col ? 1.0 : 0.0;
        }
    }
    is_regular_ = factorization_.compute(system_, Factorization::Symmetry::unsymmetric);
    equations_.bounds(placement, least_, most_);
    return is_regular_;
}

void StepFactors::evaluate(const double* past, Eigen::VectorXd& end) const {
    const Index n = equations_.states(), m = equations_.rows();
    const Eigen::VectorXd e = equations_.offset(past);
    Eigen::VectorXd z(n + m);
    z.head(n) = equations_.load(past);
    for (Index i = 0; i < m; ++i) {
        const Place place = placement_[static_cast<std::size_t>(i)];
        z[n + i] = place == Place::basic ? -e[i] : bound_at(equations_.law(i), place);
    }
    factorization_.solve_in_place(z);
    end << z, equations_.C * Eigen::VectorXd(z.head(n)) + equations_.D * Eigen::VectorXd(z.tail(m)) + e;
    for (Index i = 0; i < m; ++i) {
        const Place place = placement_[static_cast<std::size_t>(i)];
        if (place == Place::basic)
            end[n + m + i] = 0.0;
        else
            end[n + i] = bound_at(equations_.law(i), place);
    }
    mu_size_ = largest(end.segment(n, m));
    y_size_ = C_size_ * largest(end.head(n)) + D_size_ * mu_size_ + largest(e);
}

// Relative to the largest multiplier, and to the largest terms of y = C x + D mu + e.
double StepFactors::rounding(const double*, const Eigen::VectorXd&, Index i) const {
    return 1e-13 * (i < equations_.states() + equations_.rows() ? mu_size_ : y_size_);
}

BoxVi StepFactors::problem(const double* past) const {
    const Index n = equations_.states(), m = equations_.rows();
    BoxVi problem{rows_, Eigen::VectorXd(n + m), Eigen::VectorXd::Constant(n + m, -infinity),
                  Eigen::VectorXd::Constant(n + m, infinity)};
    problem.q << -equations_.load(past), equations_.offset(past);
    problem.lower.tail(m) = equations_.lower;
    problem.upper.tail(m) = equations_.upper;
    return problem;
}

void StepFactors::read(const BoxVi& problem, const double*, const Eigen::VectorXd& z, Eigen::VectorXd& end) const {
    const Eigen::VectorXd w = problem.M * z + problem.q;
    end << z, w.tail(equations_.rows());
}

}  // namespace saltus
