#include "saltus/complementarity/one_step/local_contact.hpp"

#include <Eigen/Dense>

namespace saltus::one_step {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class Law>
using DiskSquare = Eigen::Matrix<double, Law::disk_size, Law::disk_size>;

// Largest eigenvalue of the symmetric part of a 1 x 1 or 2 x 2 matrix.
double largest_eigenvalue(const Eigen::Matrix<double, 1, 1>& m) { return m(0, 0); }
double largest_eigenvalue(const Eigen::Matrix2d& m) {
    const double mean = 0.5 * (m(0, 0) + m(1, 1)), half = 0.5 * (m(0, 0) - m(1, 1)), off = 0.5 * (m(0, 1) + m(1, 0));
    return mean + std::hypot(half, off);
}

// A sign change of a continuous f in [low, high], f(low) > 0 >= f(high), low >= 0, to working precision: bisection, in
// the geometric mean where the bracket spans decades.
template <class Function>
double bracketed_root(Function&& f, double low, double high) {
    for (int iteration = 0; iteration < 2000 && high - low > 2.0 * epsilon * high; ++iteration) {
        const double middle = high > 4.0 * low && low > 0.0 ? std::sqrt(low * high) : 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (f(middle) > 0.0 ? low : high) = middle;
    }
    return high;
}

}  // namespace

ContactState solve_exactly(const LocalContact<Coulomb2D>& contact, const Coulomb2D::Vector& q, Coulomb2D::Vector& r) {
    const auto& W = contact.W;
    const double mu = contact.law.mu[0];
    if (q[0] >= 0.0) {
        r.setZero();
        return ContactState::separated;
    }
    const double determinant = W(0, 0) * W(1, 1) - W(0, 1) * W(1, 0);
    if (std::abs(determinant) > epsilon * std::abs(W(0, 0) * W(1, 1))) {
        const Coulomb2D::Vector stuck(-(W(1, 1) * q[0] - W(0, 1) * q[1]) / determinant,
                                      -(W(0, 0) * q[1] - W(1, 0) * q[0]) / determinant);
        if (stuck.allFinite() && contact.law.contains(stuck)) {
            r = stuck;
            return ContactState::stuck;
        }
    }
    // u_N = 0 on the edge r_T = s mu r_N of the cone, and u_T against r_T.
    for (const double sign : {1.0, -1.0}) {
        const double stiffness = W(0, 0) + sign * mu * W(0, 1);
        if (!(stiffness > 0.0)) continue;
        const double normal = -q[0] / stiffness;
        const Coulomb2D::Vector slid(normal, sign * mu * normal);
        const double slip = W.row(1).dot(slid) + q[1];
        const double rounding = 4.0 * epsilon * (W.row(1).cwiseAbs().dot(slid.cwiseAbs()) + std::abs(q[1]));
        if (slid.allFinite() && sign * slip <= rounding) {
            r = slid;
            return ContactState::sliding;
        }
    }
    return ContactState::none;
}

SpatialContact::SpatialContact(const LocalContact<Coulomb3D>& contact)
    : mu_(contact.law.mu[0]), W_NN_(contact.W(0, 0)) {
    if (!(W_NN_ > 0.0)) return;
    const auto& W = contact.W;
    normal_row_ = W.block<1, 2>(0, 1) / W_NN_;
    normal_column_ = W.block<2, 1>(1, 0) / W_NN_;
    S_ = W.bottomRightCorner<2, 2>() - W.block<2, 1>(1, 0) * normal_row_;
    trace_ = S_.trace();
    determinant_ = S_.determinant();
    const double size = W.cwiseAbs().maxCoeff();
    if (!(std::abs(determinant_) > 1e-15 * size * size)) least_alpha_ = 1e-15 * size;
}

SpatialContact::Point SpatialContact::at(const Reduced& reduced, double alpha) const {
    // (S + alpha I)^-1 = (adj S + alpha I) / (alpha^2 + tr S alpha + det S).
    const double inverse = 1.0 / (alpha * (alpha + trace_) + determinant_);
    const auto solve = [&](const Eigen::Vector2d& x) -> Eigen::Vector2d {
        return {inverse * ((S_(1, 1) + alpha) * x[0] - S_(0, 1) * x[1]),
                inverse * ((S_(0, 0) + alpha) * x[1] - S_(1, 0) * x[0])};
    };
    Point point;
    point.tangent = -solve(reduced.b);
    point.tangent_rate = -solve(point.tangent);
    point.normal = reduced.normal - normal_row_.dot(point.tangent);
    point.length = point.tangent.norm();
    return point;
}

