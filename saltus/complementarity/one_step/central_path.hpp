#pragma once

#include "saltus/complementarity/one_step/interior_state.hpp"

namespace saltus::one_step {

// Follows the central path of a one-step problem, the curve of the points with
//     s o y = tau e,   imbalance = (tau / tau_0) imbalance_0                                        docs/theory.md (91)
// from the start of an InteriorState, where tau = tau_0, to tau = 0. Friction makes the path fold: tau does not fall
// all the way, which stops every method that lowers tau in each step. Here the step is measured along the curve, and
// the sign of the determinant of the Newton system says whether tau falls or rises: on a smooth curve of zeros it
// changes exactly at the folds (Allgower, Georg 1990, sec. 2.3 and 12). A step that is too long may still jump to
// another branch of the curve, where the sign differs, and go in circles: the number of steps must be bounded.
class CentralPath {
public:
    explicit CentralPath(InteriorState& state);

    // One predictor and corrector with one factorization; false at a numerical breakdown.
    bool step();

private:
    // The distance from the path, relative to that from which a predictor may start: the larger of |s o y - tau e| in
    // the scaled space and the error of the imbalance.
    double distance() const;
    void set_tau(double tau);
    void find_directions();
    double product(const InteriorDirection& a, const InteriorDirection& b) const;
    double move(double rate, double part);
    bool correct(double rate);
    bool retreat();

    InteriorState& state_;
    double tau_, first_tau_, velocity_, length_ = 1.0;
    int first_orientation_ = 0;
    Eigen::VectorXd first_imbalance_, difference_;
    InteriorDirection newton_, tangent_, move_;  // tangent_: per unit of log tau
    std::vector<lorentz::Vector> target_;
    InteriorState::Point from_, anchor_;  // anchor_: the last point near the path
    double anchor_tau_ = 0.0;
    int correctors_ = 0;  // since the last predictor
};

}  // namespace saltus::one_step
