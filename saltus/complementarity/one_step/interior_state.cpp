#include "saltus/complementarity/one_step/interior_state.hpp"

namespace saltus::one_step {

namespace {

// De Saxce's shift of a block, smoothed: sum_k mu_k sqrt(|u_k|^2 + eps^2), and its derivatives by u and log eps.
struct Shift {
    double value = 0.0, by_log_smoothing = 0.0;
    Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, BlockMatrix::largest_block> by_u;
};
template <class L>
Shift smoothed_shift(const L& law, const double*, double) {
    Shift shift;
    shift.by_u.setZero(dimension(law));
    return shift;
}
template <int Disks, int DiskSize>
Shift smoothed_shift(const FrictionLaw<Disks, DiskSize>& law, const double* u_data, double smoothing) {
    using L = FrictionLaw<Disks, DiskSize>;
    const Eigen::Map<const typename L::Vector> u(u_data);
    Shift shift;
    shift.by_u.setZero(L::dimension);
    for (int k = 0; k < Disks; ++k) {
        const double length = std::hypot(L::disk(u, k).norm(), smoothing);
        if (length == 0.0) continue;
        shift.value += law.mu[k] * length;
        shift.by_log_smoothing += law.mu[k] * smoothing * smoothing / length;
        shift.by_u.template segment<DiskSize>(1 + k * DiskSize) = law.mu[k] / length * L::disk(u, k).transpose();
    }
    return shift;
}

Shift shift_of(const OneStepView& problem, const Eigen::VectorXd& u, Index i, double smoothing) {
    return std::visit([&](const auto& law) { return smoothed_shift(law, u.data() + problem.W.start(i), smoothing); },
                      problem.law(i));
}

double velocity_scale(const OneStepView& problem) {
    const double largest = problem.size() > 0 ? problem.q.lpNorm<Eigen::Infinity>() : 0.0;
    return largest > 0.0 ? largest : 1.0;
}

}  // namespace

InteriorState::InteriorState(const OneStepView& problem, double size)
    : problem_(problem),
      form_(cone_form(problem, size * problem.rho() * velocity_scale(problem))),
      equation_(problem, Formulation::alart_curnier),
      system_(equation_),
      derivatives_(static_cast<std::size_t>(problem.blocks())),
      right_side_(problem.size()) {
    const double velocity = velocity_scale(problem), tau = size * problem.rho() * velocity * velocity;
    point_.r = form_.interior;
    for (const auto& [i, G, h] : form_.constraints) {
        Cone cone;
        cone.s = G.lazyProduct(block(point_.r, i)) + h;
        cone.y = tau * lorentz::inverse(cone.s);
        point_.cones.push_back(cone);
    }
    update();
}

void InteriorState::set_smoothing(double smoothing) {
    smoothing_ = smoothing;
    update();
}

void InteriorState::add_smoothing_rate(Eigen::VectorXd& imbalance) const {
    for (Index i = 0; i < problem_.blocks(); ++i)
        imbalance[problem_.W.start(i)] += shift_of(problem_, point_.u, i, smoothing_).by_log_smoothing;
}

bool InteriorState::update() {
    point_.u = problem_.q;
    problem_.W.multiply_add(point_.r, point_.u);
    point_.imbalance = point_.u;
    for (Index i = 0; i < problem_.blocks(); ++i)
        point_.imbalance[problem_.W.start(i)] += shift_of(problem_, point_.u, i, smoothing_).value;
    for (std::size_t k = 0; k < point_.cones.size(); ++k) {
        const auto& [i, G, h] = form_.constraints[k];
        Cone& cone = point_.cones[k];
        cone.s = G.lazyProduct(block(point_.r, i)) + h;
        if (!(lorentz::distance(cone.s) > 0.0 && lorentz::distance(cone.y) > 0.0)) return false;
        cone.scaling = lorentz::Scaling(cone.s, cone.y);
        block(point_.imbalance, i) -= G.transpose().lazyProduct(cone.y);
    }
    for (Index c = 0; c < problem_.size(); ++c)
        if (form_.fixed[c]) point_.imbalance[c] = 0.0;
    return point_.r.allFinite();
}

double InteriorState::gap() const {
    double sum = 0.0;
    for (const Cone& cone : point_.cones) sum += cone.s.dot(cone.y);
    return point_.cones.empty() ? 0.0 : sum / static_cast<double>(point_.cones.size());
}

double InteriorState::gap(const InteriorDirection& d, double length) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < point_.cones.size(); ++k)
        sum += (point_.cones[k].s + length * d.s[k]).dot(point_.cones[k].y + length * d.y[k]);
    return point_.cones.empty() ? 0.0 : sum / static_cast<double>(point_.cones.size());
}

