#include "saltus/render/plot_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/check.hpp"
#include "saltus/render/canvas.hpp"

namespace saltus {

namespace {

const Rgb plot_ink{0.15, 0.17, 0.20}, faint_ink{0.42, 0.45, 0.50}, grid_ink{0.90, 0.91, 0.93};

// After Okabe and Ito, darkened until they have a contrast of 3 with white.
constexpr std::array<const char*, 8> curve_palette{"#0072b2", "#d55e00", "#008f68", "#b8558f",
                                                   "#a87400", "#2b8cc4", "#39424c", "#7d7700"};

// Colours first, then dashes tell curves apart.
void set_curve_style(const Canvas& canvas, std::size_t k) {
    canvas.set_color(parse_color(curve_palette[k % curve_palette.size()]));
    const double dash = 5.0;
    cairo_set_dash(canvas.context(), &dash, k < curve_palette.size() ? 0 : 1, 0.0);
}

struct Range {
    double low, high;

    double size() const { return high - low; }
    double place(double value) const { return (value - low) / (high - low); }
};

// The range of all finite values, and some room. What is constant is in the middle.
Range value_range(const Window& curves) {
    constexpr double most = 1e150;  // so that no difference overflows
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const std::vector<double>& values : curves.values)
        for (const double value : values)
            if (std::isfinite(value)) {
                range.low = std::min(range.low, std::clamp(value, -most, most));
                range.high = std::max(range.high, std::clamp(value, -most, most));
            }
    if (range.low > range.high) return {0.0, 1.0};
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    if (range.size() <= 1e-12 * largest || largest == 0.0) {
        const double room = largest > 0.0 ? 0.1 * largest : 1.0;
        return {range.low - room, range.high + room};
    }
    return {range.low - 0.06 * range.size(), range.high + 0.06 * range.size()};
}

struct Frame2d {  // of a panel, in units of the canvas; y is downward
    double left, top, width, height;

    double bottom() const { return top + height; }
    double right() const { return left + width; }
};

struct PlotLayout {
    static constexpr double header = 66.0, footer = 50.0, title = 26.0, gap = 16.0, least_height = 48.0;
    double left = 0.0, width = 0.0, legend = 0.0;  // legend: its left end
    std::vector<Frame2d> panels{};
};

double widest(const Canvas& canvas, const std::vector<std::string>& texts) {
    double width = 0.0;
    for (const std::string& text : texts) width = std::max(width, canvas.text_width(text));
    return width;
}

std::vector<std::string> texts_of(const std::vector<double>& ticks) {
    std::vector<std::string> texts;
    for (const double tick : ticks) texts.push_back(tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : tick));
    return texts;
}

int ticks_in(double length, double apart) { return std::max(2, static_cast<int>(length / apart)); }

PlotLayout plot_layout(const Canvas& canvas, const PlotPage& page) {
    PlotLayout layout;
    const auto panels = static_cast<double>(page.panels.size());
    const double room = canvas.height() - PlotLayout::header - PlotLayout::footer;
    const double height = (room - (panels - 1.0) * PlotLayout::gap) / panels - PlotLayout::title;
    const double needed = panels * (PlotLayout::least_height + PlotLayout::title + PlotLayout::gap) +
                          PlotLayout::header + PlotLayout::footer;
    require(height >= PlotLayout::least_height,
            "{} plots do not fit: make the picture {} high, or choose some with --plot", page.panels.size(),
            std::ceil(needed * canvas.unit()));
    canvas.set_font(13.0);
    double labels = 0.0, names = 0.0;
    for (const PlotPanel& panel : page.panels) {
        const Range range = value_range(panel.curves);
        labels = std::max(labels, widest(canvas, texts_of(nice_ticks(range.low, range.high, ticks_in(height, 30.0)))));
        names = std::max(names, widest(canvas, panel.names));
    }
    layout.left = labels + 34.0;
    layout.legend = canvas.width() - std::min(names, 0.25 * canvas.width()) - 54.0;
    layout.width = layout.legend - layout.left - 14.0;
    for (std::size_t k = 0; k < page.panels.size(); ++k) {
        const double top = PlotLayout::header + static_cast<double>(k) * (height + PlotLayout::title + PlotLayout::gap);
        layout.panels.push_back({layout.left, top + PlotLayout::title, layout.width, height});
    }
    return layout;
}

// Lines one unit wide are sharp if they are in the middle of pixels.
double sharp(const Canvas& canvas, double x) { return (std::floor(x * canvas.unit()) + 0.5) / canvas.unit(); }

void draw_line(const Canvas& canvas, double x0, double y0, double x1, double y1) {
    cairo_move_to(canvas.context(), x0, y0);
    cairo_line_to(canvas.context(), x1, y1);
    cairo_stroke(canvas.context());
}

