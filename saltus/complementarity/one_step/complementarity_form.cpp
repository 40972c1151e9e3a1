#include "saltus/complementarity/one_step/complementarity_form.hpp"

#include <cmath>
#include <numbers>

#include "saltus/complementarity/one_step/one_step_problem.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

ComplementarityRows::ComplementarityRows(const ComplementarityForm& form, const BlockMatrix& W,
                                         const Eigen::VectorXd& free_velocity, double force, double speed) {
    // Pivoting wants dense matrices, which the solvers of affine problems take up to this size.
    constexpr Index largest_dense = 1000;
    const Index n = free_velocity.size();
    const Matrix::Sparse At = form.A(n).transpose();
    B = form.B(n);
    const Matrix::Sparse sparse = force / speed * At * W.to_sparse() * B + form.C();
    M = form.unknowns() <= largest_dense ? Matrix(Matrix::Dense(sparse)) : Matrix(sparse);
    q = At * free_velocity / speed;
    B *= force;
}

void add_plane_contact(ComplementarityForm& form, Index start, double mu) {
    const int normal = form.add_unknown(), sum = form.add_unknown(), speed = form.add_unknown();
    form.add_to_r(start, normal, 1.0);
    form.add_to_r(start + 1, normal, -mu);
    form.add_to_r(start + 1, sum, 1.0);
    form.add_velocity(normal, start, 1.0);
    form.add_velocity(sum, start + 1, 1.0);
    form.add_unknown_to_row(sum, speed, 1.0);
    form.add_unknown_to_row(speed, normal, 2.0 * mu);
    form.add_unknown_to_row(speed, sum, -1.0);
}

void add_faceted_contact(ComplementarityForm& form, Index start, double cap, int facets) {
    const int normal = form.add_unknown();
    form.add_to_r(start, normal, 1.0);
    form.add_velocity(normal, start, 1.0);
    std::vector<int> shares;
    for (int j = 0; j < facets; ++j) {
        const double angle = 2.0 * std::numbers::pi * j / facets;
        shares.push_back(form.add_unknown());
        for (const auto& [component, factor] : {std::pair{start + 1, std::cos(angle)}, {start + 2, std::sin(angle)}}) {
            form.add_to_r(component, shares.back(), factor);
            form.add_velocity(shares.back(), component, factor);
        }
    }
    const int speed = form.add_unknown();
    form.add_unknown_to_row(speed, normal, cap);
    for (const int share : shares) {
        form.add_unknown_to_row(share, speed, 1.0);
        form.add_unknown_to_row(speed, share, -1.0);
    }
}

namespace {

struct AddBlock {
    ComplementarityForm& form;
    Index start;
    double force;
    int facets;

    bool operator()(const Equality& law) const {
        for (int c = 0; c < law.rows; ++c) add_row(start + c, -infinity, infinity);
        return true;
    }
    bool operator()(const Interval& law) const {
        add_row(start, law.lower / force, law.upper / force);
        return true;
    }
    bool operator()(const Coulomb2D& law) const {
        add_plane_contact(form, start, law.mu[0]);
        return true;
    }
    bool operator()(const Coulomb3D& law) const {
        if (facets > 0) add_faceted_contact(form, start, law.mu[0], facets);
        return facets > 0;
    }
    bool operator()(const RollingFriction&) const { return false; }

    void add_row(Index component, double lower, double upper) const {
        const int unknown = form.add_unknown(lower, upper);
        form.add_to_r(component, unknown, 1.0);
        form.add_velocity(unknown, component, 1.0);
    }
};

}  // namespace

bool add_block(ComplementarityForm& form, const Law& law, Index start, double force, int facets) {
    return std::visit(AddBlock{form, start, force, facets}, law);
}

void check_dimension(const FrictionProblem& problem, int dimension, std::string_view who) {
    OneStepView(problem).check(who, Eigen::VectorXd::Zero(problem.q.size()));
    require(problem.contacts() == 0 || problem.dimension() == dimension,
            "{}: the contacts have dimension {}; this form is for dimension {}", who, problem.dimension(), dimension);
}

}  // namespace saltus
