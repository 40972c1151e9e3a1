#include <algorithm>
#include <cmath>

#include "saltus/io/result/channel_index.hpp"
#include "saltus/io/result/result_view.hpp"

// What a result shows by default: for mechanics positions, velocities, gaps, impulses, friction and energy; for
// first-order models the sources and states, the multipliers and the outputs.
namespace saltus {

namespace {

constexpr std::size_t most_curves = 8;  // in one picture

class PlotChooser {
public:
    explicit PlotChooser(const ResultView& view) : view_(view), index_(view.result().channels()) {}

    std::vector<PlotChoice> choose() {
        if (view_.is_mechanical())
            choose_mechanics();
        else
            choose_first_order();
        return std::move(plots_);
    }

    // All channels of this kind whose owners pass.
    template <class Passes>
    std::vector<Index> all(std::string_view kind, Passes passes) const {
        std::vector<Index> result;
        for (const std::string& owner : index_.owners())
            if (passes(owner)) {
                const std::vector<Index>& channels = index_.find(owner, kind);
                result.insert(result.end(), channels.begin(), channels.end());
            }
        return result;
    }
    std::vector<Index> all(std::string_view kind) const {
        return all(kind, [](const std::string&) { return true; });
    }

private:
    void choose_mechanics() {
        const auto is_contact = [&](const std::string& owner) { return index_.has(owner, "gap"); };
        const auto is_other = [&](const std::string& owner) { return !is_contact(owner) && index_.has(owner, "P"); };
        add("Positions", all("q"));
        add("Velocities", all("v"));
        // If there is only one coordinate it shows the gap.
        if (all("q").size() > 1) add("Gaps", all("gap"));
        add("Impulses of contacts", rows(is_contact, "P", 0, 1));
        add("Impulses of friction", rows(is_contact, "P", 1, 2));
        add("Forces", rows(is_other, "force", 0, 1));
        add("Energy", energies());
    }

    void choose_first_order() {
        std::vector<Index> states;
        for (std::size_t k = 0; k < view_.columns().size(); ++k)
            if (view_.columns()[k].group == ViewColumn::Group::signal && states.size() < 3)
                states.push_back(static_cast<Index>(k));
        const bool has_sources = !states.empty();
        const std::vector<Index> x = all("x");
        states.insert(states.end(), x.begin(), x.end());
        add(has_sources ? "Sources and states" : "States", states);
        add("Multipliers", all("lambda"));
        add("Multipliers (measure of a step)", all("sigma"));
        add("Outputs", all("y"));
    }

    // The entries begin <= i < end of this kind whose owners pass.
    template <class Passes>
    std::vector<Index> rows(Passes passes, std::string_view kind, std::size_t begin, std::size_t end) const {
        std::vector<Index> result;
        for (const std::string& owner : index_.owners()) {
            if (!passes(owner)) continue;
            const std::vector<Index>& channels = index_.find(owner, kind);
            for (std::size_t i = begin; i < std::min(end, channels.size()); ++i) result.push_back(channels[i]);
        }
        return result;
    }

    std::vector<Index> energies() const {
        std::vector<Index> result;
        for (const char* kind : {"kinetic", "potential", "total"})
            for (const Index channel : index_.find("energy", kind)) result.push_back(channel);
        return result;
    }

    // Adds pictures of columns of similar size: volts and milliamperes in one would hide the latter.
    void add(const std::string& title, std::vector<Index> columns) {
        if (columns.empty()) return;
        const std::size_t found = columns.size();
        columns.resize(std::min(found, 2 * most_curves));
        const std::vector<double> sizes = sizes_of(columns);
        std::vector<std::size_t> left(columns.size());
        for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
        std::vector<PlotChoice> parts;
        while (!left.empty() && parts.size() < 3) {
            PlotChoice part;
            std::vector<std::size_t> others;
            const double size = sizes[left.front()];
            for (const std::size_t k : left) {
                const bool fits = size == 0.0 || sizes[k] == 0.0 || std::abs(std::log10(sizes[k] / size)) <= 1.3;
                if (fits && part.columns.size() < most_curves)
                    part.columns.push_back(columns[k]);
                else
                    others.push_back(k);
            }
            left = others;
            parts.push_back(std::move(part));
        }
        for (PlotChoice& part : parts) {
            part.title = parts.size() == 1 ? title : fmt::format("{} ({})", title, names(part.columns));
            plots_.push_back(std::move(part));
        }
        if (found > 2 * most_curves) plots_.back().title += fmt::format(", the first of {}", found);
    }

    std::string names(const std::vector<Index>& columns) const {
        const std::string first = view_.columns()[static_cast<std::size_t>(columns.front())].name;
        return columns.size() == 1 ? first : first + ", …";
    }

    // The largest finite value of some samples.
    std::vector<double> sizes_of(const std::vector<Index>& columns) const {
        constexpr Index most = 300;
        const Index samples = view_.result().samples(), stride = std::max<Index>(1, samples / most);
        const Window window = view_.read(columns, 0, samples / stride, stride);
        std::vector<double> result;
        for (const std::vector<double>& values : window.values) {
            double size = 0.0;
            for (const double value : values)
                if (std::isfinite(value)) size = std::max(size, std::abs(value));
            result.push_back(size);
        }
        return result;
    }

    const ResultView& view_;
    ChannelIndex index_;
    std::vector<PlotChoice> plots_;
};

}  // namespace

std::vector<PlotChoice> ResultView::default_plots() const { return PlotChooser(*this).choose(); }

// The first coordinate and its rate, or the first two states.
std::vector<PhaseChoice> ResultView::default_phases() const {
    const PlotChooser chooser(*this);
    const std::vector<Index> q = chooser.all("q"), v = chooser.all("v"), x = chooser.all("x");
    const auto name = [&](Index k) { return columns_[static_cast<std::size_t>(k)].name; };
    const auto pair = [&](Index a, Index b) {
        return std::vector<PhaseChoice>{{fmt::format("{} over {}", name(b), name(a)), a, b}};
    };
    if (!q.empty() && !v.empty()) return pair(q[0], v[0]);
    if (x.size() > 1) return pair(x[0], x[1]);
    return {};
}

}  // namespace saltus
