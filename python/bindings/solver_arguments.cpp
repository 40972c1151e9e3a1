#include "python/bindings/solver_arguments.hpp"

#include <fmt/format.h>

namespace saltus::python {

std::string with_options(std::string doc, const SolverFamily& family) {
    const std::string options = fmt::format(R"(guess : array, optional
    Where the solver starts; zero if it is not given. A solution is recognised at once.
solver : str
    One of those of ``saltus.solvers()["{}"]``.
tolerance : float, optional
    The largest residual of a solution; each solver has its default.
max_iterations : int, optional
    Each solver has its default.
history : bool
    Whether the solution keeps the residuals of the iterates.
)",
                                            family.name);
    const std::string_view mark = "{options}\n";
    if (const auto place = doc.find("{options}"); place != std::string::npos)
        doc.replace(place, std::min(mark.size(), doc.size() - place), options);
    return doc;
}

}  // namespace saltus::python
