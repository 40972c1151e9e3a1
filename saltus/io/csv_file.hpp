#pragma once

#include <span>
#include <vector>

#include "saltus/io/output_file.hpp"

namespace saltus {

// A table as text: a header line with `t` and the names of the other columns, one line per row, every number with the
// digits that give the same bits when read. Like an OutputFile, it is written completely or not at all.
class CsvWriter {
public:
    CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns);
    // The columns after t are numbers, or words and then numbers.
    void row(double t, std::span<const double> values) { row(t, {}, values); }
    void row(double t, std::initializer_list<std::string_view> words, std::span<const double> values);
    void finish() { file_.finish(); }

private:
    OutputFile file_;
    std::string line_;
};

}  // namespace saltus
