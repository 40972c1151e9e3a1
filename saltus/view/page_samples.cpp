#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/view/page_data.hpp"

namespace saltus {

namespace {

using nlohmann::json;

// The columns that are drawn first; then those of the run.
std::vector<Index> leaders_of(const json& manifest) {
    std::vector<Index> result;
    const auto use = [&](const json& column) {
        if (!column.is_null() && std::ranges::count(result, column.get<Index>()) == 0)
            result.push_back(column.get<Index>());
    };
    for (const json& plot : manifest["plots"])
        for (const json& column : plot["columns"]) use(column);
    for (const json& phase : manifest["phases"]) use(phase["x"]), use(phase["y"]);
    for (const json& column : manifest["health"]) use(column);
    return result;
}

// In single precision, where that leaves seven digits of what changes.
void add_column(const std::string& name, const std::vector<double>& values, PageBlocks& blocks) {
    double low = std::numeric_limits<double>::infinity(), high = -low, size = 0.0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
        size = std::max(size, std::abs(value));
    }
    const bool is_wide = size > 1e37 || (size > 0.0 && high - low < 1e-2 * size && high > low);
    if (is_wide) return blocks.add(name, values, {values.size()});
    blocks.add(name, std::vector<float>(values.begin(), values.end()), {values.size()});
}

}  // namespace

// All samples of all columns if they fit. Else, for a long run, those where one of the columns that are drawn first
// is least or largest in a piece, and as many of the other columns as fit.
void add_samples(const ResultView& view, double bytes, nlohmann::json& manifest, PageBlocks& blocks) {
    std::vector<Index> columns = leaders_of(manifest);
    const std::size_t leading = columns.size();
    const double room = bytes / sizeof(float);
    const Index samples = view.result().samples();
    const auto all = static_cast<double>(samples);
    // A long run drops samples before columns, one with very many columns drops columns. The time has double precision.
    constexpr std::size_t many = 100;
    const std::size_t wanted = std::max(leading, std::min(many, view.columns().size()));
    const double kept = std::min(all, std::max(100.0, room / (2.0 + static_cast<double>(wanted))));
    const auto most = static_cast<std::size_t>(
        std::clamp(room / std::max(1.0, kept) - 2.0, 0.0, static_cast<double>(view.columns().size())));
    std::set<Index> used(columns.begin(), columns.end());
    for (Index k = 0; k < std::ssize(view.columns()) && columns.size() < std::max(most, leading); ++k)
        if (used.insert(k).second) columns.push_back(k);
    const auto points = static_cast<Index>(kept < all ? kept / static_cast<double>(leading) : all);
    const Window window = view.read_extremes(columns, 0, samples, points, leading);
    manifest["embedded"] = window.t.size();
    blocks.add("t", window.t, {window.t.size()});
    for (std::size_t c = 0; c < columns.size(); ++c)
        add_column(fmt::format("column-{}", columns[c]), window.values[c], blocks);
    for (json& column : manifest["columns"]) column["present"] = false;
    for (const Index k : columns) manifest["columns"][static_cast<std::size_t>(k)]["present"] = true;
    manifest["missing"] = view.columns().size() - columns.size();
}

}  // namespace saltus
