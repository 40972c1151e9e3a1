#pragma once

#include <filesystem>
#include <utility>

namespace saltus {

// While an object lives, other runs can read the file but not replace it. HDF5 gives up its own lock where a file can
// be read while it is written. On file systems without locks (some network ones) nothing is locked.
class FileLock {
public:
    FileLock() = default;
    // A shared lock.
    explicit FileLock(const std::filesystem::path& path);
    // The exclusive lock of a file, which is created if it does not exist; throws InvalidInput if someone else has
    // locked it.
    static FileLock alone(const std::filesystem::path& path);
    // Lets others lock it too.
    void share();
    FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FileLock();

    // Whether nobody has locked it.
    static bool is_free(const std::filesystem::path& path);

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}

    int descriptor_ = -1;
};

}  // namespace saltus
