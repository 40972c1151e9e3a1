#include "saltus/model/diagnosis.hpp"

#include <Eigen/LU>

#include "saltus/complementarity/auto.hpp"
#include "saltus/model/linearisation.hpp"

namespace saltus {

std::string_view to_string(Smoothness smoothness) {
    switch (smoothness) {
        case Smoothness::differentiable:
            return "continuously differentiable";
        case Smoothness::absolutely_continuous:
            return "absolutely continuous";
        case Smoothness::bounded_variation:
            return "of bounded variation, with jumps";
        case Smoothness::distribution:
            return "a distribution";
    }
    return "";
}

namespace {

// The problem of the rows with bounds, after those without (equations y = 0) were solved for their multipliers; empty
// where that is impossible.
Eigen::MatrixXd without_equations(const Eigen::MatrixXd& W, const Stacked& parts) {
    IndexList free, bounded;
    for (Index i = 0; i < parts.rows(); ++i) (parts.law(i).is_free() ? free : bounded).push_back(i);
    if (free.empty()) return W;
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(W(free, free));
    if (!factor.isInvertible()) return {};
    return W(bounded, bounded) - W(bounded, free) * factor.solve(Eigen::MatrixXd(W(free, bounded)));
}

Answer is_p_matrix(const Eigen::MatrixXd& W) { return W.size() == 0 ? Answer::unknown : p_matrix(W).answer; }

// W = D + h C (M - h A)^-1 B for a step that is small compared with the time scales of A.
Eigen::MatrixXd small_step_matrix(const Stacked& parts) {
    const Eigen::MatrixXd A = parts.A.to_dense(), M = parts.M.to_dense();
    const double h = 1e-4 / std::max(1e-300, M.partialPivLu().solve(A).cwiseAbs().rowwise().sum().maxCoeff());
    const double step = std::min(h, 1e-2);
    return parts.D.to_dense() +
           step * parts.C.to_dense() * (M - step * A).partialPivLu().solve(Eigen::MatrixXd(parts.B.to_dense()));
}

// The law at t0: -(C x0 + D lambda + e) in N(lambda).
Answer has_start(const Model& model, const Stacked& parts, Eigen::VectorXd& lambda) {
    Lineariser functions(model);
    Linearisation point{.x = model.initial_state(), .lambda = Eigen::VectorXd::Zero(model.rows())};
    for (Index i = 0; i < model.rows(); ++i) point.lambda[i] = parts.law(i).project(0.0);
    for (int k = 0; k < 20; ++k) {
        functions.evaluate(model.t0, point);
        const BoxVi problem{point.y_lambda, point.y - point.y_lambda * point.lambda, parts.lower, parts.upper};
        lambda = point.lambda;
        if (residual(problem, point.lambda) <= 1e-10) return Answer::yes;
        const SolveReport report = Auto{}.solve(problem, point.lambda);
        if (!report.converged()) return report.status == SolveStatus::no_solution ? Answer::no : Answer::unknown;
    }
    return Answer::unknown;
}

bool is_bounded(const Stacked& parts) { return parts.lower.allFinite() && parts.upper.allFinite(); }

// A bounded lambda makes x' bounded; a passive system keeps y where it must be, without impulses (Camlibel, Heemels,
// Schumacher 2002), unless the beginning or the offsets put it elsewhere.
Smoothness smoothness(const Stacked& parts, const Diagnosis& diagnosis) {
    if (parts.rows() == 0 || is_p_matrix(without_equations(parts.D.to_dense(), parts)) == Answer::yes)
        return Smoothness::differentiable;
    if (is_bounded(parts)) return Smoothness::absolutely_continuous;
    const std::optional<int> degree = diagnosis.degree.uniform;
    if (degree && *degree >= 3) return Smoothness::distribution;
    const bool is_tame = (degree && *degree <= 1) || diagnosis.is_passive == Answer::yes;
    if (is_tame && diagnosis.has_start != Answer::no && !diagnosis.offsets_jump)
        return Smoothness::absolutely_continuous;
    return Smoothness::bounded_variation;
}

bool all_free(const Stacked& parts) {
    for (Index i = 0; i < parts.rows(); ++i)
        if (!parts.law(i).is_free()) return false;
    return true;
}

Diagnosis diagnose_large(const Stacked& parts) {
    Diagnosis diagnosis{.is_too_large = true};
    if (is_positive_definite(parts.D)) diagnosis.smoothness = Smoothness::differentiable;
    return diagnosis;
}

}  // namespace

Diagnosis diagnose(const Model& model) {
    model.check();
    const Stacked own(model);
    if (model.states() + model.rows() > Diagnosis::most_unknowns) return diagnose_large(own);
    Diagnosis diagnosis{.is_linearised = !model.is_linear()};
    Eigen::VectorXd lambda;
    diagnosis.has_start = has_start(model, own, lambda);
    for (const Interaction& interaction : model.interactions)
        diagnosis.offsets_jump |= std::max(interaction.e.variation(), interaction.h.variation()) == Variation::jumps;
    const Model linear = linearised(model, lambda);
    const Stacked parts(linear);
    diagnosis.degree = relative_degree(linear);
    diagnosis.markov = markov_parameters(linear, std::min(4, diagnosis.degree.uniform.value_or(3) + 1));
    diagnosis.is_passive = passivity(linear);
    diagnosis.has_unique_steps =
        all_free(parts) ? Answer::yes : is_p_matrix(without_equations(small_step_matrix(parts), parts));
    diagnosis.smoothness = smoothness(parts, diagnosis);
    diagnosis.equilibria = equilibria(linear, model.t0);
    return diagnosis;
}

}  // namespace saltus
