#include "saltus/complementarity/one_step/threshold_fixed_points.hpp"

#include <utility>

#include "saltus/complementarity/one_step/anderson.hpp"
#include "saltus/complementarity/one_step/splitting.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

// Which part of the percussion of a contact is free in a convex problem; the rest is frozen.
enum class Free { normal_and_tangent, normal, tangent };

// r <- the nearest point of the set of (103), `frozen` being the percussion of the last iterate.
template <class AnyLaw>
void project_on_set(const AnyLaw& law, Free, const double*, double* r) {
    project(law, r);
}
template <int Disks, int DiskSize>
void project_on_set(const FrictionLaw<Disks, DiskSize>& law, Free free, const double* frozen, double* r) {
    r[0] = free == Free::tangent ? frozen[0] : std::max(0.0, r[0]);
    for (int k = 0; k < Disks; ++k) {
        using Part = Eigen::Matrix<double, DiskSize, 1>;
        Eigen::Map<Part> part(r + 1 + k * DiskSize);
        const double radius = law.mu[k] * std::max(0.0, frozen[0]), length = part.norm();
        if (free == Free::normal)
            part = Eigen::Map<const Part>(frozen + 1 + k * DiskSize);
        else if (length > radius)
            part *= radius / length;
    }
}

// Convex problems -(W r + c) in N_C(r), one after another, C given by its projection.
class ConvexSequence {
public:
    ConvexSequence(const OneStepView& problem, int memory, int inner_iterations)
        : problem_(problem),
          splitting_(problem.W),
          anderson_(problem.size(), memory),
          inner_iterations_(inner_iterations),
          t_(problem.size()),
          next_(problem.size()),
          y_(problem.size()) {}

    bool prepare() { return splitting_.set_step(splitting_.spectral_step()); }

    // r: the first guess and the solution, to `accuracy` relative to r and c.
    template <class Project>
    void solve(const Eigen::VectorXd& c, const Project& project_on_C, double accuracy, Eigen::VectorXd& r) {
        const double rho = splitting_.step();
        y_ = c;
        problem_.W.multiply_add(r, y_);
        t_ = r - y_ / rho;
        anderson_.restart();
        for (int k = 0; k < inner_iterations_; ++k) {
            check_interruption();
            y_ = t_;
            project_on_C(y_);
            next_ = t_;
            splitting_.advance(c, y_, next_);
            const double gap = (splitting_.x() - y_).norm();
            if (gap <= accuracy * y_.norm() || rho * gap <= accuracy * c.norm()) break;
            anderson_.accelerate(t_, next_);
            t_.swap(next_);
        }
        r = y_;
    }

private:
    const OneStepView& problem_;
    Splitting splitting_;
    Anderson anderson_;
    int inner_iterations_;
    Eigen::VectorXd t_, next_, y_;
};

// The loop of all three; next(sequence, accuracy, r) solves the convex problem or problems which r defines.
template <class Options, class Next>
SolveReport run(const Options& options, const OneStepView& problem, Eigen::VectorXd& r, const Next& next) {
    constexpr int inner_memory = 10;
    problem.check(options, r);
    check_memory(Options::name, options.memory);
    require(options.inner_iterations >= 1, "{}: inner_iterations is {}; it must be 1 or more", Options::name,
            options.inner_iterations);
    const Equilibrated equilibrated(problem);
    BestPoint best(equilibrated, options.tolerance, r);
    SolveReport report{.solver = Options::name};
    if (best.is_solution()) return best.conclude(std::move(report), options.history);
    const OneStepView& scaled = equilibrated.scaled();
    ConvexSequence sequence(scaled, inner_memory, options.inner_iterations);
    Anderson anderson(r.size(), options.memory);
    Eigen::VectorXd from = equilibrated.to_scaled(r), to = from;
    if (!sequence.prepare()) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = "W + rho I is singular: W is not positive semidefinite";
        return best.conclude(std::move(report), options.history);
    }
    double error = best.residual();
    while (!best.is_solution() && report.iterations < options.max_iterations) {
        check_interruption();
        to = from;
        next(scaled, sequence, std::clamp(1e-2 * error, 1e-2 * options.tolerance, 1e-3), to);
        ++report.iterations;
        options.history.add(std::exchange(error, best.judge(to)));
        if (!std::isfinite(error)) {
            report.status = SolveStatus::stalled;
            report.message = not_finite_message;
            break;
        }
        anderson.accelerate(from, to);
        project(scaled, to);
        from.swap(to);
    }
    return best.conclude(std::move(report), options.history);
}

auto set_projection(const OneStepView& problem, Free free, const Eigen::VectorXd& frozen) {
    return [&problem, free, &frozen](Eigen::VectorXd& r) {
        for (Index i = 0; i < problem.blocks(); ++i) {
            const Index start = problem.W.start(i);
            std::visit([&](const auto& law) { project_on_set(law, free, frozen.data() + start, r.data() + start); },
                       problem.law(i));
        }
    };
}

}  // namespace

SolveReport Tresca::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    Eigen::VectorXd frozen;
    return run(*this, problem, r,
               [&](const OneStepView& scaled, ConvexSequence& sequence, double accuracy, Eigen::VectorXd& next) {
                   frozen = next;
                   sequence.solve(scaled.q, set_projection(scaled, Free::normal_and_tangent, frozen), accuracy, next);
               });
}

SolveReport Panagiotopoulos::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    Eigen::VectorXd frozen;
    return run(*this, problem, r,
               [&](const OneStepView& scaled, ConvexSequence& sequence, double accuracy, Eigen::VectorXd& next) {
                   for (const Free free : {Free::normal, Free::tangent}) {
                       frozen = next;
                       sequence.solve(scaled.q, set_projection(scaled, free, frozen), accuracy, next);
                   }
               });
}

SolveReport Aclm::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    Eigen::VectorXd u, c;
    return run(*this, problem, r,
               [&](const OneStepView& scaled, ConvexSequence& sequence, double accuracy, Eigen::VectorXd& next) {
                   u = scaled.q;
                   scaled.W.multiply_add(next, u);
                   c = u;
                   add_shift(scaled, c);
                   c += scaled.q - u;  // q + shift(u)
                   sequence.solve(
                       c, [&](Eigen::VectorXd& y) { project(scaled, y); }, accuracy, next);
               });
}

}  // namespace saltus::one_step
