#include "support/allocations.hpp"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count = 0;
}

// The linker's option --wrap=f sends calls of f to __wrap_f, and those of __real_f to f.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_realloc(void* old, std::size_t size);
void* __real__Znwm(std::size_t size);  // operator new(std::size_t)

void* __wrap_malloc(std::size_t size) {
    ++count;
    return __real_malloc(size);
}
void* __wrap_realloc(void* old, std::size_t size) {
    ++count;
    return __real_realloc(old, size);
}
void* __wrap__Znwm(std::size_t size) {
    ++count;
    return __real__Znwm(size);
}
}

long saltus::testing::allocations() { return count; }
