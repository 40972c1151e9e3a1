#include "saltus/complementarity/one_step/cone_form.hpp"

namespace saltus::one_step {

namespace {

class Builder {
public:
    Builder(const OneStepView& problem, double scale) : problem_(problem), scale_(scale) {
        form_.fixed.assign(static_cast<std::size_t>(problem.size()), false);
        form_.interior = Eigen::VectorXd::Zero(problem.size());
    }

    ConeForm build() {
        for (Index i = 0; i < problem_.blocks(); ++i)
            std::visit([&](const auto& law) { add(i, law); }, problem_.law(i));
        return std::move(form_);
    }

private:
    ConeConstraint& add_constraint(Index block, int size) {
        ConeConstraint constraint;
        constraint.block = block;
        constraint.G.setZero(size, problem_.W.size(block));
        constraint.h.setZero(size);
        return form_.constraints.emplace_back(std::move(constraint));
    }

    void add(Index, const Equality&) {}

    void add(Index i, const Interval& law) {
        double& r = form_.interior[problem_.W.start(i)];
        const bool has_lower = std::isfinite(law.lower), has_upper = std::isfinite(law.upper);
        if (law.lower == law.upper) {
            form_.fixed[problem_.W.start(i)] = true;
            r = law.lower;
            return;
        }
        if (has_lower && has_upper)
            r = 0.5 * (law.lower + law.upper);
        else if (has_lower)
            r = law.lower + scale_;
        else if (has_upper)
            r = law.upper - scale_;
        const auto bound = [&](double sign, double value) {
            ConeConstraint& constraint = add_constraint(i, 1);
            constraint.G(0, 0) = sign;
            constraint.h[0] = -sign * value;
        };
        if (has_lower) bound(1.0, law.lower);
        if (has_upper) bound(-1.0, law.upper);
    }

    template <int Disks, int DiskSize>
    void add(Index i, const FrictionLaw<Disks, DiskSize>& law) {
        const Index first = problem_.W.start(i);
        bool is_bounded_below = false;
        form_.interior[first] = scale_;
        for (int k = 0; k < Disks; ++k) {
            const int at = 1 + k * DiskSize;
            if (law.mu[k] == 0.0) {
                for (int c = 0; c < DiskSize; ++c) form_.fixed[first + at + c] = true;
                continue;
            }
            ConeConstraint& constraint = add_constraint(i, 1 + DiskSize);
            constraint.G(0, 0) = law.mu[k];
            for (int c = 0; c < DiskSize; ++c) constraint.G(1 + c, at + c) = 1.0;
            is_bounded_below = true;
        }
        if (!is_bounded_below) add_constraint(i, 1).G(0, 0) = 1.0;
    }

    const OneStepView& problem_;
    double scale_;
    ConeForm form_;
};

}  // namespace

ConeForm cone_form(const OneStepView& problem, double scale) { return Builder(problem, scale).build(); }

}  // namespace saltus::one_step
