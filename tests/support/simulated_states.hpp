#pragma once

#include <gtest/gtest.h>

#include "saltus/simulation/time_stepping.hpp"

namespace saltus::testing {

// x at every sample, one column each. The run must reach its end.
inline Eigen::MatrixXd simulated_states(const Model& model, const TimeStepping& options) {
    const Simulation run = simulate(model, options);
    EXPECT_EQ(run.report.end, RunReport::End::reached) << model.name << ": " << run.report.failure.solve.message;
    Eigen::MatrixXd states(model.states(), run.trajectory.samples());
    for (Index k = 0; k < states.cols(); ++k)
        for (Index i = 0; i < states.rows(); ++i) states(i, k) = run.trajectory.value(k, i);
    return states;
}

// The largest entry of the difference of two runs, infinite where they do not have the same samples.
inline double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
    return (a - b).lpNorm<Eigen::Infinity>();
}

}  // namespace saltus::testing
