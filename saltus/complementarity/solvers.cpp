#include "saltus/complementarity/solvers.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// Calls visit(Solver{}) for each alternative of the variant.
template <class Visit, std::size_t... I>
void for_each_solver(Visit&& visit, std::index_sequence<I...>) {
    (visit(std::variant_alternative_t<I, AffineSolverChoice>{}), ...);
}

constexpr auto alternatives = std::make_index_sequence<std::variant_size_v<AffineSolverChoice>>{};

}  // namespace

std::vector<SolverInfo> affine_solvers() {
    std::vector<SolverInfo> result;
    for_each_solver([&](const auto& solver) { result.push_back({solver.name, solver.problem_class}); }, alternatives);
    return result;
}

AffineSolverChoice affine_solver(std::string_view name) {
    AffineSolverChoice choice;
    bool found = false;
    std::string known;
    const auto compare = [&](const auto& solver) {
        if (solver.name == name) choice = solver, found = true;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", solver.name);
    };
    for_each_solver(compare, alternatives);
    require(found, "there is no solver '{}'; the solvers are: {}", name, known);
    return choice;
}

}  // namespace saltus
