#include "saltus/integrators/lagrangian/impact_cascade.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// sign(s) |s|^p: below zero, where a trial step may lead, the force continues as smoothly as it can.
double odd_power(double s, double p) {
    if (p == 1.0) return s;
    if (p == 1.5) return s * std::sqrt(std::abs(s));
    return std::copysign(std::pow(std::abs(s), p), s);
}

class CascadeRun {
public:
    CascadeRun(const CascadeProblem& problem, const ImpactCascade& options)
        : W_(problem.W),
          u_begin_(problem.u),
          contacts_(problem.contacts),
          size_(problem.u.size()),
          tolerance_(options.tolerance),
          max_steps_(options.max_steps) {
        P_ = s_ = u_ = force_ = drift_ = Eigen::VectorXd::Zero(size_);
        table_ = Eigen::MatrixXd::Zero(2 * size_, levels);
        modes_.assign(static_cast<std::size_t>(size_), Mode::open);
        set_scales();
    }

    SolveReport run(Eigen::VectorXd& P) {
        SolveReport report{.solver = ImpactCascade::name};
        if (!start(report)) return report;
        double h = 0.02 * (lengths_.array() / speed_).minCoeff();
        while (is_under_way() && report.iterations < max_steps_) {
            ++report.iterations;
            const double error = extrapolate(h);
            if (!(error <= tolerance_) && h > least_step()) {
                h *= std::max(0.1, 0.8 * next_factor(error));
                continue;
            }
            const bool ends_in_event = margin(next_P_, next_s_) < 0.0;
            if (!ends_in_event && has_dip_ && h > 1e-3 * shortest_) {
                h *= 0.5;
                continue;
            }
            const double length = ends_in_event ? locate(h) : h;
            accept();
            if (ends_in_event) switch_modes();
            h = std::max(length, 0.1 * h) * std::min(4.0, next_factor(error));
        }
        P = P_;
        report.status = is_under_way() ? SolveStatus::iteration_limit : SolveStatus::converged;
        if (!report.converged())
            report.message =
                "the impact does not end: is a body jammed between contacts, or are stiffnesses far apart?";
        report.residual = std::max(0.0, -u_.minCoeff()) / speed_;
        return report;
    }

private:
    // The rows of the extrapolation table: order 2 levels.
    static constexpr int levels = 6;

    enum class Mode {
        open,
        loading,    // and, where e = 1, unloading too: the equations are the same
        unloading,  // 0 < e < 1
    };

    const CascadeContact& contact(Index j) const { return contacts_[static_cast<std::size_t>(j)]; }
    Mode& mode(Index j) { return modes_[static_cast<std::size_t>(j)]; }
    Mode mode(Index j) const { return modes_[static_cast<std::size_t>(j)]; }
    bool is_spring(Index j) const { return mode(j) == Mode::loading || mode(j) == Mode::unloading; }
    bool is_dead(Index j) const { return contact(j).restitution < ImpactCascade::least_restitution; }
    double least_step() const { return 1e-12 * shortest_; }
    double next_factor(double error) const {
        return 0.8 * std::pow(tolerance_ / std::max(error, 1e-3 * tolerance_), 1.0 / (2 * levels - 1));
    }

    // What a contact alone, struck with the closing velocity U, would do: U^2 / (2 W_jj) = k s^(eta+1) / (eta+1).
    void set_scales() {
        speed_ = std::max(0.0, -u_begin_.minCoeff());
        diagonal_ = W_.diagonal();
        lengths_ = Eigen::VectorXd::Ones(size_);
        for (Index j = 0; j < size_; ++j) {
            const double eta = contact(j).exponent, work = 0.5 * speed_ * speed_ / diagonal_[j];
            lengths_[j] = std::pow((eta + 1.0) * work / contact(j).stiffness, 1.0 / (eta + 1.0));
        }
        shortest_ = (lengths_.array() / speed_).minCoeff();
    }

    bool start(SolveReport& report) {
        u_ = u_begin_;
        if (speed_ == 0.0) {
            report.status = SolveStatus::converged;
            report.residual = 0.0;
            return false;
        }
        if (!(diagonal_.minCoeff() > 0.0) || !lengths_.allFinite() || !u_begin_.allFinite()) {
            report.status = SolveStatus::unsuitable_problem;
            report.message = "a contact that strikes cannot move: W has a zero on its diagonal, or is not finite";
            return false;
        }
        for (Index j = 0; j < size_; ++j)
            if (u_[j] <= 0.0) mode(j) = Mode::loading;
        return true;
    }

    // With small e velocities and stored energies may die out together without end: a thousand tolerances are rest.
    bool is_under_way() {
        const double rest = 1000.0 * tolerance_;
        bool is_loaded = false;
        for (Index j = 0; j < size_; ++j) {
            const double velocity = u_[j] / speed_, length = std::max(0.0, s_[j] / lengths_[j]);
            if (velocity < -rest) return true;
            if (is_spring(j) && length > tolerance_ && velocity > rest) return true;
            is_loaded = is_loaded || std::pow(length, 0.5 * (contact(j).exponent + 1.0)) > rest;
        }
        return is_loaded && !is_balanced(rest);
    }

