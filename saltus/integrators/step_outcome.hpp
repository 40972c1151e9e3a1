#pragma once

namespace saltus {

// The outcome of a step.
enum class StepOutcome {
    kept,      // solved with the placement of the step before
    switched,  // solved, with another placement
    failed,    // not solved: the state is still that before the step
};

}  // namespace saltus
