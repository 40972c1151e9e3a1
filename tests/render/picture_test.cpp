#include <cairo/cairo.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/export_support.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/render/plot_picture.hpp"
#include "saltus/render/scene_picture.hpp"
#include "support/refusal.hpp"

// fontconfig, with which cairo finds its fonts, keeps some of them until the end of the process. The leak sanitizer
// asks for this function by its name, from a shared library: it must be visible.
extern "C" {
[[gnu::visibility("default")]] const char* __lsan_default_suppressions();  // NOLINT
const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
}

namespace saltus {
namespace {

using testing::contents;
using testing::drawn_body;
using testing::drawn_contact;
using testing::refusal;
using testing::TemporaryFile;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

int red_of(std::uint32_t pixel) { return static_cast<int>(pixel >> 16 & 255); }
int green_of(std::uint32_t pixel) { return static_cast<int>(pixel >> 8 & 255); }
int blue_of(std::uint32_t pixel) { return static_cast<int>(pixel & 255); }

// A PNG as cairo reads it.
Picture decoded(const std::filesystem::path& path) {
    cairo_surface_t* surface = cairo_image_surface_create_from_png(path.c_str());
    EXPECT_EQ(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    Picture picture({cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface)});
    for (int y = 0; y < picture.size.height; ++y)
        std::copy_n(reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(surface) +
                                                           y * cairo_image_surface_get_stride(surface)),
                    picture.size.width, &picture.at(0, y));
    cairo_surface_destroy(surface);
    return picture;
}

TEST(Png, GivesBackThePixels) {
    const TemporaryFile file("", ".png");
    Picture picture({80, 70}, 0x102030);
    picture.at(3, 5) = 0xff8001;
    write_png(file.path(), picture);
    EXPECT_EQ(contents(file.path()).substr(0, 8), "\x89PNG\r\n\x1a\n");
    const Picture read = decoded(file.path());
    EXPECT_EQ(read.at(3, 5) & 0xffffff, 0xff8001u);
    EXPECT_EQ(read.at(79, 69) & 0xffffff, 0x102030u);
}

TEST(Png, SaysWhyItCannotBeWritten) {
    const Picture picture({80, 70});
    EXPECT_EQ(refusal([&] { write_png("/tmp", picture); }), "/tmp: that is a folder; name a file");
    EXPECT_EQ(refusal([&] { write_png("/dev/full", picture); }), "/dev/full: cannot be written; is the disk full?");
    EXPECT_EQ(refusal([&] { write_png("/missing/a.png", picture); }),
              "/missing/a.png: cannot be written; does the folder exist, and may you write in it?");
}

TEST(Png, LeavesALinkALink) {
    const TemporaryFile file("old", ".png");
    const std::filesystem::path link = file.path().string() + ".link";
    std::filesystem::create_symlink(file.path(), link);
    write_png(link, Picture({80, 70}));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(contents(file.path()).substr(1, 3), "PNG");
    std::filesystem::remove(link);
}

TEST(OutputFile, IsThereWhenItIsComplete) {
    const testing::TemporaryFolder folder;
    {
        OutputFile given_up(folder / "a");
        given_up.write("half");
        EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    }
    EXPECT_EQ(folder.entries(), 0u);
    write_file(folder / "a", "whole");
    EXPECT_EQ(contents(folder / "a"), "whole");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(PictureSize, IsReadOrRefused) {
    EXPECT_EQ(parse_size("640x480").width, 640);
    EXPECT_EQ(parse_size("640x480").height, 480);
    for (const char* text : {"", "640", "640x", "x480", "640X480", "640x480x2", "640 x 480", "-640x480", "6.4x480"})
        EXPECT_NE(refusal([&] { parse_size(text); }), "accepted") << text;
    EXPECT_EQ(refusal([] { parse_size("0x480"); }), "--size is '0x480'; width and height must be from 64 to 16384");
    EXPECT_EQ(refusal([] { parse_size("99999999999x480"); }), "--size is '99999999999x480'; it must be like 1200x800");
}

// A pixel of a body has its colour times a brightness.
void expect_hue(std::uint32_t pixel, const Rgb& color) {
    const double brightness = red_of(pixel) / (255.0 * color.red);
    EXPECT_GT(brightness, 0.4);
    EXPECT_LE(brightness, 1.01);
    EXPECT_NEAR(green_of(pixel), 255.0 * color.green * brightness, 2.0);
    EXPECT_NEAR(blue_of(pixel), 255.0 * color.blue * brightness, 2.0);
}

const SceneExtent unit_extent{.low = -Eigen::Vector3d::Ones(), .high = Eigen::Vector3d::Ones()};

TEST(ScenePicture, ShowsABodyInItsColor) {
    Scene scene;
    scene.bodies = {drawn_body("ball", Sphere{0.5}, "#ff8040")};
    ScenePainter painter(scene, unit_extent, {400, 300});
    const Picture picture = painter.paint({.bodies = {Pose{}}}, "");
    expect_hue(picture.at(200, 150), parse_color("#ff8040"));
    EXPECT_GT(red_of(picture.at(10, 10)), 240);
}

// The camera is at -y: of two bodies the one with the smaller y hides the other, whichever is drawn first.
TEST(ScenePicture, ShowsWhatIsInFront) {
    Scene scene;
    scene.bodies = {drawn_body("ball", Sphere{0.3}, "#ff8040"), drawn_body("box", Cuboid{{0.5, 0.5, 0.5}}, "#4080ff")};
    const SceneExtent flat{.low = {-1.0, -0.1, -1.0}, .high = {1.0, 0.1, 1.0}};
    ScenePainter painter(scene, flat, {400, 300});
    const Pose in_front{.position = {0.0, -1.0, 0.0}}, behind{.position = {0.0, 1.0, 0.0}};
    expect_hue(painter.paint({.bodies = {in_front, behind}}, "").at(200, 150), parse_color("#ff8040"));
    expect_hue(painter.paint({.bodies = {behind, in_front}}, "").at(200, 150), parse_color("#4080ff"));
}

TEST(ScenePicture, SeesAllOfTheExtent) {
    Scene scene;
    scene.bodies = {drawn_body("corner", Sphere{0.1}, "#ff0000")};
    for (const PictureSize size : {PictureSize{400, 300}, PictureSize{300, 400}, PictureSize{200, 200}})
        for (const Eigen::Vector3d& edges :
             {Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(3, 0.1, 1), Eigen::Vector3d(1, 0.1, 3)})
            for (int k = 0; k < 8; ++k) {
                ScenePainter painter(scene, {.low = -edges, .high = edges}, size);
                const Eigen::Vector3d sign((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
                const Picture picture = painter.paint({.bodies = {Pose{.position = edges.cwiseProduct(sign)}}}, "");
                const auto is_red = [](std::uint32_t p) { return red_of(p) > 100 && green_of(p) < 60; };
                EXPECT_GT(std::ranges::count_if(picture.pixels, is_red), 2) << "corner " << k;
            }
}

TEST(ScenePicture, DrawsForcesOverBodies) {
    Scene scene;
    scene.bodies = {drawn_body("ball", Sphere{0.5}, "#808080")};
    scene.contacts = {drawn_contact("ground")};
    SceneExtent extent = unit_extent;
    extent.largest_force = 10.0;
    ScenePainter painter(scene, extent, {400, 300});
    Frame frame{.bodies = {Pose{}}};
    const auto colored_pixels = [&](ContactState state) {
        frame.contacts = {{{0.0, 0.0, -0.2}, {0.0, 0.0, 10.0}, state, 0.0}};
        const Picture picture = painter.paint(frame, "");
        const auto is_colored = [&](int x, int y) {
            return std::abs(red_of(picture.at(x, y)) - blue_of(picture.at(x, y))) > 60;
        };
        int count = 0;
        for (int y = 80; y < 220; ++y)  // without the legend
            for (int x = 100; x < 300; ++x) count += is_colored(x, y) ? 1 : 0;
        return count;
    };
    EXPECT_GT(colored_pixels(ContactState::slips), 50);
    EXPECT_GT(colored_pixels(ContactState::sticks), 50);
    EXPECT_EQ(colored_pixels(ContactState::open), 0);
}

TEST(ScenePicture, SurvivesWhatIsNotFinite) {
    Scene scene;
    scene.bodies = {drawn_body("ball", Sphere{0.5}), drawn_body("ground", Plane{{1e6, 1e6}}),
                    drawn_body("point", Cuboid{{0.0, 0.0, 0.0}}), drawn_body("none", TriangleMesh{})};
    scene.contacts = {drawn_contact("ground")};
    for (const double bad : {not_a_number, std::numeric_limits<double>::infinity(), 1e300}) {
        SceneExtent extent{.low = Eigen::Vector3d::Constant(-bad), .high = Eigen::Vector3d::Constant(bad)};
        extent.largest_force = bad;
        ScenePainter painter(scene, extent, {100, 80});
        Frame frame;
        frame.bodies.assign(4, Pose{.position = Eigen::Vector3d::Constant(bad)});
        frame.contacts = {{Eigen::Vector3d::Constant(bad), Eigen::Vector3d::Constant(bad), ContactState::closed, bad}};
        painter.paint(frame, testing::hostile_name);
        frame.bodies.assign(4, Pose{.length = bad});
        painter.paint(frame, std::string(1000, 'x'));
    }
    ScenePainter painter(scene, {}, {100, 80});  // a scene of one point
    painter.paint({.bodies = std::vector<Pose>(4), .contacts = {ContactForce{}}}, "");
}

PlotPage line_page() {
    PlotPage page{.title = "title", .subtitle = "subtitle"};
    PlotPanel panel{.title = "a line", .names = {"x"}};
    panel.curves.values.resize(1);
    for (int k = 0; k <= 100; ++k) {
        panel.curves.t.push_back(0.01 * k);
        panel.curves.values[0].push_back(k);
    }
    page.panels = {panel};
    return page;
}

bool is_curve(std::uint32_t pixel) { return blue_of(pixel) > red_of(pixel) + 60; }  // the first curve is blue

// Pixels of a column of the picture that belong to the curve, from the top; their middle, -1 if there are none.
int curve_height(const Picture& picture, int x) {
    int sum = 0, count = 0;
    for (int y = 0; y < picture.size.height; ++y)
        if (is_curve(picture.at(x, y))) sum += y, ++count;
    return count == 0 ? -1 : sum / count;
}

TEST(PlotPicture, DrawsALineAsALine) {
    const Picture picture = draw_plot(line_page(), {});
    const int one = curve_height(picture, 300), two = curve_height(picture, 500), three = curve_height(picture, 700);
    ASSERT_GT(one, 0);
    ASSERT_GT(three, 0);
    EXPECT_GT(one, two);  // y is downward
    EXPECT_NEAR(two, 0.5 * (one + three), 2.0);
}

TEST(PlotPicture, GoesOnAfterTextsThatAreNoUtf8) {
    PlotPage page = line_page();
    page.title = page.subtitle = page.panels[0].title = "\xff\xc3(\xed\xa0\x80\xf8";
    EXPECT_GT(curve_height(draw_plot(page, {}), 500), 0);
}

TEST(PlotPicture, LeavesGapsWhereThereIsNoNumber) {
    PlotPage page = line_page();
    for (std::size_t k = 40; k < 60; ++k)
        page.panels[0].curves.values[0][k] = k % 2 == 0 ? not_a_number : std::numeric_limits<double>::infinity();
    const Picture picture = draw_plot(page, {});
    const Picture whole = draw_plot(line_page(), {});
    int gaps = 0, without = 0;
    for (int x = 150; x < 900; ++x) {
        gaps += curve_height(picture, x) < 0 ? 1 : 0;
        without += curve_height(whole, x) < 0 ? 1 : 0;
    }
    EXPECT_EQ(without, 0);
    EXPECT_NEAR(gaps, 0.21 * 1000, 30.0);  // of about a thousand pixels for t = 0 .. 1
}

TEST(PlotPicture, SurvivesAnyNumbers) {
    for (const std::vector<double>& values : {std::vector<double>{},
                                              {not_a_number, not_a_number},
                                              {1e308, -1e308},
                                              {5.0, 5.0},
                                              {0.0, 0.0},
                                              {1e-320, 2e-320},
                                              {1.0, 1.0 + 1e-15},
                                              {1e300, 1e300},
                                              {-1e-300, 1e-300}}) {
        PlotPage page{.title = testing::hostile_name, .subtitle = std::string(10000, 'x')};
        PlotPanel panel{.title = testing::hostile_name, .names = {testing::hostile_name, "", std::string(500, 'y')}};
        for (std::size_t k = 0; k < values.size(); ++k) panel.curves.t.push_back(static_cast<double>(k));
        panel.curves.values.assign(3, values);
        page.panels = {panel, panel};
        page.impacts = {not_a_number, -1.0, 0.5, 0.5, 7.0};
        for (const auto& [first, last] : {std::pair{0.0, 1.0}, {0.0, 1e-300}, {-1e150, 1e150}, {1e10, 1e10 + 1e-5}}) {
            page.t_first = first;
            page.t_last = last;
            EXPECT_EQ(draw_plot(page, {300, 300}).pixels.size(), 90000u);
        }
    }
}

TEST(PlotPicture, RefusesMorePlotsThanFit) {
    PlotPage page = line_page();
    page.panels.assign(12, page.panels[0]);
    EXPECT_EQ(refusal([&] { draw_plot(page, {}); }),
              "12 plots do not fit: make the picture 1196 high, or choose some with --plot");
    EXPECT_EQ(draw_plot(page, {1200, 1196}).size.height, 1196);
    for (const std::size_t panels : {1u, 4u, 12u, 50u}) {
        page.panels.assign(panels, page.panels[0]);
        EXPECT_GE(draw_plot(page, comfortable_size(panels)).size.height, 800);
    }
    EXPECT_EQ(refusal([&] { draw_plot({}, {}); }), "there is nothing to plot");
}

TEST(PlotTicks, AreRoundNumbers) {
    EXPECT_EQ(nice_ticks(0.0, 10.0, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(nice_ticks(-1.0, 1.0, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
    EXPECT_EQ(nice_ticks(0.3, 0.3, 4).size(), 1u);
    EXPECT_EQ(nice_ticks(-1.3, 4.9, 2), (std::vector<double>{0, 2, 4}));  // steps of 5 would leave no scale
    EXPECT_EQ(tick_text(0.0, 0.5), "0");
    EXPECT_EQ(tick_text(-0.5, 0.5), "−0.5");
    EXPECT_EQ(tick_text(0.30000000000000004, 0.1), "0.3");
    EXPECT_EQ(tick_text(1500.0, 500.0), "1500");
    EXPECT_EQ(tick_text(20000.0, 20000.0), "20000");
    EXPECT_EQ(tick_text(2e6, 1e6), "2e6");
    EXPECT_EQ(tick_text(-3e-7, 1e-7), "−3e−7");
    EXPECT_EQ(tick_text(1000.001, 0.001), "1000.001");
    for (const double low : {-3.7, 0.0, 1e5, 1e-9})
        for (const double width : {1e-3, 1.0, 12.5, 1e7})
            for (const int most : {2, 5, 9}) {
                const std::vector<double> ticks = nice_ticks(low, low + width, most);
                EXPECT_LE(ticks.size(), static_cast<std::size_t>(most) + 3);
                EXPECT_GE(ticks.size(), 2u);
                for (const double tick : ticks)
                    EXPECT_TRUE(tick >= low - 1e-6 * width && tick <= low + 1.000001 * width);
            }
}

}  // namespace
}  // namespace saltus
