#include "saltus/complementarity/one_step/one_step_problem.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

std::vector<Law> friction_laws(const FrictionProblem& problem) {
    const Index contacts = problem.contacts();
    std::vector<Law> laws;
    laws.reserve(static_cast<std::size_t>(contacts));
    const int d = problem.dimension();
    require(problem.W.rows() == problem.q.size(), "FrictionProblem: W has {} rows, q has {} entries", problem.W.rows(),
            problem.q.size());
    require(
        problem.q.size() == d * contacts && problem.W.blocks() == contacts && (d == 2 || d == 3 || d == 5),
        "FrictionProblem: W has {} blocks and {} rows for {} coefficients mu; a contact takes 2, 3 or 5 rows and one "
        "block",
        problem.W.blocks(), problem.W.rows(), contacts);
    require(problem.rolling.size() == (d == 5 ? contacts : 0),
            "FrictionProblem: rolling has {} coefficients; {} contacts of dimension {} need {}", problem.rolling.size(),
            contacts, d, d == 5 ? contacts : 0);
    for (Index i = 0; i < contacts; ++i) {
        const double mu = problem.mu[i];
        if (d == 2)
            laws.emplace_back(Coulomb2D{{mu}});
        else if (d == 3)
            laws.emplace_back(Coulomb3D{{mu}});
        else
            laws.emplace_back(RollingFriction{{mu, problem.rolling[i]}});
    }
    return laws;
}

void check_law(Index i, const Interval& law) {
    require(law.is_proper(), "one-step problem: block {}: the interval [{}, {}] holds no number", i, law.lower,
            law.upper);
}
void check_law(Index i, const Equality& law) {
    require(law.rows >= 1 && law.rows <= BlockMatrix::largest_block,
            "one-step problem: block {}: an equality of {} rows; split it into blocks of 1 to {}", i, law.rows,
            BlockMatrix::largest_block);
}
template <int Disks, int DiskSize>
void check_law(Index i, const FrictionLaw<Disks, DiskSize>& law) {
    for (const double mu : law.mu)
        require(std::isfinite(mu) && mu >= 0.0,
                "one-step problem: block {}: the coefficient of friction is {}; it must be a number, zero or more", i,
                mu);
}

void require_finite(const Eigen::VectorXd& v, std::string_view name) {
    if (v.allFinite()) return;
    const auto bad = std::find_if(v.begin(), v.end(), [](double x) { return !std::isfinite(x); });
    require(false, "one-step problem: {}[{}] is {}; it must be finite", name, bad - v.begin(), *bad);
}

// |r_i - P_K(r_i - rho dual(w_i))|^2.
double natural_error(const Law& law, int size, double rho, const double* r, const double* w) {
    std::array<double, BlockMatrix::largest_block> z{};
    for (int c = 0; c < size; ++c) z[c] = r[c] - rho * w[c];
    z[0] -= rho * shift(law, w);
    project(law, z.data());
    double sum = 0.0;
    for (int c = 0; c < size; ++c) sum += (r[c] - z[c]) * (r[c] - z[c]);
    return sum;
}

// min(r_N, rho w_N)^2 of a contact with friction, zero for the other laws.
double signorini_error(const Law& law, double rho, const double* r, const double* w) {
    if (std::holds_alternative<Equality>(law) || std::holds_alternative<Interval>(law)) return 0.0;
    const double gap = std::min(r[0], rho * w[0]);
    return gap * gap;
}

enum class Measure { complete, natural };

double residual_at(const OneStepView& problem, double rho, const Eigen::VectorXd& r, const Eigen::VectorXd& w,
                   Measure measure) {
    double sum = 0.0;
    for (Index i = 0, first = 0; i < problem.blocks(); ++i) {
        const int n = problem.W.size(i);
        const double *r_i = r.data() + first, *w_i = w.data() + first;
        const double natural = natural_error(problem.law(i), n, rho, r_i, w_i);
        sum +=
            measure == Measure::natural ? natural : std::max(natural, signorini_error(problem.law(i), rho, r_i, w_i));
        first += n;
    }
    const double scale = std::max({r.norm(), rho * problem.q.norm(), rho * w.norm()});
    if (!std::isfinite(sum) || !std::isfinite(scale)) return std::numeric_limits<double>::infinity();
    return scale > 0.0 ? std::sqrt(sum) / scale : std::sqrt(sum);
}

}  // namespace

