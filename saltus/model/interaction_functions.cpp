#include "saltus/model/interaction_functions.hpp"

#include "saltus/model/model_checks.hpp"

namespace saltus {

InteractionFunctions::InteractionFunctions(const LagrangianModel& model, const IndexList& starts,
                                           const LagrangianInteraction& interaction)
    : interaction_(interaction), positions_(interaction.positions()) {
    gather_all(model, starts);
    const Index n = std::ssize(coordinates_), m = interaction_.rows(n);
    y_ = rate_ = Eigen::VectorXd::Zero(m);
    G_ = is_absent(interaction_.G) ? Eigen::MatrixXd::Zero(positions_, n) : Eigen::MatrixXd();
    if (!is_absent(interaction_.G) && interaction_.is_linear()) {
        keep_nonzero_columns();
    } else if (!is_absent(interaction_.G)) {
        G_ = interaction_.G.to_dense();
    }
    J_ = Eigen::MatrixXd::Zero(m, std::ssize(coordinates_));
    if (positions_ <= m) J_.topRows(positions_) = G_;
    e_ = e_rate_ = Eigen::VectorXd::Zero(positions_);
    if (!interaction_.e.is_empty()) interaction_.e.value(&model.t0, e_.data());
    has_constant_offset_ = interaction_.e.is_empty() || interaction_.e.variation() == Variation::constant;
    repeat_first_row();
    if (!is_absent(interaction_.B)) B_ = interaction_.B.to_dense();
}

void InteractionFunctions::gather_all(const LagrangianModel& model, const IndexList& starts) {
    for (const Index s : interaction_.systems) {
        const Index start = starts[static_cast<std::size_t>(s)],
                    size = model.systems[static_cast<std::size_t>(s)].size();
        for (Index i = 0; i < size; ++i) coordinates_.push_back(start + i);
        counts_.push_back(size);
    }
}

// A contact of a large system touches few of its coordinates.
void InteractionFunctions::keep_nonzero_columns() {
    const Matrix::Sparse G = interaction_.G.to_sparse();
    IndexList kept, columns, counts;
    for (Index first = 0, s = 0; s < std::ssize(counts_); first += counts_[static_cast<std::size_t>(s)], ++s) {
        counts.push_back(0);
        for (Index j = first; j < first + counts_[static_cast<std::size_t>(s)]; ++j)
            if (G.outerIndexPtr()[j + 1] > G.outerIndexPtr()[j]) {
                columns.push_back(j);
                kept.push_back(coordinates_[static_cast<std::size_t>(j)]);
                ++counts.back();
            }
    }
    G_ = Eigen::MatrixXd::Zero(G.rows(), std::ssize(columns));
    for (std::size_t k = 0; k < columns.size(); ++k) G_.col(static_cast<Index>(k)) = G.col(columns[k]);
    coordinates_ = std::move(kept);
    counts_ = std::move(counts);
    interaction_.G = Matrix(G_);
}

void InteractionFunctions::evaluate_linear(double t, const Eigen::VectorXd& q) {
    if (!has_constant_offset_ && t != t_of_e_) {  // the end of a step is the beginning of the next
        t_of_e_ = t;
        interaction_.e.value(&t, e_.data());
        interaction_.e.jacobian(&t, e_rate_.data());
        rate_.head(positions_) = e_rate_;
    }
    for (Index i = 0; i < positions_; ++i) {
        double sum = e_[i];
        for (Index j = 0; j < G_.cols(); ++j) sum += G_(i, j) * q[coordinates_[static_cast<std::size_t>(j)]];
        y_[i] = sum;
    }
}

void InteractionFunctions::add_nonlinear(double t, const Eigen::VectorXd& q, const double* lambda) {
    const Index n = std::ssize(coordinates_), m = rows();
    arguments_.resize(n + m + 1);
    value_.resize(positions_);
    jacobian_.resize(positions_, n + m + 1);
    for (Index j = 0; j < n; ++j) arguments_[j] = q[coordinates_[static_cast<std::size_t>(j)]];
    for (Index i = 0; i < m; ++i) arguments_[n + i] = lambda ? lambda[i] : 0.0;
    arguments_[n + m] = t;
    interaction_.g.value(arguments_.data(), value_.data());
    interaction_.g.jacobian(arguments_.data(), jacobian_.data());
    y_.head(positions_) += value_;
    J_.topRows(positions_) = G_ + jacobian_.leftCols(n);
    rate_.head(positions_) = e_rate_ + jacobian_.col(n + m);
    compliance_.resize(0, 0);
    if (std::holds_alternative<SpringLaw>(interaction_.law) && positions_ == m)
        compliance_ = jacobian_.middleCols(n, m);
}

void InteractionFunctions::evaluate_directions(double t, const Eigen::VectorXd& q) {
    const Index n = std::ssize(coordinates_);
    arguments_.resize(n + 1);
    for (Index j = 0; j < n; ++j) arguments_[j] = q[coordinates_[static_cast<std::size_t>(j)]];
    arguments_[n] = t;
    jacobian_.resize(rows() - positions_, n);
    interaction_.tangents.value(arguments_.data(), jacobian_.data());
    J_.bottomRows(rows() - positions_) = jacobian_;
}

void InteractionFunctions::repeat_first_row() {
    for (Index i = 1; positions_ == 1 && interaction_.tangents.is_empty() && i < rows(); ++i) {
        y_[i] = y_[0];
        rate_[i] = rate_[0];
        J_.row(i) = J_.row(0);
    }
}

void InteractionFunctions::evaluate(double t, const Eigen::VectorXd& q, const double* lambda) {
    evaluate_linear(t, q);
    if (!interaction_.g.is_empty()) add_nonlinear(t, q, lambda);
    if (!interaction_.tangents.is_empty()) evaluate_directions(t, q);
    if (rows() > positions_) repeat_first_row();
}

void InteractionFunctions::evaluate_relay(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double scale) {
    const Index n = std::ssize(coordinates_), m = rows();
    arguments_.resize(2 * n + 1);
    jacobian_.resize(m, 2 * n + 1);
    for (Index j = 0; j < n; ++j) {
        arguments_[j] = q[coordinates_[static_cast<std::size_t>(j)]];
        arguments_[n + j] = v[coordinates_[static_cast<std::size_t>(j)]];
    }
    arguments_[2 * n] = t;
    interaction_.h.value(arguments_.data(), y_.data());
    interaction_.h.jacobian(arguments_.data(), jacobian_.data());
    J_ = jacobian_.middleCols(n, n) + scale * jacobian_.leftCols(n);
    if (is_absent(interaction_.B)) B_ = jacobian_.middleCols(n, n).transpose();
}

void InteractionFunctions::velocity(const Eigen::VectorXd& v, double* u) const {
    for (Index i = 0; i < rows(); ++i) {
        double sum = rate_[i];
        for (Index j = 0; j < J_.cols(); ++j) sum += J_(i, j) * v[coordinates_[static_cast<std::size_t>(j)]];
        u[i] = sum;
    }
}

}  // namespace saltus
