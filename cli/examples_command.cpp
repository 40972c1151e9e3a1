#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/example_files.hpp"
#include "saltus/core/nearest_name.hpp"
#include "saltus/io/model/model_file.hpp"

namespace saltus::cli {

namespace {

void list() {
    std::size_t widest = 0;
    for (const ExampleFile& file : example_files()) widest = std::max(widest, file.name.size());
    for (const ExampleFile& file : example_files())
        fmt::print("{:<{}}  {}\n", file.name, widest,
                   parse_model_file(std::string(file.text), std::string(file.name)).description);
    fmt::print("\nsaltus examples NAME > NAME.toml writes one; saltus run NAME.toml runs it.\n");
}

ExitCode print(const std::string& name) {
    if (name.empty()) {
        list();
        return solved;
    }
    std::vector<std::string> names;
    for (const ExampleFile& file : example_files()) names.emplace_back(file.name);
    const ExampleFile* file = find_example(name);
    const std::string near = nearest_name(name, names);
    require(file, "there is no example '{}'; {}", name,
            near.empty() ? "saltus examples lists them" : fmt::format("did you mean '{}'?", near));
    fmt::print("{}", file->text);
    return solved;
}

}  // namespace

Command add_examples(CLI::App& app) {
    const auto name = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("examples", "List the example models, or print one of them");
    command->add_option("NAME", *name, "Print this one");
    return {command, [name] { return print(*name); }};
}

}  // namespace saltus::cli
