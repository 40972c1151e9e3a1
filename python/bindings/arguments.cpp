#include "python/bindings/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "saltus/core/check.hpp"

namespace saltus::python {

namespace {

constexpr const char* an_array = "an array of real numbers";

[[noreturn]] void refuse_type(Argument argument, const std::string& found, const char* wanted) {
    throw py::type_error(fmt::format("{}: {} {}; it must be {}", argument.function, argument.name, found, wanted));
}

[[noreturn]] void refuse_value(Argument argument, const std::string& found, const std::string& wanted) {
    throw InvalidInput(fmt::format("{}: {} {}; it must be {}", argument.function, argument.name, found, wanted));
}

std::string found_type(const py::object& value) {
    return value.is_none() ? "is None" : fmt::format("is of type {}", Py_TYPE(value.ptr())->tp_name);
}

std::string found_shape(const py::array& array) {
    return fmt::format("has shape {}", std::string(py::str(array.attr("shape"))));
}

bool is_sparse(const py::object& value) { return !py::isinstance<py::array>(value) && py::hasattr(value, "tocsc"); }

// Doubles in the order of bytes and at the addresses that the processor reads.
bool is_plain(const py::array& array) {
    constexpr int double_number = 12, aligned = 0x0100;  // NPY_DOUBLE, NPY_ARRAY_ALIGNED
    const py::dtype type = array.dtype();
    return type.num() == double_number && type.byteorder() == '=' && (array.flags() & aligned) != 0;
}

py::array as_array(Argument argument, const py::object& value) {
    if (py::isinstance<py::array>(value)) return value;
    if (value.is_none() || py::isinstance<py::str>(value)) refuse_type(argument, found_type(value), an_array);
    try {
        return py::module_::import("numpy").attr("asarray")(value);
    } catch (const py::error_already_set& error) {
        if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
        refuse_value(argument, fmt::format("is not an array ({})", std::string(py::str(error.value()))), an_array);
    }
}

// An array of kind 'b', 'i', 'u' or 'f', as plain doubles.
py::array plain_array(Argument argument, const py::object& value) {
    py::array array = as_array(argument, value);
    if (is_plain(array)) return array;
    if (std::strchr("biuf", array.dtype().kind()) == nullptr)
        refuse_type(argument, fmt::format("has entries of type {}", std::string(py::str(array.dtype()))), an_array);
    return array.attr("astype")("float64");
}

// The entry of a plain array at `offset` bytes from its first.
double entry(const py::array& array, py::ssize_t offset) {
    return *reinterpret_cast<const double*>(static_cast<const char*>(array.data()) + offset);
}

Eigen::VectorXd copied_vector(const py::array& array) {
    Eigen::VectorXd result(array.shape(0));
    const py::ssize_t stride = array.strides(0);
    for (Index i = 0; i < result.size(); ++i) result[i] = entry(array, i * stride);
    return result;
}

Eigen::MatrixXd copied_matrix(const py::array& array) {
    Eigen::MatrixXd result(array.shape(0), array.shape(1));
    const py::ssize_t down = array.strides(0), right = array.strides(1);
    constexpr Index tile = 16;  // columns at a time: neither rows nor columns are read or written with long strides
    for (Index first = 0; first < result.cols(); first += tile)
        for (Index i = 0; i < result.rows(); ++i)
            for (Index j = first; j < std::min(first + tile, result.cols()); ++j)
                result(i, j) = entry(array, i * down + j * right);
    return result;
}

// The arrays of a matrix in compressed columns.
struct CompressedColumns {
    Index rows, cols;
    py::array_t<std::int64_t> starts, row_numbers;
    py::array_t<double> values;

    explicit CompressedColumns(const py::object& csc)
        : rows(csc.attr("shape").attr("__getitem__")(0).cast<Index>()),
          cols(csc.attr("shape").attr("__getitem__")(1).cast<Index>()),
          starts(csc.attr("indptr")),
          row_numbers(csc.attr("indices")),
          values(csc.attr("data")) {}

    // Whether every access is within the arrays: the members of a scipy matrix can be written.
    bool is_consistent() const {
        const auto s = starts.unchecked<1>();
        const auto r = row_numbers.unchecked<1>();
        if (starts.size() != cols + 1 || s(0) != 0) return false;
        for (Index j = 0; j < cols; ++j)
            if (s(j) > s(j + 1)) return false;
        if (s(cols) > row_numbers.size() || s(cols) > values.size()) return false;
        for (Index k = 0; k < s(cols); ++k)
            if (r(k) < 0 || r(k) >= rows) return false;
        return true;
    }

