#include "saltus/integrators/event/lagrangian_mode.hpp"

#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

const SpringLaw* spring(const StepBlock& block) { return std::get_if<SpringLaw>(&block.interaction().law); }
const RelayLaw* relay(const StepBlock& block) { return std::get_if<RelayLaw>(&block.interaction().law); }

const SpringLaw::Piece& piece_of(const SpringLaw& law, Index row) {
    return law.pieces[law.pieces.size() == 1 ? 0 : static_cast<std::size_t>(row)];
}
const Interval& bounds_of(const RelayLaw& law, Index row) {
    return law.bounds[law.bounds.size() == 1 ? 0 : static_cast<std::size_t>(row)];
}

// Relative to the scale of its speed: a contact that begins to slide creeps while it is slower.
constexpr double creep_part = 1e-5;

}  // namespace

LagrangianMode::LagrangianMode(const LagrangianModel& model, double stop_speed)
    : n_(model.coordinates()), stop_speed_(stop_speed), system_starts_(model.starts()) {
    Index rows = 0;
    for (Index i = 0; i < std::ssize(model.interactions); ++i) {
        blocks_.push_back(make_block(model, system_starts_, i, rows, 1.0));
        StepBlock& block = blocks_.back();
        rows += block.rows();
        bool is_constant = block.functions.is_constant() && !relay(block);
        for (const Index s : block.interaction().systems)
            is_constant = is_constant && model.systems[static_cast<std::size_t>(s)].is_linear();
        has_constant_X_.push_back(is_constant ? 1 : 0);
        modes_.emplace_back();
        directions_.push_back(Eigen::Vector2d::UnitX());
        modes_.back().places.assign(static_cast<std::size_t>(block.rows()), Place::at_lower);
    }
    has_X_.assign(blocks_.size(), 0);
    for (const LagrangianSystem& system : model.systems) inertias_.push_back(make_inertia(system, model.t0));
    q_ = v_ = a_ = a_free_ = q_near_ = change_ = Eigen::VectorXd::Zero(n_);
    near_slopes_ = far_slopes_ = slope_scales_ = Eigen::VectorXd::Zero(rows);
    forces_ = reference_ = y_ = u_ = row_lengths_ = row_speeds_ = Eigen::VectorXd::Zero(rows);
}

void LagrangianMode::set(std::vector<InteractionMode> modes) {
    modes_ = std::move(modes);
    held_.clear();
    held_positions_.clear();
    ends_.clear();
    has_varying_gaps_ = false;
    for (Index k = 0; k < std::ssize(blocks_); ++k) {
        hold_rows(k);
        add_ends(k);
    }
}

void LagrangianMode::hold_rows(Index k) {
    const StepBlock& b = block(k);
    const InteractionMode& mode = modes_[static_cast<std::size_t>(k)];
    if (b.contact()) {
        if (!mode.is_closed) return;
        held_positions_.push_back({k, 0, false});
        held_.push_back({k, 0, mode.slides});
        for (Index i = 1; i < b.rows() && !mode.slides; ++i) held_.push_back({k, i, false});
    } else if (std::holds_alternative<JointLaw>(b.interaction().law)) {
        for (Index i = 0; i < b.rows(); ++i) held_.push_back({k, i, false});
        for (Index i = 0; i < b.interaction().positions(); ++i) held_positions_.push_back({k, i, false});
    } else if (relay(b)) {
        for (Index i = 0; i < b.rows(); ++i)
            if (mode.places[static_cast<std::size_t>(i)] == Place::basic) held_.push_back({k, i, false});
    }
}

