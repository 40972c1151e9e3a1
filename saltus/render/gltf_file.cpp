#include "saltus/render/gltf_file.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "saltus/core/check.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus {

namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "glTF is little endian");

// Position x y z, rotation x y z w, length.
using FlatPose = std::array<float, 8>;

FlatPose flat_pose(const Pose& pose) {
    FlatPose flat{};
    const Eigen::Vector4f rotation = pose.rotation.normalized().coeffs().cast<float>();  // Eigen's order is x y z w too
    std::copy_n(pose.position.cast<float>().eval().data(), 3, flat.begin());
    std::copy_n(rotation.data(), 4, flat.begin() + 3);
    flat[7] = static_cast<float>(pose.length);
    return flat;
}

// q and -q are the same rotation; between keys the shorter way is taken if their product is positive.
void turn_the_shorter_way(FlatPose& pose, const FlatPose& before) {
    float dot = 0.0F;
    for (std::size_t k = 3; k < 7; ++k) dot += pose[k] * before[k];
    if (dot < 0.0F)
        for (std::size_t k = 3; k < 7; ++k) pose[k] = -pose[k];
}

// Linear light of an sRGB component (IEC 61966-2-1), as glTF's colours are.
double linear_light(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

// The parts of a path that change, and the glTF names of what they animate.
struct AnimatedPart {
    const char* path;
    const char* type;
    std::size_t first, count;
};
constexpr std::array<AnimatedPart, 2> animated_parts{{{"translation", "VEC3", 0, 3}, {"rotation", "VEC4", 3, 4}}};

// The JSON of an asset and its binary data: three views of one buffer.
struct GltfAsset {
    enum View { attributes, indices, animation };
    json root{};
    std::array<std::string, 3> bytes{};
    std::map<std::string, std::size_t> materials{};                       // by colour
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> meshes{};  // by geometry and material
    std::map<std::size_t, std::array<std::size_t, 3>> geometries{};       // accessors: positions, normals, indices

    std::size_t add(const char* list, json entry) {
        root[list].push_back(std::move(entry));
        return root[list].size() - 1;
    }
    // All components are four bytes wide, so that every offset is a multiple of four, as it must be.
    std::size_t accessor(View view, const char* type, std::size_t count, const void* data, std::size_t size) {
        json entry{{"bufferView", view},
                   {"byteOffset", bytes[view].size()},
                   {"componentType", view == indices ? 5125 : 5126},  // unsigned int, float
                   {"count", count},
                   {"type", type}};
        bytes[view].append(static_cast<const char*>(data), size);
        return add("accessors", std::move(entry));
    }
    std::size_t vectors(View view, const char* type, std::size_t components, const std::vector<float>& values) {
        return accessor(view, type, values.size() / components, values.data(), values.size() * sizeof(float));
    }
    // The smallest and largest values, which glTF asks for of positions and times.
    void bounds(std::size_t accessor_index, std::size_t components, const std::vector<float>& values) {
        std::vector<float> low(components, std::numeric_limits<float>::infinity()), high(components, -low[0]);
        for (std::size_t k = 0; k < values.size(); ++k) {
            low[k % components] = std::min(low[k % components], values[k]);
            high[k % components] = std::max(high[k % components], values[k]);
        }
        root["accessors"][accessor_index]["min"] = low;
        root["accessors"][accessor_index]["max"] = high;
    }
};

std::vector<float> flattened(const std::vector<Eigen::Vector3f>& vectors) {
    std::vector<float> result;
    result.reserve(3 * vectors.size());
    for (const Eigen::Vector3f& v : vectors) result.insert(result.end(), v.begin(), v.end());
    return result;
}

std::array<std::size_t, 3> gltf_geometry(GltfAsset& asset, std::size_t key, const ShadedMesh& mesh) {
    const auto [place, is_new] = asset.geometries.try_emplace(key);
    if (!is_new) return place->second;
    const std::vector<float> positions = flattened(mesh.vertices);
    const std::size_t position = asset.vectors(GltfAsset::attributes, "VEC3", 3, positions);
    asset.bounds(position, 3, positions);
    const std::size_t normal = asset.vectors(GltfAsset::attributes, "VEC3", 3, flattened(mesh.normals));
    const std::size_t index = asset.accessor(GltfAsset::indices, "SCALAR", 3 * mesh.triangles.size(),
                                             mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles[0]);
    return place->second = {position, normal, index};
}

std::size_t gltf_material(GltfAsset& asset, const std::string& name) {
    const auto [place, is_new] = asset.materials.try_emplace(name, asset.materials.size());
    if (!is_new) return place->second;
    const Rgb color = parse_color(name);
    const json base{linear_light(color.red), linear_light(color.green), linear_light(color.blue), 1.0};
    return asset.add("materials", {{"name", name},
                                   {"doubleSided", true},
                                   {"pbrMetallicRoughness",
                                    {{"baseColorFactor", base}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.6}}}});
}

