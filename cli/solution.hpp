#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>

#include "saltus/core/report.hpp"

namespace saltus::cli {

// Members of friction problems only.
struct ContactSolution {
    Eigen::Index contacts = 0;
    int dimension = 3;               // of a contact
    double unscaled_residual = 0.0;  // with rho = 1, as Siconos measures
    Eigen::VectorXd v{};             // of a global problem
};

// What `saltus solve` reports about one solve. For a friction problem z holds the percussions r, w the velocities u.
struct Solution {
    std::string file{};
    std::string_view kind{};  // "lcp", ..., the words of ProblemKind
    double tolerance = 0.0;
    double seconds = 0.0;  // of the solver alone; for a global problem with its reduction to the local form
    Eigen::VectorXd z{}, w{};
    SolveReport report{};
    std::optional<ContactSolution> contact{};
};

// One JSON object: problem, size, solver, status, residual, iterations, seconds, z, w; for a friction problem contacts,
// dimension, residual_siconos (and v) too; message and certificate when there is one. Numbers are written with the
// digits that give the same bits back; one that is not finite (the residual of a diverged iterate) is null, since JSON
// has no word for it.
std::string to_json(const Solution& solution);

// The same for people. Only the first and last rows of a long z and w are shown.
std::string to_table(const Solution& solution);

// "1.25 ms": three digits and a unit from ns to s.
std::string readable_time(double seconds);

}  // namespace saltus::cli
