#pragma once

#include "saltus/complementarity/place.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/integrators/event/inertia.hpp"
#include "saltus/integrators/event/motion_scale.hpp"
#include "saltus/integrators/lagrangian/step_block.hpp"

namespace saltus {

// What an interaction does between two events.                                                    docs/theory.md (161)
struct InteractionMode {
    bool is_closed = false;                                // a contact: u_N = 0
    bool slides = false;                                   // its friction is mu P_N against `direction`
    bool creeps = false;                                   // in space, it has just begun to slide: see LagrangianMode
    Eigen::Vector2d direction = Eigen::Vector2d::UnitX();  // of the sliding; in the plane (+-1, 0)
    Placement places{};  // of the rows of springs and relays: where their force is in its interval

    bool operator==(const InteractionMode&) const = default;
};

// A row whose velocity is held, J v' + c = 0, by a force along B; for a sliding contact that includes its friction.
struct HeldRow {
    Index interaction = 0, row = 0;
    bool slides = false;
};

// A function that is positive in the mode; where it falls below zero the mode ends.
struct ModeEnd {
    enum class Kind {
        gap,       // y of an open contact
        pressure,  // P_N of a closed one
        grip,      // mu P_N - |P_T| of one that sticks
        slip,      // the speed of one that slides
        below,     // of a spring or relay: the force from its lower bound, in the interval; y at its lower bound
        above,     // the same for the upper bound
    };
    Kind kind{};
    Index interaction = 0, row = 0;
};

// A Lagrangian model between two events: an ordinary differential equation for x = (q, v, work),
//     M v' = F + sum B lambda,   J v' + c = 0 in the rows that are held,   work' = lambda . u,    docs/theory.md (161)
// which is the constrained motion with its index reduced. c = (d/dt J) v + d/dt rate by differences of order 4 along
// the motion. Redundant rows share their force as nearly as possible as they did at the last choice of a mode.
class LagrangianMode {
public:
    // A contact in space that slides more slowly than `stop_speed`, relative to its scale, stops: the direction of its
    // friction turns at once where the velocity passes through zero, and the errors of steps would make it tremble
    // there. One that stops sticking begins with u = 0 and u' = 0, where u / |u| is extremely stiff: while it creeps it
    // slides against the force that would hold it, which is u / |u| up to terms of order t^2.      docs/theory.md (173)
    LagrangianMode(const LagrangianModel& model, double stop_speed);

    Index coordinates() const { return n_; }
    Index size() const { return 2 * n_ + 1; }
    Index controlled() const { return 2 * n_; }
    Index rows() const { return forces_.size(); }
    std::size_t interactions() const { return blocks_.size(); }
    const StepBlock& block(Index k) const { return blocks_[static_cast<std::size_t>(k)]; }

    const std::vector<InteractionMode>& modes() const { return modes_; }
    void set(std::vector<InteractionMode> modes);
    bool is_free() const { return held_.empty(); }
    // Whether it has open gaps that are not linear functions of the positions alone: see evaluate_gaps().
    bool has_varying_gaps() const { return has_varying_gaps_; }
    // Forces of all rows, to which the forces of redundant rows stay near.
    void set_reference(const Eigen::VectorXd& forces) { reference_ = forces; }
    // Whether the forces of the last x' were not unique.
    bool is_redundant() const { return is_redundant_; }
    // Differences in time are taken over a hundredth of h; after a step that ended early, of the h before.
    void set_time_scale(double h) {
        time_scale_ = std::max(h, 0.5 * time_scale_);
        longest_ = std::max(longest_, h);
        epsilon_ = std::max(1e-2 * time_scale_, 1e-10 * longest_);  // less would be rounding: steps shrink at kinks
    }
    // How large y and u of the rows are, where y and u were evaluated last: sum |J_ij| L_j, sum |J_ij| V_j.
    //                                                                                            docs/theory.md (170)
    void set_scale(const MotionScale& scale);
    double length_of(Index row) const { return row_lengths_[row]; }
    double speed_of(Index row) const { return row_speeds_[row]; }
    // A contact that slides no faster than this does not slide.
    double least_sliding(const StepBlock& block) const {
        return (block.rows() == 3 ? std::max(stop_speed_, rest_part) : rest_part) * row_speeds_[block.start + 1];
    }

    // x'; false where it is not finite.
    bool operator()(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope);
    // The forces of all rows at the last x'.
    const Eigen::VectorXd& forces() const { return forces_; }
    // The acceleration without what is held.
    const Eigen::VectorXd& free_acceleration() const { return a_free_; }

