// Every solver lists its options: all of them, once each, and what is listed can be set.
#include "saltus/complementarity/solver_options.hpp"

#include <gtest/gtest.h>

#include <set>

#include "saltus/complementarity/affine/qp_solvers.hpp"
#include "saltus/complementarity/nonlinear/nonlinear_solvers.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"
#include "support/random_friction.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

template <class... Choices>
void for_every_solver(auto&& visit) {
    (for_each_solver<Choices>(visit), ...);
}
void for_all_solvers(auto&& visit) {
    for_every_solver<AffineSolverChoice, QpSolverChoice, McpSolverChoice, ViSolverChoice, one_step::GlobalSolverChoice>(
        [&](const auto& solver) {
            SCOPED_TRACE(solver.name);
            visit(solver);
        });
}

// What an aggregate is initialised with, whatever the type of the member.
struct Anything {
    template <class Member>
    operator Member() const;
};
template <class Aggregate, class... Members>
constexpr std::size_t count_members() {
    if constexpr (requires { Aggregate{Members{}..., Anything{}}; })
        return count_members<Aggregate, Members..., Anything>();
    else
        return sizeof...(Members);
}

TEST(SolverOptions, NoMemberIsForgotten) {
    for_all_solvers([](auto solver) {
        using Solver = decltype(solver);
        // No type converts to every alternative of a solver within a solver.
        if constexpr (!std::is_same_v<Solver, NewtonJosephy>) {
            EXPECT_EQ(options_of(solver).size() + 1, count_members<Solver>()) << "all but the history are options";
        }
    });
    EXPECT_EQ(describe_options(NewtonJosephy{}).size(), 4u);
}

TEST(SolverOptions, AreThoseOfTheMembersWithTheirDefaults) {
    for_all_solvers([](auto solver) {
        std::set<std::string_view> names;
        for (const SolverOption& option : options_of(solver)) {
            EXPECT_TRUE(names.insert(option.name).second) << option.name << " is listed twice";
            EXPECT_FALSE(option.meaning.empty()) << option.name;
        }
        EXPECT_TRUE(names.contains("tolerance") && names.contains("max_iterations"));
    });
    one_step::Nsgs nsgs;
    set_option(nsgs, "relaxation", 1.2);
    set_option(nsgs, "settling", 7);
    set_option(nsgs, "islands", false);
    set_option(nsgs, "local", std::string("projection"));
    EXPECT_EQ(nsgs.relaxation, 1.2);
    EXPECT_EQ(nsgs.settling, 7);
    EXPECT_FALSE(nsgs.islands);
    EXPECT_EQ(nsgs.local, one_step::LocalSolver::projection);
    NewtonJosephy newton;
    set_option(newton, "affine_solver", std::string("lemke"));
    EXPECT_TRUE(std::holds_alternative<Lemke>(newton.affine_solver));
}

// Another value of the same kind, as a text.
std::vector<std::string> other_values(const SolverOption& option) {
    if (std::holds_alternative<bool*>(option.place)) return {"true", "false"};
    if (std::holds_alternative<int*>(option.place)) return {"7", "0", "-3"};
    if (std::holds_alternative<double*>(option.place)) return {"0.375", "-2", "1e-07"};
    const auto& words = std::get<SolverOption::Choice>(option.place).words;
    return {words.begin(), words.end()};
}

TEST(SolverOptions, CanBeSetAndReadBack) {
    for_all_solvers([](auto solver) {
        using Solver = decltype(solver);
        for (const OptionInfo& info : describe_options(Solver{}))
            for (const std::string& text : other_values(option_of_name("", options_of(solver), info.name))) {
                solver = {};
                set_option_from_text(solver, info.name, text);
                for (const OptionInfo& changed : describe_options(solver)) {
                    if (changed.name != info.name) continue;
                    EXPECT_EQ(option_text(changed.value), text) << info.name;
                }
                Solver back;
                set_option(back, info.name, option_of_name("", options_of(solver), info.name).value());
                for (std::size_t k = 0; k < describe_options(back).size(); ++k)
                    EXPECT_EQ(describe_options(back)[k].value, describe_options(solver)[k].value) << info.name;
            }
    });
}

TEST(SolverOptions, MistakesAreNamedWithWhatIsExpected) {
    const auto refused = [](auto solver, std::string_view name, const std::string& text) {
        return testing::refusal([&] { set_option_from_text(solver, name, text); });
    };
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "relaxtion", "1.2"),
              "pgs: there is no option 'relaxtion'; the options are: tolerance, max_iterations, relaxation, symmetric; "
              "did you mean 'relaxation'?");
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "relaxation", "much"), "pgs: relaxation is 'much'; it must be a number");
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "relaxation", "nan"), "pgs: relaxation is nan; it must be a number");
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "relaxation", ""), "pgs: relaxation is ''; it must be a number");
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "max_iterations", "1.5"),
              "pgs: max_iterations is '1.5'; it must be a whole number");
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "max_iterations", "99999999999"),
              "pgs: max_iterations is '99999999999'; it must be a whole number");
    EXPECT_EQ(refused(ProjectedGaussSeidel{}, "symmetric", "yes"), "pgs: symmetric is 'yes'; it must be true or false");
    EXPECT_EQ(refused(PrincipalPivoting{}, "rule", "blok"),
              "principal-pivoting: rule is 'blok'; it must be block, least-index or most-violated; did you mean "
              "'block'?");
    EXPECT_EQ(testing::refusal([] {
                  PrincipalPivoting solver;
                  set_option(solver, "rule", 1);
              }),
              "principal-pivoting: rule is 1; it must be block, least-index or most-violated");
    EXPECT_EQ(testing::refusal([] {
                  ProjectedGaussSeidel solver;
                  set_option(solver, "symmetric", 1);
              }),
              "pgs: symmetric is 1; it must be true or false");
}

