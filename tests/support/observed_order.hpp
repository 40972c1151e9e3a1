#pragma once

#include <cmath>
#include <vector>

namespace saltus::testing {

// The least-squares slope of log2 error(k) over -k, k = first .. last, where error(k) belongs to 2^k steps.
template <class Error>
double observed_order(int first, int last, Error error) {
    const double middle = 0.5 * (first + last);
    double numerator = 0.0, denominator = 0.0;
    for (int k = first; k <= last; ++k) {
        numerator -= (k - middle) * std::log2(error(k));
        denominator += (k - middle) * (k - middle);
    }
    return numerator / denominator;
}

}  // namespace saltus::testing
