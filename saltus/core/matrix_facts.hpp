#pragma once

#include <string>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Facts about a square matrix that decide how many solutions a complementarity problem has. M need not be symmetric.
// All throw InvalidInput if M is not square.

// x'Mx > 0 for all x != 0: Cholesky's factorization of the symmetric part succeeds.
bool is_positive_definite(const Matrix& M);

// x'Mx >= -tolerance |M| |x|^2 for all x.
bool is_positive_semidefinite(const Matrix& M, double tolerance = 1e-12);

// M_ij <= 0 off the diagonal.
bool is_z_matrix(const Matrix& M);

// A Z-matrix whose principal minors are positive; exact for every n: M^-1 e >= 0.
bool is_m_matrix(const Matrix& M);

enum class Answer { yes, no, unknown };

// Whether every principal minor is positive, so that the LCP has one solution for every q (docs/theory.md (63)).
struct PMatrixFact {
    Answer answer = Answer::unknown;
    IndexList minor{};   // if no: the rows of a principal minor that is not positive
    double value = 0.0;  // and its value
};
// Exact up to rounding for n <= exact_size (2^n pivots). Beyond: yes if M is positive definite or an M-matrix; no if a
// minor of one or two rows is not positive; else unknown.
PMatrixFact p_matrix(const Matrix& M, Index exact_size = 16);

// Whether x'Mx >= 0 for all x >= 0.
struct CopositiveFact {
    Answer answer = Answer::unknown;
    Eigen::VectorXd direction{};  // if no: x >= 0 with x'Mx < 0
};
// Exact for n <= exact_size (2^n inverses: Hadeler 1983); beyond, yes if M is semidefinite or has no negative entry.
CopositiveFact copositive(const Matrix& M, Index exact_size = 12);

// One sentence for messages, e.g. "M is not a P-matrix: principal minor {2, 5} is -0.3; there may be several solutions
// or none". Empty if M is a P-matrix.
std::string solvability_note(const Matrix& M);

}  // namespace saltus
