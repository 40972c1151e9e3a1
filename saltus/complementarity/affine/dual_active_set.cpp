#include "saltus/complementarity/affine/dual_active_set.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Jacobi>
#include <cmath>
#include <optional>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

// normal.x >= right_side, or = for an equality. The normal is a column of A' or G', or plus or minus a unit vector.
struct Constraint {
    enum class Kind { equality, inequality, fixed, lower, upper };
    Kind kind;
    Index index;  // row of A or G, or variable
    double right_side;
    double size;  // norm of the normal, 1 if zero

    bool is_equality() const { return kind == Kind::equality || kind == Kind::fixed; }
};

class ConstraintSet {
    using Kind = Constraint::Kind;

public:
    explicit ConstraintSet(const Qp& problem)
        : A_(problem.A.to_dense().transpose()), G_(problem.G.to_dense().transpose()), n_(problem.size()) {
        for (Index i = 0; i < problem.b.size(); ++i) add(Kind::equality, i, problem.b[i]);
        for (Index i = 0; i < n_; ++i)
            if (problem.bounds(i).lower == problem.bounds(i).upper) add(Kind::fixed, i, problem.bounds(i).lower);
        equalities_ = size();
        for (Index i = 0; i < problem.h.size(); ++i) add(Kind::inequality, i, problem.h[i]);
        for (Index i = 0; i < n_; ++i) {
            const auto [l, u] = problem.bounds(i);
            if (l == u) continue;
            if (l > -infinity) add(Kind::lower, i, l);
            if (u < infinity) add(Kind::upper, i, -u);
        }
    }

    Index size() const { return std::ssize(constraints_); }
    Index equalities() const { return equalities_; }  // they come first
    const Constraint& operator[](Index k) const { return constraints_[static_cast<std::size_t>(k)]; }

    // normal.x - right_side.
    double slack(Index k, const Eigen::VectorXd& x) const {
        const Constraint& c = (*this)[k];
        if (const auto column = dense_normal(c)) return column->dot(x) - c.right_side;
        return sign(c) * x[c.index] - c.right_side;
    }

    // J' normal.
    Eigen::VectorXd transformed_normal(Index k, const Eigen::MatrixXd& J) const {
        const Constraint& c = (*this)[k];
        if (const auto column = dense_normal(c)) return J.transpose() * *column;
        return sign(c) * J.row(c.index).transpose();
    }

private:
    static double sign(const Constraint& c) { return c.kind == Kind::upper ? -1.0 : 1.0; }
    std::optional<Eigen::MatrixXd::ConstColXpr> dense_normal(const Constraint& c) const {
        if (c.kind == Kind::equality) return A_.col(c.index);
        if (c.kind == Kind::inequality) return G_.col(c.index);
        return std::nullopt;
    }
    void add(Kind kind, Index index, double right_side) {
        Constraint c{kind, index, right_side, 1.0};
        if (const auto column = dense_normal(c); column && column->norm() > 0.0) c.size = column->norm();
        constraints_.push_back(c);
    }

    const Eigen::MatrixXd A_, G_;  // transposed
    Index n_, equalities_ = 0;
    std::vector<Constraint> constraints_;
};

// The active normals N = (n_1 .. n_k) in the metric of H = L L': L^-1 N = Q [R; 0], J = L^-T Q.   docs/theory.md (56)
class ActiveSet {
public:
    explicit ActiveSet(const Eigen::LLT<Eigen::MatrixXd>& H)
        : J_(Eigen::MatrixXd::Identity(H.rows(), H.rows())), R_(Eigen::MatrixXd::Zero(H.rows(), H.rows())) {
        H.matrixU().solveInPlace(J_);
    }

    const Eigen::MatrixXd& J() const { return J_; }
    Index size() const { return std::ssize(members); }
    // R^-1 v and R^-T v.
    Eigen::VectorXd solve(const Eigen::VectorXd& v) const {
        return R_.topLeftCorner(size(), size()).triangularView<Eigen::Upper>().solve(v);
    }
    Eigen::VectorXd solve_transposed(const Eigen::VectorXd& v) const {
        return R_.topLeftCorner(size(), size()).transpose().triangularView<Eigen::Lower>().solve(v);
    }

