#pragma once

#include <Eigen/Core>
#include <limits>
#include <unsupported/Eigen/AutoDiff>
#include <utility>

#include "saltus/model/function.hpp"

namespace saltus {

// value + derivative epsilon, epsilon^2 = 0.
using DualNumber = Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, 1>>;

template <class Callable>
Function Function::from(Index inputs, Index outputs, Callable callable) {
    using Dual = DualNumber;
    using DualVector = Eigen::Matrix<Dual, Eigen::Dynamic, 1>;
    Function result(inputs, outputs);
    result.value_ = [callable](const In& in, Out& out) { callable(in, out); };
    result.jacobian_ = [callable, x = DualVector(inputs), y = DualVector(outputs)](const In& in,
                                                                                   OutMatrix& jacobian) mutable {
        const Dual missing(std::numeric_limits<double>::quiet_NaN(),
                           Dual::DerType::Constant(std::numeric_limits<double>::quiet_NaN()));
        for (Index j = 0; j < x.size(); ++j) x[j] = Dual(in[j]);
        for (Index j = 0; j < x.size(); ++j) {
            x[j].derivatives()[0] = 1.0;
            y.fill(missing);
            callable(std::as_const(x), y);
            for (Index i = 0; i < y.size(); ++i) jacobian(i, j) = y[i].derivatives()[0];
            x[j].derivatives()[0] = 0.0;
        }
    };
    return result;
}

}  // namespace saltus
