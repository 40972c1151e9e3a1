#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/export.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/view_options.hpp"
#include "saltus/core/check.hpp"
#include "saltus/io/file_lock.hpp"
#include "saltus/io/result/frames.hpp"
#include "saltus/render/film.hpp"
#include "saltus/render/gltf_file.hpp"
#include "saltus/render/plot_picture.hpp"
#include "saltus/render/scene_picture.hpp"
#include "saltus/render/vtk_file.hpp"

namespace saltus::cli {

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
    return std::filesystem::weakly_canonical(one) == std::filesystem::weakly_canonical(other);
}

void export_csv(const ResultReader& result, CsvWriter& csv) {
    constexpr Index block = 4096;
    const std::size_t width = result.channels().size();
    std::vector<double> times, values;
    for (Index first = 0; first < result.samples(); first += block) {
        result.read(first, std::min(block, result.samples() - first), times, values);
        for (std::size_t k = 0; k < times.size(); ++k) csv.row(times[k], std::span(values).subspan(k * width, width));
    }
    csv.finish();
}

double film_speed(double duration) {
    const double wanted = duration / 10.0;
    if (!(wanted > 0.0)) return 1.0;
    const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
    double best = decade;
    for (const double factor : {2.0, 5.0, 10.0})
        if (std::abs(std::log(factor * decade / wanted)) < std::abs(std::log(best / wanted))) best = factor * decade;
    return best;
}

namespace {

struct ExportArguments {
    std::string file{}, to{}, output{}, events{};
    std::optional<std::string> size{};
    std::vector<std::string> plots{};
    std::optional<double> frame{}, frames_a_second{}, speed{};
    std::optional<long> every{};

    PictureSize picture_size() const { return size ? parse_size(*size) : PictureSize{}; }
};

struct ExportFormat {
    std::string_view name, ending;
};
constexpr std::array<ExportFormat, 5> formats{
    {{"csv", ".csv"}, {"vtk", ".pvd"}, {"gltf", ".glb"}, {"png", ".png"}, {"mp4", ".mp4"}}};

void check_belongs(bool is_given, const char* option, const std::string& to,
                   const std::vector<std::string>& formats_with) {
    require(!is_given || std::ranges::count(formats_with, to) > 0, "{} belongs to --to {}; leave it out", option,
            fmt::join(formats_with, " and --to "));
}

void check_options(const ExportArguments& arguments) {
    const auto& [file, to, output, events, size, plots, frame, frames_a_second, speed, every] = arguments;
    require(!to.empty() || !events.empty(), "export: give --to csv, vtk, gltf, png or mp4, or --events FILE");
    require(to.empty() || std::ranges::count(formats, to, &ExportFormat::name) > 0,
            "--to is '{}'; it must be csv, vtk, gltf, png or mp4", to);
    require(output.empty() || !to.empty(), "-o {}: give --to too, or leave it out", output);
    check_belongs(every.has_value(), "--every", to, {"vtk", "gltf"});
    check_belongs(!plots.empty(), "--plot", to, {"png"});
    check_belongs(frame.has_value(), "--frame", to, {"png"});
    check_belongs(size.has_value(), "--size", to, {"png", "mp4"});
    check_belongs(frames_a_second.has_value(), "--fps", to, {"mp4"});
    check_belongs(speed.has_value(), "--speed", to, {"mp4"});
    require(plots.empty() || !frame, "--plot and --frame are two pictures; give one of them");
    require(!every || *every >= 1, "--every is {}; it must be 1 or more", every.value_or(1));
    require(!frames_a_second || (*frames_a_second >= 1.0 && *frames_a_second <= 240.0),
            "--fps is {}; it must be from 1 to 240", frames_a_second.value_or(1.0));
    require(!speed || (*speed > 0.0 && std::isfinite(*speed)), "--speed is {}; it must be a number above zero",
            speed.value_or(1.0));
}

std::filesystem::path output_path(const ExportArguments& arguments) {
    const auto format = std::ranges::find(formats, arguments.to, &ExportFormat::name);
    if (!arguments.output.empty() || format == formats.end()) return arguments.output;
    return std::filesystem::path(arguments.file).replace_extension(format->ending);
}

void export_samples(const ResultReader& result, const std::string& output) {
    CsvWriter csv(output, result.channels());
    export_csv(result, csv);
    fmt::print("{}: {} samples of {} channels\n", output, result.samples(), result.channels().size());
}

// t, kind, interaction, row, the state before and the state after.
void export_events(const ResultReader& result, const std::string& output) {
    std::vector<std::string> columns{"kind", "interaction", "row"};
    for (const char* side : {"before", "after"})
        for (const std::string& name : result.states()) columns.push_back(fmt::format("{}.{}", side, name));
    CsvWriter csv(output, columns);
    constexpr Index block = 1024;
    std::vector<double> states;
    for (Index first = 0; first < result.event_count(); first += block)
        for (const Event& event : result.events(first, std::min(block, result.event_count() - first))) {
            states.assign(event.before.begin(), event.before.end());
            states.insert(states.end(), event.after.begin(), event.after.end());
            csv.row(event.t,
                    {to_string(event.kind), result.interactions()[static_cast<std::size_t>(event.interaction)],
                     fmt::format("{}", event.row)},
                    states);
        }
    csv.finish();
    fmt::print("{}: {}\n", output,
               result.event_count() == 0 ? "no events; runs with the scheme event-driven have them"
                                         : result.event_counts().text());
}

void require_scene(const ResultView& view, const ExportArguments& arguments) {
    if (!view.scene().is_empty()) return;
    const std::string reason = view.warnings().empty() ? "" : fmt::format(" ({})", view.warnings().front());
    throw InvalidInput(fmt::format(
        "{}: the model does not say how it is drawn{}; add a table [view.bodies.NAME] to the model file and "
        "run it again, or export --to csv, or --to png, which plots",
        arguments.file, reason));
}

// The times of the first and the last sample.
struct Span {
    double first, last;

