#include "cli/view_options.hpp"

#include <CLI/CLI.hpp>

#include "saltus/core/check.hpp"

namespace saltus::cli {

std::vector<std::string> names_in(const std::string& text, std::string_view option) {
    std::vector<std::string> result = CLI::detail::split(text + ",", ',');  // what ends with a comma has an empty name
    for (std::string& name : result) {
        CLI::detail::trim(name);
        require(!name.empty(), "{} is '{}'; give names of channels with commas between them", option, text);
    }
    return result;
}

void ViewOptions::add_to(CLI::App& command) {
    command
        .add_option("--plot", plots,
                    "Channels of one plot, as 'ball.q[0],ball.v[0]', instead of the default ones; may be repeated")
        ->expected(1)
        ->take_all();
    command
        .add_option("--phase", phases, "Two channels of a phase portrait, as 'ball.q[0],ball.v[0]'; may be repeated")
        ->expected(1)
        ->take_all();
}

ViewChoice ViewOptions::choice() const {
    ViewChoice result;
    for (const std::string& text : plots) result.plots.push_back(names_in(text, "--plot"));
    for (const std::string& text : phases) {
        const std::vector<std::string> names = names_in(text, "--phase");
        require(names.size() == 2, "--phase {}: names {} channels; a phase portrait has two, 'a,b'", text,
                names.size());
        result.phases.emplace_back(names[0], names[1]);
    }
    return result;
}

}  // namespace saltus::cli
