#pragma once

#include "saltus/complementarity/one_step/cone_form.hpp"
#include "saltus/complementarity/one_step/newton_system.hpp"

namespace saltus::one_step {

// A step of an interior point method: of r, and of s and y of every cone.
struct InteriorDirection {
    Eigen::VectorXd r;
    std::vector<lorentz::Vector> s, y;
};

// A point of an interior point method, with all s and y inside their cones:
//     s = G r + h,   imbalance = dual(W r + q) - sum G' y,   s o y -> tau e,   tau -> 0.            docs/theory.md (86)
class InteriorState {
public:
    // Starts at the interior point of the laws, of size `size` rho |q|, with s o y = gap e.
    InteriorState(const OneStepView& problem, double size);

    struct Cone {
        lorentz::Vector s, y;
        lorentz::Scaling scaling;  // at s, y: set by update()
    };
    struct Point {
        Eigen::VectorXd r, u, imbalance;
        std::vector<Cone> cones;
    };
    const Point& point() const { return point_; }
    void restore(const Point& point) { point_ = point; }
    double residual(double tolerance) const { return residual_unless_escape(problem_, point_.r, point_.u, tolerance); }
    // The mean of s.y, `length` along d: tau on the central path.
    double gap() const;
    double gap(const InteriorDirection& d, double length) const;
    InteriorDirection zero_direction() const;

    // De Saxce's shift becomes sum_k mu_k sqrt(|u_k|^2 + smoothing^2).
    void set_smoothing(double smoothing);
    // imbalance += its derivative with respect to log smoothing.
    void add_smoothing_rate(Eigen::VectorXd& imbalance) const;

    // Factors E W + sum G' F^-2 G, E the derivative of dual: the Newton system at this point. False if singular.
    bool factor();
    // The sign of its determinant.
    int orientation() const { return system_.determinant_sign(); }
    // d solves   E W dr - sum G' dy = -imbalance,   ds = G dr,   F dy + F^-1 ds = target, one per cone.
    //                                                                                               docs/theory.md (88)
    void solve(const Eigen::VectorXd& imbalance, const std::vector<lorentz::Vector>& target, InteriorDirection& d);

    // The largest t <= limit for which all s + t ds, y + t dy are in their cones.
    double longest_step(const InteriorDirection& d, double limit) const;
    // Moves by t d; false if rounding led out of a cone.
    bool move(const InteriorDirection& d, double t);

private:
    Eigen::VectorXd::ConstSegmentReturnType block(const Eigen::VectorXd& v, Index i) const {
        return v.segment(problem_.W.start(i), problem_.W.size(i));
    }
    Eigen::VectorXd::SegmentReturnType block(Eigen::VectorXd& v, Index i) const {
        return v.segment(problem_.W.start(i), problem_.W.size(i));
    }
    // Sets u, imbalance and the scalings from r and all y.
    bool update();
    void fix_rows(Index i);

    const OneStepView& problem_;
    ConeForm form_;
    Point point_;
    double smoothing_ = 0.0;
    OneStepEquation equation_;
    NewtonSystem system_;
    std::vector<BlockDerivative> derivatives_;
    Eigen::VectorXd right_side_;
};

}  // namespace saltus::one_step