    // Whether the rows of each column ascend, none twice.
    bool is_sorted() const {
        const auto s = starts.unchecked<1>();
        const auto r = row_numbers.unchecked<1>();
        for (Index j = 0; j < cols; ++j)
            for (Index k = s(j) + 1; k < s(j + 1); ++k)
                if (r(k - 1) >= r(k)) return false;
        return true;
    }

    Matrix::Sparse copy() const {
        const auto s = starts.unchecked<1>();
        const auto r = row_numbers.unchecked<1>();
        const auto v = values.unchecked<1>();
        const Index count = s(cols);
        Matrix::Sparse result(rows, cols);
        result.resizeNonZeros(count);
        for (Index j = 0; j <= cols; ++j) result.outerIndexPtr()[j] = static_cast<int>(s(j));
        for (Index k = 0; k < count; ++k) {
            result.innerIndexPtr()[k] = static_cast<int>(r(k));
            result.valuePtr()[k] = v(k);
        }
        return result;
    }
};

Matrix::Sparse copied_sparse(Argument argument, const py::object& value) {
    py::object csc = value.attr("tocsc")();
    const auto kind = csc.attr("dtype").attr("kind").cast<std::string>();
    if (std::string_view("biuf").find(kind) == std::string_view::npos)
        refuse_type(argument, fmt::format("has entries of type {}", std::string(py::str(csc.attr("dtype")))), an_array);
    CompressedColumns columns(csc);
    constexpr Index largest = std::numeric_limits<int>::max();
    if (std::max({columns.rows, columns.cols, Index{columns.values.size()}}) > largest)
        refuse_value(argument, "has more than 2^31 rows, columns or entries", "smaller");
    if (!columns.is_consistent()) refuse_value(argument, "has indices out of range", "a valid sparse matrix");
    if (!columns.is_sorted()) {  // the caller's matrix stays as it is
        csc = csc.attr("copy")();
        csc.attr("sum_duplicates")();
        columns = CompressedColumns(csc);
    }
    return columns.copy();
}

py::array checked_vector(Argument argument, const py::object& value) {
    if (is_sparse(value)) refuse_type(argument, "is a sparse matrix", "a vector");
    py::array array = plain_array(argument, value);
    if (array.ndim() != 1) refuse_value(argument, found_shape(array), "a vector, of shape (n,)");
    return array;
}

void check_size(Argument argument, const py::array& array, Index size, const char* reason) {
    if (array.ndim() != 1 || array.shape(0) != size)
        refuse_value(argument, found_shape(array), fmt::format("({},): {}", size, reason));
}

}  // namespace

Matrix to_matrix(Argument argument, const py::object& value) {
    if (is_sparse(value)) return copied_sparse(argument, value);
    const py::array array = plain_array(argument, value);
    if (array.ndim() == 1 && array.size() == 0) return Eigen::MatrixXd(0, 0);
    if (array.ndim() != 2) refuse_value(argument, found_shape(array), "a matrix, with two dimensions");
    return copied_matrix(array);
}

Matrix to_square_matrix(Argument argument, const py::object& value) {
    Matrix result = to_matrix(argument, value);
    if (result.rows() != result.cols())
        refuse_value(argument, fmt::format("has shape ({}, {})", result.rows(), result.cols()), "square, n x n");
    return result;
}

Eigen::VectorXd to_vector(Argument argument, const py::object& value) {
    return copied_vector(checked_vector(argument, value));
}

Eigen::VectorXd to_vector(Argument argument, const py::object& value, Index size, const char* reason) {
    if (is_sparse(value)) refuse_type(argument, "is a sparse matrix", "a vector");
    const py::array array = plain_array(argument, value);
    check_size(argument, array, size, reason);
    return copied_vector(array);
}

Eigen::VectorXd to_filled_vector(Argument argument, const py::object& value, Index size, const char* reason) {
    if (is_sparse(value)) refuse_type(argument, "is a sparse matrix", "a number or a vector");
    const py::array array = plain_array(argument, value);
    if (array.ndim() == 0) return Eigen::VectorXd::Constant(size, entry(array, 0));
    check_size(argument, array, size, reason);
    return copied_vector(array);
}

Eigen::VectorXd to_guess(Argument argument, const py::object& value, Index size, const char* reason) {
    if (value.is_none()) return Eigen::VectorXd::Zero(size);
    return to_vector(argument, value, size, reason);
}

std::vector<bool> to_mask(Argument argument, const py::object& value, Index size, const char* reason) {
    const py::array array = as_array(argument, value);
    if (array.dtype().kind() != 'b' && array.size() > 0)
        refuse_type(argument, fmt::format("has entries of type {}", std::string(py::str(array.dtype()))),
                    "an array of booleans, True where the variable is free");
    check_size(argument, array, size, reason);
    std::vector<bool> result(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) result[static_cast<std::size_t>(i)] = *static_cast<const bool*>(array.data(i));
    return result;
}

bool is_number(const py::object& value) {
    return py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value) ||
           (!py::isinstance<py::array>(value) && py::hasattr(value, "__float__"));
}

