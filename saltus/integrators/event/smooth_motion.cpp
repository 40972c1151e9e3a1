#include "saltus/integrators/event/smooth_motion.hpp"

#include <fmt/format.h>

#include "saltus/integrators/event/first_order_mode.hpp"
#include "saltus/integrators/event/hermite.hpp"
#include "saltus/integrators/event/lagrangian_mode.hpp"

namespace saltus {

namespace {

// A function that falls at the beginning of an interval and rises at its end may be below zero between. It is not if
// the cubic stays well above: by half of the smaller end, and by a hundredth of the way that its slopes would make.
bool may_dip(const Hermite& cubic, double a, double a_rate, double b, double b_rate, double width) {
    if (!(a_rate < 0.0 && b_rate > 0.0)) return false;
    const double least = cubic.value(cubic.lowest());
    return !(least > 0.5 * std::min(a, b) && least > 0.01 * width * std::max(-a_rate, b_rate));
}

}  // namespace

template <class Mode>
typename SmoothMotion<Mode>::Method SmoothMotion<Mode>::make_method(const Mode& mode, const EventDriven& scheme,
                                                                    double longest) {
    using Family = Collocation::Family;
    switch (scheme.method) {
        case SmoothMethod::bdf:
            return Bdf(mode.size(), scheme.tolerance);
        case SmoothMethod::radau:
            return Collocation(Family::radau, scheme.stages, mode.size(), longest);
        case SmoothMethod::gauss:
            return Collocation(Family::gauss, scheme.stages, mode.size(), longest);
        case SmoothMethod::runge_kutta:
            break;
    }
    return ExplicitRungeKutta(mode.size(), mode.controlled(), scheme.tolerance, longest);
}

template <class Mode>
SmoothMotion<Mode>::SmoothMotion(Mode& mode, const EventDriven& scheme, double longest)
    : mode_(mode), method_(make_method(mode, scheme, longest)) {
    x_ = slope_ = x_next_ = slope_next_ = Eigen::VectorXd::Zero(mode.size());
}

template <class Mode>
bool SmoothMotion<Mode>::fail(std::string message) {
    message_ = std::move(message);
    return false;
}

template <class Mode>
bool SmoothMotion<Mode>::evaluate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope, Functions& functions) {
    if (!mode_(t, x, slope)) return false;
    mode_.evaluate_ends(t, x, functions.values, functions.rates);
    is_at_next_ = &functions == &next_;
    return !functions.values.hasNaN();  // no event would be found in them
}

template <class Mode>
bool SmoothMotion<Mode>::restart(double t, const Eigen::VectorXd& x) {
    t_ = t;
    x_ = x;
    std::visit([&](auto& method) { method.restart(t_, x_); }, method_);
    return evaluate(t_, x_, slope_, last_) || fail("the motion is not defined after an event");
}

template <class Mode>
bool SmoothMotion<Mode>::evaluate_after(double s) {
    const bool is_defined =
        std::visit([&](auto& method) { return method.evaluate(mode_, t_, x_, slope_, s, x_next_); }, method_);
    return is_defined && evaluate(t_ + s, x_next_, slope_next_, next_);
}

template <class Mode>
Index SmoothMotion<Mode>::first_crossed() const {
    Index result = -1;
    for (Index i = 0; i < next_.values.size(); ++i)
        if (is_below(next_, i) && (result < 0 || next_.values[i] < next_.values[result])) result = i;
    return result;
}

// The least value is looked for where the cubic has it; that ends as soon as it is negative, or can no longer be.
template <class Mode>
double SmoothMotion<Mode>::find_dip_by_rates(Index i, double h) {
    struct End {
        double s, value, rate;
    };
    End low{0.0, last_.values[i], last_.rates[i]}, high{h, next_.values[i], next_.rates[i]};
    for (int k = 0; k < 40; ++k) {
        const double width = high.s - low.s;
        const Hermite cubic(low.value, low.rate, high.value, high.rate, width);
        if (width <= 1e-12 * h || !may_dip(cubic, low.value, low.rate, high.value, high.rate, width)) break;
        const double s = low.s + width * std::clamp(cubic.lowest(), 0.05, 0.95);
        if (!evaluate_after(s)) break;
        const End middle{s, next_.values[i], next_.rates[i]};
        if (middle.value < 0.0) return s;
        (middle.rate < 0.0 ? low : high) = middle;
    }
    evaluate_after(h);
    return 0.0;
}