    // J_2 d_2: the direction in which the new constraint rises while the active ones stay, d = J' normal.
    Eigen::VectorXd primal_direction(const Eigen::VectorXd& d) const {
        return J_.rightCols(J_.cols() - size()) * d.tail(d.size() - size());
    }
    // R^-1 d_1: how the multipliers fall for a unit of the new one.
    Eigen::VectorXd dual_direction(const Eigen::VectorXd& d) const { return solve(d.head(size())); }
    // The new normal is a combination of the active ones, to working precision.
    bool depends(const Eigen::VectorXd& d) const {
        return size() == d.size() || d.tail(d.size() - size()).norm() <= 1e-11 * d.norm();
    }

    void add(Index constraint, Eigen::VectorXd d) {
        for (Index i = d.size() - 1; i > size(); --i) {
            Eigen::JacobiRotation<double> rotation;
            rotation.makeGivens(d[i - 1], d[i], &d[i - 1]);
            J_.applyOnTheRight(i - 1, i, rotation);
        }
        R_.col(size()).head(size() + 1) = d.head(size() + 1);
        members.push_back(constraint);
    }

    void drop(Index position) {
        const Index last = size() - 1;
        for (Index j = position; j < last; ++j) R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
        for (Index j = position; j < last; ++j) {
            Eigen::JacobiRotation<double> rotation;
            rotation.makeGivens(R_(j, j), R_(j + 1, j));
            R_.middleCols(j, last - j).applyOnTheLeft(j, j + 1, rotation.adjoint());
            J_.applyOnTheRight(j, j + 1, rotation);
        }
        members.erase(members.begin() + position);
    }

    IndexList members;  // equalities first

private:
    Eigen::MatrixXd J_, R_;
};

class GoldfarbIdnani {
public:
    GoldfarbIdnani(const Qp& problem, const Eigen::LLT<Eigen::MatrixXd>& H, int max_iterations)
        : problem_(problem), constraints_(problem), active_(H), max_iterations_(max_iterations) {}

    SolveStatus run(const Eigen::VectorXd& guess) {
        minimise_on_active_set();
        for (Index k = 0; k < constraints_.equalities(); ++k)
            if (!add_equality(k)) return SolveStatus::no_solution;
        start_from(guess);
        while (const auto violated = most_violated()) {
            const SolveStatus status = add_inequality(*violated);
            if (status != SolveStatus::converged) return status;
        }
        minimise_on_active_set();  // discards the rounding of all steps
        return SolveStatus::converged;
    }

    int iterations() const { return iterations_; }

    // (x, y, lambda).
    Eigen::VectorXd solution() const {
        Eigen::VectorXd z(problem_.unknowns());
        z << x_, row_multipliers(multipliers_, active_.members);
        for (const Index k : active_.members) {
            const Constraint& c = constraints_[k];
            if (c.kind == Constraint::Kind::fixed || c.kind == Constraint::Kind::lower) z[c.index] = c.right_side;
            if (c.kind == Constraint::Kind::upper) z[c.index] = -c.right_side;
        }
        return z;
    }

    // (y, lambda) of the proof found last.
    const Eigen::VectorXd& certificate() const { return certificate_; }

private:
    // x and the multipliers u of the minimum on the active set: with x = J v,            docs/theory.md (57)
    //     v_1 = R^-T b,   v_2 = -J_2' c,   R u = v_1 + J_1' c.
    void minimise_on_active_set() {
        const Index k = active_.size();
        Eigen::VectorXd right_side(k);
        for (Index i = 0; i < k; ++i) right_side[i] = constraints_[active_.members[i]].right_side;
        const Eigen::VectorXd Jc = active_.J().transpose() * problem_.c;
        Eigen::VectorXd v = -Jc;
        v.head(k) = active_.solve_transposed(right_side);
        x_ = active_.J() * v;
        multipliers_ = active_.solve(v.head(k) + Jc.head(k));
    }

