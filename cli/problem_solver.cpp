#include "cli/problem_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"
#include "saltus/core/nearest_name.hpp"

namespace saltus::cli {

namespace {

bool is_named(std::string_view name, const std::vector<SolverInfo>& solvers) {
    return std::ranges::find(solvers, name, &SolverInfo::name) != solvers.end();
}

// The message for a name that no solver of the family has: one of another family, or a misspelling.
[[noreturn]] void refuse_solver(const std::string& name, Family family) {
    std::vector<std::string_view> names;
    for (const SolverInfo& solver : solvers_of(family)) names.push_back(solver.name);
    const std::string known = fmt::format("{}", fmt::join(names, ", "));
    for (const Family other : families)
        if (is_named(name, solvers_of(other)))
            throw InvalidInput(
                fmt::format("the solver '{}' is for {} problems; this is one of the {} problems, whose solvers "
                            "are: {}",
                            name, to_string(other), to_string(family), known));
    const auto distance = [&](std::string_view solver) { return edit_distance(name, solver); };
    throw InvalidInput(fmt::format("there is no solver '{}'; the solvers are: {}; did you mean '{}'?", name, known,
                                   *std::ranges::min_element(names, {}, distance)));
}

template <class Choice>
Choice chosen_solver(const SolverOptions& options, Family family) {
    check(options);
    if (options.solver && !is_named(*options.solver, solvers_of(family))) refuse_solver(*options.solver, family);
    Choice choice = options.solver ? solver_of_name<Choice>(*options.solver) : Choice();
    std::visit(
        [&](auto& solver) {
            if (options.tolerance) solver.tolerance = *options.tolerance;
            if (options.max_iterations) solver.max_iterations = *options.max_iterations;
            for (const std::string& text : options.others) {
                const std::size_t equals = text.find('=');
                set_option_from_text(solver, text.substr(0, equals), text.substr(equals + 1));
            }
        },
        choice);
    return choice;
}

template <class Solve>
double best_time(double least_seconds, Solve&& solve) {
    double best = std::numeric_limits<double>::infinity();
    for (double total = 0.0; total < least_seconds || !std::isfinite(best);) {
        const auto start = std::chrono::steady_clock::now();
        solve();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::min(best, seconds);
        total += seconds;
    }
    return best;
}

// Report, time and tolerance of solve_once(solver, z), which starts from z = 0.
template <class Choice, class Solve>
Solution solve_from_zero(const Choice& choice, Index size, double least_seconds, Solve&& solve_once) {
    Solution solution;
    std::visit(
        [&](const auto& solver) {
            solution.seconds = best_time(least_seconds, [&] {
                solution.z = Eigen::VectorXd::Zero(size);
                solution.report = solve_once(solver, solution.z);
            });
            solution.tolerance = solver.tolerance;
        },
        choice);
    return solution;
}

template <class Affine>
Solution solve_as(const Affine& problem, const SolverOptions& options, double least_seconds) {
    const auto choice = chosen_solver<AffineSolverChoice>(options, Family::affine);
    Solution solution = solve_from_zero(choice, problem.q.size(), least_seconds, [&](const auto& solver, auto& z) {
        return solver.solve(AffineBox(problem), z);
    });
    solution.w = slack(problem, solution.z);
    return solution;
}

Solution solve_as(const FrictionProblem& problem, const SolverOptions& options, double least_seconds) {
    const auto choice = chosen_solver<one_step::SolverChoice>(options, Family::friction);
    Solution solution = solve_from_zero(choice, problem.q.size(), least_seconds,
                                        [&](const auto& solver, auto& r) { return solver.solve(problem, r); });
    solution.w = velocity(problem, solution.z);
    solution.contact = {problem.contacts(), problem.dimension(), unscaled_residual(problem, solution.z), {}};
    return solution;
}

Solution solve_as(const GlobalFrictionProblem& problem, const SolverOptions& options, double least_seconds) {
    const auto choice = chosen_solver<one_step::GlobalSolverChoice>(options, Family::global_friction);
    Eigen::VectorXd v;
    Solution solution = solve_from_zero(choice, problem.b.size(), least_seconds, [&](const auto&, auto& r) {
        v = Eigen::VectorXd::Zero(problem.f.size());
        return one_step::solve(choice, problem, v, r);
    });
    solution.w = problem.b;
    problem.H.transpose_multiply_add(v, solution.w);
    solution.contact = {problem.contacts(), problem.dimension(), unscaled_residual(reduce(problem).local, solution.z),
                        std::move(v)};
    return solution;
}

}  // namespace

Family family_of(ProblemKind kind) {
    if (kind == ProblemKind::friction) return Family::friction;
    return kind == ProblemKind::global_friction ? Family::global_friction : Family::affine;
}

std::string_view to_string(Family family) {
    constexpr std::string_view names[] = {"affine", "friction", "global-friction"};
    return names[static_cast<std::size_t>(family)];
}

std::vector<SolverInfo> solvers_of(Family family) {
    if (family == Family::affine) return affine_solvers();
    return family == Family::friction ? one_step::solvers() : one_step::global_solvers();
}

void check(const SolverOptions& options) {
    const auto& tolerance = options.tolerance;
    require(!tolerance || (std::isfinite(*tolerance) && *tolerance > 0.0),
            "--tolerance is {}; it must be a positive number", tolerance.value_or(0.0));
    std::set<std::string> names;
    if (tolerance) names.insert("tolerance");
    if (options.max_iterations) names.insert("max_iterations");
    for (const std::string& text : options.others) {
        const std::size_t equals = text.find('=');
        require(equals != std::string::npos && equals > 0, "--option {}: write name=value", text);
        require(names.insert(text.substr(0, equals)).second, "--option {}: {} is given twice", text,
                text.substr(0, equals));
    }
}

Solution solve_problem(const Problem& problem, const SolverOptions& options, double least_seconds) {
    Solution solution = std::visit([&](const auto& p) { return solve_as(p, options, least_seconds); }, problem);
    solution.kind = to_string(kind_of(problem));
    return solution;
}

}  // namespace saltus::cli
