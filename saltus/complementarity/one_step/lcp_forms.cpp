#include "saltus/complementarity/one_step/lcp_forms.hpp"

#include <cmath>
#include <numbers>

#include "saltus/complementarity/one_step/complementarity_form.hpp"

namespace saltus {

namespace {

Converted<Lcp> lcp_of(const ComplementarityForm& form, const FrictionProblem& problem) {
    ComplementarityRows rows(form, problem.W, problem.q);
    return {{std::move(rows.M), std::move(rows.q)}, Matrix(rows.B), Eigen::VectorXd::Zero(problem.q.size())};
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
