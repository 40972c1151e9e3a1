#pragma once

#include <string_view>

namespace saltus {

// The version of the library, such as "0.1.0", as given in CMakeLists.txt.
std::string_view version();

}  // namespace saltus
