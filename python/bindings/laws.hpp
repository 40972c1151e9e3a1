#pragma once

#include <vector>

#include "python/bindings/arguments.hpp"
#include "saltus/laws/law.hpp"

namespace saltus::python {

// The laws of a sequence of Python.
std::vector<Law> to_laws(Argument argument, const py::object& value);

}  // namespace saltus::python
