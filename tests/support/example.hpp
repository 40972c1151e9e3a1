#pragma once

#include "saltus/io/model/model_file.hpp"
#include "saltus/simulation/time_stepping.hpp"

namespace saltus::testing {

inline std::filesystem::path example_path(const std::string& name) {
    return std::filesystem::path(SALTUS_EXAMPLES) / (name + ".toml");
}

// The run of an example, with other parameters, another step or another end if given.
struct Example {
    ModelFile file;
    Simulation run;

    explicit Example(const std::string& name, const ParameterValues& values = {}, double step = 0.0, double t_end = 0.0)
        : file(read_model_file(example_path(name), values)) {
        if (step > 0.0) file.simulation.step = step;
        if (t_end > 0.0) file.simulation.t_end = t_end;
        run = std::visit([&](const auto& model) { return simulate(model, file.simulation); }, file.model);
    }
    Eigen::VectorXd operator[](const std::string& channel) const { return run.trajectory.channel(channel); }
    Eigen::ArrayXd t() const {
        return Eigen::Map<const Eigen::ArrayXd>(run.trajectory.times.data(), run.trajectory.samples());
    }
    // The value of a channel at the sample nearest to t.
    double at(double t, const std::string& channel) const {
        Index nearest = 0;
        (this->t() - t).abs().minCoeff(&nearest);
        return (*this)[channel][nearest];
    }
    const std::vector<Impact>& impacts() const { return run.trajectory.impacts; }
};

inline double last(const Eigen::VectorXd& values) { return values[values.size() - 1]; }

}  // namespace saltus::testing
