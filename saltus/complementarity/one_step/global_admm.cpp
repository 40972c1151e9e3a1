#include "saltus/complementarity/one_step/global_admm.hpp"

#include <cmath>

#include "saltus/complementarity/one_step/anderson.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/splitting.hpp"
#include "saltus/complementarity/one_step/step_balance.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

class GlobalAdmmIteration {
public:
    GlobalAdmmIteration(const GlobalAdmm& options, const GlobalFrictionProblem& problem)
        : options_(options),
          problem_(problem),
          judge_(problem),
          H_(problem.H.to_sparse()),
          M_(problem.M.to_sparse()),
          unit_(units(judge_.contacts())),
          anderson_(problem.b.size(), options.memory),
          balance_(options.balance_ratio) {}

    SolveReport run(Eigen::VectorXd& v, Eigen::VectorXd& r) {
        SolveReport report{.residual = judge_(v, r), .solver = GlobalAdmm::name};
        if (escapes(report.residual, r)) {  // not a guess to start from
            v.setZero();
            r.setZero();
            report.residual = judge_(v, r);
        }
        if (report.residual <= options_.tolerance) return report;
        if (!set_step(options_.step)) {
            report.status = SolveStatus::unsuitable_problem;
            report.message = singular;
            return report;
        }
        start(v, r);
        while (report.residual > options_.tolerance && report.iterations < options_.max_iterations) {
            check_interruption();
            options_.history.add([&] { return judge_(v_, last_r_); });
            iterate();
            ++report.iterations;
            if (is_time_to_judge(report.iterations)) {
                const double error = judge_(v_, r_);
                if (!std::isfinite(error)) {
                    report.status = SolveStatus::stalled;
                    report.message = not_finite_message;
                    break;
                }
                if (error < report.residual && !escapes(error, r_)) {
                    report.residual = error;
                    v = v_;
                    r = r_;
                }
            }
            if (!balance()) {
                report.status = SolveStatus::unsuitable_problem;
                report.message = singular;
                break;
            }
        }
        return report;
    }

private:
    static constexpr const char* singular = "M + H R H' is singular; M must be positive definite";

    // Whether the point which judge_ saw last is an escape.
    bool escapes(double error, const Eigen::VectorXd& r) const {
        return is_escape(error, speed_error(judge_.contacts(), error, r, judge_.u()), options_.tolerance);
    }

    // 1 / mean |diag W_ii| for the components of each contact, W_ii as if M were diagonal.
    static Eigen::VectorXd units(const OneStepView& contacts) {
        const Equilibrated equilibrated(contacts);
        return equilibrated.scale().cwiseAbs2();
    }

    bool set_step(double rho) {
        rho_ = rho;
        R_ = rho * unit_;
        const Matrix::Sparse HRHt = H_ * R_.asDiagonal() * Matrix::Sparse(H_.transpose());
        const FactoredPart part(M_ + HRHt);
        skew_ = part.skew;
        return factors_.compute(part.matrix);
    }

    void start(const Eigen::VectorXd& v, const Eigen::VectorXd& r) {
        v_ = last_v_ = v;
        r_ = last_r_ = r;
        z_ = problem_.b;
        problem_.H.transpose_multiply_add(v, z_);
        add_shift(judge_.contacts(), z_);
        t_ = r - R_.cwiseProduct(z_);
    }

    void set_point() {
        r_ = t_;
        project(judge_.contacts(), r_);
        z_ = (r_ - t_).cwiseQuotient(R_);
    }

    void iterate() {
        set_point();
        shifted_b_ = z_;
        add_shift(judge_.contacts(), shifted_b_);
        shifted_b_ += problem_.b - z_;
        next_ = 2.0 * r_ - t_ - R_.cwiseProduct(shifted_b_);
        last_v_.swap(v_);
        v_ = problem_.f;
        problem_.H.multiply_add(next_, v_);
        if (skew_.rows() > 0) v_.noalias() -= skew_ * last_v_;
        factors_.solve_in_place(v_);
        u_ = shifted_b_;
        problem_.H.transpose_multiply_add(v_, u_);
        next_ = r_ - R_.cwiseProduct(u_);
        primal_ = (u_ - z_).norm();
        dual_ = (r_ - last_r_).norm();
        last_r_ = r_;
        anderson_.accelerate(t_, next_);
        t_.swap(next_);
    }

    double velocity_scale() const { return std::max(z_.norm(), problem_.b.norm()); }

    bool is_time_to_judge(int iteration) const {
        const double promise = 10.0 * options_.tolerance;
        return iteration % 10 == 0 || (primal_ <= promise * velocity_scale() && dual_ <= promise * r_.norm());
    }

    bool balance() {
        const double r_scale = r_.norm(), u_scale = velocity_scale();
        if (!(r_scale > 0.0 && u_scale > 0.0)) return true;
        const double factor = balance_.factor(primal_ / u_scale, dual_ / r_scale);
        if (factor == 1.0) return true;
        set_point();
        const bool regular = set_step(factor * rho_);
        t_ = r_ - R_.cwiseProduct(z_);
        anderson_.restart();
        return regular;
    }

    const GlobalAdmm& options_;
    const GlobalFrictionProblem& problem_;
    GlobalJudge judge_;
    Matrix::Sparse H_, M_, skew_;
    Eigen::VectorXd unit_, R_;
    Factorization factors_;
    Anderson anderson_;
    StepBalance balance_;
    double rho_ = 1.0, primal_ = 0.0, dual_ = 0.0;
    Eigen::VectorXd v_, last_v_, r_, last_r_, z_, u_, t_, next_, shifted_b_;
};

}  // namespace

SolveReport GlobalAdmm::solve(const GlobalFrictionProblem& problem, Eigen::VectorXd& v, Eigen::VectorXd& r) const {
    check(problem);
    check_options(name, tolerance, max_iterations);
    require(v.size() == problem.f.size() && r.size() == problem.b.size(),
            "{}: the guesses v and r have {} and {} entries, the problem {} and {}", name, v.size(), r.size(),
            problem.f.size(), problem.b.size());
    require(v.allFinite() && r.allFinite(), "{}: the guess has an entry that is not finite; start from zero instead",
            name);
    require(step > 0.0 && std::isfinite(step), "{}: step is {}; it must be positive", name, step);
    check_memory(name, memory);
    require(balance_ratio >= 0.0 && std::isfinite(balance_ratio),
            "{}: balance_ratio is {}; it must be positive, or 0 for a constant step", name, balance_ratio);
    SolveReport report = GlobalAdmmIteration(*this, problem).run(v, r);
    report.residual = residual(problem, v, r);
    history.add(report.residual);
    return confirmed(std::move(report), tolerance);
}

}  // namespace saltus::one_step
