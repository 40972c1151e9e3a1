#include "saltus/io/result/place_history.hpp"

#include <algorithm>

#include "saltus/io/result/channel_index.hpp"

namespace saltus {

namespace {

// A damaged file may have other codes.
bool is_place(Place place) { return place >= Place::at_lower && place <= Place::basic; }

}  // namespace

PlaceHistory::PlaceHistory(const ResultReader& result, const std::set<Index>& followed) {
    const ChannelIndex channels(result.channels());
    const Placement initial = result.initial_places();
    std::size_t next = 0;
    for (const std::string& name : result.interactions()) {
        const std::vector<Index>& velocities = channels.find(name, "u");
        rows_.emplace_back((velocities.empty() ? channels.find(name, "y") : velocities).size());
        for (Row& row : rows_.back()) {
            row.is_known = next < initial.size() && is_place(initial[next]);
            if (row.is_known) row.initial = initial[next];
            ++next;
        }
    }
    if (followed.empty() && !initial.empty()) return;
    constexpr Index block = 65536;
    const Index count = result.switch_count();
    for (Index first = 0; first < count; first += block)
        for (const Switch& change : result.switches(first, std::min(block, count - first)))
            add(change, followed.contains(change.interaction));
}

void PlaceHistory::add(const Switch& change, bool is_followed) {
    if (change.interaction < 0 || change.interaction >= interactions() || !is_place(change.to)) return;
    std::vector<Row>& rows = rows_[static_cast<std::size_t>(change.interaction)];
    if (change.row < 0 || change.row >= std::ssize(rows)) return;
    Row& row = rows[static_cast<std::size_t>(change.row)];
    if (!row.is_known && is_place(change.from)) {
        row.initial = change.from;
        row.is_known = true;
    }
    if (is_followed) row.switches.emplace_back(change.t, change.to);
}

std::optional<Place> PlaceHistory::at(Index interaction, Index row, double t) const {
    if (interaction < 0 || interaction >= interactions() || row < 0 || row >= std::ssize(rows(interaction)))
        return std::nullopt;
    const Row& found = rows(interaction)[static_cast<std::size_t>(row)];
    if (!found.is_known) return std::nullopt;
    const auto next = std::ranges::upper_bound(found.switches, t, {}, [](const auto& change) { return change.first; });
    return next == found.switches.begin() ? found.initial : std::prev(next)->second;
}

}  // namespace saltus
