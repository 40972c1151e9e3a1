#include <fmt/format.h>

#include <algorithm>

#include "python/bindings/bindings.hpp"
#include "python/bindings/problem_arguments.hpp"
#include "python/bindings/solve_call.hpp"
#include "python/bindings/solver_names.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/io/problem/problem_file.hpp"

namespace saltus::python {

namespace {

// Throw InvalidInput if the numbers do not make a problem.
void check_problem(const AffineBox& problem) { problem.check("problem", Eigen::VectorXd::Zero(problem.size())); }
void check_problem(const OneStepView& problem) { problem.check("problem", Eigen::VectorXd::Zero(problem.size())); }
template <class Type>
Type checked(Type problem) {
    if constexpr (std::is_same_v<Type, GlobalFrictionProblem>)
        check(problem);
    else
        check_problem(problem);
    return problem;
}

// Attributes. They are read-only: a problem stays as it was checked.
template <class Type, class Class>
void define_vector(Class& type, const char* name, Eigen::VectorXd Type::*member, const char* doc) {
    type.def_property_readonly(
        name,
        [member](const py::object& self) {
            py::array array = shared_array(self.cast<const Type&>().*member, self);
            array.attr("flags").attr("writeable") = false;
            return array;
        },
        doc);
}

template <class Type, class Class>
void define_matrix(Class& type, const char* name, Matrix Type::*member, const char* doc) {
    type.def_property_readonly(
        name, [member](const py::object& self) { return to_python(self.cast<const Type&>().*member, self); }, doc);
}

template <class Class, class Type>
void define_kind_and_size(Class& type, Index (*size)(const Type&)) {
    type.def_property_readonly(
        "kind", [](const Type& problem) { return to_string(kind_of(problem)); }, "The word for the kind of problem.");
    type.def("__repr__", [size](const Type& problem) {
        return fmt::format("<saltus.{}: {}, {} unknowns>", std::string(py::str(py::type::of<Type>().attr("__name__"))),
                           to_string(kind_of(problem)), size(problem));
    });
}

template <class Type>
Index rows_of_q(const Type& problem) {
    return problem.q.size();
}

Solution solve_lcp_object(const SolverArguments& arguments, const Lcp& problem, const py::object& guess) {
    return solve_affine(arguments, problem, guess);
}
Solution solve_mlcp_object(const SolverArguments& arguments, const Mlcp& problem, const py::object& guess) {
    return solve_affine(arguments, problem, guess);
}
Solution solve_box_vi_object(const SolverArguments& arguments, const BoxVi& problem, const py::object& guess) {
    return solve_affine(arguments, problem, guess);
}
Solution solve_friction_object(const SolverArguments& arguments, const FrictionProblem& problem,
                               const py::object& guess) {
    return solve_local(arguments, problem, guess);
}

py::array_t<bool> mask_array(const std::vector<bool>& mask) {
    py::array_t<bool> result(static_cast<py::ssize_t>(mask.size()));
    std::copy(mask.begin(), mask.end(), result.mutable_data());
    return result;
}

// What ContactArguments take, for pickle.
template <class Type>
py::tuple contact_state(const Type& problem) {
    const py::object rolling = problem.rolling.size() > 0 ? py::object(copied_array(problem.rolling)) : py::none();
    return py::make_tuple(copied_array(problem.mu), problem.dimension(), rolling);
}

void bind_lcp(py::module_& module) {
    py::class_<Lcp> type(module, "Lcp", R"(A linear complementarity problem; see `solve_lcp`.

>>> import saltus as sl
>>> sl.Lcp([[2, 1], [1, 2]], [-5, 6]).solve().z
array([2.5, 0. ])
)");
    define_constructor(
        type, [](const py::object& M, const py::object& q) { return checked(to_lcp("Lcp", M, q)); }, py::arg("M"),
        py::arg("q"));
    define_matrix(type, "M", &Lcp::M, "A numpy array or a scipy.sparse matrix.");
    define_vector(type, "q", &Lcp::q, "A numpy array.");
    define_kind_and_size(type, rows_of_q<Lcp>);
    type.def(py::pickle([](const Lcp& p) { return py::make_tuple(to_python(p.M), copied_array(p.q)); },
                        [](const py::tuple& state) { return to_lcp("Lcp", state[0], state[1]); }));
    define_solve_method(type, {"affine", affine_family()}, solve_lcp_object);
}

void bind_mlcp(py::module_& module) {
    py::class_<Mlcp> type(module, "Mlcp", R"(A mixed linear complementarity problem; see `solve_mlcp`.

>>> import saltus as sl
>>> sl.Mlcp([[2, 1], [1, 2]], [4, 5], free=[True, False]).solve().z.round(6)
array([-2.,  0.])
)");
    define_constructor(
        type,
        [](const py::object& M, const py::object& q, const py::object& free) {
            return checked(to_mlcp("Mlcp", M, q, free));
        },
        py::arg("M"), py::arg("q"), py::arg("free"));
    define_matrix(type, "M", &Mlcp::M, "A numpy array or a scipy.sparse matrix.");
    define_vector(type, "q", &Mlcp::q, "A numpy array.");
    type.def_property_readonly(
        "free", [](const Mlcp& problem) { return mask_array(problem.free); }, "A numpy array of booleans.");
    define_kind_and_size(type, rows_of_q<Mlcp>);
    type.def(
        py::pickle([](const Mlcp& p) { return py::make_tuple(to_python(p.M), copied_array(p.q), mask_array(p.free)); },
                   [](const py::tuple& state) { return to_mlcp("Mlcp", state[0], state[1], state[2]); }));
    define_solve_method(type, {"affine", affine_family()}, solve_mlcp_object);
}

void bind_box_vi(py::module_& module) {
    py::class_<BoxVi> type(module, "BoxVi", R"(An affine variational inequality on a box; see `solve_box_vi`.

>>> import saltus as sl
>>> sl.BoxVi([[2, 1], [1, 2]], [-5, 1]).solve().z
array([ 1., -1.])
)");
    define_constructor(
        type,
        [](const py::object& M, const py::object& q, const py::object& lower, const py::object& upper) {
            return checked(to_box_vi("BoxVi", M, q, lower, upper));
        },
        py::arg("M"), py::arg("q"), py::arg("lower") = -1.0, py::arg("upper") = 1.0);
    define_matrix(type, "M", &BoxVi::M, "A numpy array or a scipy.sparse matrix.");
    define_vector(type, "q", &BoxVi::q, "A numpy array.");
    define_vector(type, "lower", &BoxVi::lower, "A numpy array; may be infinite.");
    define_vector(type, "upper", &BoxVi::upper, "A numpy array; may be infinite.");
    define_kind_and_size(type, rows_of_q<BoxVi>);
    type.def(py::pickle(
        [](const BoxVi& p) {
            return py::make_tuple(to_python(p.M), copied_array(p.q), copied_array(p.lower), copied_array(p.upper));
        },
        [](const py::tuple& state) { return to_box_vi("BoxVi", state[0], state[1], state[2], state[3]); }));
    define_solve_method(type, {"affine", affine_family()}, solve_box_vi_object);
}

// What both friction problems have.
template <class Type, class Class>
void define_contacts(Class& type) {
    define_vector(type, "mu", &Type::mu, "The coefficients of friction, one for each contact.");
    define_vector(type, "rolling", &Type::rolling, "Those of rolling friction; empty where there is none.");
    type.def_property_readonly("dimension", &Type::dimension, "The rows of a contact: 2, 3 or 5.");
    type.def_property_readonly("contacts", &Type::contacts, "The number of contacts.");
}

void bind_friction_problem(py::module_& module) {
    py::class_<FrictionProblem> type(module, "FrictionProblem",
                                     R"(Contact with Coulomb friction in local form; see `solve_friction`.

>>> import numpy as np
>>> import saltus as sl
>>> sl.FrictionProblem(np.eye(3), [-1, 4, 0], mu=[0.5])
<saltus.FrictionProblem: friction, 3 unknowns>
)");
    define_constructor(
        type,
        [](const py::object& W, const py::object& q, const py::object& mu, const py::object& dimension,
           const py::object& rolling) {
            return checked(to_friction_problem("FrictionProblem", W, q, {mu, dimension, rolling}));
        },
        py::arg("W"), py::arg("q"), py::arg("mu"), py::kw_only(), py::arg("dimension") = py::none(),
        py::arg("rolling") = py::none());
    type.def_property_readonly(
        "W", [](const FrictionProblem& problem) { return to_python(problem.W.to_sparse()); }, "A scipy.sparse matrix.");
    define_vector(type, "q", &FrictionProblem::q, "A numpy array.");
    define_contacts<FrictionProblem>(type);
    define_kind_and_size(type, rows_of_q<FrictionProblem>);
    type.def(py::pickle(
        [](const FrictionProblem& p) {
            return py::make_tuple(to_python(p.W.to_sparse()), copied_array(p.q), contact_state(p));
        },
        [](const py::tuple& state) {
            const auto contacts = state[2].cast<py::tuple>();
            const py::object mu = contacts[0], dimension = contacts[1], rolling = contacts[2];
            return to_friction_problem("FrictionProblem", state[0], state[1], {mu, dimension, rolling});
        }));
    define_solve_method(type, {"friction", friction_family()}, solve_friction_object);
}

void bind_global_friction_problem(py::module_& module) {
    using Type = GlobalFrictionProblem;
    py::class_<Type> type(module, "GlobalFrictionProblem",
                          R"(Contact with Coulomb friction in global form; see `solve_global_friction`.

>>> import numpy as np
>>> import saltus as sl
>>> sl.GlobalFrictionProblem(np.eye(3), np.eye(3), f=[-1, 4, 0], b=[0, 0, 0], mu=[0.5]).dimension
3
)");
    define_constructor(
        type,
        [](const py::object& M, const py::object& H, const py::object& f, const py::object& b, const py::object& mu,
           const py::object& dimension, const py::object& rolling) {
            return checked(to_global_friction_problem("GlobalFrictionProblem", M, H, f, b, {mu, dimension, rolling}));
        },
        py::arg("M"), py::arg("H"), py::arg("f"), py::arg("b"), py::arg("mu"), py::kw_only(),
        py::arg("dimension") = py::none(), py::arg("rolling") = py::none());
    define_matrix(type, "M", &Type::M, "A numpy array or a scipy.sparse matrix.");
    define_matrix(type, "H", &Type::H, "A numpy array or a scipy.sparse matrix.");
    define_vector(type, "f", &Type::f, "A numpy array.");
    define_vector(type, "b", &Type::b, "A numpy array.");
    define_contacts<Type>(type);
    define_kind_and_size(
        type, +[](const Type& problem) { return problem.b.size(); });
    type.def(py::pickle(
        [](const Type& p) {
            return py::make_tuple(to_python(p.M), to_python(p.H), copied_array(p.f), copied_array(p.b),
                                  contact_state(p));
        },
        [](const py::tuple& state) {
            const auto contacts = state[4].cast<py::tuple>();
            const py::object mu = contacts[0], dimension = contacts[1], rolling = contacts[2];
            return to_global_friction_problem("GlobalFrictionProblem", state[0], state[1], state[2], state[3],
                                              {mu, dimension, rolling});
        }));
    define_solve_method(type, {"global-friction", global_friction_family()}, solve_global);
}

template <std::size_t... I>
std::optional<Problem> problem_of(const py::object& value, std::index_sequence<I...>) {
    std::optional<Problem> result;
    const auto attempt = [&]<class Type>(Type*) {
        if (py::isinstance<Type>(value)) result = value.cast<Type>();
    };
    (attempt(static_cast<std::variant_alternative_t<I, Problem>*>(nullptr)), ...);
    return result;
}

Problem to_problem(const char* function, const py::object& value) {
    auto problem = problem_of(value, std::make_index_sequence<std::variant_size_v<Problem>>{});
    if (!problem)
        throw py::type_error(fmt::format(
            "{}: problem is of type {}; it must be an Lcp, Mlcp, BoxVi, FrictionProblem or GlobalFrictionProblem",
            function, Py_TYPE(value.ptr())->tp_name));
    return std::move(*problem);
}

ProblemKind to_kind(const std::string& name) {
    std::string known;
    for (const ProblemKind kind : problem_kinds) {
        if (to_string(kind) == name) return kind;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(kind));
    }
    throw InvalidInput(fmt::format("load_problem: there is no kind '{}'; the kinds are: {}", name, known));
}

py::object load_problem(const py::object& path, const py::object& kind) {
    std::optional<ProblemKind> wanted;
    if (!kind.is_none()) wanted = to_kind(to_text({"load_problem", "kind"}, kind));
    Problem problem = read_problem(to_path({"load_problem", "path"}, path), wanted);
    return std::visit([](auto& p) { return py::cast(std::move(p)); }, problem);
}

void save_problem(const py::object& path, const py::object& problem) {
    write_problem(to_path({"save_problem", "path"}, path), to_problem("save_problem", problem));
}

double residual_of(const py::object& problem, const py::object& z) {
    const Problem known = to_problem("residual", problem);
    return std::visit(
        [&](const auto& p) {
            if constexpr (requires { p.f; }) {
                const Eigen::VectorXd r = to_vector({"residual", "z"}, z, p.b.size(), "one entry for each of b");
                return residual(p, reduce(p).velocity(r), r);
            } else {
                const Eigen::VectorXd point = to_vector({"residual", "z"}, z, p.q.size(), "one entry for each of q");
                return residual(p, point);
            }
        },
        known);
}

}  // namespace

