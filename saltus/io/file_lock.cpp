#include "saltus/io/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

constexpr int flags = O_CLOEXEC | O_NONBLOCK;  // a pipe does not block

// For writing if that is allowed: network file systems give locks to writers only.
int opened(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | flags);
    return descriptor >= 0 ? descriptor : ::open(path.c_str(), O_RDONLY | flags);
}

// False if another has it. One that only looks whether the file is free holds it for a moment.
bool lock(int descriptor, int kind) {
    constexpr int tries = 20;
    for (int k = 0; k < tries && descriptor >= 0; ++k) {
        if (::flock(descriptor, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return descriptor < 0;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path) : descriptor_(opened(path)) { share(); }

FileLock FileLock::alone(const std::filesystem::path& path) {
    constexpr mode_t for_all = 0666;  // less what the user's mask takes away
    FileLock result(::open(path.c_str(), O_RDWR | O_CREAT | flags, for_all));
    require(lock(result.descriptor_, LOCK_EX),
            "{}: another run is writing it, or another program has it open; wait for its end, or name another file",
            path.string());
    return result;
}

void FileLock::share() { lock(descriptor_, LOCK_SH); }

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::is_free(const std::filesystem::path& path) {
    const int descriptor = opened(path);
    if (descriptor < 0) return true;
    const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return !is_locked;
}

}  // namespace saltus
