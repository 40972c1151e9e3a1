#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "saltus/core/matrix.hpp"

namespace saltus::python {

namespace py = pybind11;

// What a Python object holds, in the types of the library, and back. Dense data is anything that numpy reads as real
// numbers; sparse matrices are those of scipy.sparse, in any format, which never become dense on the way. Wrong types
// are a TypeError, wrong shapes a ValueError; both begin with the names of the function and of the argument.

// "solve_lcp: M": the place that a message names.
struct Argument {
    const char* function;
    const char* name;
};

// Two dimensions, dense or sparse. An empty list is a matrix without rows.
Matrix to_matrix(Argument argument, const py::object& value);
Matrix to_square_matrix(Argument argument, const py::object& value);
// One dimension, of any length.
Eigen::VectorXd to_vector(Argument argument, const py::object& value);
// One dimension; `reason` says why it must have this size: "one entry for each row of M".
Eigen::VectorXd to_vector(Argument argument, const py::object& value, Index size, const char* reason);
// The same; a number stands for a vector of equal entries.
Eigen::VectorXd to_filled_vector(Argument argument, const py::object& value, Index size, const char* reason);
// The guess of a solver, zero if it is None.
Eigen::VectorXd to_guess(Argument argument, const py::object& value, Index size, const char* reason);
// Booleans in one dimension.
std::vector<bool> to_mask(Argument argument, const py::object& value, Index size, const char* reason);

bool is_number(const py::object& value);
bool is_flag(const py::object& value);
double to_real(Argument argument, const py::object& value);
int to_integer(Argument argument, const py::object& value);
bool to_flag(Argument argument, const py::object& value);
std::string to_text(Argument argument, const py::object& value);
std::filesystem::path to_path(Argument argument, const py::object& value);
py::function to_function(Argument argument, const py::object& value);

// An array that shares the memory of v; it keeps `owner`, which holds v, alive.
py::array shared_array(const Eigen::VectorXd& v, const py::object& owner);
// An array with a copy of v.
py::array copied_array(const Eigen::VectorXd& v);
// A read-only array that shares the memory of a dense M, which `owner` holds; a scipy.sparse.csc_matrix of a sparse M.
py::object to_python(const Matrix& M, const py::object& owner);
py::object to_python(const Matrix::Sparse& M);
// The same with a copy of M.
py::object to_python(const Matrix& M);

}  // namespace saltus::python
