#pragma once

#include <fmt/format.h>

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <string>
#include <vector>

#include "saltus/io/model/externals.hpp"

namespace saltus {

// Reads numbers, vectors, matrices and texts from a TOML file; numbers may be expressions of the parameters. A mistake
// throws InvalidInput with a message that begins with the file, the line and the key.
class TomlReader {
public:
    // `externals`, if there are any, must outlive the reader; it may grow.
    explicit TomlReader(std::string source, const Externals* externals = nullptr)
        : source_(std::move(source)), externals_(externals) {}

    // The parameters, known to all expressions from then on.
    std::map<std::string, double, std::less<>>& constants() { return constants_; }
    const std::map<std::string, double, std::less<>>& constants() const { return constants_; }

    [[noreturn]] void fail(const toml::node& node, std::string_view key, std::string_view text) const;
    // The beginning of a message about `key`: "FILE:LINE: KEY"; the key alone if the node is not from the file.
    std::string where(const toml::node& node, std::string_view key) const;
    // Refuses keys of `table` that are not listed; `prefix` is the path of the table.
    void check_keys(const toml::table& table, std::string_view prefix, const std::vector<std::string>& known) const;

    const toml::table& table(const toml::node& node, std::string_view key) const;
    double number(const toml::node& node, std::string_view key) const;
    bool truth(const toml::node& node, std::string_view key) const;
    std::string text(const toml::node& node, std::string_view key) const;
    // A single entry stands for a list of one.
    Eigen::VectorXd vector(const toml::node& node, std::string_view key) const;
    std::vector<std::string> texts(const toml::node& node, std::string_view key) const;
    // What { external = k } stands for, if the node has this form and this kind; else null.
    template <class External>
    const External* external(const toml::node& node) const {
        const toml::table* table = node.as_table();
        if (!externals_ || !table || !table->contains("external")) return nullptr;
        const auto k = table->get("external")->value<std::size_t>();
        return k && *k < externals_->size() ? std::get_if<External>(&(*externals_)[*k]) : nullptr;
    }
    // Rows of equal length.
    Matrix matrix(const toml::node& node, std::string_view key) const;

private:
    std::string source_;
    const Externals* externals_;
    std::map<std::string, double, std::less<>> constants_;
};

}  // namespace saltus
