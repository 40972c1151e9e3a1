#include "saltus/io/result/frames.hpp"

#include <algorithm>

namespace saltus {

std::vector<Index> frame_samples(const ResultView& view, Index most) {
    const Index samples = view.result().samples();
    std::vector<Index> result;
    if (samples <= most) {
        for (Index k = 0; k < samples; ++k) result.push_back(k);
        return result;
    }
    const double first = view.result().time(0), last = view.result().time(samples - 1);
    for (Index k = 0; k < most; ++k) {
        const double t = first + (last - first) * static_cast<double>(k) / static_cast<double>(most - 1);
        const Index sample = k == most - 1 ? samples - 1 : std::min(view.sample_at(t), samples - 1);
        if (result.empty() || sample > result.back()) result.push_back(sample);
    }
    return result;
}

void ExtentMeter::Bounds::add(const Eigen::Vector3d& centre, const Eigen::Vector3d& half_extent) {
    if (!centre.allFinite() || !half_extent.allFinite()) return;
    low = low.cwiseMin(centre - half_extent);
    high = high.cwiseMax(centre + half_extent);
}

void ExtentMeter::add(const Frame& frame) {
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
        const Shape& shape = scene_.bodies[k].shape;
        (std::holds_alternative<Plane>(shape) ? planes_ : bodies_)
            .add(frame.bodies[k].position, half_extent(shape, frame.bodies[k]));
    }
    for (const ContactForce& contact : frame.contacts) {
        bodies_.add(contact.point, Eigen::Vector3d::Zero());
        if (const double size = contact.force.norm(); size > 0.0 && std::isfinite(size)) forces_.push_back(size);
    }
}

SceneExtent ExtentMeter::extent() const {
    const Bounds& bounds = bodies_.is_empty() ? planes_ : bodies_;
    SceneExtent result;
    if (!bounds.is_empty()) {
        result.low = bounds.low;
        result.high = bounds.high;
    }
    if (!forces_.empty()) {
        std::vector<double> sorted = forces_;
        const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(sorted.size() - 1));
        std::nth_element(sorted.begin(), place, sorted.end());
        result.largest_force = *place;
    }
    return result;
}

SceneExtent scene_extent(const ResultView& view) {
    constexpr Index enough = 200;
    ExtentMeter meter(view.scene());
    Frame frame;
    for (const Index sample : frame_samples(view, enough)) {
        view.read_frame(sample, frame);
        meter.add(frame);
    }
    return meter.extent();
}

}  // namespace saltus
