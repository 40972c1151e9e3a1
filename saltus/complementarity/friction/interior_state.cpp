#include "saltus/complementarity/friction/interior_state.hpp"

namespace saltus::friction {

namespace {

// by_w += e_N sum_k mu_k u_k' / |u_k|: the derivative of De Saxce's shift.
template <class L>
void add_shift_derivative(const L&, const double*, SmallMatrix&) {}
template <int Disks, int DiskSize>
void add_shift_derivative(const FrictionLaw<Disks, DiskSize>& law, const double* u_data, SmallMatrix& by_w) {
    using L = FrictionLaw<Disks, DiskSize>;
    const Eigen::Map<const typename L::Vector> u(u_data);
    for (int k = 0; k < Disks; ++k) {
        const double length = L::disk(u, k).norm();
        if (length > 0.0)
            by_w.template block<1, DiskSize>(0, 1 + k * DiskSize) += law.mu[k] / length * L::disk(u, k).transpose();
    }
}

}  // namespace

InteriorState::InteriorState(const OneStepView& problem, double size)
    : problem_(problem),
      form_(cone_form(problem, size * problem.rho() * problem.q.lpNorm<Eigen::Infinity>())),
      equation_(problem, Formulation::alart_curnier),
      system_(equation_),
      derivatives_(static_cast<std::size_t>(problem.blocks())),
      right_side_(problem.size()) {
    const double velocity = problem.q.lpNorm<Eigen::Infinity>(), tau = size * problem.rho() * velocity * velocity;
    point_.r = form_.interior;
    for (const auto& [i, G, h] : form_.constraints) {
        Cone cone;
        cone.s = G.lazyProduct(block(point_.r, i)) + h;
        cone.y = tau * lorentz::inverse(cone.s);
        point_.cones.push_back(cone);
    }
    update();
}

bool InteriorState::update() {
    point_.u = problem_.q;
    problem_.W.multiply_add(point_.r, point_.u);
    point_.imbalance = point_.u;
    add_shift(problem_, point_.imbalance);
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
        const double* u = point_.u.data() + problem_.W.start(i);
        std::visit([&](const auto& law) { add_shift_derivative(law, u, derivative.by_w); }, problem_.law(i));
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

}  // namespace saltus::friction