void draw_value_axis(const Canvas& canvas, const Frame2d& frame, const Range& range) {
    const std::vector<double> ticks = nice_ticks(range.low, range.high, ticks_in(frame.height, 30.0));
    const std::vector<std::string> texts = texts_of(ticks);
    canvas.set_font(13.0);
    for (std::size_t k = 0; k < ticks.size(); ++k) {
        const double y = frame.bottom() - range.place(ticks[k]) * frame.height;
        canvas.set_color(ticks[k] == 0.0 ? Rgb{0.72, 0.74, 0.77} : grid_ink);
        draw_line(canvas, frame.left, sharp(canvas, y), frame.right(), sharp(canvas, y));
        canvas.set_color(faint_ink);
        canvas.text(frame.left - 8.0, y + 4.5, texts[k], 1.0);
    }
}

void draw_time_axis(const Canvas& canvas, const Frame2d& frame, const Range& range, bool has_labels) {
    const std::vector<double> ticks = nice_ticks(range.low, range.high, ticks_in(frame.width, 90.0));
    const std::vector<std::string> texts = texts_of(ticks);
    for (std::size_t k = 0; k < ticks.size(); ++k) {
        const double x = sharp(canvas, frame.left + range.place(ticks[k]) * frame.width);
        canvas.set_color(grid_ink);
        draw_line(canvas, x, frame.top, x, frame.bottom());
        canvas.set_color(faint_ink);
        if (has_labels) canvas.text(x, frame.bottom() + 19.0, texts[k], 0.5);
    }
    if (!has_labels) return;
    canvas.set_color(plot_ink);
    canvas.text(frame.left + 0.5 * frame.width, frame.bottom() + 39.0, "t", 0.5);
}

// cairo's coordinates have 24 bits before the point.
double within_reach(double x) { return std::clamp(x, -1e5, 1e5); }

// A point alone, between gaps, is a dot: round caps make one of a line of no length.
void draw_curve(const Canvas& canvas, const Frame2d& frame, const Range& time, const Range& range,
                const std::vector<double>& t, const std::vector<double>& values) {
    cairo_t* context = canvas.context();
    bool is_drawing = false;
    for (std::size_t k = 0; k < t.size(); ++k) {
        if (!std::isfinite(values[k]) || !std::isfinite(t[k])) {
            is_drawing = false;
            continue;
        }
        const double x = within_reach(frame.left + time.place(t[k]) * frame.width),
                     y = within_reach(frame.bottom() - range.place(values[k]) * frame.height);
        if (!is_drawing) cairo_move_to(context, x, y);
        cairo_line_to(context, x, y);
        is_drawing = true;
    }
    cairo_stroke(context);
}

void draw_curves(const Canvas& canvas, const Frame2d& frame, const Range& time, const Range& range,
                 const PlotPanel& panel) {
    cairo_t* context = canvas.context();
    cairo_save(context);
    cairo_rectangle(context, frame.left, frame.top, frame.width, frame.height);
    cairo_clip(context);
    cairo_set_line_width(context, 1.4);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND);
    // The first lie on top: they are what one asked for first.
    for (std::size_t k = panel.names.size(); k-- > 0;) {
        set_curve_style(canvas, k);
        draw_curve(canvas, frame, time, range, panel.curves.t, panel.curves.values[k]);
    }
    cairo_restore(context);
}

// One triangle for all impacts that are less than a unit apart.
void draw_impacts(const Canvas& canvas, const Frame2d& frame, const Range& time, const std::vector<double>& impacts) {
    canvas.set_color(faint_ink);
    double last = -1.0;
    for (const double t : impacts) {
        const double x = frame.left + time.place(t) * frame.width;
        if (!(x >= frame.left && x <= frame.right()) || x - last < 1.0) continue;
        last = x;
        cairo_move_to(canvas.context(), x, frame.bottom() - 7.0);
        cairo_line_to(canvas.context(), x - 3.5, frame.bottom());
        cairo_line_to(canvas.context(), x + 3.5, frame.bottom());
        cairo_fill(canvas.context());
    }
}

void draw_legend(const Canvas& canvas, const Frame2d& frame, double left, const PlotPanel& panel) {
    constexpr double row = 19.0;
    const std::size_t fitting = std::max<std::size_t>(1, static_cast<std::size_t>((frame.height + 6.0) / row));
    const std::size_t count = panel.names.size(), shown = count <= fitting ? count : fitting - 1;
    canvas.set_font(13.0);
    double y = frame.top + 11.0;
    for (std::size_t k = 0; k < shown; ++k, y += row) {
        set_curve_style(canvas, k);
        cairo_set_line_width(canvas.context(), 2.2);
        draw_line(canvas, left, y - 4.5, left + 20.0, y - 4.5);
        canvas.set_color(plot_ink);
        canvas.text(left + 28.0, y, canvas.fitted(panel.names[k], canvas.width() - left - 40.0));
    }
    cairo_set_line_width(canvas.context(), 1.0);
    cairo_set_dash(canvas.context(), nullptr, 0, 0.0);
    canvas.set_color(faint_ink);
    if (shown < count) canvas.text(left + 28.0, y, fmt::format("{} more", count - shown));
}

