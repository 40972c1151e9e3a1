#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace saltus {

// A name beside `target` under which a file is written until it is complete: keep() gives it its own name, in one step;
// without it, nothing is left. Throws InvalidInput for a folder and for what may not be written.
class PartialFile {
public:
    explicit PartialFile(const std::filesystem::path& target);
    ~PartialFile();
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;

    // Where to write. That is the target itself if it is not an ordinary file, such as /dev/stdout.
    const std::filesystem::path& path() const { return path_; }
    void keep();

private:
    std::filesystem::path target_, path_;
};

// A file that is written completely or not at all. Throws InvalidInput if it cannot be written.
class OutputFile {
public:
    explicit OutputFile(const std::filesystem::path& path);
    void write(std::string_view bytes) { stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); }
    // Throws too if the disk is full.
    void finish();

private:
    std::string name_;
    PartialFile file_;
    std::ofstream stream_;
};

// `bytes` as a file.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace saltus
