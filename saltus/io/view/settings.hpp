#pragma once

#include "saltus/io/model_file.hpp"

namespace saltus {

// The values of parameters that a summary tells: "R=1, L=2*pi". Throws InvalidInput for another text.
ParameterValues read_settings(const std::string& text);

}  // namespace saltus
