#pragma once

#include <Eigen/Core>
#include <vector>

#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "support/random_problems.hpp"

// Random assemblies of touching spheres in an open box, and the contact problem of one time step: the friction problems
// of any size for tests and benchmarks. Every function is a pure function of its arguments.
namespace saltus::testing {

// Units: mean radius 1, density 3 / (4 pi) (so that a sphere of radius 1 has mass 1), gravity times time step 1.
struct SpherePackingOptions {
    int spheres = 300;  // 2.9 contacts per sphere, fewer where the walls are near
    double friction = 0.5;
    unsigned seed = 1;
    double radius_spread = 0.2;  // radii are uniform in 1 -+ radius_spread
    double agitation = 1.0;      // velocities before the step are uniform in -+ agitation: some contacts slide or open
    double reach = 1e-6;         // neighbours with a smaller gap are in contact: 0.05 adds some, as soft spheres have
    double kept = 1.0;           // share of the spheres which are not taken out after the packing: 0.6 is loose
};

struct Sphere {
    Eigen::Vector3d center;
    double radius;
    double mass() const { return radius * radius * radius; }
    double inertia() const { return 0.4 * mass() * radius * radius; }
};

struct SphereContact {
    static constexpr Index wall = -1;
    Index first, second;     // second is `wall` where `first` touches the box
    Eigen::Vector3d normal;  // unit, towards `first`
};

struct SpherePacking {
    std::vector<Sphere> spheres;
    std::vector<SphereContact> contacts;
};

// The geometry: an assembly about as high as wide, every sphere on three others or walls.
SpherePacking settled_spheres(const SpherePackingOptions& options);

// One step of Moreau's scheme without restitution: M v = H r + f, u = H' v.
GlobalFrictionProblem global_sphere_packing(const SpherePackingOptions& options);

// The same in local form: W = H' M^-1 H, q = H' M^-1 f. Contacts are coupled where they share a sphere.
FrictionProblem local_form(const SpherePacking& assembly, const SpherePackingOptions& options);
FrictionProblem sphere_packing(const SpherePackingOptions& options);
FrictionProblem sphere_packing(int spheres, double friction, unsigned seed = 1);

// Spheres at random places of a cube, each in contact with those which it overlaps, six on average, and with the floor.
// Some hang free, some are held from all sides: a few places are hard to solve, the rest is easy.
SpherePacking scattered_spheres(const SpherePackingOptions& options);
FrictionProblem scattered_sphere_problem(const SpherePackingOptions& options);

}  // namespace saltus::testing
