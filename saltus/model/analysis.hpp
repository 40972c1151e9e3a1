#pragma once

#include <optional>
#include <vector>

#include "saltus/core/matrix_facts.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

// D, C B, C A B, C A^2 B, ...: how y and its derivatives depend on lambda (M^-1 A and M^-1 B where M is given).
//                                                                                              docs/theory.md (118)
std::vector<Eigen::MatrixXd> markov_parameters(const Model& model, int count);

// The number of times y must be differentiated before lambda appears.
struct RelativeDegree {
    // For each row by itself: the first Markov parameter with a nonzero entry on its diagonal. Empty if all vanish.
    std::vector<std::optional<int>> rows;
    // The r for which all Markov parameters before the r-th vanish and the r-th is regular, if there is one.
    std::optional<int> uniform;
};
RelativeDegree relative_degree(const Model& model);

// Whether the linear part (A, B, C, D) is passive, that is, G(s) = C (s - A)^-1 B + D is positive real. Tested up to a
// shift of 1e-6 in D and in A, relative to their size: lossless circuits lie on the edge, where rounding would decide.
Answer passivity(const Model& model);

// The states at which nothing moves: 0 = A x + b + B lambda with the laws, for each placement of the rows.
struct Equilibria {
    // x = point + s direction, s in [least, most]: a point if `direction` is empty. No piece is part of another; a
    // half line has most = inf.
    struct Piece {
        Eigen::VectorXd point, direction;
        double least = 0.0, most = 0.0;
    };
    std::vector<Piece> pieces;
    bool is_complete = true;  // false: there are sets of higher dimension too, or too many placements (over 4096)
};
// The equilibria of a linear model at time t.
Equilibria equilibria(const Model& model, double t);

}  // namespace saltus
