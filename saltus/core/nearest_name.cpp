#include "saltus/core/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace saltus {

namespace {

std::string lower_case(std::string_view name) {
    std::string result(name);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);  // from the first i characters of a to those of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
    const std::string wanted = lower_case(name);
    std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    std::string nearest;
    for (const std::string& candidate : known) {
        // The lengths differ by no more than the distance: spares the quadratic work for a name of any length.
        const std::size_t longer = std::max(candidate.size(), name.size());
        const std::size_t shorter = std::min(candidate.size(), name.size());
        if (longer - shorter >= least) continue;
        const std::size_t distance = edit_distance(wanted, lower_case(candidate));
        if (distance >= std::min(least, longer)) continue;
        least = distance;
        nearest = candidate;
    }
    return nearest;
}

}  // namespace saltus
