#pragma once

#include <string>
#include <unordered_map>

#include "saltus/integrators/step_equations.hpp"

namespace saltus {

// The steps of a small linear model, as one affine map per placement that was met: when the rows at a bound and those
// with y = 0 are known, (114) is a linear system, solved once:                                     docs/theory.md (115)
//     (x, mu, y) = G past + g.
// A step then costs one product with G and the test that its placement holds.
class StepMaps {
public:
    // A placement must hold exactly, if one does; then what is zero in exact arithmetic is zero.
    static constexpr bool takes_rounding = false;

    explicit StepMaps(StepEquations equations);

    const StepEquations& equations() const { return equations_; }
    // Selects `placement` for the functions below; false if its equations are singular.
    bool place(const Placement& placement);
    // end <- (x, mu, y). Allocates nothing.
    void evaluate(const double* past, Eigen::VectorXd& end) const {
        end = map_->g;
        for (Index j = 0; j < map_->G.cols(); ++j) end.noalias() += past[j] * map_->G.col(j);
    }
    // What mu and y must lie between for the placement to hold.
    const Eigen::VectorXd& least() const { return map_->least; }
    const Eigen::VectorXd& most() const { return map_->most; }
    // Bounds the rounding error of row i of `end`.
    double rounding(const double* past, const Eigen::VectorXd& end, Index i) const;

    // The problem of the multipliers alone:  W = D + c C K^-1 B,  q = C K^-1 load + e.             docs/theory.md (116)
    BoxVi problem(const double* past) const;
    // Its unknowns z, taken from the end of the last step, and the end of a step from them.
    Eigen::VectorXd guess(const Eigen::VectorXd& end) const {
        return end.segment(equations_.states(), equations_.rows());
    }
    void read(const BoxVi& problem, const double* past, const Eigen::VectorXd& z, Eigen::VectorXd& end) const;

private:
    struct Map {
        Eigen::MatrixXd G;
        Eigen::VectorXd g, least, most;
        bool is_singular = false;
    };
    Map build(const Placement& placement) const;

    StepEquations equations_;
    Eigen::MatrixXd K_inverse_, W_;
    std::unordered_map<std::string, Map> maps_;
    const Map* map_ = nullptr;
};

}  // namespace saltus
