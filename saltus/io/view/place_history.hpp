#pragma once

#include "saltus/io/result_file.hpp"

namespace saltus {

// Where the rows of all interactions are over a run: at its beginning, and from switch to switch.
class PlaceHistory {
public:
    struct Row {
        Place initial = Place::at_lower;
        bool is_known = false;  // how it begins: a file before version 4 tells it only of rows that switch
        std::vector<std::pair<double, Place>> switches{};  // in the order of time
    };

    PlaceHistory() = default;
    // Rows of an interaction: those of its channels y, or u.
    explicit PlaceHistory(const ResultReader& result);

    Index interactions() const { return std::ssize(rows_); }
    const std::vector<Row>& rows(Index interaction) const { return rows_[static_cast<std::size_t>(interaction)]; }
    // None where it is not known, or there is no such row.
    std::optional<Place> at(Index interaction, Index row, double t) const;

private:
    std::vector<std::vector<Row>> rows_;  // of each interaction
};

}  // namespace saltus
