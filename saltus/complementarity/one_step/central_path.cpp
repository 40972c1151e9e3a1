#include "saltus/complementarity/one_step/central_path.hpp"

namespace saltus::one_step {

namespace {

constexpr double widest_centring = 0.3, widest_imbalance = 0.1;
constexpr double farthest = 5.0;                            // distance() after a predictor
constexpr double longest_length = 4.0, longest_rate = 3.0;  // of a step, and of its part along log tau
constexpr double shortest_length = 1e-7;
constexpr int most_correctors = 8;

}  // namespace

CentralPath::CentralPath(InteriorState& state)
    : state_(state),
      tau_(state.gap()),
      first_tau_(tau_),
      first_imbalance_(state.point().imbalance),
      newton_(state.zero_direction()),
      tangent_(newton_),
      move_(newton_),
      target_(newton_.s) {
    // The shift is smoothed as tau falls: where a contact sticks, |u_T| is of the size of tau, and its corner would
    // bend the path sharply.
    velocity_ = state.point().u.lpNorm<Eigen::Infinity>() * 0.1;
    set_tau(tau_);
    first_imbalance_ = state_.point().imbalance;
}

void CentralPath::set_tau(double tau) {
    tau_ = tau;
    state_.set_smoothing(velocity_ * tau_ / first_tau_);
}

double CentralPath::distance() const {
    double centring = 0.0;
    for (const auto& cone : state_.point().cones) {
        lorentz::Vector difference = lorentz::product(cone.scaling.lambda, cone.scaling.lambda);
        difference[0] -= tau_;
        centring = std::max(centring, difference.norm() / tau_);
    }
    const double part = tau_ / first_tau_, size = part * first_imbalance_.norm();
    const double imbalance = size > 0.0 ? (state_.point().imbalance - part * first_imbalance_).norm() / size : 0.0;
    return std::max(centring / widest_centring, imbalance / widest_imbalance);
}

// Newton's direction to the path at this tau, and the derivative of the path by log tau.            docs/theory.md (92)
void CentralPath::find_directions() {
    const auto& cones = state_.point().cones;
    const double part = tau_ / first_tau_;
    for (std::size_t k = 0; k < cones.size(); ++k) {
        target_[k] = -lorentz::product(cones[k].scaling.lambda, cones[k].scaling.lambda);
        target_[k][0] += tau_;
        target_[k] = lorentz::divide(target_[k], cones[k].scaling.lambda);
    }
    difference_ = state_.point().imbalance - part * first_imbalance_;
    state_.solve(difference_, target_, newton_);
    for (std::size_t k = 0; k < cones.size(); ++k) target_[k] = tau_ * lorentz::inverse(cones[k].scaling.lambda);
    difference_ = -part * first_imbalance_;
    state_.add_smoothing_rate(difference_);
    state_.solve(difference_, target_, tangent_);
}

// In the metric of the scaling, in which the distance to the boundary is about 1; the mean over the cones.
double CentralPath::product(const InteriorDirection& a, const InteriorDirection& b) const {
    const auto& cones = state_.point().cones;
    double sum = 0.0;
    for (std::size_t k = 0; k < cones.size(); ++k) {
        const auto& [F, inverse, lambda] = cones[k].scaling;
        sum += (inverse * a.s[k]).dot(inverse * b.s[k]) + (F * a.y[k]).dot(F * b.y[k]);
    }
    return sum / (tau_ * static_cast<double>(cones.size()));
}

// Moves by part of (Newton's direction + rate times the tangent), at most `part`.
double CentralPath::move(double rate, double part) {
    move_.r = newton_.r + rate * tangent_.r;
    for (std::size_t k = 0; k < move_.s.size(); ++k) {
        move_.s[k] = newton_.s[k] + rate * tangent_.s[k];
        move_.y[k] = newton_.y[k] + rate * tangent_.y[k];
    }
    part = std::min(part, 0.9 * state_.longest_step(move_, 2.0));
    if (!state_.move(move_, part)) return 0.0;
    set_tau(tau_ * std::exp(part * rate));
    return part;
}

// Back to the last point near the path, and from there less far.
bool CentralPath::retreat() {
    state_.restore(anchor_);
    set_tau(anchor_tau_);
    correctors_ = 0;
    length_ *= 0.3;
    return length_ > shortest_length;
}

bool CentralPath::step() {
    const double distance_before = distance();
    if (!state_.factor()) return correctors_ > 0 && retreat();
    find_directions();
    // Newton's direction made orthogonal to the path: at a fold the tangent is long and takes nearly all of it.
    const double squared = product(tangent_, tangent_) + 1.0;
    const double across = std::clamp(-product(tangent_, newton_) / squared, -longest_rate, longest_rate);
    if (distance_before > 1.0) return correct(across);
    const int orientation = state_.orientation();
    if (first_orientation_ == 0) first_orientation_ = orientation;
    const double direction = orientation == first_orientation_ ? -1.0 : 1.0;
    length_ = std::clamp(length_ * (correctors_ <= 1 ? 1.7 : correctors_ >= 3 ? 0.6 : 1.0), 0.0, longest_length);
    anchor_ = state_.point();
    anchor_tau_ = tau_;
    correctors_ = 0;
    const double rate = std::clamp(across + direction * length_ / std::sqrt(squared), -longest_rate, longest_rate);
    return (move(rate, 1.0) > 0.2 && distance() < farthest) || retreat();
}

bool CentralPath::correct(double rate) {
    const double before = distance(), tau = tau_;
    from_ = state_.point();
    for (double part = 1.0; part > 0.1 && ++correctors_ <= most_correctors; part *= 0.5) {
        if (move(rate, part) > 0.0 && distance() < before) return true;
        state_.restore(from_);
        set_tau(tau);
    }
    return retreat();
}

}  // namespace saltus::one_step
