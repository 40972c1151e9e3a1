#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "saltus/io/hdf5_handle.hpp"

namespace saltus {

// UTF-8 texts of a fixed length, padded with zeros; one at least, since HDF5 has no empty ones.
inline Hdf5Type hdf5_text_type(std::size_t length) {
    Hdf5Type type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.id(), std::max<std::size_t>(1, length));
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
    return type;
}

// The same as one array.
inline std::string packed(const std::vector<std::string>& texts, std::size_t length) {
    std::string result;
    for (const std::string& text : texts) result += text + std::string(length - text.size(), '\0');
    return result;
}

inline std::size_t longest(const std::vector<std::string>& texts) {
    std::size_t result = 1;
    for (const std::string& text : texts) result = std::max(result, text.size());
    return result;
}

// A dataset with a list of texts; false if HDF5 cannot write it.
inline bool write_texts(hid_t place, const char* name, const std::vector<std::string>& texts) {
    const hsize_t count = texts.size();
    const Hdf5Type type = hdf5_text_type(longest(texts));
    const Hdf5Space space(H5Screate_simple(1, &count, nullptr));
    const Hdf5Dataset dataset(H5Dcreate2(place, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return dataset.is_open() &&
           H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed(texts, longest(texts)).c_str()) >= 0;
}

// Reads such a dataset; false if it is not there, or is something else.
inline bool read_texts(hid_t place, const char* name, std::vector<std::string>& texts) {
    if (H5Lexists(place, name, H5P_DEFAULT) <= 0) return false;
    const Hdf5Dataset dataset(H5Dopen2(place, name, H5P_DEFAULT));
    const Hdf5Type type(H5Dget_type(dataset.id()));
    const Hdf5Space space(H5Dget_space(dataset.id()));
    if (!dataset.is_open() || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0) return false;
    const std::size_t length = H5Tget_size(type.id());
    const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.id())));
    std::string all(length * count, '\0');
    if (count > 0 && H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0) return false;
    texts.clear();
    for (std::size_t i = 0; i < count; ++i) texts.emplace_back(std::string(all, i * length, length).c_str());
    return true;
}

}  // namespace saltus
