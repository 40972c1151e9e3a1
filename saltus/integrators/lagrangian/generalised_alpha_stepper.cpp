#include "saltus/integrators/lagrangian/generalised_alpha_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

using Eigen::MatrixXd, Eigen::VectorXd;

GeneralisedAlphaStepper::GeneralisedAlphaStepper(const LagrangianModel& model, const GeneralisedAlpha& scheme, double h)
    : LagrangianStepperBase(model, h, 1.0), scheme_(scheme) {
    scheme_.check();
    check_limits(GeneralisedAlpha::name, {.has_rolling = false}, model);
    const double rho = scheme_.spectral_radius;
    alpha_m_ = (2.0 * rho - 1.0) / (rho + 1.0);
    alpha_f_ = rho / (rho + 1.0);
    gamma_ = 0.5 + alpha_f_ - alpha_m_;
    beta_ = 0.25 * (0.5 + gamma_) * (0.5 + gamma_);
    share_ = (1.0 - alpha_f_) / (1.0 - alpha_m_);
    beta_step_ = h * h * beta_ * share_;
    gamma_step_ = h * gamma_ * share_;
    for (const LagrangianSystem& system : model.systems) systems_.emplace_back(system);
    const Index n = q_.size(), m = P_.size();
    has_position_ = VectorXd::Zero(m);
    for (const StepBlock& block : blocks_)
        has_position_.segment(block.start, block.contact() ? 1 : block.interaction().positions()).setOnes();
    a_ = a_mean_ = a_next_ = U_ = Q_ = VectorXd::Zero(n);
    l_ = l_mean_ = drift_ = weights_ = VectorXd::Zero(m);
    v_next_ = v_base_ = v_;
    q_next_ = q_base_ = q_;
    J_ = MatrixXd::Zero(m, n);
    X_ = W_J_ = W_Fv_ = W_Fq_ = MatrixXd::Zero(n, m);
    a_slopes_.resize(n, levels * m);
    slopes_.resize(levels * m, levels * m);
    z_ = conditions_ = offset_ = VectorXd::Zero(levels * m);
}

// M a = F + J' l.
bool GeneralisedAlphaStepper::start_averages() {
    VectorXd force(q_.size()), part;
    for (std::size_t s = 0; s < systems_.size(); ++s) {
        const Index first = system_starts_[s], size = systems_[s].size();
        part.resize(size);
        systems_[s].evaluate_force(t(), q_.data() + first, v_.data() + first, part);
        systems_[s].evaluate_mass(q_.data() + first);
        force.segment(first, size) = part;
    }
    for (StepBlock& block : blocks_) {
        block.functions.evaluate(t(), q_);
        const VectorXd along = block.functions.J().transpose() * l_.segment(block.start, block.rows());
        for (Index j = 0; j < along.size(); ++j)
            force[block.functions.coordinates()[static_cast<std::size_t>(j)]] += along[j];
    }
    for (std::size_t s = 0; s < systems_.size(); ++s) {
        const Index first = system_starts_[s], size = systems_[s].size();
        a_.segment(first, size) = DenseLu(systems_[s].mass()).solve(force.segment(first, size));
    }
    a_mean_ = a_;
    l_mean_ = l_;
    return a_.allFinite() || fail("a force or the mass is not finite at the beginning of the step");
}

// The forces of the beginning are those which a first trial of the step finds at its end; they need not be exact, as
// the laws are those of k^ and P.
bool GeneralisedAlphaStepper::start() {
    l_.setZero();
    if (!start_averages()) return false;
    if (P_.size() == 0) return true;
    if (!find_end()) return false;
    for (const StepBlock& block : blocks_)
        if (!block.contact() || y_[block.start] <= rounding)
            l_.segment(block.start, block.rows()) = z_.segment(at(acceleration, block.start), block.rows());
    return start_averages();
}

void GeneralisedAlphaStepper::begin_step() {
    const VectorXd a_known = (alpha_f_ * a_ - alpha_m_ * a_mean_) / (1.0 - alpha_m_);
    const VectorXd l_known = (alpha_f_ * l_ - alpha_m_ * l_mean_) / (1.0 - alpha_m_);
    v_base_ = v_ + h_ * ((1.0 - gamma_) * a_mean_ + gamma_ * a_known);
    q_base_ = q_ + h_ * v_ + h_ * h_ * ((0.5 - beta_) * a_mean_ + beta_ * a_known);
    P_base_ = h_ * ((1.0 - gamma_) * l_mean_ + gamma_ * l_known);
    k_base_ = h_ * h_ * ((0.5 - beta_) * l_mean_ + beta_ * l_known);
    a_next_ = a_;
    const Index m = P_.size();
    z_.segment(at(position, 0), m) = k_base_ + beta_step_ * l_;
    z_.segment(at(velocity, 0), m) = P_base_ + gamma_step_ * l_;
    z_.segment(at(acceleration, 0), m) = l_;
    U_.setZero();
    Q_.setZero();
    move();
}

