#pragma once

#include <cairo.h>

#include <string>
#include <string_view>

#include "saltus/render/picture.hpp"
#include "saltus/render/shaded_mesh.hpp"

namespace saltus {

// Lines and letters on a picture, by cairo. Lengths are in units of 1/1200 of the width or 1/800 of the height of the
// picture, whichever is less, so that pictures of any size look the same; in small ones in pixels, to stay legible.
class Canvas {
public:
    // The picture must outlive the canvas, and nobody else may write to it meanwhile.
    explicit Canvas(Picture& picture);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    double width() const { return width_; }
    double height() const { return height_; }
    double unit() const { return unit_; }  // in pixels
    cairo_t* context() const { return context_; }

    void set_color(const Rgb& color, double opacity = 1.0) const;
    void disk(double x, double y, double radius) const;
    void set_font(double size, bool is_bold = false) const;
    // Bytes that are not UTF-8 and characters without a shape are shown as '?'.
    double text_width(std::string_view text) const;
    // (x, y) is on the baseline: at the beginning of the text for `align` = 0, its middle for 0.5, its end for 1.
    void text(double x, double y, std::string_view text, double align = 0.0) const;
    // The text, or as much of its beginning as fits, and three dots.
    std::string fitted(std::string_view text, double width) const;

private:
    cairo_surface_t* surface_;
    cairo_t* context_;
    double width_, height_, unit_;
};

}  // namespace saltus
