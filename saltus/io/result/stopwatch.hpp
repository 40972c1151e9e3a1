#pragma once

#include <algorithm>
#include <chrono>

namespace saltus {

// The time since it was made. Reading the clock takes as long as a short step does. So it is read at most about once
// every ten microseconds; in between, the last reading is repeated.
class Stopwatch {
public:
    double seconds() {
        if (++calls_ < stride_) return last_;
        const double now = std::chrono::duration<double>(Clock::now() - start_).count();
        stride_ = now - last_ < 1e-5 ? std::min(2 * stride_, 1024) : std::max(1, stride_ / 2);
        calls_ = 0;
        last_ = now;
        return now;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    double last_ = 0.0;
    int calls_ = 0, stride_ = 1;
};

}  // namespace saltus
