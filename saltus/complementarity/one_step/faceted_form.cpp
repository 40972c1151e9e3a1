#include "saltus/complementarity/one_step/faceted_form.hpp"

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/affine/lemke.hpp"
#include "saltus/complementarity/one_step/complementarity_form.hpp"

namespace saltus::one_step {

SolveReport FacetedForm::solve(const OneStepView& problem, Eigen::VectorXd& r) {
    constexpr std::string_view name = "faceted-lcp";
    require(facets >= 3, "{}: facets is {}; a polygon needs 3 or more", name, facets);
    problem.check(name, r);
    // Units in which q is of size one and W too: the tolerances of the affine solvers are absolute.
    const double largest = problem.q.lpNorm<Eigen::Infinity>(), speed = largest > 0.0 ? largest : 1.0;
    const double force = speed * problem.rho();
    ComplementarityForm form;
    for (Index i = 0; i < problem.blocks(); ++i)
        if (!add_block(form, problem.law(i), problem.W.start(i), force, facets))
            return {.status = SolveStatus::unsuitable_problem,
                    .solver = name,
                    .message = fmt::format("block {} is rolling friction, which this form does not have", i)};
    ComplementarityRows rows(form, problem.W, problem.q, force, speed);
    box_ = {std::move(rows.M), std::move(rows.q), form.lower(), form.upper()};

    if (z_.size() != form.unknowns()) z_ = Eigen::VectorXd::Zero(form.unknowns());
    SolveReport report = Lemke{.tolerance = tolerance}.solve(box_, z_);
    if (!report.converged()) report = saltus::Auto{.tolerance = tolerance}.solve(box_, z_);
    r = rows.B * z_;
    return report;
}

}  // namespace saltus::one_step
