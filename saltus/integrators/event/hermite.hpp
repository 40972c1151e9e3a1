#pragma once

namespace saltus {

// The cubic in tau = s / w with the values a, b and the slopes a_rate, b_rate at both ends of an interval of length w.
struct Hermite {
    double start = 0.0, slope = 0.0, c2 = 0.0, c3 = 0.0;

    Hermite(double a, double a_rate, double b, double b_rate, double w)
        : start(a),
          slope(w * a_rate),
          c2(3.0 * (b - a) - w * (2.0 * a_rate + b_rate)),
          c3(2.0 * (a - b) + w * (a_rate + b_rate)) {}

    double value(double tau) const { return start + tau * (slope + tau * (c2 + tau * c3)); }
    double rate(double tau) const { return slope + tau * (2.0 * c2 + 3.0 * tau * c3); }

    // A root in (0, 1] of a cubic that is not negative at 0 and negative at 1.
    double root() const;
    // Where it is least in [0, 1], if it falls at 0 and rises at 1.
    double lowest() const;
};

}  // namespace saltus
