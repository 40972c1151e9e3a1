#include "saltus/integrators/step_factors.hpp"

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void add(const Matrix& matrix, double factor, Index row, Index col, Triplets& triplets) {
    const Matrix::Sparse entries = matrix.to_sparse();
    for (Index k = 0; k < entries.outerSize(); ++k)
        for (Matrix::Sparse::InnerIterator it(entries, k); it; ++it)
            triplets.emplace_back(row + it.row(), col + it.col(), factor * it.value());
}

}  // namespace

StepFactors::StepFactors(StepEquations equations) : equations_(std::move(equations)) {}

// All rows of y = 0, then those at a bound replaced by mu = bound.
Matrix::Sparse StepFactors::system(const Placement& placement) const {
    const Index n = equations_.states(), m = equations_.rows();
    Triplets all, kept;
    add(equations_.K, 1.0, 0, 0, all);
    add(equations_.B, -equations_.c, 0, n, all);
    add(equations_.C, 1.0, n, 0, all);
    add(equations_.D, 1.0, n, n, all);
    const auto is_bound = [&](Index row) {
        return row >= n && placement[static_cast<std::size_t>(row - n)] != Place::basic;
    };
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [&](const auto& t) { return !is_bound(t.row()); });
    for (Index i = 0; i < m; ++i)
        if (is_bound(n + i)) kept.emplace_back(n + i, n + i, 1.0);
    Matrix::Sparse result(n + m, n + m);
    result.setFromTriplets(kept.begin(), kept.end());
    return result;
}

bool StepFactors::place(const Placement& placement) {
    if (placement == placement_) return is_regular_;
    placement_ = placement;
    is_regular_ = factorization_.compute(system(placement), Factorization::Symmetry::unsymmetric);
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
}

// Relative to the largest of the multipliers, of the outputs.
double StepFactors::rounding(const double*, const Eigen::VectorXd& end, Index i) const {
    const Index n = equations_.states(), m = equations_.rows();
    return 1e-13 * (i < n + m ? end.segment(n, m) : end.tail(m)).lpNorm<Eigen::Infinity>();
}

BoxVi StepFactors::problem(const double* past) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Index n = equations_.states(), m = equations_.rows();
    BoxVi problem{system(Placement(static_cast<std::size_t>(m), Place::basic)), Eigen::VectorXd(n + m),
                  Eigen::VectorXd::Constant(n + m, -infinity), Eigen::VectorXd::Constant(n + m, infinity)};
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
