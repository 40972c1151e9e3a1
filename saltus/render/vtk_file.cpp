#include "saltus/render/vtk_file.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "saltus/core/check.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

std::string xml_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\n':
                result += "&#10;";
                break;
            case '\r':
                result += "&#13;";
                break;
            case '\t':
                result += "&#9;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

template <class T>
constexpr const char* vtk_type() {
    if constexpr (std::is_same_v<T, float>) return "Float32";
    if constexpr (std::is_same_v<T, double>) return "Float64";
    if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
    if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
}

// The XML of a file and, behind it, the data that its arrays point to by their offsets. The data of an array are
//     number of blocks, bytes of a block, bytes of the last if it is shorter (else 0), compressed bytes of each block
// as 64-bit integers, then the blocks, each compressed by zlib. One block holds all of an array.
struct PolyData {
    std::string xml{}, appended{};

    template <class T>
    void array(const char* name, int components, const std::vector<T>& values) {
        xml += fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
                           "\n",
                           vtk_type<T>(), name, components, appended.size());
        append(values.data(), values.size() * sizeof(T));
    }
    // Arrays of the field data, where the number of values is not that of points or cells.
    void field(const char* name, const std::vector<double>& values) {
        xml += fmt::format(R"(<DataArray type="Float64" Name="{}" NumberOfTuples="{}" format="appended" offset="{}"/>)"
                           "\n",
                           name, values.size(), appended.size());
        append(values.data(), values.size() * sizeof(double));
    }
    // Each ends with a zero.
    void texts(const char* name, const std::vector<std::string>& values) {
        xml += fmt::format(R"(<Array type="String" Name="{}" NumberOfTuples="{}" format="appended" offset="{}"/>)"
                           "\n",
                           name, values.size(), appended.size());
        std::string bytes;
        for (const std::string& value : values) bytes.append(value.c_str(), std::strlen(value.c_str()) + 1);
        append(bytes.data(), bytes.size());
    }
    void append(const void* data, std::size_t size) {
        std::string packed(compressBound(size), '\0');
        uLongf packed_size = packed.size();
        require(compress2(reinterpret_cast<Bytef*>(packed.data()), &packed_size, static_cast<const Bytef*>(data), size,
                          Z_BEST_SPEED) == Z_OK,
                "vtk: zlib cannot compress {} bytes", size);
        const std::array<std::uint64_t, 4> header{size > 0 ? 1u : 0u, size, 0, packed_size};
        appended.append(reinterpret_cast<const char*>(header.data()), (size > 0 ? 4 : 3) * sizeof(std::uint64_t));
        if (size > 0) appended.append(packed, 0, packed_size);
    }
    void write(const std::filesystem::path& path) const {
        OutputFile file(path);
        file.write(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n");
        file.write(xml);
        file.write("</PolyData>\n<AppendedData encoding=\"raw\">\n_");
        file.write(appended);
        file.write("\n</AppendedData>\n</VTKFile>\n");
        file.finish();
    }
};

void begin_file(PolyData& data, double t, const std::vector<std::string>& names) {
    data.xml += "<FieldData>\n";
    data.field("TimeValue", {t});
    data.texts("names", names);
    data.xml += "</FieldData>\n";
}

// The surfaces of all bodies of a frame, in place.
struct PlacedSurfaces {
    std::vector<float> points{};
    std::vector<std::int32_t> connectivity{}, offsets{}, bodies{};
    std::vector<std::uint8_t> colors{};

    void add(std::int32_t body, const ShadedMesh& mesh, const Pose& pose, const std::array<std::uint8_t, 3>& color) {
        const auto first = static_cast<std::uint32_t>(points.size() / 3);
        for (const Eigen::Vector3f& vertex : mesh.vertices) {
            const Eigen::Vector3d own(vertex.x(), vertex.y(), pose.length * vertex.z());
            const Eigen::Vector3f point = (pose.position + pose.rotation * own).cast<float>();
            points.insert(points.end(), point.begin(), point.end());
        }
        for (const auto& triangle : mesh.triangles) {
            for (const std::uint32_t k : triangle) connectivity.push_back(static_cast<std::int32_t>(first + k));
            offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
            bodies.push_back(body);
            colors.insert(colors.end(), color.begin(), color.end());
        }
    }
};

PolyData body_data(const Scene& scene, const BodyMeshes& meshes, const std::vector<std::array<std::uint8_t, 3>>& colors,
                   const Frame& frame) {
    PlacedSurfaces surfaces;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        names.push_back(scene.bodies[k].name);
        if (is_finite(frame.bodies[k]))
            surfaces.add(static_cast<std::int32_t>(k), meshes[k], frame.bodies[k], colors[k]);
    }
    PolyData data;
    begin_file(data, frame.t, names);
    data.xml += fmt::format(R"(<Piece NumberOfPoints="{}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" )"
                            R"(NumberOfPolys="{}">)"
                            "\n<CellData Scalars=\"body\">\n",
                            surfaces.points.size() / 3, surfaces.offsets.size());
    data.array("body", 1, surfaces.bodies);
    data.array("color", 3, surfaces.colors);
    data.xml += "</CellData>\n<Points>\n";
    data.array("Points", 3, surfaces.points);
    data.xml += "</Points>\n<Polys>\n";
    data.array("connectivity", 1, surfaces.connectivity);
    data.array("offsets", 1, surfaces.offsets);
    data.xml += "</Polys>\n</Piece>\n";
    return data;
}

