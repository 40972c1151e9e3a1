#include "saltus/io/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace saltus {

namespace {

// For writing if that is allowed: network file systems give locks to writers only. A pipe does not block.
int opened(const std::filesystem::path& path) {
    constexpr int flags = O_CLOEXEC | O_NONBLOCK;
    const int descriptor = ::open(path.c_str(), O_RDWR | flags);
    return descriptor >= 0 ? descriptor : ::open(path.c_str(), O_RDONLY | flags);
}

}  // namespace

// Another program that looks whether the file is free holds it for a moment.
FileLock::FileLock(const std::filesystem::path& path) : descriptor_(opened(path)) {
    constexpr int tries = 20;
    for (int k = 0; k < tries && descriptor_ >= 0; ++k) {
        if (::flock(descriptor_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

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
