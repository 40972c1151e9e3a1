#pragma once

#include "saltus/core/dense.hpp"
#include "saltus/model/linearisation.hpp"

namespace saltus {

// The equations of the rows of a first-order mode that hold y = 0, linearised at a point:         docs/theory.md (164)
//     K = (R' y_lambda, N' y_x M^-1 r_lambda),   K change = -(R' y, N' dy/dt),
// R and N orthonormal bases of the range of y_lambda among these rows and of its orthogonal complement. Where rows
// are redundant the change of least norm is taken. Nothing is allocated if the matrices are constant, except after
// set().
class BasicRows {
public:
    void set(IndexList rows);
    const IndexList& rows() const { return rows_; }
    bool is_empty() const { return rows_.empty(); }

    // The matrices at a point, `response` being M^-1 r_lambda; done once after set() where they are constant.
    bool needs_matrices() const { return !is_constant_ || !has_matrices_; }
    void set_matrices(const Linearisation& point, const Eigen::MatrixXd& response, bool is_constant);

    // The change of the multipliers; false if there is none. slope is x'.
    bool solve_rates(const Linearisation& point, const Eigen::VectorXd& slope);
    const Eigen::VectorXd& change() const { return change_; }
    // point.lambda += change, and the linearised r and y with it.
    void add_change(Linearisation& point) const;

    // The largest entry of N' y; 0 where the rows constrain no state.
    double find_violation(const Linearisation& point);
    // x += M^-1 r_lambda sigma with  N' (y + y_x M^-1 r_lambda sigma) = 0,  y_lambda sigma = 0,  of the last violation.
    void add_jump(Eigen::VectorXd& x);

private:
    void split(const Linearisation& point);
    void factor();
    void solve();

    IndexList rows_;
    bool is_constant_ = false, has_matrices_ = false, is_regular_ = true;
    Eigen::MatrixXd y_x_, y_lambda_, r_lambda_;  // rows of y_x, columns of y_lambda and of r_lambda
    Eigen::MatrixXd response_, range_, null_, K_;
    Eigen::VectorXd scales_;  // of the rows of K
    Eigen::VectorXd y_, y_dot_, rhs_, change_, misfit_;
    DenseLu factors_;
    LeastSquares redundant_;
};

}  // namespace saltus
