#include "saltus/io/model/scene.hpp"

namespace saltus {

namespace {

// The arguments of the functions of a drawing: channels, then t.
const double* gather(const Arguments& arguments, double t, std::span<const double> values, std::vector<double>& in) {
    in.clear();
    for (const Index channel : arguments) in.push_back(values[static_cast<std::size_t>(channel)]);
    in.push_back(t);
    return in.data();
}

Eigen::Vector3d vector_of(const Function& function, const double* in) {
    Eigen::Vector3d result;
    function.value(in, result.data());
    return result;
}

Eigen::Quaterniond rotation_of(const DrawnBody& body, const double* in) {
    if (body.rotation.is_empty()) return body.rest;
    double out[4] = {1.0, 0.0, 0.0, 0.0};
    body.rotation.value(in, out);
    if (body.rotation.outputs() == 1) return Eigen::AngleAxisd(out[0], body.axis) * body.rest;
    const Eigen::Quaterniond q(out[0], out[1], out[2], out[3]);
    return (q.norm() == 0.0 ? Eigen::Quaterniond::Identity() : q.normalized()) * body.rest;
}

// The pose of a rod from a to b, whose z axis is along it.
Pose stretched(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    const double length = (b - a).norm();
    Pose pose{.position = 0.5 * (a + b), .length = length};
    if (length > 0.0) pose.rotation = turned_to(b - a);
    return pose;
}

Pose pose_of(const DrawnBody& body, const double* in) {
    Eigen::Matrix<double, 6, 1> out;
    body.position.value(in, out.data());
    if (body.position.outputs() == 6) return stretched(out.head<3>(), out.tail<3>());
    return {.position = out.head<3>(), .rotation = rotation_of(body, in)};
}

// Sliding velocities are zero exactly, or below this, where a contact sticks.
constexpr double still = 1e-12;

ContactState state_of(const DrawnContact& contact, std::span<const double> values) {
    const auto at = [&](Index channel) { return values[static_cast<std::size_t>(channel)]; };
    if (at(contact.forces[0]) == 0.0 && at(contact.percussions[0]) == 0.0) return ContactState::open;
    if (contact.velocities.size() < 2) return ContactState::closed;
    double sliding = 0.0;
    for (std::size_t i = 1; i < std::min<std::size_t>(3, contact.velocities.size()); ++i)
        sliding = std::max(sliding, std::abs(at(contact.velocities[i])));
    return sliding > still ? ContactState::slips : ContactState::sticks;
}

ContactForce force_of(const DrawnContact& contact, std::span<const double> values, const double* in) {
    const auto force = [&](std::size_t i) { return values[static_cast<std::size_t>(contact.forces[i])]; };
    ContactForce result{.point = vector_of(contact.point, in), .state = state_of(contact, values)};
    const Eigen::Vector3d normal = vector_of(contact.normal, in).normalized();
    result.force = force(0) * normal;
    if (!contact.tangent.is_empty() && contact.forces.size() > 1) {
        const Eigen::Vector3d tangent = vector_of(contact.tangent, in).normalized();
        result.force += force(1) * tangent;
        if (contact.forces.size() > 2) result.force += force(2) * normal.cross(tangent);
    }
    result.gap = values[static_cast<std::size_t>(contact.gap)];
    return result;
}

}  // namespace

// By half of the angle a: cos(a/2) and sin(a/2) times the axis z x d / |z x d|, both times 2 cos(a/2). Near -z, 1 + d_z
// would lose all digits; it is |z x d|^2 / (1 - d_z).
Rotation turned_to(const Eigen::Vector3d& direction) {
    const Eigen::Vector3d d = direction.stableNormalized();
    const double across = d.x() * d.x() + d.y() * d.y();
    const Rotation doubled(d.z() > 0.0 ? 1.0 + d.z() : across / (1.0 - d.z()), -d.y(), d.x(), 0.0);
    if (doubled.norm() == 0.0) return {0.0, 1.0, 0.0, 0.0};
    return doubled.normalized();
}

void evaluate(const Scene& scene, double t, std::span<const double> values, Frame& frame) {
    std::vector<double> in;
    frame.t = t;
    frame.bodies.clear();
    frame.contacts.clear();
    for (const DrawnBody& body : scene.bodies)
        frame.bodies.push_back(pose_of(body, gather(body.arguments, t, values, in)));
    for (const DrawnContact& contact : scene.contacts)
        frame.contacts.push_back(force_of(contact, values, gather(contact.arguments, t, values, in)));
}

// Half the edges of the box of the shape in its own axes.
static Eigen::Vector3d own_half_extent(const Shape& shape, double length) {
    const auto round = [](double radius, double half_length) { return Eigen::Vector3d(radius, radius, half_length); };
    return std::visit(
        [&]<class Kind>(const Kind& s) -> Eigen::Vector3d {
            if constexpr (std::is_same_v<Kind, Sphere>) return Eigen::Vector3d::Constant(s.radius);
            if constexpr (std::is_same_v<Kind, Cuboid>) return 0.5 * s.size;
            if constexpr (std::is_same_v<Kind, Cylinder>) return round(s.radius, 0.5 * s.length);
            if constexpr (std::is_same_v<Kind, Capsule>) return round(s.radius, 0.5 * s.length + s.radius);
            if constexpr (std::is_same_v<Kind, Plane>) return {0.5 * s.size.x(), 0.5 * s.size.y(), 0.0};
            if constexpr (std::is_same_v<Kind, Segment> || std::is_same_v<Kind, Coil>)
                return round(s.radius, 0.5 * length);
            if constexpr (std::is_same_v<Kind, TriangleMesh>) {
                Eigen::Vector3d most = Eigen::Vector3d::Zero();
                for (const Eigen::Vector3d& vertex : s.vertices) most = most.cwiseMax(vertex.cwiseAbs());
                return most;
            }
        },
        shape);
}

Eigen::Vector3d half_extent(const Shape& shape, const Pose& pose) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return Eigen::Vector3d::Constant(sphere->radius);
    return pose.rotation.toRotationMatrix().cwiseAbs() * own_half_extent(shape, pose.length);
}

}  // namespace saltus
