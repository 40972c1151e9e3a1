#include "saltus/complementarity/nonlinear/box_equation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "saltus/complementarity/c_functions.hpp"

namespace saltus {

namespace {

template <class Problem>
std::vector<Interval> intervals_of(const Problem& problem) {
    std::vector<Interval> intervals(static_cast<std::size_t>(problem.size()));
    for (Index i = 0; i < problem.size(); ++i) intervals[i] = problem.interval(i);
    return intervals;
}

Eigen::VectorXd largest_of_each_row(const Matrix& M) {
    Eigen::VectorXd largest = Eigen::VectorXd::Zero(M.rows());
    if (!M.is_sparse()) {
        for (Index j = 0; j < M.cols(); ++j) largest = largest.cwiseMax(M.dense().col(j).cwiseAbs());
        return largest;
    }
    for (Index j = 0; j < M.cols(); ++j)
        for (Matrix::Sparse::InnerIterator entry(M.sparse(), j); entry; ++entry)
            largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
    return largest;
}

// diag(a) + diag(b) J.
Matrix scaled_sum(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Matrix& J) {
    if (!J.is_sparse()) {
        Matrix::Dense sum = b.asDiagonal() * J.dense();
        sum.diagonal() += a;
        return sum;
    }
    const Matrix::Sparse diagonal(a.asDiagonal());
    const Matrix::Sparse scaled = b.asDiagonal() * J.sparse();
    return Matrix::Sparse(diagonal + scaled);
}

// V'V + nu I, nu = relative times the largest diagonal entry of V'V.
Matrix regularised_square(const Matrix& V, double relative) {
    if (!V.is_sparse()) {
        Matrix::Dense square = V.dense().transpose() * V.dense();
        square.diagonal().array() += relative * square.diagonal().maxCoeff();
        return square;
    }
    const Matrix::Sparse square = V.sparse().transpose() * V.sparse();
    const double nu = relative * Eigen::VectorXd(square.diagonal()).maxCoeff();
    const Matrix::Sparse shift(Eigen::VectorXd::Constant(V.rows(), nu).asDiagonal());
    return Matrix::Sparse(square + shift);
}

}  // namespace

BoxEquation::BoxEquation(const AffineBox& problem)
    : intervals(intervals_of(problem)),
      evaluate([problem](const Eigen::VectorXd& z, Eigen::VectorXd& w) {
          w = problem.q;
          problem.M.multiply_add(z, w);
      }),
      jacobian([problem](const Eigen::VectorXd&) -> const Matrix& { return problem.M; }),
      weight(largest_of_each_row(problem.M).unaryExpr([](double m) { return m > 0.0 ? 1.0 / m : 1.0; })),
      residual_scale(problem.size() == 0 ? 1.0 : std::max(1.0, problem.q.lpNorm<Eigen::Infinity>())) {}

BoxEquation::BoxEquation(const McpView& problem)
    : intervals(intervals_of(problem)),
      evaluate([problem](const Eigen::VectorXd& z, Eigen::VectorXd& w) { problem.evaluate(z, w); }),
      jacobian([problem, J = std::make_shared<Matrix>()](const Eigen::VectorXd& z) -> const Matrix& {
          problem.evaluate_jacobian(z, *J);
          return *J;
      }),
      weight(Eigen::VectorXd::Ones(problem.size())) {}

NewtonIterate::NewtonIterate(const BoxEquation& equation, Eigen::VectorXd z) : equation_(&equation) {
    update(std::move(z));
}

void NewtonIterate::update(Eigen::VectorXd z) {
    z_ = std::move(z);
    equation_->evaluate(z_, w_);
    const Index n = z_.size();
    phi_.resize(n);
    by_z_.resize(n);
    by_w_.resize(n);
    for (Index i = 0; i < n; ++i) {
        const double weight = equation_->weight[i];
        const CValue c = fischer_burmeister(equation_->intervals[i], z_[i], weight * w_[i]);
        phi_[i] = c.value;
        by_z_[i] = c.by_z;
        by_w_[i] = weight * c.by_w;
    }
    merit_ = 0.5 * phi_.squaredNorm();
    if (!std::isfinite(merit_) || !w_.allFinite()) merit_ = std::numeric_limits<double>::infinity();
}

double NewtonIterate::residual() const {
    double worst = 0.0;
    for (Index i = 0; i < z_.size(); ++i)
        worst = std::max(worst, std::abs(natural_map(equation_->intervals[i], z_[i], w_[i]).value));
    return worst / equation_->residual_scale;
}

bool NewtonIterate::natural_direction(const Matrix& J, Eigen::VectorXd& d) {
    d.setZero(z_.size());
    IndexList between;
    for (Index i = 0; i < z_.size(); ++i) {
        const CValue c = natural_map(equation_->intervals[i], z_[i], equation_->weight[i] * w_[i]);
        if (c.by_w == 0.0)
            d[i] = -c.value;
        else
            between.push_back(i);
    }
    if (!natural_factors_.compute_block(J, between)) return false;
    Eigen::VectorXd right_side = w_;
    J.multiply_add(d, right_side);
    Eigen::VectorXd step = -right_side(between);
    natural_factors_.solve_in_place(step);
    d(between) = step;
    return d.allFinite();
}

Matrix NewtonIterate::newton_matrix(const Matrix& J) const { return scaled_sum(by_z_, by_w_, J); }

bool NewtonIterate::fischer_burmeister_direction(const Matrix& J, Eigen::VectorXd& d) {
    if (!newton_factors_.compute(newton_matrix(J))) return false;
    d = -phi_;
    newton_factors_.solve_in_place(d);
    return d.allFinite();
}

bool NewtonIterate::levenberg_marquardt_direction(const Matrix& J, Eigen::VectorXd& d) {
    // nu goes to zero with Phi, so that the convergence stays fast where V is regular (Yamashita, Fukushima 2001).
    const double relative = std::max(1e-14, 1e-11 * std::min(1.0, phi_.norm()));
    Factorization factors;
    if (!factors.compute(regularised_square(newton_matrix(J), relative), Factorization::Symmetry::symmetric))
        return false;
    d = -gradient(J);
    factors.solve_in_place(d);
    return d.allFinite();
}

Matrix NewtonIterate::proximal_jacobian(const Matrix& J) const {
    return scaled_sum(1e-3 * equation_->weight.cwiseInverse(), Eigen::VectorXd::Ones(J.rows()), J);
}

Eigen::VectorXd NewtonIterate::gradient(const Matrix& J) const {
    Eigen::VectorXd g = by_z_.cwiseProduct(phi_);
    J.transpose_multiply_add(by_w_.cwiseProduct(phi_), g);
    return g;
}

Eigen::VectorXd NewtonIterate::cauchy_direction(const Matrix& J) const {
    const Eigen::VectorXd g = gradient(J);
    const Eigen::VectorXd image = by_z_.cwiseProduct(g) + by_w_.cwiseProduct(J * g);  // V g
    return -g * (g.squaredNorm() / image.squaredNorm());
}

bool NewtonIterate::advance(const Eigen::VectorXd& d, const Eigen::VectorXd& gradient, const Search& search) {
    constexpr double sufficient = 1e-4;
    const Eigen::VectorXd start = z_;
    for (double t = 1.0; t > search.shortest; t *= 0.5) {
        Eigen::VectorXd trial = start + t * d;
        if (search.projected)
            for (Index i = 0; i < trial.size(); ++i) trial[i] = equation_->intervals[i].project(trial[i]);
        const double slope = gradient.dot(trial - start);
        update(std::move(trial));
        if (merit_ <= search.reference + sufficient * slope) return true;
    }
    update(start);
    return false;
}

void MeritWindow::push(double merit) {
    merits_.push_back(merit);
    if (merits_.size() > length_) merits_.pop_front();
}

double MeritWindow::reference() const { return *std::max_element(merits_.begin(), merits_.end()); }

}  // namespace saltus
