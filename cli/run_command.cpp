#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/export.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_options.hpp"
#include "cli/progress.hpp"
#include "cli/report_page.hpp"
#include "saltus/core/check.hpp"
#include "saltus/integrators/scheme_choice.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/io/problem/problem_file.hpp"

namespace saltus::cli {

namespace {

struct RunArguments {
    ModelOptions model{};
    std::string output{}, csv{}, on_failure = "stop";
    std::optional<std::string> step{}, t_end{};  // numbers or expressions
    bool is_quiet = false, has_report = false;
};

OnFailure on_failure(const std::string& name) {
    const std::optional<OnFailure> known = on_failure_of(name);
    require(known.has_value(), "--on-failure is '{}'; it must be stop, continue or retry", name);
    return *known;
}

class RunCommand {
public:
    explicit RunCommand(const RunArguments& arguments)
        : arguments_(arguments), file_(arguments.model.read()), options_(file_.simulation) {
        if (arguments.step) options_.step = number_of(*arguments.step, "--step");
        if (arguments.t_end) options_.t_end = number_of(*arguments.t_end, "--t-end");
        options_.on_failure = on_failure(arguments.on_failure);
        output_ = arguments.output.empty() ? std::filesystem::path(arguments.model.file).stem().concat(".h5")
                                           : std::filesystem::path(arguments.output);
        options_.check(file_.t0());
        check_paths();
    }

    ExitCode run() {
        choose();
        const InterruptGuard guard;
        std::optional<CsvWriter> csv;
        const ResultNames names =
            std::visit([&](const auto& model) { return result_names(model, *options_.scheme); }, file_.model);
        if (!arguments_.csv.empty()) csv.emplace(arguments_.csv, names.channels);
        const ExitCode code = simulate(names);
        if (csv) {
            export_csv(ResultReader(output_), *csv);
            say("samples as text in {}\n", arguments_.csv);
        }
        if (arguments_.has_report) make_report(output_, page_of(output_), {}, arguments_.is_quiet);
        return code;
    }

private:
    template <class... Args>
    void say(fmt::format_string<Args...> text, Args&&... args) const {
        if (!arguments_.is_quiet) fmt::print(text, std::forward<Args>(args)...);
    }

    // Results must not go where the model is, nor both to the same place.
    void check_paths() const {
        require(!is_same_file(output_, arguments_.model.file), "-o {}: that is the model; name another file",
                output_.string());
        require(arguments_.csv.empty() ||
                    (!is_same_file(arguments_.csv, arguments_.model.file) && !is_same_file(arguments_.csv, output_)),
                "--csv {}: that is the model or the result file; name another file", arguments_.csv);
        require(!arguments_.has_report || !is_same_file(page_of(output_), output_),
                "--report: the page would have the name of the result, {}; give the result another ending",
                output_.string());
    }

    void choose() {
        say("{}{}{}\n", file_.name(), file_.description.empty() ? "" : ": ", file_.description);
        std::visit([&](const auto& model) { choose(model); }, file_.model);
    }

    void choose(const Model& model) {
        const Diagnosis diagnosis = diagnose(model);
        if (options_.scheme) {
            say("scheme: {}\n", describe(*options_.scheme));
        } else {
            SchemeChoice choice = choose_scheme(model, diagnosis);
            say("scheme: {} ({})\n", describe(choice.scheme), choice.reason);
            options_.scheme = std::move(choice.scheme);
        }
        // What the scheme cannot do is refused before a file is touched.
        make_stepper(model, *options_.scheme, options_.step);
        if (arguments_.is_quiet) return;
        std::fflush(stdout);
        for (const std::string& warning : warnings(model, diagnosis, *options_.scheme))
            fmt::print(stderr, "warning: {}\n", warning);
    }

    void choose(const LagrangianModel& model) {
        options_.scheme = options_.scheme_for(model);
        say("scheme: {}\n", describe(*options_.scheme));
        // What the scheme cannot do is refused before a file is touched.
        const LagrangianStepper stepper = make_stepper(model, *options_.scheme, options_.step);
        if (arguments_.is_quiet) return;
        std::fflush(stdout);
        LagrangianState state;
        std::visit([&](const auto& s) { s.read(state); }, stepper);
        for (const std::string& warning : start_warnings(model, state)) fmt::print(stderr, "warning: {}\n", warning);
    }

