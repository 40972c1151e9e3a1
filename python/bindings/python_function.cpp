#include "python/bindings/python_function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>

#include <cmath>
#include <limits>

namespace saltus::python {

namespace {

using Columns = py::array_t<double, py::array::f_style | py::array::forcecast>;

std::string shape_text(const std::vector<py::ssize_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// What a model calls: the functions, and which of the stacked arguments they are given.
class Call {
public:
    Call(SharedFunction function, const std::vector<Symbol>& variables, std::string where)
        : shared_(std::move(function)), function_(*shared_), where_(std::move(where)) {
        for (const std::string& name : function_.passed) {
            Index start = 0;
            for (const Symbol& variable : variables) {
                if (variable.name == name) arguments_.push_back({start, variable.size});
                start += std::max<Index>(1, variable.size);
            }
        }
        if (arguments_.size() != function_.passed.size())
            throw py::value_error(fmt::format("{}: the function takes {}; it knows {}", where_,
                                              fmt::join(function_.passed, ", "), names(variables)));
    }

    Index outputs() const { return function_.rows * std::max<Index>(1, function_.cols); }
    bool has_jacobian() const { return !function_.jacobian.is_none(); }

    void value(const double* in, double* out) const {
        const py::gil_scoped_acquire lock;
        std::vector<py::ssize_t> shape{function_.rows};
        if (function_.cols > 0) shape.push_back(function_.cols);
        copy(function_.value(*python_arguments(in)), shape, "", out);
    }
    // The derivatives by the arguments that are passed, side by side; the others are zero.
    void jacobian(const double* in, Function::OutMatrix& jacobian) const {
        const py::gil_scoped_acquire lock;
        Index width = 0;
        for (const Argument& argument : arguments_) width += argument.width();
        Eigen::MatrixXd passed(outputs(), width);
        copy(function_.jacobian(*python_arguments(in)), {outputs(), width}, "the Jacobian of ", passed.data());
        Index at = 0;
        for (const Argument& argument : arguments_) {
            jacobian.middleCols(argument.start, argument.width()) = passed.middleCols(at, argument.width());
            at += argument.width();
        }
    }
    // Where the derivatives are not zero.
    std::vector<Index> inputs() const {
        std::vector<Index> result;
        for (const Argument& argument : arguments_)
            for (Index j = 0; j < argument.width(); ++j) result.push_back(argument.start + j);
        return result;
    }

private:
    struct Argument {
        Index start, size;  // a scalar has size 0
        Index width() const { return std::max<Index>(1, size); }
    };

    static std::string names(const std::vector<Symbol>& variables) {
        std::vector<std::string> result;
        for (const Symbol& variable : variables) result.push_back(variable.name);
        return fmt::format("{}", fmt::join(result, ", "));
    }

    py::tuple python_arguments(const double* in) const {
        py::tuple result(arguments_.size());
        for (std::size_t k = 0; k < arguments_.size(); ++k) {
            const auto [start, size] = arguments_[k];
            if (size == 0)
                result[k] = py::float_(in[start]);
            else
                result[k] = py::array_t<double>(size, in + start);  // a copy: the function may keep it
        }
        return result;
    }

    std::string function_name() const {
        return py::hasattr(function_.value, "__name__") ? py::str(function_.value.attr("__name__"))
                                                        : py::str(py::type::of(function_.value).attr("__name__"));
    }

    // A number stands for an array with one entry, a list for a row or column where the size allows no doubt.
    void copy(const py::object& result, const std::vector<py::ssize_t>& shape, const char* what, double* out) const {
        const Columns found = Columns::ensure(result);
        if (!found) {
            PyErr_Clear();
            throw py::value_error(
                fmt::format("{}: {}the function '{}' returned {}; it must return numbers, of shape {}", where_, what,
                            function_name(), std::string(py::str(py::type::of(result))), shape_text(shape)));
        }
        py::ssize_t expected = 1;
        for (const py::ssize_t extent : shape) expected *= extent;
        const std::vector<py::ssize_t> found_shape(found.shape(), found.shape() + found.ndim());
        const bool is_one = expected == 1 && found.size() == 1;
        const bool is_flat = found.ndim() == 1 && found.size() == expected &&
                             (shape.size() == 1 || shape.front() == 1 || shape.back() == 1);
        if (found_shape != shape && !is_one && !is_flat)
            throw py::value_error(fmt::format("{}: {}the function '{}' returned shape {}; it must be {}", where_, what,
                                              function_name(), shape_text(found_shape), shape_text(shape)));
        std::copy_n(found.data(), expected, out);
    }

    SharedFunction shared_;
    const PythonFunction& function_;
    std::string where_;
    std::vector<Argument> arguments_;
};

// Central differences: their error is of the order of the cube root of the rounding error squared.
Function::JacobianCallable differences(const std::shared_ptr<const Call>& call) {
    return [call, x = Eigen::VectorXd(), ahead = Eigen::VectorXd(), behind = Eigen::VectorXd()](
               const Function::In& in, Function::OutMatrix& jacobian) mutable {
        static const double small = std::cbrt(std::numeric_limits<double>::epsilon());
        x = in;
        ahead.resize(jacobian.rows());
        behind.resize(jacobian.rows());
        for (const Index j : call->inputs()) {
            const double step = small * std::max(1.0, std::abs(in[j]));
            x[j] = in[j] + step;
            const double right = x[j];
            call->value(x.data(), ahead.data());
            x[j] = in[j] - step;
            call->value(x.data(), behind.data());
            jacobian.col(j) = (ahead - behind) / (right - x[j]);
            x[j] = in[j];
        }
    };
}

Function make(const SharedFunction& function, const std::vector<Symbol>& variables, const std::string& where) {
    const py::gil_scoped_acquire lock;
    const auto call = std::make_shared<const Call>(function, variables, where);  // shared by the copies of the function
    const Function::JacobianCallable exact = [call](const Function::In& in, Function::OutMatrix& jacobian) {
        call->jacobian(in.data(), jacobian);
    };
    return Function::with_jacobian(
        argument_count({.variables = variables}), call->outputs(),
        [call](const Function::In& in, Function::Out& out) { call->value(in.data(), out.data()); },
        call->has_jacobian() ? exact : differences(call));
}

}  // namespace

SharedFunction share(PythonFunction function) {
    return {new PythonFunction(std::move(function)), [](const PythonFunction* last) {
                const py::gil_scoped_acquire lock;
                delete last;
            }};
}

ExternalFunction to_external(const SharedFunction& function) {
    const Index outputs = function->rows * std::max<Index>(1, function->cols);
    const bool is_of_time = function->passed == std::vector<std::string>{"t"};
    return {outputs, is_of_time, !function->jacobian.is_none(),
            [function](const std::vector<Symbol>& variables, const std::string& where) {
                return make(function, variables, where);
            }};
}

}  // namespace saltus::python