void LagrangianMode::add_ends(Index k) {
    using Kind = ModeEnd::Kind;
    const StepBlock& b = block(k);
    const InteractionMode& mode = modes_[static_cast<std::size_t>(k)];
    if (b.contact()) {
        ends_.push_back({mode.is_closed ? Kind::pressure : Kind::gap, k, 0});
        has_varying_gaps_ = has_varying_gaps_ || (!mode.is_closed && !b.functions.is_steady());
        if (mode.is_closed && b.rows() > 1) ends_.push_back({mode.slides ? Kind::slip : Kind::grip, k, 1});
        return;
    }
    if (!spring(b) && !relay(b)) return;
    for (Index i = 0; i < b.rows(); ++i) {
        const Place place = mode.places[static_cast<std::size_t>(i)];
        const double most = relay(b) ? bounds_of(*relay(b), i).upper : piece_of(*spring(b), i).most;
        if (place != Place::at_upper) ends_.push_back({Kind::below, k, i});
        if (place == Place::at_upper || (place == Place::basic && most < infinity))
            ends_.push_back({Kind::above, k, i});
    }
}

void LagrangianMode::unpack(const Eigen::VectorXd& x) {
    q_ = x.head(n_);
    v_ = x.segment(n_, n_);
}

bool LagrangianMode::accelerate(double t) {
    for (std::size_t s = 0; s < inertias_.size(); ++s) {
        const Index at = system_starts_[s];
        const bool is_finite = std::visit(
            [&](auto& inertia) { return inertia.accelerate(t, q_.data() + at, v_.data() + at, a_.data() + at); },
            inertias_[s]);
        if (!is_finite) return false;
    }
    return true;
}

// The force of a row of a spring that is neither slack nor full: -k (y + start) - d u.
double LagrangianMode::spring_force(const StepBlock& b, Index row, double y, double u) const {
    const SpringLaw& law = *spring(b);
    const SpringLaw::Piece& piece = piece_of(law, row);
    return -piece.stiffness * (y + piece.start) - law.damping * u;
}

void LagrangianMode::add_spring(StepBlock& b, const InteractionMode& mode) {
    b.functions.velocity(v_, u_.data() + b.start);
    for (Index i = 0; i < b.rows(); ++i) {
        const Place place = mode.places[static_cast<std::size_t>(i)];
        const double u = u_[b.start + i];
        forces_[b.start + i] = place == Place::at_lower   ? 0.0
                               : place == Place::at_upper ? piece_of(*spring(b), i).most
                                                          : spring_force(b, i, b.functions.y()[i], u);
        power_ += forces_[b.start + i] * u;
    }
}

void LagrangianMode::add_known_forces(double t) {
    power_ = 0.0;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        StepBlock& b = blocks_[k];
        if (!spring(b) && !relay(b)) continue;
        prepare(b, t);
        if (spring(b)) {
            add_spring(b, modes_[k]);
        } else {
            for (Index i = 0; i < b.rows(); ++i) {
                const Place place = modes_[k].places[static_cast<std::size_t>(i)];
                const Interval& bounds = bounds_of(*relay(b), i);
                forces_[b.start + i] = place == Place::at_lower   ? bounds.lower
                                       : place == Place::at_upper ? bounds.upper
                                                                  : 0.0;
            }
        }
        b.add_to(a_, system_starts_, forces_.data() + b.start);
    }
}

// slopes += weight u(t + time, q + time v), v constant; for a relay its y.
void LagrangianMode::add_nearby(StepBlock& b, double t, double time, double weight, Eigen::VectorXd& slopes) {
    q_near_ = q_ + time * v_;
    if (relay(b)) {
        b.functions.evaluate_relay(t + time, q_near_, v_, 0.0);
        slopes.segment(b.start, b.rows()) += weight * b.functions.y();
        return;
    }
    b.functions.evaluate(t + time, q_near_);
    b.functions.velocity(v_, u_.data() + b.start);
    slopes.segment(b.start, b.rows()) += weight * u_.segment(b.start, b.rows());
}

