#include <algorithm>
#include <cmath>

#include "saltus/view/manifest.hpp"
#include "saltus/view/page_data.hpp"

namespace saltus {

namespace {

constexpr std::size_t pose_size = 8;
std::array<double, pose_size> numbers(const Pose& pose) {
    const auto& q = pose.rotation;
    return {pose.position.x(), pose.position.y(), pose.position.z(), q.x(), q.y(), q.z(), q.w(), pose.length};
}

// A number of a pose over the frames, as whole numbers from its least value to its largest: finer than any screen.
struct Quantised {
    static constexpr std::uint16_t missing = 65535;  // not a number
    double low = 0.0, step = 0.0;                    // 0 where it is the same in all frames
    std::vector<std::uint16_t> differences{};

    explicit Quantised(const std::vector<double>& values) {
        double least = std::numeric_limits<double>::infinity(), largest = -least;
        for (const double x : values)
            if (std::isfinite(x)) least = std::min(least, x), largest = std::max(largest, x);
        const bool is_whole = std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
        if (is_whole && least == largest) return;
        low = std::isfinite(least) ? least : 0.0;
        step = largest > least ? (largest - least) / (missing - 1) : 1.0;
        std::uint16_t before = 0;
        for (const double x : values) {
            const auto code = std::isfinite(x) ? static_cast<std::uint16_t>(std::lround((x - low) / step)) : missing;
            differences.push_back(static_cast<std::uint16_t>(code - before));
            before = code;
        }
    }
};

// `poses`: frame by frame.
void add_poses(const std::vector<double>& poses, std::size_t frames, PageBlocks& blocks) {
    const std::size_t width = poses.size() / frames;
    std::vector<std::int32_t> moving;
    std::vector<double> lows, steps, values(frames);
    std::vector<std::uint16_t> codes;
    for (std::size_t c = 0; c < width; ++c) {
        for (std::size_t k = 0; k < frames; ++k) values[k] = poses[k * width + c];
        const Quantised quantised(values);
        if (quantised.step == 0.0) continue;
        moving.push_back(static_cast<std::int32_t>(c));
        lows.push_back(quantised.low);
        steps.push_back(quantised.step);
        codes.insert(codes.end(), quantised.differences.begin(), quantised.differences.end());
    }
    const std::vector<float> rest(poses.begin(), poses.begin() + static_cast<std::ptrdiff_t>(width));
    blocks.add("poses-rest", rest, {width / pose_size, pose_size});
    blocks.add("poses-moving", moving, {moving.size()});
    lows.insert(lows.end(), steps.begin(), steps.end());
    blocks.add("poses-scale", lows, {2, moving.size()});
    blocks.add("poses", codes, {moving.size(), frames}, true);
}

// How many numbers of the poses change, judged from some frames.
std::size_t moving_numbers(const ResultView& view) {
    constexpr Index tried = 8;
    std::vector<double> first;
    std::vector<char> is_moving;
    Frame frame;
    for (const Index sample : frame_samples(view, tried)) {
        view.read_frame(sample, frame);
        std::vector<double> here;
        for (const Pose& pose : frame.bodies)
            for (const double x : numbers(pose)) here.push_back(x);
        if (first.empty()) first = here;
        is_moving.resize(here.size());
        for (std::size_t k = 0; k < here.size(); ++k) is_moving[k] |= here[k] != first[k];
    }
    return static_cast<std::size_t>(std::ranges::count(is_moving, 1));
}

// So many frames as take this room: two bytes for what moves; a contact has point, force and state.
Index most_frames(const ResultView& view, double bytes) {
    constexpr Index enough = 3000;
    const double frame = 2.0 * static_cast<double>(moving_numbers(view)) +
                         25.0 * static_cast<double>(view.scene().contacts.size()) + 8.0;
    return static_cast<Index>(std::clamp(bytes / frame, 2.0, static_cast<double>(enough)));
}

}  // namespace

void add_scene(const ResultView& view, double bytes, nlohmann::json& manifest, PageBlocks& blocks) {
    const Scene& scene = view.scene();
    if (scene.is_empty() || view.result().samples() == 0) return;
    ExtentMeter meter(scene);
    std::vector<double> times, poses;
    std::vector<float> points, forces;
    std::vector<std::uint8_t> states;
    Frame frame;
    for (const Index sample : frame_samples(view, most_frames(view, bytes))) {
        view.read_frame(sample, frame);
        meter.add(frame);
        times.push_back(frame.t);
        for (const Pose& pose : frame.bodies)
            for (const double x : numbers(pose)) poses.push_back(x);
        for (const ContactForce& contact : frame.contacts) {
            for (const double x : contact.point) points.push_back(static_cast<float>(x));
            for (const double x : contact.force) forces.push_back(static_cast<float>(x));
            states.push_back(static_cast<std::uint8_t>(contact.state));
        }
    }
    add_poses(poses, times.size(), blocks);
    const std::size_t contacts = scene.contacts.size();
    blocks.add("contacts-points", points, {times.size(), contacts, 3});
    blocks.add("contacts-forces", forces, {times.size(), contacts, 3});
    blocks.add("contacts-states", states, {times.size(), contacts});
    manifest["scene"] = scene_of(view, times, meter.extent());
}

}  // namespace saltus
