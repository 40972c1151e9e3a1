#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "saltus/core/matrix.hpp"
#include "saltus/io/hdf5_turn.hpp"

namespace saltus {

// An HDF5 file held in memory: its bytes come from a file or go to one; HDF5 itself touches no disk. Every failure is a
// ProblemFileError that names the file and the dataset. Names are paths from the root: "fclib_local/vectors/q".
//
// While an object lives, HDF5 prints no errors and other threads wait for their turn (HDF5 is not thread-safe): do not
// make a second object in the same scope.
class Hdf5Image {
public:
    // For reading: `file` is the name that messages give. The bytes must outlive the object.
    Hdf5Image(std::string file, std::string_view bytes);
    // Empty, for writing.
    explicit Hdf5Image(std::string file);
    ~Hdf5Image();
    Hdf5Image(const Hdf5Image&) = delete;
    Hdf5Image& operator=(const Hdf5Image&) = delete;

    bool has(const std::string& name) const;
    // The number of values of a dataset.
    Index size(const std::string& name) const;
    // The only value, or the first of several: FCLIB stores an integer as an array of one.
    Index integer(const std::string& name) const;
    // The first `count` values. More may be stored: FCLIB's arrays have the length of what was allocated.
    IndexList integers(const std::string& name, Index count) const;
    // The same for numbers; each must be finite.
    Eigen::VectorXd numbers(const std::string& name, Index count) const;

    void make_group(const std::string& name);
    void write(const std::string& name, std::span<const int> values);
    void write(const std::string& name, std::span<const double> values);
    // The bytes to write to a file.
    std::string bytes() const;

    // Throws ProblemFileError: "FILE: NAME: text".
    [[noreturn]] void fail(const std::string& name, const std::string& text) const;

private:
    template <class Value>
    void read(const std::string& name, std::int64_t memory_type, std::span<Value> values) const;
    void write_dataset(const std::string& name, std::int64_t memory_type, Index count, const void* values);

    Hdf5Turn turn_;
    std::string file_;
    Index file_size_ = 0;
    std::int64_t id_ = -1;  // hid_t; so that this header does not need hdf5.h
};

}  // namespace saltus
