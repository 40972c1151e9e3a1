#include "saltus/io/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "saltus/core/check.hpp"

namespace saltus {

PartialFile::PartialFile(const std::filesystem::path& target) : target_(target) {
    std::error_code error;
    require(!std::filesystem::is_directory(target, error), "{}: that is a folder; name a file", target.string());
    const bool is_there = std::filesystem::exists(target, error);
    if (is_there) target_ = std::filesystem::canonical(target);  // a link stays a link
    require(!is_there || access(target_.c_str(), W_OK) == 0, "{}: is there, and may not be written", target.string());
    path_ = target_;
    if (is_there && !std::filesystem::is_regular_file(target_)) return;
    path_ += fmt::format(".part-{}", getpid());
    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    require(std::filesystem::is_directory(folder, error) && access(folder.c_str(), W_OK) == 0,
            "{}: cannot be written; does the folder exist, and may you write in it?", target.string());
}

PartialFile::~PartialFile() {
    std::error_code ignored;
    if (path_ != target_) std::filesystem::remove(path_, ignored);
}

void PartialFile::keep() {
    std::error_code error;
    if (path_ != target_) std::filesystem::rename(path_, target_, error);
    require(!error, "{}: cannot be written: {}", target_.string(), error.message());
}

OutputFile::OutputFile(const std::filesystem::path& path)
    : name_(path.string()), file_(path), stream_(file_.path(), std::ios::binary) {
    require(stream_.good(), "{}: cannot be written; does the folder exist, and may you write in it?", name_);
}

void OutputFile::finish() {
    stream_.close();
    require(!stream_.fail(), "{}: cannot be written; is the disk full?", name_);
    file_.keep();
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    OutputFile file(path);
    file.write(bytes);
    file.finish();
}

}  // namespace saltus
