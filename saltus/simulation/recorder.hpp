#pragma once

#include <string>
#include <vector>

#include "saltus/integrators/scheme.hpp"
#include "saltus/model/lagrangian_model.hpp"
#include "saltus/model/model.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

// The names of the channels of a run: "circuit.x[0]", ..., "diode.lambda[0]" (or sigma), ..., "diode.y[0]", ....
std::vector<std::string> channel_names(const Model& model, bool measures);
std::vector<std::string> channel_names(const Model& model, const Scheme& scheme);

// For a Lagrangian model: "ball.q[0]", "ball.v[0]", ..., for each interaction "ground.gap" (contacts) or "rod.y[0]",
// the velocities "ground.u[0]", the percussions of the last step "ground.P[0]" and the forces "ground.force[0]", which
// are P / h, then "energy.kinetic", "energy.potential", "energy.total" and "energy.interactions": see EnergyMeter.
std::vector<std::string> channel_names(const LagrangianModel& model, const Scheme& scheme = MoreauJean{});

// The names of the states before and after an event, in their order: "circuit.x[0]", ...; for a Lagrangian model all q,
// then all v.
std::vector<std::string> state_names(const Model& model);
std::vector<std::string> state_names(const LagrangianModel& model);

// The energies of a Lagrangian model. The potential is that of stiffness and of constant forces,
//     q' K q / 2 - b' q,
// of the systems where K is symmetric; forces that depend on time or are given as functions have none here.
class EnergyMeter {
public:
    explicit EnergyMeter(const LagrangianModel& model);
    double kinetic(const LagrangianState& state);
    double potential(const LagrangianState& state);

private:
    struct Part {
        Index start = 0;
        Matrix M{}, K{};
        Function mass{};
        Eigen::VectorXd b{};  // no entries where there is no potential
        Eigen::VectorXd x{}, y{};
        Eigen::MatrixXd M_at{};
    };
    std::vector<Part> parts_;
};

// Reads the channels from a stepper.
class FirstOrderRecorder {
public:
    FirstOrderRecorder(const Model& model, const Scheme& scheme, double h);

    // The residual of the laws, and the values of the channels; `sample` is not returned by value, since a processor
    // waits where it copies as a whole what it has just written in parts.
    template <class Stepper>
    void read(const Stepper& stepper, Sample& sample) {
        stepper.read(state_);
        write(sample);
        if constexpr (requires { stepper.element_residual(); })
            sample.residual = std::max(sample.residual, stepper.element_residual());
    }

private:
    void write(Sample& sample);

    std::vector<Interval> laws_;
    State state_;
    std::vector<double> values_;
};

class LagrangianRecorder {
public:
    explicit LagrangianRecorder(const LagrangianModel& model);

    template <class Stepper>
    void read(const Stepper& stepper, Sample& sample) {
        stepper.read(state_);
        write(stepper.law_residual(), stepper.work(), sample);
    }

private:
    void write(double residual, double work, Sample& sample);
    void add(const Eigen::VectorXd& v, Index start, Index count);

    struct Piece {  // of the systems, then of the interactions
        Index start = 0, size = 0;
        bool is_contact = false;
    };
    std::vector<Piece> systems_, interactions_;
    EnergyMeter energy_;
    LagrangianState state_;
    std::vector<double> values_;
};

}  // namespace saltus
