#pragma once

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "saltus/complementarity/solver_options.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

struct SolverInfo {
    std::string_view name, problem_class;
    std::vector<OptionInfo> options;  // with their defaults
};

// Calls visit(Solver{}) for each alternative of the variant Choice, in its order.
template <class Choice, class Visit>
void for_each_solver(Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (visit(std::variant_alternative_t<I, Choice>{}), ...); }
    (std::make_index_sequence<std::variant_size_v<Choice>>{});
}

// The name, problem class and options of each solver, in the order of the variant.
template <class Choice>
std::vector<SolverInfo> solver_list() {
    std::vector<SolverInfo> result;
    for_each_solver<Choice>([&](const auto& solver) {
        result.push_back({solver.name, solver.problem_class, describe_options(solver)});
    });
    return result;
}

// The solver of that name with its default options. Throws InvalidInput, listing the names, for an unknown name.
template <class Choice>
Choice solver_of_name(std::string_view name) {
    Choice choice;
    bool found = false;
    for_each_solver<Choice>([&](const auto& solver) {
        if (solver.name == name) choice = solver, found = true;
    });
    if (found) return choice;
    std::string known;
    for_each_solver<Choice>(
        [&](const auto& solver) { known += fmt::format("{}{}", known.empty() ? "" : ", ", solver.name); });
    throw InvalidInput(fmt::format("there is no solver '{}'; the solvers are: {}", name, known));
}

}  // namespace saltus
