#include "saltus/view/page.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "saltus/io/hdf5_handle.hpp"
#include "saltus/view/page_block.hpp"
#include "saltus/view/served_result.hpp"
#include "support/refusal.hpp"
#include "support/result_of.hpp"

namespace saltus {
namespace {

using nlohmann::json;
using testing::drawn_ball;
using testing::refusal;
using testing::ResultOf;
using testing::TemporaryFile;

// The text of an element of the page.
std::string element(const std::string& page, const std::string& id) {
    const std::string mark = "id=\"" + id + "\">";
    const std::size_t start = page.find(mark);
    if (start == std::string::npos) return "";
    return page.substr(start + mark.size(), page.find("</script>", start) - start - mark.size());
}

json manifest_of(const std::string& page) { return json::parse(element(page, "saltus-manifest")); }

std::string from_base64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
        if ((count += 6) >= 8) result += static_cast<char>(bits >> (count -= 8) & 255);
    }
    return result;
}

// Undoes packed_block, with zlib's own inverse.
template <class Value>
std::vector<Value> unpacked(const std::string& text, std::size_t count) {
    const std::string packed = from_base64(text);
    std::vector<unsigned char> bytes(count * sizeof(Value) + 1);
    uLongf size = bytes.size();
    EXPECT_EQ(uncompress(bytes.data(), &size, reinterpret_cast<const unsigned char*>(packed.data()), packed.size()),
              Z_OK);
    EXPECT_EQ(size, count * sizeof(Value));
    std::vector<Value> result(count);
    auto* out = reinterpret_cast<unsigned char*>(result.data());
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t b = 0; b < sizeof(Value); ++b) out[k * sizeof(Value) + b] = bytes[b * count + k];
    return result;
}

template <class Value>
std::vector<Value> block(const std::string& page, const std::string& name) {
    const json shape = manifest_of(page)["blocks"][name]["shape"];
    std::size_t count = 1;
    for (const json& size : shape) count *= size.get<std::size_t>();
    return unpacked<Value>(element(page, "block-" + name), count);
}

std::string page_of(const std::filesystem::path& file, const PageOptions& options = {}) {
    const ResultReader reader(file);
    const ResultView view(reader);
    return report_page(view, options, "result.h5");
}

TEST(PageBlock, GivesBackTheSameBits) {
    const std::vector<double> values{0.0, -0.0, 1.0 / 3.0, 1e300, -5e-324};
    const auto read = unpacked<double>(packed_block(std::span<const double>(values)), values.size());
    EXPECT_EQ(std::memcmp(read.data(), values.data(), sizeof(double) * values.size()), 0);
    for (std::size_t n = 0; n < 6; ++n) {  // every ending of base64
        const std::vector<std::uint8_t> bytes(n, 200);
        EXPECT_EQ(unpacked<std::uint8_t>(packed_block(std::span<const std::uint8_t>(bytes)), n), bytes);
    }
}

TEST(Page, HoldsTheResult) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    const std::string page = report_page(view, {}, "result.h5");
    const json manifest = manifest_of(page);
    EXPECT_EQ(manifest["summary"]["name"], "ball");
    EXPECT_EQ(manifest["kind"], "lagrangian");
    EXPECT_EQ(manifest["samples"], 1001);
    EXPECT_EQ(manifest["embedded"], 1001);
    EXPECT_EQ(manifest["missing"], 0);
    const Trajectory run = reader.trajectory();
    EXPECT_EQ(block<double>(page, "t"), run.times);
    const Index column = view.column("ball.q[1]");
    const auto q = block<float>(page, "column-" + std::to_string(column));
    for (std::size_t k = 0; k < q.size(); ++k)
        EXPECT_EQ(q[k], static_cast<float>(run.channel("ball.q[1]")[static_cast<Index>(k)]));
    EXPECT_EQ(block<double>(page, "impacts-t").size(), run.impacts.size());
    EXPECT_EQ(block<std::int32_t>(page, "switches").size(), 4 * run.switches.size());
    EXPECT_EQ(manifest["interactions"][0]["places"], (json{0, 0}));
    EXPECT_NE(page.find("<title>ball"), std::string::npos);
}