double to_real(Argument argument, const py::object& value) {
    const double result = is_number(value) ? PyFloat_AsDouble(value.ptr()) : -1.0;
    if (!is_number(value) || (result == -1.0 && PyErr_Occurred() != nullptr)) {
        PyErr_Clear();
        refuse_type(argument, found_type(value), "a number");
    }
    return result;
}

int to_integer(Argument argument, const py::object& value) {
    const bool is_index = PyIndex_Check(value.ptr()) != 0;
    const py::ssize_t result = is_index ? PyNumber_AsSsize_t(value.ptr(), nullptr) : -1;  // clamped to its range
    if (!is_index || (result == -1 && PyErr_Occurred() != nullptr)) {
        PyErr_Clear();
        refuse_type(argument, found_type(value), "an integer");
    }
    constexpr py::ssize_t largest = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(result, -largest, largest));
}

bool is_flag(const py::object& value) {
    return PyBool_Check(value.ptr()) || std::strcmp(Py_TYPE(value.ptr())->tp_name, "numpy.bool_") == 0;
}

bool to_flag(Argument argument, const py::object& value) {
    if (!is_flag(value)) refuse_type(argument, found_type(value), "True or False");
    return PyObject_IsTrue(value.ptr()) == 1;
}

std::string to_text(Argument argument, const py::object& value) {
    if (!py::isinstance<py::str>(value)) refuse_type(argument, found_type(value), "a string");
    return value.cast<std::string>();
}

std::filesystem::path to_path(Argument argument, const py::object& value) {
    const auto path = py::reinterpret_steal<py::object>(PyOS_FSPath(value.ptr()));
    if (!path) {
        PyErr_Clear();
        refuse_type(argument, found_type(value), "a path");
    }
    const auto text = path.cast<std::string>();
    if (text.find('\0') != std::string::npos)
        throw py::value_error(
            fmt::format("{}: {} has a null character; a path has none", argument.function, argument.name));
    return text;
}

py::function to_function(Argument argument, const py::object& value) {
    if (PyCallable_Check(value.ptr()) == 0) refuse_type(argument, found_type(value), "a function");
    return py::reinterpret_borrow<py::function>(value);
}

py::array shared_array(const Eigen::VectorXd& v, const py::object& owner) {
    return py::array_t<double>(v.size(), v.data(), owner);
}

py::array copied_array(const Eigen::VectorXd& v) { return py::array_t<double>(v.size(), v.data()); }

py::object to_python(const Matrix& M, const py::object& owner) {
    if (M.is_sparse()) return to_python(M.sparse());
    const Index rows = M.rows(), cols = M.cols();
    constexpr auto size = static_cast<Index>(sizeof(double));
    py::array_t<double> result({rows, cols}, {size, size * rows}, M.dense().data(), owner);
    result.attr("flags").attr("writeable") = false;
    return result;
}

py::object to_python(const Matrix& M) {
    if (M.is_sparse()) return to_python(M.sparse());
    constexpr auto size = static_cast<Index>(sizeof(double));
    return py::array_t<double>({M.rows(), M.cols()}, {size, size * M.rows()}, M.dense().data());
}

py::object to_python(const Matrix::Sparse& M) {
    const Index count = M.nonZeros();
    const py::array_t<double> values(count, M.valuePtr());
    const py::array_t<int> row_numbers(count, M.innerIndexPtr()), starts(M.cols() + 1, M.outerIndexPtr());
    return py::module_::import("scipy.sparse")
        .attr("csc_matrix")(py::make_tuple(values, row_numbers, starts), py::make_tuple(M.rows(), M.cols()));
}

}  // namespace saltus::python
