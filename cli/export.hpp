#pragma once

#include "saltus/io/csv_file.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus::cli {

// Whether both paths lead to the same file, be it there or not.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

// Copies all samples.
void export_csv(const ResultReader& result, CsvWriter& csv);

// 1, 2 or 5 times a power of ten: the time of the model that passes in a second of a film of about 10 seconds.
double film_speed(double duration);

}  // namespace saltus::cli
