#pragma once

#include <hdf5.h>

#include <utility>

namespace saltus {

// Closes what HDF5 opened. A negative id, HDF5's sign of failure, has nothing to close.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
public:
    explicit Hdf5Handle(hid_t id = -1) : id_(id) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Hdf5Handle() {
        if (id_ >= 0) Close(id_);
    }
    bool is_open() const { return id_ >= 0; }
    hid_t id() const { return id_; }

private:
    hid_t id_;
};

using Hdf5File = Hdf5Handle<H5Fclose>;
using Hdf5Dataset = Hdf5Handle<H5Dclose>;
using Hdf5Attribute = Hdf5Handle<H5Aclose>;
using Hdf5Space = Hdf5Handle<H5Sclose>;
using Hdf5Type = Hdf5Handle<H5Tclose>;
using Hdf5Group = Hdf5Handle<H5Gclose>;
using Hdf5Properties = Hdf5Handle<H5Pclose>;

}  // namespace saltus
