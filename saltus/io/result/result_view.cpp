#include "saltus/io/result/result_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/check.hpp"
#include "saltus/core/nearest_name.hpp"
#include "saltus/io/model/scene_tables.hpp"
#include "saltus/io/result/settings.hpp"

namespace saltus {

std::string_view to_string(ViewColumn::Group group) {
    constexpr std::string_view words[] = {"state", "multiplier", "output", "contact",
                                          "joint", "energy",     "signal", "run"};
    return words[static_cast<int>(group)];
}

ResultView::ResultView(const ResultReader& result) : result_(result) {
    add_channels();
    try {
        read_text();
    } catch (const InvalidInput& error) {
        scene_ = {};
        warnings_.push_back(fmt::format("what the model draws cannot be read from its text: {}", error.what()));
    }
    std::set<Index> drawn;
    for (const DrawnContact& contact : scene_.contacts) drawn.insert(contact.interaction);
    places_ = PlaceHistory(result, drawn);
    const std::vector<const char*> names = result.has_health()
                                               ? std::vector{"run.residual", "run.iterations", "run.seconds"}
                                               : std::vector{"run.residual"};
    for (const char* name : names) columns_.push_back({name, ViewColumn::Group::run});
    run_columns_ = std::ssize(names);
}

void ResultView::add_channels() {
    const ChannelIndex index(result_.channels());
    for (const std::string& channel : result_.channels()) {
        const auto [owner, kind] = owner_and_kind(channel);
        using enum ViewColumn::Group;
        const bool is_contact = index.has(std::string(owner), "gap");
        is_mechanical_ = is_mechanical_ || kind == "q";
        columns_.push_back({channel, kind == "q" || kind == "v" || kind == "x" ? state
                                     : kind == "lambda" || kind == "sigma"     ? multiplier
                                     : is_contact                              ? contact
                                     : index.has(std::string(owner), "force")  ? joint
                                     : kind == "y"                             ? output
                                     : owner == "energy"                       ? energy
                                                                               : output});
    }
}

void ResultView::read_text() {
    if (result_.model_text().empty()) return;
    toml::table root;
    try {
        root = toml::parse(result_.model_text());
    } catch (const toml::parse_error& error) {
        throw InvalidInput(fmt::format("line {}: {}", error.source().begin.line, std::string(error.description())));
    }
    if (const toml::node* node = root.get("description")) description_ = node->value_or(std::string());
    ModelTables tables("model", read_settings(result_.summary().settings));
    tables.add_names(root);
    add_signals(tables);
    if (const toml::node* view = root.get("view"))
        scene_ = read_scene(tables, *view, result_.channels(), result_.interactions());
}

// A signal that needs more than t and the states of the only system is not a column.
void ResultView::add_signals(const ModelTables& tables) {
    const ChannelIndex index(result_.channels());
    const std::vector<SystemChannels> systems = systems_in(index);
    for (const std::string& name : tables.signals()) {
        Signal signal;
        std::vector<Symbol> variables{{"t"}};
        if (systems.size() == 1) variables = drawing_variables({&systems.front()}, signal.arguments);
        try {
            signal.value = tables.signal(name, variables);
        } catch (const InvalidInput&) {
            continue;
        }
        signals_.push_back(std::move(signal));
        columns_.push_back({name, ViewColumn::Group::signal});
    }
}

Index ResultView::column(const std::string& name) const {
    const auto found = std::ranges::find(columns_, name, &ViewColumn::name);
    if (found != columns_.end()) return found - columns_.begin();
    std::vector<std::string> names;
    for (const ViewColumn& column : columns_) names.push_back(column.name);
    const std::string near = nearest_name(name, names);
    throw InvalidInput(
        fmt::format("there is no channel '{}'; {}", name,
                    near.empty() ? "saltus info FILE.h5 lists them" : fmt::format("did you mean '{}'?", near)));
}

template <class Visit>
void ResultView::for_each_row(Index first, Index count, Index stride, Visit visit) const {
    const Index width = std::ssize(result_.channels());
    // Rows of a block of a megabyte; samples that are farther apart are read one by one.
    const Index rows = std::max<Index>(1, (Index(1) << 17) / width);
    const Index at_once = stride > rows ? 1 : rows / stride;
    std::vector<double> times, values;
    for (Index k = 0; k < count; k += at_once) {
        const Index here = std::min(at_once, count - k);
        result_.read(first + k * stride, (here - 1) * stride + 1, times, values);
        for (Index i = 0; i < here; ++i) {
            const auto row = static_cast<std::size_t>(i * stride);
            visit(k + i, times[row],
                  std::span(values).subspan(row * static_cast<std::size_t>(width), static_cast<std::size_t>(width)));
        }
    }
}

double ResultView::signal(const Signal& signal, double t, std::span<const double> row) const {
    arguments_.clear();
    for (const Index channel : signal.arguments) arguments_.push_back(row[static_cast<std::size_t>(channel)]);
    arguments_.push_back(t);
    double result = 0.0;
    signal.value.value(arguments_.data(), &result);
    return result;
}

void ResultView::read_run_columns(const std::vector<Index>& columns, Index first, Index count, Index stride,
                                  Window& window) const {
    if (count == 0 || std::ranges::none_of(columns, [&](Index column) { return is_run_column(column); })) return;
    constexpr Index block = Index(1) << 16;
    const Index at_once = std::max<Index>(1, block / stride), start = std::ssize(columns_) - run_columns_;
    for (Index k = 0; k < count; k += at_once) {
        const Index here = std::min(at_once, count - k);
        const RunHealth health = result_.health(first + k * stride, (here - 1) * stride + 1);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (!is_run_column(columns[c])) continue;
            for (Index i = 0; i < here; ++i) {
                const auto row = static_cast<std::size_t>(i * stride);
                window.values[c][static_cast<std::size_t>(k + i)] = columns[c] == start       ? health.residuals[row]
                                                                    : columns[c] == start + 1 ? health.iterations[row]
                                                                                              : health.seconds[row];
            }
        }
    }
}

