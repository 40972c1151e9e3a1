#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace saltus {

// A typed array as a page holds it: little endian, bytes transposed (all first bytes, then all second ones, ..., which
// packs smooth data better), zlib, base64.
template <class Value>
std::string packed_block(std::span<const Value> values);

extern template std::string packed_block(std::span<const double>);
extern template std::string packed_block(std::span<const float>);
extern template std::string packed_block(std::span<const std::int32_t>);
extern template std::string packed_block(std::span<const std::uint16_t>);
extern template std::string packed_block(std::span<const std::uint8_t>);

}  // namespace saltus
