#pragma once

#include <optional>

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// One pass of projected relaxation over all variables, docs/theory.md (10), the shared kernel of ProjectedGaussSeidel
// and PrimalDualActiveSet. It keeps w = M z + q up to date instead of computing rows of it: a change of z_i adds a
// multiple of column i, contiguous in both storages. Variables that stay at their bound cost nothing, and the residual
// is found on the way. Memory is kept between calls of start(), and only start() allocates.
class ProjectedSweep {
public:
    enum class Order { forward, backward };
    struct Outcome {
        double residual = 0.0;  // max_i |z_i - mid(l_i, z_i - w_i, u_i)|, each measured just before z_i is updated
        bool moved = false;     // some z_i changed
        Index crossings = 0;    // variables that reached or left a bound
    };

    // Projects z onto the box and computes w. The problem must outlive the sweeps. There must be no undefined_row().
    void start(const AffineBox& problem, Eigen::VectorXd& z);

    // The first i with M_ii <= 0 and l_i < u_i, where (10) is not defined.
    static std::optional<Index> undefined_row(const AffineBox& problem);

    Outcome pass(Eigen::VectorXd& z, double relaxation, Order order = Order::forward);

    // Moves one variable: z_i <- value, w <- w + M_i (change).
    void move(Index i, double value, Eigen::VectorXd& z);

    // Moves to another point and recomputes w = M z + q.
    void jump(const Eigen::VectorXd& z);

    // Moves to a point whose w is known.
    void set_w(const Eigen::VectorXd& w) { w_ = w; }

    // max_i |z_i - mid(l_i, z_i - w_i, u_i)|, that is residual(problem, z) before the division.
    double natural_residual(const Eigen::VectorXd& z) const;

    const Eigen::VectorXd& w() const { return w_; }
    const Eigen::VectorXd& lower() const { return lower_; }
    const Eigen::VectorXd& upper() const { return upper_; }
    const Eigen::VectorXd& inverse_diagonal() const { return inverse_diagonal_; }

private:
    // Calls action(add_column), where add_column(i, change) does w <- w + M_i change in the storage of M.
    template <class Action>
    auto with_columns(const Action& action);
    template <class AddColumn>
    Outcome pass_with(const AddColumn& add_column, Eigen::VectorXd& z, double relaxation, Order order);

    const AffineBox* problem_ = nullptr;
    Eigen::VectorXd w_, lower_, upper_, inverse_diagonal_;
};

}  // namespace saltus
