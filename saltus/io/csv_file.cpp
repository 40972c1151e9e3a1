#include "saltus/io/csv_file.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"

namespace saltus {

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns)
    : name_(path.string()), stream_(path, std::ios::binary) {
    require(stream_.good(), "{}: cannot be written; does the folder exist, and may you write in it?", name_);
    stream_ << 't';
    for (const std::string& column : columns) stream_ << ',' << column;
    stream_ << '\n';
}

void CsvWriter::row(double t, std::initializer_list<std::string_view> words, std::span<const double> values) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{}", t);
    for (const std::string_view word : words) fmt::format_to(std::back_inserter(line_), ",{}", word);
    for (const double value : values) fmt::format_to(std::back_inserter(line_), ",{}", value);
    line_ += '\n';
    stream_ << line_;
}

void CsvWriter::finish() {
    stream_.flush();
    require(stream_.good(), "{}: cannot be written; is the disk full?", name_);
}

}  // namespace saltus
