#include "saltus/laws/law.hpp"

namespace saltus {
namespace {

int dimension_of(const Equality& law) { return law.rows; }
int dimension_of(const Interval&) { return 1; }
template <int Disks, int DiskSize>
int dimension_of(const FrictionLaw<Disks, DiskSize>& law) {
    return law.dimension;
}

void project_onto(const Equality&, double*) {}
void project_onto(const Interval& law, double* r) { *r = law.project(*r); }
template <int Disks, int DiskSize>
void project_onto(const FrictionLaw<Disks, DiskSize>& law, double* r) {
    Eigen::Map<typename FrictionLaw<Disks, DiskSize>::Vector> map(r);
    map = law.project(map);
}

double shift_of(const Equality&, const double*) { return 0.0; }
double shift_of(const Interval&, const double*) { return 0.0; }
template <int Disks, int DiskSize>
double shift_of(const FrictionLaw<Disks, DiskSize>& law, const double* u) {
    return law.shift(Eigen::Map<const typename FrictionLaw<Disks, DiskSize>::Vector>(u));
}

}  // namespace

int dimension(const Law& law) {
    return std::visit([](const auto& l) { return dimension_of(l); }, law);
}

void project(const Law& law, double* r) {
    std::visit([&](const auto& l) { project_onto(l, r); }, law);
}

double shift(const Law& law, const double* u) {
    return std::visit([&](const auto& l) { return shift_of(l, u); }, law);
}

}  // namespace saltus