// L = P - those of the averages.
VectorXd GeneralisedAlphaStepper::impulses(const VectorXd& z) const {
    const Index m = P_.size();
    return z.segment(at(velocity, 0), m) - P_base_ - gamma_step_ * z.segment(at(acceleration, 0), m);
}

// k = k^ - those of the averages, or h L / 2.
VectorXd GeneralisedAlphaStepper::shifts(const VectorXd& z) const {
    const Index m = P_.size();
    const VectorXd own = z.segment(at(position, 0), m) - k_base_ - beta_step_ * z.segment(at(acceleration, 0), m);
    return has_position_.cwiseProduct(own - 0.5 * h_ * impulses(z)) + 0.5 * h_ * impulses(z);
}

void GeneralisedAlphaStepper::move() {
    v_next_ = v_base_ + gamma_step_ * a_next_ + U_;
    q_next_ = q_base_ + beta_step_ * a_next_ + Q_;
}

// y, u + e u_0, and the part of u' that does not come from a: d/dt (J v + rate) along q' = v.
void GeneralisedAlphaStepper::evaluate_conditions() {
    const double t_end = time_of(steps_ + 1), d = 1e-3 * h_;
    const VectorXd ahead = q_next_ + d * v_next_, behind = q_next_ - d * v_next_;
    VectorXd u_ahead, u_behind;
    J_.setZero();
    for (StepBlock& block : blocks_) {
        const Index start = block.start, m = block.rows();
        drift_.segment(start, m).setZero();
        if (!block.functions.is_steady()) {
            u_ahead.resize(m);
            u_behind.resize(m);
            block.functions.evaluate(t_end + d, ahead);
            block.functions.velocity(v_next_, u_ahead.data());
            block.functions.evaluate(t_end - d, behind);
            block.functions.velocity(v_next_, u_behind.data());
            drift_.segment(start, m) = (u_ahead - u_behind) / (2.0 * d);
        }
        block.functions.evaluate(t_end, q_next_);
        for (Index j = 0; j < block.functions.J().cols(); ++j)
            J_.col(block.functions.coordinates()[static_cast<std::size_t>(j)]).segment(start, m) =
                block.functions.J().col(j);
        conditions_.segment(at(position, start), m) = block.functions.y();
        block.functions.velocity(v_next_, conditions_.data() + at(velocity, start));
        if (const ContactLaw* law = block.contact())
            for (Index i = 0; i < m; ++i)
                conditions_[at(velocity, start + i)] +=
                    (i == 0 ? law->restitution : law->tangential_restitution) * u_[start + i];
    }
    conditions_.tail(P_.size()) = J_ * a_next_ + drift_;
}

// W (a+ - a) = F - M a + J' l + dF/dv (U+ - U) + dF/dq (Q+ - Q),   W = M - gamma_step dF/dv - beta_step dF/dq.
bool GeneralisedAlphaStepper::linearise_systems() {
    const double t_end = time_of(steps_ + 1);
    VectorXd force;
    MatrixXd force_q, force_v;
    a_offset_ = a_next_;
    free_change_ = 0.0;
    for (std::size_t s = 0; s < systems_.size(); ++s) {
        const Index first = system_starts_[s], size = systems_[s].size();
        force.resize(size);
        systems_[s].evaluate_force(t_end, q_next_.data() + first, v_next_.data() + first, force);
        systems_[s].evaluate_tangents(force_q, force_v);
        systems_[s].evaluate_mass(q_next_.data() + first);
        const MatrixXd& M = systems_[s].mass();
        if (!force.allFinite() || !force_q.allFinite() || !force_v.allFinite() || !M.allFinite()) return false;
        const DenseLu mass(M);
        const DenseLu W(M - gamma_step_ * force_v - beta_step_ * force_q);
        free_change_ = std::max(free_change_, h_ * mass.solve(force).lpNorm<Eigen::Infinity>());
        force.noalias() -= M * a_next_.segment(first, size);
        force.noalias() -= force_v * U_.segment(first, size);
        force.noalias() -= force_q * Q_.segment(first, size);
        a_offset_.segment(first, size) += W.solve(force);
        const auto Jt = J_.middleCols(first, size).transpose();
        X_.middleRows(first, size) = mass.solve(Jt);
        W_J_.middleRows(first, size) = W.solve(Jt);
        W_Fv_.middleRows(first, size) = W.solve(force_v * X_.middleRows(first, size));
        W_Fq_.middleRows(first, size) = W.solve(force_q * X_.middleRows(first, size));
    }
    return a_offset_.allFinite();
}

