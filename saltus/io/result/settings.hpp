#pragma once

#include "saltus/io/model/model_file.hpp"

namespace saltus {

// The values of parameters in a summary: "R=1, L=2*pi". Throws InvalidInput for any other text.
ParameterValues read_settings(const std::string& text);

}  // namespace saltus
