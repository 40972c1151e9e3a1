#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saltus {

// How often a solver is nearly the fastest (Dolan and More 2002, Math. Programming 91). With t_ps the time of solver s
// on problem p, infinite if it does not solve p, and n the number of problems:
//     ratio_ps = t_ps / min_s t_ps,    rho_s(tau) = #{ p : ratio_ps <= tau } / n.
struct PerformanceProfile {
    std::vector<std::string> solvers;
    std::vector<std::vector<double>> ratios;  // of each solver, ascending, one per problem; infinite where it failed

    std::size_t problems() const { return ratios.empty() ? 0 : ratios.front().size(); }
    double share(std::size_t solver, double tau) const;  // rho_s(tau); 0 without problems
    double share_solved(std::size_t solver) const;       // the limit of rho_s
};

// times[p][s] in any unit. Throws InvalidInput if a row does not have one time per solver, or if a time is negative or
// NaN.
PerformanceProfile performance_profile(std::vector<std::string> solvers, const std::vector<std::vector<double>>& times);

// A picture as SVG text: rho_s against tau, on a logarithmic axis, as step curves with a legend. Colours and dashes
// differ, so that nobody needs to see colours. Names and title may contain any characters.
std::string to_svg(const PerformanceProfile& profile, std::string_view title);

}  // namespace saltus
