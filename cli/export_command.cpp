#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/export.hpp"
#include "saltus/core/check.hpp"

namespace saltus::cli {

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
    return std::filesystem::weakly_canonical(one) == std::filesystem::weakly_canonical(other);
}

void export_csv(const ResultReader& result, CsvWriter& csv) {
    constexpr Index block = 4096;
    const std::size_t width = result.channels().size();
    std::vector<double> times, values;
    for (Index first = 0; first < result.samples(); first += block) {
        result.read(first, std::min(block, result.samples() - first), times, values);
        for (std::size_t k = 0; k < times.size(); ++k) csv.row(times[k], std::span(values).subspan(k * width, width));
    }
    csv.finish();
}

namespace {

struct ExportArguments {
    std::string file, to, output;
};

ExitCode run(const ExportArguments& arguments) {
    require(arguments.to == "csv", "--to is '{}'; it must be csv", arguments.to);
    const ResultReader result(arguments.file);
    const std::string output = arguments.output.empty()
                                   ? std::filesystem::path(arguments.file).replace_extension(".csv").string()
                                   : arguments.output;
    require(!is_same_file(output, arguments.file), "-o {}: that is the result file; name another file", output);
    CsvWriter csv(output, result.channels());
    export_csv(result, csv);
    fmt::print("{}: {} samples of {} channels\n", output, result.samples(), result.channels().size());
    return solved;
}

}  // namespace

Command add_export(CLI::App& app) {
    const auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command = app.add_subcommand("export", "Write the results of a run in another format");
    command->add_option("FILE", arguments->file, "The result file (.h5)")->required();
    command->add_option("--to", arguments->to, "The format: csv")->required();
    command->add_option("-o,--output", arguments->output, "The file to write; FILE with another ending if not given");
    return {command, [arguments] { return run(*arguments); }};
}

}  // namespace saltus::cli
