#pragma once

#include <string>
#include <variant>

#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "saltus/io/problem/token_reader.hpp"

namespace saltus {

// Friction problems in the layout of .dat files that problem_file.hpp describes.

// Whether the first tokens are those of a friction problem, local or global, not of an lcp.
bool looks_like_friction(TokenReader reader);

FrictionProblem read_friction(TokenReader& reader);
GlobalFrictionProblem read_global_friction(TokenReader& reader);
// Global if a second matrix follows the first, else local.
std::variant<FrictionProblem, GlobalFrictionProblem> read_any_friction(TokenReader& reader);

// W is written as blocks (storage 1), M and H as they are.
void append(std::string& text, const FrictionProblem& problem);
void append(std::string& text, const GlobalFrictionProblem& problem);

}  // namespace saltus