// Solves a problem of its kind with each solver of each list: visit(solver, solve), where solve(solver) is a report.
void for_every_solve(auto&& visit) {
    static const Eigen::MatrixXd M{{2.0, 1.0}, {1.0, 2.0}};
    static const Eigen::VectorXd q = Eigen::Vector2d(-5.0, -6.0);
    for_each_solver<AffineSolverChoice>([&]<class Solver>(const Solver& solver) {
        visit(solver, [](const Solver& changed) {
            Eigen::VectorXd z = Eigen::Vector2d::Zero();
            return changed.solve(Lcp{M, q}, z);
        });
    });
    for_each_solver<QpSolverChoice>([&]<class Solver>(const Solver& solver) {
        visit(solver, [](const Solver& changed) {
            Eigen::VectorXd z = Eigen::Vector2d::Zero();
            const Qp program{.H = M, .c = q, .lower = Eigen::Vector2d::Zero(), .upper = Eigen::Vector2d::Ones()};
            return solve(QpSolverChoice(changed), program, z);
        });
    });
    const VectorFunction F = [](const Eigen::VectorXd& z, Eigen::VectorXd& w) { w = M * z + q; };
    for_each_solver<McpSolverChoice>([&]<class Solver>(const Solver& solver) {
        visit(solver, [&](const Solver& changed) {
            Eigen::VectorXd z = Eigen::Vector2d::Zero();
            return changed.solve(Ncp{2, F, [](const Eigen::VectorXd&, Matrix& J) { J = M; }}, z);
        });
    });
    for_each_solver<ViSolverChoice>([&]<class Solver>(const Solver& solver) {
        visit(solver, [&](const Solver& changed) {
            Eigen::VectorXd z = Eigen::Vector2d::Zero();
            return changed.solve(Vi{2, F, [](Eigen::VectorXd& x) { x = x.cwiseMax(0.0); }}, z);
        });
    });
    testing::Random random(1);
    const FrictionProblem contacts = testing::random_friction(testing::DelassusClass::symmetric, 3, 3, random).problem;
    for_each_solver<one_step::SolverChoice>([&]<class Solver>(const Solver& solver) {
        visit(solver, [&](const Solver& changed) {
            Eigen::VectorXd r = Eigen::VectorXd::Zero(contacts.q.size());
            return changed.solve(contacts, r);
        });
    });
    const GlobalFrictionProblem global{M, M, q, Eigen::Vector2d::Zero(), Eigen::VectorXd::Constant(1, 0.5)};
    for_each_solver<one_step::GlobalSolverChoice>([&]<class Solver>(const Solver& solver) {
        visit(solver, [&](const Solver& changed) {
            Eigen::VectorXd v = Eigen::Vector2d::Zero(), r = Eigen::Vector2d::Zero();
            return one_step::solve(one_step::GlobalSolverChoice(changed), global, v, r);
        });
    });
}

// visit(name, text, outcome) for each option and its values; outcome() is the report of the solve.
void for_every_value(const auto& values_of, auto&& visit) {
    for_every_solve([&]<class Solver>(const Solver&, const auto& solve_with) {
        for (const OptionInfo& info : describe_options(Solver{})) {
            Solver solver{};
            for (const std::string& text : values_of(option_of_name("", options_of(solver), info.name))) {
                solver = {.max_iterations = 30};
                set_option_from_text(solver, info.name, text);
                SCOPED_TRACE(fmt::format("{}: {} = {}", Solver::name, info.name, text));
                visit(info.name, text, [&] { return solve_with(solver); });
            }
        }
    });
}

TEST(SolverOptions, AnyValueEndsWithAReportOrIsRefusedByItsName) {
    for_every_value(other_values, [](std::string_view name, const std::string&, const auto& solve_with) {
        try {
            const SolveReport report = solve_with();
            EXPECT_TRUE(report.converged() || !report.message.empty());
        } catch (const InvalidInput& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
    });
}

// No option can be negative or infinite, whether the solve needs it or not.
TEST(SolverOptions, WhatIsOutOfRangeIsRefusedByItsName) {
    const auto wrong_values = [](const SolverOption& option) -> std::vector<std::string> {
        if (std::holds_alternative<int*>(option.place)) return {"-5"};
        if (std::holds_alternative<double*>(option.place)) return {"-5", "inf"};
        return {};
    };
    for_every_value(wrong_values, [](std::string_view name, const std::string&, const auto& solve_with) {
        const std::string refusal = testing::refusal([&] { solve_with(); });
        EXPECT_NE(refusal.find(name), std::string::npos) << refusal;
    });
}

TEST(SolverOptions, ThreadsAndMemoryBeyondTheMachineDoNoHarm) {
    testing::Random random(1);
    const FrictionProblem contacts = testing::random_friction(testing::DelassusClass::symmetric, 3, 3, random).problem;
    const auto solve_with = [&](const auto& solver) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(contacts.q.size());
        solver.solve(contacts, r);
        return r;
    };
    constexpr int most = std::numeric_limits<int>::max();
    EXPECT_EQ(solve_with(one_step::Nsgs{.coloured = true, .threads = most}),
              solve_with(one_step::Nsgs{.coloured = true}));
    EXPECT_EQ(solve_with(one_step::Auto{.threads = most}), solve_with(one_step::Auto{}));
    EXPECT_EQ(testing::refusal([&] { solve_with(one_step::Nsgs{.memory = 100000}); }),
              "nsgs: memory is 100000; it must be from 0 to 1000");
}

}  // namespace
}  // namespace saltus
