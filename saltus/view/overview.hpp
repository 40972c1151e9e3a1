#pragma once

#include <map>

#include "saltus/io/result/result_view.hpp"

namespace saltus {

// Finds the extremes of columns in long results without reading all samples each time: for each bucket of samples it
// keeps where a column is least and largest. These are found when a column is first asked for, in one pass over the
// file, and extended as the file grows.
class Overview {
public:
    // `expected`: columns that are also read in the first pass, since they will be asked for.
    explicit Overview(std::vector<Index> expected) : expected_(std::move(expected)) {}

    // As ResultView::read_extremes, for a view of the same file, which may have grown.
    Window read_extremes(const ResultView& view, const std::vector<Index>& columns, Index first, Index last,
                         Index points);

private:
    static constexpr Index bucket = 512;  // samples
    struct Extremes {
        double least, largest;
        Index least_at, largest_at;  // samples; -1 where all is NaN
    };
    using Buckets = std::vector<Extremes>;

    void extend(const ResultView& view, const std::vector<Index>& columns, Index buckets);
    // The extremes of the buckets begin <= b < end.
    std::vector<Index> samples_of(const std::vector<Index>& columns, Index begin, Index end, Index pieces) const;

    std::vector<Index> expected_;
    std::map<Index, Buckets> columns_;
};

}  // namespace saltus
