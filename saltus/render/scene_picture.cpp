#include "saltus/render/scene_picture.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/render/canvas.hpp"

namespace saltus {

namespace {

Eigen::AlignedBox3d box_of(const SceneExtent& extent) {
    Eigen::AlignedBox3d box(extent.low, extent.high);
    const bool is_box = extent.low.allFinite() && extent.high.allFinite() && !box.isEmpty();
    if (!is_box) box = {-Eigen::Vector3d::Ones(), Eigen::Vector3d::Ones()};
    if (box.diagonal().norm() == 0.0) box = {box.min().array() - 0.5, box.max().array() + 0.5};
    return box;
}

Camera camera_for(const Eigen::AlignedBox3d& box, PictureSize size) {
    const Eigen::Vector3d edges = box.sizes();
    const bool is_flat = edges.y() < 0.3 * std::max(edges.x(), edges.z());
    return Camera::looking_at(box, is_flat ? Eigen::Vector3d(0.1, -1.0, 0.2) : Eigen::Vector3d(0.55, -1.0, 0.5), size);
}

// After Okabe and Ito.
Rgb force_color(ContactState state) {
    return parse_color(state == ContactState::slips    ? "#d55e00"
                       : state == ContactState::sticks ? "#0072b2"
                                                       : "#00805e");
}

ShadedMesh arrow_part(double radius, bool is_head) {
    TriangleMesh mesh = mesh_of(Cylinder{radius, 1.0}, 24);
    for (Eigen::Vector3d& vertex : mesh.vertices)
        if (is_head && vertex.z() > 0.0) vertex.head<2>().setZero();
    return shaded(mesh);
}

bool is_floor(const Shape& shape) { return std::holds_alternative<Plane>(shape); }

}  // namespace

ScenePainter::ScenePainter(const Scene& scene, const SceneExtent& extent, PictureSize size)
    : scene_(scene),
      box_(box_of(extent)),
      largest_force_(extent.largest_force),
      meshes_(body_meshes(scene)),
      shaft_(arrow_part(0.005 * box_.diagonal().norm(), false)),
      head_(arrow_part(0.012 * box_.diagonal().norm(), true)),
      rasterizer_(camera_for(box_, size), size) {
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) colors_.push_back(body_color(scene, k));
}

Picture ScenePainter::paint(const Frame& frame, const std::string& caption) {
    rasterizer_.clear();
    draw_bodies(frame);
    rasterizer_.clear_depths();
    draw_forces(frame);
    Picture picture = rasterizer_.picture();
    write_caption(picture, caption);
    return picture;
}

// Floors, the shadows on them, then what stands there. Shadows are on the highest level plane, or at the lower end of
// the scene, and a little above, so that they are not lost in rounding.
void ScenePainter::draw_bodies(const Frame& frame) {
    double floor = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        if (!is_floor(scene_.bodies[k].shape)) continue;
        rasterizer_.draw(meshes_[k], frame.bodies[k], colors_[k]);
        const Pose& pose = frame.bodies[k];
        if ((pose.rotation * Eigen::Vector3d::UnitZ()).head<2>().norm() < 1e-3)
            floor = std::max(floor, pose.position.z());
    }
    if (!std::isfinite(floor)) floor = box_.min().z();
    floor += 1e-3 * box_.diagonal().norm();
    for (std::size_t k = 0; k < frame.bodies.size(); ++k)
        if (!is_floor(scene_.bodies[k].shape)) rasterizer_.draw_shadow(meshes_[k], frame.bodies[k], floor);
    for (std::size_t k = 0; k < frame.bodies.size(); ++k)
        if (!is_floor(scene_.bodies[k].shape)) rasterizer_.draw(meshes_[k], frame.bodies[k], colors_[k]);
}

// The largest force is a fifth as long as the scene.
void ScenePainter::draw_forces(const Frame& frame) {
    const double size = box_.diagonal().norm(), head = 0.04 * size;
    for (const ContactForce& contact : frame.contacts) {
        const double force = contact.force.norm(), length = 0.2 * size * std::min(1.5, force / largest_force_);
        if (contact.state == ContactState::open || !(length > 0.0) || !contact.point.allFinite()) continue;
        const Eigen::Vector3d direction = contact.force / force;
        const Rotation rotation = turned_to(direction);
        const auto draw = [&](const ShadedMesh& mesh, double from, double to) {
            rasterizer_.draw(mesh, {contact.point + 0.5 * (from + to) * direction, rotation, to - from},
                             force_color(contact.state));
        };
        const double neck = length - std::min(head, 0.6 * length);
        draw(shaft_, 0.0, neck);
        draw(head_, neck, length);
    }
}

void ScenePainter::write_caption(Picture& picture, const std::string& caption) const {
    const Canvas canvas(picture);
    const Rgb ink{0.2, 0.2, 0.2};
    const double y = canvas.height() - 18.0;
    canvas.set_font(15.0);
    canvas.set_color(ink);
    canvas.text(20.0, y, canvas.fitted(caption, 0.65 * canvas.width()));
    if (!(largest_force_ > 0.0)) return;
    double x = canvas.width() - 20.0;
    for (const ContactState state : {ContactState::closed, ContactState::slips, ContactState::sticks}) {
        canvas.set_color(ink);
        canvas.text(x, y, to_string(state), 1.0);
        x -= canvas.text_width(to_string(state)) + 12.0;
        canvas.set_color(force_color(state));
        canvas.disk(x, y - 5.0, 5.0);
        x -= 22.0;
    }
}

}  // namespace saltus
