#pragma once

#include <variant>

#include "saltus/laws/friction.hpp"
#include "saltus/laws/interval.hpp"

namespace saltus {

// y = 0, r free: the rows of a joint, solved together.
struct Equality {
    int rows = 1;
};

// A law ties y (gap rate, voltage, ...) to its multiplier r through a closed convex set K:
//     -dual(y) in N_K(r)   <=>   r = project(r - rho dual(y)) for any rho > 0.                      docs/theory.md (71)
// A new law is added here, with the five functions below.
using Law = std::variant<Equality, Interval, Coulomb2D, Coulomb3D, RollingFriction>;

inline int dimension(const Equality& law) { return law.rows; }
inline int dimension(const Interval&) { return 1; }
template <int Disks, int DiskSize>
int dimension(const FrictionLaw<Disks, DiskSize>& law) {
    return law.dimension;
}

// r <- the nearest point of K.
inline void project(const Equality&, double*) {}
inline void project(const Interval& law, double* r) { *r = law.project(*r); }
template <int Disks, int DiskSize>
void project(const FrictionLaw<Disks, DiskSize>& law, double* r) {
    Eigen::Map<typename FrictionLaw<Disks, DiskSize>::Vector> map(r);
    map = law.project(map);
}

// What dual() adds to the first component of y: zero for all laws but friction.
inline double shift(const Equality&, const double*) { return 0.0; }
inline double shift(const Interval&, const double*) { return 0.0; }
template <int Disks, int DiskSize>
double shift(const FrictionLaw<Disks, DiskSize>& law, const double* u) {
    return law.shift(Eigen::Map<const typename FrictionLaw<Disks, DiskSize>::Vector>(u));
}

inline int dimension(const Law& law) {
    return std::visit([](const auto& l) { return dimension(l); }, law);
}
inline void project(const Law& law, double* r) {
    std::visit([&](const auto& l) { project(l, r); }, law);
}
inline double shift(const Law& law, const double* u) {
    return std::visit([&](const auto& l) { return shift(l, u); }, law);
}

}  // namespace saltus
