#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/progress.hpp"
#include "saltus/complementarity/affine/enumeration.hpp"
#include "saltus/core/check.hpp"
#include "saltus/integrators/scheme_choice.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus::cli {

namespace {

std::string text(const Eigen::VectorXd& v) {
    std::string result;
    for (const double value : v) result += fmt::format("{}{:.6g}", result.empty() ? "" : ", ", value + 0.0);
    return "(" + result + ")";
}

std::string text(const Eigen::MatrixXd& m) {
    std::string result;
    for (Index i = 0; i < m.rows(); ++i) result += (i > 0 ? "; " : "") + text(Eigen::VectorXd(m.row(i)));
    return m.size() == 1 ? fmt::format("{:.6g}", m(0, 0) + 0.0) : "[" + result + "]";
}

template <class... Args>
void line(std::string_view label, fmt::format_string<Args...> format, Args&&... args) {
    fmt::print("{:<20}{}\n", label, fmt::format(format, std::forward<Args>(args)...));
}

std::string law_name(const Interval& law) {
    if (law.is_free()) return "equality";
    if (law.lower == 0.0 && !std::isfinite(law.upper)) return "complementarity";
    return fmt::format("[{:.6g}, {:.6g}]", law.lower, law.upper);
}

std::string laws(const Interaction& interaction) {
    std::string result = law_name(interaction.law_of(0));
    for (Index i = 1; i < interaction.rows(); ++i)
        if (const std::string name = law_name(interaction.law_of(i)); result.find(name) == std::string::npos)
            result += ", " + name;
    return result;
}

void describe_pieces(const Model& model) {
    for (const FirstOrderSystem& system : model.systems)
        line("system", "{}, {} state{}, {}", system.name, system.x0.size(), system.x0.size() == 1 ? "" : "s",
             system.f.is_empty() ? "linear" : "nonlinear");
    for (const Interaction& interaction : model.interactions) {
        const bool is_linear = interaction.h.is_empty() && interaction.g.is_empty();
        line("interaction", "{}, {} row{}, {}, law {}", interaction.name, interaction.rows(),
             interaction.rows() == 1 ? "" : "s", is_linear ? "linear" : "nonlinear", laws(interaction));
    }
}

void describe_degree(const Diagnosis& diagnosis) {
    const RelativeDegree& degree = diagnosis.degree;
    if (degree.uniform) {
        line("relative degree", "{}", *degree.uniform);
    } else {
        std::vector<std::string> rows;
        for (const std::optional<int>& row : degree.rows) rows.push_back(row ? std::to_string(*row) : "none");
        line("relative degree", "not uniform; of the rows: {}", fmt::join(rows, ", "));
    }
    const char* names[] = {"D", "C B", "C A B", "C A^2 B"};
    for (std::size_t k = 0; k < diagnosis.markov.size(); ++k)
        if (diagnosis.markov[k].size() <= 36)
            line(k == 0 ? "Markov parameters" : "", "{} = {}", names[k], text(diagnosis.markov[k]));
}

// ", s >= 0", ", 0 <= s <= 1", or nothing for a whole line.
std::string range(const Equilibria::Piece& piece) {
    if (std::isinf(piece.least) && std::isinf(piece.most)) return "";
    if (std::isinf(piece.most)) return fmt::format(", s >= {:.6g}", piece.least + 0.0);
    return fmt::format(", {:.6g} <= s <= {:.6g}", piece.least + 0.0, piece.most + 0.0);
}

void describe_equilibria(const Equilibria& equilibria) {
    const std::string_view rest = equilibria.is_complete ? "" : "; there may be more, which were not looked for";
    if (equilibria.pieces.empty()) line("equilibria", "none found{}", rest);
    for (std::size_t k = 0; k < equilibria.pieces.size(); ++k) {
        const Equilibria::Piece& piece = equilibria.pieces[k];
        const std::string label = k == 0 ? "equilibria" : "";
        const std::string end = k + 1 == equilibria.pieces.size() ? std::string(rest) : "";
        if (piece.direction.size() == 0)
            line(label, "x = {}{}", text(piece.point), end);
        else
            line(label, "a set: x = {} + s {}{}{}", text(piece.point), text(piece.direction), range(piece), end);
    }
}

std::string_view words(Answer answer) {
    return answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "not known";
}

// Whether the first step has one solution, by trying every placement.
void describe_first_step(const Model& model, double step) {
    constexpr Index most_rows = 8;
    if (model.rows() == 0 || model.rows() > most_rows) return;
    const std::vector<Eigen::VectorXd> solutions = Enumeration{}.solve_all(first_step_problem(model, step));
    if (solutions.empty()) {
        line("first step", "has no solution");
    } else if (solutions.size() == 1) {
        line("first step", "has one solution, lambda = {}", text(solutions.front()));
    } else {
        line("first step", "has {} solutions: the trajectory is not unique, a run follows one of them",
             solutions.size());
        for (const Eigen::VectorXd& lambda : solutions) line("", "lambda = {}", text(lambda));
    }
}

std::string_view unique_steps(const Diagnosis& diagnosis) {
    if (diagnosis.has_unique_steps == Answer::yes)
        return "yes: the problem of a short step has one solution whatever the state (P-matrix)";
    if (diagnosis.has_unique_steps == Answer::unknown) return "not known";
    return diagnosis.is_passive == Answer::yes
               ? "yes for x, since the system is passive; lambda may have several values (not a P-matrix)"
               : "no: a short step may have several solutions, or none (not a P-matrix)";
}

void describe_analysis(const ModelFile& file, const Model& model, const Diagnosis& diagnosis) {
    if (diagnosis.is_too_large) {
        line("analysis", "left out: more than {} states and rows", Diagnosis::most_unknowns);
        return;
    }
    if (diagnosis.is_linearised) line("analysis", "of the linearisation at the beginning");
    if (model.rows() > 0) {
        describe_degree(diagnosis);
        line("passive", "{}", words(diagnosis.is_passive));
        line("unique steps", "{}", unique_steps(diagnosis));
        line("initial state", "{}",
             diagnosis.has_start == Answer::yes ? "satisfies the laws"
             : diagnosis.has_start == Answer::no
                 ? "does not satisfy the laws: x jumps at the beginning, or has no solution"
                 : "not known whether it satisfies the laws");
        describe_first_step(model, file.simulation.step);
    }
    line("solution", "{}", to_string(diagnosis.smoothness));
    describe_equilibria(equilibria(diagnosis.linear, model.t0));
}

struct LawWords {
    Index rows;

