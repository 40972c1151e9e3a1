#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace saltus::testing {

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// A file of its own for each object, removed with it.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view contents = "", const std::string& extension = ".dat")
        : path_(unique_path(extension)) {
        write(contents);
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void write(std::string_view contents) { std::ofstream(path_, std::ios::binary) << contents; }
    const std::filesystem::path& path() const { return path_; }

private:
    static std::filesystem::path unique_path(const std::string& extension) {
        static std::atomic<int> count = 0;
        return std::filesystem::temp_directory_path() /
               ("saltus_test_" + std::to_string(getpid()) + "_" + std::to_string(count++) + extension);
    }
    std::filesystem::path path_;
};

}  // namespace saltus::testing
