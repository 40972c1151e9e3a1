#include "saltus/complementarity/friction/auto.hpp"

#include "saltus/complementarity/friction/admm.hpp"
#include "saltus/complementarity/friction/clustered_nsgs.hpp"
#include "saltus/complementarity/friction/interior_point.hpp"
#include "saltus/complementarity/friction/islands.hpp"
#include "saltus/complementarity/friction/nsgs.hpp"
#include "saltus/complementarity/friction/proximal_point.hpp"
#include "saltus/complementarity/ladder.hpp"

namespace saltus::friction {

namespace {

constexpr int quick_sweeps = 300, quick_splittings = 500;
constexpr Index few_blocks = 100;     // below, a cluster is the whole
constexpr Index direct_limit = 6000;  // unknowns up to which a solver that factors comes before thousands of sweeps

// The ladder for one connected component.
struct Component {
    static constexpr std::string_view name = Auto::name;
    double tolerance;
    int max_iterations;

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const {
        using Start = Ladder<OneStepView>::Start;
        Ladder ladder(problem, tolerance, max_iterations, r, Start::guess);
        const bool is_small = problem.size() <= direct_limit;
        ladder.attempt(Nsgs{.max_iterations = quick_sweeps, .islands = false});
        if (problem.blocks() < few_blocks)
            ladder.attempt(Admm{.max_iterations = quick_splittings});
        else
            ladder.attempt(ClusteredNsgs{});  // plain sweeps lead elsewhere than accelerated ones which got lost
        ladder.begin_at(Start::best);
        if (is_small) {
            ladder.attempt(InteriorPoint{});
            ladder.attempt(ProximalPoint{});
        }
        ladder.attempt(Nsgs{.retreats = true, .islands = false});
        if (!is_small) ladder.attempt(InteriorPoint{});
        ladder.attempt(Admm{});
        return ladder.outcome();
    }
};

}  // namespace

SolveReport Auto::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(threads >= 1, "auto: threads is {}; it must be 1 or more", threads);
    return solve_islands(Component{tolerance, max_iterations}, problem, r, threads);
}

}  // namespace saltus::friction