PolyData contact_data(const Scene& scene, const Frame& frame) {
    std::vector<double> points, gaps, forces;
    std::vector<std::int32_t> contacts, statuses, connectivity, offsets;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < scene.contacts.size(); ++k) {
        names.push_back(scene.contacts[k].name);
        const ContactForce& contact = frame.contacts[k];
        if (!contact.point.allFinite()) continue;
        connectivity.push_back(static_cast<std::int32_t>(contacts.size()));
        offsets.push_back(static_cast<std::int32_t>(contacts.size()) + 1);
        contacts.push_back(static_cast<std::int32_t>(k));
        statuses.push_back(static_cast<std::int32_t>(contact.state));
        points.insert(points.end(), contact.point.begin(), contact.point.end());
        forces.insert(forces.end(), contact.force.begin(), contact.force.end());
        gaps.push_back(contact.gap);
    }
    PolyData data;
    begin_file(data, frame.t, names);
    data.xml += fmt::format(R"(<Piece NumberOfPoints="{0}" NumberOfVerts="{0}" NumberOfLines="0" NumberOfStrips="0" )"
                            R"(NumberOfPolys="0">)"
                            "\n<PointData Scalars=\"status\" Vectors=\"force\">\n",
                            gaps.size());
    data.array("contact", 1, contacts);
    data.array("status", 1, statuses);
    data.array("gap", 1, gaps);
    data.array("force", 3, forces);
    data.xml += "</PointData>\n<Points>\n";
    data.array("Points", 3, points);
    data.xml += "</Points>\n<Verts>\n";
    data.array("connectivity", 1, connectivity);
    data.array("offsets", 1, offsets);
    data.xml += "</Verts>\n</Piece>\n";
    return data;
}

// bodies_000123.vtp or contacts_000123.vtp.
bool is_frame_file(const std::filesystem::path& path) {
    const std::string name = path.stem().string();
    const std::size_t digits = name.starts_with("bodies_") ? 7 : name.starts_with("contacts_") ? 9 : name.size();
    return path.extension() == ".vtp" && name.size() >= digits + 6 &&
           name.find_first_not_of("0123456789", digits) == std::string::npos;
}

// Nothing that we did not write is ever removed.
void require_own_folder(const std::filesystem::path& folder) {
    if (!std::filesystem::exists(folder)) return;
    require(std::filesystem::is_directory(folder),
            "{}: exists and is not a folder; its name is needed for the files of the frames: choose another with -o",
            folder.string());
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        require(entry.is_regular_file() && is_frame_file(entry.path()),
                "{}: the folder holds {}, which is not a file of an earlier export; choose another name with -o",
                folder.string(), entry.path().filename().string());
}

}  // namespace

VtkWriter::VtkWriter(const std::filesystem::path& path, const Scene& scene)
    : scene_(scene), meshes_(body_meshes(scene)), path_(path), folder_(path), partial_folder_(path) {
    require(path.extension() == ".pvd", "{}: the name must end with .pvd", path.string());
    require(!std::filesystem::is_directory(path), "{}: that is a folder; name a file", path.string());
    folder_.replace_extension();
    require_own_folder(folder_);
    partial_folder_.replace_extension(fmt::format(".part-{}", getpid()));
    std::error_code error;
    std::filesystem::create_directory(partial_folder_, error);
    require(!error, "{}: cannot be written: {}; does the folder exist, and may you write in it?", path.string(),
            error.message());
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const Rgb color = body_color(scene, k);
        colors_.push_back({static_cast<std::uint8_t>(std::lround(255.0 * color.red)),
                           static_cast<std::uint8_t>(std::lround(255.0 * color.green)),
                           static_cast<std::uint8_t>(std::lround(255.0 * color.blue))});
    }
}

VtkWriter::~VtkWriter() {
    std::error_code ignored;
    std::filesystem::remove_all(partial_folder_, ignored);
}

void VtkWriter::frame(const Frame& frame) {
    int part = 0;
    if (!scene_.bodies.empty()) {
        const std::string file = fmt::format("bodies_{:06}.vtp", frames_);
        body_data(scene_, meshes_, colors_, frame).write(partial_folder_ / file);
        list(frame.t, part++, "bodies", file);
    }
    if (!scene_.contacts.empty()) {
        const std::string file = fmt::format("contacts_{:06}.vtp", frames_);
        contact_data(scene_, frame).write(partial_folder_ / file);
        list(frame.t, part++, "contacts", file);
    }
    ++frames_;
}

void VtkWriter::list(double t, int part, const char* name, const std::string& file) {
    collection_ += fmt::format(R"(<DataSet timestep="{}" group="" part="{}" name="{}" file="{}/{}"/>)"
                               "\n",
                               t, part, name, xml_escaped(folder_.filename().string()), file);
}

void VtkWriter::finish() {
    OutputFile list_file(path_);
    list_file.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n");
    list_file.write(collection_);
    list_file.write("</Collection>\n</VTKFile>\n");
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
    if (!error) std::filesystem::rename(partial_folder_, folder_, error);
    require(!error, "{}: cannot be written: {}", folder_.string(), error.message());
    list_file.finish();
}

}  // namespace saltus
