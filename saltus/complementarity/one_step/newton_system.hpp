#pragma once

#include <vector>

#include "saltus/complementarity/one_step/one_step_equation.hpp"
#include "saltus/core/factorization.hpp"

namespace saltus::one_step {

// The linear system of Newton's method on a OneStepEquation,
//     J d = -F,   J = by_w (W + D) + by_r.                                                          docs/theory.md (93)
// An open block has by_w = 0, by_r = I, so that d_i = -F_i is known: only the other, active blocks are factored, dense
// or sparse. The symbolic analysis is kept while the same blocks are active.
class NewtonSystem {
public:
    explicit NewtonSystem(const OneStepEquation& equation);

    // Factors J with `shift` unit(i) added to the diagonal of W_ii, in J only: where J is singular because W is, the
    // step becomes that of a proximal point at r. False if singular.
    bool factor(const std::vector<BlockDerivative>& derivatives, double shift = 0.0);
    // The sign of det J, 1 or -1.
    int determinant_sign() const { return active_rows_ > 0 ? factorization_.determinant_sign() : 1; }
    // d <- -J^-1 F, with the derivatives that were factored.
    void solve(const std::vector<BlockDerivative>& derivatives, const Eigen::VectorXd& F, Eigen::VectorXd& d);

private:
    void find_active(const std::vector<BlockDerivative>& derivatives);
    template <class Visit>
    void for_each_active_block(Visit&& visit) const;
    void fill_dense(const std::vector<BlockDerivative>& derivatives, double shift);
    void lay_out_sparse();
    void fill_sparse(const std::vector<BlockDerivative>& derivatives, double shift);
    bool is_dense() const;

    const OneStepEquation& equation_;
    const BlockMatrix& W_;
    std::vector<int> position_;  // of each block in the active system, -1 if open
    Index active_blocks_ = 0, active_rows_ = 0, active_entries_ = 0;
    Matrix::Dense dense_;
    Matrix::Sparse sparse_;
    std::vector<int> cursor_;
    Factorization factorization_;
    Eigen::VectorXd product_, right_side_;
};

}  // namespace saltus::one_step
