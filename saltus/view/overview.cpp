#include "saltus/view/overview.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

void append(const Window& part, Window& whole) {
    whole.t.insert(whole.t.end(), part.t.begin(), part.t.end());
    for (std::size_t c = 0; c < part.values.size(); ++c)
        whole.values[c].insert(whole.values[c].end(), part.values[c].begin(), part.values[c].end());
}

}  // namespace

Window Overview::read_extremes(const ResultView& view, const std::vector<Index>& columns, Index first, Index last,
                               Index points) {
    const Index pieces = std::max<Index>(2, points / 2);
    // If a piece has only a few buckets, the samples themselves are read as fast, unless they are wide.
    constexpr Index many_numbers = 30'000'000;
    const bool is_small = (last - first) * std::ssize(view.result().channels()) <= many_numbers;
    if (last - first <= 2 * bucket || (is_small && last - first <= 4 * bucket * pieces))
        return view.read_extremes(columns, first, last, points);
    const Index begin = (first + bucket - 1) / bucket, end = last / bucket;  // whole buckets
    extend(view, columns, end);
    Window result;
    result.values.resize(columns.size());
    // Samples beyond the whole buckets are read themselves.
    append(view.read_extremes(columns, first, begin * bucket, points / pieces), result);
    for (const Index sample : samples_of(columns, begin, end, pieces)) append(view.read(columns, sample, 1), result);
    append(view.read_extremes(columns, end * bucket, last, points / pieces), result);
    return result;
}

void Overview::extend(const ResultView& view, const std::vector<Index>& columns, Index buckets) {
    std::vector<Index> missing;
    Index begin = buckets;
    for (const std::vector<Index>* list : {&columns, &std::as_const(expected_)})
        for (const Index column : *list) {
            const Index known = std::ssize(columns_[column]);
            if (known >= buckets || std::ranges::count(missing, column) > 0) continue;
            missing.push_back(column);
            begin = std::min(begin, known);
        }
    if (missing.empty()) return;
    constexpr Index at_once = 64;  // buckets
    for (; begin < buckets; begin += at_once) {
        const Index count = std::min(at_once, buckets - begin);
        const Window window = view.read(missing, begin * bucket, count * bucket);
        for (std::size_t c = 0; c < missing.size(); ++c) {
            Buckets& known = columns_[missing[c]];
            for (Index b = std::max(begin, std::ssize(known)); b < begin + count; ++b) {
                Extremes extremes{0.0, 0.0, -1, -1};
                for (Index k = b * bucket; k < (b + 1) * bucket; ++k) {
                    const double value = window.values[c][static_cast<std::size_t>(k - begin * bucket)];
                    if (std::isnan(value)) continue;
                    if (extremes.least_at < 0 || value < extremes.least) extremes.least = value, extremes.least_at = k;
                    if (extremes.largest_at < 0 || value > extremes.largest)
                        extremes.largest = value, extremes.largest_at = k;
                }
                known.push_back(extremes);
            }
        }
    }
}

std::vector<Index> Overview::samples_of(const std::vector<Index>& columns, Index begin, Index end, Index pieces) const {
    std::vector<Index> result{begin * bucket, end * bucket - 1};
    for (Index piece = 0; piece < pieces; ++piece) {
        const Index from = begin + (end - begin) * piece / pieces, to = begin + (end - begin) * (piece + 1) / pieces;
        for (const Index column : columns) {
            const Buckets& buckets = columns_.at(column);
            const Extremes *least = nullptr, *largest = nullptr;
            for (Index b = from; b < to; ++b) {
                const Extremes& here = buckets[static_cast<std::size_t>(b)];
                if (here.least_at < 0) continue;
                if (!least || here.least < least->least) least = &here;
                if (!largest || here.largest > largest->largest) largest = &here;
            }
            if (least) result.insert(result.end(), {least->least_at, largest->largest_at});
        }
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
}

}  // namespace saltus
