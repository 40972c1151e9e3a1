#pragma once

#include <filesystem>
#include <string>

#include "saltus/render/shaded_mesh.hpp"

namespace saltus {

// The bodies of a scene over time as binary glTF 2.0 (.glb), which viewers, browsers, Blender and slide programs open:
// one node per body, with its name; bodies of the same shape share their mesh; one animation, with a key at each frame,
// of the translations, rotations and lengths that change. glTF's y is up: a root node turns the scene. Where a pose is
// not finite, the body stays where it was.
class GltfWriter {
public:
    // `name` is the name of the scene. `scene` must outlive the writer.
    GltfWriter(const std::filesystem::path& path, const Scene& scene, std::string name);
    void frame(const Frame& frame);
    void finish();

private:
    std::filesystem::path path_;
    const Scene& scene_;
    std::string name_;
    double t_first_ = 0.0;
    std::vector<float> times_{};                 // since the first frame
    std::vector<std::array<float, 8>> poses_{};  // one frame after the other; see gltf_file.cpp
};

}  // namespace saltus
