#pragma once

#include <Eigen/Geometry>
#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "saltus/model/function.hpp"

namespace saltus {

// How a model is drawn: the tables [view.bodies] and [view.contacts] of docs/model-files.md. It does not enter the
// equations. Axes are right-handed, z is up; shapes are centred at the position of their body.

struct Sphere {
    double radius = 0.0;
};
struct Cuboid {                                      // the shape "box"
    Eigen::Vector3d size = Eigen::Vector3d::Zero();  // edges
};
struct Cylinder {  // along z
    double radius = 0.0, length = 0.0;
};
struct Capsule {  // along z; the length is that of the cylinder between the caps
    double radius = 0.0, length = 0.0;
};
struct Plane {  // normal z
    Eigen::Vector2d size = Eigen::Vector2d::Zero();
};
struct Segment {  // a rod from one point to another: along z, of length 1, which a pose stretches
    double radius = 0.0;
};
struct Coil {  // a spring from one point to another: along z, of length 1
    double radius = 0.0;
    int turns = 8;
};
struct TriangleMesh {
    std::vector<Eigen::Vector3d> vertices{};
    std::vector<std::array<int, 3>> triangles{};  // counterclockwise, seen from outside
};
using Shape = std::variant<Sphere, Cuboid, Cylinder, Capsule, Plane, Segment, Coil, TriangleMesh>;

// Not aligned: Eigen aligns by the instructions it is compiled for, which may differ between a program and the library.
using Rotation = Eigen::Quaternion<double, Eigen::DontAlign>;

// The channels of a result at which the functions of a drawing are evaluated, in this order; then comes t.
using Arguments = std::vector<Index>;

struct DrawnBody {
    std::string name{};
    Shape shape{};
    std::string color{};                 // "#rrggbb", or empty
    std::vector<std::string> systems{};  // whose states it shows
    Arguments arguments{};
    Function position{};  // 3 outputs; for a Segment or a Coil 6: both ends
    Function rotation{};  // none; an angle about `axis`; or a quaternion (w, x, y, z)
    Eigen::Vector3d axis = -Eigen::Vector3d::UnitY();
    Rotation rest = Rotation::Identity();  // of the shape, before the body is turned
};

struct DrawnContact {
    std::string name{};
    Index interaction = 0;
    Arguments arguments{};
    Function point{}, normal{}, tangent{};  // 3 outputs each; normal: the direction in which the gap grows; tangent:
                                            // none, or that of the first slip
    Index gap = -1;                         // channel
    std::vector<Index> forces{}, velocities{}, percussions{};  // channels: normal, then tangential
};

struct Scene {
    std::vector<DrawnBody> bodies{};
    std::vector<DrawnContact> contacts{};

    bool is_empty() const { return bodies.empty() && contacts.empty(); }
};

// Where a body is: the point x in its own axes is at position + rotation (x_0, x_1, length x_2).
struct Pose {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Rotation rotation = Rotation::Identity();
    double length = 1.0;
};

// The shortest rotation that turns z to a direction, which is not zero; to -z it turns about x.
Rotation turned_to(const Eigen::Vector3d& direction);

enum class ContactState { open, slips, sticks, closed };  // closed: without friction
std::string_view to_string(ContactState state);

struct ContactForce {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  // on the body towards which the gap opens
    ContactState state = ContactState::open;
    double gap = 0.0;
};

// A scene at a sample.
struct Frame {
    double t = 0.0;
    std::vector<Pose> bodies{};
    std::vector<ContactForce> contacts{};
};

// Evaluates a scene at a sample: `values` are those of all channels. Numbers may be NaN where the result has them. A
// contact counts as open where it carries nothing, as sliding where it moves along itself.
void evaluate(const Scene& scene, double t, std::span<const double> values, Frame& frame);

// The surface of a shape, for exports and pictures: round shapes by `segments` facets around. That of a Segment and a
// Coil is for length 1.
TriangleMesh mesh_of(const Shape& shape, int segments = 24);

// Half the edges of a box, along the axes of the scene, that contains the shape there.
Eigen::Vector3d half_extent(const Shape& shape, const Pose& pose);

// The colour, "#rrggbb", of the k-th body if it has none of its own.
std::string default_color(std::size_t k);

}  // namespace saltus