void bind_problems(py::module_& module) {
    bind_lcp(module);
    bind_mlcp(module);
    bind_box_vi(module);
    bind_friction_problem(module);
    bind_global_friction_problem(module);
    define(module, "load_problem", load_problem, R"(Read a problem file, text (.dat) or FCLIB's HDF5.

Parameters
----------
path : str or path
kind : str, optional
    "lcp", "mlcp", "relay", "friction" or "global-friction"; if it is not given it is found from the contents.

Returns
-------
Lcp, Mlcp, BoxVi, FrictionProblem or GlobalFrictionProblem

Examples
--------
>>> import tempfile
>>> import saltus as sl
>>> with tempfile.TemporaryDirectory() as folder:
...     sl.save_problem(folder + "/small.dat", sl.Lcp([[2]], [-1]))
...     problem = sl.load_problem(folder + "/small.dat")
>>> problem.kind, problem.M, problem.q
('lcp', array([[2.]]), array([-1.]))
)",
           py::arg("path"), py::arg("kind") = py::none());
    define(module, "save_problem", save_problem, R"(Write a problem so that `load_problem` gives the same numbers.

Parameters
----------
path : str or path
    An HDF5 file if it ends in .hdf5 or .h5 (friction problems only), else a text.
problem : Lcp, Mlcp, BoxVi, FrictionProblem or GlobalFrictionProblem
)",
           py::arg("path"), py::arg("problem"));
    define(module, "residual", residual_of, R"(How far z is from a solution: zero exactly at the solutions.

It is the measure that every solver of the problem is judged by. For a global friction problem z = r.

Parameters
----------
problem : Lcp, Mlcp, BoxVi, FrictionProblem or GlobalFrictionProblem
z : array

Examples
--------
>>> import saltus as sl
>>> problem = sl.Lcp([[2, 1], [1, 2]], [-5, 6])
>>> sl.residual(problem, [2.5, 0]), sl.residual(problem, [0, 0]) > 0
(0.0, True)
)",
           py::arg("problem"), py::arg("z"));
}

}  // namespace saltus::python
