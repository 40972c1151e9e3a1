#pragma once

#include "saltus/io/result/frames.hpp"
#include "saltus/render/rasterizer.hpp"

namespace saltus {

// Draws frames of a scene, all from the same point of view: planar mechanisms, which are flat in y, along y and
// slightly from above, others from an oblique direction. Contact forces are arrows that begin at the contact, coloured
// by its state; they lie over everything else.
class ScenePainter {
public:
    // The extent is that of the whole run. `scene` must outlive the painter.
    ScenePainter(const Scene& scene, const SceneExtent& extent, PictureSize size);
    // The caption is in the lower left corner.
    Picture paint(const Frame& frame, const std::string& caption);

private:
    void draw_bodies(const Frame& frame);
    void draw_forces(const Frame& frame);
    void write_caption(Picture& picture, const std::string& caption) const;

    const Scene& scene_;
    Eigen::AlignedBox3d box_;
    double largest_force_;
    BodyMeshes meshes_;
    std::vector<Rgb> colors_{};
    ShadedMesh shaft_, head_;  // of an arrow: along z, of length 1
    Rasterizer rasterizer_;
};

}  // namespace saltus
