#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace saltus {

// What check_interruption() throws to end a solve. Only the maker of the Interruption catches it.
struct Interrupted {};

// Ends a long solve from outside: while this lives, the solvers called in its thread ask `goes_on` before an iteration,
// at most fifty times per second, and throw Interrupted once it has returned false or end() has been called.
//     Interruption interruption([] { return !is_cancelled; });
//     solver.solve(problem, z);
// Solvers find it through their thread and not through an option, so that no solver that calls others can forget to
// pass it on. Without an Interruption, an iteration pays for one comparison of a pointer. A single operation of linear
// algebra, such as a factorization, is not interrupted.
class Interruption {
public:
    explicit Interruption(std::function<bool()> goes_on = [] { return true; })
        : goes_on_(std::move(goes_on)), scope_(this) {}
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    // The Interruption of this thread, or null.
    static Interruption* current() { return current_; }

    // While it lives, a task in another thread takes part in a solve, and is interrupted with it. Null changes nothing.
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

    // Does the work in another thread while this one asks whether the solve goes on: a thread that waits for others, as
    // at the end of a parallel loop, would not ask. Throws what the work throws.
    void watch(const std::function<void()>& work);

    void check() {
        if (is_ended_.load(std::memory_order_relaxed)) throw Interrupted{};
        if (std::this_thread::get_id() != owner_) return;
        const Clock::time_point now = Clock::now();
        if (now - last_ < period) return;
        last_ = now;
        if (goes_on_()) return;
        end();
        throw Interrupted{};
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds period{20};
    static inline constinit thread_local Interruption* current_ = nullptr;

    std::function<bool()> goes_on_;
    std::thread::id owner_ = std::this_thread::get_id();
    Clock::time_point last_ = Clock::now();
    std::atomic<bool> is_ended_{false};
    Scope scope_;
};

// Every solver calls this once per iteration.
inline void check_interruption() {
    if (Interruption* const current = Interruption::current()) current->check();
}

}  // namespace saltus