    explicit Span(const ResultReader& result) : first(result.time(0)), last(result.time(result.samples() - 1)) {}
    double duration() const { return last - first; }
    // With the decimals that tell frames of the run apart.
    std::string text(double t) const {
        const double digits = duration() > 0.0 ? 3.0 - std::floor(std::log10(duration())) : 3.0;
        return fmt::format("{:.{}f}", t, static_cast<int>(std::clamp(digits, 0.0, 12.0)));
    }
};

std::string title_of(const ResultView& view, const ExportArguments& arguments) {
    const std::string name = view.result().summary().name;
    return name.empty() ? std::filesystem::path(arguments.file).stem().string() : name;
}

// Every n-th sample to a writer of frames; nothing is kept if that is interrupted.
template <class Writer>
ExitCode export_frames(const ResultView& view, const ExportArguments& arguments, Writer& writer,
                       const std::string& output) {
    constexpr Index most = 1000;
    const Index samples = view.result().samples(), every = arguments.every.value_or((samples + most - 1) / most);
    const Span span(view.result());
    const InterruptGuard guard;
    Index count = 0;
    {
        Progress progress(span.first, span.last, false);
        Frame frame;
        for (Index k = 0; k < samples && !InterruptGuard::is_interrupted(); k += every, ++count) {
            view.read_frame(k, frame);
            writer.frame(frame);
            progress.show(frame.t);
        }
    }
    if (InterruptGuard::is_interrupted()) {
        fmt::print(stderr, "interrupted: {} is not written\n", output);
        return interrupted;
    }
    writer.finish();
    fmt::print("{}: {} of {} samples{}\n", output, count, samples, every == 1 ? "" : "; --every 1 writes all");
    return solved;
}

Index nearest_sample(const ResultView& view, double t) {
    const ResultReader& result = view.result();
    const Index after = std::min(view.sample_at(t), result.samples() - 1);
    return after > 0 && t - result.time(after - 1) <= result.time(after) - t ? after - 1 : after;
}

std::string caption(const Span& span, double t, const std::string& title) {
    return fmt::format("t = {}      {}", span.text(t), title);
}

void export_frame(const ResultView& view, const ExportArguments& arguments, const std::string& output) {
    const Span span(view.result());
    const double t = arguments.frame.value_or(span.last), slack = 1e-9 * span.duration();
    require(t >= span.first - slack && t <= span.last + slack, "--frame is {}; the run is from t = {} to {}", t,
            span.first, span.last);
    ScenePainter painter(view.scene(), scene_extent(view), arguments.picture_size());
    Frame frame;
    view.read_frame(nearest_sample(view, t), frame);
    write_png(output, painter.paint(frame, caption(span, frame.t, title_of(view, arguments))));
    fmt::print("{}: the scene at t = {}\n", output, frame.t);
}

PlotChoice chosen_plot(const ResultView& view, const std::string& text) {
    const std::vector<std::string> names = names_in(text, "--plot");
    PlotChoice plot{.title = fmt::format("{}", fmt::join(names, ", "))};
    for (const std::string& name : names) plot.columns.push_back(view.column(name));
    return plot;
}

std::vector<PlotChoice> chosen_plots(const ResultView& view, const std::vector<std::string>& texts) {
    std::vector<PlotChoice> plots;
    for (const std::string& text : texts) {
        const std::vector<PlotChoice> more =
            text == "default" ? view.default_plots() : std::vector{chosen_plot(view, text)};
        plots.insert(plots.end(), more.begin(), more.end());
    }
    return plots;
}

void export_plot(const ResultView& view, const ExportArguments& arguments, const std::string& output) {
    const RunSummary summary = view.result().summary();
    const Span span(view.result());
    const std::vector<PlotChoice> plots =
        chosen_plots(view, arguments.plots.empty() ? std::vector<std::string>{"default"} : arguments.plots);
    const PictureSize size = arguments.size ? arguments.picture_size() : comfortable_size(plots.size());
    PlotPage page{.title = title_of(view, arguments), .subtitle = summary.scheme};
    if (!summary.settings.empty()) page.subtitle += "      " + summary.settings;
    page.t_first = span.first;
    page.t_last = span.duration() > 0.0 ? span.last : span.first + 1.0;
    for (const Impact& impact : view.result().impacts()) page.impacts.push_back(impact.t);
    for (const PlotChoice& plot : plots) {
        PlotPanel panel{.title = plot.title};
        for (const Index column : plot.columns)
            panel.names.push_back(view.columns()[static_cast<std::size_t>(column)].name);
        panel.curves = view.read_extremes(plot.columns, 0, view.result().samples(), 2 * size.width);
        page.panels.push_back(std::move(panel));
    }
    write_png(output, draw_plot(page, size));
    fmt::print("{}: {} plot{}\n", output, page.panels.size(), page.panels.size() == 1 ? "" : "s");
}

// The frames written before an interrupt make a film too.
ExitCode export_film(const ResultView& view, const ExportArguments& arguments, const std::string& output) {
    const Span span(view.result());
    const double rate = arguments.frames_a_second.value_or(30.0),
                 speed = arguments.speed.value_or(film_speed(span.duration())),
                 frames = std::floor(span.duration() / speed * rate * (1.0 + 1e-12)) + 1.0;
    require(frames <= 1e6, "the film would have {:.3g} frames; give a larger --speed than {}", frames, speed);
    FilmWriter film(output, arguments.picture_size(), rate);
    ScenePainter painter(view.scene(), scene_extent(view), arguments.picture_size());
    const InterruptGuard guard;
    const std::string title = title_of(view, arguments);
    double done = 0.0;
    {
        Progress progress(0.0, frames, false, "frame");
        Frame frame;
        for (; done < frames && !InterruptGuard::is_interrupted(); ++done) {
            const double t = span.first + done * speed / rate;
            view.read_frame(nearest_sample(view, t), frame);
            film.frame(painter.paint(frame, caption(span, frame.t, title)));
            progress.show(done);
        }
    }
    if (done == 0.0) return interrupted;
    film.finish();
    fmt::print("{}: {}{} frames, {:.3g} s; a second shows {} of the time of the model\n", output,
               InterruptGuard::is_interrupted() ? "interrupted after " : "", done, done / rate, speed);
    return InterruptGuard::is_interrupted() ? interrupted : solved;
}

ExitCode export_view(const ResultReader& result, const ExportArguments& arguments, const std::string& output) {
    require(result.samples() > 0, "{}: has no samples; there is nothing to export", arguments.file);
    const ResultView view(result);
    const std::string& to = arguments.to;
    if (to == "png" && !arguments.frame && (view.scene().is_empty() || !arguments.plots.empty())) {
        export_plot(view, arguments, output);
        return solved;
    }
    require_scene(view, arguments);
    if (to == "vtk") {
        VtkWriter writer(output, view.scene());
        return export_frames(view, arguments, writer, output);
    }
    if (to == "gltf") {
        GltfWriter writer(output, view.scene(), title_of(view, arguments));
        return export_frames(view, arguments, writer, output);
    }
    if (to == "mp4") return export_film(view, arguments, output);
    export_frame(view, arguments, output);
    return solved;
}

ExitCode run(const ExportArguments& arguments) {
    check_options(arguments);
    const ResultReader result(arguments.file);
    const FileLock lock(arguments.file);  // no other run replaces it meanwhile
    const std::string output = output_path(arguments).string();
    require(arguments.to.empty() || !is_same_file(output, arguments.file),
            "-o {}: that is the result file; name another file", output);
    require(arguments.events.empty() || (!is_same_file(arguments.events, arguments.file) &&
                                         (arguments.to.empty() || !is_same_file(arguments.events, output))),
            "--events {}: that is the result file or the other file to be written; name another file",
            arguments.events);
    ExitCode code = solved;
    if (arguments.to == "csv")
        export_samples(result, output);
    else if (!arguments.to.empty())
        code = export_view(result, arguments, output);
    if (!arguments.events.empty()) export_events(result, arguments.events);
    return code;
}

}  // namespace

