#pragma once

#include "saltus/io/model/model_tables.hpp"
#include "saltus/io/model/scene.hpp"

namespace saltus {

// A shape as a table [view.bodies.NAME] gives it.
struct ShapeEntries {
    Shape shape{};
    std::vector<std::string> keys{};  // the keys of the table that belong to this shape
    bool is_stretched = false;        // goes from one point to another
};

// Reads the keys of the shape; other keys are left to the caller. `prefix` is the path of the table. Throws
// InvalidInput, "FILE:LINE: KEY: what is wrong, and what to write".
ShapeEntries read_shape(const ModelTables& tables, const toml::table& table, const std::string& prefix);

// A column with this side view, its corners (x, z) in order, and this depth along y; none if the outline crosses itself
// or has no area. The triangles of the sides are found by ear clipping.
std::optional<TriangleMesh> prism_of(const Eigen::MatrixXd& outline, double depth);

// A key that a table must have: throws InvalidInput, "KEY: is missing; REMEDY", if it does not.
const toml::node& required_entry(const TomlReader& reader, const toml::table& table, const std::string& prefix,
                                 const char* key, std::string_view remedy);

}  // namespace saltus
