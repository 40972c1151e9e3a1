#include "python/bindings/document.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <fstream>
#include <sstream>

#include "python/bindings/arguments.hpp"
#include "saltus/core/check.hpp"
#include "saltus/io/model/scene_tables.hpp"
#include "saltus/io/model/simulation_table.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus::python {

namespace {

// Adds an entry to a table, or to a list.
void insert(toml::table& into, const std::string& key, auto&& value) { into.insert_or_assign(key, value); }
void insert(toml::array& into, const std::string&, auto&& value) { into.push_back(value); }

void insert_value(auto& into, const std::string& name, const py::handle& value, const std::string& key,
                  Integers integers = Integers::become_numbers) {
    if (py::isinstance<py::bool_>(value)) return insert(into, name, value.cast<bool>());
    if (integers == Integers::kept && py::isinstance<py::int_>(value))
        return insert(into, name, value.cast<std::int64_t>());
    if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value))
        return insert(into, name, value.cast<double>());
    if (py::isinstance<py::str>(value)) return insert(into, name, value.cast<std::string>());
    if (py::isinstance<Document::External>(value))
        return insert(into, name, toml::table{{"external", value.cast<Document::External>().index}});
    if (py::isinstance<py::dict>(value)) return insert(into, name, to_table(value.cast<py::dict>(), key, integers));
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
        toml::array list;
        for (const py::handle entry : value)
            insert_value(list, name, entry, fmt::format("{}[{}]", key, list.size()), integers);
        return insert(into, name, std::move(list));
    }
    throw py::type_error(fmt::format("{}: is {}; give a number, a text or a list of them", key,
                                     std::string(py::str(py::type::of(value).attr("__name__")))));
}

py::object to_object(const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
        py::dict result;
        for (const auto& [key, value] : *table) result[py::str(key.data(), key.length())] = to_object(value);
        return result;
    }
    if (const toml::array* array = node.as_array()) {
        py::list result;
        for (const toml::node& value : *array) result.append(to_object(value));
        return result;
    }
    if (const auto* text = node.as_string()) return py::str(text->get());
    if (const auto* truth = node.as_boolean()) return py::bool_(truth->get());
    if (const auto* integer = node.as_integer()) return py::int_(integer->get());
    if (const auto* number = node.as_floating_point()) return py::float_(number->get());
    throw py::type_error("a model with dates cannot be pickled");
}

toml::array rows_of(const Matrix& matrix) {
    toml::array rows;
    for (Index i = 0; i < matrix.rows(); ++i) {
        toml::array row;
        for (Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
        rows.push_back(std::move(row));
    }
    return rows;
}

// The tables that say how a model is drawn, and do not enter the equations.
constexpr std::string_view view_prefix = "view.";
bool is_drawing(const std::string& kind) { return kind.starts_with(view_prefix); }

// [KIND.NAME] as a file has it, also where the kind is view.bodies.
toml::table nested(const std::string& kind, const std::string& name, toml::table entries) {
    const std::string last = is_drawing(kind) ? kind.substr(view_prefix.size()) : kind;
    toml::table inner{{last, toml::table{{name, std::move(entries)}}}};
    return is_drawing(kind) ? toml::table{{"view", std::move(inner)}} : inner;
}

toml::table of_value(const toml::node& node) {
    toml::table result;
    node.visit([&](const auto& value) { result.insert("value", value); });
    return result;
}

}  // namespace

toml::table to_table(const py::dict& entries, const std::string& key, Integers integers) {
    toml::table result;
    for (const auto& [name, value] : entries) {
        if (!py::isinstance<py::str>(name)) throw py::type_error(fmt::format("{}: a name is not a text", key));
        const auto text = name.cast<std::string>();
        insert_value(result, text, value, fmt::format("{}.{}", key, text), integers);
    }
    return result;
}

Document::Document(const std::string& name) : name_(name), builder_(make_builder({})) {}

std::unique_ptr<Document> Document::read(const std::string& path) {
    const ModelFile file = read_model_file(path);  // shows mistakes, with their lines
    auto document = std::make_unique<Document>(file.name());
    document->description_ = file.description;
    const toml::table root = toml::parse(file.text);
    ModelBuilder checked(path);
    checked.add_file(root);
    for (const char* kind : {"parameters", "signals"})
        for_each_piece(root, kind, [&](const std::string& name, const toml::node& node) {
            document->keep(kind, name, of_value(node));
        });
    if (const toml::node* t0 = root.get("t0")) document->keep("t0", "", of_value(*t0));
    for (const std::string& kind : checked.kinds())
        for_each_piece(root, kind, [&](const std::string& name, const toml::node& node) {
            document->keep(kind, name, *node.as_table());
        });
    if (const toml::node* view = root.get("view"))
        for (const char* kind : {"bodies", "contacts"})
            for_each_piece(*view->as_table(), kind, [&](const std::string& name, const toml::node& node) {
                document->keep(std::string(view_prefix) + kind, name, *node.as_table());
            });
    document->simulation_ = *root.get("simulation")->as_table();
    document->rebuild();
    return document;
}

