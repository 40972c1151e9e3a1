#include "saltus/model/function.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

Function::Function(Index inputs, Index outputs)
    : inputs_(inputs), outputs_(outputs), variation_(Variation::continuous) {
    require(inputs >= 0 && outputs >= 0, "Function: {} inputs and {} outputs; neither may be negative", inputs,
            outputs);
}

Function::Function(Expressions expressions)
    : inputs_(expressions.inputs()),
      outputs_(expressions.outputs()),
      variation_(expressions.variation()),
      expressions_(std::make_shared<const Expressions>(std::move(expressions))),
      scratch_(expressions_->scratch_size()) {}

Function Function::with_jacobian(Index inputs, Index outputs, ValueCallable value, JacobianCallable jacobian,
                                 Variation variation) {
    require(static_cast<bool>(value), "Function: the value is an empty callable; give one that computes F");
    require(static_cast<bool>(jacobian),
            "Function: the Jacobian is an empty callable; give one, or use Function::from, which finds it");
    Function result(inputs, outputs);
    result.value_ = std::move(value);
    result.jacobian_ = std::move(jacobian);
    result.variation_ = variation;
    return result;
}

Function Function::constant(Index inputs, Eigen::VectorXd value) {
    const Index outputs = value.size();
    return with_jacobian(
        inputs, outputs, [value = std::move(value)](const In&, Out& out) { out = value; }, [](const In&, OutMatrix&) {},
        Variation::constant);
}

void Function::value(const double* in, double* out) const {
    if (expressions_) return expressions_->evaluate(in, out, scratch_.data());
    if (!value_) return;
    Out result(out, outputs_);
    result.setConstant(std::numeric_limits<double>::quiet_NaN());
    value_(In(in, inputs_), result);
}

void Function::jacobian(const double* in, double* jacobian) const {
    if (expressions_) return expressions_->jacobian(in, nullptr, jacobian, scratch_.data());
    if (!jacobian_) return;
    OutMatrix result(jacobian, outputs_, inputs_);
    result.setZero();
    jacobian_(In(in, inputs_), result);
}

std::optional<Eigen::MatrixXd> Function::affine_coefficients(Index first, Index count) const {
    if (expressions_) return expressions_->affine_coefficients(first, count);
    require(first >= 0 && count >= 0 && first <= inputs_ && count <= inputs_ - first,
            "Function: {} inputs from number {} on are asked for; there are {} in total", count, first, inputs_);
    if (count == 0) return Eigen::MatrixXd(outputs_, 0);
    return std::nullopt;
}

}  // namespace saltus
