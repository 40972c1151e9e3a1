#include "saltus/model/model_checks.hpp"

#include <algorithm>

namespace saltus {

void check_matrix(const std::string& who, std::string_view what, const Matrix& matrix, Index rows, Index cols) {
    if (is_absent(matrix)) return;
    require(matrix.rows() == rows && matrix.cols() == cols, "{}: {} is {} x {}, it must be {} x {}", who, what,
            matrix.rows(), matrix.cols(), rows, cols);
    const auto place = matrix.find_non_finite();
    require(!place, "{}: {}({}, {}) is {}; give a number", who, what, place ? place->first : 0,
            place ? place->second : 0, place ? matrix(place->first, place->second) : 0.0);
}

void check_function(const std::string& who, std::string_view what, const Function& function, std::string_view arguments,
                    Index inputs, Index outputs) {
    if (function.is_empty()) return;
    require(function.inputs() == inputs && function.outputs() == outputs,
            "{}: {} takes {} numbers and returns {}; it must take {} ({}) and return {}", who, what, function.inputs(),
            function.outputs(), inputs, arguments, outputs);
}

void check_finite(const std::string& who, std::string_view what, const Eigen::VectorXd& v) {
    for (Index i = 0; i < v.size(); ++i)
        require(std::isfinite(v[i]), "{}: {}[{}] is {}; give a number", who, what, i, v[i]);
}

void check_systems(const std::string& who, const std::vector<Index>& systems, Index count) {
    require(!systems.empty(), "{}: it acts on no system; name at least one", who);
    for (auto system = systems.begin(); system != systems.end(); ++system) {
        require(0 <= *system && *system < count, "{}: there is no system number {}, the model has {}", who, *system,
                count);
        require(std::find(systems.begin(), system, *system) == system, "{}: names system number {} twice", who,
                *system);
    }
}

}  // namespace saltus