std::unique_ptr<Document> Document::copy() const {
    auto result = std::make_unique<Document>(name_);
    result->description_ = description_;
    result->pieces_ = pieces_;
    result->values_ = values_;
    result->simulation_ = simulation_;
    for (std::size_t k = 0; k < externals_->size(); ++k)
        if (const Matrix* matrix = std::get_if<Matrix>(&(*externals_)[k]))
            result->add_matrix(*matrix);
        else
            result->add_function(*functions_.at(k));
    result->rough_functions_ = rough_functions_;
    result->rebuild();
    return result;
}

py::tuple Document::state() const {
    py::list pieces, externals;
    for (const Piece& piece : pieces_) pieces.append(py::make_tuple(piece.kind, piece.name, to_object(piece.entries)));
    for (std::size_t k = 0; k < externals_->size(); ++k) {
        if (const Matrix* matrix = std::get_if<Matrix>(&(*externals_)[k])) {
            externals.append(to_python(*matrix));
        } else {
            const PythonFunction& f = *functions_.at(k);
            externals.append(py::make_tuple(f.value, f.jacobian, py::cast(f.passed), f.rows, f.cols));
        }
    }
    return py::make_tuple(name_, description_, pieces, py::cast(values_), to_object(simulation_), externals,
                          py::cast(rough_functions_));
}

std::unique_ptr<Document> Document::of_state(const py::tuple& state) {
    auto document = std::make_unique<Document>(state[0].cast<std::string>());
    document->description_ = state[1].cast<std::string>();
    for (const py::handle entry : state[2].cast<py::list>()) {
        const auto [kind, name, entries] = entry.cast<std::tuple<std::string, std::string, py::dict>>();
        document->keep(kind, name, to_table(entries, name, Integers::kept));
    }
    document->values_ = state[3].cast<ParameterValues>();
    document->simulation_ = to_table(state[4], "simulation", Integers::kept);
    for (const py::handle entry : state[5].cast<py::list>()) {
        const auto external = py::reinterpret_borrow<py::object>(entry);
        if (!py::isinstance<py::tuple>(external)) {
            document->add_matrix(to_matrix({"Model", "the pickled state"}, external));
            continue;
        }
        auto [value, jacobian, passed, rows, cols] =
            external.cast<std::tuple<py::object, py::object, std::vector<std::string>, Index, Index>>();
        document->add_function({std::move(value), std::move(jacobian), std::move(passed), rows, cols});
    }
    document->rough_functions_ = state[6].cast<std::vector<std::string>>();
    document->rebuild();
    return document;
}

void Document::set_description(const std::string& text) { description_ = text; }

void Document::set_t0(double t0) {
    Piece piece{"t0", "", toml::table{{value_key, t0}}};
    add_to(*builder_, piece);
    std::erase_if(pieces_, [](const Piece& p) { return p.kind == "t0"; });
    pieces_.insert(pieces_.begin(), std::move(piece));
}

void Document::keep(const std::string& kind, const std::string& name, toml::table entries) {
    pieces_.push_back({kind, name, std::move(entries)});
}

void Document::add_to(ModelBuilder& builder, const Piece& piece) {
    const toml::node* value = piece.entries.get(value_key);
    if (piece.kind == "t0")
        builder.set("t0", *value);
    else if (piece.kind == "parameters")
        builder.add_parameter(piece.name, *value);
    else if (piece.kind == "signals")
        builder.add_signal(piece.name, *value);
    else if (!is_drawing(piece.kind))
        builder.add(piece.kind, piece.name, piece.entries);
}

std::unique_ptr<ModelBuilder> Document::make_builder(const ParameterValues& values) const {
    auto builder = std::make_unique<ModelBuilder>(name_, values, externals_.get());
    for (const Piece& piece : pieces_) add_to(*builder, piece);
    builder->tables().check_values();
    return builder;
}

void Document::rebuild() {
    builder_ = make_builder(values_);
    names_.reset();
}

