#include "saltus/io/csv_file.hpp"

#include <fmt/format.h>

namespace saltus {

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns) : file_(path) {
    file_.write("t");
    for (const std::string& column : columns) file_.write("," + column);
    file_.write("\n");
}

void CsvWriter::row(double t, std::initializer_list<std::string_view> words, std::span<const double> values) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{}", t);
    for (const std::string_view word : words) fmt::format_to(std::back_inserter(line_), ",{}", word);
    for (const double value : values) fmt::format_to(std::back_inserter(line_), ",{}", value);
    line_ += '\n';
    file_.write(line_);
}

}  // namespace saltus