bool SpatialContact::find_root(const Reduced& reduced, double& alpha, Point& point) const {
    double low = least_alpha_, high = std::numeric_limits<double>::infinity();
    if (!(alpha > low)) alpha = std::max(0.5 * std::abs(trace_), 1e-8 * W_NN_);
    for (int iteration = 0; iteration < 200; ++iteration) {
        point = at(reduced, alpha);
        const double limit = mu_ * point.normal, excess = point.length - limit;
        if (std::abs(excess) <= 2.0 * epsilon * limit && limit > 0.0) return true;
        if (!std::isfinite(excess)) return false;
        (excess > 0.0 ? low : high) = alpha;
        // Newton on 1 / |r_T| - 1 / (mu r_N).
        double next = -1.0;
        if (point.normal > 0.0 && point.length > 0.0) {
            const double length_rate = point.tangent.dot(point.tangent_rate) / point.length;
            const double normal_rate = -normal_row_.dot(point.tangent_rate);
            const double value = 1.0 / point.length - 1.0 / limit;
            const double rate = -length_rate / (point.length * point.length) + normal_rate / (point.normal * limit);
            next = alpha - value / rate;
            if (std::abs(next - alpha) <= epsilon * alpha) return true;
        }
        if (!(next > low && next < high)) {
            if (std::isinf(high))
                next = 4.0 * alpha;
            else if (high - low <= 2.0 * epsilon * high)
                return std::abs(excess) <= 1e-9 * std::abs(limit) && limit > 0.0;
            else
                next = high > 4.0 * low && low > 0.0 ? std::sqrt(low * high) : 0.5 * (low + high);
        }
        alpha = next;
    }
    return false;
}

ContactState SpatialContact::solve(const Eigen::Vector3d& q, Eigen::Vector3d& r, double& alpha) const {
    if (q[0] >= 0.0) {
        r.setZero();
        alpha = 0.0;
        return ContactState::separated;
    }
    if (!(W_NN_ > 0.0)) return ContactState::none;
    const Reduced reduced{Eigen::Vector2d(q.tail<2>() - normal_column_ * q[0]), -q[0] / W_NN_};
    if (mu_ == 0.0) {
        r = {reduced.normal, 0.0, 0.0};
        return ContactState::sliding;
    }
    Point point;
    const double guess = alpha;
    // A contact that slid in the last sweep slides again, as a rule: the stick test is then not needed.
    if (!(guess > least_alpha_ && find_root(reduced, alpha, point))) {
        point = at(reduced, least_alpha_);
        if (in_cone(point)) {
            r << point.normal, point.tangent;
            alpha = 0.0;
            return ContactState::stuck;
        }
        alpha = 0.0;
        if (!find_root(reduced, alpha, point)) return ContactState::none;
    }
    r << point.normal, mu_ * point.normal / point.length * point.tangent;
    return ContactState::sliding;
}

// Whether |r - P_K(r - rho dual(u))| is small relative to its terms.
static bool obeys_law(const LocalContact<RollingFriction>& contact, const RollingFriction::Vector& q,
                      const RollingFriction::Vector& r) {
    const double rho = RollingFriction::dimension / contact.W.trace();
    const RollingFriction::Vector u = contact.W * r + q;
    const double error = (r - contact.law.project(r - rho * contact.law.dual(u))).norm();
    return error <= 1e-10 * std::max(r.norm(), rho * q.norm());
}

ContactState solve_exactly(const LocalContact<RollingFriction>& contact, const RollingFriction::Vector& q,
                           RollingFriction::Vector& r) {
    using Vector = RollingFriction::Vector;
    if (q[0] >= 0.0) {
        r.setZero();
        return ContactState::separated;
    }
    const double size = contact.W.cwiseAbs().maxCoeff();
    if (!(contact.W(0, 0) > 0.0)) return ContactState::none;
    // r(alpha, beta) = -(W + diag(0, alpha, alpha, beta, beta))^-1 q.
    const auto percussion = [&](double alpha, double beta) -> Vector {
        RollingFriction::Square shifted = contact.W;
        shifted.diagonal() += (Vector() << 0.0, alpha, alpha, beta, beta).finished();
        return -shifted.partialPivLu().solve(q);
    };
    const auto excess = [&](const Vector& x, int k) {
        return RollingFriction::disk(x, k).norm() - contact.law.mu[k] * x[0];
    };
    // From `least` (the disk is not bounded) to the alpha at which r meets the edge of the disk.
    const double least = 1e-15 * size, largest = 1e20 * size;
    const auto edge = [&](auto&& f) {
        if (!(f(least) > 0.0)) return least;
        double high = size;
        while (f(high) > 0.0) {
            if (high >= largest) return high;  // no friction in this disk: r_k = 0
            high *= 4.0;
        }
        return bracketed_root(f, least, high);
    };
    const auto sliding = [&](double beta) {
        return edge([&](double alpha) { return excess(percussion(alpha, beta), 0); });
    };
    const double beta = edge([&](double b) { return excess(percussion(sliding(b), b), 1); });
    const double alpha = sliding(beta);
    const Vector found = percussion(alpha, beta);
    if (!found.allFinite() || !(found[0] > 0.0)) return ContactState::none;
    const Vector solution = contact.law.project(found);
    // Where W couples the disks strongly, or is nearly singular, the nested roots need not be those of (82).
    if (!obeys_law(contact, q, solution)) return ContactState::none;
    r = solution;
    return alpha > least || beta > least ? ContactState::sliding : ContactState::stuck;
}

