#include "saltus/io/problem/hdf5_image.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "saltus/io/hdf5_handle.hpp"
#include "saltus/io/problem/problem_file.hpp"

namespace saltus {

namespace {

// A file in memory that no file of the disk backs; with `bytes` it starts with them.
hid_t open_in_memory(std::string_view bytes) {
    constexpr std::size_t growth = 1 << 16;
    constexpr const char* name = "/dev/null/saltus";  // HDF5 refuses the name of a file that exists; this cannot
    const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
    if (H5Pset_fapl_core(access.id(), growth, false) < 0) return -1;
    if (bytes.empty()) return H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access.id());
    // HDF5 copies the bytes, its interface only forgets to say const.
    if (H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size()) < 0) return -1;
    return H5Fopen(name, H5F_ACC_RDONLY, access.id());
}

}  // namespace

Hdf5Image::Hdf5Image(std::string file, std::string_view bytes)
    : file_(std::move(file)), file_size_(static_cast<Index>(bytes.size())) {
    if (!bytes.empty()) id_ = open_in_memory(bytes);
    if (id_ < 0)
        throw ProblemFileError(file_, 0, "HDF5 cannot read the file; it is truncated or damaged, fetch it again");
}

Hdf5Image::Hdf5Image(std::string file) : file_(std::move(file)), id_(open_in_memory(std::string_view())) {
    if (id_ < 0) throw ProblemFileError(file_, 0, "HDF5 cannot make a file in memory; is there memory left?");
}

Hdf5Image::~Hdf5Image() { H5Fclose(id_); }

void Hdf5Image::fail(const std::string& name, const std::string& text) const {
    throw ProblemFileError(file_, 0, fmt::format("{}: {}", name, text));
}

bool Hdf5Image::has(const std::string& name) const {
    for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {  // each group on the way must exist
        if (H5Lexists(id_, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
        if (end == std::string::npos) return true;
    }
}

Index Hdf5Image::size(const std::string& name) const {
    if (!has(name)) fail(name, "there is no such dataset; is the file complete and of FCLIB's layout?");
    const Hdf5Dataset dataset(H5Dopen2(id_, name.c_str(), H5P_DEFAULT));
    if (!dataset.is_open()) fail(name, "this is not a dataset, or it is damaged");
    const Hdf5Space space(H5Dget_space(dataset.id()));
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    // A damaged size must not allocate: a byte holds at most 1032 values (of deflate), and what was never written, so
    // is zero, is not longer than the rest of the file.
    constexpr hsize_t densest = 1032;
    const hsize_t stored = H5Dget_storage_size(dataset.id()), bytes = static_cast<hsize_t>(file_size_);
    const hsize_t most = stored == 0 ? bytes : densest * stored;
    if (count < 0 || stored > bytes || static_cast<hsize_t>(count) > most)
        fail(name, fmt::format("expected the values that the dataset announces ({}), found {} bytes in a file of {}",
                               count, stored, file_size_));
    return static_cast<Index>(count);
}

template <class Value>
void Hdf5Image::read(const std::string& name, std::int64_t memory_type, std::span<Value> values) const {
    constexpr std::size_t widest = 16;  // bytes of a number; HDF5 works for minutes on the widths of damaged files
    const Hdf5Dataset dataset(H5Dopen2(id_, name.c_str(), H5P_DEFAULT));
    const Hdf5Type type(H5Dget_type(dataset.id()));
    const H5T_class_t found = H5Tget_class(type.id());
    const bool is_suitable = found == H5T_INTEGER || (found == H5T_FLOAT && std::is_floating_point_v<Value>);
    if (!is_suitable || H5Tget_size(type.id()) > widest)
        fail(name, fmt::format("expected {}, found values of another type",
                               std::is_floating_point_v<Value> ? "numbers" : "integers"));
    if (H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        fail(name, "HDF5 cannot read the values; the file is truncated or damaged, fetch it again");
}

IndexList Hdf5Image::integers(const std::string& name, Index count) const {
    const Index stored = size(name);
    if (stored < count) fail(name, fmt::format("expected {} integers, found {}", count, stored));
    IndexList values(static_cast<std::size_t>(stored));
    static_assert(sizeof(Index) == sizeof(std::int64_t));
    if (stored > 0) read(name, H5T_NATIVE_INT64, std::span(values));
    values.resize(static_cast<std::size_t>(count));
    return values;
}

Index Hdf5Image::integer(const std::string& name) const { return integers(name, 1).front(); }

Eigen::VectorXd Hdf5Image::numbers(const std::string& name, Index count) const {
    const Index stored = size(name);
    if (stored < count) fail(name, fmt::format("expected {} numbers, found {}", count, stored));
    Eigen::VectorXd values(stored);
    if (stored > 0) read(name, H5T_NATIVE_DOUBLE, std::span(values.data(), static_cast<std::size_t>(stored)));
    values.conservativeResize(count);
    for (Index i = 0; i < count; ++i)
        if (!std::isfinite(values[i])) fail(name, fmt::format("expected finite numbers, found {} at {}", values[i], i));
    return values;
}

void Hdf5Image::make_group(const std::string& name) {
    const Hdf5Group group(H5Gcreate2(id_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (!group.is_open()) fail(name, "HDF5 cannot make the group");
}

void Hdf5Image::write(const std::string& name, std::span<const int> values) {
    write_dataset(name, H5T_NATIVE_INT, std::ssize(values), values.data());
}

void Hdf5Image::write(const std::string& name, std::span<const double> values) {
    write_dataset(name, H5T_NATIVE_DOUBLE, std::ssize(values), values.data());
}

void Hdf5Image::write_dataset(const std::string& name, std::int64_t memory_type, Index count, const void* values) {
    const auto length = static_cast<hsize_t>(count);
    const Hdf5Space space(H5Screate_simple(1, &length, nullptr));
    const Hdf5Dataset dataset(
        H5Dcreate2(id_, name.c_str(), memory_type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const bool is_written = dataset.is_open() && (count == 0 || H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL,
                                                                         H5P_DEFAULT, values) >= 0);
    if (!is_written) fail(name, "HDF5 cannot make the dataset; is there memory left?");
}

std::string Hdf5Image::bytes() const {
    const ssize_t length = H5Fflush(id_, H5F_SCOPE_LOCAL) < 0 ? -1 : H5Fget_file_image(id_, nullptr, 0);
    std::string result(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
    if (length < 0 || H5Fget_file_image(id_, result.data(), result.size()) < 0)
        throw ProblemFileError(file_, 0, "HDF5 cannot give the bytes of the file; is there memory left?");
    return result;
}

}  // namespace saltus
