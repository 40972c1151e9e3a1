#pragma once

#include <span>

#include "saltus/io/result/result_view.hpp"
#include "saltus/render/picture.hpp"

namespace saltus {

// Curves over time in one picture.
struct PlotPanel {
    std::string title{};
    std::vector<std::string> names{};  // of the curves
    Window curves{};                   // NaN is a gap
};

// Panels one below the other, over the same time.
struct PlotPage {
    std::string title{}, subtitle{};
    double t_first = 0.0, t_last = 1.0;
    std::vector<PlotPanel> panels{};
    std::vector<double> impacts{};  // times, each marked by a triangle at the axis
};

// 1200x800, or taller if there are many panels.
PictureSize comfortable_size(std::size_t panels);

// Throws InvalidInput if the picture is too small for that many panels.
Picture draw_plot(const PlotPage& page, PictureSize size);

// Numbers 1, 2 or 5 times a power of ten apart in [low, high], about `most` of them, and at least two, which make a
// scale.
std::vector<double> nice_ticks(double low, double high, int most);
// With enough digits to tell ticks apart that differ by `step`.
std::string tick_text(double value, double step);

}  // namespace saltus