    bool add_equality(Index k) {
        const Eigen::VectorXd d = constraints_.transformed_normal(k, active_.J());
        const double slack = constraints_.slack(k, x_);
        if (active_.depends(d)) {
            if (!is_violated(k, -std::abs(slack))) return true;  // redundant
            certify(k, slack > 0.0 ? -1.0 : 1.0, active_.dual_direction(d));
            return false;
        }
        active_.add(k, d);
        minimise_on_active_set();
        return true;
    }

    void start_from(const Eigen::VectorXd& guess) {
        for (const Index k : guessed_active(guess)) {
            const Eigen::VectorXd d = constraints_.transformed_normal(k, active_.J());
            if (!active_.depends(d)) active_.add(k, d);
        }
        minimise_on_active_set();
        for (Index worst = most_negative_multiplier(); worst >= 0; worst = most_negative_multiplier()) {
            active_.drop(worst);
            minimise_on_active_set();
        }
    }

    IndexList guessed_active(const Eigen::VectorXd& guess) const {
        const Eigen::VectorXd w_x = slack(kkt(problem_), guess).head(problem_.size());
        IndexList list;
        for (Index k = constraints_.equalities(); k < constraints_.size(); ++k) {
            const Constraint& c = constraints_[k];
            const bool is_row = c.kind == Constraint::Kind::inequality;
            const double multiplier = is_row ? guess[problem_.size() + problem_.b.size() + c.index]
                                             : (c.kind == Constraint::Kind::upper ? -w_x[c.index] : w_x[c.index]);
            if (multiplier > 0.0 && (is_row || constraints_.slack(k, guess) <= 0.0)) list.push_back(k);
        }
        return list;
    }

    Index most_negative_multiplier() const {
        Index worst = -1;
        for (Index i = 0; i < active_.size(); ++i)
            if (!constraints_[active_.members[i]].is_equality() && multipliers_[i] < 0.0 &&
                (worst < 0 || multipliers_[i] < multipliers_[worst]))
                worst = i;
        return worst;
    }

    // Below what rounding explains in normal.x - right_side.
    bool is_violated(Index k, double slack) const {
        const Constraint& c = constraints_[k];
        return slack < -1e-13 * (std::abs(c.right_side) + c.size * (1.0 + x_.norm()));
    }

    std::optional<Index> most_violated() const {
        std::vector<bool> is_active(static_cast<std::size_t>(constraints_.size()), false);
        for (const Index k : active_.members) is_active[k] = true;
        std::optional<Index> worst;
        double depth = 0.0;
        for (Index k = constraints_.equalities(); k < constraints_.size(); ++k) {
            if (is_active[k]) continue;
            const double slack = constraints_.slack(k, x_);
            if (slack / constraints_[k].size >= depth || !is_violated(k, slack)) continue;
            worst = k;
            depth = slack / constraints_[k].size;
        }
        return worst;
    }

    // Steps until constraint k holds with equality and is active; active ones whose multiplier vanishes leave.
    SolveStatus add_inequality(Index k) {
        double own_multiplier = 0.0;
        while (iterations_ < max_iterations_) {
            check_interruption();
            ++iterations_;
            const Eigen::VectorXd d = constraints_.transformed_normal(k, active_.J());
            const Eigen::VectorXd fall = active_.dual_direction(d);
            const bool dependent = active_.depends(d);
            const auto [dual_step, leaving] = longest_dual_step(fall);
            const double rise = d.tail(d.size() - active_.size()).squaredNorm();  // of normal.x for a unit step
            const double full_step = dependent ? infinity : -constraints_.slack(k, x_) / rise;
            const double step = std::min(dual_step, full_step);
            if (step == infinity) {
                certify(k, 1.0, fall);
                return SolveStatus::no_solution;
            }
            if (!dependent) x_ += step * active_.primal_direction(d);
            multipliers_ -= step * fall;
            own_multiplier += step;
            if (full_step <= dual_step) {
                active_.add(k, d);
                multipliers_.conservativeResize(active_.size());
                multipliers_[active_.size() - 1] = own_multiplier;
                return SolveStatus::converged;
            }
            drop(leaving);
        }
        return SolveStatus::iteration_limit;
    }