// c = d/dt u by central differences over epsilon and 2 epsilon, together of order 4. Where the curvature of a surface
// jumps between these points, the first alone: it lies between the values of both sides, the other beyond them.
void LagrangianMode::find_curvature(StepBlock& b, double t) {
    b.offset.setZero();
    if (b.functions.is_steady() && !relay(b)) return;
    near_slopes_.segment(b.start, b.rows()).setZero();
    far_slopes_.segment(b.start, b.rows()).setZero();
    for (const double sign : {1.0, -1.0}) {
        add_nearby(b, t, sign * epsilon_, sign / (2.0 * epsilon_), near_slopes_);
        add_nearby(b, t, 2.0 * sign * epsilon_, sign / (4.0 * epsilon_), far_slopes_);
    }
    for (Index i = 0; i < b.rows(); ++i) {
        const Index row = b.start + i;
        const double near = near_slopes_[row], far = far_slopes_[row];
        const bool jumps = std::abs(near - far) > 1e-3 * std::max({std::abs(near), std::abs(far), slope_scales_[row]});
        b.offset[i] = jumps ? near : (4.0 * near - far) / 3.0;
        slope_scales_[row] = std::max(slope_scales_[row], std::abs(near));
    }
}

// J, B, c and X at (t, q, v).
void LagrangianMode::prepare(StepBlock& b, double t) {
    const auto k = static_cast<std::size_t>(&b - blocks_.data());
    if (!spring(b)) find_curvature(b, t);
    if (relay(b)) {
        b.functions.evaluate_relay(t, q_, v_, 0.0);
        b.J = b.functions.J();
        b.B = b.functions.B();
    } else {
        if (!b.functions.is_steady() || spring(b)) b.functions.evaluate(t, q_);
        if (!has_X_[k]) {
            b.J = b.functions.J();
            b.B = b.J.transpose();
        }
    }
    if (has_X_[k]) return;
    find_X(b, system_starts_, [this](std::size_t s, double* x) {
        std::visit([x](const auto& inertia) { inertia.solve(x); }, inertias_[s]);
    });
    has_X_[k] = has_constant_X_[k];
}

double LagrangianMode::row_times(const HeldRow& held, const Eigen::VectorXd& v) const {
    const StepBlock& b = block(held.interaction);
    double sum = 0.0;
    for (Index j = 0; j < b.J.cols(); ++j)
        sum += b.J(held.row, j) * v[b.functions.coordinates()[static_cast<std::size_t>(j)]];
    return sum;
}

void LagrangianMode::fill_column(const HeldRow& held, Index column) {
    const StepBlock& b = block(held.interaction);
    columns_.col(column).setZero();
    const auto add = [&](Index row, double factor) {
        for (std::size_t s = 0; s < b.starts_in_X.size(); ++s) {
            const auto system = static_cast<std::size_t>(b.interaction().systems[s]);
            const Index at = system_starts_[system], count = system_starts_[system + 1] - at;
            columns_.col(column).segment(at, count) += factor * b.X.col(row).segment(b.starts_in_X[s], count);
        }
    };
    add(held.row, 1.0);
    if (!held.slides) return;
    const Eigen::Vector2d& direction = directions_[static_cast<std::size_t>(held.interaction)];
    for (Index i = 1; i < b.rows(); ++i) add(i, -b.contact()->friction * direction[i - 1]);
}

// W and load of rows whose interactions are prepared.
void LagrangianMode::fill(const std::vector<HeldRow>& rows) {
    const Index m = std::ssize(rows);
    columns_.resize(n_, m);
    W_.resize(m, m);
    load_.resize(m);
    for (Index j = 0; j < m; ++j) fill_column(rows[static_cast<std::size_t>(j)], j);
    for (Index i = 0; i < m; ++i) {
        const HeldRow& held = rows[static_cast<std::size_t>(i)];
        const StepBlock& b = block(held.interaction);
        load_[i] = row_times(held, a_) + b.offset[held.row];
        for (Index j = 0; j < m; ++j) {
            double sum = 0.0;
            for (Index c = 0; c < b.J.cols(); ++c)
                sum += b.J(held.row, c) * columns_(b.functions.coordinates()[static_cast<std::size_t>(c)], j);
            W_(i, j) = sum;
        }
    }
}

