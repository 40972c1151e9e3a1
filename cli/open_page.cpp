#include "cli/open_page.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

extern char** environ;

namespace saltus::cli {

namespace {

// Whether it ends well, or keeps running: some browsers stay until their window is closed.
bool succeeds_soon(pid_t child) {
    constexpr int tries = 40;
    for (int k = 0; k < tries; ++k) {
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) != 0) return status == 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
}

}  // namespace

// Without a shell: a name needs no quoting. The output of the browser is not ours.
void open_page(const std::string& address) {
    std::string program = "xdg-open", target = address;
    char* arguments[] = {program.data(), target.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // Ctrl-C ends us, not the browser
    pid_t child = 0;
    const bool is_started = posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (!is_started || !succeeds_soon(child))
        fmt::print(stderr, "saltus: no browser could be started (xdg-open); open {} yourself\n", address);
}

}  // namespace saltus::cli
