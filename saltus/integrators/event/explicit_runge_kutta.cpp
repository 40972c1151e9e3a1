#include "saltus/integrators/event/explicit_runge_kutta.hpp"

#include <arkode/arkode_butcher_erk.h>

#include "saltus/core/infinity.hpp"

namespace saltus {

ExplicitRungeKutta::ExplicitRungeKutta(Index size, Index controlled, double tolerance, double first_length)
    : controlled_(controlled), tolerance_(tolerance), first_length_(first_length), next_length_(first_length) {
    const ARKodeButcherTable table = ARKodeButcherTable_LoadERK(ARKODE_VERNER_8_5_6);
    const int stages = table->stages;
    a_.resize(stages, stages);
    for (int i = 0; i < stages; ++i)
        for (int j = 0; j < stages; ++j) a_(j, i) = table->A[i][j];
    b_ = Eigen::Map<const Eigen::VectorXd>(table->b, stages);
    c_ = Eigen::Map<const Eigen::VectorXd>(table->c, stages);
    error_weights_ = b_ - Eigen::Map<const Eigen::VectorXd>(table->d, stages);
    ARKodeButcherTable_Free(table);
    slopes_.resize(size, stages);
    stage_ = stage_slope_ = error_ = Eigen::VectorXd::Zero(size);
    scale_ = Eigen::VectorXd::Ones(size);
}

double ExplicitRungeKutta::error_of(const Eigen::VectorXd& end) const {
    double worst = 0.0;
    for (Index i = 0; i < controlled_; ++i) {
        if (!std::isfinite(error_[i])) return infinity;
        if (error_[i] != 0.0) worst = std::max(worst, std::abs(error_[i]) / std::max(scale_[i], std::abs(end[i])));
    }
    return worst / tolerance_;
}

}  // namespace saltus
