#include "saltus/complementarity/nonlinear/ncp.hpp"

#include <cmath>

#include "saltus/complementarity/c_functions.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

Eigen::VectorXd McpView::lower() const { return lower_ ? *lower_ : Eigen::VectorXd::Zero(size_); }

Eigen::VectorXd McpView::upper() const {
    return upper_ ? *upper_ : Eigen::VectorXd::Constant(size_, std::numeric_limits<double>::infinity());
}

void McpView::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& w) const {
    w.setConstant(size_, std::numeric_limits<double>::quiet_NaN());
    function_(z, w);
    require(w.size() == size_, "{}: F returned {} values, the problem has {} unknowns", kind_, w.size(), size_);
}

void McpView::evaluate_jacobian(const Eigen::VectorXd& z, Matrix& J) const {
    jacobian_(z, J);
    require(J.rows() == size_ && J.cols() == size_,
            "{}: jacobian returned a {} x {} matrix, the problem has {} unknowns", kind_, J.rows(), J.cols(), size_);
}

void McpView::check(std::string_view who, const Eigen::VectorXd& z) const {
    require(static_cast<bool>(function_), "{}: F is empty; give a callable", kind_);
    require(static_cast<bool>(jacobian_), "{}: jacobian is empty; give a callable", kind_);
    require(size_ >= 0, "{}: size is {}; it must not be negative", kind_, size_);
    require(!upper_ || upper_->size() == size_, "{}: lower has {} and upper {} entries", kind_, size_,
            upper_ ? upper_->size() : 0);
    require(z.size() == size_, "{}: the guess z has {} entries but the {} has {}", who, z.size(), kind_, size_);
    for (Index i = 0; i < size_; ++i) {
        require(std::isfinite(z[i]), "{}: the guess z[{}] is {}; every entry must be a finite number", who, i, z[i]);
        require(interval(i).is_proper(),
                "{}: the interval [lower, upper] of variable {} is [{}, {}]; it must not be empty", kind_, i, lower(i),
                upper(i));
    }
}

void McpView::check_values(std::string_view who, const Eigen::VectorXd& z) const {
    Eigen::VectorXd w;
    evaluate(z, w);
    for (Index i = 0; i < size_; ++i)
        require(std::isfinite(w[i]), "{}: F[{}] is {} at the guess; start where F is defined", who, i, w[i]);
    Matrix J;
    evaluate_jacobian(z, J);
    if (const auto bad = J.find_non_finite())
        require(false, "{}: jacobian({}, {}) is {} at the guess; start where F is differentiable", who, bad->first,
                bad->second, J(bad->first, bad->second));
}

double residual(const McpView& problem, const Eigen::VectorXd& z) {
    Eigen::VectorXd w;
    problem.evaluate(z, w);
    if (!z.allFinite() || !w.allFinite()) return std::numeric_limits<double>::infinity();
    double worst = 0.0;
    for (Index i = 0; i < z.size(); ++i)
        worst = std::max(worst, std::abs(natural_map(problem.interval(i), z[i], w[i]).value));
    return worst;
}

SolveReport conclude(const McpView& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history) {
    report.residual = residual(problem, z);
    history.add(report.residual);
    return confirmed(std::move(report), tolerance);
}

}  // namespace saltus
