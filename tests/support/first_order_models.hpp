#pragma once

#include <numbers>

#include "saltus/model/model.hpp"
#include "support/vectors.hpp"

namespace saltus::testing {

inline Matrix matrix(Index rows, Index cols, std::initializer_list<double> entries) {
    Eigen::MatrixXd result(rows, cols);
    auto entry = entries.begin();
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) result(i, j) = *entry++;
    return result;
}

inline constexpr Interval complementarity{}, relay{-1.0, 1.0};
inline constexpr Interval equation{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

// x' = A x + B lambda, y = C x + D lambda + e.
inline Model linear_system(const Eigen::VectorXd& x0, Matrix A, Matrix B, Matrix C, Matrix D, Interval law,
                           Function e = {}) {
    Model model;
    model.name = "test";
    model.systems.push_back({.name = "system", .x0 = x0, .A = std::move(A)});
    model.interactions.push_back({.name = "interaction",
                                  .C = std::move(C),
                                  .D = std::move(D),
                                  .B = std::move(B),
                                  .e = std::move(e),
                                  .law = {law}});
    return model;
}

inline Function of_time(std::vector<std::string> texts) {
    return Expressions(texts, {.variables = {{"t"}}, .constants = {}});
}

// The four circuits of the Acary-Brogliato book with an ideal diode, (1.11) to (1.14); x is charge and current.
struct Circuit {
    double R = 10.0, L = 1.0, C = 1.0 / (4.0 * std::numbers::pi * std::numbers::pi);

    Model a() const {
        return linear_system(vector({1, -1}), matrix(2, 2, {-1 / (R * C), 1, -1 / (L * C), 0}),
                             matrix(2, 1, {-1 / R, -1 / L}), matrix(1, 2, {1 / (R * C), -1}), matrix(1, 1, {1 / R}),
                             complementarity);
    }
    Model b() const {
        return linear_system(vector({1, 1}), matrix(2, 2, {0, -1, 1 / (L * C), 0}), matrix(2, 1, {1, 0}),
                             matrix(1, 2, {1 / C, 0}), matrix(1, 1, {R}), complementarity);
    }
    Model c() const {
        return linear_system(vector({1, 0}), matrix(2, 2, {0, 1, -1 / (L * C), -R / L}), matrix(2, 1, {0, -1 / L}),
                             matrix(1, 2, {0, -1}), {}, complementarity);
    }
    Model d() const {
        return linear_system(vector({1, -1}), matrix(2, 2, {-1 / (R * C), 1, -1 / (L * C), 0}),
                             matrix(2, 1, {0, 1 / L}), matrix(1, 2, {0, 1}), {}, complementarity);
    }
};

// x1' = -sgn x1 + 2 sgn x2, x2' = -2 sgn x1 - sgn x2: spirals into the origin, reached at t = (|x1| + |x2|) / 2 through
// infinitely many switches (Heemels, Camlibel, Schumacher 2000).
inline Model relay_spiral() {
    return linear_system(vector({2, 2}), {}, matrix(2, 2, {1, -2, 2, 1}), matrix(2, 2, {1, 0, 0, 1}), {}, relay);
}

}  // namespace saltus::testing
