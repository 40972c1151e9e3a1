#pragma once

#include <string_view>

#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/model/analysis.hpp"

namespace saltus {

// How smooth the solution x is (004): which schemes converge depends on it.
enum class Smoothness {
    differentiable,         // x' is continuous where b is: lambda is a Lipschitz function of x
    absolutely_continuous,  // x' may jump, x does not
    bounded_variation,      // x may jump: lambda is a measure
    distribution,           // lambda may be a derivative of Dirac's impulse
};
std::string_view to_string(Smoothness smoothness);

// What is known about a model before it is simulated; for a nonlinear model, about its linearisation at the beginning.
struct Diagnosis {
    bool is_linearised = false;
    bool is_too_large = false;  // beyond `most_unknowns` states and rows: only `smoothness` was computed
    static constexpr Index most_unknowns = 64;

    RelativeDegree degree{};
    std::vector<Eigen::MatrixXd> markov{};  // up to the relative degree, four at most
    Answer is_passive = Answer::unknown;
    Answer has_unique_steps = Answer::unknown;  // W of the one-step problem (116) is a P-matrix for small h
    Answer has_start = Answer::unknown;         // there is a lambda at t0 with which x0 satisfies the laws
    bool offsets_jump = false;                  // e(t) may be discontinuous: an expression with a jump in it
    Smoothness smoothness = Smoothness::absolutely_continuous;
    Model linear{};  // the model, or its linearisation at the beginning
};
Diagnosis diagnose(const Model& model);

// The problem of the first step of backward Euler (theta = gamma = 1); for a nonlinear model, that of its
// linearisation. It has several solutions where the trajectory is not unique.
BoxVi first_step_problem(const Model& model, double h);

}  // namespace saltus
