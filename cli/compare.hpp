#pragma once

#include "cli/solve.hpp"

namespace saltus::cli {

// `saltus solve --compare`: every solver on every problem in the files, and in the folders, searched to any depth.
// Prints the tables, or one JSON object, and writes the picture of --profile. A file that cannot be read is named on
// standard error and left out. Says solved if each problem is solved by one of the solvers, bad_input if a file could
// not be read.
ExitCode compare(const SolveArguments& arguments);

}  // namespace saltus::cli