void Document::add_parameter(const std::string& name, const py::object& value) {
    const auto& known = builder_->tables().reader().constants();
    require(is_identifier(name), "parameters.{}: is not a name; write letters, digits and _, no digit first", name);
    require(!known.contains(name), "parameters.{}: there is a parameter of that name; set it with set()", name);
    toml::table entries;
    insert_value(entries, std::string(value_key), value, "parameters." + name);
    builder_->add_parameter(name, *entries.get(value_key));
    keep("parameters", name, std::move(entries));
}

void Document::set_parameter(const std::string& name, double value) {
    ParameterValues last = values_;
    values_.emplace_back(name, value);
    try {
        rebuild();
    } catch (...) {
        values_ = std::move(last);
        throw;
    }
}

ParameterValues Document::parameters(const ParameterValues& given) const {
    const std::unique_ptr<ModelBuilder> other = given.empty() ? nullptr : make_builder(values(given));
    const auto& constants = (other ? *other : *builder_).tables().reader().constants();
    ParameterValues result;
    for (const Piece& piece : pieces_)
        if (piece.kind == "parameters") result.emplace_back(piece.name, constants.at(piece.name));
    return result;
}

void Document::add_signal(const std::string& name, const std::string& text) {
    require(is_identifier(name), "signals.{}: is not a name; write letters, digits and _, no digit first", name);
    for (const Piece& piece : pieces_)
        require(piece.kind != "signals" || piece.name != name, "signals.{}: the name is taken; give another", name);
    const toml::table entries{{value_key, text}};
    // A mistake must leave no trace.
    const std::unique_ptr<ModelBuilder> trial = make_builder(values_);
    trial->add_signal(name, *entries.get(value_key));
    trial->tables().check_signals();
    builder_->add_signal(name, *entries.get(value_key));
    keep("signals", name, entries);
}

void Document::add_definition(const std::string& name, const std::string& text) {
    const toml::table entries{{value_key, text}};
    builder_->add_signal(name, *entries.get(value_key));
    keep("signals", name, entries);
}

double Document::number(const std::string& key, const toml::node& value, const ParameterValues& given) const {
    const auto read = [&](const ModelBuilder& builder) { return builder.tables().reader().number(value, key); };
    return given.empty() ? read(*builder_) : read(*make_builder(values(given)));
}

Eigen::VectorXd Document::numbers(const std::string& key, const py::list& list) const {
    toml::table entries;
    insert_value(entries, std::string(value_key), list, key);
    return builder_->tables().reader().vector(*entries.get(value_key), key);
}

std::vector<std::pair<std::string, std::map<std::string, Eigen::VectorXd>>> Document::initial_states() const {
    std::vector<std::pair<std::string, std::map<std::string, Eigen::VectorXd>>> result;
    const AnyModel model = build();
    if (const Model* first_order = std::get_if<Model>(&model))
        for (const FirstOrderSystem& system : first_order->systems) result.push_back({system.name, {{"x", system.x0}}});
    else
        for (const LagrangianSystem& system : std::get<LagrangianModel>(model).systems)
            result.push_back({system.name, {{"q", system.q0}, {"v", system.v0}}});
    return result;
}

void Document::add(const std::string& kind, const std::string& name, const py::dict& entries) {
    toml::table table = to_table(entries, fmt::format("{}.{}", kind, name));
    if (is_drawing(kind)) {
        check_drawing(kind, name, table);
        return keep(kind, name, std::move(table));
    }
    names_.reset();
    builder_->add(kind, name, table);
    for (const auto& [key, node] : table) {
        const toml::table* entry = node.as_table();
        const toml::node* index = entry ? entry->get("external") : nullptr;
        if (!index || kind == "systems") continue;
        const auto* function = std::get_if<ExternalFunction>(&(*externals_)[index->value<std::size_t>().value()]);
        if (function && !function->has_jacobian)
            rough_functions_.push_back(fmt::format("{}.{}.{}", kind, name, key.str()));
    }
    keep(kind, name, std::move(table));
}

void Document::check_drawing(const std::string& kind, const std::string& name, const toml::table& table) const {
    for (const Piece& piece : pieces_)
        require(piece.kind != kind || piece.name != name, "{}.{}: the name is taken; give another", kind, name);
    if (!names_) names_ = std::visit([](const auto& model) { return result_names(model, EulerMoreau{}); }, build());
    read_scene(builder_->tables(), *nested(kind, name, table).get("view"), names_->channels, names_->interactions);
}

Document::External Document::add_matrix(Matrix matrix) {
    externals_->emplace_back(std::move(matrix));
    return {std::ssize(*externals_) - 1};
}