Window ResultView::read(const std::vector<Index>& columns, Index first, Index count, Index stride) const {
    Window window;
    window.t.resize(static_cast<std::size_t>(count));
    window.values.assign(columns.size(), std::vector<double>(static_cast<std::size_t>(count)));
    const Index channels = std::ssize(result_.channels());
    for_each_row(first, count, stride, [&](Index k, double t, std::span<const double> row) {
        const auto at = static_cast<std::size_t>(k);
        window.t[at] = t;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (columns[c] < channels)
                window.values[c][at] = row[static_cast<std::size_t>(columns[c])];
            else if (!is_run_column(columns[c]))
                window.values[c][at] = signal(signals_[static_cast<std::size_t>(columns[c] - channels)], t, row);
        }
    });
    read_run_columns(columns, first, count, stride, window);
    return window;
}

namespace {

// The places of the least and the largest numbers of a piece, in order; NaN is neither.
void add_extremes(const std::vector<double>& values, std::vector<std::size_t>& places) {
    std::size_t least = values.size(), largest = values.size();
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (std::isnan(values[k])) continue;
        if (least == values.size() || values[k] < values[least]) least = k;
        if (largest == values.size() || values[k] > values[largest]) largest = k;
    }
    if (least < values.size()) places.insert(places.end(), {least, largest});
}

void append(const Window& from, const std::vector<std::size_t>& places, Window& to) {
    for (const std::size_t k : places) {
        to.t.push_back(from.t[k]);
        for (std::size_t c = 0; c < from.values.size(); ++c) to.values[c].push_back(from.values[c][k]);
    }
}

}  // namespace

Window ResultView::read_extremes(const std::vector<Index>& columns, Index first, Index last, Index points,
                                 std::size_t leading) const {
    const Index count = last - first;
    if (count <= std::max<Index>(points, 4)) return read(columns, first, std::max<Index>(0, count));
    const Index pieces = std::max<Index>(2, points / 2);
    Window result;
    result.values.resize(columns.size());
    std::vector<std::size_t> places;
    for (Index piece = 0; piece < pieces; ++piece) {
        const Index begin = first + count * piece / pieces, end = first + count * (piece + 1) / pieces;
        const Window all = read(columns, begin, end - begin);
        places.clear();
        if (piece == 0) places.push_back(0);
        if (piece == pieces - 1) places.push_back(all.t.size() - 1);
        for (std::size_t c = 0; c < std::min(leading, all.values.size()); ++c) add_extremes(all.values[c], places);
        std::ranges::sort(places);
        places.erase(std::ranges::unique(places).begin(), places.end());
        append(all, places, result);
    }
    return result;
}

// With equal steps the place is found by linear interpolation; every second trial is a bisection nevertheless.
Index ResultView::sample_at(double t) const {
    Index low = 0, high = result_.samples();  // the times before low are below t, those from high on are not
    if (high == 0 || t <= result_.time(0)) return 0;
    double t_low = result_.time(0), t_high = result_.time(high - 1);
    if (t > t_high) return high;
    low = 1;
    high = high - 1;
    for (bool halves = false; low < high; halves = !halves) {
        const double share = halves || !(t_high > t_low) ? 0.5 : (t - t_low) / (t_high - t_low);
        const auto guess = low - 1 + static_cast<Index>(share * static_cast<double>(high - low + 1));
        const Index middle = std::clamp(guess, low, high - 1);
        const double found = result_.time(middle);
        if (found < t) {
            low = middle + 1;
            t_low = found;
        } else {
            high = middle;
            t_high = found;
        }
    }
    return low;
}

void ResultView::read_frame(Index sample, Frame& frame) const {
    for_each_row(sample, 1, 1, [&](Index, double t, std::span<const double> row) { evaluate(scene_, t, row, frame); });
    for (std::size_t k = 0; k < scene_.contacts.size(); ++k) {
        const Index interaction = scene_.contacts[k].interaction;
        const std::optional<Place> normal = places_.at(interaction, 0, frame.t),
                                   tangential = places_.at(interaction, 1, frame.t);
        if (!normal) continue;
        frame.contacts[k].state = *normal == Place::at_lower       ? ContactState::open
                                  : !tangential                    ? ContactState::closed
                                  : *tangential == Place::at_upper ? ContactState::slips
                                                                   : ContactState::sticks;
    }
}

}  // namespace saltus
