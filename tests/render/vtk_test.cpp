#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "render/export_support.hpp"
#include "saltus/render/vtk_file.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::drawn_body;
using testing::drawn_contact;
using testing::refusal;
using testing::TemporaryFolder;

// The value of an attribute of an XML tag.
std::string xml_attribute(const std::string& tag, const std::string& name) {
    const std::size_t begin = tag.find(" " + name + "=\"");
    if (begin == std::string::npos) return "";
    const std::size_t value = begin + name.size() + 3;
    return tag.substr(value, tag.find('"', value) - value);
}

// The tags of this name, in order.
std::vector<std::string> xml_tags(const std::string& xml, const std::string& name) {
    std::vector<std::string> tags;
    for (std::size_t at = xml.find("<" + name + " "); at != std::string::npos; at = xml.find("<" + name + " ", at + 1))
        tags.push_back(xml.substr(at, xml.find('>', at) - at));
    return tags;
}

// A .vtp, read as its specification says.
struct VtpFile {
    std::string xml{}, appended{};

    explicit VtpFile(const std::filesystem::path& path) {
        const std::string text = contents(path), start = "<AppendedData encoding=\"raw\">\n_";
        const std::size_t at = text.find(start);
        EXPECT_NE(at, std::string::npos) << path;
        xml = text.substr(0, at);
        appended = text.substr(at + start.size());
        EXPECT_TRUE(text.ends_with("\n</AppendedData>\n</VTKFile>\n"));
        EXPECT_EQ(xml_attribute(xml_tags(xml, "VTKFile")[0], "compressor"), "vtkZLibDataCompressor");
        EXPECT_EQ(xml_attribute(xml_tags(xml, "VTKFile")[0], "header_type"), "UInt64");
    }
    std::string bytes(const std::string& name) const {
        for (const char* kind : {"DataArray", "Array"})
            for (const std::string& tag : xml_tags(xml, kind))
                if (xml_attribute(tag, "Name") == name) return unpacked(std::stoul(xml_attribute(tag, "offset")));
        ADD_FAILURE() << "no array " << name;
        return "";
    }
    template <class T>
    std::vector<T> array(const std::string& name) const {
        const std::string raw = bytes(name);
        std::vector<T> values(raw.size() / sizeof(T));
        std::memcpy(values.data(), raw.data(), raw.size());
        return values;
    }
    int count(const char* what) const { return std::stoi(xml_attribute(xml_tags(xml, "Piece")[0], what)); }

private:
    std::string unpacked(std::size_t offset) const {
        std::array<std::uint64_t, 4> header{};
        std::memcpy(header.data(), appended.data() + offset, 3 * sizeof(std::uint64_t));
        if (header[0] == 0) return "";
        EXPECT_EQ(header[0], 1u);
        EXPECT_EQ(header[2], 0u);
        std::memcpy(header.data(), appended.data() + offset, sizeof header);
        std::string result(header[1], '\0');
        uLongf size = result.size();
        EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(result.data()), &size,
                             reinterpret_cast<const Bytef*>(appended.data() + offset + sizeof header), header[3]),
                  Z_OK);
        EXPECT_EQ(size, header[1]);
        return result;
    }
};

Scene boxes_and_contacts() {
    Scene scene;
    scene.bodies = {drawn_body("base", Cuboid{{2.0, 2.0, 1.0}}, "#102030"),
                    drawn_body(testing::hostile_name, Segment{0.1}, "#ff0000")};
    scene.contacts = {drawn_contact("left"), drawn_contact("right")};
    return scene;
}

Frame boxes_at(double t) {
    Frame frame{.t = t};
    frame.bodies = {{{5.0, 0.0, t}}, {{0.0, 0.0, 2.0}, Eigen::Quaterniond::Identity(), 3.0}};
    frame.contacts = {{{1.0, 2.0, 3.0}, {0.1, 0.2, t}, ContactState::sticks, 0.0},
                      {{4.0, 5.0, 6.0}, {0.0, 0.0, 0.0}, ContactState::open, 1e-3}};
    return frame;
}

TEST(VtkFile, HasTheSurfacesOfAllBodiesInPlace) {
    const TemporaryFolder folder;
    const Scene scene = boxes_and_contacts();
    VtkWriter writer(folder / "run.pvd", scene);
    writer.frame(boxes_at(0.25));
    writer.finish();
    const VtpFile file(folder / "run/bodies_000000.vtp");
    const auto points = file.array<float>("Points");
    const auto connectivity = file.array<std::int32_t>("connectivity"), offsets = file.array<std::int32_t>("offsets"),
               bodies = file.array<std::int32_t>("body");
    const auto colors = file.array<std::uint8_t>("color");
    ASSERT_EQ(points.size(), 3u * static_cast<std::size_t>(file.count("NumberOfPoints")));
    ASSERT_EQ(offsets.size(), static_cast<std::size_t>(file.count("NumberOfPolys")));
    ASSERT_EQ(bodies.size(), offsets.size());
    ASSERT_EQ(connectivity.size(), 3 * offsets.size());
    ASSERT_EQ(colors.size(), 3 * offsets.size());
    std::array<Eigen::AlignedBox3f, 2> boxes;
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        EXPECT_EQ(offsets[k], static_cast<int>(3 * k + 3));
        for (std::size_t i = 3 * k; i < 3 * k + 3; ++i) {
            const auto first = 3 * static_cast<std::size_t>(connectivity[i]);
            ASSERT_LT(first + 2, points.size());
            boxes[static_cast<std::size_t>(bodies[k])].extend(
                Eigen::Vector3f(points[first], points[first + 1], points[first + 2]));
        }
        EXPECT_EQ(colors[3 * k], bodies[k] == 0 ? 0x10 : 0xff);
    }
    EXPECT_TRUE(boxes[0].min().isApprox(Eigen::Vector3f(4.0F, -1.0F, -0.25F)));
    EXPECT_TRUE(boxes[0].max().isApprox(Eigen::Vector3f(6.0F, 1.0F, 0.75F)));
    EXPECT_FLOAT_EQ(boxes[1].min().z(), 0.5F);  // a rod of length 3 about z = 2
    EXPECT_FLOAT_EQ(boxes[1].max().z(), 3.5F);
    EXPECT_EQ(file.bytes("names"), std::string("base\0", 5) + testing::hostile_name + '\0');
    EXPECT_EQ(file.array<double>("TimeValue"), std::vector<double>{0.25});
}

