#include "saltus/integrators/lagrangian/step_block.hpp"

#include "saltus/core/block_matrix.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

struct LawsOf {
    Index rows;
    double h;

    std::vector<Law> operator()(const ContactLaw& law) const {
        switch (rows) {
            case 1:
                return {Interval{}};
            case 2:
                return {Coulomb2D{{law.friction}}};
            case 3:
                return {Coulomb3D{{law.friction}}};
            default:
                return {RollingFriction{{law.friction, law.rolling}}};
        }
    }
    std::vector<Law> operator()(const JointLaw&) const {
        if (rows <= BlockMatrix::largest_block) return {Equality{static_cast<int>(rows)}};
        return std::vector<Law>(static_cast<std::size_t>(rows), Interval{-infinity, infinity});
    }
    std::vector<Law> operator()(const SpringLaw& law) const {
        std::vector<Law> result;
        for (Index i = 0; i < rows; ++i) {
            const SpringLaw::Piece& piece = law.pieces[law.pieces.size() == 1 ? 0 : static_cast<std::size_t>(i)];
            result.push_back(Interval{0.0, h * piece.most});
        }
        return result;
    }
    std::vector<Law> operator()(const RelayLaw& law) const {
        std::vector<Law> result;
        for (Index i = 0; i < rows; ++i) {
            const Interval& bounds = law.bounds[law.bounds.size() == 1 ? 0 : static_cast<std::size_t>(i)];
            result.push_back(Interval{h * bounds.lower, h * bounds.upper});
        }
        return result;
    }
};

}  // namespace

StepBlock make_block(const LagrangianModel& model, const IndexList& starts, Index interaction, Index start, double h) {
    const LagrangianInteraction& data = model.interactions[static_cast<std::size_t>(interaction)];
    StepBlock block{.functions = InteractionFunctions(model, starts, data), .start = start};
    block.laws = std::visit(LawsOf{block.rows(), h}, data.law);
    block.offset = Eigen::VectorXd::Zero(block.rows());
    Index at = 0;
    for (const Index s : data.systems) {
        block.starts_in_X.push_back(at);
        at += model.systems[static_cast<std::size_t>(s)].size();
    }
    block.X = Eigen::MatrixXd::Zero(at, block.rows());
    block.count = block.rows();
    block.J = block.functions.J();
    block.B = block.J.transpose();
    return block;
}

void spread_B(StepBlock& block, const IndexList& system_starts) {
    block.X.setZero();
    Index column = 0;
    for (std::size_t s = 0; s < block.starts_in_X.size(); ++s) {
        const auto system = static_cast<std::size_t>(block.interaction().systems[s]);
        const Index shift = block.starts_in_X[s] - system_starts[system];
        for (Index c = 0; c < block.functions.coordinates_of_systems()[s]; ++c, ++column)
            block.X.row(block.functions.coordinates()[static_cast<std::size_t>(column)] + shift) =
                block.B.row(column).head(block.count);
    }
}

void StepBlock::add_to(Eigen::VectorXd& v, const IndexList& system_starts, const double* P) const {
    for (std::size_t s = 0; s < starts_in_X.size(); ++s) {
        const auto system = static_cast<std::size_t>(interaction().systems[s]);
        const Index size = system_starts[system + 1] - system_starts[system];
        for (Index j = 0; j < count; ++j)
            v.segment(system_starts[system], size) += P[j] * X.col(j).segment(starts_in_X[s], size);
    }
}

// w = u+ + e u-, e the restitution of the row.
void fill_contact(StepBlock& block, const double* u) {
    const ContactLaw& law = *block.contact();
    const bool is_newton = law.impact == ContactLaw::Impact::newton;
    if (!block.functions.is_constant()) {
        block.J = block.functions.J();
        block.B = block.J.transpose();
    }
    block.offset = block.functions.rate();
    for (Index i = 0; is_newton && i < block.rows(); ++i)
        block.offset[i] += (i == 0 ? law.restitution : law.tangential_restitution) * u[i];
}

void fill_joint(StepBlock& block) {
    if (!block.functions.is_constant()) {
        block.J = block.functions.J();
        block.B = block.J.transpose();
    }
    block.offset = block.functions.rate();
}

// y+ / h = J (v+ - v) + y / h for the gap of a contact and the constraints of a joint, u+ for the other rows.
void fill_position(StepBlock& block, double h, const Eigen::VectorXd& v) {
    fill_joint(block);
    const Index positions = block.contact() ? 1 : block.interaction().positions();
    for (Index i = 0; i < positions; ++i) {
        block.offset[i] = block.functions.y()[i] / h;
        for (Index j = 0; j < block.J.cols(); ++j)
            block.offset[i] -= block.J(i, j) * v[block.functions.coordinates()[static_cast<std::size_t>(j)]];
    }
}

// y at t_k + s h, s the spring_point, is linearised in v and lambda = P / h,
//     y + G s theta h (v+ - v) + dy/dlambda (P+ - P) / h + P+ / (h k) + d/k (s u+ + (1 - s) u_k),
// and divided by s (theta h + d / k), so that J = G.
void fill_spring(StepBlock& block, const StepSize& size, const Eigen::VectorXd& v, const double* u, const double* P) {
    const SpringLaw& law = std::get<SpringLaw>(block.interaction().law);
    const InteractionFunctions& functions = block.functions;
    const double h = size.h, theta = size.theta, point = block.spring_point;
    block.J = functions.J();
    block.B = block.J.transpose();
    block.D = Eigen::MatrixXd::Zero(block.rows(), block.rows());
    for (Index i = 0; i < block.rows(); ++i) {
        const SpringLaw::Piece& piece = law.pieces[law.pieces.size() == 1 ? 0 : static_cast<std::size_t>(i)];
        const double softness = std::isfinite(piece.stiffness) ? 1.0 / piece.stiffness : 0.0;
        const double lag = law.damping * softness;  // d / k
        const double scale = point * (theta * h + lag);
        double y = functions.y()[i] + piece.start + lag * (point * functions.rate()[i] + (1.0 - point) * u[i]);
        for (Index j = 0; j < block.J.cols(); ++j)
            y -= point * theta * h * block.J(i, j) * v[functions.coordinates()[static_cast<std::size_t>(j)]];
        block.D(i, i) = softness / h;
        if (functions.compliance().rows() > 0) {
            block.D.row(i) += functions.compliance().row(i) / h;
            for (Index j = 0; j < block.rows(); ++j) y -= functions.compliance()(i, j) * P[j] / h;
        }
        block.D.row(i) /= scale;
        block.offset[i] = y / scale;
    }
}

void fill_relay(StepBlock& block, const Eigen::VectorXd& v) {
    const InteractionFunctions& functions = block.functions;
    block.J = functions.J();
    block.B = functions.B();
    block.offset = functions.y();
    for (Index j = 0; j < block.J.cols(); ++j)
        block.offset -= block.J.col(j) * v[functions.coordinates()[static_cast<std::size_t>(j)]];
}

}  // namespace saltus
