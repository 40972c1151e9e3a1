#pragma once

#include <Eigen/Core>
#include <string_view>

namespace saltus::one_step {

// Throws InvalidInput unless the option `memory` of the solver is one that fits into the computer's.
void check_memory(std::string_view solver, int memory);

// Anderson's acceleration of a fixed-point iteration x <- G(x) (Anderson 1965; Walker and Ni 2011). With
// f_k = G(x_k) - x_k and the last differences dF_j = f_j - f_{j-1}, dG_j = G_j - G_{j-1}:
//     gamma = argmin |f_k - dF gamma|^2 + regularisation tr(dF' dF) / m |gamma|^2,
//     x_{k+1} = G_k - dG gamma.                                                                     docs/theory.md (85)
class Anderson {
public:
    // An extrapolation may leave the region where G is smooth. When |f_k| exceeds twice its least value since the last
    // restart, the history is dropped. With `retreats`, as soon as |f_k| exceeds that least value, the iteration goes
    // back to the G where it was met, drops the history and takes some plain steps: slower if all goes well, but the
    // only way if many contacts change between sticking and sliding. memory = 0 is the plain iteration.
    Anderson(Eigen::Index size, int memory, bool retreats = false);

    // x = x_k and g = G(x_k) on entry; g = x_{k+1} on return. Allocates nothing. Returns |f_k|.
    double accelerate(const Eigen::VectorXd& x, Eigen::VectorXd& g);
    void restart();

private:
    // Whether x_{k+1} is to be a plain step; g is then set to it.
    bool takes_plain_step(double length, Eigen::VectorXd& g);
    void remember(const Eigen::VectorXd& g);

    int memory_;
    bool retreats_;
    int stored_ = 0, next_ = 0;  // columns of the history in use; where the next difference goes
    int plain_steps_ = 0;        // still to be taken
    bool has_last_ = false;
    double least_ = 0.0;  // |f| of best_g_
    Eigen::VectorXd f_, last_f_, last_g_, best_g_;
    Eigen::MatrixXd dF_, dG_, gram_, system_;
    Eigen::VectorXd gamma_;
};

}  // namespace saltus::one_step
