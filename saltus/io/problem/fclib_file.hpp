#pragma once

#include <string>
#include <string_view>

#include "saltus/io/problem/problem_file.hpp"

namespace saltus {

// Friction problems in HDF5, in the layout of FCLIB (Acary, Bremond, Huber, 2014): one group per form,
//   fclib_local,  fclib_local_rolling     spacedim, W, vectors/{q, mu}
//   fclib_global, fclib_global_rolling    spacedim, M, H, vectors/{f, w, mu}, where `w` is b of GlobalFrictionProblem
// with spacedim 5 and vectors/mu_r where there is rolling friction. FCLIB itself has no local rolling problem: its
// group is named like the global one. A matrix is a group of m (rows), n (columns), nz, nzmax, p, i, x:
//   nz >= 0   triplets: nz rows i, columns p, values x; entries given twice are added
//   nz = -1   compressed columns: column j has the entries p[j] to p[j + 1] - 1, of rows i
//   nz = -2   compressed rows, likewise
// Solutions and guesses are ignored; bilateral constraints (G; V and R) are refused.

// Whether the first bytes of a file are those of HDF5.
bool is_hdf5(std::string_view bytes);

// The problem in the bytes of a file named `file`: the local form if both are there and `kind` does not choose.
Problem read_fclib(const std::string& file, std::string_view bytes, std::optional<ProblemKind> kind = std::nullopt);

// The bytes of a file, matrices as compressed columns. W comes back with the same bits; so do M and H, which come back
// sparse, without the zeros of a dense matrix.
std::string fclib_bytes(const std::string& file, const FrictionProblem& problem);
std::string fclib_bytes(const std::string& file, const GlobalFrictionProblem& problem);

}  // namespace saltus
