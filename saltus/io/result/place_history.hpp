#pragma once

#include <set>

#include "saltus/io/result/result_file.hpp"

namespace saltus {

// Where the rows of all interactions are at the beginning of a run, and those of some from switch to switch: there may
// be many millions.
class PlaceHistory {
public:
    struct Row {
        Place initial = Place::at_lower;
        bool is_known = false;  // how it begins: a file before version 4 has this only for rows that switch
        std::vector<std::pair<double, Place>> switches{};  // in the order of time
    };

    PlaceHistory() = default;
    // Rows of an interaction: those of its channels y, or u.
    PlaceHistory(const ResultReader& result, const std::set<Index>& followed);

    Index interactions() const { return std::ssize(rows_); }
    const std::vector<Row>& rows(Index interaction) const { return rows_[static_cast<std::size_t>(interaction)]; }
    // The places of a row that is followed. None if they are not known, or there is no such row.
    std::optional<Place> at(Index interaction, Index row, double t) const;

private:
    void add(const Switch& change, bool is_followed);

    std::vector<std::vector<Row>> rows_;  // of each interaction
};

}  // namespace saltus
