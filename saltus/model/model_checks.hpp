#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "saltus/core/check.hpp"
#include "saltus/core/matrix.hpp"
#include "saltus/model/function.hpp"

namespace saltus {

// Whether a model leaves it out.
inline bool is_absent(const Matrix& matrix) { return matrix.rows() == 0 && matrix.cols() == 0; }

// Each throws InvalidInput; `who` names the owner: "system 'tank'".
void check_matrix(const std::string& who, std::string_view what, const Matrix& matrix, Index rows, Index cols);
void check_function(const std::string& who, std::string_view what, const Function& function, std::string_view arguments,
                    Index inputs, Index outputs);
void check_finite(const std::string& who, std::string_view what, const Eigen::VectorXd& v);
// The systems that an interaction names, in a model with `count` systems.
void check_systems(const std::string& who, const std::vector<Index>& systems, Index count);

void check_names(const auto& items, std::string_view kind) {
    std::unordered_set<std::string_view> names;
    for (const auto& item : items)
        require(names.insert(item.name).second, "two {} have the name '{}'; give each its own", kind, item.name);
}

}  // namespace saltus
