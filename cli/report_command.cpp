#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/export.hpp"
#include "cli/open_page.hpp"
#include "cli/report_page.hpp"
#include "cli/view_options.hpp"
#include "saltus/core/check.hpp"
#include "saltus/view/page.hpp"

namespace saltus::cli {

namespace {

struct ReportArguments {
    std::string file{}, output{};
    ViewOptions view{};
    double megabytes = PageOptions{}.megabytes;
    bool is_opened = false;
};

ExitCode run(const ReportArguments& arguments) {
    const std::filesystem::path page =
        arguments.output.empty() ? page_of(arguments.file) : std::filesystem::path(arguments.output);
    make_report(arguments.file, page, {.choice = arguments.view.choice(), .megabytes = arguments.megabytes});
    if (arguments.is_opened) open_page(std::filesystem::absolute(page).string());
    return solved;
}

}  // namespace

std::filesystem::path page_of(const std::filesystem::path& result) {
    return std::filesystem::path(result).replace_extension(".html");
}

void make_report(const std::filesystem::path& result, const std::filesystem::path& page, const PageOptions& options,
                 bool is_quiet) {
    require(!is_same_file(page, result), "-o {}: that is the result file; name another file", page.string());
    write_report(result, page, options);
    if (is_quiet) return;
    std::error_code error;
    const auto size = std::filesystem::file_size(page, error);
    if (error)
        fmt::print("report in {}\n", page.string());
    else
        fmt::print("report in {}, {:.2f} MB\n", page.string(), static_cast<double>(size) / 1e6);
}

Command add_report(CLI::App& app) {
    const auto arguments = std::make_shared<ReportArguments>();
    CLI::App* command = app.add_subcommand("report", "Write one HTML page with plots, 3D replay and solver health");
    command->add_option("RESULT", arguments->file, "The result file (.h5)")->required();
    command->add_option("-o,--output", arguments->output, "The page; RESULT.html if not given");
    arguments->view.add_to(*command);
    command->add_option("--size", arguments->megabytes,
                        "Megabytes of data in the page, about; a larger result is thinned");
    command->add_flag("--open", arguments->is_opened, "Open it in the browser");
    return {command, [arguments] { return run(*arguments); }};
}

}  // namespace saltus::cli
