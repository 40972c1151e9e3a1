#pragma once

namespace saltus::cli {

// While an object lives, Ctrl-C (and a request to terminate) only sets a flag: the work ends in order and keeps what
// was computed. A second one ends the process at once.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    static bool is_interrupted();
};

}  // namespace saltus::cli
