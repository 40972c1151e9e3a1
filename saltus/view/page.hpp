#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace saltus {

class ResultView;

// What is drawn first, by column names; if nothing is given, the defaults of the view.
struct ViewChoice {
    std::vector<std::vector<std::string>> plots{};
    std::vector<std::pair<std::string, std::string>> phases{};
};

struct PageOptions {
    ViewChoice choice{};
    double megabytes = 10.0;  // of data, roughly; a larger result is thinned
};

// One HTML page with everything that it needs: docs/viewer.md says what it shows. Throws InvalidInput if a choice names
// an unknown column. `file` is the name of the result file.
std::string report_page(const ResultView& view, const PageOptions& options, const std::string& file);

// The same page for a server, which answers as viewer/README.md says.
std::string served_page();

// Writes the page of a result file. Throws InvalidInput if it cannot be written; no part of it is then left.
void write_report(const std::filesystem::path& result, const std::filesystem::path& page, const PageOptions& options);

}  // namespace saltus
