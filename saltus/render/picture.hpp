#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace saltus {

struct PictureSize {
    int width = 1200, height = 800;
};
// Reads "1200x800"; throws InvalidInput for anything else, and for sizes below 64 or above 16384.
PictureSize parse_size(const std::string& text);

// Pixels row by row from the top, each 0x00rrggbb.
struct Picture {
    PictureSize size{};
    std::vector<std::uint32_t> pixels{};

    explicit Picture(PictureSize picture_size, std::uint32_t color = 0xffffff)
        : size(picture_size),
          pixels(static_cast<std::size_t>(picture_size.width) * static_cast<std::size_t>(picture_size.height), color) {}
    std::uint32_t& at(int x, int y) {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) + static_cast<std::size_t>(x)];
    }
    std::uint32_t at(int x, int y) const { return const_cast<Picture*>(this)->at(x, y); }
};

void write_png(const std::filesystem::path& path, const Picture& picture);

}  // namespace saltus
