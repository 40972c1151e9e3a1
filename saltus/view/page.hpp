#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace saltus {

class ResultView;

// What is drawn first, by names of columns; the defaults of the view if nothing is given.
struct ViewChoice {
    std::vector<std::vector<std::string>> plots{};
    std::vector<std::pair<std::string, std::string>> phases{};
};

struct PageOptions {
    ViewChoice choice{};
    double megabytes = 10.0;  // of data, about; a larger result is thinned
};

// One HTML page with everything that it needs: docs/viewer.md says what it shows. Throws InvalidInput where a choice
// names no column. `file` is the name of the result file.
std::string report_page(const ResultView& view, const PageOptions& options, const std::string& file);

// The same page for a server, which answers as viewer/README.md says.
std::string served_page();

// Writes the page of a result file. A file that cannot be written completely is removed. Throws InvalidInput.
void write_report(const std::filesystem::path& result, const std::filesystem::path& page, const PageOptions& options);

}  // namespace saltus
