#include "saltus/model/diagnosis.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
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
    const FullPivotLu factor(W(free, free));
    if (!factor.is_invertible()) return {};
    return W(bounded, bounded) - W(bounded, free) * factor.solve(Eigen::MatrixXd(W(free, bounded)));
}

Answer is_p_matrix(const Eigen::MatrixXd& W) { return W.size() == 0 ? Answer::unknown : p_matrix(W).answer; }

// A step that is small compared with the time scales of A.
double small_step(const Stacked& parts) {
    const Eigen::MatrixXd rates = DenseLu(parts.M.to_dense()).solve(parts.A.to_dense());
    return std::min(1e-2, 1e-4 / std::max(1e-300, rates.cwiseAbs().rowwise().sum().maxCoeff()));
}

// (116) with theta = gamma = 1 from the functions at the beginning.
BoxVi backward_step(const Linearisation& point, const Stacked& parts, double h) {
    const Eigen::MatrixXd J = parts.M.to_dense() - h * (point.F_x + point.r_x);
    const DenseLu factor(J);
    const Eigen::MatrixXd W = point.y_lambda + h * point.y_x * factor.solve(point.r_lambda);
    const Eigen::VectorXd y = point.y + h * (point.y_x * factor.solve(point.F + point.r) + point.y_t);
    return {W, y - W * point.lambda, parts.lower, parts.upper};
}

Answer has_start(const SolveReport& report) {
    return report.converged() ? Answer::yes : report.status == SolveStatus::no_solution ? Answer::no : Answer::unknown;
}

bool all_free(const Stacked& parts) {
    for (Index i = 0; i < parts.rows(); ++i)
        if (!parts.law(i).is_free()) return false;
    return true;
}

bool is_bounded(const Stacked& parts) { return parts.lower.allFinite() && parts.upper.allFinite(); }

// A bounded lambda makes x' bounded; a passive system keeps y where it must be, without impulses (Camlibel, Heemels,
// Schumacher 2002), unless the beginning or the offsets put it elsewhere.
Smoothness smoothness(const Eigen::MatrixXd& D, const Stacked& parts, const Diagnosis& diagnosis) {
    if (parts.rows() == 0) return Smoothness::differentiable;  // Eigen has no LU of an empty matrix
    const bool is_determined =
        all_free(parts) ? FullPivotLu(D).is_invertible() : is_p_matrix(without_equations(D, parts)) == Answer::yes;
    if (is_determined) return Smoothness::differentiable;
    if (is_bounded(parts)) return Smoothness::absolutely_continuous;
    const std::optional<int> degree = diagnosis.degree.uniform;
    if (degree && *degree >= 3) return Smoothness::distribution;
    const bool is_tame = (degree && *degree <= 1) || diagnosis.is_passive == Answer::yes;
    if (is_tame && diagnosis.has_start != Answer::no && !diagnosis.offsets_jump)
        return Smoothness::absolutely_continuous;
    return Smoothness::bounded_variation;
}

Diagnosis diagnose_large(const Stacked& parts) {
    Diagnosis diagnosis{.is_too_large = true};
    if (is_positive_definite(parts.D)) diagnosis.smoothness = Smoothness::differentiable;
    return diagnosis;
}

}  // namespace

Diagnosis diagnose(const Model& model) {
    model.check();
    if (model.states() + model.rows() > Diagnosis::most_unknowns) return diagnose_large(Stacked(model));
    Diagnosis diagnosis{.is_linearised = !model.is_linear()};
    Lineariser functions(model);
    Linearisation point;
    diagnosis.has_start = has_start(begin(model, functions, point));
    for (const Interaction& interaction : model.interactions)
        diagnosis.offsets_jump |= std::max(interaction.e.variation(), interaction.h.variation()) == Variation::jumps;
    const Stacked& parts = functions.parts();
    const Eigen::MatrixXd W = backward_step(point, parts, small_step(parts)).M.to_dense();
    diagnosis.linear = linearised(model, point.lambda);
    diagnosis.degree = relative_degree(diagnosis.linear);
    diagnosis.markov = markov_parameters(diagnosis.linear, std::min(4, diagnosis.degree.uniform.value_or(3) + 1));
    diagnosis.is_passive = passivity(diagnosis.linear);
    diagnosis.has_unique_steps = all_free(parts) ? Answer::yes : is_p_matrix(without_equations(W, parts));
    diagnosis.smoothness = smoothness(point.y_lambda, parts, diagnosis);
    return diagnosis;
}

BoxVi first_step_problem(const Model& model, double h) {
    model.check();
    require(h > 0.0 && std::isfinite(h), "first_step_problem: h is {}; it must be positive", h);
    Lineariser functions(model);
    Linearisation point;
    begin(model, functions, point);
    return backward_step(point, functions.parts(), h);
}

}  // namespace saltus
