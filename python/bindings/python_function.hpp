#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "saltus/io/externals.hpp"

namespace saltus::python {

namespace py = pybind11;

// A function of a model that is written in Python. Evaluated without the interpreter lock, which it takes itself: one
// call of Python a value. Exceptions of Python pass through the library as they are.
struct PythonFunction {
    py::object value;
    py::object jacobian;                // or None: central differences, two calls a variable
    std::vector<std::string> passed{};  // the variables it is called with, in the order of its parameters
    Index rows = 0, cols = 0;           // of what it returns; no columns: a vector
};

// `function` as a part of a model. The last copy may be given up by any thread.
ExternalFunction to_external(PythonFunction function);

}  // namespace saltus::python
