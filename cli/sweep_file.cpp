#include "cli/sweep_file.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"

namespace saltus::cli {

namespace {

constexpr std::string_view done_mark = "# done ", failed_mark = "# failed: ";

struct Contents {
    std::string first_line{};
    std::uintmax_t complete = 0;  // bytes up to the end of the last set of values
    long done = 0, failures = 0;
};

Contents read(const std::filesystem::path& path) {
    Contents contents;
    std::ifstream stream(path, std::ios::binary);
    std::uintmax_t bytes = 0;
    long failures = 0;
    std::string line;
    for (long number = 0; std::getline(stream, line); ++number) {
        const bool is_whole = !stream.eof();
        bytes += line.size() + 1;
        if (number == 0) contents.first_line = line;
        if (is_whole && line.starts_with(failed_mark)) ++failures;
        const bool is_start = number == 1;  // the names of the columns
        if (is_whole && (is_start || line.starts_with(done_mark))) {
            contents.complete = bytes;
            contents.done += is_start ? 0 : 1;
            contents.failures = failures;
        }
    }
    return contents;
}

}  // namespace

SweepFile::SweepFile(const std::filesystem::path& path, const std::string& header,
                     const std::vector<std::string>& columns)
    : name_(path.string()) {
    const std::string first_line = "# " + header;
    std::error_code error;
    const bool exists = std::filesystem::exists(path, error) && std::filesystem::file_size(path, error) > 0;
    const Contents contents = exists ? read(path) : Contents{};
    require(!exists || contents.first_line == first_line,
            "{}: is not the result of this command; delete it, or name another file with -o", name_);
    if (contents.complete > 0) {
        done_ = contents.done;
        failures_ = contents.failures;
        std::filesystem::resize_file(path, contents.complete, error);
        stream_.open(path, std::ios::binary | std::ios::app);
    } else {
        stream_.open(path, std::ios::binary | std::ios::trunc);
        stream_ << first_line << '\n' << fmt::format("{}\n", fmt::join(columns, ","));
    }
    check_written();
}

void SweepFile::add(const std::string& lines, const std::string& failure) {
    stream_ << lines;
    if (!failure.empty()) {
        stream_ << failed_mark << failure.substr(0, failure.find('\n')) << '\n';
        ++failures_;
    }
    stream_ << done_mark << done_++ << '\n';
    check_written();
}

void SweepFile::check_written() {
    require(static_cast<bool>(stream_.flush()), "{}: cannot be written; is the disk full, or the folder read-only?",
            name_);
}

}  // namespace saltus::cli
