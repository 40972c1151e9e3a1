#include "saltus/simulation/law_residual.hpp"

#include <cmath>

namespace saltus {

LawResidual::LawResidual(const Model& model, double unit) {
    for (const Interaction& interaction : model.interactions)
        for (Index i = 0; i < interaction.rows(); ++i)
            laws_.push_back({unit * interaction.law_of(i).lower, unit * interaction.law_of(i).upper});
}

double LawResidual::operator()(const State& state) const {
    double worst = 0.0, scale = 1.0;
    const double *lambda = state.lambda.data(), *y = state.y.data();
    for (std::size_t i = 0; i < laws_.size(); ++i) {
        worst = std::max(worst, std::abs(lambda[i] - laws_[i].project(lambda[i] - y[i])));
        scale = std::max({scale, std::abs(lambda[i]), std::abs(y[i])});
    }
    return worst / scale;
}

}  // namespace saltus