// The numbers of a pose, from whole numbers and their differences, to a step of its range.
TEST(Page, HoldsTheFramesOfTheScene) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    const std::string page = report_page(view, {}, "result.h5");
    const json scene = manifest_of(page)["scene"];
    const auto frames = scene["frame_times"].size();
    ASSERT_EQ(frames, 1001u);
    EXPECT_EQ(scene["bodies"][0]["shape"], (json{{"type", "sphere"}, {"radius", 0.1}}));
    EXPECT_EQ(scene["bodies"][2]["shape"]["type"], "segment");
    const auto rest = block<float>(page, "poses-rest");
    const auto moving = block<std::int32_t>(page, "poses-moving");
    const auto scale = block<double>(page, "poses-scale");
    const auto codes = block<std::uint16_t>(page, "poses");
    Frame frame;
    for (std::size_t c = 0; c < moving.size(); ++c) {
        std::uint16_t code = 0;
        for (std::size_t k = 0; k < frames; ++k) {
            code = static_cast<std::uint16_t>(code + codes[c * frames + k]);
            view.read_frame(static_cast<Index>(k), frame);
            const Pose& pose = frame.bodies[static_cast<std::size_t>(moving[c] / 8)];
            const Eigen::Vector4d q = pose.rotation.coeffs();
            const double numbers[] = {pose.position.x(), pose.position.y(), pose.position.z(), q[0], q[1], q[2], q[3],
                                      pose.length};
            ASSERT_NEAR(scale[c] + code * scale[moving.size() + c], numbers[moving[c] % 8], scale[moving.size() + c]);
        }
    }
    EXPECT_EQ(std::ranges::count(moving, 8), 0);  // the floor stays
    EXPECT_EQ(rest[8 + 6], 1.0f);
    const auto states = block<std::uint8_t>(page, "contacts-states");
    EXPECT_EQ(states.size(), frames);
    EXPECT_EQ(states.front(), 0);
}

// A page must not become larger than asked for, and keeps the extremes.
TEST(Page, OfALargeResultHoldsItsPeaks) {
    const TemporaryFile file;
    constexpr Index samples = 200000;
    {
        ResultNames names{.channels = {"a.x[0]", "a.x[1]"}, .interactions = {}, .states = {"a.x[0]"}};
        ResultWriter writer(file.path(), names, "", {});
        for (Index k = 0; k < samples; ++k) {
            const std::vector<double> values{k == 123456 ? 7.0 : std::sin(0.001 * static_cast<double>(k)),
                                             k == 54321 ? -9.0 : 0.5};
            writer.sample({.t = static_cast<double>(k), .values = values});
        }
        writer.finish({});
    }
    const std::string small = page_of(file.path(), {.megabytes = 0.5}), large = page_of(file.path());
    const std::size_t empty = served_page().size();
    EXPECT_LT(small.size() - empty, 500000u);
    EXPECT_LT(manifest_of(small)["embedded"], 30000);
    EXPECT_EQ(manifest_of(large)["embedded"], samples);
    const auto first = block<float>(small, "column-0"), second = block<float>(small, "column-1");
    EXPECT_EQ(std::ranges::max(first), 7.0f);
    EXPECT_EQ(std::ranges::min(second), -9.0f);
    EXPECT_NE(refusal([&] { page_of(file.path(), {.megabytes = -1.0}); }).find("must be positive"), std::string::npos);
}

