#include "support/random_friction.hpp"

namespace saltus::testing {
namespace {

// r and u that obey the law with the coefficients mu (of the disks of `dimension`): separated, sticking, sliding or
// rolling, each with its share.
template <int Disks, int DiskSize>
void random_contact_state(const FrictionLaw<Disks, DiskSize>& law, Random& random, double* r_data, double* u_data) {
    using LawType = FrictionLaw<Disks, DiskSize>;
    using Vector = typename LawType::Vector;
    Eigen::Map<Vector> r(r_data), u(u_data);
    r.setZero();
    u.setZero();
    if (random.coin(0.3)) {
        u = random.vector(LawType::dimension);
        u[0] = random.uniform(0.1, 1.0);
        return;
    }
    r[0] = random.uniform(0.1, 2.0);
    for (int k = 0; k < Disks; ++k) {
        Eigen::Matrix<double, DiskSize, 1> direction = random.vector(DiskSize);
        direction.normalize();
        const bool slides = random.coin();
        LawType::disk(r, k) = (slides ? 1.0 : random.uniform(0.0, 0.9)) * law.mu[k] * r[0] * direction;
        if (slides) LawType::disk(u, k) = -random.uniform(0.1, 1.0) * direction;
    }
}

}  // namespace

Eigen::MatrixXd random_delassus(DelassusClass kind, Index n, Random& random) {
    const Index rank = kind == DelassusClass::rank_deficient ? std::max<Index>(3, n / 3) : n;
    const Eigen::MatrixXd H = random.matrix(rank, n);
    Eigen::MatrixXd W = H.transpose() * H;
    if (kind == DelassusClass::rank_deficient) return W;
    W += 0.3 * static_cast<double>(n) * Eigen::MatrixXd::Identity(n, n);
    if (kind == DelassusClass::symmetric) return W;
    const Eigen::MatrixXd A = random.matrix(n, n);
    return W + 0.3 * (A - A.transpose());
}

SolvedFriction random_friction(DelassusClass kind, int dimension, Index contacts, Random& random) {
    const Index n = dimension * contacts;
    SolvedFriction solved{{BlockMatrix(Matrix(random_delassus(kind, n, random)), dimension),
                           Eigen::VectorXd(n),
                           random.vector(contacts, 0.1, 1.0),
                           {}},
                          Eigen::VectorXd(n),
                          Eigen::VectorXd(n)};
    FrictionProblem& problem = solved.problem;
    if (dimension == 5) problem.rolling = random.vector(contacts, 0.05, 0.5);
    for (Index i = 0; i < contacts; ++i) {
        double *r = solved.r.data() + i * dimension, *u = solved.u.data() + i * dimension;
        if (dimension == 2) random_contact_state(Coulomb2D{{problem.mu[i]}}, random, r, u);
        if (dimension == 3) random_contact_state(Coulomb3D{{problem.mu[i]}}, random, r, u);
        if (dimension == 5) random_contact_state(RollingFriction{{problem.mu[i], problem.rolling[i]}}, random, r, u);
    }
    problem.q = solved.u - problem.W * solved.r;
    return solved;
}

}  // namespace saltus::testing
