#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/complementarity/friction/one_step_problem.hpp"

namespace saltus::friction {

// How friction is written as an equation; the two differ in the radius of the disk on which r_T is projected.
enum class Formulation {
    alart_curnier,  // radius mu max(0, r_N - rho_N u_N): the new normal percussion
    jean_moreau,    // radius mu max(0, r_N)
};

// The steps rho of the projections of one block: one for the first component, one for each disk. Any positive values
// give the same solutions; 1 / W_NN and 1 / lambda_max(W_TT) give Newton's method the widest basin.
struct BlockSteps {
    double normal = 1.0;
    std::array<double, 2> disk{1.0, 1.0};
};

// F(r, w) = 0 is the law of a block, and by_w = dF/dw, by_r = dF/dr (an element of the generalised derivative).
// The derivative of F(r, W r + q) is by_w W + by_r.                                            docs/theory.md (80)
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, BlockMatrix::largest_block, BlockMatrix::largest_block>;
struct BlockDerivative {
    SmallMatrix by_w, by_r;
    bool is_open = false;  // by_w = 0 and by_r = I: the block does not depend on the others

    void reset(int size) {
        by_w.setZero(size, size);
        by_r.setZero(size, size);
        is_open = false;
    }
};

// Each writes F for a block and, where `derivative` is not null, its derivative (already reset).

// Equality: F = rho w.
inline void contact_function(const Equality& law, Formulation, const BlockSteps& rho, const double*, const double* w,
                             double* F, BlockDerivative* derivative) {
    for (int c = 0; c < law.rows; ++c) F[c] = rho.normal * w[c];
    if (derivative) derivative->by_w.diagonal().setConstant(rho.normal);
}

// Interval: F = r - mid(lower, r - rho w, upper).
inline void contact_function(const Interval& law, Formulation, const BlockSteps& rho, const double* r, const double* w,
                             double* F, BlockDerivative* derivative) {
    const double x = *r - rho.normal * *w;
    *F = *r - law.project(x);
    if (!derivative) return;
    const bool is_inside = law.lower < x && x < law.upper;
    derivative->by_w(0, 0) = is_inside ? rho.normal : 0.0;
    derivative->by_r(0, 0) = is_inside ? 0.0 : 1.0;
    derivative->is_open = !is_inside;
}

// Friction, with x = r_N - rho_N w_N, y_k = r_k - rho_k w_k and radius_k of the formulation:
//     F_N = r_N - max(0, x),   F_k = r_k - P(y_k), P the projection on the disk |.| <= radius_k.   docs/theory.md (81)
// (Alart, Curnier 1991; Jean, Moreau 1987.) Outside the disk, with d = y / |y| and G = (I - d d') / |y|,
//     dP = radius G dy + d dradius.
template <int Disks, int DiskSize>
void contact_function(const FrictionLaw<Disks, DiskSize>& law, Formulation formulation, const BlockSteps& rho,
                      const double* r_data, const double* w_data, double* F_data, BlockDerivative* derivative) {
    using L = FrictionLaw<Disks, DiskSize>;
    using Disk = Eigen::Matrix<double, DiskSize, 1>;
    using DiskSquare = Eigen::Matrix<double, DiskSize, DiskSize>;
    const Eigen::Map<const typename L::Vector> r(r_data), w(w_data);
    Eigen::Map<typename L::Vector> F(F_data);

    const bool is_implicit = formulation == Formulation::alart_curnier;
    const double x = r[0] - rho.normal * w[0];
    const double normal = std::max(0.0, is_implicit ? x : r[0]);
    F[0] = r[0] - std::max(0.0, x);
    if (derivative) {
        derivative->by_w(0, 0) = x > 0.0 ? rho.normal : 0.0;
        derivative->by_r(0, 0) = x > 0.0 ? 0.0 : 1.0;
        derivative->is_open = x <= 0.0;
    }
    for (int k = 0; k < Disks; ++k) {
        const int at = 1 + k * DiskSize;
        const Disk y = L::disk(r, k) - rho.disk[k] * L::disk(w, k);
        const double radius = law.mu[k] * normal, length = y.norm();
        if (radius > 0.0 && length <= radius) {
            F.template segment<DiskSize>(at) = rho.disk[k] * L::disk(w, k);
            if (!derivative) continue;
            derivative->by_w.diagonal().template segment<DiskSize>(at).setConstant(rho.disk[k]);
            derivative->is_open = false;
            continue;
        }
        const Disk d = length > 0.0 ? Disk(y / length) : Disk::Zero();
        F.template segment<DiskSize>(at) = L::disk(r, k) - radius * d;
        if (!derivative) continue;
        auto by_r = derivative->by_r.template block<DiskSize, DiskSize>(at, at);
        by_r.setIdentity();
        if (radius <= 0.0) continue;
        const DiskSquare P = radius / length * (DiskSquare::Identity() - d * d.transpose());
        by_r -= P;
        derivative->by_w.template block<DiskSize, DiskSize>(at, at) = rho.disk[k] * P;
        derivative->by_r.template block<DiskSize, 1>(at, 0) = -law.mu[k] * d;
        if (is_implicit) derivative->by_w.template block<DiskSize, 1>(at, 0) = law.mu[k] * rho.normal * d;
        derivative->is_open = false;
    }
}

}  // namespace saltus::friction
