#pragma once

#include <cstdint>
#include <mutex>

namespace saltus {

// HDF5 is not thread-safe, and prints its errors unless told not to. While an object lives, other threads wait for
// their turn and HDF5 is silent. Do not make a second one in the same scope.
class Hdf5Turn {
public:
    Hdf5Turn();
    ~Hdf5Turn();
    Hdf5Turn(const Hdf5Turn&) = delete;
    Hdf5Turn& operator=(const Hdf5Turn&) = delete;

private:
    std::unique_lock<std::mutex> lock_;
    int (*function_)(std::int64_t, void*) = nullptr;  // how HDF5 reported errors before
    void* data_ = nullptr;
};

}  // namespace saltus
