#pragma once

#include "saltus/core/block_matrix.hpp"
#include "saltus/core/matrix.hpp"

namespace saltus {

// Contact with Coulomb friction in local form. For each contact, with u = W r + q and De Saxce's uhat = dual(u):
//     K* contains uhat,  r in K,  uhat.r = 0,     K = { |r_T| <= mu r_N }.                          docs/theory.md (71)
// W has blocks of 2 (plane: N, T), 3 (N, T1, T2) or 5 (with rolling friction: N, T1, T2, M1, M2; |r_M| <= rolling r_N).
// W need not be symmetric.
struct FrictionProblem {
    BlockMatrix W;
    Eigen::VectorXd q;
    Eigen::VectorXd mu;         // one per contact
    Eigen::VectorXd rolling{};  // one per contact if W has blocks of 5, else empty

    Index contacts() const { return mu.size(); }
    int dimension() const { return contacts() > 0 ? static_cast<int>(q.size() / contacts()) : 3; }
};

// The same before the velocities are eliminated:
//     M v = H r + f,   u = H' v + b,   the law of FrictionProblem between u and r.                  docs/theory.md (75)
struct GlobalFrictionProblem {
    Matrix M;
    Matrix H;  // rows of M x dimension * contacts
    Eigen::VectorXd f, b;
    Eigen::VectorXd mu;
    Eigen::VectorXd rolling{};

    Index contacts() const { return mu.size(); }
    int dimension() const { return contacts() > 0 ? static_cast<int>(b.size() / contacts()) : 3; }
};

}  // namespace saltus
