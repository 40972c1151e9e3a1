#pragma once

#include "saltus/complementarity/one_step/local_contact.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// The law of one block, whatever it is, as an equation F(r, w) = 0. Newton's method on a whole problem assembles these
// equations. The derivative of F(r, W r + q) is by_w W + by_r.                                    docs/theory.md (83)
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, BlockMatrix::largest_block, BlockMatrix::largest_block>;
struct BlockDerivative {
    SmallMatrix by_w, by_r;
    bool is_open = false;  // by_w = 0 and by_r = I: the block does not depend on the others
};

// The steps rho of the projections of a block, any positive numbers: one for the first component, one per disk.
struct BlockSteps {
    double normal = 1.0;
    std::array<double, 2> disk{1.0, 1.0};
};

// The steps of a block whose part of the matrix is W + shift I; `otherwise` if W gives none.
template <class L>
BlockSteps block_steps(const L&, const BlockMatrix::Block&, double shift, double otherwise) {
    return {.normal = 1.0 / (1.0 / otherwise + shift)};
}
template <int Disks, int DiskSize>
BlockSteps block_steps(const FrictionLaw<Disks, DiskSize>&, const BlockMatrix::Block& W, double shift,
                       double otherwise) {
    using L = FrictionLaw<Disks, DiskSize>;
    const typename L::Square shifted = W + shift * L::Square::Identity();
    const ContactSteps<L> steps(shifted, otherwise);
    BlockSteps result{.normal = steps.normal};
    std::copy(steps.disk.begin(), steps.disk.end(), result.disk.begin());
    return result;
}

// Each writes F and its derivative.
// Equality: F = rho w.
inline void evaluate_block(const Equality& law, Formulation, const BlockSteps& rho, const double*, const double* w,
                           double* F, BlockDerivative& derivative) {
    for (int c = 0; c < law.rows; ++c) F[c] = rho.normal * w[c];
    derivative.by_w.setIdentity(law.rows, law.rows);
    derivative.by_w *= rho.normal;
    derivative.by_r.setZero(law.rows, law.rows);
    derivative.is_open = false;
}

// Interval: F = r - mid(lower, r - rho w, upper).
inline void evaluate_block(const Interval& law, Formulation, const BlockSteps& rho, const double* r, const double* w,
                           double* F, BlockDerivative& derivative) {
    const double x = *r - rho.normal * *w;
    derivative.is_open = !(law.lower < x && x < law.upper);
    *F = derivative.is_open ? *r - law.project(x) : rho.normal * *w;
    derivative.by_w.setConstant(1, 1, derivative.is_open ? 0.0 : rho.normal);
    derivative.by_r.setConstant(1, 1, derivative.is_open ? 1.0 : 0.0);
}

// Friction: Alart and Curnier's function, or Jean and Moreau's.
template <int Disks, int DiskSize>
void evaluate_block(const FrictionLaw<Disks, DiskSize>& law, Formulation formulation, const BlockSteps& rho,
                    const double* r, const double* w, double* F, BlockDerivative& derivative) {
    using L = FrictionLaw<Disks, DiskSize>;
    using Vector = typename L::Vector;
    ContactSteps<L> steps;
    steps.normal = rho.normal;
    std::copy_n(rho.disk.begin(), Disks, steps.disk.begin());
    ContactEquation<L> equation;
    evaluate(law, formulation, steps, Vector(Eigen::Map<const Vector>(r)), Vector(Eigen::Map<const Vector>(w)),
             equation);
    std::copy(equation.F.begin(), equation.F.end(), F);
    derivative.by_w = equation.A;
    derivative.by_r = equation.B;
    derivative.is_open = (equation.A.array() == 0.0).all();
}

}  // namespace saltus::one_step