bool GeneralisedAlphaStepper::linearise() {
    const Index m = P_.size();
    evaluate_conditions();
    if (!conditions_.allFinite() || !linearise_systems()) return false;
    if (m == 0) return true;

    // k and L as linear functions of (k^, P, l), for the columns of each level.
    const VectorXd own = has_position_, half = 0.5 * h_ * (VectorXd::Ones(m) - own);
    const VectorXd k_of_l = -beta_step_ * own - gamma_step_ * half;
    a_slopes_.leftCols(m) = W_Fq_ * own.asDiagonal();
    a_slopes_.middleCols(m, m) = W_Fv_ + W_Fq_ * half.asDiagonal();
    a_slopes_.rightCols(m) = W_J_ - gamma_step_ * W_Fv_ + W_Fq_ * k_of_l.asDiagonal();
    const VectorXd zero = VectorXd::Zero(levels * m);
    const VectorXd L = impulses(zero), k = shifts(zero);
    a_offset_ += W_Fv_ * L + W_Fq_ * k;

    const MatrixXd G = J_ * X_;
    weights_ = G.diagonal().unaryExpr([this](double g) { return weight_scale_ / (g > 0.0 ? g : 1.0); });
    const MatrixXd Ja = J_ * a_slopes_;
    slopes_.topRows(m) = beta_step_ * Ja;
    slopes_.topLeftCorner(m, m) += G * own.asDiagonal();
    slopes_.block(0, m, m, m) += G * half.asDiagonal();
    slopes_.topRightCorner(m, m) += G * k_of_l.asDiagonal();
    slopes_.middleRows(m, m) = gamma_step_ * Ja;
    slopes_.block(m, m, m, m) += G;
    slopes_.block(m, 2 * m, m, m) -= gamma_step_ * G;
    slopes_.bottomRows(m) = Ja;
    offset_.head(m) = conditions_.head(m) + J_ * (q_base_ + beta_step_ * a_offset_ - q_next_) + G * k;
    offset_.segment(m, m) = conditions_.segment(m, m) + J_ * (v_base_ + gamma_step_ * a_offset_ - v_next_) + G * L;
    offset_.tail(m) = J_ * a_offset_ + drift_;
    return true;
}

void GeneralisedAlphaStepper::close(Index condition) {
    A_.row(condition) = slopes_.row(condition);
    b_[condition] = -offset_[condition];
}

void GeneralisedAlphaStepper::release(Index condition) {
    A_.row(condition).setZero();
    A_(condition, condition) = 1.0;
    b_[condition] = 0.0;
}

// z_T = mu z_N d, d the direction of trial = z_T - weight w_T, in `count` rows after the row `normal`: linearised,
//     z_T+ - mu z_N+ d - mu z_N / |trial| (I - d d') (z_T+ - weight w_T+) = 0.
void GeneralisedAlphaStepper::slide(Index normal, Index count, double mu, const VectorXd& trial, double weight) {
    const double length = trial.norm();
    const VectorXd d = length > 0.0 ? VectorXd(trial / length) : VectorXd::Zero(count);
    const double share = length > 0.0 ? mu * std::max(0.0, z_[normal]) / length : 0.0;
    const MatrixXd across = share * (MatrixXd::Identity(count, count) - d * d.transpose());
    const auto rows = Eigen::seqN(normal + 1, count);
    A_(rows, Eigen::all) = weight * across * slopes_(rows, Eigen::all);
    b_(rows) = -weight * across * offset_(rows);
    A_.block(normal + 1, normal + 1, count, count) += MatrixXd::Identity(count, count) - across;
    A_.col(normal).segment(normal + 1, count) -= mu * d;
}

