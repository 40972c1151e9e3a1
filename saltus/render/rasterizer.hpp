#pragma once

#include "saltus/render/picture.hpp"
#include "saltus/render/shaded_mesh.hpp"

namespace saltus {

// A pinhole camera. A point p is seen at (x, y) / depth with (x, y, -depth) = axes (p - eye).
struct Camera {
    Eigen::Vector3d eye = Eigen::Vector3d::Zero();
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // rows: to the right, up, backward
    double tangent = 0.287;                              // of half the angle of view: 16 degrees
    double near = 1e-3;                                  // nothing nearer is drawn

    // Looks at the middle of the box from the direction `backward`, z up; the box fills the picture.
    static Camera looking_at(const Eigen::AlignedBox3d& box, const Eigen::Vector3d& backward, PictureSize size);
};

// Draws triangles by a z-buffer, in the light of a sky, which is brighter above, and of a sun (Lambert). Both sides of
// an open mesh are drawn. Each pixel is the mean of 2 x 2 samples.
class Rasterizer {
public:
    Rasterizer(const Camera& camera, PictureSize size);

    // Forgets everything: the background is white at the top and a light grey at the bottom.
    void clear();
    // What is drawn from now on hides what is there.
    void clear_depths();
    void draw(const ShadedMesh& mesh, const Pose& pose, const Rgb& color);
    // Darkens what is there by its shadow on the plane z = floor. Bodies that stand on the floor are drawn after it.
    void draw_shadow(const ShadedMesh& mesh, const Pose& pose, double floor);
    Picture picture() const;

private:
    struct SeenVertex {
        Eigen::Vector3f place;  // to the right, up, depth
        float brightness;
    };
    // In the picture: x to the right, y downward, in samples; `nearness` is 1 / depth, which is linear in the picture.
    struct Corner {
        float x, y, nearness, brightness;
    };
    static float double_area(const Corner& a, const Corner& b, const Corner& c);
    Corner projected(const SeenVertex& vertex) const;
    // A sample that passes is drawn with paint(its place in the buffers, nearness, brightness).
    template <class Paint>
    void draw_triangles(const ShadedMesh& mesh, Paint paint);
    template <class Paint>
    void fill(const Corner& a, const Corner& b, const Corner& c, Paint paint);

    Camera camera_;
    PictureSize size_;
    int width_, height_;  // in samples
    float focus_;         // samples per unit of (x, y) / depth
    std::vector<std::uint32_t> colors_{};
    std::vector<float> nearness_{};
    std::vector<SeenVertex> seen_{};  // of the mesh that is drawn
};

}  // namespace saltus
