#pragma once

#include "saltus/complementarity/one_step/local_contact.hpp"
#include "saltus/complementarity/one_step/local_solver.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"
#include "saltus/core/dense.hpp"

namespace saltus::one_step {

// Blocks prepared for sweeps: solve(q, r) replaces r, the last solution, by that of w = W_ii r + q with the law of the
// block. If there is none (Painleve) or none was found, it takes a projection step instead and returns false.

class EqualityBlock {
public:
    static constexpr int rows = Eigen::Dynamic;
    using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, BlockMatrix::largest_block, 1>;
    EqualityBlock(const Equality&, const Eigen::MatrixXd& W, LocalSolver)
        : inverse_(LeastSquares(W).pseudo_inverse()) {}
    bool solve(const Vector& q, Vector& r) {
        r = -inverse_ * q;
        return true;
    }

private:
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, BlockMatrix::largest_block, BlockMatrix::largest_block>
        inverse_;
};

class IntervalBlock {
public:
    static constexpr int rows = 1;
    using Vector = Eigen::Matrix<double, 1, 1>;
    IntervalBlock(const Interval& law, const Eigen::MatrixXd& W, LocalSolver) : law_(law), W_(W(0, 0)) {}
    bool solve(const Vector& q, Vector& r) {
        if (W_ > 0.0) {
            r[0] = law_.project(-q[0] / W_);
            return true;
        }
        // W = 0: w = q is given, and r sits at the bound that its sign asks for.
        const double bound = q[0] > 0.0 ? law_.lower : q[0] < 0.0 ? law_.upper : law_.project(r[0]);
        const bool has_solution = std::isfinite(bound) && W_ == 0.0;
        if (has_solution) r[0] = bound;
        return has_solution;
    }

private:
    Interval law_;
    double W_;
};

template <class Law>
class FrictionBlock {
public:
    static constexpr int rows = Law::dimension;
    using Vector = typename Law::Vector;
    FrictionBlock(const Law& law, const Eigen::MatrixXd& W, LocalSolver solver)
        : contact_{W, law}, steps_(contact_.W, 1.0), solver_(solver) {
        const double trace = W.trace();
        rho_ = trace > 0.0 ? rows / trace : 1.0;
        if constexpr (is_spatial) spatial_ = SpatialContact(contact_);
    }

    bool solve(const Vector& q, Vector& r) {
        if (q[0] >= 0.0 && solver_ != LocalSolver::projection) {
            r.setZero();
            return true;
        }
        switch (solver_) {
            case LocalSolver::exact:
                return solve_exact(q, r);
            case LocalSolver::alart_curnier:
                return solve_newton(Formulation::alart_curnier, q, r);
            case LocalSolver::jean_moreau:
                return solve_newton(Formulation::jean_moreau, q, r);
            case LocalSolver::projection:
                project_once(contact_, rho_, q, r);
                return true;
        }
        return false;
    }

private:
    static constexpr bool is_spatial = std::is_same_v<Law, Coulomb3D>;
    struct Nothing {};

    bool solve_exact(const Vector& q, Vector& r) {
        ContactState state = ContactState::none;
        if constexpr (is_spatial) {
            state = spatial_.solve(q, r, alpha_);
        } else if constexpr (std::is_same_v<Law, RollingFriction>) {
            if (solve_by_newton(contact_, Formulation::alart_curnier, steps_, q, r)) return true;
            state = search(q, r);
        } else {
            state = solve_exactly(contact_, q, r);
        }
        if (state == ContactState::none) project_once(contact_, rho_, q, r);
        return state != ContactState::none;
    }

    // The nested search of a rolling contact is long, and if it found nothing it will usually find nothing in the
    // next sweep. So each failure doubles the pause until the next attempt.
    ContactState search(const Vector& q, Vector& r) {
        constexpr int longest_pause = 1000;
        if (wait_ > 0) {
            --wait_;
            return ContactState::none;
        }
        const ContactState state = solve_exactly(contact_, q, r);
        pause_ = state == ContactState::none ? std::min(2 * pause_ + 1, longest_pause) : 0;
        wait_ = pause_;
        return state;
    }

    bool solve_newton(Formulation formulation, const Vector& q, Vector& r) {
        return solve_by_newton(contact_, formulation, steps_, q, r) || solve_exact(q, r);
    }

    LocalContact<Law> contact_;
    ContactSteps<Law> steps_;
    LocalSolver solver_;
    double rho_ = 1.0;
    double alpha_ = 0.0;  // of the last solution: where the next root is looked for
    int pause_ = 0, wait_ = 0;
    [[no_unique_address]] std::conditional_t<is_spatial, SpatialContact, Nothing> spatial_;
};

}  // namespace saltus::one_step
