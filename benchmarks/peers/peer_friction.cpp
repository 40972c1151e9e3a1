// peer_friction DATA DIRECTORY: writes the friction problems of the comparison (the files of the folders of DATA and
// assemblies of spheres) to DIRECTORY, so that both libraries read the same bits, and the times of Saltus on them to
// DIRECTORY/saltus_friction.json.
//   <name>.local.dat     W, q, mu: what is judged
//   <name>.global.dat    M, H, f, b, mu where the problem has that form

#include <iostream>
#include <set>

#include "benchmarks/peers/measure.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"
#include "saltus/io/problem/problem_file.hpp"
#include "tests/support/sphere_packing.hpp"

namespace saltus::benchmarks {
namespace {

constexpr double tolerance = 1e-8;   // asked of both libraries, on residual() of the local form
constexpr double time_limit = 60.0;  // seconds for all calls of a solver on a problem
constexpr const char* folders[] = {"friction2d", "friction3d", "rolling"};
constexpr int settled_spheres[] = {40, 113, 355};      // about 100, 300, 1000 contacts
constexpr int scattered_spheres[] = {100, 400, 1200};  // about 250, 1000, 3200
constexpr double sphere_frictions[] = {0.1, 0.3, 0.6, 1.0};

struct PeerProblem {
    std::string name, group;
    bool is_given_as_global;
    FrictionProblem local;
    std::optional<GlobalFrictionProblem> global;
};

PeerProblem read_peer_problem(const std::filesystem::path& path) {
    const std::string name = path.filename().string(), group = path.parent_path().filename().string();
    Problem problem = read_problem(path);
    if (auto* global = std::get_if<GlobalFrictionProblem>(&problem))
        return {name, group, true, reduce(*global).local, std::move(*global)};
    return {name, group, false, std::get<FrictionProblem>(std::move(problem)), std::nullopt};
}

PeerProblem settled_problem(int spheres, double friction) {
    const testing::SpherePackingOptions options{.spheres = spheres, .friction = friction};
    const std::string name = fmt::format("settled_{}_mu{}", spheres, friction);
    return {name, "settled", false, testing::sphere_packing(options), testing::global_sphere_packing(options)};
}

PeerProblem scattered_problem(int spheres, double friction) {
    const testing::SpherePackingOptions options{.spheres = spheres, .friction = friction, .agitation = 0.1};
    const std::string name = fmt::format("scattered_{}_mu{}", spheres, friction);
    return {name, "scattered", false, testing::scattered_sphere_problem(options), std::nullopt};
}

// A global problem is timed with its reduction.
template <class Solver>
nlohmann::json measure(Solver solver, const PeerProblem& problem) {
    solver.tolerance = tolerance;
    Eigen::VectorXd r, v;
    SolveReport report;
    const double seconds = best_seconds([&] {
        r = Eigen::VectorXd::Zero(problem.local.q.size());
        report =
            problem.is_given_as_global ? solve_global(solver, *problem.global, v, r) : solver.solve(problem.local, r);
    });
    return {{"seconds", seconds},
            {"residual", residual(problem.local, r)},
            {"iterations", report.iterations},
            {"solver", report.solver},
            {"converged", report.converged()}};
}

nlohmann::json compare(const PeerProblem& problem, const std::filesystem::path& directory, bool every_solver) {
    const std::string local = problem.name + ".local.dat", global = problem.name + ".global.dat";
    write_problem(directory / local, problem.local);
    nlohmann::json result{{"name", problem.name},
                          {"group", problem.group},
                          {"contacts", problem.local.contacts()},
                          {"given_as_global", problem.is_given_as_global},
                          {"local", local}};
    if (problem.global) {
        write_problem(directory / global, *problem.global);
        result["global"] = global;
    }
    for (const SolverInfo& info : one_step::solvers()) {
        if (!every_solver && !result["saltus"].empty()) break;
        const auto measure_it = [&] {
            return std::visit([&](const auto& solver) { return measure(solver, problem); },
                              one_step::solver(info.name));
        };
        nlohmann::json measured = within(time_limit, measure_it);
        if (measured.is_null()) measured = {{"seconds", time_limit}, {"residual", 1.0}, {"converged", false}};
        std::cout << fmt::format("saltus: {}: {} {:.3g} s, residual {:.1e}", problem.name, info.name,
                                 measured["seconds"].get<double>(), measured["residual"].get<double>())
                  << std::endl;
        result["saltus"][std::string(info.name)] = measured;
    }
    return result;
}

nlohmann::json compare_all(const std::filesystem::path& data, const std::filesystem::path& directory) {
    nlohmann::json problems = nlohmann::json::array();
    for (const char* folder : folders) {
        std::set<std::filesystem::path> paths;
        for (const auto& entry : std::filesystem::directory_iterator(data / folder)) paths.insert(entry.path());
        for (const auto& path : paths) problems.push_back(compare(read_peer_problem(path), directory, true));
    }
    for (const double friction : sphere_frictions) {
        for (const int spheres : settled_spheres)
            problems.push_back(compare(settled_problem(spheres, friction), directory, false));
        for (const int spheres : scattered_spheres)
            problems.push_back(compare(scattered_problem(spheres, friction), directory, false));
    }
    return {{"compiler", "g++ " __VERSION__}, {"tolerance", tolerance}, {"problems", problems}};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argument_count, char** arguments) {
    if (argument_count != 3) {
        std::cerr << "usage: peer_friction DATA DIRECTORY\n";
        return 2;
    }
    const std::filesystem::path directory = arguments[2];
    std::filesystem::create_directories(directory);
    const nlohmann::json results = saltus::benchmarks::compare_all(arguments[1], directory);
    saltus::benchmarks::open_for_writing(directory / "saltus_friction.json") << results.dump(1) << '\n';
}
