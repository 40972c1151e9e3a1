#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "saltus/io/model/externals.hpp"

namespace saltus::python {

namespace py = pybind11;

// A function of a model that is written in Python. Evaluated without the interpreter lock, which it takes itself: one
// call of Python per value. Exceptions of Python pass through the library as they are.
struct PythonFunction {
    py::object value;
    py::object jacobian;                // or None: central differences, two calls per variable
    std::vector<std::string> passed{};  // the variables it is called with, in the order of its parameters
    Index rows = 0, cols = 0;           // of what it returns; no columns: a vector
};

// The only holder of the objects of a function, which models and their document share: the garbage collector of Python
// has to find every reference. The last may be given up by any thread.
using SharedFunction = std::shared_ptr<PythonFunction>;
SharedFunction share(PythonFunction function);

// `function` as a part of a model.
ExternalFunction to_external(const SharedFunction& function);

}  // namespace saltus::python
