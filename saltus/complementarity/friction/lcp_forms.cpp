#include "saltus/complementarity/friction/lcp_forms.hpp"

#include <cmath>
#include <numbers>

#include "saltus/complementarity/friction/complementarity_form.hpp"

namespace saltus {

namespace {

Converted<Lcp> lcp_of(const ComplementarityForm& form, const FrictionProblem& problem) {
    ComplementarityRows rows(form, problem.W, problem.q);
    return {{std::move(rows.M), std::move(rows.q)}, Matrix(rows.B), Eigen::VectorXd::Zero(problem.q.size())};
}

// docs/theory.md (105), spatial; `cap` bounds sum_j beta_j / r_N.
void add_faceted_contact(ComplementarityForm& form, Index start, double cap, int facets) {
    const int normal = form.add_unknown();
    form.add_to_r(start, normal, 1.0);
    form.add_velocity(normal, start, 1.0);
    std::vector<int> shares;
    for (int j = 0; j < facets; ++j) {
        const double angle = 2.0 * std::numbers::pi * j / facets;
        shares.push_back(form.add_unknown());
        for (const auto& [component, factor] : {std::pair{start + 1, std::cos(angle)}, {start + 2, std::sin(angle)}}) {
            form.add_to_r(component, shares.back(), factor);
            form.add_velocity(shares.back(), component, factor);
        }
    }
    const int speed = form.add_unknown();
    form.add_unknown_to_row(speed, normal, cap);
    for (const int share : shares) {
        form.add_unknown_to_row(share, speed, 1.0);
        form.add_unknown_to_row(speed, share, -1.0);
    }
}

}  // namespace

Converted<Lcp> to_lcp(const FrictionProblem& problem) {
    check_dimension(problem, 2, "to_lcp");
    ComplementarityForm form;
    for (Index i = 0; i < problem.contacts(); ++i) add_plane_contact(form, 2 * i, problem.mu[i]);
    return lcp_of(form, problem);
}

Converted<Lcp> to_lcp(const FrictionProblem& problem, int facets, Faceting faceting) {
    check_dimension(problem, 3, "to_lcp with facets");
    require(facets >= 3, "to_lcp: facets is {}; a polygon needs 3 or more", facets);
    const double widening = faceting == Faceting::outer ? 1.0 / std::cos(std::numbers::pi / facets) : 1.0;
    ComplementarityForm form;
    for (Index i = 0; i < problem.contacts(); ++i) add_faceted_contact(form, 3 * i, widening * problem.mu[i], facets);
    return lcp_of(form, problem);
}

}  // namespace saltus
