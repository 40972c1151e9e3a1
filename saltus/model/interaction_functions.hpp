#pragma once

#include "saltus/model/lagrangian_model.hpp"

namespace saltus {

// Positions, velocities and directions of an interaction at a point (t, q):                       docs/theory.md (151)
//     y = G q + e + g(q, lambda, t),   u = J v + rate,   J = (dy/dq, T),   rate = (dy/dt, 0).
// Only the coordinates on which it depends are touched: those of its systems, or the columns of a constant sparse G
// that are not zero. All rows of a spring of several pieces have the same y and J. Only the first evaluation
// allocates.
class InteractionFunctions {
public:
    // `starts`: where the coordinates of each system of the model begin.
    InteractionFunctions(const LagrangianModel& model, const IndexList& starts,
                         const LagrangianInteraction& interaction);

    const LagrangianInteraction& interaction() const { return interaction_; }
    Index rows() const { return rate_.size(); }
    // The columns of J: indices into the stacked q, and the number of those that belong to each system of the
    // interaction, in its order.
    const IndexList& coordinates() const { return coordinates_; }
    const IndexList& coordinates_of_systems() const { return counts_; }
    // Whether J is the same at all points.
    bool is_constant() const { return interaction_.is_linear(); }
    // Whether `rate` is too.
    bool is_steady() const { return is_constant() && has_constant_offset_; }

    // For all laws except RelayLaw; lambda may be null if nothing depends on it.
    void evaluate(double t, const Eigen::VectorXd& q, const double* lambda = nullptr);
    // For a RelayLaw: y = h, J = dh/dv + scale dh/dq, and B = dh/dv' if it is not given.
    void evaluate_relay(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double scale);

    // At the last evaluation. y has one entry per row, 0 for those of T.
    const Eigen::VectorXd& y() const { return y_; }
    const Eigen::MatrixXd& J() const { return J_; }
    const Eigen::VectorXd& rate() const { return rate_; }
    const Eigen::MatrixXd& compliance() const { return compliance_; }  // dy/dlambda; no rows where it is zero
    const Eigen::MatrixXd& B() const { return B_; }                    // of a relay; columns of coordinates()

    // u <- J v + rate.
    void velocity(const Eigen::VectorXd& v, double* u) const;

private:
    void gather_all(const LagrangianModel& model, const IndexList& starts);
    void keep_nonzero_columns();
    void evaluate_linear(double t, const Eigen::VectorXd& q);
    void add_nonlinear(double t, const Eigen::VectorXd& q, const double* lambda);
    void evaluate_directions(double t, const Eigen::VectorXd& q);
    void repeat_first_row();

    LagrangianInteraction interaction_;
    Index positions_ = 0;
    IndexList coordinates_, counts_;
    Eigen::VectorXd y_, rate_;
    Eigen::MatrixXd G_, J_, B_, compliance_;
    Eigen::VectorXd e_, e_rate_, arguments_, value_;
    Eigen::MatrixXd jacobian_;
    bool has_constant_offset_ = true;
    double t_of_e_ = std::numeric_limits<double>::quiet_NaN();  // at which e_ was evaluated
};

}  // namespace saltus
