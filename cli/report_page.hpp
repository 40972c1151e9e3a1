#pragma once

#include "saltus/view/page.hpp"

namespace saltus::cli {

// RESULT.html beside RESULT.h5.
std::filesystem::path page_of(const std::filesystem::path& result);

// Writes the page and, unless told to be quiet, says where it is. Throws InvalidInput if that is the result itself, or
// cannot be written.
void make_report(const std::filesystem::path& result, const std::filesystem::path& page, const PageOptions& options,
                 bool is_quiet = false);

}  // namespace saltus::cli
