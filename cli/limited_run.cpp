#include "cli/limited_run.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <type_traits>

namespace saltus::cli {

namespace {

static_assert(std::is_trivially_copyable_v<LimitedRun>, "it goes through a pipe, byte by byte");

LimitedRun run_here(const Problem& problem, const SolverOptions& options, double least_seconds) {
    try {
        const Solution solution = solve_problem(problem, options, least_seconds);
        return {.end = LimitedRun::End::returned,
                .status = solution.report.status,
                .iterations = solution.report.iterations,
                .residual = solution.report.residual,
                .seconds = solution.seconds};
    } catch (const std::exception&) {
        return {.end = LimitedRun::End::refused};
    }
}

// Whether something can be read (or the other side is closed) before the time is up.
bool wait_for_input(int descriptor, double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd polled{.fd = descriptor, .events = POLLIN, .revents = 0};
        const int ready = poll(&polled, 1, static_cast<int>(std::clamp<long long>(left + 1, 0, 1000)));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
        if (Clock::now() >= end) return false;
    }
}

LimitedRun received(int descriptor, pid_t child, double time_limit) {
    LimitedRun run;
    if (!wait_for_input(descriptor, time_limit)) {
        kill(child, SIGKILL);
        run.end = LimitedRun::End::time_limit;
    } else if (read(descriptor, &run, sizeof run) != static_cast<ssize_t>(sizeof run)) {
        run = LimitedRun{};  // the child is gone without a word
    }
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
    return run;
}

}  // namespace

std::string_view LimitedRun::outcome() const {
    switch (end) {
        case End::returned:
            return to_string(status);
        case End::time_limit:
            return "time-limit";
        case End::crashed:
            return "crashed";
        case End::refused:
            return "refused";
    }
    return "unknown";
}

LimitedRun run_limited(const Problem& problem, const SolverOptions& options, double least_seconds, double time_limit) {
    int ends[2];
    std::fflush(nullptr);  // else both processes print what is buffered
    if (pipe(ends) != 0) throw std::runtime_error("--compare: the system gives no pipe");
    const pid_t child = fork();
    if (child == 0) {
        const LimitedRun run = run_here(problem, options, least_seconds);
        const bool is_sent = write(ends[1], &run, sizeof run) == static_cast<ssize_t>(sizeof run);
        _exit(is_sent ? 0 : 1);
    }
    close(ends[1]);
    LimitedRun run;
    if (child > 0) run = received(ends[0], child, time_limit);
    close(ends[0]);
    if (child < 0) throw std::runtime_error("--compare: the system starts no process");
    return run;
}

}  // namespace saltus::cli