    // The largest t with multipliers - t fall >= 0 for the inequalities, and the position which stops it.
    std::pair<double, Index> longest_dual_step(const Eigen::VectorXd& fall) const {
        double step = infinity;
        Index position = -1;
        const double zero = 1e-14 * (fall.size() > 0 ? fall.lpNorm<Eigen::Infinity>() : 0.0);
        for (Index i = 0; i < fall.size(); ++i) {
            if (constraints_[active_.members[i]].is_equality() || fall[i] <= zero) continue;
            const double limit = std::max(0.0, multipliers_[i]) / fall[i];
            if (limit >= step) continue;
            step = limit;
            position = i;
        }
        return {step, position};
    }

    void drop(Index position) {
        const Index after = active_.size() - 1 - position;
        active_.drop(position);
        multipliers_.segment(position, after) = multipliers_.tail(after).eval();
        multipliers_.conservativeResize(active_.size());
    }

    // normal_k = N r with r <= 0 at the inequalities, and constraint k fails where the active ones hold: the weights
    // direction (e_k - r) combine the constraints to 0 >= (something positive).
    void certify(Index k, double direction, const Eigen::VectorXd& r) {
        Eigen::VectorXd weights(r.size() + 1);
        weights << -direction * r, direction;
        IndexList members = active_.members;
        members.push_back(k);
        certificate_ = row_multipliers(weights, members);
        certificate_.tail(problem_.h.size()) = certificate_.tail(problem_.h.size()).cwiseMax(0.0);  // rounding
    }

    // (y, lambda) from the multipliers of a list of constraints; those of bounds are left out.
    Eigen::VectorXd row_multipliers(const Eigen::VectorXd& multipliers, const IndexList& members) const {
        Eigen::VectorXd rows = Eigen::VectorXd::Zero(problem_.b.size() + problem_.h.size());
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Constraint& c = constraints_[members[i]];
            if (c.kind == Constraint::Kind::equality) rows[c.index] = multipliers[i];
            if (c.kind == Constraint::Kind::inequality) rows[problem_.b.size() + c.index] = multipliers[i];
        }
        return rows;
    }

    const Qp& problem_;
    ConstraintSet constraints_;
    ActiveSet active_;
    Eigen::VectorXd x_, multipliers_, certificate_;
    int max_iterations_, iterations_ = 0;
};

bool is_regular(const Eigen::LLT<Eigen::MatrixXd>& factors) {
    if (factors.info() != Eigen::Success) return false;
    const auto pivots = factors.matrixLLT().diagonal().array().square();
    return pivots.size() == 0 || pivots.minCoeff() > 1e-14 * pivots.maxCoeff();
}

}  // namespace

SolveReport DualActiveSet::solve(const Qp& problem, Eigen::VectorXd& z) const {
    check_options(name, tolerance, max_iterations);
    problem.check(name, z);
    SolveReport report{.solver = name};
    if (residual(problem, z) <= tolerance) return conclude(problem, z, tolerance, std::move(report), history);
    const Eigen::LLT<Eigen::MatrixXd> H(problem.H.to_dense());
    if (!is_regular(H)) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = "H is not positive definite; use an affine solver on kkt(problem)";
        return conclude(problem, z, tolerance, std::move(report), history);
    }
    history.add([&] { return residual(problem, z); });
    GoldfarbIdnani method(problem, H, max_iterations);
    report.status = method.run(z);
    report.iterations = method.iterations();
    z = method.solution();
    if (report.status == SolveStatus::no_solution) {
        report.certificate = method.certificate();
        report.message = "no x meets the constraints; the certificate (y, lambda) proves it";
        if (!proves_infeasible(problem, report.certificate)) {
            report.status = SolveStatus::stalled;
            report.message = "the constraints contradict each other within rounding, but no proof was found";
        }
    }
    return conclude(problem, z, tolerance, std::move(report), history);
}

}  // namespace saltus
