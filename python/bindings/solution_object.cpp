#include "python/bindings/solution_object.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"

namespace saltus::python {

namespace {

// Never empty, unlike that of a report.
std::string message_of(const SolveReport& report) {
    if (!report.message.empty()) return report.message;
    if (report.converged())
        return fmt::format("converged in {} iteration{}, residual {:.2g}", report.iterations,
                           report.iterations == 1 ? "" : "s", report.residual);
    return fmt::format("{} after {} iterations, residual {:.2g}", to_string(report.status), report.iterations,
                       report.residual);
}

// A column of names and values, as scipy writes its results; numpy leaves out the middle of long arrays.
std::string representation(const py::object& solution, const std::vector<const char*>& names) {
    const std::size_t width = 11;  // of "certificate", the longest
    const py::object write = py::module_::import("numpy").attr("array2string");
    std::string text;
    for (const char* name : names) {
        const py::object value = solution.attr(name);
        if (!text.empty()) text += '\n';
        text += fmt::format("{:>{}}: ", name, width);
        if (py::isinstance<py::array>(value))
            text += std::string(py::str(write(value, py::arg("threshold") = 20, py::arg("precision") = 6,
                                              py::arg("prefix") = std::string(width + 2, ' '))));
        else
            text += std::string(py::str(value));
    }
    return text;
}

template <class Class>
void define_representation(Class& type, std::vector<const char*> parts) {
    std::vector<const char*> names{"success", "status", "message", "solver", "iterations", "residual"};
    names.insert(names.end(), parts.begin(), parts.end());
    type.def("__repr__", [names](const py::object& self) { return representation(self, names); });
}

template <class Type, class Class>
void define_array(Class& type, const char* name, Eigen::VectorXd Type::*member, const char* doc) {
    type.def_property_readonly(
        name, [member](const py::object& self) { return shared_array(self.cast<const Type&>().*member, self); }, doc);
}

// The state of a Solution, for pickle; in the order of from_state.
py::tuple to_state(const Solution& s) {
    return py::make_tuple(static_cast<int>(s.status), s.iterations, s.residual, s.solver, s.message, copied_array(s.z),
                          copied_array(s.w), copied_array(s.certificate), copied_array(s.history));
}

Eigen::VectorXd state_vector(const py::handle& value) {
    return to_vector({"Solution", "the pickled state"}, py::reinterpret_borrow<py::object>(value));
}

void from_state(const py::tuple& state, Solution& s) {
    s.status = static_cast<SolveStatus>(state[0].cast<int>());
    s.iterations = state[1].cast<int>();
    s.residual = state[2].cast<double>();
    s.solver = state[3].cast<std::string>();
    s.message = state[4].cast<std::string>();
    s.z = state_vector(state[5]);
    s.w = state_vector(state[6]);
    s.certificate = state_vector(state[7]);
    s.history = state_vector(state[8]);
}

// Pickles the Solution in Type, then the vectors of its own.
template <class Type, class Class, class... Members>
void define_pickle(Class& type, Members... members) {
    type.def(py::pickle([=](const Type& s) { return py::make_tuple(to_state(s), copied_array(s.*members)...); },
                        [=](const py::tuple& state) {
                            Type s;
                            from_state(state[0].cast<py::tuple>(), s);
                            std::size_t k = 1;
                            ((s.*members = state_vector(state[k++])), ...);
                            return s;
                        }));
}

constexpr const char* solution_doc = R"(The outcome of a solve function.

Not converging is an outcome, never an exception: look at ``success``.

Attributes
----------
success : bool
    Whether z solves the problem: the residual, recomputed at z, is at most the tolerance.
status : str
    "converged", "iteration-limit", "no-solution", "ray-termination", "stalled" or "unsuitable-problem".
message : str
    Why the solver stopped, for people.
z, w : numpy arrays
    The unknown, and its complement (of a linear problem w = M z + q); the last iterates where there is no success.
residual : float
    The measure of the error that every solver of the problem is judged by.
iterations : int
solver : str
    The name of the solver that answered.
certificate : numpy array
    The proof where the status is "no-solution", the ray of "ray-termination"; else empty.
history : numpy array
    The residuals of the guess and of every iterate where ``history=True`` asks for it; else empty. Methods whose
    iterates solve another problem on the way, such as Lemke's, give the first and the last only.

Examples
--------
>>> import saltus as sl
>>> sol = sl.solve_lcp([[2, 1], [1, 2]], [-5, -6])
>>> sol.success, sol.status
(True, 'converged')
>>> sol.z
array([1.33333333, 2.33333333])
)";

}  // namespace

Solution::Solution(SolveReport report, Eigen::VectorXd z_, Eigen::VectorXd w_, const std::vector<double>& residuals)
    : status(report.status),
      iterations(report.iterations),
      residual(report.residual),
      solver(report.solver),
      message(message_of(report)),
      z(std::move(z_)),
      w(std::move(w_)),
      certificate(std::move(report.certificate)),
      history(Eigen::VectorXd::Map(residuals.data(), static_cast<Eigen::Index>(residuals.size()))) {}

void bind_solution(py::module_& module) {
    py::class_<Solution> type(module, "Solution", solution_doc);
    type.def_property_readonly("success", &Solution::success, "Whether z solves the problem.");
    type.def_property_readonly(
        "status", [](const Solution& s) { return to_string(s.status); }, "How the solve ended.");
    type.def_readonly("message", &Solution::message, "Why the solver stopped, for people.");
    type.def_readonly("residual", &Solution::residual, "The error that every solver is judged by.");
    type.def_readonly("iterations", &Solution::iterations, "The iterations of the solver that answered.");
    type.def_readonly("solver", &Solution::solver, "The name of the solver that answered.");
    define_array(type, "z", &Solution::z, "The unknown.");
    define_array(type, "w", &Solution::w, "The complement of z; of a linear problem w = M z + q.");
    define_array(type, "certificate", &Solution::certificate, "A proof or a ray where the status speaks of one.");
    define_array(type, "history", &Solution::history, "The residuals of the iterates, if they were asked for.");
    define_representation(type, {"z", "w", "certificate", "history"});
    define_pickle<Solution>(type);

    py::class_<QpSolution, Solution> qp(module, "QpSolution", R"(The outcome of `solve_qp`, with z = (x, y, lam).

Attributes
----------
x, y, lam : numpy arrays
    The minimiser, the multipliers of A x = b and those of G x >= h. The multipliers of the bounds are the first part
    of ``w``: >= 0 where x is at its lower bound, <= 0 at the upper.
)");
    define_array(qp, "x", &QpSolution::x, "The minimiser.");
    define_array(qp, "y", &QpSolution::y, "The multipliers of A x = b.");
    define_array(qp, "lam", &QpSolution::lambda, "The multipliers of G x >= h.");
    define_representation(qp, {"x", "y", "lam", "w", "certificate", "history"});
    define_pickle<QpSolution>(qp, &QpSolution::x, &QpSolution::y, &QpSolution::lambda);

    py::class_<GlobalFrictionSolution, Solution> global(module, "GlobalFrictionSolution",
                                                        R"(The outcome of `solve_global_friction`, with z = r and w = u.

Attributes
----------
v : numpy array
    The velocities of the bodies, M v = H r + f.
)");
    define_array(global, "v", &GlobalFrictionSolution::v, "The velocities of the bodies, M v = H r + f.");
    define_representation(global, {"z", "w", "v", "certificate", "history"});
    define_pickle<GlobalFrictionSolution>(global, &GlobalFrictionSolution::v);
}

}  // namespace saltus::python