// A point between the ends, not in the middle: where the cubics of gaps do not predict it the interval is divided.
template <class Mode>
double SmoothMotion<Mode>::find_closed_gap(const Moment& low, const Moment& high, double h, int depth) {
    if constexpr (requires { mode_.evaluate_gaps(t_, x_, next_.values, next_.rates); }) {
        const double width = high.s - low.s;
        constexpr double point = 0.41;
        Moment middle{low.s + point * width, {}};
        const double tau = middle.s / h, rest = 1.0 - tau;
        const Eigen::VectorXd x = rest * rest * ((1.0 + 2.0 * tau) * x_ + middle.s * slope_) +
                                  tau * tau * ((3.0 - 2.0 * tau) * x_next_ - h * rest * slope_next_);
        mode_.evaluate_gaps(t_ + middle.s, x, middle.functions.values, middle.functions.rates);
        bool is_foreseen = true;
        for (Index i = 0; i < middle.functions.values.size(); ++i) {
            const double value = middle.functions.values[i];
            if (!std::isfinite(value)) continue;
            if (is_below(middle.functions, i)) return middle.s;
            const Hermite cubic(low.functions.values[i], low.functions.rates[i], high.functions.values[i],
                                high.functions.rates[i], width);
            is_foreseen = is_foreseen && std::abs(cubic.value(point) - value) <= 0.05 * std::abs(value);
        }
        if (is_foreseen || depth == 0) return 0.0;
        const double first = find_closed_gap(low, middle, h, depth - 1);
        return first > 0.0 ? first : find_closed_gap(middle, high, h, depth - 1);
    }
    return 0.0;
}

// Functions without known slopes: their parabola through both ends and the middle, the state being interpolated there.
template <class Mode>
double SmoothMotion<Mode>::find_dip_by_middle(double h) {
    low_ = next_;
    x_end_ = x_next_;
    slope_end_ = slope_next_;
    x_next_ = 0.5 * (x_ + x_end_) + 0.125 * h * (slope_ - slope_end_);
    double dip = 0.0;
    if (evaluate(t_ + 0.5 * h, x_next_, slope_next_, next_)) {
        for (Index i = 0; i < next_.values.size() && dip == 0.0; ++i) {
            if (std::isfinite(next_.rates[i]) || last_.values[i] < 0.0) continue;
            const double a = last_.values[i], m = next_.values[i], b = low_.values[i];
            const double c1 = 4.0 * m - 3.0 * a - b, c2 = 2.0 * (a + b) - 4.0 * m;
            const double tau = c2 > 0.0 ? -0.5 * c1 / c2 : 0.5;
            if (tau > 0.0 && tau < 1.0 && a + tau * (c1 + tau * c2) < 0.0) dip = tau * h;
        }
    }
    if (dip > 0.0 && evaluate_after(dip) && first_crossed() >= 0) return dip;
    is_at_next_ = false;
    x_next_ = x_end_;
    slope_next_ = slope_end_;
    next_ = low_;
    return 0.0;
}

template <class Mode>
double SmoothMotion<Mode>::find_dip(double h) {
    constexpr int deepest = 6;
    if constexpr (requires { mode_.has_varying_gaps(); }) {
        const double s = mode_.has_varying_gaps() ? find_closed_gap({0.0, last_}, {h, next_}, h, deepest) : 0.0;
        if (s > 0.0) {
            if (evaluate_after(s) && first_crossed() >= 0) return s;
            evaluate_after(h);
        }
    }
    bool knows_all = true;
    for (Index i = 0; i < next_.values.size(); ++i) {
        if (!(std::isfinite(last_.rates[i]) && std::isfinite(next_.rates[i]))) {
            knows_all = false;
        } else if (last_.rates[i] < 0.0 && next_.rates[i] > 0.0) {
            if (const double s = find_dip_by_rates(i, h); s > 0.0) return s;
        }
    }
    return knows_all ? 0.0 : find_dip_by_middle(h);
}

template <class Mode>
double SmoothMotion<Mode>::estimate_zero(double width, double low_weight, double high_weight, Index& which) const {
    double first = 2.0;
    for (Index i = 0; i < high_.values.size(); ++i) {
        if (!is_below(high_, i)) continue;
        const double a = std::max(0.0, low_.values[i]), b = high_.values[i];
        const bool has_rates = std::isfinite(low_.rates[i]) && std::isfinite(high_.rates[i]);
        const double zero = has_rates ? Hermite(a, low_.rates[i], b, high_.rates[i], width).root()
                                      : low_weight * a / (low_weight * a - high_weight * b);
        if (zero < first) {
            first = zero;
            which = i;
        }
    }
    return first;
}