template <class Law>
ContactSteps<Law>::ContactSteps(const typename Law::Square& W, double otherwise) {
    const auto inverse = [&](double x) { return x > 1e-14 * W.cwiseAbs().maxCoeff() ? 1.0 / x : otherwise; };
    normal = inverse(W(0, 0));
    for (int k = 0; k < Law::disks; ++k)
        disk[k] = inverse(largest_eigenvalue(DiskSquare<Law>(
            W.template block<Law::disk_size, Law::disk_size>(1 + k * Law::disk_size, 1 + k * Law::disk_size))));
}

template <class Law>
void evaluate(const Law& law, Formulation formulation, const ContactSteps<Law>& steps, const typename Law::Vector& r,
              const typename Law::Vector& u, ContactEquation<Law>& equation) {
    auto& [F, A, B] = equation;
    A.setZero();
    B.setZero();
    const double x = r[0] - steps.normal * u[0];
    const bool is_closed = x > 0.0;
    F[0] = is_closed ? steps.normal * u[0] : r[0];
    (is_closed ? A(0, 0) : B(0, 0)) = is_closed ? steps.normal : 1.0;
    const bool is_alart_curnier = formulation == Formulation::alart_curnier;
    const double pressure = std::max(0.0, is_alart_curnier ? x : r[0]);
    using Disk = Eigen::Matrix<double, Law::disk_size, 1>;
    const DiskSquare<Law> identity = DiskSquare<Law>::Identity();
    for (int k = 0; k < Law::disks; ++k) {
        const int first = 1 + k * Law::disk_size;
        const double step = steps.disk[k], radius = law.mu[k] * pressure;
        const Disk y = Law::disk(r, k) - step * Law::disk(u, k);
        const double length = y.norm();
        auto A_kk = A.template block<Law::disk_size, Law::disk_size>(first, first);
        auto B_kk = B.template block<Law::disk_size, Law::disk_size>(first, first);
        if (length <= radius) {
            Law::disk(F, k) = step * Law::disk(u, k);
            A_kk = step * identity;
            continue;
        }
        const Disk d = y / length;
        const DiskSquare<Law> G = radius / length * (identity - d * d.transpose());
        Law::disk(F, k) = Law::disk(r, k) - radius * d;
        A_kk = step * G;
        B_kk = identity - G;
        if (radius <= 0.0) continue;
        B.template block<Law::disk_size, 1>(first, 0) = -law.mu[k] * d;
        if (is_alart_curnier) A.template block<Law::disk_size, 1>(first, 0) = law.mu[k] * steps.normal * d;
    }
}

template <class Law>
bool solve_by_newton(const LocalContact<Law>& contact, Formulation formulation, const ContactSteps<Law>& steps,
                     const typename Law::Vector& q, typename Law::Vector& r) {
    using Vector = typename Law::Vector;
    ContactEquation<Law> equation;
    const auto error_at = [&](const Vector& x) {
        const Vector u = contact.W * x + q;
        evaluate(contact.law, formulation, steps, x, u, equation);
        return equation.F.norm();
    };
    double error = error_at(r);
    const double scale = steps.normal * q.norm();
    for (int iteration = 0; iteration < 50 && error > 1e-15 * (scale + r.norm()); ++iteration) {
        const typename Law::Square J = equation.A * contact.W + equation.B;
        const Vector direction = -J.partialPivLu().solve(equation.F);
        if (!direction.allFinite()) break;
        double step = 1.0;
        Vector next = r + direction;
        double next_error = error_at(next);
        while (!(next_error < (1.0 - 1e-4 * step) * error) && step > 1e-4) {
            step *= 0.5;
            next = r + step * direction;
            next_error = error_at(next);
        }
        if (!(next_error < error)) break;
        r = next;
        error = next_error;
    }
    return error <= 1e-12 * (scale + r.norm());
}

#define SALTUS_FOR_FRICTION_LAW(Law)                                                                                   \
    template struct ContactSteps<Law>;                                                                                 \
    template void evaluate(const Law&, Formulation, const ContactSteps<Law>&, const Law::Vector&, const Law::Vector&,  \
                           ContactEquation<Law>&);                                                                     \
    template bool solve_by_newton(const LocalContact<Law>&, Formulation, const ContactSteps<Law>&, const Law::Vector&, \
                                  Law::Vector&);
SALTUS_FOR_FRICTION_LAW(Coulomb2D)
SALTUS_FOR_FRICTION_LAW(Coulomb3D)
SALTUS_FOR_FRICTION_LAW(RollingFriction)
#undef SALTUS_FOR_FRICTION_LAW

}  // namespace saltus::one_step
