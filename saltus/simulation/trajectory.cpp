#include "saltus/simulation/trajectory.hpp"

#include <algorithm>

#include "saltus/core/check.hpp"
#include "saltus/core/nearest_name.hpp"

namespace saltus {

std::vector<std::string> channel_names(const Model& model, bool measures) {
    std::vector<std::string> names;
    for (const FirstOrderSystem& system : model.systems)
        for (Index i = 0; i < system.x0.size(); ++i) names.push_back(fmt::format("{}.x[{}]", system.name, i));
    for (const std::string_view kind : {measures ? "sigma" : "lambda", "y"})
        for (const Interaction& interaction : model.interactions)
            for (Index i = 0; i < interaction.rows(); ++i)
                names.push_back(fmt::format("{}.{}[{}]", interaction.name, kind, i));
    return names;
}

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

void Trajectory::add(const State& state) {
    times.push_back(state.t);
    for (const Eigen::VectorXd* part : {&state.x, &state.lambda, &state.y})
        values.insert(values.end(), part->data(), part->data() + part->size());
}

}  // namespace saltus