// 10 000 channels: as many as fit; the page names them all.
TEST(Page, OfManyChannelsSaysWhatIsMissing) {
    const TemporaryFile file;
    ResultNames names{.states = {"a.x[0]"}};
    for (int k = 0; k < 10000; ++k) names.channels.push_back(fmt::format("a.x[{}]", k));
    {
        ResultWriter writer(file.path(), names, "", {});
        const std::vector<double> values(10000, 0.1);
        for (int k = 0; k < 200; ++k) writer.sample({.t = 0.1 * k, .values = values});
        writer.finish({});
    }
    const json manifest = manifest_of(page_of(file.path(), {.megabytes = 1.0}));
    EXPECT_EQ(manifest["embedded"], 200);
    EXPECT_EQ(manifest["columns"].size(), 10003u);
    EXPECT_GT(manifest["missing"], 9000);
    EXPECT_EQ(manifest["columns"][9999]["present"], false);
    EXPECT_EQ(manifest["columns"][0]["present"], true);
    EXPECT_LE(manifest["plots"].size(), 4u);
}

// Texts of a result cannot leave their places in the page.
TEST(Page, KeepsHostileTextsApart) {
    const std::string hostile = "</script><script>alert('\"1\"')</script><!-- \xff &lt; \n";
    const TemporaryFile file;
    {
        ResultNames names{.channels = {hostile + ".x[0]"}, .interactions = {hostile}, .states = {"s"}};
        ResultWriter writer(file.path(), names, "description = 'x</script>'", {.name = hostile});
        const std::vector<double> values{std::nan("")};
        writer.sample({.t = 0.0, .values = values, .residual = std::numeric_limits<double>::infinity()});
        writer.finish({.name = hostile, .end = "failed", .message = hostile});
    }
    const std::string page = page_of(file.path());
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    const std::size_t scripts = [&] {
        std::size_t count = 0;
        for (std::size_t at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1)) ++count;
        return count;
    }();
    EXPECT_EQ(scripts, 2u + manifest_of(page)["blocks"].size());  // its own, the manifest, the blocks
    EXPECT_NE(manifest_of(page)["summary"]["message"].get<std::string>().find("</script>"), std::string::npos);
    EXPECT_TRUE(std::isnan(block<float>(page, "column-0").front()));
}

TEST(Page, TakesEmptyRuns) {
    const TemporaryFile file;
    {
        ResultNames names{.channels = {"a.q[0]", "a.v[0]"}, .interactions = {}, .states = {"a.q[0]"}};
        const std::string text = "[view.bodies.a]\nshape = 'sphere'\nradius = 1\nposition = ['q[0]', 0, 0]\n";
        ResultWriter(file.path(), names, text, {.end = "running"}).finish({.end = "failed"});
    }
    const json manifest = manifest_of(page_of(file.path()));
    EXPECT_EQ(manifest["embedded"], 0);
    EXPECT_TRUE(manifest["scene"].is_null());
    ServedResult served(file.path(), {});
    EXPECT_EQ(json::parse(served.manifest())["samples"], 0);
    EXPECT_EQ(served.window({0}, 0.0, 1.0, 100).size(), 8u);
    EXPECT_EQ(served.frames(0, 10).size(), 8u);
}

TEST(Page, ShowsWhatWasChosen) {
    const ResultOf result(drawn_ball);
    const PageOptions options{.choice = {.plots = {{"ball.q[0]", "doubled"}}, .phases = {{"ball.q[0]", "ball.q[1]"}}}};
    const json manifest = manifest_of(page_of(result.file.path(), options));
    ASSERT_EQ(manifest["plots"].size(), 1u);
    EXPECT_EQ(manifest["plots"][0]["title"], "ball.q[0], doubled");
    EXPECT_EQ(manifest["phases"][0]["title"], "ball.q[1] over ball.q[0]");
    const auto wrong = [&] { page_of(result.file.path(), {.choice = {.plots = {{"ball.q"}}}}); };
    EXPECT_NE(refusal(wrong).find("there is no channel 'ball.q'; saltus info FILE.h5 lists them"), std::string::npos);
}

std::uint32_t first_number(const std::string& bytes) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

