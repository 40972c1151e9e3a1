#pragma once

#include <memory>

#include "saltus/complementarity/one_step/local_block.hpp"

namespace saltus::one_step {

// Gauss-Seidel sweeps over the blocks of a problem,
//     r_i <- local solution of  w_i = W_ii r_i + (q_i + sum_{j != i} W_ij r_j),   i in the given order.
//                                                                                                   docs/theory.md (84)
// Prepared once, run often: a sweep allocates nothing and costs one product with W and one local solution per block.
class Sweep {
public:
    struct Options {
        LocalSolver local = LocalSolver::exact;
        double relaxation = 1.0;  // W_ii is replaced by W_ii / relaxation in the local problem
        int rest = 0;             // open or stuck blocks that did not move in 3 sweeps rest for this many; 0: none does
        bool coloured = false;    // colour by colour instead of the given order; needed by threads
        int threads = 1;
    };
    Sweep(const OneStepView& problem, const Options& options);
    ~Sweep();
    Sweep(Sweep&&) noexcept;
    Sweep& operator=(Sweep&&) noexcept;

    // One sweep over all blocks; r is changed in place. Returns the number of blocks without a local solution.
    Index run(Eigen::VectorXd& r);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace saltus::one_step
