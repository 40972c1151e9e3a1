#pragma once

#include <string_view>

namespace saltus {

// The higher-order sweeping process of Acary, Brogliato and Goeleven (2008), for linear models with complementarity
// laws and relative degree r of two or more, where backward Euler does not converge from r = 3 on. With z_1 = y,
// z_2 = y', ..., z_r each derivative gets a measure of its own:                                   docs/theory.md (120)
//     z_i(k+1) - z_i(k) - h z_(i+1)(k+1) = mu_i,   i < r,   and so on for z_r and the other states,
//     0 <= mu_i _|_ z_i(k+1) >= 0  if  z_1, ..., z_(i-1) <= 0 at t_k,  else  mu_i = 0.
// sigma = (C A^(r-1) B)^-1 mu_r is the measure that B receives.
struct HigherOrderSweeping {
    static constexpr std::string_view name = "higher-order-sweeping";
};

}  // namespace saltus
