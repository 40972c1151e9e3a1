#pragma once

#include "saltus/io/csv_file.hpp"
#include "saltus/io/result_file.hpp"

namespace saltus::cli {

// Whether both paths lead to the same file, be it there or not.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

// Copies all samples.
void export_csv(const ResultReader& result, CsvWriter& csv);

}  // namespace saltus::cli