OneStepView::OneStepView(const OneStepProblem& problem) : W(problem.W), q(problem.q), laws_(&problem.laws) {
    set_rho();
}

OneStepView::OneStepView(const FrictionProblem& problem)
    : W(problem.W), q(problem.q), own_laws_(friction_laws(problem)), laws_(&own_laws_) {
    set_rho();
}

void OneStepView::set_rho() {
    double trace = 0.0;
    for (Index i = 0; i < W.blocks(); ++i) trace += W.diagonal(i).diagonal().cwiseAbs().sum();
    if (trace > 0.0 && std::isfinite(trace)) rho_ = static_cast<double>(W.rows()) / trace;
}

void OneStepView::check(std::string_view who, const Eigen::VectorXd& r) const {
    require(W.rows() == q.size(), "one-step problem: W has {} rows, q has {} entries", W.rows(), q.size());
    require(W.blocks() == blocks(), "one-step problem: W has {} blocks, there are {} laws", W.blocks(), blocks());
    for (Index i = 0; i < blocks(); ++i) {
        require(dimension(law(i)) == W.size(i), "one-step problem: block {} of W has size {}, its law needs {}", i,
                W.size(i), dimension(law(i)));
        std::visit([&](const auto& l) { check_law(i, l); }, law(i));
    }
    require_finite(q, "q");
    for (Index i = 0; i < blocks(); ++i)
        for (std::size_t k = 0; k < W.columns(i).size(); ++k)
            require(W.block(i, k).allFinite(), "one-step problem: W has an entry that is not finite in block ({}, {})",
                    i, W.columns(i)[k]);
    require(r.size() == q.size(), "{}: the guess has {} entries, the problem {}", who, r.size(), q.size());
    require(r.allFinite(), "{}: the guess has an entry that is not finite; start from zero instead", who);
}

void project(const OneStepView& problem, Eigen::VectorXd& r) {
    for (Index i = 0; i < problem.blocks(); ++i) project(problem.law(i), r.data() + problem.W.start(i));
}

void add_shift(const OneStepView& problem, Eigen::VectorXd& w) {
    for (Index i = 0; i < problem.blocks(); ++i) {
        double* w_i = w.data() + problem.W.start(i);
        w_i[0] += shift(problem.law(i), w_i);
    }
}

Eigen::VectorXd velocity(const OneStepView& problem, const Eigen::VectorXd& r) {
    Eigen::VectorXd w = problem.q;
    problem.W.multiply_add(r, w);
    return w;
}

double residual(const OneStepView& problem, const Eigen::VectorXd& r) {
    return residual(problem, r, velocity(problem, r));
}

double residual(const OneStepView& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
    return residual_at(problem, problem.rho(), r, w, Measure::complete);
}

double unscaled_residual(const OneStepView& problem, const Eigen::VectorXd& r) {
    return residual_at(problem, 1.0, r, velocity(problem, r), Measure::natural);
}

double speed_error(const OneStepView& problem, double residual, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
    const double speed = problem.rho() * problem.q.norm();
    if (speed == 0.0) return residual;
    const double length = r.norm() / speed, scale = std::max({length, problem.rho() * w.norm() / speed, 1.0});
    return residual * scale + std::numeric_limits<double>::epsilon() * length;
}

double residual_unless_escape(const OneStepView& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w,
                              double tolerance) {
    const double error = residual(problem, r, w);
    const bool escapes = is_escape(error, speed_error(problem, error, r, w), tolerance);
    return escapes ? std::numeric_limits<double>::infinity() : error;
}

double speed_error(const OneStepView& problem, const Eigen::VectorXd& r) {
    const Eigen::VectorXd w = velocity(problem, r);
    return speed_error(problem, residual(problem, r, w), r, w);
}

void leave_escape(const OneStepView& problem, double tolerance, Eigen::VectorXd& r) {
    if (!is_escape(residual(problem, r), speed_error(problem, r), tolerance)) return;
    r.setZero();
    project(problem, r);
}

SolveReport conclude(const OneStepView& problem, const Eigen::VectorXd& r, double tolerance, SolveReport report,
                     History history) {
    report.residual = residual(problem, r);
    history.add(report.residual);
    if (is_escape(report.residual, speed_error(problem, r), tolerance)) {
        report.status = SolveStatus::stalled;
        report.message = escape_message;
        return report;
    }
    return confirmed(std::move(report), tolerance);
}

}  // namespace saltus
