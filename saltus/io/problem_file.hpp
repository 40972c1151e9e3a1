#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "saltus/complementarity/box_vi.hpp"
#include "saltus/complementarity/lcp.hpp"
#include "saltus/complementarity/mlcp.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

// Problem files (.dat) are white-space separated text:
//   lcp      n, M, q(n)
//   relay    n, M, q(n), lower(n), upper(n); bounds may be inf and -inf
//   mlcp     storage flags 1 and 0 or 1, number of equalities n, of complementarities m, the row at which each block
//            starts and n + m (the first is 0), a flag a block (0: equality, 1: complementarity), M, q(n + m)
// A matrix M is its storage, its rows, its columns, then
//   0  dense         rows and columns once more, values column by column
//   1  block-sparse  number of blocks, block rows, block columns, the end row of every block row, the end column of
//                    every block column, length of the row pointer, length of the column index, row pointer, column
//                    index; for each block its number and its values column by column
//   2  sparse        an origin flag, a line of version, a line `R-by-C, nzmax: N nnz: N, ...`, and for each column
//                    `col J : locations A to B` followed by `I : value` lines; or a line `triplet: R-by-C, ...`
//                    followed by `I J : value` lines (entries given twice are added)
// What follows (remarks, the other storage of an mlcp) is ignored.

enum class ProblemKind { lcp, mlcp, relay };
std::string_view to_string(ProblemKind kind);  // "lcp", "mlcp", "relay"

using Problem = std::variant<Lcp, Mlcp, BoxVi>;
ProblemKind kind_of(const Problem& problem);

// A file that cannot be read: what() is "FILE:LINE: expected ..., found ...".
class ProblemFileError : public InvalidInput {
public:
    ProblemFileError(std::string file_, Index line_, const std::string& text)
        : InvalidInput(line_ > 0 ? fmt::format("{}:{}: {}", file_, line_, text) : fmt::format("{}: {}", file_, text)),
          file(std::move(file_)),
          line(line_) {}
    std::string file;
    Index line;  // counts from 1; 0 when the trouble is the file itself (missing, a folder, empty)
};

// Reads a problem file. Without `kind` the contents tell: an mlcp by its block starts, a relay by the 2n numbers after
// q. Throws ProblemFileError when the file is missing, truncated, malformed, in another format (HDF5) or of a kind
// that the contents do not settle.
Problem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind = std::nullopt);

// Writes a problem so that read_problem(path, kind_of(problem)) gives the same bits; sparse matrices stay sparse.
// Throws InvalidInput when the problem is inconsistent, ProblemFileError when the file cannot be written.
void write_problem(const std::filesystem::path& path, const Problem& problem);

}  // namespace saltus
