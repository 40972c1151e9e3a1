#include "saltus/render/picture.hpp"

#include <algorithm>
#include <charconv>
#include <numbers>

#include "saltus/core/check.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/render/canvas.hpp"

namespace saltus {

namespace {

// The length of the UTF-8 sequence that begins here (RFC 3629), 0 if there is none.
std::size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80) return 0;
    if (length >= 3) {  // neither longer than needed, nor half of a pair, nor above U+10FFFF
        const auto second = static_cast<unsigned char>(text[1]);
        if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
            (lead == 0xf4 && second > 0x8f))
            return 0;
    }
    return length;
}

// cairo draws nothing after a text that is not UTF-8.
std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const bool is_control = length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f);
        if (length == 0 || is_control)
            result += '?';
        else
            result += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return result;
}

cairo_surface_t* surface_on(std::uint32_t* pixels, PictureSize size) {
    return cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels), CAIRO_FORMAT_RGB24, size.width,
                                               size.height, 4 * size.width);
}

cairo_status_t append_bytes(void* text, const unsigned char* bytes, unsigned count) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

PictureSize parse_size(const std::string& text) {
    PictureSize size;
    const char *begin = text.data(), *end = begin + text.size();
    const auto width = std::from_chars(begin, end, size.width);
    const bool has_height = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
    const bool is_read = has_height && [&] {
        const auto height = std::from_chars(width.ptr + 1, end, size.height);
        return height.ec == std::errc{} && height.ptr == end;
    }();
    require(is_read, "--size is '{}'; it must be like 1200x800", text);
    require(std::min(size.width, size.height) >= 64 && std::max(size.width, size.height) <= 16384,
            "--size is '{}'; width and height must be from 64 to 16384", text);
    return size;
}

void write_png(const std::filesystem::path& path, const Picture& picture) {
    std::vector<std::uint32_t> pixels = picture.pixels;
    cairo_surface_t* surface = surface_on(pixels.data(), picture.size);
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append_bytes, &bytes);
    cairo_surface_destroy(surface);
    require(status == CAIRO_STATUS_SUCCESS, "{}: cairo cannot make the PNG: {}", path.string(),
            cairo_status_to_string(status));
    write_file(path, bytes);
}

Canvas::Canvas(Picture& picture)
    : surface_(surface_on(picture.pixels.data(), picture.size)), context_(cairo_create(surface_)) {
    unit_ = std::max(0.75, std::min(picture.size.width / 1200.0, picture.size.height / 800.0));
    width_ = picture.size.width / unit_;
    height_ = picture.size.height / unit_;
    cairo_scale(context_, unit_, unit_);
}

Canvas::~Canvas() {
    cairo_destroy(context_);
    cairo_surface_flush(surface_);
    cairo_surface_destroy(surface_);
}

void Canvas::set_color(const Rgb& color, double opacity) const {
    cairo_set_source_rgba(context_, color.red, color.green, color.blue, opacity);
}

void Canvas::disk(double x, double y, double radius) const {
    cairo_new_path(context_);
    cairo_arc(context_, x, y, radius, 0.0, 2.0 * std::numbers::pi);
    cairo_fill(context_);
}

void Canvas::set_font(double size, bool is_bold) const {
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, size);
}

double Canvas::text_width(std::string_view text) const {
    cairo_text_extents_t extents;
    cairo_text_extents(context_, printable(text).c_str(), &extents);
    return extents.x_advance;
}

void Canvas::text(double x, double y, std::string_view text, double align) const {
    cairo_move_to(context_, x - align * text_width(text), y);
    cairo_show_text(context_, printable(text).c_str());
}

std::string Canvas::fitted(std::string_view text, double width) const {
    const std::string whole = printable(text);
    const auto beginning = [&](std::size_t size) {  // without a truncated letter
        while (size > 0 && size < whole.size() && (static_cast<unsigned char>(whole[size]) & 0xc0) == 0x80) --size;
        return whole.substr(0, size) + "…";
    };
    // No letter is narrower than a tenth of a unit.
    if (static_cast<double>(whole.size()) < 10.0 * width && text_width(whole) <= width) return whole;
    std::size_t fits = 0, too_long = std::min(whole.size(), static_cast<std::size_t>(10.0 * std::max(1.0, width)));
    while (too_long - fits > 1) {
        const std::size_t middle = fits + (too_long - fits) / 2;
        (text_width(beginning(middle)) <= width ? fits : too_long) = middle;
    }
    return beginning(fits);
}

}  // namespace saltus
