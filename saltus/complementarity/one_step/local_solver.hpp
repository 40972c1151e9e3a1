#pragma once

#include <array>
#include <string_view>

namespace saltus::one_step {

// How a sweep solves one contact.
enum class LocalSolver {
    exact,          // analytic in the plane, scalar root in space; with rolling: Newton, then nested roots
    alart_curnier,  // damped Newton on (83); the exact solver where it fails
    jean_moreau,    // the same in Jean and Moreau's form
    projection,     // one projection step
};
constexpr std::array<std::string_view, 4> option_words(LocalSolver) {
    return {"exact", "alart-curnier", "jean-moreau", "projection"};
}

// The equations whose roots are the solutions of one contact, with x = r_N - rho_N u_N, y_k = r_k - rho_k u_k:
//     F_N = r_N - max(0, x),   F_k = r_k - P(y_k; radius mu_k max(0, x))     (Alart-Curnier)
//                                                          mu_k max(0, r_N)  (Jean-Moreau)          docs/theory.md (83)
enum class Formulation { alart_curnier, jean_moreau };
constexpr std::array<std::string_view, 2> option_words(Formulation) { return {"alart-curnier", "jean-moreau"}; }

}  // namespace saltus::one_step
