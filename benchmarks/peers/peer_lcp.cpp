// peer_lcp DIRECTORY: writes the problems of the comparison to DIRECTORY, bit for bit as Saltus sees them, and the
// times of Saltus on them to DIRECTORY/saltus.json. All numbers in the .bin files are doubles, matrices by columns:
//   <class>_<n>.bin         M (n x n), q (n)
//   obstacle_<side>.bin     row, column and value of each entry of M in turn; the vector q (side^2) ends the file

#include <iostream>

#include "benchmarks/peers/measure.hpp"
#include "benchmarks/support/dense_lcps.hpp"
#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/affine/lemke.hpp"
#include "tests/support/obstacle.hpp"

namespace saltus::benchmarks {
namespace {

constexpr double tolerance = 1e-8;  // asked of both libraries, on |min(z, w)|_inf / max(1, |q|_inf)
constexpr Index small_sizes[] = {2, 4, 8};
constexpr Index sizes[] = {10, 20, 50, 100, 200, 500, 1000, 2000};
constexpr Index obstacle_sides[] = {30, 100, 300};

// Times solver.solve(problem, z) from z = guess, and has the last answer judged by residual().
nlohmann::json measure(const auto& solver, const Lcp& problem, const Eigen::VectorXd& guess) {
    Eigen::VectorXd z;
    SolveReport report;
    const double seconds = best_seconds([&] {
        z = guess;
        report = solver.solve(problem, z);
    });
    return {{"seconds", seconds},
            {"residual", residual(problem, z)},
            {"iterations", report.iterations},
            {"solver", report.solver},
            {"converged", report.converged()}};
}

void write(std::ostream& file, const double* values, Index count) {
    file.write(reinterpret_cast<const char*>(values), count * static_cast<std::streamsize>(sizeof(double)));
}

// The solution of `problem`, to start the next one from.
Eigen::VectorXd solution(const Lcp& problem) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
    Auto{}.solve(problem, z);
    return z;
}

nlohmann::json compare_dense(DenseClass kind, Index n, const std::filesystem::path& directory) {
    const Lcp problem = dense_lcp(kind, n);
    const std::string file_name = std::string(to_string(kind)) + "_" + std::to_string(n) + ".bin";
    std::ofstream file = open_for_writing(directory / file_name);
    write(file, problem.M.dense().data(), n * n);
    write(file, problem.q.data(), n);

    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n), previous = solution(problem);
    return {{"class", to_string(kind)},
            {"n", n},
            {"file", file_name},
            {"auto_cold", measure(Auto{.tolerance = tolerance}, problem, zero)},
            {"auto_warm", measure(Auto{.tolerance = tolerance}, moved_a_little(problem, previous), previous)},
            {"lemke_cold", measure(Lemke{.tolerance = tolerance}, problem, zero)}};
}

// The obstacle problem in the unknown u - obstacle >= 0.
Lcp obstacle_lcp(Index side) {
    const BoxVi problem = testing::HemisphereObstacle{side}.problem();
    return {problem.M, problem.M * problem.lower + problem.q};
}

nlohmann::json compare_obstacle(Index side, const std::filesystem::path& directory) {
    const Lcp problem = obstacle_lcp(side);
    const std::string file_name = "obstacle_" + std::to_string(side) + ".bin";
    std::ofstream file = open_for_writing(directory / file_name);
    const Matrix::Sparse& M = problem.M.sparse();
    for (Index column = 0; column < M.cols(); ++column)
        for (Matrix::Sparse::InnerIterator entry(M, column); entry; ++entry) {
            const double values[] = {static_cast<double>(entry.row()), static_cast<double>(column), entry.value()};
            write(file, values, 3);
        }
    write(file, problem.q.data(), problem.q.size());
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(problem.q.size());
    return {{"side", side}, {"file", file_name}, {"saltus", measure(Auto{.tolerance = 1e-10}, problem, zero)}};
}

nlohmann::json compare_all(const std::filesystem::path& directory) {
    nlohmann::json small = nlohmann::json::array(), dense = nlohmann::json::array(), obstacle = nlohmann::json::array();
    for (const DenseClass kind : all_dense_classes) {
        std::cout << "saltus: " << to_string(kind) << ", n =" << std::flush;
        for (const Index n : small_sizes) small.push_back(compare_dense(kind, n, directory));
        for (const Index n : sizes) {
            dense.push_back(compare_dense(kind, n, directory));
            std::cout << ' ' << n << std::flush;
        }
        std::cout << std::endl;
    }
    for (const Index side : obstacle_sides) {
        std::cout << "saltus: obstacle, " << side << " x " << side << std::endl;
        obstacle.push_back(compare_obstacle(side, directory));
    }
    return {{"compiler", "g++ " __VERSION__},
            {"tolerance", tolerance},
            {"small", small},
            {"dense", dense},
            {"obstacle", obstacle}};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argument_count, char** arguments) {
    if (argument_count != 2) {
        std::cerr << "usage: peer_lcp DIRECTORY\n";
        return 2;
    }
    const std::filesystem::path directory = arguments[1];
    std::filesystem::create_directories(directory);
    const nlohmann::json results = saltus::benchmarks::compare_all(directory);
    saltus::benchmarks::open_for_writing(directory / "saltus.json") << results.dump(1) << '\n';
}
