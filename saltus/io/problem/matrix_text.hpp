#pragma once

#include <string>

#include "saltus/core/block_matrix.hpp"
#include "saltus/core/matrix.hpp"
#include "saltus/io/problem/token_reader.hpp"

namespace saltus {

// A matrix as problem files write it, in one of the three storages described in problem_file.hpp. The shape must be
// rows x cols. Block-sparse and sparse storages give a sparse matrix.
Matrix read_matrix(TokenReader& reader, Index rows, Index cols);

// Appends the matrix to `text`: a dense one as storage 0, a sparse one as storage 2; values with 17 digits.
void write_matrix(std::string& text, const Matrix& matrix);

// Appends the matrix as storage 1, with every stored block, even if it is zero.
void write_matrix(std::string& text, const BlockMatrix& matrix);

// Appends the values, separated by blanks, and ends the line.
void write_numbers(std::string& text, const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace saltus
