#pragma once

#include <Eigen/QR>

#include "saltus/complementarity/place.hpp"
#include "saltus/integrators/event/inertia.hpp"
#include "saltus/integrators/lagrangian/step_block.hpp"

namespace saltus {

// What an interaction does between two events.                                                    docs/theory.md (161)
struct InteractionMode {
    bool is_closed = false;                                // a contact: u_N = 0
    bool slides = false;                                   // its friction is mu P_N against `direction`
    Eigen::Vector2d direction = Eigen::Vector2d::UnitX();  // of the sliding; in the plane (+-1, 0)
    Placement places{};  // of the rows of springs and relays: where their force is in its interval

    bool operator==(const InteractionMode&) const = default;
};

// A row whose velocity is held, J v' + c = 0, by a force along B; that of a contact which slides has its friction too.
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
        above,     // the same of the upper bound
    };
    Kind kind{};
    Index interaction = 0, row = 0;
};

// A Lagrangian model between two events: an ordinary differential equation for x = (q, v, work),
//     M v' = F + sum B lambda,   J v' + c = 0 in the rows that are held,   work' = lambda . u,    docs/theory.md (161)
// which is the constrained motion with its index reduced. c = (d/dt J) v + d/dt rate by differences of order 4 along
// the motion. Redundant rows share their force so that its norm is least.
class LagrangianMode {
public:
    // A contact in space that slides more slowly than `stop_speed` stops: the direction of its friction turns at once
    // where it passes through zero, and the errors of steps would let it tremble there.
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
    // Differences in time are taken along a hundredth of h.
    void set_time_scale(double h) { epsilon_ = std::clamp(1e-2 * h, 1e-6, 1e-3); }

    // x'; false where it is not finite.
    bool operator()(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope);
    // Of the last x': all rows.
    const Eigen::VectorXd& forces() const { return forces_; }

    // Of a row of a spring that is neither slack nor full.
    double spring_force(const StepBlock& block, Index row, double y, double u) const;
    // y and u of all rows.
    void evaluate_rows(double t, const Eigen::VectorXd& x, Eigen::VectorXd& y, Eigen::VectorXd& u);
    const std::vector<ModeEnd>& ends() const { return ends_; }
    // Their values at (t, x), at which x' was evaluated last, lifted by what rounding may make of zero, and the rates of
    // the gaps.
    void evaluate_ends(double t, const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::VectorXd& rates);

    // The nearest positions and velocities, in the metric of M, which what is held allows.
    bool project(double t, Eigen::VectorXd& x, bool positions_alone = false);

    // The accelerations J v' + c and their operator in the rows, v' being that of all other forces of the mode:
    //     J v' + c = W lambda + load.
    // False if something is not finite.
    bool assemble(double t, const Eigen::VectorXd& x, const std::vector<HeldRow>& rows);
    // J v' + c of the gap of a contact, v' of the last x'.
    double gap_acceleration(double t, Index interaction);
    const Eigen::MatrixXd& W() const { return W_; }
    const Eigen::VectorXd& load() const { return load_; }

private:
    void unpack(const Eigen::VectorXd& x);
    bool accelerate(double t);
    void add_known_forces(double t);
    void add_spring(StepBlock& block, const InteractionMode& mode);
    void prepare(StepBlock& block, double t);
    void find_curvature(StepBlock& block, double t);
    void fill(const std::vector<HeldRow>& rows);
    void fill_column(const HeldRow& held, Index column);
    double row_times(const HeldRow& held, const Eigen::VectorXd& v) const;
    bool solve_held();
    bool correct(const std::vector<HeldRow>& rows, const Eigen::VectorXd& error, Eigen::VectorXd& change);
    void hold_rows(Index k);
    void add_ends(Index k);
    void spread_held_force(const HeldRow& held, double force);
    double value_of(const ModeEnd& end) const;
    double distance_of(const ModeEnd& end) const;
    double noise(const ModeEnd& end) const;

    Index n_;
    double stop_speed_;
    IndexList system_starts_;
    std::vector<StepBlock> blocks_;
    std::vector<char> has_constant_X_, has_X_;
    std::vector<Inertia> inertias_;
    std::vector<InteractionMode> modes_;
    std::vector<HeldRow> held_;
    std::vector<HeldRow> held_positions_;  // of which y = 0 too
    std::vector<ModeEnd> ends_;
    double epsilon_ = 3e-5;
    Eigen::VectorXd q_, v_, a_, q_near_, forces_, u_, y_;
    double power_ = 0.0;
    Eigen::MatrixXd W_, columns_;  // a column a held row: M^-1 B
    Eigen::VectorXd load_, held_forces_, error_, change_;
    Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> redundant_;
};

}  // namespace saltus
