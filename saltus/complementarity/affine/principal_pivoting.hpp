#pragma once

#include <array>

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// Principal pivoting on the box form: keeps a complementary basis, w_A = 0, and exchanges variables that violate their
// signs until none does.                                                                    docs/theory.md (60)-(62)
//   block          exchanges all at once; when their number has not dropped for three rounds, the least index alone,
//                  until it does (Portugal, Judice 1994; Kostreva 1978). The default: few rounds in practice.
//   least_index    the first one (Murty 1974): finite for every P-matrix, up to 2^n rounds.
//   most_violated  the worst one (Bard 1974): quick in practice, but may cycle; max_iterations ends it.
// For dense P-matrices. A pivot that is not positive shows that M is not one: unsuitable, unless a solution is met all
// the same. An exchange costs O(n |A|). The guess chooses the first basis.
struct PrincipalPivoting {
    static constexpr std::string_view name = "principal-pivoting";
    static constexpr std::string_view problem_class = "M a P-matrix (positive definite, M-matrix, ...), dense";
    enum class Rule { block, least_index, most_violated };

    double tolerance = 1e-10;  // on residual(problem, z)
    int max_iterations = 10000;
    Rule rule = Rule::block;
    History history{};  // the guess comes before its basis: one more number

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "rounds of exchanges");
        visit("rule", rule, "which variables are exchanged");
    }

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
};
static_assert(AffineSolver<PrincipalPivoting>);

constexpr std::array<std::string_view, 3> option_words(PrincipalPivoting::Rule) {
    return {"block", "least-index", "most-violated"};
}

}  // namespace saltus
