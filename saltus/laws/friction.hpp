#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>

namespace saltus {

// Dry friction at a contact. The percussion r = (r_N, r_1, ..., r_D) has a normal part and `Disks` parts of `DiskSize`
// components, each bounded by its own coefficient:
//     K = { |r_k| <= mu_k r_N, k = 1 .. Disks }.                                                    docs/theory.md (70)
// With u = (u_N, u_1, ..., u_D) the relative velocity, Signorini's condition and Coulomb's law are
//     -dual(u) in N_K(r),   dual(u) = (u_N + sum_k mu_k |u_k|, u_1, ..., u_D)       (De Saxce)      docs/theory.md (71)
template <int Disks, int DiskSize>
struct FrictionLaw {
    static constexpr int disks = Disks, disk_size = DiskSize;
    static constexpr int dimension = 1 + Disks * DiskSize;
    using Vector = Eigen::Matrix<double, dimension, 1>;
    using Square = Eigen::Matrix<double, dimension, dimension>;

    std::array<double, Disks> mu{};

    // The components of disk k of a vector of the contact.
    template <class V>
    static auto disk(V&& v, int k) {
        return v.template segment<DiskSize>(1 + k * DiskSize);
    }

    // sum_k mu_k |u_k|: what De Saxce's change of variable adds to u_N.
    double shift(const Vector& u) const {
        double sum = 0.0;
        for (int k = 0; k < Disks; ++k) sum += mu[k] * disk(u, k).norm();
        return sum;
    }
    Vector dual(const Vector& u) const { return u + shift(u) * Vector::UnitX(); }

    bool contains(const Vector& r) const {
        for (int k = 0; k < Disks; ++k)
            if (!(disk(r, k).norm() <= mu[k] * r[0])) return false;
        return r[0] >= 0.0;
    }

    // The nearest point of K.                                                                       docs/theory.md (72)
    Vector project(const Vector& z) const {
        const double normal = projected_normal(z);
        if (normal <= 0.0) return Vector::Zero();
        Vector r = z;
        r[0] = normal;
        for (int k = 0; k < Disks; ++k) {
            const double length = disk(z, k).norm(), radius = mu[k] * normal;
            if (length > radius) disk(r, k) *= radius / length;
        }
        return r;
    }

    // The nearest point of the dual cone K* = { v : mu_k-weighted |v_k| <= v_N } (Moreau: z = P_K*(z) - P_K(-z)).
    Vector project_dual(const Vector& z) const { return z + project(-z); }

    // An element of the generalised Jacobian of project at z: symmetric, 0 <= J <= I.               docs/theory.md (73)
    Square projection_jacobian(const Vector& z) const {
        const double normal = projected_normal(z);
        Square J = Square::Zero();
        if (normal <= 0.0) return J;
        // On the branch where the disks of A are bounded: N = (z_N + sum_A mu_k |z_k|) / (1 + sum_A mu_k^2).
        Vector gradient = Vector::UnitX();  // (1 + sum_A mu_k^2) dN/dz
        double weight = 1.0;
        for (int k = 0; k < Disks; ++k) {
            const double length = disk(z, k).norm();
            if (length <= mu[k] * normal) {
                for (int c = 0; c < DiskSize; ++c) J(1 + k * DiskSize + c, 1 + k * DiskSize + c) = 1.0;
                continue;
            }
            const auto d = (disk(z, k) / length).eval();
            disk(gradient, k) = mu[k] * d;
            weight += mu[k] * mu[k];
            // r_k = mu_k N z_k / |z_k|: the part of its derivative with N held; the rest is
            // gradient gradient' / weight.
            J.template block<DiskSize, DiskSize>(1 + k * DiskSize, 1 + k * DiskSize) =
                mu[k] * normal / length * (Eigen::Matrix<double, DiskSize, DiskSize>::Identity() - d * d.transpose());
        }
        return J + gradient * gradient.transpose() / weight;
    }

private:
    // N >= 0 that minimises (N - z_N)^2 + sum_k max(0, |z_k| - mu_k N)^2: the disks whose |z_k| / mu_k is largest are
    // bounded first.
    double projected_normal(const Vector& z) const {
        std::array<double, Disks> length{};
        std::array<int, Disks> order{};
        for (int k = 0; k < Disks; ++k) {
            length[k] = disk(z, k).norm();
            order[k] = k;
        }
        std::sort(order.begin(), order.end(), [&](int a, int b) { return length[a] * mu[b] > length[b] * mu[a]; });
        double sum = z[0], weight = 1.0, normal = z[0];
        for (const int k : order) {
            if (length[k] <= mu[k] * normal) continue;
            sum += mu[k] * length[k];
            weight += mu[k] * mu[k];
            normal = sum / weight;
        }
        return normal;
    }
};

using Coulomb2D = FrictionLaw<1, 1>;        // (N, T): plane contact
using Coulomb3D = FrictionLaw<1, 2>;        // (N, T1, T2)
using RollingFriction = FrictionLaw<2, 2>;  // (N, T1, T2, M1, M2): sliding and rolling resistance

}  // namespace saltus
