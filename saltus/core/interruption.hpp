#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace saltus {

// What check_interruption() throws to end a solve. Only who made the Interruption catches it.
struct Interrupted {};

// Ends a long solve from outside: while this lives, the solvers called in its thread ask `goes_on` before an iteration,
// at most fifty times a second, and throw Interrupted once it has returned false or somebody has called end().
//     Interruption interruption([] { return !is_cancelled; });
//     solver.solve(problem, z);
// It is found through the thread instead of an option of the solvers, so that no solver that calls others can forget
// to pass it on. Where there is none, an iteration pays for one comparison of a pointer. One operation of linear
// algebra, such as a factorization, is not interrupted.
class Interruption {
public:
    explicit Interruption(std::function<bool()> goes_on = [] { return true; })
        : goes_on_(std::move(goes_on)), scope_(this) {}
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    // That of this thread, or null.
    static Interruption* current() { return current_; }

    // While it lives, a task of another thread takes part in a solve, and ends when that does. Null changes nothing.
    class Scope {
    public:
        explicit Scope(Interruption* shared) : last_(std::exchange(current_, shared)) {}
        ~Scope() { current_ = last_; }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Interruption* last_;
    };

    // From any thread.
    void end() { is_ended_ = true; }

    void check() {
        if (is_ended_.load(std::memory_order_relaxed)) throw Interrupted{};
        if (std::this_thread::get_id() != owner_) return;
        const Clock::time_point now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        if (goes_on_()) return;
        end();
        throw Interrupted{};
    }

private:
    using Clock = std::chrono::steady_clock;
    static inline constinit thread_local Interruption* current_ = nullptr;

    std::function<bool()> goes_on_;
    std::thread::id owner_ = std::this_thread::get_id();
    Clock::time_point last_ = Clock::now();
    std::atomic<bool> is_ended_{false};
    Scope scope_;
};

// Once an iteration of every solver.
inline void check_interruption() {
    if (Interruption* const current = Interruption::current()) current->check();
}

}  // namespace saltus
