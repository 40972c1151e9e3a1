#pragma once

#include <gtest/gtest.h>

namespace saltus::testing {

// Whether the sanitizers watch this build, which makes it ten times slower.
#ifdef __SANITIZE_ADDRESS__
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

}  // namespace saltus::testing

// The first line of the longest measurements of orders, energies and attractors: what they run, other tests run too.
#define SALTUS_SKIP_IF_SANITIZED() \
    if (::saltus::testing::is_sanitized) GTEST_SKIP() << "too long under the sanitizers"