std::vector<double> doubles(const std::string& bytes) {
    std::vector<double> result((bytes.size() - 8) / sizeof(double));
    std::memcpy(result.data(), bytes.data() + 8, result.size() * sizeof(double));
    return result;
}

TEST(ServedResult, GivesWindowsOfSamples) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    ServedResult served(result.file.path(), {});
    const Trajectory run = reader.trajectory();
    const std::string bytes = served.window({1, 0}, 0.1, 0.2, 1000);
    const std::uint32_t count = first_number(bytes);
    EXPECT_EQ(count, 103u);  // those of the interval, and one beyond each end
    const std::vector<double> numbers = doubles(bytes);
    ASSERT_EQ(numbers.size(), 3 * count);
    for (std::size_t k = 0; k < count; ++k) {
        EXPECT_EQ(numbers[k], run.times[99 + k]);
        EXPECT_EQ(numbers[count + k], run.value(static_cast<Index>(99 + k), 1));
        EXPECT_EQ(numbers[2 * count + k], run.value(static_cast<Index>(99 + k), 0));
    }
    EXPECT_LE(first_number(served.window({0}, 0.0, 1.0, 100)), 102u);
    EXPECT_NE(refusal([&] { served.window({1000}, 0.0, 1.0, 10); }).find("there are"), std::string::npos);
    EXPECT_NE(refusal([&] { served.window({-1}, 0.0, 1.0, 10); }), "accepted");
    EXPECT_NE(refusal([&] { served.window({0}, std::nan(""), 1.0, 10); }), "accepted");
    EXPECT_EQ(first_number(served.window({0}, 5.0, 4.0, 10)) <= 3, true);
}

TEST(ServedResult, GivesMarksAndFrames) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    ServedResult served(result.file.path(), {});
    const std::vector<Impact> impacts = reader.impacts();
    EXPECT_EQ(first_number(served.marks("impacts", 0.0, 1.0)), impacts.size());
    EXPECT_EQ(doubles(served.marks("impacts", impacts[0].t, impacts[0].t)),
              (std::vector<double>{impacts[0].t, 0.0, impacts[0].before, impacts[0].after, impacts[0].percussion}));
    EXPECT_EQ(first_number(served.marks("events", 0.0, 1.0)), 0u);
    EXPECT_NE(refusal([&] { served.marks("../etc/passwd", 0.0, 1.0); }).find("there are no marks"), std::string::npos);
    // Three bodies of 8 numbers, a contact of 6 and its state, filled up to 4 bytes.
    EXPECT_EQ(served.frames(0, 3).size(), 8u + 3 * (4 * (24 + 6) + 4));
    EXPECT_EQ(served.frames(0, 1000).size(), 8u + 64 * (4 * (24 + 6) + 4));
    EXPECT_EQ(served.frames(1001, 1).size(), 8u);
    EXPECT_NE(refusal([&] { served.frames(1002, 1); }), "accepted");
    EXPECT_NE(refusal([&] { served.frames(-1, 1); }), "accepted");
}

// Those of an interval are found without reading the others.
TEST(ServedResult, GivesMarksOfAnInterval) {
    const ResultOf result(drawn_ball);
    ServedResult served(result.file.path(), {});
    const ResultReader reader(result.file.path());
    const std::vector<Impact> impacts = reader.impacts();
    ASSERT_GE(impacts.size(), 3u);
    const double t = impacts[1].t, later = impacts[2].t;
    const auto count = [&](double from, double to) { return first_number(served.marks("impacts", from, to)); };
    EXPECT_EQ(count(t, t), 1u);
    EXPECT_EQ(count(t, later), 2u);
    EXPECT_EQ(count(t, std::nextafter(later, 0.0)), 1u);
    EXPECT_EQ(count(std::nextafter(t, 1.0), later), 1u);
    EXPECT_EQ(count(later, t), 0u);
    EXPECT_EQ(count(-1.0, 1e9), impacts.size());
    EXPECT_EQ(doubles(served.marks("impacts", later, later))[0], later);
}

