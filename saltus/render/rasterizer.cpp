#include "saltus/render/rasterizer.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr int samples_across = 2;  // of a pixel

// Towards the sun: above the left shoulder of a viewer who looks along +y.
Eigen::Vector3d towards_sun() { return Eigen::Vector3d(-0.45, -0.6, 1.0).normalized(); }

// The brightness of a surface with this normal, as a factor of the colour on the screen, which shows light to the power
// 1 / 2.2.
float brightness_of(const Eigen::Vector3f& normal, const Eigen::Vector3f& sun) {
    const float sky = 0.52F + 0.12F * normal.z(), direct = 0.6F * std::max(0.0F, normal.dot(sun));
    return std::pow(std::min(1.0F, sky + direct), 1.0F / 2.2F);
}

std::uint32_t scaled_color(std::uint32_t color, float factor) {
    const auto level = [&](int shift) {
        return static_cast<std::uint32_t>(factor * static_cast<float>(color >> shift & 255) + 0.5F) << shift;
    };
    return level(16) | level(8) | level(0);
}

std::uint32_t packed(const Rgb& color) {
    const auto level = [](double part) { return static_cast<std::uint32_t>(std::lround(255.0 * part)); };
    return level(color.red) << 16 | level(color.green) << 8 | level(color.blue);
}

// y from 0 at the top to 1.
Rgb background(double y) { return {1.0 - 0.10 * y, 1.0 - 0.08 * y, 1.0 - 0.06 * y}; }

}  // namespace

Camera Camera::looking_at(const Eigen::AlignedBox3d& box, const Eigen::Vector3d& backward, PictureSize size) {
    Camera camera;
    const Eigen::Vector3d back = backward.normalized(), right = Eigen::Vector3d::UnitZ().cross(back).normalized();
    camera.axes << right.transpose(), back.cross(right).transpose(), back.transpose();
    // |x| <= tangent_x depth, |y| <= tangent_y depth at every corner, where depth = distance - z
    constexpr double margin = 1.12;
    const double tangent_y = camera.tangent / margin, tangent_x = tangent_y * size.width / size.height;
    double distance = 0.0;
    for (int k = 0; k < 8; ++k) {
        const Eigen::Vector3d corner =
            camera.axes * (box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)) - box.center());
        distance = std::max(
            {distance, corner.z() + std::abs(corner.x()) / tangent_x, corner.z() + std::abs(corner.y()) / tangent_y});
    }
    camera.eye = box.center() + distance * back;
    camera.near = 0.01 * distance;
    return camera;
}

Rasterizer::Rasterizer(const Camera& camera, PictureSize size)
    : camera_(camera),
      size_(size),
      width_(samples_across * size.width),
      height_(samples_across * size.height),
      focus_(static_cast<float>(0.5 * height_ / camera.tangent)) {
    clear();
}

void Rasterizer::clear() {
    colors_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    auto next = colors_.begin();
    for (int y = 0; y < height_; ++y)
        next = std::fill_n(next, width_, packed(background(static_cast<double>(y) / height_)));
    clear_depths();
}

void Rasterizer::clear_depths() { nearness_.assign(colors_.size(), 0.0F); }

Rasterizer::Corner Rasterizer::projected(const SeenVertex& vertex) const {
    const float nearness = 1.0F / vertex.place.z();
    return {0.5F * static_cast<float>(width_) + focus_ * vertex.place.x() * nearness,
            0.5F * static_cast<float>(height_) - focus_ * vertex.place.y() * nearness, nearness, vertex.brightness};
}

void Rasterizer::draw(const ShadedMesh& mesh, const Pose& pose, const Rgb& color) {
    if (!is_finite(pose)) return;
    const Eigen::Matrix3d turn = pose.rotation.toRotationMatrix();
    // Normals of a stretched surface are stretched by the inverse.
    const double stretch = std::max(1e-6, std::abs(pose.length));
    const Eigen::Matrix3f axes = (turn * Eigen::Vector3d(1.0, 1.0, pose.length).asDiagonal()).cast<float>(),
                          normal_axes = (turn * Eigen::Vector3d(1.0, 1.0, 1.0 / stretch).asDiagonal()).cast<float>(),
                          camera_axes = camera_.axes.cast<float>();
    const Eigen::Vector3f sun = towards_sun().cast<float>(), from_eye = (pose.position - camera_.eye).cast<float>();
    seen_.resize(mesh.vertices.size());
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        const Eigen::Vector3f ray = axes * mesh.vertices[k] + from_eye, place = camera_axes * ray;
        Eigen::Vector3f normal = (normal_axes * mesh.normals[k]).normalized();
        if (normal.dot(ray) > 0.0F) normal = -normal;  // the side that is seen
        seen_[k] = {{place.x(), place.y(), -place.z()}, brightness_of(normal, sun)};
    }
    draw_triangles(mesh, [&, whole = packed(color)](std::size_t k, float nearness, float brightness) {
        if (nearness <= nearness_[k]) return;
        nearness_[k] = nearness;
        colors_[k] = scaled_color(whole, brightness);
    });
}

