#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saltus {

// Levenshtein's distance: the fewest insertions, deletions and replacements of one character from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The name that was probably meant by the misspelt `name`, for "did you mean ...?": the first of least distance,
// ignoring case. Empty if none is near: more than a third of the characters differ, or all of them.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace saltus
