#pragma once

namespace saltus::testing {

// How often memory was asked for since the program began, by code linked statically: ours, Eigen's, templates.
long allocations();

// The allocations made by a call.
template <class Function>
long allocations_in(const Function& function) {
    const long before = allocations();
    function();
    return allocations() - before;
}

}  // namespace saltus::testing