void Rasterizer::draw_shadow(const ShadedMesh& mesh, const Pose& pose, double floor) {
    if (!is_finite(pose) || !std::isfinite(floor)) return;
    // p - (p_z - floor) / s_z s, s towards the sun; what is below the floor throws its shadow where it is.
    const Eigen::Vector3d sun = towards_sun();
    const Eigen::Vector3f slope = (sun / sun.z()).cast<float>();
    const Eigen::Matrix3f camera_axes = camera_.axes.cast<float>(),
                          axes =
                              (pose.rotation.toRotationMatrix() * Eigen::Vector3d(1.0, 1.0, pose.length).asDiagonal())
                                  .cast<float>();
    const Eigen::Vector3f above = (pose.position - Eigen::Vector3d(0.0, 0.0, floor)).cast<float>(),
                          from_eye = (Eigen::Vector3d(0.0, 0.0, floor) - camera_.eye).cast<float>();
    seen_.resize(mesh.vertices.size());
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        Eigen::Vector3f point = axes * mesh.vertices[k] + above;
        point -= std::max(0.0F, point.z()) * slope;
        point.z() = 0.0F;
        const Eigen::Vector3f place = camera_axes * (point + from_eye);
        seen_[k] = {{place.x(), place.y(), -place.z()}, 1.0F};
    }
    draw_triangles(mesh, [&](std::size_t k, float nearness, float) {
        // Where another shadow is already, on the same plane, there is none to add.
        if (nearness <= nearness_[k] * (1.0F + 1e-5F)) return;
        nearness_[k] = nearness;
        colors_[k] = scaled_color(colors_[k], 0.86F);
    });
}

// Twice the area of a triangle: negative if its corners go round counterclockwise on the screen, where y is downward.
float Rasterizer::double_area(const Corner& a, const Corner& b, const Corner& c) {
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

// Sutherland and Hodgman: cutting a triangle by the plane depth = near leaves a triangle or a quadrilateral.
template <class Paint>
void Rasterizer::draw_triangles(const ShadedMesh& mesh, Paint paint) {
    const auto nearest = static_cast<float>(camera_.near);
    for (const auto& triangle : mesh.triangles) {
        std::array<Corner, 4> left{};
        std::size_t count = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const SeenVertex &one = seen_[triangle[i]], &other = seen_[triangle[(i + 1) % 3]];
            const float from = one.place.z() - nearest, to = other.place.z() - nearest;
            if (from > 0.0F) left[count++] = projected(one);
            if ((from > 0.0F) == (to > 0.0F)) continue;
            const float s = from / (from - to);
            left[count++] = projected(
                {one.place + s * (other.place - one.place), one.brightness + s * (other.brightness - one.brightness)});
        }
        if (count < 3 || (mesh.is_closed && double_area(left[0], left[1], left[2]) > 0.0F))
            continue;  // seen from inside
        fill(left[0], left[1], left[2], paint);
        if (count == 4) fill(left[0], left[2], left[3], paint);
    }
}

// Samples are at the middle of their squares. Of a point (x, y) the barycentric coordinates are, with twice the area A,
//     w_b = ((x - a_x) (c_y - a_y) - (y - a_y) (c_x - a_x)) / A,   w_c likewise,   w_a = 1 - w_b - w_c
template <class Paint>
void Rasterizer::fill(const Corner& a, const Corner& b, const Corner& c, Paint paint) {
    const float area = double_area(a, b, c);
    if (!(std::abs(area) > 1e-9F)) return;
    const auto first = [](float x, int end) {  // sample at or after x
        return static_cast<int>(std::clamp(std::ceil(x - 0.5F), 0.0F, static_cast<float>(end)));
    };
    const int x_first = first(std::min({a.x, b.x, c.x}), width_),
              x_end = first(std::max({a.x, b.x, c.x}) + 1e-3F, width_),
              y_first = first(std::min({a.y, b.y, c.y}), height_),
              y_end = first(std::max({a.y, b.y, c.y}) + 1e-3F, height_);
    const float b_x = (c.y - a.y) / area, b_y = (a.x - c.x) / area, c_x = (a.y - b.y) / area, c_y = (b.x - a.x) / area;
    for (int y = y_first; y < y_end; ++y) {
        const float dy = static_cast<float>(y) + 0.5F - a.y;
        const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
        for (int x = x_first; x < x_end; ++x) {
            const float dx = static_cast<float>(x) + 0.5F - a.x;
            const float w_b = dx * b_x + dy * b_y, w_c = dx * c_x + dy * c_y, w_a = 1.0F - w_b - w_c;
            constexpr float edge = -1e-5F;  // no gaps between neighbours
            if (w_a < edge || w_b < edge || w_c < edge) continue;
            paint(row + static_cast<std::size_t>(x), w_a * a.nearness + w_b * b.nearness + w_c * c.nearness,
                  w_a * a.brightness + w_b * b.brightness + w_c * c.brightness);
        }
    }
}

Picture Rasterizer::picture() const {
    constexpr int samples = samples_across * samples_across;
    Picture picture(size_);
    for (int y = 0; y < size_.height; ++y)
        for (int x = 0; x < size_.width; ++x) {
            std::array<std::uint32_t, 3> sum{};
            for (int i = 0; i < samples; ++i) {
                const int row = samples_across * y + i / samples_across,
                          column = samples_across * x + i % samples_across;
                const std::uint32_t color = colors_[static_cast<std::size_t>(row) * static_cast<std::size_t>(width_) +
                                                    static_cast<std::size_t>(column)];
                for (int part = 0; part < 3; ++part) sum[static_cast<std::size_t>(part)] += color >> 8 * part & 255;
            }
            const auto mean = [&](std::size_t part) { return (sum[part] + samples / 2) / samples << 8 * part; };
            picture.at(x, y) = mean(0) | mean(1) | mean(2);
        }
    return picture;
}

}  // namespace saltus
