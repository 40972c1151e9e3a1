#pragma once

#include <span>
#include <string_view>

namespace saltus::cli {

// A file of examples/, part of the program.
struct ExampleFile {
    std::string_view name;  // without .toml
    std::string_view text;
};

// In alphabetical order; generated from the folder when the program is built.
std::span<const ExampleFile> example_files();

// Null if there is none of that name.
const ExampleFile* find_example(std::string_view name);

}  // namespace saltus::cli