// l_T = -mu l_N d, d the direction of the velocities u_T: linearised,
//     l_T+ + mu l_N+ d + mu l_N / |u_T| (I - d d') u_T+ = 0.
void GeneralisedAlphaStepper::slide_along_velocity(const StepBlock& block, const VectorXd& sliding) {
    const Index count = sliding.size(), normal = at(acceleration, block.start);
    const double mu = block.contact()->friction, length = sliding.norm();
    const VectorXd d = sliding / length;
    const MatrixXd across =
        mu * std::max(0.0, z_[normal]) / length * (MatrixXd::Identity(count, count) - d * d.transpose());
    const auto rows = Eigen::seqN(normal + 1, count), speeds = Eigen::seqN(at(velocity, block.start) + 1, count);
    const VectorXd before = block.contact()->tangential_restitution * u_.segment(block.start + 1, count);
    A_(rows, Eigen::all) = across * slopes_(speeds, Eigen::all);
    b_(rows) = across * (before - offset_(speeds));
    A_.block(normal + 1, normal + 1, count, count) += MatrixXd::Identity(count, count);
    A_.col(normal).segment(normal + 1, count) += mu * d;
}

void GeneralisedAlphaStepper::choose_friction(const StepBlock& block, bool is_loaded, bool is_pressed) {
    const Index count = block.rows() - 1, row = block.start + 1;
    const double mu = block.contact()->friction, weight = weights_.segment(row, count).minCoeff();
    for (Index i = 0; i < count; ++i) {
        release(at(position, row + i));
        if (!is_loaded) release(at(velocity, row + i));
        if (!is_pressed) release(at(acceleration, row + i));
    }
    if (!is_loaded) return;
    const auto trial_at = [&](Level level) {
        return VectorXd(z_.segment(at(level, row), count) - weight * conditions_.segment(at(level, row), count));
    };
    const auto sticks = [&](Level level) {
        return trial_at(level).norm() <= mu * std::max(0.0, z_[at(level, block.start)]);
    };
    const auto stick = [&](Level level) {
        for (Index i = 0; i < count; ++i) close(at(level, row + i));
    };
    const bool is_stuck = sticks(velocity);
    if (is_stuck)
        stick(velocity);
    else
        slide(at(velocity, block.start), count, mu, trial_at(velocity), weight);
    if (!is_pressed) return;
    const VectorXd sliding = conditions_.segment(at(velocity, row), count) -
                             block.contact()->tangential_restitution * u_.segment(row, count);
    if (!is_stuck && sliding.norm() > 0.0)
        slide_along_velocity(block, sliding);
    else if (sticks(acceleration))
        stick(acceleration);
    else
        slide(at(acceleration, block.start), count, mu, trial_at(acceleration), weight);
}

// The sets, one inside the other: closed, loaded (P > 0), pressed (l > 0).
void GeneralisedAlphaStepper::choose_contact(const StepBlock& block) {
    bool is_inside = true;
    std::array<bool, levels> inside{};
    for (const Level level : {position, velocity, acceleration}) {
        const Index i = at(level, block.start);
        is_inside = is_inside && weights_[block.start] * conditions_[i] - z_[i] <= 0.0;
        if (level == position) {
            char& was_closed = was_closed_[static_cast<std::size_t>(&block - blocks_.data())];
            is_inside = is_inside || (keeps_closed_ && was_closed);
            was_closed = is_inside ? 1 : 0;
        }
        inside[static_cast<std::size_t>(level)] = is_inside;
        if (is_inside)
            close(i);
        else
            release(i);
    }
    if (block.rows() > 1) choose_friction(block, inside[velocity], inside[acceleration]);
}

void GeneralisedAlphaStepper::choose_conditions() {
    A_.resize(levels * P_.size(), levels * P_.size());
    b_.resize(levels * P_.size());
    for (const StepBlock& block : blocks_) {
        if (block.contact()) {
            choose_contact(block);
            continue;
        }
        for (Index i = block.start; i < block.start + block.rows(); ++i) {
            if (has_position_[i] > 0.0)
                close(at(position, i));
            else
                release(at(position, i));
            close(at(velocity, i));
            close(at(acceleration, i));
        }
    }
}

// In units in which the multipliers of all levels are forces, and with rows of size one. If there are many
// solutions, since constraints repeat each other, the smallest.
bool GeneralisedAlphaStepper::solve_conditions(VectorXd& z) {
    const Index m = P_.size();
    VectorXd unit(levels * m);
    unit << VectorXd::Constant(m, h_ * h_), VectorXd::Constant(m, h_), VectorXd::Ones(m);
    A_ = A_ * unit.asDiagonal();
    for (Index i = 0; i < A_.rows(); ++i) {
        const double size = A_.row(i).lpNorm<Eigen::Infinity>();
        if (!(size > 0.0)) return false;
        A_.row(i) /= size;
        b_[i] /= size;
    }
    const auto is_solution = [&] {
        return z.allFinite() && (A_ * z - b_).lpNorm<Eigen::Infinity>() <=
                                    1e-9 * std::max(b_.lpNorm<Eigen::Infinity>(), z.lpNorm<Eigen::Infinity>());
    };
    z = DenseLu(A_).solve(b_);
    if (!is_solution() || z.lpNorm<Eigen::Infinity>() > 1e10 * b_.lpNorm<Eigen::Infinity>())
        z = LeastSquares(A_).solve(b_);
    if (!is_solution()) return false;
    z = z.cwiseProduct(unit);
    return true;
}

