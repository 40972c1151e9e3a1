#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_options.hpp"
#include "cli/progress.hpp"
#include "cli/sweep_file.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/nearest_name.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/simulation/maps.hpp"

namespace saltus::cli {

namespace {

struct SweepArguments {
    ModelOptions model{};
    std::vector<std::string> vary{};
    std::string record = "final", output{}, section{};
    std::optional<std::string> period{}, transient{}, step{}, t_end{};
    int threads = 0;
    bool is_quiet = false;
};

// "rpm=100:1000:500": 500 values from 100 to 1000.
struct Axis {
    std::string name{};
    double first = 0.0, last = 0.0;
    long count = 1;

    explicit Axis(const std::string& text) {
        const auto refuse = [&] {
            throw InvalidInput(fmt::format("--vary {}: write name=first:last:count, as in rpm=100:1000:500", text));
        };
        const std::size_t equals = text.find('=');
        const std::size_t one = text.find(':'), two = one == std::string::npos ? one : text.find(':', one + 1);
        if (equals == std::string::npos || equals == 0 || two == std::string::npos || equals > one) refuse();
        name = text.substr(0, equals);
        const std::string where = "--vary " + text;
        first = number_of(text.substr(equals + 1, one - equals - 1), where);
        last = number_of(text.substr(one + 1, two - one - 1), where);
        const double number = number_of(text.substr(two + 1), where);
        if (!(number >= 1.0 && number <= 1e9 && number == std::floor(number))) refuse();
        count = static_cast<long>(number);
    }

    double value(long k) const {
        return count == 1 ? first : first + (last - first) * (static_cast<double>(k) / static_cast<double>(count - 1));
    }
};

// The result of one set of values: lines of the table, or why there are none.
struct Outcome {
    std::string lines{}, failure{};
    bool is_complete = false;
    long forced = 0;  // steps that are too long, but the shortest
};

class SweepCommand {
public:
    explicit SweepCommand(const SweepArguments& arguments) : arguments_(arguments) {
        require(!arguments.vary.empty(), "sweep: nothing is varied; give --vary name=first:last:count");
        for (const std::string& text : arguments.vary) axes_.emplace_back(text);
        for (const Axis& axis : axes_) count_ *= axis.count;
        const std::vector<std::string> records{"final", "stroboscopic", "poincare", "impact-map"};
        if (std::ranges::count(records, arguments.record) == 0) {
            const std::string near = nearest_name(arguments.record, records);
            throw InvalidInput(fmt::format("--record is '{}'; {}", arguments.record,
                                           near.empty() ? fmt::format("it must be {}", fmt::join(records, ", "))
                                                        : fmt::format("did you mean '{}'?", near)));
        }
        require(arguments.record != "stroboscopic" || arguments.period,
                "--record stroboscopic: give --period, an expression of the parameters, as in 60/rpm");
        require((arguments.record == "poincare") == !arguments.section.empty(),
                "--record poincare and --section channel=value belong together");
        require(arguments.threads >= 0, "--threads is {}; it must be 1 or more", arguments.threads);
        output_ = arguments.output.empty() ? std::filesystem::path(arguments.model.file).stem().concat("-sweep.csv")
                                           : std::filesystem::path(arguments.output);
    }

    ExitCode run() {
        const InterruptGuard guard;
        SweepFile file(output_, header(), columns());
        if (file.done() > 0) say("{}: continues after {} of {} values\n", output_.string(), file.done(), count_);
        Progress progress(0.0, static_cast<double>(count_), arguments_.is_quiet, "value");
        const std::size_t threads = arguments_.threads > 0 ? static_cast<std::size_t>(arguments_.threads)
                                                           : std::max(1U, std::thread::hardware_concurrency());
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        long forced = 0;
        std::mutex mutex;
        // Pieces of a few values per thread: results are written as they come, in the order of the values.
        const long piece = 8 * static_cast<long>(threads);
        for (long begin = file.done(); begin < count_ && !InterruptGuard::is_interrupted(); begin += piece) {
            std::vector<Outcome> outcomes(static_cast<std::size_t>(std::min(piece, count_ - begin)));
            long finished = 0;
            tbb::parallel_for(std::size_t{0}, outcomes.size(), [&](std::size_t k) {
                outcomes[k] = compute(begin + static_cast<long>(k));
                const std::lock_guard lock(mutex);
                progress.show(static_cast<double>(begin + ++finished));
            });
            for (const Outcome& outcome : outcomes) {
                if (!outcome.is_complete) break;
                forced += outcome.forced;
                file.add(outcome.lines, outcome.failure);
            }
        }
        if (forced > 0)
            fmt::print(stderr,
                       "saltus: {} steps of the shortest length have a larger error than the tolerance: lower min_step "
                       "or raise tolerance\n",
                       forced);
        return conclude(file.done(), file.failures(), progress.seconds());
    }

private:
    template <class... Args>
    void say(fmt::format_string<Args...> text, Args&&... args) const {
        if (!arguments_.is_quiet) fmt::print(text, std::forward<Args>(args)...);
    }

