#include "cli/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace saltus::cli {

namespace {

using Cells = std::vector<std::vector<std::string>>;
using Json = nlohmann::ordered_json;

double time_of(const LimitedRun& run) {
    return run.is_solved() ? run.seconds : std::numeric_limits<double>::infinity();
}

// The first column to the left, the others to the right.
std::string aligned(const Cells& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k)
            text += k == 0 ? fmt::format("{:<{}}", row[k], widths[k]) : fmt::format("  {:>{}}", row[k], widths[k]);
        text += '\n';
    }
    return text;
}

std::vector<std::string> cells_of(const Comparison& comparison, const Comparison::Row& row) {
    const Index size = comparison.family != Family::affine ? row.contacts : row.size;
    std::vector<std::string> cells{row.file, fmt::format("{}", size)};
    const LimitedRun& best = *std::ranges::min_element(row.runs, {}, time_of);
    for (const LimitedRun& run : row.runs)
        cells.push_back(run.is_solved() ? readable_time(run.seconds) + (&run == &best ? " *" : "  ")
                                        : std::string(run.outcome()) + "  ");
    return cells;
}

std::string profile_table(const PerformanceProfile& profile) {
    Cells rows{{"solver"}};
    for (const double tau : profile_ratios) rows.front().push_back(fmt::format("{:g}", tau));
    rows.front().emplace_back("solved");
    for (std::size_t s = 0; s < profile.solvers.size(); ++s) {
        std::vector<std::string> cells{profile.solvers[s]};
        for (const double tau : profile_ratios) cells.push_back(fmt::format("{:.3f}", profile.share(s, tau)));
        cells.push_back(fmt::format("{:.3f}", profile.share_solved(s)));
        rows.push_back(std::move(cells));
    }
    return aligned(rows);
}

Json json_of(const Comparison::Row& row, const Comparison& comparison) {
    Json json{{"file", row.file}, {"problem", row.kind}, {"size", row.size}};
    if (comparison.family != Family::affine) json["contacts"] = row.contacts;
    for (std::size_t s = 0; s < row.runs.size(); ++s) {
        const LimitedRun& run = row.runs[s];
        json["runs"].push_back({{"solver", comparison.solvers[s]},
                                {"status", run.outcome()},
                                {"seconds", run.seconds},
                                {"iterations", run.iterations},
                                {"residual", run.residual}});
    }
    return json;
}

Json json_of(const PerformanceProfile& profile) {
    Json json = Json::array();
    for (std::size_t s = 0; s < profile.solvers.size(); ++s) {
        Json shares = Json::array();
        for (const double tau : profile_ratios) shares.push_back({{"tau", tau}, {"share", profile.share(s, tau)}});
        json.push_back({{"solver", profile.solvers[s]}, {"shares", shares}, {"solved", profile.share_solved(s)}});
    }
    return json;
}

}  // namespace

bool Comparison::Row::is_solved() const { return std::ranges::any_of(runs, &LimitedRun::is_solved); }

PerformanceProfile profile_of(const Comparison& comparison) {
    std::vector<std::vector<double>> times;
    for (const auto& row : comparison.rows) {
        times.emplace_back();
        std::ranges::transform(row.runs, std::back_inserter(times.back()), time_of);
    }
    return performance_profile(comparison.solvers, times);
}

std::string to_table(const Comparison& comparison) {
    Cells rows{{"file", comparison.family != Family::affine ? "contacts" : "size"}};
    for (const auto& solver : comparison.solvers) rows.front().push_back(solver + "  ");
    for (const auto& row : comparison.rows) rows.push_back(cells_of(comparison, row));
    return fmt::format("{} problems, tolerance {:g}, at most {:g} s per solve\n\n", to_string(comparison.family),
                       comparison.tolerance, comparison.time_limit) +
           aligned(rows) +
           fmt::format("\nPerformance profile: share of the {} problems solved within tau times the best time\n\n",
                       comparison.rows.size()) +
           profile_table(profile_of(comparison));
}

std::string to_json(const std::vector<Comparison>& comparisons) {
    Json json{{"comparisons", Json::array()}};
    for (const Comparison& comparison : comparisons) {
        Json problems = Json::array();
        for (const auto& row : comparison.rows) problems.push_back(json_of(row, comparison));
        json["comparisons"].push_back({{"family", to_string(comparison.family)},
                                       {"tolerance", comparison.tolerance},
                                       {"time_limit", comparison.time_limit},
                                       {"solvers", comparison.solvers},
                                       {"problems", problems},
                                       {"profile", json_of(profile_of(comparison))}});
    }
    return json.dump() + "\n";
}

}  // namespace saltus::cli
