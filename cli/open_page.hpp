#pragma once

#include <string>

namespace saltus::cli {

// Opens a file or an address in the browser of the desktop, by xdg-open. Where there is none, says what to do.
void open_page(const std::string& address);

}  // namespace saltus::cli