// The lower end of the interval has crossed none, the upper one some. Zeros of cubics, where slopes are known, else the
// Illinois form of regula falsi; a bisection wherever that is slow.
template <class Mode>
bool SmoothMotion<Mode>::locate(double h) {
    low_ = last_;
    high_ = next_;
    double low = 0.0, high = h, low_weight = 1.0, high_weight = 1.0;
    Index at_high = first_crossed();
    bool is_slow = false, is_low_kept = false;
    const double least = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), h);
    for (int k = 0; k < 100 && high - low > least; ++k) {
        const double width = high - low, margin = 0.5 * least;
        const double zero = low + width * estimate_zero(width, low_weight, high_weight, crossed_);
        const double s = is_slow ? 0.5 * (low + high) : std::clamp(zero, low + margin, high - margin);
        if (!evaluate_after(s)) return fail("the motion is not defined where an event is looked for");
        const Index first = first_crossed();
        const bool is_near = std::abs(next_.values[crossed_]) <= std::abs(next_.rates[crossed_]) * least;
        if (is_near && (first < 0 || first == crossed_)) {
            located_ = s;
            return true;
        }
        // The value at an end that stays twice is halved.
        if (first >= 0) {
            low_weight = is_low_kept ? 0.5 * low_weight : 1.0;
            high_weight = 1.0;
            high = s;
            at_high = first;
            high_ = next_;
        } else {
            high_weight = is_low_kept ? 1.0 : 0.5 * high_weight;
            low_weight = 1.0;
            low = s;
            low_ = next_;
        }
        is_low_kept = first >= 0;
        is_slow = !is_slow && high - low > 0.5 * width;  // as where a gap has just opened, and is zero at the lower end
    }
    located_ = high;
    crossed_ = at_high;
    return evaluate_after(high) || fail("the motion is not defined at an event");
}

template <class Mode>
typename SmoothMotion<Mode>::Outcome SmoothMotion<Mode>::advance(double t_end) {
    const double left = t_end - t_;
    if (left <= 8.0 * std::numeric_limits<double>::epsilon() * std::abs(t_end)) {  // no step is as short as that
        t_ = t_end;
        return Outcome::moved;
    }
    double h = std::visit([&](auto& method) { return method.advance(mode_, t_, x_, slope_, left, x_next_); }, method_);
    if (h == 0.0) {
        fail(
            fmt::format("no step of the smooth motion has an error below the tolerance at t = {:.12g}: is the "
                        "tolerance too small, or does the motion end here?",
                        t_));
        return Outcome::failed;
    }
    mode_.set_time_scale(h);
    if (!evaluate(t_ + h, x_next_, slope_next_, next_)) {
        fail("a force or the mass is not finite");
        return Outcome::failed;
    }
    if (first_crossed() < 0) {
        const double dip = find_dip(h);
        if (dip == 0.0) {
            check_element(h);
            return settle(h == left ? t_end : t_ + h);
        }
        h = dip;
    }
    if (!locate(h)) return Outcome::failed;
    check_element(located_);
    return arrive();
}

// The laws at both ends and in all stages of a step.
template <class Mode>
void SmoothMotion<Mode>::check_element(double h) {
    const Collocation* method = std::get_if<Collocation>(&method_);
    if constexpr (requires { mode_.observe(); }) {
        if (!method || method->length() != h || !mode_(t_, x_, slope_next_)) return;
        is_at_next_ = false;
        mode_.begin_element();
        Eigen::VectorXd stage(x_.size());
        for (Index i = 0; i < method->stages(); ++i) {
            method->read_stage(i, x_, h, stage);
            if (mode_(t_ + method->c()[i] * h, stage, slope_next_)) mode_.observe();
        }
        if (mode_(t_ + h, x_next_, slope_next_)) mode_.observe();
        element_residual_ = std::max(element_residual_, mode_.element_residual());
    }
}

// Ends a step at t: what is held is held exactly, up to the errors of the step.
template <class Mode>
typename SmoothMotion<Mode>::Outcome SmoothMotion<Mode>::settle(double t) {
    t_ = t;
    x_.swap(x_next_);
    if (mode_.is_free() && is_at_next_) {
        slope_.swap(slope_next_);
        std::swap(last_, next_);
        return Outcome::moved;
    }
    const bool is_held = std::holds_alternative<Bdf>(method_) || mode_.project(t_, x_);  // which projects by itself
    if (is_held && evaluate(t_, x_, slope_, last_)) return Outcome::moved;
    fail("what is held cannot be held: a force or a position is not finite");
    return Outcome::failed;
}

template <class Mode>
typename SmoothMotion<Mode>::Outcome SmoothMotion<Mode>::arrive() {
    t_ += located_;
    x_.swap(x_next_);
    if (mode_.project(t_, x_) && mode_(t_, x_, slope_)) return Outcome::event;
    fail("the motion is not defined at an event");
    return Outcome::failed;
}

template class SmoothMotion<FirstOrderMode>;
template class SmoothMotion<LagrangianMode>;

}  // namespace saltus
