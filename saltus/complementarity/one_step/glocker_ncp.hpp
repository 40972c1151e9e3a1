#pragma once

#include "saltus/complementarity/affine/conversions.hpp"
#include "saltus/complementarity/nonlinear/ncp.hpp"
#include "saltus/complementarity/one_step/friction_problem.hpp"

namespace saltus {

// Spatial contacts, exactly, as a nonlinear problem without free variables (Glocker 1999). e_1, e_2, e_3 point to the
// corners of an equilateral triangle; the disk lies in the triangle of sigma_i = mu r_N + e_i.r_T >= 0, whose sides
// touch it, so that adding the sides changes nothing but turns r_T into nonnegative unknowns:
//     0 <= r_N  _|_  u_N >= 0,   0 <= sigma_i  _|_  kappa_i >= 0,  i = 1, 2, 3,
//     0 <= kappa  _|_  (mu^2 r_N^2 - |r_T|^2) / 2 >= 0,   u_T = sum_i kappa_i e_i - kappa r_T.     docs/theory.md (106)
// The unknowns of a contact are z = (r_N, sigma_1, sigma_2, kappa_3, kappa).
Converted<Ncp> to_ncp(const FrictionProblem& problem);

}  // namespace saltus
