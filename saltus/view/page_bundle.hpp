#pragma once

#include <string_view>

namespace saltus {

// The page of reports, without data: HTML with two comments in place of its title and its data.
std::string_view page_bundle();

inline constexpr std::string_view page_title_mark = "<!--saltus:title-->", page_data_mark = "<!--saltus:data-->";

}  // namespace saltus
