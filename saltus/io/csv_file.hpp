#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace saltus {

// A table as text: a header line with `t` and the names of the other columns, a line a row, every number with the
// digits that give the same bits when read. Throws InvalidInput where the file cannot be written.
class CsvWriter {
public:
    CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns);
    // The columns after t are numbers, or words and then numbers.
    void row(double t, std::span<const double> values) { row(t, {}, values); }
    void row(double t, std::initializer_list<std::string_view> words, std::span<const double> values);
    // Says so if the disk is full.
    void finish();

private:
    std::string name_;
    std::ofstream stream_;
    std::string line_;
};

}  // namespace saltus