std::size_t gltf_mesh(GltfAsset& asset, std::size_t key, const ShadedMesh& mesh, std::size_t material) {
    const auto [place, is_new] = asset.meshes.try_emplace({key, material}, asset.meshes.size());
    if (!is_new) return place->second;
    const auto [position, normal, index] = gltf_geometry(asset, key, mesh);
    const json primitive{
        {"attributes", {{"POSITION", position}, {"NORMAL", normal}}}, {"indices", index}, {"material", material}};
    return asset.add("meshes", {{"primitives", json::array({primitive})}});
}

// The poses of one body, frame after frame.
struct BodyPath {
    std::vector<FlatPose> poses{};

    bool changes(std::size_t first, std::size_t count) const {
        return std::ranges::any_of(poses, [&](const FlatPose& pose) {
            return !std::equal(pose.begin() + first, pose.begin() + first + count, poses[0].begin() + first);
        });
    }
    std::vector<float> values(std::size_t first, std::size_t count) const {
        std::vector<float> result;
        for (const FlatPose& pose : poses)
            result.insert(result.end(), pose.begin() + first, pose.begin() + first + count);
        return result;
    }
    std::vector<float> scales() const {
        std::vector<float> result;
        for (const FlatPose& pose : poses) result.insert(result.end(), {1.0F, 1.0F, pose[7]});
        return result;
    }
};

