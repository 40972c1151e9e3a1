#pragma once

#include <variant>

#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus {

// A problem that a step has to solve, for the record: w = W P + q with laws.
using StepProblem = std::variant<BoxVi, OneStepProblem>;
inline Index size(const StepProblem& problem) {
    return std::visit([](const auto& p) { return p.q.size(); }, problem);
}

}  // namespace saltus
