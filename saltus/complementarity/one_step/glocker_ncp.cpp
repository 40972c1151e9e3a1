#include "saltus/complementarity/one_step/glocker_ncp.hpp"

#include <memory>
#include <numbers>

#include "saltus/complementarity/one_step/complementarity_form.hpp"

namespace saltus {

namespace {

// Glocker's problem (106): an affine part, and for each contact the products of kappa and r_T and the square of r.
class GlockerProblem {
public:
    explicit GlockerProblem(const FrictionProblem& problem) : mu_(problem.mu) {
        ComplementarityForm form;
        for (Index i = 0; i < problem.contacts(); ++i) add_contact(form, 3 * i, problem.mu[i]);
        const ComplementarityRows rows(form, problem.W, problem.q);
        affine_ = rows.M.to_sparse();
        q_ = rows.q;
        B_ = rows.B;
    }

    const Matrix::Sparse& B() const { return B_; }
    Index size() const { return q_.size(); }

    void value(const Eigen::VectorXd& z, Eigen::VectorXd& F) const {
        F = affine_ * z + q_;
        for (Index i = 0; i < mu_.size(); ++i) {
            const auto contact = z.segment<5>(5 * i);
            const Eigen::Vector2d tangent = tangent_part(i) * contact.head<3>();
            F.segment<2>(5 * i + 1) += contact[4] * inverse().transpose() * tangent;
            F[5 * i + 4] = 0.5 * (mu_[i] * mu_[i] * contact[0] * contact[0] - tangent.squaredNorm());
        }
    }

    void jacobian(const Eigen::VectorXd& z, Matrix& J) const {
        std::vector<Eigen::Triplet<double>> entries;
        for (Index i = 0; i < mu_.size(); ++i) {
            const auto contact = z.segment<5>(5 * i);
            const Eigen::Matrix<double, 2, 3> T = tangent_part(i);
            const Eigen::Vector2d tangent = T * contact.head<3>();
            Eigen::Matrix<double, 5, 5> block = Eigen::Matrix<double, 5, 5>::Zero();
            block.block<2, 3>(1, 0) = contact[4] * inverse().transpose() * T;
            block.block<2, 1>(1, 4) = inverse().transpose() * tangent;
            block.block<1, 3>(4, 0) = -tangent.transpose() * T;
            block(4, 0) += mu_[i] * mu_[i] * contact[0];
            for (int row = 0; row < 5; ++row)
                for (int col = 0; col < 5; ++col)
                    entries.emplace_back(static_cast<int>(5 * i) + row, static_cast<int>(5 * i) + col, block(row, col));
        }
        Matrix::Sparse variable(size(), size());
        variable.setFromTriplets(entries.begin(), entries.end());
        J = Matrix::Sparse(affine_ + variable);
    }

private:
    // r_T = T (r_N, sigma_1, sigma_2): E r_T = (sigma_1, sigma_2) - mu r_N (1, 1), E with the rows e_1, e_2.
    Eigen::Matrix<double, 2, 3> tangent_part(Index contact) const { return tangent_part(mu_[contact]); }
    static Eigen::Matrix<double, 2, 3> tangent_part(double mu) {
        Eigen::Matrix<double, 2, 3> T;
        T << -mu * inverse().rowwise().sum(), inverse();
        return T;
    }

    static void add_contact(ComplementarityForm& form, Index start, double mu) {
        const Eigen::Matrix<double, 2, 3> T = tangent_part(mu);
        const int first = form.add_unknown();
        for (int k = 1; k < 5; ++k) form.add_unknown();
        form.add_to_r(start, first, 1.0);
        form.add_velocity(first, start, 1.0);
        for (int c = 0; c < 2; ++c) {
            for (int k = 0; k < 3; ++k) form.add_to_r(start + 1 + c, first + k, T(c, k));
            // kappa_1, kappa_2 = E'^-1 (u_T + kappa r_T) + kappa_3 (1, 1), as e_3 = -e_1 - e_2.
            for (int k = 0; k < 2; ++k) form.add_velocity(first + 1 + k, start + 1 + c, inverse()(c, k));
            form.add_unknown_to_row(first + 1 + c, first + 3, 1.0);
            // sigma_3 = 3 mu r_N - sigma_1 - sigma_2, as the e_i add up to zero.
            form.add_unknown_to_row(first + 3, first + 1 + c, -1.0);
        }
        form.add_unknown_to_row(first + 3, first, 3.0 * mu);
    }

    // E^-1 for e_1 = (1, 0), e_2 = (-1, sqrt 3) / 2.
    static Eigen::Matrix2d inverse() {
        return Eigen::Matrix2d{{1.0, 0.0}, {1.0 / std::numbers::sqrt3, 2.0 / std::numbers::sqrt3}};
    }

    Eigen::VectorXd mu_, q_;
    Matrix::Sparse affine_, B_;
};

}  // namespace

Converted<Ncp> to_ncp(const FrictionProblem& problem) {
    check_dimension(problem, 3, "to_ncp");
    const auto glocker = std::make_shared<const GlockerProblem>(problem);
    return {{glocker->size(), [glocker](const Eigen::VectorXd& z, Eigen::VectorXd& F) { glocker->value(z, F); },
             [glocker](const Eigen::VectorXd& z, Matrix& J) { glocker->jacobian(z, J); }},
            Matrix(glocker->B()),
            Eigen::VectorXd::Zero(problem.q.size())};
}

}  // namespace saltus