    // Nothing moves, and the forces cancel: what is jammed between contacts stays.
    bool is_balanced(double rest) {
        find_forces(s_);
        trial_u_.setZero(size_);
        W_.multiply_add(force_, trial_u_);
        return trial_u_.lpNorm<Eigen::Infinity>() * shortest_ <= rest * speed_;
    }

    // u = u- + W P.
    void find_velocities(const Eigen::VectorXd& P, Eigen::VectorXd& u) const {
        u = u_begin_;
        W_.multiply_add(P, u);
    }

    double force(Index j, double s) const { return contact(j).stiffness * odd_power(s, contact(j).exponent); }
    void find_forces(const Eigen::VectorXd& s) {
        for (Index j = 0; j < size_; ++j) force_[j] = is_spring(j) ? force(j, s[j]) : 0.0;
    }

    // -s' / u of each contact.
    void set_drift() {
        for (Index j = 0; j < size_; ++j) {
            const double e = contact(j).restitution;
            drift_[j] = mode(j) == Mode::loading ? 1.0 : mode(j) == Mode::unloading ? 1.0 / (e * e) : 0.0;
        }
    }

    // n steps of length h / n, kick - drift - kick: its error has an expansion in (h / n)^2.
    void leapfrog(double h, int n, Index column) {
        const double step = h / n;
        trial_s_ = s_;
        trial_P_ = P_;
        find_forces(s_);
        for (int i = 0; i < n; ++i) {
            trial_P_ += (i == 0 ? 0.5 * step : step) * force_;
            find_velocities(trial_P_, trial_u_);
            trial_s_.array() -= step * drift_.array() * trial_u_.array();
            if (n == levels && i + 1 < n) has_dip_ = has_dip_ || spring_margin(trial_s_) < -1e-6;
            find_forces(trial_s_);
        }
        trial_P_ += 0.5 * step * force_;
        table_.col(column) << trial_P_, trial_s_;
    }

    // The state after a step of length h, in the first column of the table, and its error, relative to the scales.
    double extrapolate(double h) {
        has_dip_ = false;
        set_drift();
        for (int k = 0; k < levels; ++k) {
            leapfrog(h, k + 1, k);
            for (int j = k - 1; j >= 0; --j) {
                const double ratio = static_cast<double>(k + 1) / (j + 1);
                table_.col(j) = table_.col(j + 1) + (table_.col(j + 1) - table_.col(j)) / (ratio * ratio - 1.0);
            }
        }
        double error = 0.0;
        for (Index j = 0; j < size_; ++j) {
            error = std::max(error, std::abs(table_(j, 0) - table_(j, 1)) * diagonal_[j] / speed_);
            error = std::max(error, std::abs(table_(size_ + j, 0) - table_(size_ + j, 1)) / lengths_[j]);
        }
        next_P_ = table_.col(0).head(size_);
        next_s_ = table_.col(0).tail(size_);
        return table_.col(0).allFinite() ? error : std::numeric_limits<double>::infinity();
    }

    // The least of the functions that are positive during the modes, in units of the scales; trial_u_ are the
    // velocities.
    double spring_margin(const Eigen::VectorXd& s) const {
        double least = 1.0;
        for (Index j = 0; j < size_; ++j) least = std::min(least, spring_margin(j, s[j]));
        return least;
    }
    double spring_margin(Index j, double s) const {
        const double velocity = trial_u_[j] / speed_, length = s / lengths_[j];
        switch (mode(j)) {
            case Mode::open:
                return velocity;
            case Mode::loading:
                return contact(j).restitution == 1.0 ? length : -velocity;
            case Mode::unloading:
                return std::min(velocity, length);
        }
        return 1.0;
    }
    // The least of all plus a tolerance: a function that was zero when the mode began is not an event.
    double margin(const Eigen::VectorXd& P, const Eigen::VectorXd& s) {
        find_velocities(P, trial_u_);
        return spring_margin(s) + tolerance_;
    }

    // The length of the step to the event that a step of length h passes, by regula falsi (Illinois) and bisection.
    double locate(double h) {
        double low = 0.0, high = h, at_high = margin(next_P_, next_s_);
        double at_low = margin(P_, s_);
        if (at_low <= 0.0) {
            extrapolate(0.0);
            return 0.0;
        }
        double weight_low = at_low, weight_high = at_high;
        for (int i = 0; i < 100 && at_high < -0.1 * tolerance_ && high - low > 1e-15 * h; ++i) {
            const bool bisects = i % 3 == 2;
            double middle = (low * weight_high - high * weight_low) / (weight_high - weight_low);
            if (bisects || !(middle > low && middle < high)) middle = 0.5 * (low + high);
            extrapolate(middle);
            const double value = margin(next_P_, next_s_);
            if (value < 0.0) {
                high = middle;
                weight_high = at_high = value;
                weight_low *= 0.5;
            } else {
                low = middle;
                weight_low = value;
                weight_high *= 0.5;
            }
        }
        extrapolate(high);
        return high;
    }