bool LagrangianMode::assemble(double t, const Eigen::VectorXd& x, const std::vector<HeldRow>& rows) {
    unpack(x);
    if (!accelerate(t)) return false;
    forces_.setZero();
    add_known_forces(t);
    a_free_ = a_;
    Index last = -1;
    for (const HeldRow& held : rows) {
        if (held.interaction == last) continue;
        last = held.interaction;
        StepBlock& b = blocks_[static_cast<std::size_t>(last)];
        if (relay(b)) continue;  // prepared with the known forces
        prepare(b, t);
        const InteractionMode& mode = modes_[static_cast<std::size_t>(last)];
        b.functions.velocity(v_, u_.data() + b.start);
        Eigen::Vector2d& direction = directions_[static_cast<std::size_t>(last)];
        if (!mode.creeps) direction = mode.direction;
        if (!held.slides || b.rows() != 3) continue;
        const Eigen::Vector2d u_T = u_.segment<2>(b.start + 1);
        if (u_T.norm() > turning_speed(b, mode)) direction = u_T.normalized();
    }
    fill(rows);
    return load_.allFinite() && W_.allFinite();
}

LagrangianMode::GapAcceleration LagrangianMode::gap_acceleration(double t, Index interaction) {
    StepBlock& b = blocks_[static_cast<std::size_t>(interaction)];
    prepare(b, t);
    const HeldRow gap{interaction, 0, false};
    return {row_times(gap, a_) + b.offset[0], size_of_acceleration(gap)};
}

// The size of the parts of J v' + c, before they cancel.
double LagrangianMode::size_of_acceleration(const HeldRow& held) const {
    const StepBlock& b = block(held.interaction);
    double sum = std::abs(b.offset[held.row]);
    for (Index j = 0; j < b.J.cols(); ++j) {
        const Index at = b.functions.coordinates()[static_cast<std::size_t>(j)];
        sum += std::abs(b.J(held.row, j)) * std::max(std::abs(a_free_[at]), std::abs(a_[at]));
    }
    return sum;
}

// The forces that rows would need to stop the parts of their acceleration one by one.
void LagrangianMode::find_force_scale() {
    force_scale_ = forces_.lpNorm<Eigen::Infinity>();
    for (Index i = 0; i < std::ssize(held_); ++i)
        if (W_(i, i) != 0.0)
            force_scale_ =
                std::max(force_scale_, size_of_acceleration(held_[static_cast<std::size_t>(i)]) / std::abs(W_(i, i)));
}

void LagrangianMode::set_scale(const MotionScale& scale) {
    for (const StepBlock& b : blocks_)
        for (Index i = 0; i < b.rows(); ++i) {
            double length = 0.0, speed = std::abs(b.functions.rate()[i]);
            for (Index j = 0; j < b.functions.J().cols(); ++j) {
                const Index at = b.functions.coordinates()[static_cast<std::size_t>(j)];
                length += std::abs(b.functions.J()(i, j)) * scale.lengths()[at];
                speed += std::abs(b.functions.J()(i, j)) * scale.speeds()[at];
            }
            row_lengths_[b.start + i] = length;
            row_speeds_[b.start + i] = speed;
        }
}

// W force = -load; false if that has no unique solution.
bool LagrangianMode::solve_unique() {
    constexpr double singular = 1e-13;
    const Index m = load_.size();
    if (m == 1) {
        held_forces_.resize(1);
        held_forces_[0] = -load_[0] / W_(0, 0);
        return std::isfinite(held_forces_[0]);
    }
    factors_.compute(W_);
    // rcond() does not see a pivot that is exactly zero.
    if (factors_.pivots().cwiseAbs().minCoeff() == 0.0 || !(factors_.rcond() > singular)) return false;
    held_forces_ = factors_.solve(-load_);
    return held_forces_.allFinite();
}

