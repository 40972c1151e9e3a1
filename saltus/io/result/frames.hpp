#pragma once

#include "saltus/io/result/result_view.hpp"

namespace saltus {

// At most `most` samples for a replay, as far apart in time as possible, including the first and the last.
std::vector<Index> frame_samples(const ResultView& view, Index most);

// What a camera must see, and how long arrows are.
struct SceneExtent {
    Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
    double largest_force = 0.0;  // the 95th percentile of those that are not zero
};

// The extent of some frames, added one by one.
class ExtentMeter {
public:
    explicit ExtentMeter(const Scene& scene) : scene_(scene) {}
    void add(const Frame& frame);
    // Planes count only where there is nothing else: a floor may be large.
    SceneExtent extent() const;

private:
    struct Bounds {
        Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
        void add(const Eigen::Vector3d& centre, const Eigen::Vector3d& half_extent);
        bool is_empty() const { return !(low.array() <= high.array()).all(); }
    };

    const Scene& scene_;
    Bounds bodies_, planes_;
    std::vector<double> forces_;
};

// The extent of the whole run, from some of its frames.
SceneExtent scene_extent(const ResultView& view);

}  // namespace saltus
