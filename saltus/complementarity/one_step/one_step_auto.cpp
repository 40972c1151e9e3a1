#include "saltus/complementarity/one_step/one_step_auto.hpp"

#include "saltus/complementarity/ladder.hpp"
#include "saltus/complementarity/one_step/admm.hpp"
#include "saltus/complementarity/one_step/clustered_nsgs.hpp"
#include "saltus/complementarity/one_step/islands.hpp"
#include "saltus/complementarity/one_step/nsgs.hpp"
#include "saltus/complementarity/one_step/one_step_interior_point.hpp"
#include "saltus/complementarity/one_step/proximal_point.hpp"

namespace saltus::one_step {

namespace {

constexpr int quick_sweeps = 300, quick_splittings = 500;
constexpr Index few_blocks = 100;  // below, a cluster is the whole
// Unknowns up to which solvers that factor come before the long sweeps.
constexpr Index interior_limit = 1500, proximal_limit = 6000;
// Contacts swept, about a second and about a quarter of a minute.
constexpr Index settling_work = 12'000'000, long_work = 150'000'000;

// The ladder for one connected component.
struct Component {
    static constexpr std::string_view name = Auto::name;
    double tolerance;
    int max_iterations;
    History history;

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const {
        using Start = Ladder<OneStepView>::Start;
        Ladder ladder(problem, tolerance, max_iterations, r, Start::guess, history);
        const bool is_small = problem.size() <= interior_limit;
        const int settling_sweeps = std::min(12000, sweeps_for(settling_work, problem));
        const int long_sweeps = sweeps_for(long_work, problem);
        ladder.attempt(Nsgs{.max_iterations = quick_sweeps, .islands = false});
        // From the guess: plain sweeps lead elsewhere than accelerated ones that went astray.
        if (problem.blocks() < few_blocks) {
            ladder.attempt(Admm{.max_iterations = quick_splittings});
        } else {
            ladder.attempt(Nsgs{.max_iterations = settling_sweeps, .settling = 500, .islands = false});
            ladder.attempt(ClusteredNsgs{});
        }
        ladder.begin_at(Start::best);
        if (is_small) ladder.attempt(InteriorPoint{});
        if (problem.size() <= proximal_limit) ladder.attempt(ProximalPoint{});
        ladder.attempt(Nsgs{.retreats = true, .islands = false});
        ladder.begin_at(Start::guess);
        ladder.attempt(Nsgs{.max_iterations = long_sweeps, .settling = settling_sweeps, .islands = false});
        ladder.begin_at(Start::best);
        if (!is_small) ladder.attempt(InteriorPoint{});
        ladder.attempt(Admm{});
        return ladder.outcome();
    }

    static int sweeps_for(Index work, const OneStepView& problem) {
        return static_cast<int>(work / std::max<Index>(problem.blocks(), 300));
    }
};

}  // namespace

SolveReport Auto::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(threads >= 1, "auto: threads is {}; it must be 1 or more", threads);
    return solve_islands(Component{tolerance, max_iterations, history}, problem, r, threads);
}

}  // namespace saltus::one_step