Command add_export(CLI::App& app) {
    const auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command = app.add_subcommand("export", "Write the results of a run in another format");
    command->add_option("FILE", arguments->file, "The result file (.h5)")->required();
    command->add_option(
        "--to", arguments->to,
        "csv: all samples; vtk: the scene for ParaView; gltf: the moving scene for browsers, Blender and "
        "slides; png: a picture of the scene, or plots; mp4: a film of the scene, which needs ffmpeg");
    command->add_option("-o,--output", arguments->output, "The file to write; FILE with another ending if not given");
    command->add_option("--every", arguments->every,
                        "vtk, gltf: write every N-th sample; the default writes at most 1000");
    command
        ->add_option("--plot", arguments->plots,
                     "png: plot these columns, 'a,b'; each --plot is drawn below the one before. 'default' "
                     "stands for the plots that are drawn where there is no scene")
        ->allow_extra_args(false);
    command->add_option("--frame", arguments->frame,
                        "png: the scene at the sample nearest to this time; else the last");
    command->add_option("--size", arguments->size, "png, mp4: pixels; 1200x800 if not given, higher for many plots");
    command->add_option("--fps", arguments->frames_a_second, "mp4: frames per second; 30 if not given");
    command->add_option("--speed", arguments->speed,
                        "mp4: time of the model per second of the film; chosen for a film of about 10 s "
                        "if not given");
    command->add_option(
        "--events", arguments->events,
        "Write the events of an event-driven run to this file (CSV): time, kind, interaction, row, states");
    return {command, [arguments] { return run(*arguments); }};
}

}  // namespace saltus::cli
