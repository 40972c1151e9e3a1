#pragma once

#include <memory>

#include "saltus/core/matrix.hpp"

namespace saltus {

// The backward differentiation formulas of SUNDIALS' CVODE, of variable order and step, for stiff motion x' = f(t, x);
// the Jacobian comes from differences, and the equations of a step are dense. Between the ends of a step the motion is
// that of the step's polynomial, as accurate as the step. CVODE's projection keeps the constraints of the mode.
class Bdf {
public:
    Bdf(Index size, double tolerance);
    Bdf(Bdf&&) noexcept;
    ~Bdf();

    // Errors are relative to this where an entry is smaller; to 1 if none was set. Takes effect at the next restart:
    // CVODE accepts no other tolerances in between.
    void set_scale(const Eigen::VectorXd& scale);
    // Begins at (t, x), without memory of the earlier motion.
    void restart(double t, const Eigen::VectorXd& x);
    // Makes one step from where the last one ended, no longer than `limit`. Returns its length, or 0 if none was found.
    // f has f(t, x, slope) and f.project(t, x), which return false where they fail.
    template <class F>
    double advance(F& f, double, const Eigen::VectorXd&, const Eigen::VectorXd&, double limit, Eigen::VectorXd& end) {
        const Callbacks callbacks{
            &f,
            [](void* mode, double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
                return (*static_cast<F*>(mode))(t, x, slope);
            },
            [](void* mode, double t, Eigen::VectorXd& x) { return static_cast<F*>(mode)->project(t, x); }};
        return step(callbacks, limit, end);
    }
    // The state at the time `s` after the beginning of the last step.
    template <class F>
    bool evaluate(F&, double, const Eigen::VectorXd&, const Eigen::VectorXd&, double s, Eigen::VectorXd& end) {
        return interpolate(s, end);
    }
    // The length of the next step; infinite if that is not known.
    double next_length() const;

private:
    struct Callbacks {
        void* mode;
        bool (*slope)(void* mode, double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope);
        bool (*project)(void* mode, double t, Eigen::VectorXd& x);
    };
    struct Solver;

    double step(const Callbacks& callbacks, double limit, Eigen::VectorXd& end);
    bool interpolate(double s, Eigen::VectorXd& end);

    std::unique_ptr<Solver> solver_;
};

}  // namespace saltus
