#pragma once

#include <limits>

namespace saltus {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace saltus
