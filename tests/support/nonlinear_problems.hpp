#pragma once

#include <cmath>

#include "saltus/complementarity/nonlinear/ncp.hpp"
#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"

// Nonlinear complementarity problems with known solutions.
namespace saltus::testing {

// Kojima and Shindo 1986: two solutions, (sqrt(6)/2, 0, 0, 1/2), where w_3 = z_3 = 0, and (1, 0, 3, 0).
inline Ncp kojima_shindo() {
    return {4,
            [](const Eigen::VectorXd& x, Eigen::VectorXd& F) {
                const double a = x[0], b = x[1], c = x[2], d = x[3];
                F << 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 10 * c + 2 * d - 2,
                    3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9, a * a + 3 * b * b + 2 * c + 3 * d - 3;
            },
            [](const Eigen::VectorXd& x, Matrix& J) {
                const double a = x[0], b = x[1];
                J = Eigen::Matrix4d{{6 * a + 2 * b, 2 * a + 4 * b, 1.0, 3.0},
                                    {4 * a + 1.0, 2 * b, 10.0, 2.0},
                                    {6 * a + b, a + 4 * b, 2.0, 9.0},
                                    {2 * a, 6 * b, 2.0, 3.0}};
            }};
}

// Josephy 1979: one solution, (sqrt(6)/2, 0, 0, 1/2), strictly complementary.
inline Ncp josephy() {
    return {4,
            [](const Eigen::VectorXd& x, Eigen::VectorXd& F) {
                const double a = x[0], b = x[1], c = x[2], d = x[3];
                F << 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6, 2 * a * a + a + b * b + 3 * c + 2 * d - 2,
                    3 * a * a + a * b + 2 * b * b + 2 * c + 3 * d - 1, a * a + 3 * b * b + 2 * c + 3 * d - 3;
            },
            [](const Eigen::VectorXd& x, Matrix& J) {
                const double a = x[0], b = x[1];
                J = Eigen::Matrix4d{{6 * a + 2 * b, 2 * a + 4 * b, 1.0, 3.0},
                                    {4 * a + 1.0, 2 * b, 3.0, 2.0},
                                    {6 * a + b, a + 4 * b, 2.0, 3.0},
                                    {2 * a, 6 * b, 2.0, 3.0}};
            }};
}

// Murphy, Sherali, Soyster 1982: five firms sell x_i at the price p(Q) = (5000 / Q)^(1/g), Q = sum x_i, g = 1.1, at a
// marginal cost c_i + (x_i / 5)^(1/b_i). At a Nash equilibrium x is complementary to marginal cost - marginal revenue,
//     F_i(x) = c_i + (x_i / 5)^(1/b_i) - p(Q) - x_i p'(Q),
// defined for x >= 0, Q > 0 only.
inline Ncp nash_cournot() {
    static const Eigen::VectorXd c{{10.0, 8.0, 6.0, 4.0, 2.0}}, b{{1.2, 1.1, 1.0, 0.9, 0.8}};
    static constexpr double g = 1.1;
    return {5,
            [](const Eigen::VectorXd& x, Eigen::VectorXd& F) {
                const double Q = x.sum(), p = std::pow(5000.0 / Q, 1.0 / g), dp = -p / (g * Q);
                for (Index i = 0; i < 5; ++i) F[i] = c[i] + std::pow(x[i] / 5.0, 1.0 / b[i]) - p - x[i] * dp;
            },
            [](const Eigen::VectorXd& x, Matrix& J) {
                const double Q = x.sum(), p = std::pow(5000.0 / Q, 1.0 / g), dp = -p / (g * Q);
                const double ddp = p * (1.0 + g) / (g * g * Q * Q);
                Eigen::MatrixXd result(5, 5);
                for (Index i = 0; i < 5; ++i) {
                    result.row(i).setConstant(-dp - x[i] * ddp);
                    result(i, i) += -dp + std::pow(x[i] / 5.0, 1.0 / b[i] - 1.0) / (5.0 * b[i]);
                }
                J = result;
            }};
}

// What Harker 1984 prints of the equilibrium.
inline Eigen::VectorXd nash_cournot_solution() {
    return Eigen::VectorXd{{36.9325, 41.8181, 43.7066, 42.6592, 39.1790}};
}

struct McpWithSolution {
    Mcp problem;
    Eigen::VectorXd z;
};

// F(z) = M (z - s) + a_i (z_i^3 - s_i^3) + w, monotone for M positive definite, with the solution s. Intervals of all
// kinds; s_i at a bound or between, w_i = 0 with probability `degeneracy` where s_i is at a bound.
inline McpWithSolution monotone_mcp(Index n, Random& random, bool sparse = false, double degeneracy = 0.0) {
    Eigen::VectorXd lower(n), upper(n), s(n), w = Eigen::VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i) {
        const Index kind = random.integer(0, 4);  // [l, inf), (-inf, u], [l, u], (-inf, inf), l = u
        const double l = random.uniform(-1.0, 0.0), u = kind == 4 ? l : l + random.uniform(0.1, 2.0);
        lower[i] = kind == 1 || kind == 3 ? -infinity : l;
        upper[i] = kind == 0 || kind == 3 ? infinity : u;
        s[i] = kind == 4 ? l : random.uniform(l, u);
        if (kind == 3 || random.coin(0.4)) continue;
        const bool at_lower = kind == 0 || (kind != 1 && random.coin());
        s[i] = at_lower ? l : u;
        if (!random.coin(degeneracy)) w[i] = (at_lower ? 1.0 : -1.0) * random.uniform(0.1, 1.0);
    }
    const Eigen::MatrixXd M = random_matrix(MatrixClass::positive_definite, n, random);
    const Eigen::VectorXd a = random.vector(n, 0.0, 1.0);
    return {{[=](const Eigen::VectorXd& z, Eigen::VectorXd& F) {
                 F = M * (z - s) + a.cwiseProduct((z.array().cube() - s.array().cube()).matrix()) + w;
             },
             [=](const Eigen::VectorXd& z, Matrix& J) {
                 Eigen::MatrixXd result = M;
                 result.diagonal() += 3.0 * a.cwiseProduct(z.cwiseAbs2());
                 J = sparse ? Matrix(Eigen::SparseMatrix<double>(result.sparseView())) : Matrix(result);
             },
             lower, upper},
            s};
}

}  // namespace saltus::testing
