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
    std::string file{}, to{}, output{}, events{};
};

void export_samples(const ResultReader& result, const std::string& output) {
    CsvWriter csv(output, result.channels());
    export_csv(result, csv);
    fmt::print("{}: {} samples of {} channels\n", output, result.samples(), result.channels().size());
}

// t, kind, interaction, row, the state before and the state after.
void export_events(const ResultReader& result, const std::string& output) {
    std::vector<std::string> columns{"kind", "interaction", "row"};
    for (const char* side : {"before", "after"})
        for (const std::string& name : result.states()) columns.push_back(fmt::format("{}.{}", side, name));
    CsvWriter csv(output, columns);
    constexpr Index block = 1024;
    std::vector<double> states;
    for (Index first = 0; first < result.event_count(); first += block)
        for (const Event& event : result.events(first, std::min(block, result.event_count() - first))) {
            states.assign(event.before.begin(), event.before.end());
            states.insert(states.end(), event.after.begin(), event.after.end());
            csv.row(event.t,
                    {to_string(event.kind), result.interactions()[static_cast<std::size_t>(event.interaction)],
                     fmt::format("{}", event.row)},
                    states);
        }
    csv.finish();
    fmt::print("{}: {}\n", output,
               result.event_count() == 0 ? "no events; runs with the scheme event-driven have them"
                                         : result.event_counts().text());
}

ExitCode run(const ExportArguments& arguments) {
    require(!arguments.to.empty() || !arguments.events.empty(), "export: give --to csv, or --events FILE");
    require(arguments.to.empty() || arguments.to == "csv", "--to is '{}'; it must be csv", arguments.to);
    const ResultReader result(arguments.file);
    const std::string output = arguments.output.empty()
                                   ? std::filesystem::path(arguments.file).replace_extension(".csv").string()
                                   : arguments.output;
    require(!is_same_file(output, arguments.file), "-o {}: that is the result file; name another file", output);
    require(arguments.output.empty() || !arguments.to.empty(), "-o {}: give --to csv too, or leave it out", output);
    require(arguments.events.empty() || (!is_same_file(arguments.events, arguments.file) &&
                                         (arguments.to.empty() || !is_same_file(arguments.events, output))),
            "--events {}: that is the result file or that of the samples; name another file", arguments.events);
    if (!arguments.to.empty()) export_samples(result, output);
    if (!arguments.events.empty()) export_events(result, arguments.events);
    return solved;
}

}  // namespace

Command add_export(CLI::App& app) {
    const auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command = app.add_subcommand("export", "Write the results of a run in another format");
    command->add_option("FILE", arguments->file, "The result file (.h5)")->required();
    command->add_option("--to", arguments->to, "Write the samples; the format: csv");
    command->add_option("-o,--output", arguments->output, "The file to write; FILE with another ending if not given");
    command->add_option(
        "--events", arguments->events,
        "Write the events of an event-driven run to this file (CSV): time, kind, interaction, row, states");
    return {command, [arguments] { return run(*arguments); }};
}

}  // namespace saltus::cli
