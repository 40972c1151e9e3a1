#pragma once

#include "saltus/complementarity/place.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/integrators/event/basic_rows.hpp"

namespace saltus {

// A first-order model between two events: every multiplier is at a bound, or holds its y at zero.  docs/theory.md (164)
//     M x' = F + r,   lambda_i at its bound,   y_i = 0 in the basic rows.
// Where the basic rows determine their multipliers, this is an ordinary differential equation. Directions N in which
// they do not, N' dy/dlambda = 0, are constraints on x, N' y = 0. There the derivative of the constraints does: the
// index is reduced once,
//     (R' y, N' dy/dt) = 0,   dy/dt = y_x M^-1 (F + r) + y_t,   R the range of dy/dlambda.
// Relays that slide, diodes that hold a state, and Stewart's convex combinations are all of this form.
class FirstOrderMode {
public:
    // A function that is positive in the mode.
    struct End {
        enum class Kind {
            output,      // y of a row at a bound, its sign
            multiplier,  // of a basic row: the distance from a bound
            held,        // of a basic row whose y may jump with time: that it is still zero
        };
        Kind kind{};
        Index row = 0;
        bool is_upper = false;  // the upper bound
    };

    explicit FirstOrderMode(const Model& model);

    Index size() const { return point_.x.size(); }
    Index controlled() const { return size(); }
    Index rows() const { return functions_.parts().rows(); }
    Interval law(Index row) const { return functions_.parts().law(row); }
    // After a step: what was large long ago says nothing about rounding now.
    void set_time_scale(double) {
        largest_ *= 0.5;
        lambda_scale_ *= 0.5;
    }
    bool is_free() const { return basic_.is_empty(); }

    const Placement& placement() const { return placement_; }
    void set(const Placement& placement);

    // x'; false where it is not finite, or the basic rows do not determine it.
    bool operator()(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope);
    // At the last x'.
    const Eigen::VectorXd& lambda() const { return point_.lambda; }
    const Eigen::VectorXd& y() const { return point_.y; }

    const std::vector<End>& ends() const { return ends_; }
    // Their values at the last x', lifted by what rounding may make of zero, and those of their rates that are known.
    void evaluate_ends(double t, const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::VectorXd& rates);

    // The nearest x along M^-1 dr/dlambda with N' y = 0: the jump of a state that does not satisfy the laws,
    //     M (x+ - x-) = r_lambda sigma,   N' y(x+) = 0,   y_lambda sigma = 0.
    bool jump(double t, Eigen::VectorXd& x);
    // The same removes the drift of steps; where a y has jumped with time, x stays.
    bool project(double t, Eigen::VectorXd& x);

    // How far the laws are from holding across all observed points of an element of time, every multiplier against
    // every y:  max over i, m, m' of |lambda_im - P(lambda_im - y_im')|, over the largest of 1, |lambda| and |y|.
    // It is the cross complementarity of finite elements with switch detection.                   docs/theory.md (167)
    void begin_element();
    void observe();  // the last x'
    double element_residual() const;

    // All functions at (t, x, lambda), or where they were evaluated last, and M^-1.
    const Linearisation& linearise(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& lambda);
    const Linearisation& point() const { return point_; }
    Eigen::MatrixXd solve_mass(const Eigen::MatrixXd& b) const;
    // What rounding may make of a row of y that is zero, at the last evaluation.
    double rounding_of_y(Index row) const;

private:
    double value_of(const End& end) const;
    double rate_of(const End& end) const;
    void update_basic();
    void evaluate_slope();

    Lineariser functions_;
    Linearisation point_;
    bool is_affine_;           // in lambda, with constant coefficients
    bool is_constant_;         // all matrices
    std::vector<char> jumps_;  // rows whose y may jump with time, and does not depend on lambda
    DenseLu mass_;
    bool has_mass_;
    Placement placement_;
    BasicRows basic_;
    std::vector<End> ends_;
    Eigen::VectorXd slope_, forces_;
    Eigen::VectorXd largest_;  // recent entries of x
    double lambda_scale_ = 0.0;
    Eigen::VectorXd least_lambda_, most_lambda_, least_y_, most_y_;  // of an element
};

}  // namespace saltus
