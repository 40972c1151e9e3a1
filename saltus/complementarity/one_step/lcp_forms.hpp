#pragma once

#include "saltus/complementarity/affine/conversions.hpp"
#include "saltus/complementarity/one_step/friction_problem.hpp"

namespace saltus {

// Contacts with friction as complementarity problems, for the solvers of such problems. Every conversion throws
// InvalidInput if the problem is ill-formed or has another dimension; solution(z) = back z is the percussion r.

// Plane contacts, exactly. Three unknowns per contact, r_N, b = mu r_N + r_T and the negative part of u_T:
//     0 <= r_N  _|_  u_N >= 0,    0 <= b  _|_  u_T^+ = u_T + u_T^- >= 0,
//     0 <= u_T^-  _|_  mu r_N - r_T = 2 mu r_N - b >= 0.                                           docs/theory.md (105)
Converted<Lcp> to_lcp(const FrictionProblem& problem);

// The friction disk of a spatial contact replaced by a regular polygon of `facets` sides, its corners on the circle
// (inner) or its sides tangent to it (outer).
enum class Faceting { inner, outer };

// Spatial contacts with a polygon for the disk. 2 + facets unknowns per contact: r_N, the shares beta_j >= 0 of the
// directions d_j of the corners, r_T = sum_j beta_j d_j, and the sliding speed lambda (Stewart and Trinkle 1996):
//     0 <= r_N  _|_  u_N >= 0,   0 <= beta_j  _|_  d_j.u_T + lambda >= 0,
//     0 <= lambda  _|_  c r_N - sum_j beta_j >= 0,  c = mu (inner), mu / cos(pi / facets) (outer); docs/theory.md (105)
// The limits of friction are met up to 1 / facets^2. Sliding is in the direction of a corner: the direction, and with
// it r, is right only up to 1 / facets. Needs facets >= 3.
Converted<Lcp> to_lcp(const FrictionProblem& problem, int facets, Faceting faceting);

}  // namespace saltus