// Redundant rows: the nearest forces to the reference.
void LagrangianMode::share(const std::vector<HeldRow>& rows) {
    held_forces_.resize(load_.size());
    for (Index i = 0; i < load_.size(); ++i) {
        const HeldRow& held = rows[static_cast<std::size_t>(i)];
        held_forces_[i] = reference_[block(held.interaction).start + held.row];
    }
    redundant_.compute(W_, 1e-11);
    held_forces_ += redundant_.solve(-load_ - W_ * held_forces_);
}

bool LagrangianMode::solve_held(const std::vector<HeldRow>& rows) {
    is_redundant_ = !solve_unique();
    if (is_redundant_) share(rows);
    return held_forces_.allFinite();
}

void LagrangianMode::spread_held_force(const HeldRow& held, double force) {
    const StepBlock& b = block(held.interaction);
    forces_[b.start + held.row] = force;
    if (!held.slides) return;
    const Eigen::Vector2d& direction = directions_[static_cast<std::size_t>(held.interaction)];
    for (Index i = 1; i < b.rows(); ++i) {
        const double friction = -b.contact()->friction * direction[i - 1] * force;
        forces_[b.start + i] = friction;
        power_ += friction * u_[b.start + i];
    }
}

// Faster contacts in space have the friction of u / |u|.
double LagrangianMode::turning_speed(const StepBlock& b, const InteractionMode& mode) const {
    return mode.creeps ? creep_part * row_speeds_[b.start + 1] : 0.5 * stop_speed(b);
}

bool LagrangianMode::find_creep_directions(double t, const Eigen::VectorXd& x) {
    creeping_.clear();
    bool is_needed = false;
    for (const HeldRow& held : held_) {
        const bool creeps = modes_[static_cast<std::size_t>(held.interaction)].creeps;
        is_needed = is_needed || creeps;
        creeping_.push_back({held.interaction, held.row, held.slides && !creeps});
        for (Index i = 1; i < block(held.interaction).rows() && creeps; ++i)
            creeping_.push_back({held.interaction, i, false});
    }
    if (!is_needed) return true;
    if (!assemble(t, x, creeping_) || !solve_held(creeping_)) return false;
    for (std::size_t i = 0; i < creeping_.size(); ++i) {
        const auto k = static_cast<std::size_t>(creeping_[i].interaction);
        if (creeping_[i].row != 0 || !modes_[k].creeps) continue;
        const Eigen::Vector2d force = held_forces_.segment<2>(static_cast<Index>(i) + 1);
        directions_[k] = force.norm() > 0.0 ? Eigen::Vector2d(-force.normalized()) : modes_[k].direction;
    }
    return true;
}

bool LagrangianMode::operator()(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
    if (!find_creep_directions(t, x)) return false;
    is_redundant_ = false;
    if (!assemble(t, x, held_)) return false;
    if (!held_.empty()) {
        if (!solve_held(held_)) return false;
        a_.noalias() += columns_ * held_forces_;
        for (Index i = 0; i < std::ssize(held_); ++i)
            spread_held_force(held_[static_cast<std::size_t>(i)], held_forces_[i]);
    }
    slope.head(n_) = v_;
    slope.segment(n_, n_) = a_;
    slope[2 * n_] = power_;
    return a_.allFinite();
}

void LagrangianMode::evaluate_rows(double t, const Eigen::VectorXd& x, Eigen::VectorXd& y, Eigen::VectorXd& u) {
    unpack(x);
    for (StepBlock& b : blocks_) {
        if (relay(b)) {
            b.functions.evaluate_relay(t, q_, v_, 0.0);
            u.segment(b.start, b.rows()).setZero();
        } else {
            b.functions.evaluate(t, q_);
            b.functions.velocity(v_, u.data() + b.start);
        }
        y.segment(b.start, b.rows()) = b.functions.y();
    }
}