InteriorDirection InteriorState::zero_direction() const {
    InteriorDirection d;
    d.r.setZero(problem_.size());
    for (const Cone& cone : point_.cones) d.s.push_back(lorentz::Vector::Zero(cone.s.size()));
    d.y = d.s;
    return d;
}

bool InteriorState::factor() {
    for (Index i = 0; i < problem_.blocks(); ++i) {
        const int n = problem_.W.size(i);
        BlockDerivative& derivative = derivatives_[i];
        derivative.by_w.setIdentity(n, n);
        derivative.by_r.setZero(n, n);
        derivative.by_w.row(0) += shift_of(problem_, point_.u, i, smoothing_).by_u;
    }
    for (std::size_t k = 0; k < point_.cones.size(); ++k) {
        const auto& [i, G, h] = form_.constraints[k];
        const auto scaled = point_.cones[k].scaling.inverse.lazyProduct(G).eval();
        derivatives_[i].by_r += scaled.transpose().lazyProduct(scaled);
    }
    for (Index i = 0; i < problem_.blocks(); ++i) fix_rows(i);
    return system_.factor(derivatives_);
}

void InteriorState::fix_rows(Index i) {
    BlockDerivative& derivative = derivatives_[i];
    Index count = 0;
    for (Index c = 0; c < problem_.W.size(i); ++c) {
        if (!form_.fixed[problem_.W.start(i) + c]) continue;
        ++count;
        derivative.by_w.row(c).setZero();
        derivative.by_r.row(c).setZero();
        derivative.by_r(c, c) = 1.0;
    }
    derivative.is_open = count == problem_.W.size(i);
}

void InteriorState::solve(const Eigen::VectorXd& imbalance, const std::vector<lorentz::Vector>& target,
                          InteriorDirection& d) {
    right_side_ = imbalance;
    for (std::size_t k = 0; k < point_.cones.size(); ++k) {
        const auto& [i, G, h] = form_.constraints[k];
        const lorentz::Vector scaled = point_.cones[k].scaling.inverse * target[k];
        block(right_side_, i) -= G.transpose().lazyProduct(scaled);
    }
    for (Index c = 0; c < problem_.size(); ++c)
        if (form_.fixed[c]) right_side_[c] = 0.0;
    system_.solve(derivatives_, right_side_, d.r);
    for (std::size_t k = 0; k < point_.cones.size(); ++k) {
        const auto& [i, G, h] = form_.constraints[k];
        const auto& inverse = point_.cones[k].scaling.inverse;
        d.s[k] = G.lazyProduct(block(d.r, i));
        d.y[k] = inverse * (target[k] - inverse * d.s[k]);
    }
}

double InteriorState::longest_step(const InteriorDirection& d, double limit) const {
    for (std::size_t k = 0; k < point_.cones.size(); ++k) {
        limit = lorentz::step_to_boundary(point_.cones[k].s, d.s[k], limit);
        limit = lorentz::step_to_boundary(point_.cones[k].y, d.y[k], limit);
    }
    return limit;
}

bool InteriorState::move(const InteriorDirection& d, double t) {
    point_.r += t * d.r;
    for (std::size_t k = 0; k < point_.cones.size(); ++k) point_.cones[k].y += t * d.y[k];
    return update();
}

}  // namespace saltus::one_step
