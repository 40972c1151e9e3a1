#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "render/export_support.hpp"
#include "saltus/render/gltf_file.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using nlohmann::json;
using testing::contents;
using testing::drawn_body;
using testing::refusal;
using testing::TemporaryFile;

// A .glb, read as glTF 2.0 says, with the checks that its readers make.
struct GlbFile {
    json root{};
    std::string buffer{};

    explicit GlbFile(const std::filesystem::path& path) {
        const std::string bytes = contents(path);
        EXPECT_EQ(bytes.substr(0, 4), "glTF");
        EXPECT_EQ(integer(bytes, 4), 2u);
        EXPECT_EQ(integer(bytes, 8), bytes.size());
        const std::uint32_t text = integer(bytes, 12), data = integer(bytes, 20 + text);
        EXPECT_EQ(bytes.substr(16, 4), "JSON");
        EXPECT_EQ(bytes.substr(24 + text, 4), std::string("BIN\0", 4));
        EXPECT_EQ(text % 4, 0u);
        EXPECT_EQ(data % 4, 0u);
        EXPECT_EQ(28 + text + data, bytes.size());
        root = json::parse(bytes.substr(20, text));
        buffer = bytes.substr(28 + text, data);
        EXPECT_LE(buffer.size() - root["buffers"][0]["byteLength"].get<std::size_t>(), 3u);
        for (const json& accessor : root["accessors"]) check_accessor(accessor);
    }
    const json& node(const std::string& name) const {
        for (const json& candidate : root["nodes"])
            if (candidate["name"] == name) return candidate;
        throw InvalidInput("no node " + name);
    }
    std::vector<float> values(std::size_t accessor) const {
        const json &entry = root["accessors"][accessor],
                   &view = root["bufferViews"][entry["bufferView"].get<std::size_t>()];
        std::vector<float> result(entry["count"].get<std::size_t>() * components(entry));
        std::memcpy(result.data(),
                    buffer.data() + view["byteOffset"].get<std::size_t>() + entry["byteOffset"].get<std::size_t>(),
                    result.size() * sizeof(float));
        return result;
    }
    // The keys of what a node does; empty if it rests.
    std::vector<float> keys(const std::string& name, const std::string& path) const {
        for (const json& channel : root["animations"][0]["channels"])
            if (root["nodes"][channel["target"]["node"].get<std::size_t>()]["name"] == name &&
                channel["target"]["path"] == path)
                return values(root["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
        return {};
    }

private:
    static std::uint32_t integer(const std::string& bytes, std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    }
    static std::size_t components(const json& accessor) {
        return accessor["type"] == "SCALAR" ? 1 : accessor["type"] == "VEC3" ? 3 : 4;
    }
    void check_accessor(const json& accessor) const {
        const json& view = root["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        const std::size_t offset = accessor["byteOffset"], start = view["byteOffset"], width = 4 * components(accessor),
                          count = accessor["count"];
        EXPECT_EQ(offset % 4, 0u);
        EXPECT_EQ(start % 4, 0u);
        EXPECT_LE(offset + count * width, view["byteLength"].get<std::size_t>());
        EXPECT_LE(start + view["byteLength"].get<std::size_t>(), root["buffers"][0]["byteLength"].get<std::size_t>());
        if (view.contains("byteStride")) {
            EXPECT_EQ(view["byteStride"].get<std::size_t>(), width);
        }
    }
};

Scene moving_scene() {
    Scene scene;
    scene.bodies = {
        drawn_body("one", Sphere{0.5}, "#ff0000"), drawn_body("two", Sphere{0.5}, "#ff0000"),
        drawn_body("three", Sphere{0.5}),          drawn_body(testing::hostile_name, Cuboid{{1.0, 2.0, 3.0}}),
        drawn_body("rod", Segment{0.1}),           drawn_body("ground", Plane{{4.0, 4.0}})};
    return scene;
}

Frame moving_frame(double t) {
    Frame frame{.t = t};
    frame.bodies.resize(6);
    frame.bodies[0].position = {0.0, 0.0, t};
    frame.bodies[1].rotation = Eigen::AngleAxisd(t, Eigen::Vector3d::UnitY());
    frame.bodies[4].length = 1.0 + t;
    return frame;
}

TEST(GltfFile, AnimatesWhatMoves) {
    const TemporaryFile file("", ".glb");
    const Scene scene = moving_scene();
    GltfWriter writer(file.path(), scene, "motion of six");
    for (int k = 0; k <= 10; ++k) {
        Frame frame = moving_frame(5.0 + k);
        if (k % 3 == 1) frame.bodies[1].rotation.coeffs() *= -1.0;  // the same rotation
        writer.frame(frame);
    }
    writer.finish();
    const GlbFile glb(file.path());
    EXPECT_EQ(glb.root["asset"]["version"], "2.0");
    EXPECT_EQ(glb.root["scenes"][0]["name"], "motion of six");
    ASSERT_EQ(glb.root["nodes"].size(), 7u);
    EXPECT_EQ(glb.root["nodes"][0]["children"], json({1, 2, 3, 4, 5, 6}));

    ASSERT_EQ(glb.root["animations"].size(), 1u);
    EXPECT_EQ(glb.root["animations"][0]["channels"].size(), 3u);
    const std::size_t input = glb.root["animations"][0]["samplers"][0]["input"];
    const std::vector<float> times = glb.values(input);
    ASSERT_EQ(times.size(), 11u);
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_FLOAT_EQ(times[k], static_cast<float>(k));
    EXPECT_EQ(glb.root["accessors"][input]["min"], json::array({0.0F}));
    EXPECT_EQ(glb.root["accessors"][input]["max"], json::array({10.0F}));

    const std::vector<float> positions = glb.keys("one", "translation"), rotations = glb.keys("two", "rotation"),
                             scales = glb.keys("rod", "scale");
    ASSERT_EQ(positions.size(), 33u);
    ASSERT_EQ(rotations.size(), 44u);
    ASSERT_EQ(scales.size(), 33u);
    for (std::size_t k = 0; k <= 10; ++k) {
        EXPECT_FLOAT_EQ(positions[3 * k + 2], 5.0F + static_cast<float>(k));
        EXPECT_FLOAT_EQ(scales[3 * k], 1.0F);
        EXPECT_FLOAT_EQ(scales[3 * k + 2], 6.0F + static_cast<float>(k));
        const double half = 0.5 * (5.0 + static_cast<double>(k));
        const Eigen::Map<const Eigen::Vector4f> q(&rotations[4 * k]);
        EXPECT_NEAR(q.norm(), 1.0, 1e-6);
        EXPECT_NEAR(std::abs(q.dot(Eigen::Vector4f(0.0F, std::sin(static_cast<float>(half)), 0.0F,
                                                   std::cos(static_cast<float>(half))))),
                    1.0, 1e-5);
        // The shorter way: never more than half a turn between keys.
        const Eigen::Map<const Eigen::Vector4f> before(&rotations[k > 0 ? 4 * k - 4 : 0]);
        EXPECT_GT(q.dot(before), 0.0F);
    }
    EXPECT_EQ(glb.node("rod")["scale"], json({1.0, 1.0, 6.0}));
}

TEST(GltfFile, SharesMeshesAndBoundsThem) {
    const TemporaryFile file("", ".glb");
    const Scene scene = moving_scene();
    GltfWriter writer(file.path(), scene, "");
    writer.frame(moving_frame(0.0));
    writer.finish();
    const GlbFile glb(file.path());
    EXPECT_EQ(glb.node("one")["mesh"], glb.node("two")["mesh"]);
    EXPECT_NE(glb.node("one")["mesh"], glb.node("three")["mesh"]);
    const auto primitive = [&](const std::string& name) {
        return glb.root["meshes"][glb.node(name)["mesh"].get<std::size_t>()]["primitives"][0];
    };
    EXPECT_EQ(primitive("one")["attributes"], primitive("three")["attributes"]);
    EXPECT_NE(primitive("one")["material"], primitive("three")["material"]);
    const json& material = glb.root["materials"][primitive("one")["material"].get<std::size_t>()];
    EXPECT_EQ(material["pbrMetallicRoughness"]["baseColorFactor"], json({1.0, 0.0, 0.0, 1.0}));

    const json& positions = glb.root["accessors"][primitive("ground")["attributes"]["POSITION"].get<std::size_t>()];
    EXPECT_EQ(positions["min"], json({-2.0, -2.0, 0.0}));
    EXPECT_EQ(positions["max"], json({2.0, 2.0, 0.0}));
    const std::size_t normals = primitive("one")["attributes"]["NORMAL"], indices = primitive("one")["indices"];
    EXPECT_EQ(glb.values(normals).size() % 3, 0u);
    EXPECT_EQ(glb.root["accessors"][indices]["componentType"], 5125);
    EXPECT_FALSE(glb.root.contains("animations"));
    EXPECT_EQ(glb.node("a&b<c>\"d\"'\n\xef\xbf\xbd\\")["mesh"].is_number(), true);
}

TEST(GltfFile, TurnsZUpToYUp) {
    const TemporaryFile file("", ".glb");
    const Scene scene = moving_scene();
    GltfWriter writer(file.path(), scene, "");
    writer.frame(moving_frame(0.0));
    writer.finish();
    const std::vector<double> q = GlbFile(file.path()).root["nodes"][0]["rotation"];
    const Eigen::Quaterniond rotation(q[3], q[0], q[1], q[2]);
    EXPECT_TRUE((rotation * Eigen::Vector3d::UnitZ()).isApprox(Eigen::Vector3d::UnitY()));
    EXPECT_TRUE((rotation * Eigen::Vector3d::UnitX()).isApprox(Eigen::Vector3d::UnitX()));
}

TEST(GltfFile, HoldsABodyWhoseStateIsNotFiniteAndDropsEqualTimes) {
    const TemporaryFile file("", ".glb");
    const Scene scene = moving_scene();
    GltfWriter writer(file.path(), scene, "");
    writer.frame(moving_frame(1.0));
    Frame frame = moving_frame(2.0);
    frame.bodies[0].position.z() = std::numeric_limits<double>::quiet_NaN();
    writer.frame(frame);
    writer.frame(moving_frame(2.0 + 1e-12));
    writer.frame(moving_frame(3.0));
    writer.finish();
    const GlbFile glb(file.path());
    const std::vector<float> positions = glb.keys("one", "translation");
    ASSERT_EQ(positions.size(), 9u);
    EXPECT_EQ(positions[5], 1.0F);
    EXPECT_EQ(positions[8], 3.0F);
}

TEST(GltfFile, RefusesWhatItCannotWrite) {
    const TemporaryFile file("earlier", ".glb");
    const Scene scene = moving_scene();
    EXPECT_TRUE(refusal([&] {
                    GltfWriter(file.path(), Scene{}, "");
                }).ends_with("add a table [view.bodies.NAME] to the model file"));
    EXPECT_TRUE(refusal([&] { GltfWriter(file.path(), scene, "").finish(); }).ends_with("there is no frame to write"));
    const testing::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a.glb");
    EXPECT_TRUE(refusal([&] { GltfWriter(folder / "a.glb", scene, ""); }).ends_with("that is a folder; name a file"));
    EXPECT_TRUE(refusal([&] {
                    GltfWriter(file.path().string() + ".gltf", scene, "");
                }).ends_with("the name must end with .glb"));
    const std::filesystem::path full = file.path().string() + ".full.glb";
    std::filesystem::create_symlink("/dev/full", full);
    EXPECT_TRUE(refusal([&] {
                    GltfWriter writer(full, scene, "");
                    writer.frame(moving_frame(0.0));
                    writer.finish();
                }).ends_with("cannot be written; is the disk full?"));
    std::filesystem::remove(full);
    EXPECT_EQ(contents(file.path()), "earlier");
}

}  // namespace
}  // namespace saltus