// How far a spring or relay is from the bound of its place.
double LagrangianMode::distance_of(const ModeEnd& end) const {
    const StepBlock& b = block(end.interaction);
    const Index row = b.start + end.row;
    const bool is_below = end.kind == ModeEnd::Kind::below;
    const Place place = modes_[static_cast<std::size_t>(end.interaction)].places[static_cast<std::size_t>(end.row)];
    if (relay(b)) {
        const Interval& bounds = bounds_of(*relay(b), end.row);
        if (place == Place::basic) return is_below ? forces_[row] - bounds.lower : bounds.upper - forces_[row];
        return is_below ? y_[row] : -y_[row];
    }
    const double force = spring_force(b, end.row, y_[row], u_[row]);
    const double most = piece_of(*spring(b), end.row).most;
    if (place == Place::basic) return is_below ? force : most - force;
    return is_below ? -force : force - most;
}

double LagrangianMode::value_of(const ModeEnd& end) const {
    const StepBlock& b = block(end.interaction);
    const Index row = b.start + end.row;
    const auto tangential = [&](const Eigen::VectorXd& all) { return all.segment(b.start + 1, b.rows() - 1); };
    switch (end.kind) {
        case ModeEnd::Kind::gap:
            return y_[row];
        case ModeEnd::Kind::pressure:
            return forces_[row];
        case ModeEnd::Kind::grip:
            return b.contact()->friction * forces_[b.start] - tangential(forces_).norm();
        case ModeEnd::Kind::slip:
            return b.rows() == 2 ? modes_[static_cast<std::size_t>(end.interaction)].direction[0] * u_[row]
                                 : tangential(u_).norm() - stop_speed(b);
        case ModeEnd::Kind::below:
        case ModeEnd::Kind::above:
            break;
    }
    return distance_of(end);
}

double LagrangianMode::rounding(const ModeEnd& end) const {
    const StepBlock& b = block(end.interaction);
    const Index row = b.start + end.row;
    const bool is_free_relay =
        relay(b) &&
        modes_[static_cast<std::size_t>(end.interaction)].places[static_cast<std::size_t>(end.row)] != Place::basic;
    // A gap that closes with a velocity is where it is; lifted, it would close later.
    if (end.kind == ModeEnd::Kind::gap)
        return std::abs(u_[row]) <= rest_part * row_speeds_[row] ? 1e-15 * row_lengths_[row] : 0.0;
    if (end.kind == ModeEnd::Kind::slip || is_free_relay) return 1e-14 * row_speeds_[row];
    return 1e-12 * force_scale_;
}

// d/dt of the speed of a contact that slides.
double LagrangianMode::slip_rate(const StepBlock& b) const {
    const auto k = static_cast<Index>(&b - blocks_.data());
    double rate = 0.0;
    for (Index i = 1; i < b.rows(); ++i)
        rate += directions_[static_cast<std::size_t>(k)][i - 1] * (row_times({k, i, false}, a_) + b.offset[i]);
    return rate;
}

void LagrangianMode::evaluate_ends(double t, const Eigen::VectorXd& x, Eigen::VectorXd& values,
                                   Eigen::VectorXd& rates) {
    evaluate_rows(t, x, y_, u_);
    find_force_scale();
    values.resize(std::ssize(ends_));
    rates.setConstant(std::ssize(ends_), std::numeric_limits<double>::quiet_NaN());
    for (Index i = 0; i < values.size(); ++i) {
        const ModeEnd& end = ends_[static_cast<std::size_t>(i)];
        values[i] = value_of(end) + rounding(end);
        const StepBlock& b = block(end.interaction);
        if (end.kind == ModeEnd::Kind::gap)
            rates[i] = u_[b.start];
        else if (end.kind == ModeEnd::Kind::slip)
            rates[i] = slip_rate(b);
    }
}