    std::vector<double> values_of(long k) const {
        std::vector<double> values(axes_.size());
        for (std::size_t i = axes_.size(); i-- > 0; k /= axes_[i].count) values[i] = axes_[i].value(k % axes_[i].count);
        return values;
    }

    ParameterValues parameters(long k) const {
        ParameterValues result;
        const std::vector<double> values = values_of(k);
        for (std::size_t i = 0; i < axes_.size(); ++i) result.emplace_back(axes_[i].name, values[i]);
        return result;
    }

    // A number, or an expression of the parameters of the model.
    double number(const std::string& text, const ModelFile& file, const std::string& where) const {
        const Expressions value({text}, {.variables = {}, .constants = file.parameters}, where);
        Eigen::VectorXd scratch(value.scratch_size());
        double result = 0.0;
        value.evaluate(nullptr, &result, scratch.data());
        return result;
    }

    TimeStepping options_of(const ModelFile& file) const {
        TimeStepping options = file.simulation;
        if (arguments_.step) options.step = number(*arguments_.step, file, "--step");
        if (arguments_.t_end) options.t_end = number(*arguments_.t_end, file, "--t-end");
        return options;
    }

    // The names of the columns, of the first set of values.
    std::vector<std::string> columns() const {
        std::vector<std::string> result;
        for (const Axis& axis : axes_) result.push_back(axis.name);
        const ModelFile file = arguments_.model.read(parameters(0));
        const TimeStepping checked = options_of(file);
        checked.check(file.t0());
        std::visit([&](const auto& model) { make_stepper(model, checked.scheme_for(model), checked.step); },
                   file.model);
        result.push_back("t");
        if (arguments_.period) result.push_back("phase");
        if (arguments_.record == "impact-map") {
            require(std::holds_alternative<LagrangianModel>(file.model),
                    "--record impact-map: a first-order model has no impacts; take stroboscopic or poincare");
            for (const char* name : {"interaction", "before", "after", "percussion"}) result.push_back(name);
            return result;
        }
        const TimeStepping options = options_of(file);
        std::visit(
            [&](const auto& model) {
                for (std::string& name : channel_names(model, options.scheme_for(model)))
                    result.push_back(std::move(name));
            },
            file.model);
        if (!arguments_.section.empty())
            Trajectory{.channels = {result.begin() + static_cast<long>(axes_.size()) + 1, result.end()}}.channel(
                section().channel);  // throws if there is no such channel
        return result;
    }

    // What the file was made with: it can be continued by the same command only.
    std::string header() const {
        const ModelFile file = arguments_.model.read(parameters(0));
        return fmt::format(
            "saltus sweep {} of {} with [{}], record {}{}{}{}{}{}{}{}, model {:016x}", file.name(),
            fmt::join(arguments_.vary, " "), fmt::join(arguments_.model.settings, " "), arguments_.record,
            option("section", arguments_.section), option("period", arguments_.period.value_or("")),
            option("transient", arguments_.transient.value_or("")), option("step", arguments_.step.value_or("")),
            option("t-end", arguments_.t_end.value_or("")), option("scheme", arguments_.model.scheme.scheme),
            option("tolerance", arguments_.model.scheme.tolerance), std::hash<std::string>{}(file.text));
    }
    static std::string option(std::string_view name, const std::string& value) {
        return value.empty() ? "" : fmt::format(", {} {}", name, value);
    }

    Outcome compute(long k) const {
        if (InterruptGuard::is_interrupted()) return {};
        try {
            const ModelFile file = arguments_.model.read(parameters(k));
            return std::visit([&](const auto& model) { return compute(model, file, values_of(k)); }, file.model);
        } catch (const InvalidInput& error) {
            return {.failure = fmt::format("value {}: {}", fmt::join(values_of(k), ", "), error.what()),
                    .is_complete = true};
        }
    }