    void accept() {
        P_ = next_P_;
        s_ = next_s_;
        find_velocities(P_, u_);
    }

    void switch_modes() {
        IndexList dropped;
        trial_u_ = u_;
        for (Index j = 0; j < size_; ++j) {
            const double rest = spring_margin(j, s_[j]) + tolerance_;
            if (mode(j) == Mode::loading && is_dead(j)) {
                // Those that stop at the same time, up to rounding, are dropped together.
                if (rest < 2.0 * tolerance_ && s_[j] > 0.0) dropped.push_back(j);
                continue;
            }
            if (rest >= 0.0) continue;
            if (mode(j) == Mode::loading && contact(j).restitution < 1.0) {
                mode(j) = Mode::unloading;
            } else if (mode(j) == Mode::open || s_[j] + tolerance_ * lengths_[j] >= 0.0) {
                mode(j) = Mode::loading;
            } else {
                mode(j) = Mode::open;
                s_[j] = 0.0;
            }
        }
        if (!dropped.empty()) drop(dropped);
    }

    // Expansion with e -> 0, in the time tau = t / e and with U = u / e:
    //     ds_j / dtau = -U_j,   dU / dtau = W_ZZ force_Z + W_ZA force_A,   U = 0 at the beginning,
    // while the percussions, of order e, and the other contacts A stay. A contact leaves when U_j returns to 0.
    void drop(const IndexList& Z) {
        find_forces(s_);
        if (Z.size() == 1) {
            const Index j = Z.front();
            s_[j] = dropped_indentation(j, force_[j] - (W_ * force_)[j] / diagonal_[j]);
        } else {
            drop_together(Z);
        }
        for (const Index j : Z) {
            mode(j) = s_[j] > 0.0 ? Mode::loading : Mode::open;
            // How late the event was.
            if (u_[j] <= 0.0) continue;
            P_[j] -= u_[j] / diagonal_[j];
            find_velocities(P_, u_);
        }
    }

    // The other end of an oscillation about the force `load`: V(s) = E(s) - load s is the same at both, or s = 0.
    double dropped_indentation(Index j, double load) const {
        const double eta = contact(j).exponent, k = contact(j).stiffness;
        const auto V = [&](double s) { return s * (force(j, s) / (eta + 1.0) - load); };
        const double level = V(s_[j]);
        if (load <= 0.0 || level >= 0.0) return 0.0;
        double low = 0.0, high = std::pow(load / k, 1.0 / eta);
        if (high >= s_[j]) return s_[j];
        if (eta == 1.0) return 2.0 * high - s_[j];
        for (int i = 0; i < 200 && high - low > 1e-16 * s_[j]; ++i) {
            const double middle = 0.5 * (low + high);
            (V(middle) > level ? low : high) = middle;
        }
        return low;
    }

    // Several contacts stop at once only by symmetry: short steps of the leapfrog method are enough.
    void drop_together(IndexList Z) {
        const double step = 2e-4 * shortest_;
        Eigen::VectorXd U = Eigen::VectorXd::Zero(size_);
        U += 0.5 * step * (W_ * force_);
        while (!Z.empty()) {
            std::erase_if(Z, [&](Index j) { return U[j] <= 0.0 || s_[j] <= 0.0; });
            for (const Index j : Z) s_[j] = std::max(0.0, s_[j] - step * U[j]);
            find_forces(s_);
            U += step * (W_ * force_);
        }
    }

    const Matrix& W_;
    const Eigen::VectorXd& u_begin_;
    const std::vector<CascadeContact>& contacts_;
    Index size_;
    double tolerance_;
    int max_steps_;

    double speed_ = 0.0, shortest_ = 0.0;  // the closing velocity, and the shortest time of a contact
    Eigen::VectorXd diagonal_, lengths_;   // of W; indentations
    std::vector<Mode> modes_;
    Eigen::VectorXd P_, s_, u_, force_, drift_;
    Eigen::VectorXd trial_P_, trial_s_, trial_u_, next_P_, next_s_;
    Eigen::MatrixXd table_;  // P and s of the levels
    bool has_dip_ = false;   // something was negative within the step
};

}  // namespace

SolveReport ImpactCascade::solve(const CascadeProblem& problem, Eigen::VectorXd& P) const {
    const Index n = problem.u.size();
    require(problem.W.rows() == n && problem.W.cols() == n && std::ssize(problem.contacts) == n,
            "cascade: W is {} x {}, u has {} entries, and there are {} contacts", problem.W.rows(), problem.W.cols(), n,
            problem.contacts.size());
    require(problem.u.allFinite() && !problem.W.find_non_finite(), "cascade: W or u is not finite");
    check_options(name, tolerance, max_steps);
    P = Eigen::VectorXd::Zero(n);
    if (n == 0) return {.status = SolveStatus::converged, .residual = 0.0, .solver = name};
    return CascadeRun(problem, *this).run(P);
}

}  // namespace saltus
