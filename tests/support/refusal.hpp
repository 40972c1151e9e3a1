#pragma once

#include <string>

#include "saltus/core/check.hpp"

namespace saltus::testing {

// The message with which `action` is refused, "accepted" if it is not.
template <class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace saltus::testing