// Another run into the same file: what was known of the first is forgotten.
TEST(ServedResult, SeesAResultThatIsReplaced) {
    const ResultOf result(drawn_ball);
    ServedResult served(result.file.path(), {});
    const json before = json::parse(served.manifest());
    EXPECT_EQ(before["samples"], 1001);
    EXPECT_EQ(served.run(), before["run"]);
    std::string longer = drawn_ball;
    longer.replace(longer.find("t_end = 1"), 9, "t_end = 2");
    const ResultOf other(longer);  // copied, since HDF5 would know in this process who reads it
    std::filesystem::copy_file(other.file.path(), result.file.path(),
                               std::filesystem::copy_options::overwrite_existing);
    const std::vector<double> numbers = doubles(served.window({1}, 1.9, 2.0, 1000));
    EXPECT_NEAR(numbers[1], 1.9, 1e-9);
    const json after = json::parse(served.manifest());
    EXPECT_EQ(after["samples"], 2001);
    EXPECT_NE(after["run"], before["run"]);
    EXPECT_EQ(served.run(), after["run"]);
}

// A result that is being written, and a copy of it to read: HDF5 would know in this process who writes it.
struct GrowingResult {
    TemporaryFile file{}, copy{};
    ResultWriter writer{file.path(), {.channels = {"a.x[0]"}, .interactions = {}, .states = {"a.x[0]"}}, "", running};

    static inline const RunSummary running{.end = "running"};

    static void replace(const TemporaryFile& by, const TemporaryFile& what) {
        std::filesystem::copy_file(by.path(), what.path(), std::filesystem::copy_options::overwrite_existing);
    }
    void grow(int samples) {
        const std::vector<double> values{1.0};
        for (int k = 0; k < samples; ++k) writer.sample({.t = 0.1 * k, .values = values});
        writer.flush();
        replace(file, copy);
    }
};

// A run that ends rewrites its summary: a reader may come when half of it is there.
TEST(ServedResult, FollowsARunToItsEnd) {
    GrowingResult result;
    result.grow(3);
    ServedResult served(result.copy.path(), {});
    EXPECT_EQ(json::parse(served.manifest())["summary"]["end"], "running");
    result.grow(2000);
    result.writer.finish({.end = "interrupted"});
    const TemporaryFile half;
    GrowingResult::replace(result.file, half);
    const auto remove_step = [&] {
        const Hdf5File file(H5Fopen(half.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
        return H5Adelete_by_name(file.id(), "summary", "step", H5P_DEFAULT);
    };
    ASSERT_GE(remove_step(), 0);
    GrowingResult::replace(half, result.copy);
    EXPECT_NE(refusal([&] { served.manifest(); }).find("summary/step cannot be read"), std::string::npos);
    GrowingResult::replace(result.file, result.copy);
    const json manifest = json::parse(served.manifest());
    EXPECT_EQ(manifest["summary"]["end"], "interrupted");
    EXPECT_EQ(manifest["samples"], 2003);
    EXPECT_EQ(manifest["live"], false);
    EXPECT_EQ(manifest["warnings"].size(), 0u);
}

// A file that grows: the manifest follows it, and reports a run that ended without a word.
TEST(ServedResult, FollowsARunThatWasKilled) {
    GrowingResult result;
    result.grow(3);
    ServedResult served(result.copy.path(), {});
    EXPECT_EQ(json::parse(served.manifest())["samples"], 3);
    result.grow(2);
    const json manifest = json::parse(served.manifest());
    EXPECT_EQ(manifest["samples"], 5);
    EXPECT_EQ(manifest["live"], false);  // no one writes the copy
    EXPECT_EQ(manifest["summary"]["t"], 0.1);
    EXPECT_TRUE(manifest["summary"]["worst_residual"].is_null());
    EXPECT_NE(manifest["warnings"].dump().find("did not end in order"), std::string::npos);
}

}  // namespace
}  // namespace saltus
