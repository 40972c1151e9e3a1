#include "saltus/simulation/maps.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// Only impacts and the last state are recorded.
constexpr long no_samples = std::numeric_limits<long>::max();

template <class AnyModel>
MapPoints stroboscopic(const AnyModel& model, TimeStepping options, double period, const MapRun& run) {
    require(period > 0.0 && std::isfinite(period), "stroboscopic map: the period is {}; it must be positive", period);
    options.check(model.t0);
    const double turns = std::floor((options.t_end - model.t0) / period * (1.0 + 1e-12));
    require(turns >= 1.0, "stroboscopic map: the run ends after {}, before the period {} is over",
            options.t_end - model.t0, period);
    // At least two steps per period: the parts of single steps would be sampled too, if the scheme divides them.
    options.record_every = std::max(2L, static_cast<long>(std::ceil(period / options.step * (1.0 - 1e-12))));
    options.step = period / static_cast<double>(options.record_every);
    options.t_end = model.t0 + turns * period;
    options.scheme = options.scheme_for(model);
    MapPoints result;
    result.points.channels = channel_names(model, *options.scheme);
    const double from = run.from - 0.5 * options.step;
    result.report = options.run(model, {.sample =
                                            [&](const Sample& sample) {
                                                if (sample.t >= from) result.points.add(sample);
                                            },
                                        .goes_on = run.goes_on});
    return result;
}

// Finds where a channel passes the value of a section.
class Crossings {
public:
    Crossings(const Section& section, double from, Trajectory& points)
        : section_(section), from_(from), points_(points) {
        const auto found = std::find(points.channels.begin(), points.channels.end(), section.channel);
        if (found == points.channels.end()) points.channel(section.channel);  // throws, with the nearest name
        channel_ = static_cast<std::size_t>(found - points.channels.begin());
    }

    void see(const Sample& sample) {
        const double height = sample.values[channel_] - section_.value;
        if (!last_.empty() && last_height_ < 0.0 && height >= 0.0 && sample.t >= from_) add(sample, height);
        last_.assign(sample.values.begin(), sample.values.end());
        last_height_ = height;
        last_t_ = sample.t;
    }

private:
    void add(const Sample& sample, double height) {
        const double part = -last_height_ / (height - last_height_);
        for (std::size_t i = 0; i < last_.size(); ++i) last_[i] += part * (sample.values[i] - last_[i]);
        points_.add({last_t_ + part * (sample.t - last_t_), last_});
    }

    const Section& section_;
    double from_;
    Trajectory& points_;
    std::size_t channel_;
    std::vector<double> last_;
    double last_height_ = 0.0, last_t_ = 0.0;
};

template <class AnyModel>
MapPoints poincare(const AnyModel& model, TimeStepping options, const Section& section, const MapRun& run) {
    options.record_every = 1;
    options.scheme = options.scheme_for(model);
    MapPoints result;
    result.points.channels = channel_names(model, *options.scheme);
    Crossings crossings(section, run.from, result.points);
    result.report =
        options.run(model, {.sample = [&](const Sample& sample) { crossings.see(sample); }, .goes_on = run.goes_on});
    return result;
}

}  // namespace

MapPoints stroboscopic_map(const Model& model, TimeStepping options, double period, const MapRun& run) {
    return stroboscopic(model, std::move(options), period, run);
}
MapPoints stroboscopic_map(const LagrangianModel& model, TimeStepping options, double period, const MapRun& run) {
    return stroboscopic(model, std::move(options), period, run);
}

MapPoints poincare_map(const Model& model, const TimeStepping& options, const Section& section, const MapRun& run) {
    return poincare(model, options, section, run);
}
MapPoints poincare_map(const LagrangianModel& model, const TimeStepping& options, const Section& section,
                       const MapRun& run) {
    return poincare(model, options, section, run);
}

MapPoints impact_map(const LagrangianModel& model, TimeStepping options, const MapRun& run) {
    options.record_every = no_samples;
    MapPoints result;
    result.report = options.run(model, {.impact =
                                            [&](const Impact& impact) {
                                                if (impact.t >= run.from) result.points.impacts.push_back(impact);
                                            },
                                        .goes_on = run.goes_on});
    return result;
}

}  // namespace saltus
