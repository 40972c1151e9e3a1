#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/complementarity/affine/lcp.hpp"
#include "saltus/complementarity/affine/mlcp.hpp"
#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "saltus/core/check.hpp"
#include "saltus/integrators/step_problem.hpp"

namespace saltus {

// Problem files (.dat) are whitespace-separated text:
//   lcp      n, M, q(n)
//   relay    n, M, q(n), lower(n), upper(n); bounds may be inf and -inf
//   mlcp     storage flags 1 and 0 or 1, number of equalities n, of complementarities m, the row at which each block
//            starts (the first is 0) and n + m, a flag per block (0: equality, 1: complementarity), M, q(n + m)
//   friction         dimension d of a contact (2, 3, or 5 with rolling friction), number of contacts c, W, q(d c),
//                    mu(c); where d = 5 also mu_r(c)
//   global-friction  d, c, M, H, f(rows of M), b(d c), mu(c); where d = 5 also mu_r(c)
// A matrix M is its storage, its rows, its columns, then
//   0  dense         rows and columns again, values column by column
//   1  block-sparse  number of blocks, block rows, block columns, the end row of every block row, the end column of
//                    every block column, length of the row pointer, length of the column index, row pointer, column
//                    index; for each block its number and its values column by column
//   2  sparse        an origin flag, a version line, a line `R-by-C, nzmax: N nnz: N, ...`, and for each column
//                    `col J : locations A to B` followed by `I : value` lines; or a line `triplet: R-by-C, ...`
//                    followed by `I J : value` lines (entries given twice are added)
// What follows (remarks, a flag, the other storage of an mlcp) is ignored.
// Friction problems are also read and written in HDF5, in the layout of FCLIB: see fclib_file.hpp.

enum class ProblemKind { lcp, mlcp, relay, friction, global_friction };
inline constexpr std::array problem_kinds{ProblemKind::lcp, ProblemKind::mlcp, ProblemKind::relay,
                                          ProblemKind::friction, ProblemKind::global_friction};
std::string_view to_string(ProblemKind kind);  // "lcp", "mlcp", "relay", "friction", "global-friction"

using Problem = std::variant<Lcp, Mlcp, BoxVi, FrictionProblem, GlobalFrictionProblem>;
ProblemKind kind_of(const Problem& problem);

// The problem of a step as a file can hold it; nothing where it is empty, or mixes contacts with other laws.
std::optional<Problem> to_file_problem(const StepProblem& problem);

// A file that cannot be read: what() is "FILE:LINE: expected ..., found ...".
class ProblemFileError : public InvalidInput {
public:
    ProblemFileError(std::string file_, Index line_, const std::string& text)
        : InvalidInput(line_ > 0 ? fmt::format("{}:{}: {}", file_, line_, text) : fmt::format("{}: {}", file_, text)),
          file(std::move(file_)),
          line(line_) {}
    std::string file;
    Index line;  // counts from 1; 0 when the problem is the file itself (missing, a folder, empty)
};

// Reads a problem file, text or HDF5. Without `kind` the kind is found from the contents: an mlcp by its block starts,
// a relay by the 2n numbers after q, a friction problem by its first numbers, a global one by its second matrix. Throws
// ProblemFileError if the file is missing, truncated or malformed, or if its contents do not settle its kind.
Problem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind = std::nullopt);

// Writes a problem so that read_problem(path, kind_of(problem)) gives the same bits; sparse matrices stay sparse. A
// path that ends in .hdf5 or .h5 becomes an HDF5 file (friction problems only), any other a text file. Throws
// InvalidInput if the problem is inconsistent, ProblemFileError if the file cannot be written.
void write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace saltus
