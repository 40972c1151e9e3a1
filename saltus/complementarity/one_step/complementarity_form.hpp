#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "saltus/laws/law.hpp"

namespace saltus {

// Unknowns z with r = B z, and rows A' (W r + q) + C z, built block after block.
class ComplementarityForm {
public:
    // A new unknown; rows and unknowns of a complementarity problem come in pairs.
    int add_unknown(double lower = 0.0, double upper = std::numeric_limits<double>::infinity()) {
        lower_.push_back(lower);
        upper_.push_back(upper);
        return static_cast<int>(lower_.size()) - 1;
    }
    void add_to_r(Index component, int unknown, double factor) { add(B_, component, unknown, factor); }
    void add_velocity(int row, Index component, double factor) { add(A_, component, row, factor); }
    void add_unknown_to_row(int row, int unknown, double factor) { add(C_, row, unknown, factor); }

    Index unknowns() const { return std::ssize(lower_); }
    Matrix::Sparse A(Index n) const { return sparse(n, A_); }
    Matrix::Sparse B(Index n) const { return sparse(n, B_); }
    Matrix::Sparse C() const { return sparse(unknowns(), C_); }
    Eigen::VectorXd lower() const { return Eigen::Map<const Eigen::VectorXd>(lower_.data(), unknowns()); }
    Eigen::VectorXd upper() const { return Eigen::Map<const Eigen::VectorXd>(upper_.data(), unknowns()); }

private:
    using Triplets = std::vector<Eigen::Triplet<double>>;
    static void add(Triplets& to, Index row, int col, double value) {
        to.emplace_back(static_cast<int>(row), col, value);
    }
    Matrix::Sparse sparse(Index rows, const Triplets& entries) const {
        Matrix::Sparse result(rows, unknowns());
        result.setFromTriplets(entries.begin(), entries.end());
        return result;
    }

    Triplets A_, B_, C_;
    std::vector<double> lower_, upper_;
};

// M = A' W B + C and q = A' q of a form, r in units of `force` and w in units of `speed`: r = B z.
struct ComplementarityRows {
    Matrix M;
    Eigen::VectorXd q;
    Matrix::Sparse B;

    ComplementarityRows(const ComplementarityForm& form, const BlockMatrix& W, const Eigen::VectorXd& free_velocity,
                        double force = 1.0, double speed = 1.0);
};

// The unknowns r_N, mu r_N + r_T, u_T^- of a plane contact whose components begin at `start`.   docs/theory.md (105)
void add_plane_contact(ComplementarityForm& form, Index start, double mu);

// The unknowns of a spatial contact: r_N, the shares of `facets` directions and the speed. `cap` bounds the sum of the
// shares over r_N.
void add_faceted_contact(ComplementarityForm& form, Index start, double cap, int facets);

// The unknowns of a law whose components begin at `start`, bounds in units of `force`. A spatial contact has `facets`
// directions. If it has none, and for rolling friction, nothing is added and the result is false.
bool add_block(ComplementarityForm& form, const Law& law, Index start, double force, int facets = 0);

// Throws InvalidInput, in the name of `who`, if the problem is ill-formed or its contacts have another dimension.
void check_dimension(const FrictionProblem& problem, int dimension, std::string_view who);

}  // namespace saltus
