#include "saltus/integrators/event/mode_selection.hpp"

#include "saltus/core/infinity.hpp"

namespace saltus {

void ModeSelection::gather_contact(Index k, const ModeEnd* turned) {
    const StepBlock& block = mode_.block(k);
    InteractionMode& mode = modes_[static_cast<std::size_t>(k)];
    const bool is_turned = turned && turned->interaction == k;
    mode.is_closed = !(is_turned && turned->kind == ModeEnd::Kind::pressure);
    mode.slides = mode.creeps = false;
    if (!mode.is_closed) return;
    const auto u_T = u_.segment(block.start + 1, block.rows() - 1);
    if (block.rows() > 1 && is_turned && turned->kind == ModeEnd::Kind::grip) {
        mode.slides = true;
        mode.creeps = block.rows() == 3;
        mode.direction.setZero();
        mode.direction.head(block.rows() - 1) = -mode_.forces().segment(block.start + 1, block.rows() - 1).normalized();
    } else if (block.rows() > 1 && u_T.norm() > mode_.least_sliding(block) &&
               !(is_turned && turned->kind == ModeEnd::Kind::slip)) {
        mode.slides = true;
        mode.direction.setZero();
        mode.direction.head(block.rows() - 1) = u_T.normalized();
    }
    if (mode.slides || block.rows() == 1) {
        rows_.push_back({k, 0, mode.slides});
        laws_.push_back(Interval{});
    } else {
        for (Index i = 0; i < block.rows(); ++i) rows_.push_back({k, i, false});
        laws_.push_back(block.laws[0]);
    }
}

void ModeSelection::gather_rows(Index k, const ModeEnd* turned) {
    const StepBlock& block = mode_.block(k);
    InteractionMode& mode = modes_[static_cast<std::size_t>(k)];
    const bool is_relay = std::holds_alternative<RelayLaw>(block.interaction().law);
    for (Index i = 0; i < block.rows(); ++i) {
        Place& place = mode.places[static_cast<std::size_t>(i)];
        const bool is_turned = turned && turned->interaction == k && turned->row == i;
        const bool is_below = is_turned && turned->kind == ModeEnd::Kind::below;
        if (!is_relay) {
            const SpringLaw& law = std::get<SpringLaw>(block.interaction().law);
            const double most = law.pieces[law.pieces.size() == 1 ? 0 : static_cast<std::size_t>(i)].most;
            const double force = mode_.spring_force(block, i, y_[block.start + i], u_[block.start + i]);
            if (is_turned)
                place = place != Place::basic ? Place::basic : is_below ? Place::at_lower : Place::at_upper;
            else
                place = force <= 0.0 ? Place::at_lower : force >= most ? Place::at_upper : Place::basic;
        } else if (is_turned && place == Place::basic) {
            place = is_below ? Place::at_lower : Place::at_upper;
        } else if (is_turned || std::abs(y_[block.start + i]) <= rest_part * mode_.speed_of(block.start + i)) {
            place = Place::basic;
            rows_.push_back({k, i, false});
            laws_.push_back(block.laws[block.laws.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
        } else {
            place = y_[block.start + i] > 0.0 ? Place::at_lower : Place::at_upper;
        }
    }
}

void ModeSelection::gather(Index k, bool is_resting, const ModeEnd* turned) {
    const StepBlock& block = mode_.block(k);
    if (block.contact()) {
        modes_[static_cast<std::size_t>(k)].is_closed = false;
        if (is_resting) gather_contact(k, turned);
    } else if (std::holds_alternative<JointLaw>(block.interaction().law)) {
        for (Index i = 0; i < block.rows(); ++i) {
            rows_.push_back({k, i, false});
            laws_.push_back(Interval{-infinity, infinity});
        }
    } else {
        gather_rows(k, turned);
    }
}

// The state of a contact whose rows begin with the i-th in the solution; forces below `size` times rounding are zero. A
// contact without force that does not open either stays closed.
void ModeSelection::place_contact(Index i, double size, AtBound at_bound) {
    constexpr double rounding = 1e-9, bound = 1.0 - 1e-6;
    const HeldRow& row = rows_[static_cast<std::size_t>(i)];
    const StepBlock& block = mode_.block(row.interaction);
    InteractionMode& mode = modes_[static_cast<std::size_t>(row.interaction)];
    const double acceleration = std::max(w_.lpNorm<Eigen::Infinity>(), mode_.load().lpNorm<Eigen::Infinity>());
    mode.is_closed = forces_[i] > rounding * size || std::abs(w_[i]) <= rounding * acceleration;
    if (!mode.is_closed || row.slides || block.rows() == 1) return;
    const auto w_T = w_.segment(i + 1, block.rows() - 1), P_T = forces_.segment(i + 1, block.rows() - 1);
    const bool is_at_bound = at_bound == AtBound::slides && forces_[i] > rounding * size &&
                             P_T.norm() >= bound * block.contact()->friction * forces_[i];
    mode.slides = w_T.norm() > rounding * acceleration;
    mode.creeps = !mode.slides && is_at_bound && block.rows() == 3;
    mode.direction.setZero();
    mode.direction[0] = 1.0;
    if (mode.slides)
        mode.direction.head(block.rows() - 1) = w_T.normalized();
    else if (is_at_bound)
        mode.direction.head(block.rows() - 1) = -P_T.normalized();
    mode.slides = mode.slides || is_at_bound;
}

void ModeSelection::place(double size, AtBound at_bound) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const HeldRow& row = rows_[r];
        const StepBlock& block = mode_.block(row.interaction);
        InteractionMode& mode = modes_[static_cast<std::size_t>(row.interaction)];
        if (block.contact()) {
            if (row.row == 0) place_contact(static_cast<Index>(r), size, at_bound);
        } else if (const RelayLaw* law = std::get_if<RelayLaw>(&block.interaction().law)) {
            const Interval& bounds = law->bounds[law->bounds.size() == 1 ? 0 : static_cast<std::size_t>(row.row)];
            mode.places[static_cast<std::size_t>(row.row)] = place_of(bounds, forces_[static_cast<Index>(r)]);
        }
    }
}

void ModeSelection::remember_forces() {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(mode_.rows());
    for (std::size_t r = 0; r < rows_.size(); ++r)
        all[mode_.block(rows_[r].interaction).start + rows_[r].row] = forces_[static_cast<Index>(r)];
    mode_.set_reference(all);
}

bool ModeSelection::select(double t, const Eigen::VectorXd& x, const std::vector<char>& resting, const ModeEnd* turned,
                           AtBound at_bound) {
    y_.resize(mode_.rows());
    u_.resize(mode_.rows());
    mode_.evaluate_rows(t, x, y_, u_);
    modes_ = mode_.modes();
    rows_.clear();
    laws_.clear();
    for (Index k = 0; k < std::ssize(modes_); ++k) gather(k, resting[static_cast<std::size_t>(k)] != 0, turned);
    mode_.set(modes_);
    if (!mode_.assemble(t, x, rows_)) return false;
    if (!rows_.empty()) {
        forces_.setZero(std::ssize(rows_));
        solver_.set(Matrix(mode_.W()), laws_);
        if (!solver_.solve(mode_.load(), forces_).converged()) return false;
        w_ = mode_.load() + mode_.W() * forces_;
        const double mobility = mode_.W().diagonal().cwiseAbs().maxCoeff();
        place(std::max(forces_.lpNorm<Eigen::Infinity>(), mode_.load().lpNorm<Eigen::Infinity>() / mobility), at_bound);
        remember_forces();
    }
    mode_.set(modes_);
    return true;
}

}  // namespace saltus
