#include "python/bindings/problem_arguments.hpp"

#include "saltus/core/check.hpp"

namespace saltus::python {

namespace {

constexpr const char* row_each = "one entry for each row of M";

// The dimension of a contact: given; else from the lengths of q and mu; else 5 with rolling friction, 3 without.
Index contact_dimension(const char* function, const char* name, Index rows, const ContactArguments& contacts) {
    Index dimension = contacts.rolling.is_none() ? 3 : 5;
    if (!contacts.dimension.is_none()) {
        dimension = to_integer({function, "dimension"}, contacts.dimension);
    } else if (!is_number(contacts.mu)) {
        const Index count = to_vector({function, "mu"}, contacts.mu).size();
        require(count > 0 ? rows % count == 0 : rows == 0,
                "{}: {} has {} entries and mu {}; a contact takes 2, 3 or 5 entries of {} and one of mu", function,
                name, rows, count, name);
        if (count > 0) dimension = rows / count;
    }
    require(dimension == 2 || dimension == 3 || dimension == 5,
            "{}: the dimension of a contact is {}; it must be 2 (N, T), 3 (N, T1, T2) or 5 (with rolling friction)",
            function, dimension);
    require((dimension == 5) == !contacts.rolling.is_none(), "{}: contacts of dimension {} {} coefficients `rolling`",
            function, dimension, dimension == 5 ? "need" : "have no");
    require(rows % dimension == 0, "{}: {} has {} entries; it must be a multiple of {}, the dimension of a contact",
            function, name, rows, dimension);
    return dimension;
}

Eigen::VectorXd to_coefficients(Argument argument, const py::object& value, Index contacts) {
    if (value.is_none()) return {};
    return to_filled_vector(argument, value, contacts, "one coefficient for each contact");
}

}  // namespace

Lcp to_lcp(const char* function, const py::object& M, const py::object& q) {
    Lcp problem{to_square_matrix({function, "M"}, M), {}};
    problem.q = to_vector({function, "q"}, q, problem.M.rows(), row_each);
    return problem;
}

Mlcp to_mlcp(const char* function, const py::object& M, const py::object& q, const py::object& free) {
    Mlcp problem{to_square_matrix({function, "M"}, M), {}, {}};
    problem.q = to_vector({function, "q"}, q, problem.M.rows(), row_each);
    problem.free = to_mask({function, "free"}, free, problem.M.rows(), row_each);
    return problem;
}

BoxVi to_box_vi(const char* function, const py::object& M, const py::object& q, const py::object& lower,
                const py::object& upper) {
    BoxVi problem{to_square_matrix({function, "M"}, M), {}, {}, {}};
    const Index n = problem.M.rows();
    problem.q = to_vector({function, "q"}, q, n, row_each);
    problem.lower = to_filled_vector({function, "lower"}, lower, n, row_each);
    problem.upper = to_filled_vector({function, "upper"}, upper, n, row_each);
    return problem;
}

FrictionProblem to_friction_problem(const char* function, const py::object& W, const py::object& q,
                                    const ContactArguments& contacts) {
    const Matrix matrix = to_square_matrix({function, "W"}, W);
    const Index rows = matrix.rows();
    FrictionProblem problem;
    problem.q = to_vector({function, "q"}, q, rows, "one entry for each row of W");
    const Index dimension = contact_dimension(function, "q", rows, contacts);
    problem.W = BlockMatrix(matrix, static_cast<int>(dimension));
    problem.mu = to_coefficients({function, "mu"}, contacts.mu, rows / dimension);
    problem.rolling = to_coefficients({function, "rolling"}, contacts.rolling, rows / dimension);
    return problem;
}

GlobalFrictionProblem to_global_friction_problem(const char* function, const py::object& M, const py::object& H,
                                                 const py::object& f, const py::object& b,
                                                 const ContactArguments& contacts) {
    GlobalFrictionProblem problem{to_square_matrix({function, "M"}, M), to_matrix({function, "H"}, H), {}, {}, {}, {}};
    problem.f = to_vector({function, "f"}, f, problem.M.rows(), row_each);
    problem.b = to_vector({function, "b"}, b);
    const Index rows = problem.b.size();
    require(problem.H.rows() == problem.M.rows() && problem.H.cols() == rows,
            "{}: H has shape ({}, {}); it must be ({}, {}): a row for each row of M, a column for each entry of b",
            function, problem.H.rows(), problem.H.cols(), problem.M.rows(), rows);
    const Index dimension = contact_dimension(function, "b", rows, contacts);
    problem.mu = to_coefficients({function, "mu"}, contacts.mu, rows / dimension);
    problem.rolling = to_coefficients({function, "rolling"}, contacts.rolling, rows / dimension);
    return problem;
}

}  // namespace saltus::python
