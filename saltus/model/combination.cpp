#include "saltus/model/combination.hpp"

#include <algorithm>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

Matrix::Sparse identity(Index n) {
    Matrix::Sparse result(n, n);
    result.setIdentity();
    return result;
}

// Fills what was left empty, and checks the sizes.
void complete(FunctionTerm& term, Index outputs, Index inputs) {
    if (term.L.size() == 0) term.L = identity(outputs);
    if (term.J.size() == 0) term.J = identity(inputs);
    if (term.j.size() == 0) term.j = Eigen::VectorXd::Zero(term.J.rows());
    require(
        term.L.rows() == outputs && term.L.cols() == term.F.outputs() && term.J.rows() == term.F.inputs() &&
            term.J.cols() == inputs && term.j.size() == term.J.rows(),
        "combination: L is {} x {}, F takes {} numbers and returns {}, J is {} x {}, j has {}; the sum takes {} and "
        "returns {}",
        term.L.rows(), term.L.cols(), term.F.inputs(), term.F.outputs(), term.J.rows(), term.J.cols(), term.j.size(),
        inputs, outputs);
}

}  // namespace

Function combination(const Matrix::Sparse& linear, const Eigen::VectorXd& constant, std::vector<FunctionTerm> terms) {
    const Index outputs = linear.rows(), inputs = linear.cols();
    require(constant.size() == outputs, "combination: the constant has {} entries, the linear part {} rows",
            constant.size(), outputs);
    std::erase_if(terms, [](const FunctionTerm& term) { return term.F.is_empty(); });
    if (terms.empty() && linear.nonZeros() == 0 && constant.isZero(0.0)) return {};
    for (FunctionTerm& term : terms) complete(term, outputs, inputs);
    return Function::with_jacobian(
        inputs, outputs,
        [=, argument = Eigen::VectorXd(), value = Eigen::VectorXd()](const Function::In& z,
                                                                     Function::Out& out) mutable {
            out = constant;
            out.noalias() += linear * z;
            for (const FunctionTerm& term : terms) {
                argument = term.j;
                argument.noalias() += term.J * z;
                value.resize(term.F.outputs());
                term.F.value(argument.data(), value.data());
                out.noalias() += term.L * value;
            }
        },
        [=, argument = Eigen::VectorXd(), inner = Eigen::MatrixXd()](const Function::In& z,
                                                                     Function::OutMatrix& jacobian) mutable {
            jacobian = linear;
            for (const FunctionTerm& term : terms) {
                argument = term.j;
                argument.noalias() += term.J * z;
                inner.resize(term.F.outputs(), term.F.inputs());
                term.F.jacobian(argument.data(), inner.data());
                const Eigen::MatrixXd left = term.L * inner;
                jacobian += left * term.J;
            }
        });
}

Matrix::Sparse placing(Index rows, const IndexList& places) {
    Matrix::Sparse result(rows, std::ssize(places));
    for (Index k = 0; k < std::ssize(places); ++k) result.insert(places[static_cast<std::size_t>(k)], k) = 1.0;
    result.makeCompressed();
    return result;
}

}  // namespace saltus
