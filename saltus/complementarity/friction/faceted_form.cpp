#include "saltus/complementarity/friction/faceted_form.hpp"

#include "saltus/complementarity/auto.hpp"
#include "saltus/complementarity/friction/complementarity_form.hpp"
#include "saltus/complementarity/lemke.hpp"

namespace saltus::friction {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One block of the form. `base` is r where all unknowns are zero, in units of `force`, with its imposed normal
// percussions; `bounds` what these add to the rows that bound friction.
struct AddBlock {
    ComplementarityForm& form;
    Index start;
    int facets;
    double force;
    Eigen::VectorXd& base;
    std::vector<std::pair<int, double>>& bounds;

    bool operator()(const Equality& law) const {
        for (int c = 0; c < law.rows; ++c) add_row(start + c, -infinity, infinity);
        return true;
    }
    bool operator()(const Interval& law) const {
        add_row(start, base[start] > 0.0 ? 0.0 : law.lower / force, law.upper / force - base[start]);
        return true;
    }
    bool operator()(const Coulomb2D& law) const {
        const int bound = add_plane_contact(form, start, law.mu[0]);
        bounds.emplace_back(bound, 2.0 * law.mu[0] * base[start]);
        base[start + 1] = -law.mu[0] * base[start];
        return true;
    }
    bool operator()(const Coulomb3D& law) const {
        bounds.emplace_back(add_faceted_contact(form, start, law.mu[0], facets), law.mu[0] * base[start]);
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

SolveReport FacetedForm::solve(const OneStepView& problem, Eigen::VectorXd& r, const Eigen::VectorXd& imposed) {
    constexpr std::string_view name = "faceted-lcp";
    require(facets >= 3, "{}: facets is {}; a polygon needs 3 or more", name, facets);
    problem.check(name, r);
    // Units in which q is of size one and W too: the tolerances of the affine solvers are absolute.
    Eigen::VectorXd load = problem.q;
    if (imposed.size() > 0) load = velocity(problem, imposed);
    const double largest = load.lpNorm<Eigen::Infinity>(), speed = largest > 0.0 ? largest : 1.0;
    const double force = speed * problem.rho();
    Eigen::VectorXd base = imposed.size() > 0 ? Eigen::VectorXd(imposed / force) : Eigen::VectorXd::Zero(load.size());
    std::vector<std::pair<int, double>> bounds;
    ComplementarityForm form;
    for (Index i = 0; i < problem.blocks(); ++i)
        if (!std::visit(AddBlock{form, problem.W.start(i), facets, force, base, bounds}, problem.law(i)))
            return {.status = SolveStatus::unsuitable_problem,
                    .solver = name,
                    .message = fmt::format("block {} is rolling friction, which this form has not", i)};
    load = velocity(problem, force * base);
    ComplementarityRows rows(form, problem.W, load, force, speed);
    box_ = {std::move(rows.M), std::move(rows.q), form.lower(), form.upper()};
    for (const auto& [row, bound] : bounds) box_.q[row] += bound;

    if (z_.size() != form.unknowns()) z_ = Eigen::VectorXd::Zero(form.unknowns());
    SolveReport report = Lemke{.tolerance = tolerance}.solve(box_, z_);
    if (!report.converged()) report = saltus::Auto{.tolerance = tolerance}.solve(box_, z_);
    r = force * base + rows.B * z_;
    return report;
}

}  // namespace saltus::friction
