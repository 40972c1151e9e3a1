#pragma once

#include <vector>

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus {

// The graph of a block matrix: blocks i and j are neighbours when W_ij or W_ji is stored.

// Its connected components, each in ascending order: problems that can be solved separately.
std::vector<IndexList> islands(const BlockMatrix& W);

// Greedy colouring in the given order: blocks of one colour are not neighbours, so that a Gauss-Seidel sweep over them
// may go in any order, or in parallel, with the same result. Each colour in ascending order.
std::vector<IndexList> colours(const BlockMatrix& W);

// The problem restricted to some blocks; the others are left out.
OneStepProblem restriction(const OneStepView& problem, const IndexList& blocks);

// x <- y on the rows of `blocks`, y a vector of the restriction; and back.
void scatter(const BlockMatrix& W, const IndexList& blocks, const Eigen::VectorXd& y, Eigen::VectorXd& x);
Eigen::VectorXd gather(const BlockMatrix& W, const IndexList& blocks, const Eigen::VectorXd& x);

}  // namespace saltus
