#pragma once

#include <string>
#include <variant>

#include "saltus/model/model.hpp"

namespace saltus {

// Closed convex sets K(t). Their functions are functions of (t); an empty offset is zero.
struct HalfSpace {  // normal.x + offset(t) >= 0
    Eigen::VectorXd normal{};
    Function offset{};
};
struct Polyhedron {  // normals x + offsets(t) >= 0, row by row
    Matrix normals{};
    Function offsets{};
};
struct Box {  // lower(t) <= x <= upper(t); an empty bound is infinite
    Function lower{}, upper{};
};
struct Ball {  // |x - centre(t)| <= radius(t)
    Function centre{}, radius{};
};
using MovingSet = std::variant<HalfSpace, Polyhedron, Box, Ball>;

// The functions below throw InvalidInput, with names and sizes, if the pieces of a set do not fit.

// The number of entries of x.
Index dimension(const MovingSet& set);

// The point of K(t) nearest to z: x in K(t) with (z - x).(k - x) <= 0 for all k in K(t).          docs/theory.md (130)
// Throws InvalidInput where K(t) is empty.
Eigen::VectorXd project(const MovingSet& set, double t, const Eigen::VectorXd& z);

// The interaction that keeps x in K(t) by r in -N_K(t)(x), with y >= 0 exactly in K(t):            docs/theory.md (131)
//     y = N x + o(t), r = N' lambda   for the first three, linear;
//     y = (R^2 - |x - c|^2) / (2 R),  r = -lambda (x - c) / R   for the ball.
// At the boundary of the ball y grows like the distance and lambda is the length of r: the scaling of the half-spaces.
// At the centre r vanishes, but there y = R / 2 > 0 and lambda = 0 anyway. y is concave, so Newton's method excludes no
// point of K(t). The radius must be positive.
Interaction normal_cone(const MovingSet& set, std::string name = "set");

}  // namespace saltus