TEST(VtkFile, HasAVertexForEachContact) {
    const TemporaryFolder folder;
    const Scene scene = boxes_and_contacts();
    VtkWriter writer(folder / "run.pvd", scene);
    writer.frame(boxes_at(0.25));
    writer.finish();
    const VtpFile file(folder / "run/contacts_000000.vtp");
    EXPECT_EQ(file.count("NumberOfPoints"), 2);
    EXPECT_EQ(file.count("NumberOfVerts"), 2);
    EXPECT_EQ(file.array<double>("Points"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(file.array<double>("force"), (std::vector<double>{0.1, 0.2, 0.25, 0, 0, 0}));
    EXPECT_EQ(file.array<double>("gap"), (std::vector<double>{0.0, 1e-3}));
    EXPECT_EQ(file.array<std::int32_t>("status"), (std::vector<std::int32_t>{2, 0}));
    EXPECT_EQ(file.array<std::int32_t>("contact"), (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(file.array<std::int32_t>("connectivity"), (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(file.array<std::int32_t>("offsets"), (std::vector<std::int32_t>{1, 2}));
}

TEST(VtkFile, LeavesOutWhatIsNotFinite) {
    const TemporaryFolder folder;
    const Scene scene = boxes_and_contacts();
    VtkWriter writer(folder / "run.pvd", scene);
    Frame frame = boxes_at(0.0);
    frame.bodies[0].position.x() = std::numeric_limits<double>::quiet_NaN();
    frame.contacts[1].point.y() = std::numeric_limits<double>::infinity();
    writer.frame(frame);
    for (Pose& pose : frame.bodies) pose.length = std::numeric_limits<double>::quiet_NaN();
    writer.frame(frame);
    writer.finish();
    for (const std::int32_t body : VtpFile(folder / "run/bodies_000000.vtp").array<std::int32_t>("body"))
        EXPECT_EQ(body, 1);
    EXPECT_EQ(VtpFile(folder / "run/contacts_000000.vtp").count("NumberOfPoints"), 1);
    const VtpFile empty(folder / "run/bodies_000001.vtp");
    EXPECT_EQ(empty.count("NumberOfPoints"), 0);
    EXPECT_TRUE(empty.array<float>("Points").empty());
}

TEST(VtkFile, ListsTheTimesOfItsFiles) {
    const TemporaryFolder folder;
    const Scene scene = boxes_and_contacts();
    VtkWriter writer(folder / "a & b.pvd", scene);
    for (const double t : {0.0, 0.1, 0.3}) writer.frame(boxes_at(t));
    EXPECT_FALSE(std::filesystem::exists(folder / "a & b.pvd"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a & b"));
    writer.finish();
    const std::vector<std::string> entries = xml_tags(contents(folder / "a & b.pvd"), "DataSet");
    ASSERT_EQ(entries.size(), 6u);
    EXPECT_EQ(xml_attribute(entries[2], "timestep"), "0.1");
    EXPECT_EQ(xml_attribute(entries[2], "part"), "0");
    EXPECT_EQ(xml_attribute(entries[3], "part"), "1");
    EXPECT_EQ(xml_attribute(entries[5], "file"), "a &amp; b/contacts_000002.vtp");
    EXPECT_TRUE(std::filesystem::exists(folder / "a & b/contacts_000002.vtp"));
}

TEST(VtkFile, ReplacesAnEarlierExportAndNothingElse) {
    const TemporaryFolder folder;
    const Scene scene = boxes_and_contacts();
    {
        VtkWriter writer(folder / "run.pvd", scene);
        for (const double t : {0.0, 0.1, 0.3}) writer.frame(boxes_at(t));
        writer.finish();
    }
    {
        VtkWriter writer(folder / "run.pvd", scene);
        writer.frame(boxes_at(0.0));
        writer.finish();
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "run/bodies_000002.vtp"));
    {
        VtkWriter given_up(folder / "run.pvd", scene);
        given_up.frame(boxes_at(0.0));
        given_up.frame(boxes_at(0.1));
    }
    EXPECT_EQ(folder.entries(), 2u);
    EXPECT_FALSE(std::filesystem::exists(folder / "run/bodies_000001.vtp"));
    std::ofstream(folder / "run/thesis.tex") << "years of work";
    const std::string message = refusal([&] { VtkWriter(folder / "run.pvd", scene); });
    EXPECT_TRUE(message.ends_with(
        "run: the folder holds thesis.tex, which is not a file of an earlier export; choose another name with -o"))
        << message;
    EXPECT_EQ(contents(folder / "run/thesis.tex"), "years of work");
    EXPECT_TRUE(refusal([&] { VtkWriter(folder / "run.vtk", scene); }).ends_with("the name must end with .pvd"));
    EXPECT_NE(refusal([&] { VtkWriter(folder / "missing/run.pvd", scene); }).find("does the folder exist"),
              std::string::npos);
}

}  // namespace
}  // namespace saltus