    template <class AnyModel>
    Outcome compute(const AnyModel& model, const ModelFile& file, const std::vector<double>& values) const {
        const TimeStepping options = options_of(file);
        const double period = arguments_.period ? number(*arguments_.period, file, "--period") : 0.0;
        require(!arguments_.period || (period > 0.0 && std::isfinite(period)), "--period is {}; it must be positive",
                period);
        const MapRun run{.from = arguments_.transient ? number(*arguments_.transient, file, "--transient") : model.t0,
                         .goes_on = [](double, long) { return !InterruptGuard::is_interrupted(); }};
        const MapPoints points = record(model, options, period, run);
        Outcome outcome;
        outcome.is_complete = points.report.end != RunReport::End::interrupted;
        outcome.forced = points.report.forced;
        const auto line = [&](double t, const std::string& rest) {
            outcome.lines += fmt::format("{},{}", fmt::join(values, ","), t);
            if (period > 0.0) outcome.lines += fmt::format(",{}", phase((t - model.t0) / period));
            outcome.lines += fmt::format(",{}\n", rest);
        };
        const Trajectory& kept = points.points;
        const auto width = kept.channels.size();
        for (std::size_t i = 0; i < kept.times.size(); ++i)
            line(kept.times[i], fmt::format("{}", fmt::join(std::span(kept.values).subspan(i * width, width), ",")));
        for (const Impact& impact : kept.impacts)
            line(impact.t,
                 fmt::format("{},{},{},{}", model.interactions[static_cast<std::size_t>(impact.interaction)].name,
                             impact.before, impact.after, impact.percussion));
        if (points.report.end == RunReport::End::failed)
            outcome.failure = fmt::format("value {}: {}", fmt::join(values, ", "), points.report.failure.reason());
        return outcome;
    }

    // The fraction of a number of turns; rounding must not turn 0 into 1.
    static double phase(double turns) {
        const double part = turns - std::floor(turns);
        return part > 1.0 - 1e-9 ? 0.0 : part;
    }

    template <class AnyModel>
    MapPoints record(const AnyModel& model, const TimeStepping& options, double period, const MapRun& run) const {
        if (arguments_.record == "stroboscopic") return stroboscopic_map(model, options, period, run);
        if (arguments_.record == "poincare") return poincare_map(model, options, section(), run);
        if constexpr (std::is_same_v<AnyModel, LagrangianModel>)
            if (arguments_.record == "impact-map") return impact_map(model, options, run);
        MapRun last = run;
        last.from = options.t_end;
        return stroboscopic_map(model, options, options.t_end - model.t0, last);
    }

    // "follower.v[0]=0"
    Section section() const {
        const std::size_t equals = arguments_.section.find('=');
        require(equals != std::string::npos, "--section {}: write channel=value", arguments_.section);
        return {arguments_.section.substr(0, equals),
                number_of(arguments_.section.substr(equals + 1), "--section " + arguments_.section)};
    }

    ExitCode conclude(long done, long failures, double seconds) const {
        say("{} of {} values, {}\nresults in {}\n", done, count_, duration(seconds), output_.string());
        std::fflush(stdout);
        if (failures > 0)
            fmt::print(stderr, "saltus: {} values failed; the lines of {} that begin with '# failed' say why\n",
                       failures, output_.string());
        if (done < count_) {
            fmt::print(stderr, "saltus: interrupted; the same command continues from there\n");
            return interrupted;
        }
        return failures > 0 ? not_solved : solved;
    }

    SweepArguments arguments_;
    std::vector<Axis> axes_;
    long count_ = 1;
    std::filesystem::path output_;
};

}  // namespace

Command add_sweep(CLI::App& app) {
    const auto arguments = std::make_shared<SweepArguments>();
    CLI::App* command = app.add_subcommand("sweep", "Simulate a model for many values of its parameters");
    arguments->model.add_to(*command);
    command->add_option("--vary", arguments->vary, "name=first:last:count; given twice, all pairs of values")
        ->required()
        ->expected(1)
        ->take_all();
    command->add_option("--record", arguments->record,
                        "What is kept of each run: final (the last state, if not given), stroboscopic (the state once "
                        "a period), poincare (where a channel passes a value), impact-map");
    command->add_option("--period", arguments->period,
                        "Period of the stroboscope, and of the phase: an expression, 60/rpm");
    command->add_option("--section", arguments->section, "Section of poincare: channel=value, passed upwards");
    command->add_option("--transient", arguments->transient, "Nothing is kept before this time");
    command->add_option("--step", arguments->step, "Length of the steps, instead of the model's");
    command->add_option("--t-end", arguments->t_end, "The end, instead of the model's");
    command->add_option("-o,--output", arguments->output, "The table (CSV); MODEL-sweep.csv here if not given");
    command->add_option("--threads", arguments->threads, "All cores if not given");
    command->add_flag("--quiet", arguments->is_quiet, "Print errors only");
    command->footer(
        "Numbers may be expressions of the parameters. A sweep that was interrupted continues when the same\n"
        "command is given again. Exit code: 0 done, 1 some runs failed, 2 bad input, 130 interrupted.");
    return {command, [arguments] { return SweepCommand(*arguments).run(); }};
}

}  // namespace saltus::cli