    ExitCode simulate(const ResultNames& names) {
        RunSummary summary{.name = file_.name(), .scheme = describe(*options_.scheme), .end = "running"};
        summary.settings = fmt::format("{}", fmt::join(arguments_.model.settings, ", "));
        const double t0 = file_.t0();
        summary.step = (options_.t_end - t0) / static_cast<double>(options_.step_count(t0));
        summary.t_end = options_.t_end;
        ResultWriter writer(output_, names, file_.text, summary);
        std::filesystem::remove(failed_step_file());  // of the result that this one replaces
        Progress progress(t0, options_.t_end, arguments_.is_quiet);
        double flushed = 0.0;
        const Observer observer{.begins = [&](const Placement& placement) { writer.begins(placement); },
                                .sample = [&](const Sample& sample) { writer.sample(sample); },
                                .switched = [&](const Switch& change) { writer.switched(change); },
                                .impact = [&](const Impact& impact) { writer.impact(impact); },
                                .event = [&](const Event& event) { writer.event(event); },
                                .failed = [&](const FailedStep& failure) { note(failure, writer); },
                                .goes_on =
                                    [&](double t, long) {
                                        progress.show(t);
                                        if (progress.seconds() > flushed + 1.0) {
                                            writer.flush();
                                            flushed = progress.seconds();
                                        }
                                        return !InterruptGuard::is_interrupted();
                                    }};
        const RunReport report =
            std::visit([&](const auto& model) { return options_.run(model, observer); }, file_.model);
        summary.seconds = progress.seconds();
        summarise(report, summary);
        writer.finish(summary);
        return conclude(report, summary);
    }

    // The first problem that could not be solved is kept for `saltus solve`. Not every failed step has one: a gap that
    // is not a number, or events that do not end, leave nothing to solve again.
    void note(const FailedStep& failure, ResultWriter& writer) {
        writer.failed(failure);
        if (!problem_file_.empty()) return;
        const std::optional<Problem> problem = to_file_problem(failure.problem);
        if (!problem) return;
        problem_file_ = failed_step_file();
        write_problem(problem_file_, *problem);
    }
    std::filesystem::path failed_step_file() const {
        return std::filesystem::path(output_).replace_extension().concat("-failed-step.dat");
    }

    static std::string counted(long count, std::string_view one, std::string_view many) {
        return fmt::format("{} {}", count, count == 1 ? one : many);
    }

    ExitCode conclude(const RunReport& report, const RunSummary& summary) const {
        const bool is_mechanical = std::holds_alternative<LagrangianModel>(file_.model);
        say("{} steps to t = {:.12g}, {}{}, worst residual {:.1e}, {}\n", report.steps, report.t,
            is_mechanical ? counted(report.impacts, "impact", "impacts") + ", " : "",
            counted(report.switches, "switch", "switches"), report.worst_residual, duration(summary.seconds));
        if (report.events.total() > 0) say("events: {}\n", report.events.text());
        say("results in {}\n", output_.string());
        tell_lengths(report);
        std::fflush(stdout);
        if (report.retried > 0) say("steps that were divided to be solved: {}\n", report.retried);
        if (report.unsolved > 0)
            fmt::print(stderr, "saltus: steps taken though not solved: {}; the results after the first are wrong\n",
                       report.unsolved);
        if (report.end == RunReport::End::failed) fmt::print(stderr, "saltus: {}\n", summary.message);
        if (!problem_file_.empty())
            fmt::print(stderr, "saltus: the problem is saved: saltus solve{} {}\n",
                       std::holds_alternative<LagrangianModel>(file_.model) ? "" : " --kind relay",
                       problem_file_.string());
        if (report.end == RunReport::End::interrupted) {
            fmt::print(stderr, "saltus: interrupted at t = {:.12g}; what was computed is kept\n", report.t);
            return interrupted;
        }
        return report.end == RunReport::End::failed || report.unsolved > 0 ? not_solved : solved;
    }

    // For steps of automatic length.
    void tell_lengths(const RunReport& report) const {
        if (report.refused > 0)
            say("shortest step {:.3g}; {} were too long and were divided in two\n", report.shortest, report.refused);
        if (report.forced > 0)
            fmt::print(stderr,
                       "saltus: {} of the shortest steps have a larger error than the tolerance: lower min_step or "
                       "raise tolerance\n",
                       report.forced);
    }

    RunArguments arguments_;
    ModelFile file_;
    TimeStepping options_;
    std::filesystem::path output_, problem_file_;
};

}  // namespace

Command add_run(CLI::App& app) {
    const auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("run", "Simulate a model");
    arguments->model.add_to(*command);
    command->add_option("-o,--output", arguments->output, "The result file (HDF5); MODEL.h5 here if not given");
    command->add_option("--step", arguments->step, "Length of the steps, instead of the model's");
    command->add_option("--t-end", arguments->t_end, "The end, instead of the model's");
    command->add_option("--csv", arguments->csv, "Write the samples to this file too, as text");
    command->add_option("--on-failure", arguments->on_failure,
                        "What to do with a step that cannot be solved: stop (if not given), continue with the last "
                        "point of the solver, or retry with shorter steps");
    command->add_flag("--report", arguments->has_report, "Write the page of saltus report too, beside the result");
    command->add_flag("--quiet", arguments->is_quiet, "Print errors only");
    command->footer(
        "Exit code: 0 the end was reached, 1 a step could not be solved, 2 bad input, or output that cannot be "
        "written, "
        "130 interrupted; what was computed is kept.");
    return {command, [arguments] { return RunCommand(*arguments).run(); }};
}

}  // namespace saltus::cli
