#include "saltus/complementarity/friction/central_path.hpp"

namespace saltus::friction {

namespace {

constexpr double widest_centring = 0.3, widest_imbalance = 0.1;
constexpr double longest_length = 4.0, longest_rate = 3.0;  // of a step, and of its part along log tau

}  // namespace

bool CentralPath::Distance::is_within(double factor) const {
    return centring < factor * widest_centring && imbalance < factor * widest_imbalance;
}

CentralPath::CentralPath(InteriorState& state)
    : state_(state),
      tau_(state.gap()),
      first_tau_(tau_),
      first_imbalance_(state.point().imbalance),
      newton_(state.zero_direction()),
      tangent_(newton_),
      move_(newton_),
      target_(newton_.s) {}

CentralPath::Distance CentralPath::distance() const {
    Distance result{0.0, 0.0};
    for (const auto& cone : state_.point().cones) {
        lorentz::Vector difference = lorentz::product(cone.scaling.lambda, cone.scaling.lambda);
        difference[0] -= tau_;
        result.centring = std::max(result.centring, difference.norm() / tau_);
    }
    const double part = tau_ / first_tau_;
    const double size = part * first_imbalance_.norm();
    if (size > 0.0) result.imbalance = (state_.point().imbalance - part * first_imbalance_).norm() / size;
    return result;
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

// Moves by Newton's direction and `rate` times the tangent; takes it back where that leads too far from the path.
bool CentralPath::try_move(double rate, bool is_corrector) {
    move_.r = newton_.r + rate * tangent_.r;
    for (std::size_t k = 0; k < move_.s.size(); ++k) {
        move_.s[k] = newton_.s[k] + rate * tangent_.s[k];
        move_.y[k] = newton_.y[k] + rate * tangent_.y[k];
    }
    const double part = std::min(1.0, 0.9 * state_.longest_step(move_, 2.0));
    if (!is_corrector && part < 0.5) {
        length_ *= 0.6;
        return false;
    }
    const double from_tau = tau_;
    from_ = state_.point();
    tau_ *= std::exp(part * rate);
    if (state_.move(move_, part)) {
        if (is_corrector) return true;
        const Distance reached = distance();
        if (reached.is_within(3.0)) {
            if (reached.is_within(0.5))
                length_ = std::min(1.7 * length_, longest_length);
            else if (!reached.is_within(1.5))
                length_ *= 0.7;
            return true;
        }
    }
    state_.restore(from_);
    tau_ = from_tau;
    length_ *= 0.5;
    return false;
}

bool CentralPath::step() {
    if (!state_.factor()) return false;
    find_directions();
    const int orientation = state_.orientation();
    if (first_orientation_ == 0) first_orientation_ = orientation;
    const double direction = orientation == first_orientation_ ? -1.0 : 1.0;
    // Newton's direction made orthogonal to the path: at a fold the tangent is long and takes nearly all of it.
    const double squared = product(tangent_, tangent_) + 1.0;
    const double across = -product(tangent_, newton_) / squared;
    if (!distance().is_within(1.0) && try_move(std::clamp(across, -longest_rate, longest_rate), true)) return true;
    for (int attempt = 0; attempt < 20; ++attempt) {
        const double rate = across + direction * length_ / std::sqrt(squared);
        if (try_move(std::clamp(rate, -longest_rate, longest_rate), false)) return true;
    }
    return false;
}

}  // namespace saltus::friction
