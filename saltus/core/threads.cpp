#include "saltus/core/threads.hpp"

#include <tbb/info.h>

#include <algorithm>

namespace saltus {

int usable_threads(int asked) { return std::min(asked, tbb::info::default_concurrency()); }

}  // namespace saltus
