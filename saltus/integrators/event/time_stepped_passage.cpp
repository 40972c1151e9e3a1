#include "saltus/integrators/event/time_stepped_passage.hpp"

#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"

namespace saltus {

TimeSteppedPassage::TimeSteppedPassage(const LagrangianModel& model, double t, const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& v, double last, int steps) {
    end.t = t;
    end.q = q;
    end.v = v;
    MoreauJeanStepper stepper(starting_from(model, end), MoreauJean{}, (last - t) / steps);
    for (int k = 0; k < steps; ++k) {
        const bool is_solved = stepper.step() != StepOutcome::failed;
        report = stepper.report();
        if (!is_solved) {
            problem = stepper.problem();
            return;
        }
        stepper.read(end);
        if (k == 0) percussions = Eigen::VectorXd::Zero(end.P.size());
        percussions += end.P;
    }
    work = stepper.work();
    end.t = last;
    report.status = SolveStatus::converged;
}

}  // namespace saltus