void add_channel(json& motion, std::size_t node, const char* path, std::size_t output) {
    motion["channels"].push_back(
        {{"sampler", motion["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
    motion["samplers"].push_back({{"output", output}, {"interpolation", "LINEAR"}});
}

// The parts of a body that change, as channels of the animation, whose times are added later: they are the same for
// all.
void animate(GltfAsset& asset, json& motion, std::size_t node, const BodyPath& path) {
    for (const auto& [name, type, first, count] : animated_parts)
        if (path.changes(first, count))
            add_channel(motion, node, name,
                        asset.vectors(GltfAsset::animation, type, count, path.values(first, count)));
    if (path.changes(7, 1))
        add_channel(motion, node, "scale", asset.vectors(GltfAsset::animation, "VEC3", 3, path.scales()));
}

json gltf_node(const std::string& name, std::size_t mesh, const FlatPose& pose) {
    json node{{"name", name}, {"mesh", mesh}};
    node["translation"] = {pose[0], pose[1], pose[2]};
    node["rotation"] = {pose[3], pose[4], pose[5], pose[6]};
    if (pose[7] != 1.0F) node["scale"] = {1.0, 1.0, pose[7]};
    return node;
}

// Views for the bytes of each kind, one behind the other in one buffer; empty ones are not allowed.
std::string joined_views(GltfAsset& asset) {
    std::array<std::size_t, 3> number{};
    std::string buffer;
    for (std::size_t k = 0; k < 3; ++k) {
        if (asset.bytes[k].empty()) continue;
        json view{{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", asset.bytes[k].size()}};
        if (k == GltfAsset::attributes) view["byteStride"] = 12, view["target"] = 34962;  // array buffer
        if (k == GltfAsset::indices) view["target"] = 34963;                              // element array buffer
        number[k] = asset.add("bufferViews", std::move(view));
        buffer += asset.bytes[k];
    }
    for (json& accessor : asset.root["accessors"]) accessor["bufferView"] = number[accessor["bufferView"]];
    asset.root["buffers"] = json::array({{{"byteLength", buffer.size()}}});
    return buffer;
}

std::string little_endian(std::uint32_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

// A header (magic, version, length), then chunks (length, type, bytes) padded to multiples of four (glTF 2.0,
// sec. 4.4). The buffer needs no padding: it has numbers of four bytes.
void write_glb(const std::filesystem::path& path, std::string text, const std::string& buffer) {
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::size_t size = 12 + 8 + text.size() + 8 + buffer.size();
    require(size < std::numeric_limits<std::uint32_t>::max(),
            "{}: {} bytes are too many for this format; give a larger --every", path.string(), size);
    OutputFile file(path);
    file.write("glTF" + little_endian(2) + little_endian(static_cast<std::uint32_t>(size)));
    file.write(little_endian(static_cast<std::uint32_t>(text.size())) + "JSON");
    file.write(text);
    file.write(little_endian(static_cast<std::uint32_t>(buffer.size())) + std::string("BIN\0", 4));
    file.write(buffer);
    file.finish();
}

}  // namespace

GltfWriter::GltfWriter(const std::filesystem::path& path, const Scene& scene, std::string name)
    : path_(path), scene_(scene), name_(std::move(name)) {
    require(path.extension() == ".glb", "{}: the name must end with .glb", path.string());
    require(!scene.bodies.empty(), "{}: the scene has no bodies; add a table [view.bodies.NAME] to the model file",
            path.string());
    PartialFile{path};  // reports a file that cannot be written before the work
}

void GltfWriter::frame(const Frame& frame) {
    if (times_.empty()) t_first_ = frame.t;
    const auto t = static_cast<float>(frame.t - t_first_);
    if (!times_.empty() && !(t > times_.back())) return;  // keys must increase, also in single precision
    const std::size_t bodies = scene_.bodies.size(), before = poses_.size() - (times_.empty() ? 0 : bodies);
    for (std::size_t k = 0; k < bodies; ++k) {
        FlatPose pose = flat_pose(is_finite(frame.bodies[k]) ? frame.bodies[k] : Pose{});
        if (!times_.empty() && !is_finite(frame.bodies[k])) pose = poses_[before + k];
        if (!times_.empty()) turn_the_shorter_way(pose, poses_[before + k]);
        poses_.push_back(pose);
    }
    times_.push_back(t);
}

void GltfWriter::finish() {
    require(!times_.empty(), "{}: there is no frame to write", path_.string());
    const BodyMeshes meshes = body_meshes(scene_);
    const std::size_t bodies = scene_.bodies.size();
    GltfAsset asset;
    asset.root["asset"] = {{"version", "2.0"}, {"generator", "Saltus"}};
    asset.root["scene"] = 0;
    asset.root["scenes"] = json::array({{{"name", name_}, {"nodes", {0}}}});
    // A quarter turn about x: z becomes y.
    const double half = std::sqrt(0.5);
    asset.add("nodes", {{"name", "z is up"}, {"rotation", {-half, 0.0, 0.0, half}}, {"children", json::array()}});
    json motion{{"name", "motion"}, {"channels", json::array()}, {"samplers", json::array()}};
    for (std::size_t k = 0; k < bodies; ++k) {
        BodyPath path;
        for (std::size_t frame = 0; frame < times_.size(); ++frame) path.poses.push_back(poses_[frame * bodies + k]);
        const std::size_t material = gltf_material(asset, color_text(scene_, k));
        const std::size_t mesh = gltf_mesh(asset, meshes.of_body[k], meshes[k], material);
        const std::size_t node = asset.add("nodes", gltf_node(scene_.bodies[k].name, mesh, path.poses[0]));
        asset.root["nodes"][0]["children"].push_back(node);
        animate(asset, motion, node, path);
    }
    if (!motion["channels"].empty()) {
        const std::size_t times = asset.vectors(GltfAsset::animation, "SCALAR", 1, times_);
        asset.bounds(times, 1, times_);
        for (json& sampler : motion["samplers"]) sampler["input"] = times;
        asset.root["animations"] = json::array({motion});
    }
    const std::string buffer = joined_views(asset);
    write_glb(path_, asset.root.dump(-1, ' ', false, json::error_handler_t::replace), buffer);
}

}  // namespace saltus
