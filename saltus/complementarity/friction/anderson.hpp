#pragma once

#include <Eigen/Core>

namespace saltus::friction {

// Anderson's acceleration of a fixed-point iteration x <- G(x) (Anderson 1965; Walker and Ni 2011). With
// f_k = G(x_k) - x_k and the last differences dF_j = f_j - f_{j-1}, dG_j = G_j - G_{j-1}:
//     gamma = argmin |f_k - dF gamma|^2 + regularisation tr(dF' dF) / m |gamma|^2,
//     x_{k+1} = G_k - dG gamma.                                                                     docs/theory.md (85)
// The history is dropped, and the step a plain one, when |f_k| exceeds twice its least value since the last restart.
class Anderson {
public:
    Anderson(Eigen::Index size, int memory, double regularisation = 1e-8);

    // x = x_k and g = G(x_k) on entry; g = x_{k+1} on return. Allocates nothing. Returns |f_k|.
    double accelerate(const Eigen::VectorXd& x, Eigen::VectorXd& g);
    void restart();

private:
    void remember(const Eigen::VectorXd& g);

    int memory_;
    double regularisation_;
    int stored_ = 0, next_ = 0;  // columns of the history in use; where the next difference goes
    bool has_last_ = false;
    double least_ = 0.0;
    Eigen::VectorXd f_, last_f_, last_g_;
    Eigen::MatrixXd dF_, dG_, gram_, system_;
    Eigen::VectorXd gamma_;
};

}  // namespace saltus::friction
