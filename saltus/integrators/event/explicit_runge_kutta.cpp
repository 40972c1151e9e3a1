#include "saltus/integrators/event/explicit_runge_kutta.hpp"

#include <arkode/arkode_butcher_erk.h>

namespace saltus {

ExplicitRungeKutta::ExplicitRungeKutta(Index size) {
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
}

}  // namespace saltus
