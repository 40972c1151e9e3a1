#include "saltus/simulation/trajectory.hpp"

#include <algorithm>

#include "saltus/core/check.hpp"
#include "saltus/core/nearest_name.hpp"

namespace saltus {

Eigen::VectorXd Trajectory::channel(const std::string& name) const {
    const auto found = std::find(channels.begin(), channels.end(), name);
    const std::string near = nearest_name(name, channels);
    require(found != channels.end(), "there is no channel '{}'{}", name,
            near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    Eigen::VectorXd result(samples());
    for (Index k = 0; k < samples(); ++k) result[k] = value(k, found - channels.begin());
    return result;
}

void Trajectory::reserve(long samples) {
    const auto count = static_cast<std::size_t>(std::min(samples, 1000000L));
    times.reserve(count);
    values.reserve(count * channels.size());
}

void Trajectory::add(const Sample& sample) {
    times.push_back(sample.t);
    values.insert(values.end(), sample.values.begin(), sample.values.end());
}

}  // namespace saltus