double GeneralisedAlphaStepper::accept(const VectorXd& z) {
    const VectorXd a_before = a_next_, v_before = v_next_, q_before = q_next_;
    a_next_ = a_offset_;
    if (z.size() > 0) {
        a_next_ += a_slopes_ * z;
        U_ = X_ * impulses(z);
        Q_ = X_ * shifts(z);
    }
    z_ = z;
    move();
    const double change =
        std::max({(v_next_ - v_before).lpNorm<Eigen::Infinity>(), (q_next_ - q_before).lpNorm<Eigen::Infinity>() / h_,
                  (a_next_ - a_before).lpNorm<Eigen::Infinity>() * h_});
    const double speed = std::max({v_next_.lpNorm<Eigen::Infinity>(), v_.lpNorm<Eigen::Infinity>(), free_change_});
    return speed > 0.0 ? change / speed : 0.0;
}

bool GeneralisedAlphaStepper::iterate() {
    VectorXd z = z_;
    for (int k = 0; k < scheme_.max_iterations; ++k) {
        if (!linearise())
            return fail("a force, a gap or the mass is not finite: does the model blow up, or is the step too long?");
        if (z.size() > 0) {
            choose_conditions();
            if (!solve_conditions(z)) return fail("the constraints contradict each other, or their system is singular");
        }
        const double change = accept(z);
        if (change <= scheme_.tolerance && k > 0) {
            report_ = {.status = SolveStatus::converged, .iterations = k + 1, .residual = change};
            return true;
        }
        if (!v_next_.allFinite() || !q_next_.allFinite())
            return fail("the velocities are no longer finite: does the model blow up, or is the step too long?");
    }
    report_ = {.status = SolveStatus::iteration_limit,
               .iterations = scheme_.max_iterations,
               .message = "Newton's method does not converge; take a shorter step"};
    return false;
}

// Friction moves a gap too: a contact may have to be open because of the friction that it has when it is closed, and
// the sets cycle. A second trial keeps contacts closed that were so once, k^ of any sign: they meet y = 0, an error of
// the order h^2 of this step. Other weights lead to the sets on another way.
bool GeneralisedAlphaStepper::find_end() {
    struct Trial {
        double weight;
        bool keeps_closed;
    };
    for (const Trial trial : {Trial{1.0, false}, Trial{1.0, true}, Trial{0.1, true}, Trial{10.0, true}}) {
        weight_scale_ = trial.weight;
        keeps_closed_ = trial.keeps_closed;
        was_closed_.assign(blocks_.size(), 0);
        begin_step();
        if (iterate()) return true;
        if (blocks_.empty()) break;
    }
    return false;
}

StepOutcome GeneralisedAlphaStepper::step() {
    if (!is_started_) is_started_ = start();
    return is_started_ && find_end() ? end_step() : StepOutcome::failed;
}

StepOutcome GeneralisedAlphaStepper::end_step() {
    const Index m = P_.size();
    const VectorXd l_next = z_.segment(at(acceleration, 0), m);
    a_mean_ = (alpha_f_ * a_ + (1.0 - alpha_f_) * a_next_ - alpha_m_ * a_mean_) / (1.0 - alpha_m_);
    l_mean_ = (alpha_f_ * l_ + (1.0 - alpha_f_) * l_next - alpha_m_ * l_mean_) / (1.0 - alpha_m_);
    a_ = a_next_;
    l_ = l_next;
    P_ = z_.segment(at(velocity, 0), m);
    v_.swap(v_next_);
    q_.swap(q_next_);
    return finish_step();
}

bool GeneralisedAlphaStepper::accept_unsolved() {
    if (!v_next_.allFinite() || !q_next_.allFinite() || !a_next_.allFinite() || !z_.allFinite()) return false;
    end_step();
    return true;
}

void GeneralisedAlphaStepper::resume(const LagrangianState& state) {
    LagrangianStepperBase::resume(state);
    is_started_ = false;
}

}  // namespace saltus
