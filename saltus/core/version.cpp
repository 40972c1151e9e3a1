#include "saltus/core/version.hpp"

namespace saltus {

std::string_view version() { return SALTUS_VERSION; }

}  // namespace saltus
