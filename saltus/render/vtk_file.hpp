#pragma once

#include <filesystem>
#include <string>

#include "saltus/render/shaded_mesh.hpp"

namespace saltus {

// A scene over time for ParaView and VTK: NAME.pvd, a list of files with their times, and in the folder NAME/ for each
// frame
//     bodies_000123.vtp    the surfaces of all bodies, in place. Cell data: body (index), color (red, green, blue)
//     contacts_000123.vtp  a vertex for each contact. Point data: contact (index), gap, force, status (0 open, 1 slips,
//                          2 sticks, 3 closed without friction)
// The field data of both have names, of the bodies or of the contacts, and TimeValue. Bodies and contacts with a
// position that is not finite are left out of that frame. The format is VTK's XML (VTK file formats, kitware.com),
// compressed.
class VtkWriter {
public:
    // A folder NAME/ that holds anything but files of an earlier export is refused. `scene` must outlive the writer.
    VtkWriter(const std::filesystem::path& path, const Scene& scene);
    ~VtkWriter();
    VtkWriter(const VtkWriter&) = delete;
    VtkWriter& operator=(const VtkWriter&) = delete;

    void frame(const Frame& frame);
    // Until then the files appear under other names, and any earlier ones are still there.
    void finish();

private:
    void list(double t, int part, const char* name, const std::string& file);

    const Scene& scene_;
    BodyMeshes meshes_;
    std::vector<std::array<std::uint8_t, 3>> colors_{};
    std::filesystem::path path_, folder_, partial_folder_;
    std::string collection_{};  // entries of the .pvd
    int frames_ = 0;
};

}  // namespace saltus