void LagrangianMode::evaluate_gaps(double t, const Eigen::VectorXd& x, Eigen::VectorXd& values,
                                   Eigen::VectorXd& rates) {
    values.setConstant(std::ssize(ends_), std::numeric_limits<double>::quiet_NaN());
    rates = values;
    unpack(x);
    for (Index i = 0; i < values.size(); ++i) {
        const ModeEnd& end = ends_[static_cast<std::size_t>(i)];
        if (end.kind != ModeEnd::Kind::gap || block(end.interaction).functions.is_steady()) continue;
        StepBlock& b = blocks_[static_cast<std::size_t>(end.interaction)];
        b.functions.evaluate(t, q_);
        b.functions.velocity(v_, u_.data() + b.start);
        values[i] = b.functions.y()[0];
        rates[i] = u_[b.start];
    }
}

// change = -M^-1 J' (J M^-1 J')^-1 error.
bool LagrangianMode::correct(const std::vector<HeldRow>& rows, const Eigen::VectorXd& error, Eigen::VectorXd& change) {
    fill(rows);
    load_ = error;
    if (!solve_unique()) {
        redundant_.compute(W_, 1e-11);
        held_forces_ = redundant_.solve(-load_);
    }
    if (!held_forces_.allFinite()) return false;
    change.noalias() = columns_ * held_forces_;
    return true;
}

// After a step: where contacts in space slide to, once they are fast enough.
void LagrangianMode::settle_directions() {
    for (std::size_t k = 0; k < modes_.size(); ++k) {
        const StepBlock& b = blocks_[k];
        if (!b.contact() || b.rows() != 3 || !modes_[k].is_closed || !modes_[k].slides) continue;
        const Eigen::Vector2d u_T = u_.segment<2>(b.start + 1);
        if (!(u_T.norm() > turning_speed(b, modes_[k]))) continue;
        modes_[k].direction = u_T.normalized();
        modes_[k].creeps = false;
    }
}

bool LagrangianMode::project(double t, Eigen::VectorXd& x, bool positions_alone) {
    constexpr int most_iterations = 5;
    unpack(x);
    if (held_.empty() || !accelerate(t)) return held_.empty();
    std::vector<HeldRow>& rows = projected_;
    rows = held_positions_;
    for (int k = 0; k < most_iterations && !rows.empty(); ++k) {
        evaluate_rows(t, x, y_, u_);
        error_.resize(std::ssize(rows));
        bool is_held = true;
        for (Index i = 0; i < error_.size(); ++i) {
            const HeldRow& held = rows[static_cast<std::size_t>(i)];
            const Index row = block(held.interaction).start + held.row;
            error_[i] = y_[row];
            is_held = is_held && std::abs(error_[i]) <= std::numeric_limits<double>::epsilon() * row_lengths_[row];
            prepare(blocks_[static_cast<std::size_t>(held.interaction)], t);
        }
        if (is_held) break;
        if (!correct(rows, error_, change_)) return false;
        x.head(n_) += change_;
    }
    if (positions_alone) return true;
    rows = held_;
    for (HeldRow& held : rows) held.slides = false;
    evaluate_rows(t, x, y_, u_);
    error_.resize(std::ssize(rows));
    for (Index i = 0; i < error_.size(); ++i) {
        const HeldRow& held = rows[static_cast<std::size_t>(i)];
        StepBlock& b = blocks_[static_cast<std::size_t>(held.interaction)];
        error_[i] = relay(b) ? y_[b.start + held.row] : u_[b.start + held.row];
    }
    for (const HeldRow& held : rows) prepare(blocks_[static_cast<std::size_t>(held.interaction)], t);
    if (!correct(rows, error_, change_)) return false;
    x.segment(n_, n_) += change_;
    settle_directions();
    return true;
}

}  // namespace saltus
