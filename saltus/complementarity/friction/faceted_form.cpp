#include "saltus/complementarity/friction/faceted_form.hpp"

#include "saltus/complementarity/auto.hpp"
#include "saltus/complementarity/friction/complementarity_form.hpp"
#include "saltus/complementarity/lemke.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus::friction {

namespace {

// One block of the form; false where it has none.
struct AddBlock {
    ComplementarityForm& form;
    Index start;
    int facets;
    double force;

    bool operator()(const Equality& law) const {
        for (int c = 0; c < law.rows; ++c) add_row(start + c, -infinity, infinity);
        return true;
    }
    bool operator()(const Interval& law) const {
        add_row(start, law.lower / force, law.upper / force);
        return true;
    }
    bool operator()(const Coulomb2D& law) const {
        add_plane_contact(form, start, law.mu[0]);
        return true;
    }
    bool operator()(const Coulomb3D& law) const {
        add_faceted_contact(form, start, law.mu[0], facets);
        return true;
    }
    bool operator()(const RollingFriction&) const { return false; }

    void add_row(Index component, double lower, double upper) const {
        const int unknown = form.add_unknown(lower, upper);
        form.add_to_r(component, unknown, 1.0);
        form.add_velocity(unknown, component, 1.0);
    }
};

}  // namespace

SolveReport FacetedForm::solve(const OneStepView& problem, Eigen::VectorXd& r) {
    constexpr std::string_view name = "faceted-lcp";
    require(facets >= 3, "{}: facets is {}; a polygon needs 3 or more", name, facets);
    problem.check(name, r);
    // Units in which q is of size one and W too: the tolerances of the affine solvers are absolute.
    const double largest = problem.q.lpNorm<Eigen::Infinity>(), speed = largest > 0.0 ? largest : 1.0;
    const double force = speed * problem.rho();
    ComplementarityForm form;
    for (Index i = 0; i < problem.blocks(); ++i)
        if (!std::visit(AddBlock{form, problem.W.start(i), facets, force}, problem.law(i)))
            return {.status = SolveStatus::unsuitable_problem,
                    .solver = name,
                    .message = fmt::format("block {} is rolling friction, which this form has not", i)};
    ComplementarityRows rows(form, problem.W, problem.q, force, speed);
    box_ = {std::move(rows.M), std::move(rows.q), form.lower(), form.upper()};

    if (z_.size() != form.unknowns()) z_ = Eigen::VectorXd::Zero(form.unknowns());
    SolveReport report = Lemke{.tolerance = tolerance}.solve(box_, z_);
    if (!report.converged()) report = saltus::Auto{.tolerance = tolerance}.solve(box_, z_);
    r = rows.B * z_;
    return report;
}

}  // namespace saltus::friction
