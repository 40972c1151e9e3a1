#pragma once

#include "saltus/model/model.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// max_i | lambda_i - P_i(lambda_i - y_i) |, over the largest of 1, |lambda| and |y|: zero where every law holds.
class LawResidual {
public:
    // `unit` is the length of the steps where the multipliers are measures, h lambda, else 1.
    LawResidual(const Model& model, double unit);
    double operator()(const State& state) const;

private:
    std::vector<Interval> laws_;
};

}  // namespace saltus
