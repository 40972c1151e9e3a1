#pragma once

#include "saltus/core/matrix.hpp"

namespace saltus {

// A contact closes: its normal velocity before and after the step, and the normal percussion.
struct Impact {
    double t = 0.0;  // the end of the step in which it happened
    Index interaction = 0;
    double before = 0.0, after = 0.0, percussion = 0.0;
    double gap = 0.0;  // at the beginning of the step: the gap still left is the error of the position
};

}  // namespace saltus
