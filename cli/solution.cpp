#include "cli/solution.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace saltus::cli {

namespace {

nlohmann::json to_array(const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); }

std::string rows_of(const Solution& solution, Eigen::Index first, Eigen::Index last) {
    std::string text;
    for (Eigen::Index i = first; i < last; ++i)
        text += fmt::format("{:>8} {:>22.12g} {:>22.12g}\n", i, solution.z[i], solution.w[i]);
    return text;
}

std::string values_of(const Solution& solution) {
    constexpr Eigen::Index longest = 20, shown = 5;
    const Eigen::Index n = solution.z.size();
    if (n == 0) return "";
    const std::string head = solution.contact ? fmt::format("\n{:>8} {:>22} {:>22}\n", "i", "r", "u")
                                              : fmt::format("\n{:>8} {:>22} {:>22}\n", "i", "z", "w = M z + q");
    if (n <= longest) return head + rows_of(solution, 0, n);
    return head + rows_of(solution, 0, shown) + fmt::format("{:>8}\n", "...") + rows_of(solution, n - shown, n) +
           fmt::format("({} rows are left out; --json and --output give all)\n", n - 2 * shown);
}

}  // namespace

std::string to_json(const Solution& solution) {
    const SolveReport& report = solution.report;
    nlohmann::ordered_json json{
        {"problem", solution.kind},           {"size", solution.z.size()},   {"solver", report.solver},
        {"status", to_string(report.status)}, {"residual", report.residual}, {"iterations", report.iterations},
        {"seconds", solution.seconds},        {"z", to_array(solution.z)},   {"w", to_array(solution.w)},
    };
    if (const auto& contact = solution.contact) {
        json["contacts"] = contact->contacts;
        json["dimension"] = contact->dimension;
        json["residual_siconos"] = contact->unscaled_residual;
        if (contact->v.size() > 0) json["v"] = to_array(contact->v);
    }
    if (!report.message.empty()) json["message"] = report.message;
    if (report.certificate.size() > 0) json["certificate"] = to_array(report.certificate);
    return json.dump() + "\n";
}

std::string to_table(const Solution& solution) {
    const SolveReport& report = solution.report;
    std::string text = solution.file + "\n";
    const auto line = [&](std::string_view name, const std::string& value) {
        text += fmt::format("  {:<12} {}\n", name, value);
    };
    line("problem", std::string(solution.kind));
    line("size", fmt::format("{}", solution.z.size()));
    if (const auto& contact = solution.contact)
        line("contacts", fmt::format("{} of dimension {}", contact->contacts, contact->dimension));
    line("solver", std::string(report.solver));
    line("status", std::string(to_string(report.status)));
    line("residual", fmt::format("{:.3g} (tolerance {:g})", report.residual, solution.tolerance));
    if (solution.contact)
        line("unscaled", fmt::format("{:.3g} (as Siconos measures)", solution.contact->unscaled_residual));
    line("iterations", fmt::format("{}", report.iterations));
    line("time", readable_time(solution.seconds));
    if (!report.message.empty()) line("message", report.message);
    return text + values_of(solution);
}

std::string readable_time(double seconds) {
    if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

}  // namespace saltus::cli
