#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "saltus/model/expression.hpp"

namespace saltus {

// y = F(arguments) and its Jacobian, as a model stores it: from texts, or from C++.
//
// Threads: an evaluation writes to memory of the object, so two threads must not evaluate the same Function at the same
// time. Give each thread a copy: copies share what is constant and nothing else.
class Function {
public:
    // What callables are given. F comes as NaN, so that a missing entry is noticed; the Jacobian, outputs x inputs,
    // comes as zero, so that only nonzero entries need be written.
    using In = Eigen::Map<const Eigen::VectorXd>;
    using Out = Eigen::Map<Eigen::VectorXd>;
    using OutMatrix = Eigen::Map<Eigen::MatrixXd>;
    using ValueCallable = std::function<void(const In& in, Out& out)>;
    using JacobianCallable = std::function<void(const In& in, OutMatrix& jacobian)>;

    // No inputs, no outputs.
    Function() = default;
    Function(Expressions expressions);

    // From a pure function that is written for any scalar type,
    //     Function::from(2, 1, [](const auto& in, auto& out) { out[0] = sin(in[0]) * in[1]; }),
    // called with vectors of double, and of DualNumber for the exact Jacobian, one column per call. Include
    // saltus/model/function_from.hpp, which defines it. Call sin(x), not std::sin(x), after `using std::sin;` where x
    // may be a double; give intermediate results the type std::decay_t<decltype(out[0])>, since `auto` would keep an
    // unevaluated expression of Eigen's.
    template <class Callable>
    static Function from(Index inputs, Index outputs, Callable callable);

    // With a hand-written Jacobian.
    static Function with_jacobian(Index inputs, Index outputs, ValueCallable value, JacobianCallable jacobian,
                                  Variation variation = Variation::continuous);

    // The same value for all inputs.
    static Function constant(Index inputs, Eigen::VectorXd value);

    Index inputs() const { return inputs_; }
    Index outputs() const { return outputs_; }

    // No outputs: absent from the model.
    bool is_empty() const { return outputs_ == 0; }

    // out <- F(in), jacobian[i + outputs() j] <- dF_i / din_j, the layout of Eigen::MatrixXd(outputs(), inputs()). Both
    // may be NaN or infinite; the caller decides what that means. They allocate nothing, unless a callable does.
    void value(const double* in, double* out) const;
    void jacobian(const double* in, double* jacobian) const;

    // As Expressions::affine_coefficients; nothing is known about a callable, unless count is 0.
    std::optional<Eigen::MatrixXd> affine_coefficients(Index first, Index count) const;

    // As its operations show, or as was said when it was made; a callable counts as continuous.
    Variation variation() const { return variation_; }

    // The expressions, null for a callable.
    const Expressions* expressions() const { return expressions_.get(); }

private:
    Function(Index inputs, Index outputs);

    Index inputs_ = 0, outputs_ = 0;
    Variation variation_ = Variation::constant;
    std::shared_ptr<const Expressions> expressions_;
    mutable Eigen::VectorXd scratch_;  // of the expressions
    ValueCallable value_;              // callables hold their own
    JacobianCallable jacobian_;
};

}  // namespace saltus
