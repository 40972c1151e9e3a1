#include "python/bindings/laws.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"
#include "saltus/core/block_matrix.hpp"
#include "saltus/core/check.hpp"

namespace saltus::python {

namespace {

template <std::size_t... I>
std::optional<Law> law_of(const py::handle& value, std::index_sequence<I...>) {
    std::optional<Law> result;
    const auto attempt = [&]<class Type>(Type*) {
        if (py::isinstance<Type>(value)) result = value.cast<Type>();
    };
    (attempt(static_cast<std::variant_alternative_t<I, Law>*>(nullptr)), ...);
    return result;
}

// What all laws have.
template <class Type, class Class>
void define_law(Class& type) {
    type.def_property_readonly(
        "dimension", [](const Type& law) { return dimension(law); }, "The rows of a block with this law.");
    define_method(
        type, "project",
        [](const Type& law, const py::object& r) {
            Eigen::VectorXd point = to_vector({"project", "r"}, r, dimension(law), "the dimension of the law");
            project(law, point.data());
            return copied_array(point);
        },
        "The point of the set K of the law that is nearest to r.", py::arg("r"));
}

double to_coefficient(Argument argument, const py::object& value) {
    const double result = to_real(argument, value);
    require(result >= 0.0, "{}: {} is {}; it must be a number, zero or more", argument.function, argument.name, result);
    return result;
}

// For pickle: the coefficients of friction.
template <class Type, class Class>
void define_friction_pickle(Class& type) {
    type.def(py::pickle([](const Type& law) { return law.mu; }, [](const decltype(Type::mu)& mu) { return Type{mu}; }));
}

template <class Type>
void bind_coulomb(py::module_& module, const char* name, const char* doc) {
    py::class_<Type> type(module, name, doc);
    define_constructor(
        type,
        [name](const py::object& friction) {
            return Type{{to_coefficient({name, "friction"}, friction)}};
        },
        py::arg("friction"));
    type.def_property_readonly(
        "friction", [](const Type& law) { return law.mu[0]; }, "The coefficient of friction.");
    type.def("__repr__", [name](const Type& law) { return fmt::format("{}(friction={})", name, law.mu[0]); });
    define_friction_pickle<Type>(type);
    define_law<Type>(type);
}

void bind_equality(py::module_& module) {
    py::class_<Equality> type(module, "Equality", R"(The law w = 0, z free: the rows of a joint.

>>> import saltus as sl
>>> sl.Equality(rows=2)
Equality(rows=2)
)");
    define_constructor(
        type,
        [](const py::object& rows) {
            const int count = to_integer({"Equality", "rows"}, rows);
            require(count >= 1 && count <= BlockMatrix::largest_block, "Equality: rows is {}; it must be from 1 to {}",
                    count, BlockMatrix::largest_block);
            return Equality{count};
        },
        py::arg("rows") = 1);
    type.def_readonly("rows", &Equality::rows, "The number of equations.");
    type.def("__repr__", [](const Equality& law) { return fmt::format("Equality(rows={})", law.rows); });
    type.def(py::pickle([](const Equality& law) { return law.rows; }, [](int rows) { return Equality{rows}; }));
    define_law<Equality>(type);
}

void bind_interval(py::module_& module) {
    py::class_<Interval> type(module, "Interval", R"(The law of one row on an interval: lower <= z <= upper and

    w >= 0 where z = lower,   w <= 0 where z = upper,   w = 0 between.

[0, inf) is an ideal diode or a contact without friction, [-1, 1] a relay.

>>> import saltus as sl
>>> sl.Interval(-1, 1)
Interval(lower=-1, upper=1)
)");
    define_constructor(
        type,
        [](const py::object& lower, const py::object& upper) {
            const Interval law{to_real({"Interval", "lower"}, lower), to_real({"Interval", "upper"}, upper)};
            require(law.is_proper(), "Interval: [{}, {}] holds no number", law.lower, law.upper);
            return law;
        },
        py::arg("lower") = 0.0, py::arg_v("upper", infinity, "math.inf"));
    type.def_readonly("lower", &Interval::lower, "The least z.");
    type.def_readonly("upper", &Interval::upper, "The largest z.");
    type.def("__repr__",
             [](const Interval& law) { return fmt::format("Interval(lower={}, upper={})", law.lower, law.upper); });
    type.def(py::pickle([](const Interval& law) { return std::pair(law.lower, law.upper); },
                        [](const std::pair<double, double>& ends) {
                            return Interval{ends.first, ends.second};
                        }));
    define_law<Interval>(type);
}

void bind_rolling(py::module_& module) {
    py::class_<RollingFriction> type(module, "RollingFriction",
                                     R"(Contact with sliding and rolling friction, rows (N, T1, T2, M1, M2):

    K = { |r_T| <= friction r_N,  |r_M| <= rolling r_N }.

>>> import saltus as sl
>>> sl.RollingFriction(friction=0.5, rolling=0.01).dimension
5
)");
    define_constructor(
        type,
        [](const py::object& friction, const py::object& rolling) {
            return RollingFriction{{to_coefficient({"RollingFriction", "friction"}, friction),
                                    to_coefficient({"RollingFriction", "rolling"}, rolling)}};
        },
        py::arg("friction"), py::arg("rolling"));
    type.def_property_readonly(
        "friction", [](const RollingFriction& law) { return law.mu[0]; }, "The coefficient of friction.");
    type.def_property_readonly(
        "rolling", [](const RollingFriction& law) { return law.mu[1]; }, "The coefficient of rolling friction.");
    type.def("__repr__", [](const RollingFriction& law) {
        return fmt::format("RollingFriction(friction={}, rolling={})", law.mu[0], law.mu[1]);
    });
    define_friction_pickle<RollingFriction>(type);
    define_law<RollingFriction>(type);
}

}  // namespace

std::vector<Law> to_laws(Argument argument, const py::object& value) {
    if (!py::isinstance<py::iterable>(value))
        throw py::type_error(fmt::format("{}: {} is of type {}; it must be a list of laws, one for each block of W",
                                         argument.function, argument.name, Py_TYPE(value.ptr())->tp_name));
    std::vector<Law> laws;
    for (const py::handle element : value) {
        const auto law = law_of(element, std::make_index_sequence<std::variant_size_v<Law>>{});
        if (!law)
            throw py::type_error(
                fmt::format("{}: {}[{}] is of type {}; it must be an Equality, Interval, Coulomb2D, Coulomb3D or "
                            "RollingFriction",
                            argument.function, argument.name, laws.size(), Py_TYPE(element.ptr())->tp_name));
        laws.push_back(*law);
    }
    return laws;
}

void bind_laws(py::module_& module) {
    bind_equality(module);
    bind_interval(module);
    bind_coulomb<Coulomb2D>(module, "Coulomb2D", R"(Contact with Coulomb friction in the plane, rows (N, T):

    0 <= u_N, 0 <= r_N, u_N r_N = 0;   |r_T| <= friction r_N,   r_T = -friction r_N sign(u_T) where it slides.

>>> import saltus as sl
>>> sl.Coulomb2D(friction=1).project([0, 2])
array([1., 1.])
)");
    bind_coulomb<Coulomb3D>(module, "Coulomb3D", R"(Contact with Coulomb friction in space, rows (N, T1, T2):

    0 <= u_N, 0 <= r_N, u_N r_N = 0;   |r_T| <= friction r_N,   r_T = -friction r_N u_T/|u_T| where it slides.

>>> import saltus as sl
>>> sl.Coulomb3D(friction=0.5).project([-1, 0, 0])
array([0., 0., 0.])
)");
    bind_rolling(module);
}

}  // namespace saltus::python
