#pragma once

#include <string>
#include <vector>

#include "cli/limited_run.hpp"
#include "saltus/io/performance_profile.hpp"

namespace saltus::cli {

// The outcome of every solver of a family on each problem.
struct Comparison {
    struct Row {
        std::string file{};
        std::string_view kind{};
        Index size = 0;                  // unknowns
        Index contacts = 0;              // of a friction problem
        std::vector<LimitedRun> runs{};  // one per solver

        bool is_solved() const;  // by one of them
    };
    Family family = Family::affine;
    double tolerance = 0.0, time_limit = 0.0;
    std::vector<std::string> solvers{};
    std::vector<Row> rows{};
};

// The tau at which performance profiles are printed as numbers.
inline constexpr double profile_ratios[] = {1.0, 2.0, 5.0, 10.0, 100.0};

PerformanceProfile profile_of(const Comparison& comparison);

// For people: one row per problem, with the time of each solver or why there is none, `*` at the best; then the
// profile.
std::string to_table(const Comparison& comparison);

// One object with a member `comparisons`: for each its family, tolerance, time_limit, solvers, problems with their
// runs, and the profile. Numbers that are not finite are null.
std::string to_json(const std::vector<Comparison>& comparisons);

}  // namespace saltus::cli
