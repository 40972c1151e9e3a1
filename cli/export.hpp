#pragma once

#include "saltus/io/csv_file.hpp"
#include "saltus/io/result_file.hpp"

namespace saltus::cli {

// Copies all samples.
void export_csv(const ResultReader& result, CsvWriter& csv);

}  // namespace saltus::cli
