#pragma once

#include <string_view>

namespace saltus {

// The version of the library, "0.1.0": that of the project in CMakeLists.txt.
std::string_view version();

}  // namespace saltus
