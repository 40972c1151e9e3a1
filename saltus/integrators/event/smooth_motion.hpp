#pragma once

#include <string>
#include <utility>
#include <variant>

#include "saltus/integrators/event/bdf.hpp"
#include "saltus/integrators/event/collocation.hpp"
#include "saltus/integrators/event/event_driven.hpp"
#include "saltus/integrators/event/explicit_runge_kutta.hpp"

namespace saltus {

// The motion in one mode, x' = f(t, x), up to the event that ends it: where a function of the mode, positive in it,
// falls below zero.                                                                               docs/theory.md (160)
// A mode has the functions
//     Index size() const, controlled() const;                          entries of x, and those whose error counts
//     bool operator()(double t, const VectorXd& x, VectorXd& slope);   false where x' is not defined
//     void evaluate_ends(double t, const VectorXd& x, VectorXd& values, VectorXd& rates);
//                  its functions where x' was evaluated last, and their derivatives in time, NaN where not known
//     bool is_free() const;                                            it holds nothing: project() has nothing to do
//     bool project(double t, VectorXd& x);                             onto what the mode holds; false if that fails
//     void set_time_scale(double h);                                   in which the motion changes little
// and, if it has functions of (t, x) alone that may change much within a step,
//     bool has_varying_gaps() const;                                   it has some now
//     void evaluate_gaps(double t, const VectorXd& x, VectorXd& values, VectorXd& rates);   those, NaN for the others
template <class Mode>
class SmoothMotion {
public:
    enum class Outcome { moved, event, failed };

    // `longest` is the length of the first step that is tried.
    SmoothMotion(Mode& mode, const EventDriven& scheme, double longest);

    // Errors of x are relative to this where an entry is smaller; to 1 if none was set.
    void set_scale(const Eigen::VectorXd& scale) {
        std::visit([&](auto& method) { method.set_scale(scale); }, method_);
    }
    // Continues from (t, x) in the current mode; false if that is not defined.
    bool restart(double t, const Eigen::VectorXd& x);
    // One step, no further than t_end, or to the event that ends the mode.
    Outcome advance(double t_end);

    // After an event: at the event, before anything is done about it.
    double t() const { return t_; }
    const Eigen::VectorXd& x() const { return x_; }
    const Eigen::VectorXd& slope() const { return slope_; }
    // The values of the functions of the mode.
    const Eigen::VectorXd& values() const { return last_.values; }
    // Their derivatives in time, NaN where not known.
    const Eigen::VectorXd& rates() const { return last_.rates; }
    // Which function of the mode ended it.
    Index crossed() const { return crossed_; }
    // The time in which the motion changes little: the length of the next step.
    double time_scale() const {
        return std::visit([](const auto& method) { return method.next_length(); }, method_);
    }
    // The element residual since the last call, with one element per step of radau or gauss: see
    // FirstOrderMode::element_residual(). Zero if there is none.
    double take_element_residual() { return std::exchange(element_residual_, 0.0); }
    // Why the last outcome was a failure.
    const std::string& message() const { return message_; }

private:
    using Method = std::variant<ExplicitRungeKutta, Bdf, Collocation>;
    struct Functions {
        Eigen::VectorXd values{}, rates{};
    };

    static Method make_method(const Mode& mode, const EventDriven& scheme, double longest);
    bool evaluate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope, Functions& functions);
    // The state at the time s after the beginning of the step, in x_next_; its functions in next_.
    bool evaluate_after(double s);
    // A function that begins at zero or less, such as a gap that has just opened, ends the mode only when it falls.
    bool is_below(const Functions& functions, Index i) const {
        if (!(functions.values[i] < 0.0)) return false;
        return last_.values[i] > 0.0 || !(functions.rates[i] > 0.0 || functions.values[i] >= last_.values[i]);
    }
    Index first_crossed() const;
    // The length s <= h of the step after which a function is below zero; x_next_ is there.
    bool locate(double h);
    // The first zero of the functions that are below zero in high_, as a part of the interval; `which` it belongs to.
    double estimate_zero(double width, double low_weight, double high_weight, Index& which) const;
    // Where in (0, h) a function that is positive at both ends is negative; 0 if nowhere, and next_ is then that at h.
    double find_dip(double h);
    double find_dip_by_rates(Index i, double h);
    // Gaps that depend on time, and those of curved surfaces, may change more within a step than the motion does.
    struct Moment {
        double s = 0.0;
        Functions functions{};
    };
    double find_closed_gap(const Moment& low, const Moment& high, double h, int depth);
    double find_dip_by_middle(double h);
    void check_element(double h);
    Outcome settle(double t);
    Outcome arrive();
    bool fail(std::string message);

    Mode& mode_;
    Method method_;
    double t_ = 0.0;
    Eigen::VectorXd x_, slope_, x_next_, slope_next_;
    Eigen::VectorXd x_end_, slope_end_;  // kept while the middle of a step is looked at
    Functions last_, next_;              // at both ends of the step
    Functions low_, high_;               // of the interval in which a zero is looked for
    Index crossed_ = -1;
    bool is_at_next_ = false;  // the mode was evaluated last where next_ is
    double located_ = 0.0, element_residual_ = 0.0;
    std::string message_;
};

}  // namespace saltus
