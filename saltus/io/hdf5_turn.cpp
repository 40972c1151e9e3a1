#include "saltus/io/hdf5_turn.hpp"

#include <hdf5.h>

#include <type_traits>

namespace saltus {

static_assert(std::is_same_v<hid_t, std::int64_t>);

namespace {

std::mutex hdf5_mutex;

}  // namespace

Hdf5Turn::Hdf5Turn() : lock_(hdf5_mutex) {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Turn::~Hdf5Turn() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

}  // namespace saltus
