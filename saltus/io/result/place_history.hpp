#pragma once

#include <set>

#include "saltus/io/result/result_file.hpp"

namespace saltus {

// Where the rows of all interactions are at the beginning of a run, and those of some interactions also from switch to
// switch: there may be many millions of switches.
class PlaceHistory {
public:
    struct Row {
        Place initial = Place::at_lower;
        bool is_known = false;  // `initial`: a file before version 4 has it only for rows that switch
        std::vector<std::pair<double, Place>> switches{};  // in the order of time
    };

    PlaceHistory() = default;
    // The rows of an interaction are those of its channels y, or u.
    PlaceHistory(const ResultReader& result, const std::set<Index>& followed);

    Index interactions() const { return std::ssize(rows_); }
    const std::vector<Row>& rows(Index interaction) const { return rows_[static_cast<std::size_t>(interaction)]; }
    // The place of a row that is followed. None if it is not known, or if there is no such row.
    std::optional<Place> at(Index interaction, Index row, double t) const;

private:
    void add(const Switch& change, bool is_followed);

    std::vector<std::vector<Row>> rows_;  // of each interaction
};

}  // namespace saltus
