#pragma once

#include <string>
#include <vector>

#include "saltus/view/manifest.hpp"

namespace CLI {
class App;
}

namespace saltus::cli {

// What a page shows first: --plot and --phase.
struct ViewOptions {
    std::vector<std::string> plots{}, phases{};

    void add_to(CLI::App& command);
    // Throws InvalidInput if a text does not have the form of the option.
    ViewChoice choice() const;
};

// "a,b" are a and b; white space around them does not count. Throws InvalidInput, with the name of the option, where
// one is empty.
std::vector<std::string> names_in(const std::string& text, std::string_view option);

}  // namespace saltus::cli