void draw_panel(const Canvas& canvas, const PlotLayout& layout, const PlotPage& page, std::size_t k) {
    const PlotPanel& panel = page.panels[k];
    const Frame2d& frame = layout.panels[k];
    const Range range = value_range(panel.curves), time{page.t_first, page.t_last};
    canvas.set_font(14.0, true);
    canvas.set_color(plot_ink);
    canvas.text(frame.left, frame.top - 9.0, canvas.fitted(panel.title, frame.width));
    cairo_set_line_width(canvas.context(), 1.0);
    draw_value_axis(canvas, frame, range);
    draw_time_axis(canvas, frame, time, k + 1 == page.panels.size());
    draw_curves(canvas, frame, time, range, panel);
    draw_impacts(canvas, frame, time, page.impacts);
    canvas.set_color(faint_ink);
    cairo_rectangle(canvas.context(), sharp(canvas, frame.left), sharp(canvas, frame.top), frame.width, frame.height);
    cairo_stroke(canvas.context());
    draw_legend(canvas, frame, layout.legend, panel);
}

void draw_header(const Canvas& canvas, const PlotLayout& layout, const PlotPage& page) {
    const double width = canvas.width() - layout.left - 20.0;
    canvas.set_font(20.0, true);
    canvas.set_color(plot_ink);
    canvas.text(layout.left, 32.0, canvas.fitted(page.title, width));
    canvas.set_font(13.0);
    canvas.set_color(faint_ink);
    canvas.text(layout.left, 53.0, canvas.fitted(page.subtitle, width));
    if (page.impacts.empty()) return;
    const double y = layout.panels.back().bottom() + 19.0;
    canvas.text(layout.legend + 28.0, y, "impacts");
    cairo_move_to(canvas.context(), layout.legend + 10.0, y - 8.0);
    cairo_rel_line_to(canvas.context(), -3.5, 7.0);
    cairo_rel_line_to(canvas.context(), 7.0, 0.0);
    cairo_fill(canvas.context());
}

}  // namespace

std::vector<double> nice_ticks(double low, double high, int most) {
    const double least_step = (high - low) / std::max(1, most);
    if (!(least_step > 0.0) || !std::isfinite(least_step)) return {low};
    const double decade = std::pow(10.0, std::floor(std::log10(least_step)));
    std::vector<double> ticks;
    for (const double factor : {10.0, 5.0, 2.0, 1.0, 0.5, 0.2}) {
        const double step = factor * decade;
        if (step < least_step && ticks.size() >= 2) break;
        ticks.clear();
        const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
        for (double k = first; k <= last && ticks.size() < 1000; ++k) ticks.push_back(k * step + 0.0);
    }
    return ticks;
}

std::string tick_text(double value, double step) {
    const double ratio = std::abs(value / step);
    const int digits =
        std::isfinite(ratio) && ratio > 1.0 ? static_cast<int>(std::floor(std::log10(ratio) + 1e-9)) + 2 : 2;
    std::string text =
        fmt::format("{:.{}g}", std::abs(value) < 1e-9 * std::abs(step) ? 0.0 : value, std::clamp(digits, 2, 15));
    // 1e+06 is written 1e6, and small whole numbers are not written as powers.
    if (std::abs(value) >= 10.0 && std::abs(value) < 1e5 && text.find('e') != std::string::npos)
        text = fmt::format("{:.0f}", value);
    if (const std::size_t e = text.find('e'); e != std::string::npos) {
        const bool is_negative = text[e + 1] == '-';
        const std::size_t digit = text.find_first_not_of('0', e + 2);
        text = text.substr(0, e + 1) + (is_negative ? "-" : "") + text.substr(std::min(digit, text.size() - 1));
    }
    for (std::size_t k = text.find('-'); k != std::string::npos; k = text.find('-', k + 1)) text.replace(k, 1, "−");
    return text;
}

PictureSize comfortable_size(std::size_t panels) {
    constexpr double height = 95.0;  // of a panel
    const double needed = PlotLayout::header + PlotLayout::footer +
                          static_cast<double>(panels) * (height + PlotLayout::title + PlotLayout::gap);
    return {1200, std::max(800, static_cast<int>(std::min(needed, 16384.0)))};
}

Picture draw_plot(const PlotPage& page, PictureSize size) {
    require(!page.panels.empty(), "there is nothing to plot");
    Picture picture(size);
    const Canvas canvas(picture);
    const PlotLayout layout = plot_layout(canvas, page);
    draw_header(canvas, layout, page);
    for (std::size_t k = 0; k < page.panels.size(); ++k) draw_panel(canvas, layout, page, k);
    return picture;
}

}  // namespace saltus