    std::string operator()(const ContactLaw& law) const {
        const char* impacts[] = {"newton", "poisson", "cascade"};
        std::string text = fmt::format("contact, {} impact, restitution {:.6g}", impacts[static_cast<int>(law.impact)],
                                       law.restitution);
        if (law.tangential_restitution != 0.0) text += fmt::format(", tangential {:.6g}", law.tangential_restitution);
        if (rows > 1) text += fmt::format(", friction {:.6g}", law.friction);
        if (rows == 5) text += fmt::format(", rolling {:.6g}", law.rolling);
        if (law.cohesion > 0.0)
            text += fmt::format(", {}cohesion {:.6g}", law.is_brittle ? "brittle " : "", law.cohesion);
        return text;
    }
    std::string operator()(const JointLaw&) const { return "joint"; }
    std::string operator()(const SpringLaw& law) const {
        if (law.pieces.size() > 1) return fmt::format("spring of {} pieces", law.pieces.size());
        return fmt::format("spring, stiffness {:.6g}", law.pieces.front().stiffness);
    }
    std::string operator()(const RelayLaw& law) const { return "force in " + law_name(law.bounds.front()); }
};

void describe_pieces(const LagrangianModel& model) {
    for (const LagrangianSystem& system : model.systems)
        line("system", "{}, {} coordinate{}, {}", system.name, system.size(), system.size() == 1 ? "" : "s",
             system.is_linear() ? "linear" : "nonlinear");
    for (const LagrangianInteraction& interaction : model.interactions)
        line("interaction", "{}, {}, {}", interaction.name, interaction.is_linear() ? "linear" : "nonlinear",
             std::visit(LawWords{model.rows_of(interaction)}, interaction.law));
}

void describe_start(const LagrangianModel& model) {
    const MoreauJeanStepper stepper(model, {}, 1.0);
    LagrangianState state;
    stepper.read(state);
    EnergyMeter energy(model);
    line("energy", "kinetic {:.6g}, potential {:.6g}", energy.kinetic(state), energy.potential(state));
    for (const std::string& warning : start_warnings(model, state)) line("warning", "{}", warning);
}

// What the scheme cannot do, which a run would refuse.
void describe_refusal(const auto& model, const Scheme& scheme, double step) {
    try {
        make_stepper(model, scheme, step);
    } catch (const InvalidInput& error) {
        line("warning", "a run is refused: {}", error.what());
    }
}

void describe_model(const ModelFile& file, const LagrangianModel& model, std::string_view giver) {
    describe_pieces(model);
    describe_start(model);
    const Scheme scheme = file.simulation.scheme_for(model);
    line("scheme", "{} ({})", describe(scheme), file.simulation.scheme ? giver : "the default");
    describe_refusal(model, scheme, file.simulation.step);
}

void describe_model(const ModelFile& file, const Model& model, std::string_view giver) {
    const Diagnosis diagnosis = diagnose(model);
    describe_pieces(model);
    describe_analysis(file, model, diagnosis);
    const SchemeChoice choice = choose_scheme(model, diagnosis);
    const Scheme scheme = file.simulation.scheme.value_or(choice.scheme);
    line("scheme", "{} ({})", describe(scheme), file.simulation.scheme ? giver : choice.reason);
    describe_refusal(model, scheme, file.simulation.step);
    for (const std::string& warning : warnings(model, diagnosis, scheme)) line("warning", "{}", warning);
}

void describe_model(const ModelFile& file, std::string_view giver) {
    fmt::print("{}{}{}\n\n", file.name(), file.description.empty() ? "" : ": ", file.description);
    std::visit([&](const auto& model) { describe_model(file, model, giver); }, file.model);
}

void describe_result(const std::string& path) {
    const ResultReader result(path);
    const RunSummary summary = result.summary();
    fmt::print("{}: results of a run\n\n", summary.name);
    if (!summary.settings.empty()) line("settings", "{}", summary.settings);
    line("scheme", "{}, step {:.6g}", summary.scheme, summary.step);
    const bool is_killed = summary.end == "running" && !result.is_live();
    line("end", "{} at t = {:.12g}", is_killed ? "ended without a word" : summary.end, summary.t);
    if (!summary.message.empty()) line("", "{}", summary.message);
    if (summary.end != "running")
        line("steps", "{}, {} switches, {} impacts, {} unsolved, {} divided", summary.steps, summary.switches,
             summary.impacts, summary.unsolved, summary.retried);
    if (result.event_count() > 0) line("events", "{}", result.event_counts().text());
    if (summary.end != "running") line("worst residual", "{:.1e}", summary.worst_residual);
    line("time", "{}", duration(summary.seconds));
    line("samples", "{}", result.samples());
    line("channels", "{}", fmt::join(result.channels(), ", "));
}

ExitCode run(const ModelOptions& options) {
    if (is_result_file(options.file) || options.file.ends_with(".h5"))
        describe_result(options.file);
    else
        describe_model(options.read(), options.scheme.scheme.empty() ? "given by the model file" : "given by --scheme");
    return solved;
}

}  // namespace

Command add_info(CLI::App& app) {
    const auto options = std::make_shared<ModelOptions>();
    CLI::App* command =
        app.add_subcommand("info", "Say what is known about a model before it runs, or what is in a result file");
    options->add_to(*command);
    return {command, [options] { return run(*options); }};
}

}  // namespace saltus::cli
