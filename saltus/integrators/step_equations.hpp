#pragma once

#include <vector>

#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/report.hpp"
#include "saltus/model/stacked.hpp"

namespace saltus {

// A step of a linear model, for the unknowns x and the multipliers mu at its end:                  docs/theory.md (114)
//     K x - c B mu = P x_k + p B mu_k + h b,   y = C x + D mu + e,   -y in N_[lower, upper](mu).
// Its `past` is the vector (x_k, mu_k if p != 0, b, e), with only those rows of b and e that are functions of time.
struct StepEquations {
    Matrix K, P, B, C, D;
    double c = 0.0, p = 0.0, h = 0.0;
    Eigen::VectorXd lower, upper;
    IndexList input_rows{}, offset_rows{};  // the rows of b and of e in `past`

    Index states() const { return K.rows(); }
    Index rows() const { return C.rows(); }
    Index past_size() const {
        return states() + (p != 0.0 ? rows() : 0) + std::ssize(input_rows) + std::ssize(offset_rows);
    }
    Index inputs_start() const { return states() + (p != 0.0 ? rows() : 0); }
    Index offsets_start() const { return inputs_start() + std::ssize(input_rows); }
    Interval law(Index row) const { return {lower[row], upper[row]}; }

    // What mu and y, stacked, must lie between for the placement to hold.
    void bounds(const Placement& placement, Eigen::VectorXd& least, Eigen::VectorXd& most) const;
    // The right-hand side of the first equation, and e.
    Eigen::VectorXd load(const double* past) const;
    Eigen::VectorXd offset(const double* past) const;
};

// The multipliers of the laws at one time, -(M lambda + q) in N(lambda). Where there are none x is about to jump: the
// values nearest zero stand for them, and the report has not converged.
SolveReport solve_laws(const BoxVi& laws, Eigen::VectorXd& lambda);

// The row at which z is furthest from solving the problem; -1 if z or the problem is not finite.
Index worst_row(const BoxVi& problem, const Eigen::VectorXd& z);

}  // namespace saltus