    // The force of a row of a spring that is neither slack nor full.
    double spring_force(const StepBlock& block, Index row, double y, double u) const;
    // y and u of all rows.
    void evaluate_rows(double t, const Eigen::VectorXd& x, Eigen::VectorXd& y, Eigen::VectorXd& u);
    const std::vector<ModeEnd>& ends() const { return ends_; }
    // Their values at (t, x), at which x' was evaluated last, lifted by what rounding may make of zero, and the rates
    // of the gaps.
    void evaluate_ends(double t, const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::VectorXd& rates);

    // The gaps among them and their rates, NaN for the others, whatever x' was evaluated last.
    void evaluate_gaps(double t, const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::VectorXd& rates);

    // The nearest positions and velocities, in the metric of M, that the held rows allow.
    bool project(double t, Eigen::VectorXd& x, bool positions_alone = false);

    // The accelerations J v' + c and their operator in the rows, with the v' of all other forces of the mode:
    //     J v' + c = W lambda + load.
    // False if something is not finite.
    bool assemble(double t, const Eigen::VectorXd& x, const std::vector<HeldRow>& rows);
    // J v' + c of the gap of a contact, v' of the last x', and the size of its parts.
    struct GapAcceleration {
        double value = 0.0, size = 0.0;
    };
    GapAcceleration gap_acceleration(double t, Index interaction);
    // What rounding may make of a function that is zero, at the last x'.
    double rounding(const ModeEnd& end) const;
    const Eigen::MatrixXd& W() const { return W_; }
    const Eigen::VectorXd& load() const { return load_; }

private:
    void unpack(const Eigen::VectorXd& x);
    bool accelerate(double t);
    void add_known_forces(double t);
    void add_spring(StepBlock& block, const InteractionMode& mode);
    void prepare(StepBlock& block, double t);
    void find_curvature(StepBlock& block, double t);
    void add_nearby(StepBlock& block, double t, double time, double weight, Eigen::VectorXd& slopes);
    void fill(const std::vector<HeldRow>& rows);
    void fill_column(const HeldRow& held, Index column);
    double row_times(const HeldRow& held, const Eigen::VectorXd& v) const;
    bool solve_held(const std::vector<HeldRow>& rows);
    void share(const std::vector<HeldRow>& rows);
    bool solve_unique();
    bool correct(const std::vector<HeldRow>& rows, const Eigen::VectorXd& error, Eigen::VectorXd& change);
    void hold_rows(Index k);
    void settle_directions();
    void add_ends(Index k);
    void spread_held_force(const HeldRow& held, double force);
    double value_of(const ModeEnd& end) const;
    double distance_of(const ModeEnd& end) const;
    double slip_rate(const StepBlock& block) const;
    double size_of_acceleration(const HeldRow& held) const;
    void find_force_scale();
    bool find_creep_directions(double t, const Eigen::VectorXd& x);
    double turning_speed(const StepBlock& block, const InteractionMode& mode) const;
    double stop_speed(const StepBlock& block) const { return stop_speed_ * row_speeds_[block.start + 1]; }

    Index n_;
    double stop_speed_;
    IndexList system_starts_;
    std::vector<StepBlock> blocks_;
    std::vector<char> has_constant_X_, has_X_;
    std::vector<Inertia> inertias_;
    std::vector<InteractionMode> modes_;
    std::vector<Eigen::Vector2d> directions_;  // of sliding, at the last x'
    std::vector<HeldRow> held_;
    std::vector<HeldRow> projected_;       // rows of a projection
    std::vector<HeldRow> held_positions_;  // of which y = 0 too
    std::vector<ModeEnd> ends_;
    bool has_varying_gaps_ = false;
    std::vector<HeldRow> creeping_;
    bool is_redundant_ = false;
    Eigen::VectorXd reference_;
    Eigen::VectorXd near_slopes_, far_slopes_;  // d/dt u of the rows, by two differences
    Eigen::VectorXd slope_scales_;              // the largest up to now
    double epsilon_ = 0.0, time_scale_ = 0.0, longest_ = 0.0, force_scale_ = 0.0;
    Eigen::VectorXd row_lengths_, row_speeds_;
    Eigen::VectorXd q_, v_, a_, a_free_, q_near_, forces_, u_, y_;
    double power_ = 0.0;
    Eigen::MatrixXd W_, columns_;  // one column per held row: M^-1 B
    Eigen::VectorXd load_, held_forces_, error_, change_;
    DenseLu factors_;
    LeastSquares redundant_;
};

}  // namespace saltus
