#include "saltus/io/performance_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

// The picture, in its own units.
struct ProfileFrame {
    double left = 70, right = 600, top = 50, bottom = 400;
    int width = 820, height = 460;
    double decades = 1;  // of the axis of tau, which starts at 1

    double x(double tau) const { return left + (right - left) * std::min(std::log10(tau) / decades, 1.0); }
    double y(double share) const { return bottom - (bottom - top) * share; }
};

// Okabe and Ito's colours, distinguishable with any colour vision; their yellow is too pale for a line.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00"};
constexpr std::array dashes{"none", "8 3", "2 3", "8 3 2 3"};

std::string line_style(std::size_t solver) {
    return fmt::format("stroke=\"{}\" stroke-dasharray=\"{}\" stroke-width=\"2\" fill=\"none\"",
                       colours[solver % colours.size()], dashes[solver % dashes.size()]);
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text, std::string_view more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                       escaped(text));
}

std::string grid_line(double x1, double y1, double x2, double y2) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#dddddd\"/>\n", x1, y1,
                       x2, y2);
}

std::string axes(const ProfileFrame& frame) {
    std::string svg;
    for (int decade = 0; decade <= static_cast<int>(frame.decades); ++decade) {
        const double tau = std::pow(10.0, decade), x = frame.x(tau);
        svg += grid_line(x, frame.top, x, frame.bottom) +
               text_at(x, frame.bottom + 18, "middle", fmt::format("{:g}", tau));
    }
    for (int fifth = 0; fifth <= 5; ++fifth) {
        const double y = frame.y(0.2 * fifth);
        svg += grid_line(frame.left, y, frame.right, y) +
               text_at(frame.left - 8, y + 4, "end", fmt::format("{:.1f}", 0.2 * fifth));
    }
    const double middle_x = 0.5 * (frame.left + frame.right), middle_y = 0.5 * (frame.top + frame.bottom);
    svg += text_at(middle_x, frame.bottom + 42, "middle", "\u03c4: time over that of the fastest solver");
    svg += text_at(20, middle_y, "middle", "share of problems solved within \u03c4",
                   fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle_y));
    return svg;
}

// Steps up at each ratio, level between them and to the right edge.
std::string curve(const ProfileFrame& frame, const PerformanceProfile& profile, std::size_t solver) {
    std::string points = fmt::format("M{:.1f},{:.1f}", frame.left, frame.y(0.0));
    for (const double ratio : profile.ratios[solver]) {
        if (!(std::log10(ratio) <= frame.decades)) break;
        fmt::format_to(std::back_inserter(points), "H{:.1f}V{:.1f}", frame.x(ratio),
                       frame.y(profile.share(solver, ratio)));
    }
    return fmt::format("<path d=\"{}H{:.1f}\" {}/>\n", points, frame.right, line_style(solver));
}

std::string legend(const ProfileFrame& frame, const PerformanceProfile& profile) {
    const double x = frame.right + 20;
    std::string svg = text_at(x, frame.top, "start", "solver (share solved)");
    for (std::size_t s = 0; s < profile.solvers.size(); ++s) {
        const double y = frame.top + 22.0 * static_cast<double>(s + 1);
        svg += fmt::format("<path d=\"M{:.1f},{:.1f}h36\" {}/>\n", x, y - 4, line_style(s));
        svg += text_at(x + 44, y, "start", fmt::format("{} ({:.2f})", profile.solvers[s], profile.share_solved(s)));
    }
    return svg;
}

ProfileFrame frame_of(const PerformanceProfile& profile) {
    constexpr double most_decades = 6;
    ProfileFrame frame;
    for (const auto& ratios : profile.ratios)
        for (const double ratio : ratios)
            if (std::isfinite(ratio)) frame.decades = std::max(frame.decades, std::ceil(std::log10(ratio)));
    frame.decades = std::min(frame.decades, most_decades);
    std::size_t longest = 0;
    for (const auto& name : profile.solvers) longest = std::max(longest, name.size());
    constexpr double character = 8.5;  // of the fonts in use, the widest that a name needs on average
    const double legend_width = 64.0 + character * static_cast<double>(longest + std::string_view(" (0.00)").size());
    frame.width = std::max(frame.width, static_cast<int>(frame.right + legend_width));
    const double needed = frame.top + 22.0 * static_cast<double>(profile.solvers.size() + 1);
    frame.height = std::max(frame.height, static_cast<int>(needed));
    return frame;
}

}  // namespace

double PerformanceProfile::share(std::size_t solver, double tau) const {
    const auto& of_solver = ratios[solver];
    const auto within = std::upper_bound(of_solver.begin(), of_solver.end(), tau) - of_solver.begin();
    return of_solver.empty() ? 0.0 : static_cast<double>(within) / static_cast<double>(of_solver.size());
}

double PerformanceProfile::share_solved(std::size_t solver) const {
    return share(solver, std::numeric_limits<double>::max());
}

PerformanceProfile performance_profile(std::vector<std::string> solvers,
                                       const std::vector<std::vector<double>>& times) {
    PerformanceProfile profile{std::move(solvers), {}};
    profile.ratios.resize(profile.solvers.size());
    for (const auto& row : times) {
        require(row.size() == profile.solvers.size(), "performance_profile: {} times for {} solvers", row.size(),
                profile.solvers.size());
        for (const double time : row)
            require(time >= 0.0, "performance_profile: a time is {}; it must be zero or more, infinite if not solved",
                    time);
        const double best = row.empty() ? infinity : *std::min_element(row.begin(), row.end());
        for (std::size_t s = 0; s < row.size(); ++s) {
            const bool is_solved = std::isfinite(row[s]);
            profile.ratios[s].push_back(!is_solved ? infinity : row[s] == best ? 1.0 : row[s] / best);
        }
    }
    for (auto& ratios : profile.ratios) std::sort(ratios.begin(), ratios.end());
    return profile;
}

std::string to_svg(const PerformanceProfile& profile, std::string_view title) {
    const ProfileFrame frame = frame_of(profile);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        frame.width, frame.height);
    svg += text_at(frame.left, 26, "start", title, " font-size=\"16\"") + axes(frame);
    for (std::size_t s = 0; s < profile.solvers.size(); ++s) svg += curve(frame, profile, s);
    return svg + legend(frame, profile) + "</svg>\n";
}

}  // namespace saltus
