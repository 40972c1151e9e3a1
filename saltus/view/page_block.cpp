#include "saltus/view/page_block.hpp"

#include <zlib.h>

#include <bit>

#include "saltus/core/check.hpp"

namespace saltus {

static_assert(std::endian::native == std::endian::little, "blocks are written as they are in memory");

namespace {

std::vector<unsigned char> transposed(const void* data, std::size_t count, std::size_t width) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::vector<unsigned char> result(count * width);
    for (std::size_t b = 0; b < width; ++b)
        for (std::size_t k = 0; k < count; ++k) result[b * count + k] = bytes[k * width + b];
    return result;
}

std::vector<unsigned char> deflated(const std::vector<unsigned char>& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::vector<unsigned char> result(size);
    const int status = compress2(result.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), 9);
    require(status == Z_OK, "a block of {} bytes cannot be compressed", bytes.size());
    result.resize(size);
    return result;
}

std::string base64(const std::vector<unsigned char>& bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        const auto byte = [&](std::size_t i) { return k + i < bytes.size() ? std::uint32_t(bytes[k + i]) : 0u; };
        const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
        result += digits[three >> 18];
        result += digits[three >> 12 & 63];
        result += k + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
        result += k + 2 < bytes.size() ? digits[three & 63] : '=';
    }
    return result;
}

}  // namespace

template <class Value>
std::string packed_block(std::span<const Value> values) {
    return base64(deflated(transposed(values.data(), values.size(), sizeof(Value))));
}

template std::string packed_block(std::span<const double>);
template std::string packed_block(std::span<const float>);
template std::string packed_block(std::span<const std::int32_t>);
template std::string packed_block(std::span<const std::uint16_t>);
template std::string packed_block(std::span<const std::uint8_t>);

}  // namespace saltus
