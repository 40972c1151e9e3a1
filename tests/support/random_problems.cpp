#include "support/random_problems.hpp"

namespace saltus::testing {

Eigen::VectorXd Random::vector(Index n, double low, double high) {
    return Eigen::VectorXd::NullaryExpr(n, [&](Index) { return uniform(low, high); });
}

Eigen::MatrixXd Random::matrix(Index rows, Index cols, double low, double high) {
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&](Index, Index) { return uniform(low, high); });
}

Eigen::MatrixXd random_matrix(MatrixClass kind, Index n, Random& random) {
    const auto gram = [&](Index rank) -> Eigen::MatrixXd {
        const Eigen::MatrixXd A = random.matrix(n, rank);
        return A * A.transpose();
    };
    const auto skew = [&]() -> Eigen::MatrixXd {
        const Eigen::MatrixXd A = random.matrix(n, n);
        return A - A.transpose();
    };
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    switch (kind) {
        case MatrixClass::symmetric_positive_definite:
            return gram(n) + 0.1 * I;
        case MatrixClass::positive_definite:
            return gram(n) + 0.1 * I + skew();
        case MatrixClass::semidefinite:
            return gram(random.integer(0, n - 1));
        case MatrixClass::p_matrix: {  // triangular with positive diagonal, rows and columns scaled and permuted
            // Entries of size 1/n keep the inverse bounded; of size 1, it would grow exponentially with n.
            const double size = 3.0 / static_cast<double>(n);
            Eigen::MatrixXd M = random.matrix(n, n, -size, size).triangularView<Eigen::StrictlyUpper>();
            M.diagonal() = random.vector(n, 0.1, 1.0);
            const Eigen::VectorXd scale = random.vector(n, 0.5, 2.0);
            Eigen::PermutationMatrix<Eigen::Dynamic> permutation(n);
            permutation.setIdentity();
            for (Index i = n - 1; i > 0; --i) permutation.applyTranspositionOnTheRight(i, random.integer(0, i));
            return permutation * (scale.asDiagonal() * M) * permutation.transpose();
        }
        case MatrixClass::m_matrix: {
            Eigen::MatrixXd M = -random.matrix(n, n, 0.0, 1.0);
            M.diagonal().setZero();
            M.diagonal() = -M.rowwise().sum() + random.vector(n, 0.01, 1.0);
            return M;
        }
        case MatrixClass::z_matrix: {
            Eigen::MatrixXd M = -random.matrix(n, n, 0.0, 1.0);
            M.diagonal() = random.vector(n, -1.0, static_cast<double>(n));
            return M;
        }
        case MatrixClass::copositive:
            return random.matrix(n, n, 0.0, 1.0) + 0.01 * I + skew();
        case MatrixClass::copositive_plus:
            return gram(random.integer(0, n - 1)) + skew();
        case MatrixClass::arbitrary:
            return random.matrix(n, n);
    }
    return I;
}

Lcp lcp_with_solution(const Eigen::MatrixXd& M, Random& random, double degeneracy) {
    const Index n = M.rows();
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n), w = Eigen::VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i) {
        if (random.coin(degeneracy)) continue;
        (random.coin() ? z : w)[i] = random.uniform(0.1, 1.0);
    }
    return {M, w - M * z};
}

BoxVi random_box(const Matrix& M, Random& random) {
    const Index n = M.rows();
    BoxVi box{M, random.vector(n, -3.0, 3.0), random.vector(n, -1.0, 0.0), random.vector(n, 0.0, 1.0)};
    for (Index i = 0; i < n; ++i) {
        if (random.coin(0.3)) box.lower[i] = -infinity;
        if (random.coin(0.3)) box.upper[i] = infinity;
        if (random.coin(0.1)) box.upper[i] = box.lower[i] = random.uniform();
    }
    return box;
}

}  // namespace saltus::testing