Document::External Document::add_function(PythonFunction function) {
    const SharedFunction shared = share(std::move(function));
    functions_[externals_->size()] = shared;
    externals_->emplace_back(to_external(shared));
    return {std::ssize(*externals_) - 1};
}

std::vector<std::pair<std::string, std::string>> Document::pieces() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (const Piece& piece : pieces_)
        if (!piece.name.empty()) result.emplace_back(piece.kind, piece.name);
    return result;
}

ParameterValues Document::values(const ParameterValues& given) const {
    ParameterValues result = values_;
    result.insert(result.end(), given.begin(), given.end());
    return result;
}

TimeStepping Document::options(const toml::table& instead, const ParameterValues& given) const {
    const auto is_option = [](std::string_view key) {
        return key != "step" && key != "t_end" && key != "record_every" && key != "scheme";
    };
    // An object, as MoreauJean(theta=1), gives all options of its scheme, its defaults too; a name gives none.
    bool is_object = false;
    for (const auto& [key, value] : instead) is_object = is_object || is_option(key.str());
    toml::table file;
    for (const auto& [key, value] : simulation_)
        if (!is_object || !(is_option(key.str()) || key.str() == "scheme"))
            value.visit([&, k = std::string(key.str())](const auto& v) { file.insert(k, v); });
    const auto read = [&](const ModelTables& tables) {
        return read_simulation(tables, file, is_mechanical(), instead, "simulation.");
    };
    return given.empty() ? read(builder_->tables()) : read(make_builder(values(given))->tables());
}

AnyModel Document::build(const ParameterValues& given) const {
    if (given.empty()) return builder_->model();
    return make_builder(values(given))->model();
}

// Small matrices become rows. Large ones and functions, which no file can hold, keep a placeholder: false.
bool Document::spell_out(toml::table& entries) const {
    bool is_whole = true;
    for (auto&& [key, node] : entries) {
        toml::table* table = node.as_table();
        if (!table) continue;
        const toml::node* index = table->get("external");
        if (!index) {
            is_whole = spell_out(*table) && is_whole;
            continue;
        }
        const Matrix* matrix = std::get_if<Matrix>(&(*externals_)[index->value<std::size_t>().value()]);
        constexpr Index most = 10000;
        if (matrix && matrix->rows() * matrix->cols() <= most) {
            entries.insert_or_assign(key, rows_of(*matrix));
            continue;
        }
        is_whole = false;
        if (matrix)
            entries.insert_or_assign(key, fmt::format("a matrix, {} x {}", matrix->rows(), matrix->cols()));
        else
            entries.insert_or_assign(key, "a Python function");
    }
    return is_whole;
}

bool Document::is_text() const {
    return std::ranges::all_of(pieces_, [&](const Piece& piece) {
        toml::table entries = piece.entries;
        return spell_out(entries);
    });
}

std::string Document::text(const ParameterValues& given, const toml::table& simulation) const {
    const ParameterValues all = values(given);
    toml::table head{{"name", name_}};
    if (!description_.empty()) head.insert("description", description_);
    std::ostringstream out;
    const auto write = [&](const toml::table& table) { out << toml::toml_formatter(table) << "\n"; };
    for (const Piece& piece : pieces_)
        if (piece.kind == "t0") piece.entries.get(value_key)->visit([&](const auto& v) { head.insert("t0", v); });
    write(head);
    for (const char* kind : {"parameters", "signals"}) {
        bool is_first = true;
        for (const Piece& piece : pieces_) {
            if (piece.kind != kind) continue;
            if (std::exchange(is_first, false)) out << "\n[" << kind << "]\n";
            toml::table line;
            piece.entries.get(value_key)->visit([&](const auto& v) { line.insert(piece.name, v); });
            for (const auto& [name, value] : all)
                if (name == piece.name) line.insert_or_assign(name, value);
            write(line);
        }
    }
    for (const Piece& piece : pieces_) {
        if (piece.kind == "t0" || piece.kind == "parameters" || piece.kind == "signals") continue;
        toml::table entries = piece.entries;
        spell_out(entries);
        out << "\n";
        write(nested(piece.kind, piece.name, std::move(entries)));
    }
    toml::table merged = simulation_;
    for (const auto& [key, node] : simulation)
        node.visit([&, k = std::string(key.str())](const auto& v) { merged.insert_or_assign(k, v); });
    if (!merged.empty()) {
        out << "\n";
        write(toml::table{{"simulation", merged}});
    }
    return out.str();
}

}  // namespace saltus::python
