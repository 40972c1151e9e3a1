#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::one_step {

// The algebra of the Lorentz cone L = { x : |x_1| <= x_0 }, x = (x_0, x_1), of 1 to 3 components (1: the half line).
//     a o b = (a.b, a_0 b_1 + b_0 a_1),   e = (1, 0),   det x = (x_0 - |x_1|)(x_0 + |x_1|).       docs/theory.md (87)
namespace lorentz {

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

// x_0 - |x_1|: positive inside.
inline double distance(const Vector& x) { return x[0] - x.tail(x.size() - 1).norm(); }

// As a product of two factors: exact near the boundary.
inline double determinant(const Vector& x) {
    const double length = x.tail(x.size() - 1).norm();
    return (x[0] - length) * (x[0] + length);
}

inline Vector product(const Vector& a, const Vector& b) {
    const Eigen::Index n = a.size() - 1;
    Vector c(a.size());
    c[0] = a.dot(b);
    c.tail(n) = a[0] * b.tail(n) + b[0] * a.tail(n);
    return c;
}

// x with a o x = e, a inside the cone.
inline Vector inverse(const Vector& a) {
    Vector x = a / determinant(a);
    x.tail(a.size() - 1) *= -1.0;
    return x;
}

// x with a o x = b, a inside the cone.
inline Vector divide(const Vector& b, const Vector& a) {
    const Eigen::Index n = a.size() - 1;
    Vector x(a.size());
    x[0] = (a[0] * b[0] - a.tail(n).dot(b.tail(n))) / determinant(a);
    x.tail(n) = (b.tail(n) - x[0] * a.tail(n)) / a[0];
    return x;
}

// The largest t <= limit with x + t d in the cone, x inside.
inline double step_to_boundary(const Vector& x, const Vector& d, double limit = 1.0) {
    const Eigen::Index n = x.size() - 1;
    if (n == 0) return d[0] < 0.0 ? std::min(limit, -x[0] / d[0]) : limit;
    // det(x + t d) = a t^2 + 2 b t + c, which falls from c > 0 to its first root.
    const double a = determinant(d), b = x[0] * d[0] - x.tail(n).dot(d.tail(n)), c = determinant(x);
    const double discriminant = b * b - a * c;
    if (a >= 0.0 && (b >= 0.0 || discriminant < 0.0)) return limit;
    const double root = std::sqrt(std::max(0.0, discriminant));
    return std::min(limit, b > 0.0 ? -(b + root) / a : c / (root - b));
}

// The scaling of Nesterov and Todd: the symmetric F with F y = F^-1 s = lambda.                     docs/theory.md (88)
struct Scaling {
    Square F, inverse;
    Vector lambda;

    Scaling() = default;
    Scaling(const Vector& s, const Vector& y) {
        const Eigen::Index n = s.size() - 1;
        const double root_s = std::sqrt(determinant(s)), root_y = std::sqrt(determinant(y));
        Vector w = s / root_s, other = y / root_y;
        const double gamma = std::sqrt(0.5 * (1.0 + w.dot(other)));
        other.tail(n) *= -1.0;
        w = (w + other) / (2.0 * gamma);
        const double eta = std::sqrt(root_s / root_y);
        F = Square::Identity(n + 1, n + 1);
        F(0, 0) = w[0];
        F.bottomRightCorner(n, n) += w.tail(n) * w.tail(n).transpose() / (1.0 + w[0]);
        inverse = F;
        F.col(0).tail(n) = w.tail(n);
        F.row(0).tail(n) = w.tail(n).transpose();
        inverse.col(0).tail(n) = -w.tail(n);
        inverse.row(0).tail(n) = -w.tail(n).transpose();
        F *= eta;
        inverse /= eta;
        lambda = F * y;
    }
};

}  // namespace lorentz

}  // namespace saltus::one_step
