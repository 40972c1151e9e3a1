#include "saltus/integrators/step_maps.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/factorization.hpp"

namespace saltus {

namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr std::size_t most_maps = 4096;  // more: the maps are forgotten and built again

// M^-1, with one step of iterative refinement; empty if M is singular.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& M) {
    Factorization factorization;
    if (!factorization.compute(M)) return {};
    Eigen::MatrixXd X = Eigen::MatrixXd::Identity(M.rows(), M.cols());
    for (Index j = 0; j < X.cols(); ++j) factorization.solve_in_place(X.col(j));
    Eigen::MatrixXd correction = Eigen::MatrixXd::Identity(M.rows(), M.cols()) - M * X;
    for (Index j = 0; j < X.cols(); ++j) factorization.solve_in_place(correction.col(j));
    return X + correction;
}

// X with M X = right where M is singular but `right` lies in its range, as for a node that no current holds: components
// that are not determined are zero. Empty if there is none.
Eigen::MatrixXd solve_singular(const Eigen::MatrixXd& M, const Eigen::MatrixXd& right) {
    const Eigen::VectorXd scale = M.cwiseAbs().rowwise().maxCoeff();
    if ((scale.array() == 0.0).any()) return {};
    const Eigen::MatrixXd scaled = scale.cwiseInverse().asDiagonal() * M, b = scale.cwiseInverse().asDiagonal() * right;
    Eigen::MatrixXd X = FullPivotLu(scaled).solve(b);
    const Eigen::MatrixXd terms = scaled.cwiseAbs() * X.cwiseAbs() + b.cwiseAbs();
    const bool is_solved = ((scaled * X - b).cwiseAbs().array() <= 1e3 * unit * terms.maxCoeff()).all();
    return is_solved ? X : Eigen::MatrixXd();
}

std::string key(const Placement& placement) {
    std::string result(placement.size(), '\0');
    std::transform(placement.begin(), placement.end(), result.begin(), [](Place p) { return static_cast<char>(p); });
    return result;
}

}  // namespace

StepMaps::StepMaps(StepEquations equations) : equations_(std::move(equations)) {
    const StepEquations& e = equations_;
    K_inverse_ = inverse(e.K.to_dense());
    require(K_inverse_.size() > 0 || e.states() == 0,
            "M - h theta A is singular for h = {}; take another step, or theta = 0", e.h);
    W_ = e.D.to_dense() + e.c * e.C.to_dense() * K_inverse_ * e.B.to_dense();
}

bool StepMaps::place(const Placement& placement) {
    const std::string name = key(placement);
    auto found = maps_.find(name);
    if (found == maps_.end()) {
        if (maps_.size() >= most_maps) maps_.clear();
        found = maps_.emplace(name, build(placement)).first;
    }
    map_ = &found->second;
    return !map_->is_singular;
}

double StepMaps::rounding(const double* past, const Eigen::VectorXd&, Index i) const {
    double terms = std::abs(map_->g[i]);
    for (Index j = 0; j < map_->G.cols(); ++j) terms += std::abs(map_->G(i, j) * past[j]);
    return 16.0 * unit * terms;
}

StepMaps::Map StepMaps::build(const Placement& placement) const {
    const StepEquations& e = equations_;
    const Index n = e.states(), m = e.rows(), size = e.past_size();
    const Eigen::MatrixXd B = e.B.to_dense(), C = e.C.to_dense(), D = e.D.to_dense();
    // T (x, mu) = R past + s: the first equation of (114), and for each row y = 0 or mu = bound.
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n + m, n + m), R = Eigen::MatrixXd::Zero(n + m, size);
    Eigen::VectorXd s = Eigen::VectorXd::Zero(n + m);
    T.topLeftCorner(n, n) = e.K.to_dense();
    T.topRightCorner(n, m) = -e.c * B;
    R.topLeftCorner(n, n) = e.P.to_dense();
    if (e.p != 0.0) R.block(0, n, n, m) = e.p * B;
    for (Index k = 0; k < std::ssize(e.input_rows); ++k)
        R(e.input_rows[static_cast<std::size_t>(k)], e.inputs_start() + k) = e.h;
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(m, size);  // e = E past
    for (Index k = 0; k < std::ssize(e.offset_rows); ++k)
        E(e.offset_rows[static_cast<std::size_t>(k)], e.offsets_start() + k) = 1.0;
    for (Index i = 0; i < m; ++i) {
        if (placement[static_cast<std::size_t>(i)] == Place::basic) {
            T.row(n + i) << C.row(i), D.row(i);
            R.row(n + i) = -E.row(i);
        } else {
            T(n + i, n + i) = 1.0;
            s[n + i] = bound_at(e.law(i), placement[static_cast<std::size_t>(i)]);
        }
    }

    Map map;
    Eigen::MatrixXd right(n + m, size + 1);
    right << R, s;
    const Eigen::MatrixXd T_inverse = inverse(T);
    const Eigen::MatrixXd unknowns = T_inverse.size() > 0 ? clean_product(T_inverse, right) : solve_singular(T, right);
    map.is_singular = unknowns.size() == 0 && n + m > 0;
    if (map.is_singular) return map;
    Eigen::MatrixXd outputs(m, n + 2 * m), terms(n + 2 * m, size + 1);
    outputs << C, D, Eigen::MatrixXd::Identity(m, m);
    terms << unknowns, E, Eigen::VectorXd::Zero(m);
    Eigen::MatrixXd y = clean_product(outputs, terms);
    for (Index i = 0; i < m; ++i)
        if (placement[static_cast<std::size_t>(i)] == Place::basic) y.row(i).setZero();
    e.bounds(placement, map.least, map.most);
    map.G.resize(n + 2 * m, size);
    map.G << unknowns.leftCols(size), y.leftCols(size);
    map.g.resize(n + 2 * m);
    map.g << unknowns.col(size), y.col(size);
    return map;
}

BoxVi StepMaps::problem(const double* past) const {
    const Eigen::VectorXd x = K_inverse_ * equations_.load(past);
    return {W_, equations_.C * x + equations_.offset(past), equations_.lower, equations_.upper};
}

void StepMaps::read(const BoxVi& problem, const double* past, const Eigen::VectorXd& z, Eigen::VectorXd& end) const {
    end << K_inverse_ * (equations_.load(past) + equations_.c * (equations_.B * z)), z, problem.M * z + problem.q;
}

}  // namespace saltus
