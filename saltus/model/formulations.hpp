#pragma once

#include <utility>
#include <vector>

#include "saltus/model/function_from.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/moving_set.hpp"

namespace saltus {

// The formulations of nonsmooth systems as models. Most of them are written as literals, with these fields of
// FirstOrderSystem and Interaction:
//
//   linear complementarity system            A, b      C, D, B, e    [0, inf)
//   mixed linear complementarity system      A, b      C, D, B, e    [0, inf), and (-inf, inf) for the equations
//   nonlinear complementarity system         f         h, g          [0, inf)
//   linear relay system                      A, b      C, D, B, e    [-1, 1]: lambda in -sgn y
//   relay system                             f         h, g          [-1, 1]
//   differential variational inequality      f         h, g          any box; boundary values: BoundaryValue
//   algebraic equations of index 1           f         h, g          (-inf, inf), dh/dlambda regular
//   input u(t)                               b, or f(x, t)
//
// The functions below build the others. Their argument `system` (M, A, b, f) is the right-hand side to which the
// formulation adds its own; F(x, t) stands for A x + b(t) + f(x, t). They throw InvalidInput, with names and sizes, if
// the pieces do not fit.

// The perturbed first-order sweeping process of Moreau, a differential inclusion whose right-hand side is unbounded:
//     x' in F(x, t) - N_K(t)(x),   x(t) in K(t).                                                   docs/theory.md (132)
// With M a matrix, M x' stands for x'. The same inclusion has two other names, for a set that does not move:
//   evolution variational inequality   x in K,  (x' - F(x, t)).(k - x) >= 0 for all k in K     docs/theory.md (133)
//   projected dynamical system         x' = P_T(F(x, t)), T the tangent cone of K at x         docs/theory.md (134)
// The first is the definition of the normal cone. The second is the solution of (132) with the least |x'|; there is no
// other where F is Lipschitz (Brogliato, Daniilidis, Lemarechal, Acary 2006); 003, (73), (74), (89)-(92).
Model sweeping_process(FirstOrderSystem system, const MovingSet& set);
inline Model evolution_inequality(FirstOrderSystem system, const MovingSet& set) {
    return sweeping_process(std::move(system), set);
}
inline Model projected_dynamical_system(FirstOrderSystem system, const MovingSet& set) {
    return sweeping_process(std::move(system), set);
}

// Filippov's inclusion for a right-hand side in pieces, separated by m switching functions s(x, t). Field number k
// holds where s_i > 0 for the bits i of k that are set and s_i < 0 for the others; 2^m fields, functions of (x, t):
//     x' = F(x, t) + sum_k prod_i (lambda_i if bit i of k is set, else 1 - lambda_i) fields_k(x, t),
//     lambda_i in step(s_i), 1 where s_i > 0, 0 where s_i < 0, [0, 1] where s_i = 0.               docs/theory.md (135)
// For m = 1, {f-, f+}, this is Filippov's convex hull; for larger m, the part of it that the products span (Acary, de
// Jong, Brogliato 2014). The solution is the same wherever only one surface at a time is met.
Model filippov(FirstOrderSystem system, const Function& switching, std::vector<Function> fields);

// The same for regions given by indicators (Stewart 1990): field number i holds where indicator i is the least,
//     x' = F(x, t) + sum_i theta_i fields_i(x, t),   theta in argmin { theta.g(x, t) : theta >= 0, sum theta_i = 1 },
//     0 <= theta_i  _|_  g_i(x, t) - mu >= 0,   sum theta_i - 1 = 0.                              docs/theory.md (166)
// Filippov's whole convex hull, where any number of regions meet. lambda = (theta, mu). Regions between switching
// functions s(x) with signs S have g = -S s.
Model stewart(FirstOrderSystem system, const Function& indicators, std::vector<Function> fields);

// x' = F(x, t) + A x + a in a cell.
struct AffineField {
    Eigen::MatrixXd A;
    Eigen::VectorXd a;
};

// A piecewise affine system: s(x) = normals x + offsets separate the cells, with fields numbered as above. Where the
// fields are fields_0 + sum over the set bits i of jump_i, and every jump is
//   p_i s_i(x), so that the right-hand side is continuous: a linear complementarity system of relative degree 0,
//       0 <= lambda_i  _|_  lambda_i - s_i(x) >= 0,   r = p lambda;                            docs/theory.md (136)
//   or a constant: the linear step system r = jump lambda, lambda in step(s),
// the model is linear; else it is that of filippov().
Model piecewise_affine(FirstOrderSystem system, const Eigen::MatrixXd& normals, const Eigen::VectorXd& offsets,
                       const std::vector<AffineField>& fields);

// x' = F(x, t) + T(x, t) u. T is a Function of (x, t) whose outputs are the columns of T, one after the other.
// With an input u(t):
Model controlled_system(FirstOrderSystem system, const Function& T, const Function& u);
// With u = lambda of an interaction, whose y and law say how it is chosen (a relay, a saturated feedback):
Model controlled_system(FirstOrderSystem system, const Function& T, Interaction control);

// The gradient complementarity system of m constraints s(x, t) >= 0 (003, (51)):                  docs/theory.md (137)
//     x' = F(x, t) + (ds/dx)' lambda,   0 <= lambda  _|_  s(x, t) >= 0,
// the sweeping process of K(t) = {x : s(x, t) >= 0} where the s_i are concave and their gradients independent. The
// callable, written for any scalar as for Function::from, takes (x, t); it is differentiated twice.
template <class Callable>
Model gradient_complementarity_system(FirstOrderSystem system, Index constraints, Callable s) {
    const Index n = system.x0.size(), m = constraints;
    Interaction cone{.name = "constraints"};
    cone.h = Function::from(n + m + 1, m, [=](const auto& in, auto& y) {
        using Scalar = std::decay_t<decltype(y[0])>;
        Eigen::Matrix<Scalar, Eigen::Dynamic, 1> arguments(n + 1);
        arguments << in.head(n), in[n + m];
        s(std::as_const(arguments), y);
    });
    cone.g = Function::from(n + m + 1, n, [=](const auto& in, auto& r) {
        using Scalar = std::decay_t<decltype(r[0])>;
        using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<Scalar, 1, 1>>;
        Eigen::Matrix<Dual, Eigen::Dynamic, 1> arguments(n + 1), y(m);
        for (Index j = 0; j < n; ++j) arguments[j] = Dual(in[j]);
        arguments[n] = Dual(in[n + m]);
        for (Index j = 0; j < n; ++j) {
            arguments[j].derivatives()[0] = Scalar(1.0);
            s(std::as_const(arguments), y);
            r[j] = Scalar(0.0);
            for (Index i = 0; i < m; ++i) r[j] += in[n + i] * y[i].derivatives()[0];
            arguments[j].derivatives()[0] = Scalar(0.0);
        }
    });
    Model model{.name = system.name, .systems = {std::move(system)}, .interactions = {std::move(cone)}};
    model.check();
    return model;
}

}  // namespace saltus
