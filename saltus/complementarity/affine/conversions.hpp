#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/affine/qp.hpp"

namespace saltus {

// A problem written in another form, and the way back: if y solves `problem`, then solution(y) = back y + offset
// solves the problem that was converted. Sparse stays sparse.
template <class Problem>
struct Converted {
    Problem problem;
    Matrix back;
    Eigen::VectorXd offset;

    Eigen::VectorXd solution(const Eigen::VectorXd& y) const {
        Eigen::VectorXd z = offset;
        back.multiply_add(y, z);
        return z;
    }
};

// Every conversion throws InvalidInput if the problem is ill-formed or does not have what the form needs.

// A relay, that is a BoxVi with finite bounds, as an Lcp of twice its size, in two ways: Heemels, Camlibel, Schumacher,
// A time-stepping method for relay systems, 2000, sec. 5, with bounds l, u in place of -1, 1.
//
// Their (9), for M regular. The unknowns are the parts y_a, y_b >= 0 of w = y_a - y_b:  docs/theory.md (51)
//     [ z - l ]   [ -l - M^-1 q ]   [  M^-1  -M^-1 ] [ y_a ]
//     [ u - z ] = [  u + M^-1 q ] + [ -M^-1   M^-1 ] [ y_b ]
Converted<Lcp> relay_to_lcp_by_inverse(const BoxVi& relay);

// Their (11), for any M. The unknowns are a = u - z and the positive part s of w:       docs/theory.md (52)
//     [ s - w ]   [ -q - M u ]   [  M  I ] [ a ]
//     [ z - l ] = [  u - l   ] + [ -I  0 ] [ s ]
// (for [-1, 1] and a = 2 u^a; the printed (11a) has + G e where - G e is right, as in their (13b)).
Converted<Lcp> relay_to_lcp_by_slack(const BoxVi& relay);

// Eliminates the free variables, z_F = -M_FF^-1 (q_F + M_FC z_C), for M_FF regular:     docs/theory.md (53)
//     Lcp(M_CC - M_CF M_FF^-1 M_FC,  q_C - M_CF M_FF^-1 q_F).
Converted<Lcp> to_lcp(const Mlcp& problem);

// z = l + a where l is finite, z = u - a where only u is, z = a where neither is. Each interval with two finite ends
// has a slack s, 0 <= s _|_ u - l - a >= 0; its row is w + s.                           docs/theory.md (54)
// The unknowns are (a, s).
Converted<Mlcp> to_mlcp(const BoxVi& problem);

// The KKT conditions with the finite bounds as inequalities: x and y free; lambda and the multipliers of x - lower and
// upper - x complementary. solution(.) is (x, y, lambda).                               docs/theory.md (55)
Converted<Mlcp> to_mlcp(const Qp& problem);

// The Qp whose KKT conditions (49) are this problem, its unknowns sorted into x and multipliers. Needs M_ij = M_ji or
// M_ij = -M_ji for each pair, the skew pairs linking x to multipliers only, a positive semidefinite block of x, and
// multipliers that are free or in [0, inf). An Lcp with M symmetric positive semidefinite is the simplest case.
Converted<Qp> to_qp(const AffineBox& problem);

}  // namespace saltus
