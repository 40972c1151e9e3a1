#pragma once

#include <filesystem>

#include "saltus/io/view/manifest.hpp"

namespace saltus {

struct PageOptions {
    ViewChoice choice{};
    double megabytes = 10.0;  // of data, about; a page has no more of a large result
};

// One HTML page with everything that it needs: docs/viewer.md says what it shows. Throws InvalidInput where a choice
// names no column. `file` is the name of the result file.
std::string report_page(const ResultView& view, const PageOptions& options, const std::string& file);

// The same page for a server, which answers as viewer/README.md says.
std::string served_page();

// Writes the page of a result file. Nothing is left of a file that cannot be written whole. Throws InvalidInput.
void write_report(const std::filesystem::path& result, const std::filesystem::path& page, const PageOptions& options);

}  // namespace saltus
