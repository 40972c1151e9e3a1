#include <algorithm>

#include "saltus/view/page_data.hpp"

namespace saltus {

namespace {

constexpr Index most_marks = 20000;

// Times, and rows of whole numbers.
struct MarkTable {
    std::vector<double> t;
    std::vector<std::int32_t> codes;
    std::size_t rows;

    MarkTable(std::size_t count, std::size_t rows_of_codes)
        : t(count), codes(rows_of_codes * t.size()), rows(rows_of_codes) {}
    void set(std::size_t row, std::size_t k, auto value) {
        codes[row * t.size() + k] = static_cast<std::int32_t>(value);
    }
    void add_to(PageBlocks& blocks, const std::string& name) const {
        blocks.add(name + "-t", t, {t.size()});
        blocks.add(name, codes, {rows, t.size()});
    }
};

void add_switches(const std::vector<Switch>& switches, PageBlocks& blocks) {
    MarkTable table(switches.size(), 4);
    for (std::size_t k = 0; k < table.t.size(); ++k) {
        table.t[k] = switches[k].t;
        table.set(0, k, switches[k].interaction);
        table.set(1, k, switches[k].row);
        table.set(2, k, switches[k].from);
        table.set(3, k, switches[k].to);
    }
    table.add_to(blocks, "switches");
}

void add_impacts(const std::vector<Impact>& impacts, PageBlocks& blocks) {
    MarkTable table(impacts.size(), 1);
    const std::size_t count = table.t.size();
    std::vector<double> values(3 * count);
    for (std::size_t k = 0; k < count; ++k) {
        table.t[k] = impacts[k].t;
        table.set(0, k, impacts[k].interaction);
        values[k] = impacts[k].before;
        values[count + k] = impacts[k].after;
        values[2 * count + k] = impacts[k].percussion;
    }
    table.add_to(blocks, "impacts");
    blocks.add("impact-values", values, {3, count});
}

void add_events(const std::vector<Event>& events, PageBlocks& blocks) {
    MarkTable table(events.size(), 3);
    for (std::size_t k = 0; k < table.t.size(); ++k) {
        table.t[k] = events[k].t;
        table.set(0, k, events[k].kind);
        table.set(1, k, events[k].interaction);
        table.set(2, k, events[k].row);
    }
    table.add_to(blocks, "events");
}

}  // namespace

void add_marks(const ResultView& view, PageBlocks& blocks) {
    const ResultReader& result = view.result();
    add_switches(result.switches(0, std::min(result.switch_count(), most_marks)), blocks);
    add_impacts(result.impacts(0, std::min(result.impact_count(), most_marks)), blocks);
    add_events(result.events(0, std::min(result.event_count(), most_marks)), blocks);
}

}  // namespace saltus
