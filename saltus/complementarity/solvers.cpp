#include "saltus/complementarity/solvers.hpp"

#include <fmt/ranges.h>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// Calls visit(S{}) for every alternative S.
template <class Visitor, class... Solvers>
void for_each_solver(std::variant<Solvers...>*, Visitor visit) {
    (visit(Solvers{}), ...);
}

}  // namespace

std::vector<SolverInfo> affine_solvers() {
    std::vector<SolverInfo> list;
    for_each_solver(static_cast<AffineSolverChoice*>(nullptr), [&](const auto& solver) {
        list.push_back({solver.name, solver.problem_class});
    });
    return list;
}

AffineSolverChoice affine_solver(std::string_view name) {
    AffineSolverChoice choice;
    bool found = false;
    std::vector<std::string_view> names;
    for_each_solver(static_cast<AffineSolverChoice*>(nullptr), [&](const auto& solver) {
        names.push_back(solver.name);
        if (solver.name != name) return;
        choice = solver;
        found = true;
    });
    require(found, "there is no solver '{}'; the solvers are {}", name, fmt::join(names, ", "));
    return choice;
}

}  // namespace saltus
