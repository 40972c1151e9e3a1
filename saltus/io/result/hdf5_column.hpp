#pragma once

#include <string>
#include <vector>

#include "saltus/io/hdf5_handle.hpp"

namespace saltus {

template <class Value>
hid_t hdf5_type() {
    if constexpr (std::is_same_v<Value, double>) return H5T_NATIVE_DOUBLE;
    if constexpr (std::is_same_v<Value, int>) return H5T_NATIVE_INT;
    if constexpr (std::is_same_v<Value, long>) return H5T_NATIVE_LONG;
}

// A dataset of rows that grows at its end, with a buffer of one chunk of `chunk_rows` rows. A `width` of 0 makes it
// one-dimensional.
template <class Value>
class Hdf5Column {
public:
    Hdf5Column(hid_t place, const std::string& name, std::size_t chunk_rows, std::size_t width = 0)
        : width_(width), rows_of_buffer_(chunk_rows) {
        const hsize_t size[2] = {0, width}, most[2] = {H5S_UNLIMITED, width};
        const hsize_t chunk[2] = {chunk_rows, width};
        const int rank = width == 0 ? 1 : 2;
        const Hdf5Space space(H5Screate_simple(rank, size, most));
        const Hdf5Properties layout(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_chunk(layout.id(), rank, chunk);
        H5Pset_fill_time(layout.id(), H5D_FILL_TIME_NEVER);    // all rows are written
        H5Pset_alloc_time(layout.id(), H5D_ALLOC_TIME_EARLY);  // the size of the file is known before it is written
        dataset_ = Hdf5Dataset(
            H5Dcreate2(place, name.c_str(), hdf5_type<Value>(), space.id(), H5P_DEFAULT, layout.id(), H5P_DEFAULT));
        buffer_.reserve(rows_of_buffer_ * std::max<std::size_t>(1, width));
    }

    // The next `count` values of a row; end_row() follows the last of them.
    void add(const Value* values, std::size_t count) { buffer_.insert(buffer_.end(), values, values + count); }
    // True if the buffer is full: write() it.
    bool end_row() { return ++rows_in_buffer_ == rows_of_buffer_; }
    bool add(Value value) {
        buffer_.push_back(value);
        return end_row();
    }

    // Writes the buffer; false if HDF5 cannot.
    bool write() {
        if (rows_in_buffer_ == 0) return true;
        const hsize_t start[2] = {rows_, 0}, count[2] = {rows_in_buffer_, width_}, size[2] = {rows_ + count[0], width_};
        const int rank = width_ == 0 ? 1 : 2;
        if (H5Dset_extent(dataset_.id(), size) < 0) return false;
        const Hdf5Space memory(H5Screate_simple(rank, count, nullptr)), file(H5Dget_space(dataset_.id()));
        H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start, nullptr, count, nullptr);
        const bool is_written =
            H5Dwrite(dataset_.id(), hdf5_type<Value>(), memory.id(), file.id(), H5P_DEFAULT, buffer_.data()) >= 0;
        rows_ += rows_in_buffer_;
        rows_in_buffer_ = 0;
        buffer_.clear();
        return is_written;
    }
    bool is_open() const { return dataset_.is_open(); }

private:
    std::size_t width_;
    Hdf5Dataset dataset_;
    hsize_t rows_ = 0, rows_in_buffer_ = 0, rows_of_buffer_;
    std::vector<Value> buffer_;
};

}  // namespace saltus
