#pragma once

#include <limits>

#include "saltus/core/matrix.hpp"

namespace saltus {

// When block principal pivoting may exchange all infeasible variables at once: while their number reaches a new low, or
// for three rounds without one; after that, one at a time by the least index, until it does (Portugal, Judice 1994).
// Finite for P-matrices.
class BlockGuard {
public:
    bool allows_block(Index infeasibilities) {
        if (infeasibilities < fewest_) {
            fewest_ = infeasibilities;
            trials_ = 3;
            return true;
        }
        return trials_-- > 0;
    }

private:
    Index fewest_ = std::numeric_limits<Index>::max();
    int trials_ = 3;
};

}  // namespace saltus
