#include "support/random_one_step.hpp"

namespace saltus::testing {

void fill_random(Random& random, Index freedoms, const std::vector<int>& sizes, BlockMatrix& W, Eigen::VectorXd& q) {
    Index rows = 0;
    for (const int size : sizes) rows += size;
    const Eigen::MatrixXd H = random.matrix(freedoms, rows);
    W = BlockMatrix(Matrix(H.transpose() * H), sizes);
    q = H.transpose() * random.vector(freedoms, -2.0, 2.0);
}

FrictionProblem random_contacts(unsigned seed, Index contacts, int dimension, Index freedoms, double mu) {
    Random random(seed);
    FrictionProblem problem;
    fill_random(random, freedoms, std::vector<int>(static_cast<std::size_t>(contacts), dimension), problem.W,
                problem.q);
    problem.mu = random.vector(contacts, 0.5 * mu, mu);
    if (dimension == 5) problem.rolling = random.vector(contacts, 0.1 * mu, 0.5 * mu);
    return problem;
}

OneStepProblem random_mixture(unsigned seed, Index freedoms) {
    Random random(seed);
    OneStepProblem problem;
    problem.laws = {
        Equality{2},      Interval{0.0, infinity},     Interval{-1.0, 0.5}, Coulomb2D{{0.4}},        Coulomb3D{{0.3}},
        Coulomb3D{{0.0}}, RollingFriction{{0.3, 0.1}}, Interval{0.2, 0.2},  Interval{-infinity, 1.0}};
    for (std::size_t i = problem.laws.size(); i-- > 1;)
        std::swap(problem.laws[i], problem.laws[static_cast<std::size_t>(random.integer(0, static_cast<Index>(i)))]);
    std::vector<int> sizes;
    for (const Law& law : problem.laws) sizes.push_back(dimension(law));
    fill_random(random, freedoms, sizes, problem.W, problem.q);
    return problem;
}

}  // namespace saltus::testing
