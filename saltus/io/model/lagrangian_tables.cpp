#include "saltus/io/model/lagrangian_tables.hpp"

#include <numeric>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/model/combination.hpp"
#include "saltus/model/recognise.hpp"

namespace saltus {

namespace {

class LagrangianReader : public TableReader {
public:
    using TableReader::TableReader;

    std::vector<std::string> kinds() const override { return {"systems", "contacts", "joints", "springs", "forces"}; }

    void add(std::string_view kind, const std::string& name, const toml::table& table) override {
        const std::string prefix = fmt::format("{}.{}.", kind, name);
        if (kind == "systems")
            read_system(name, table, prefix);
        else if (kind == "contacts")
            read_contact(name, table, prefix);
        else if (kind == "joints")
            add_joint(name, table, prefix);
        else if (kind == "springs")
            read_spring(name, table, prefix);
        else
            read_force(name, table, prefix);
    }

    AnyModel model() const override {
        LagrangianModel result = model_;
        recognise_linear(result);
        return result;
    }

private:
    void read_system(const std::string& name, const toml::table& table, const std::string& prefix) {
        reader_.check_keys(table, prefix, {"q0", "v0", "mass", "damping", "stiffness", "force", "inertial"});
        LagrangianSystem system{.name = name};
        system.q0 = reader_.vector(*table.get("q0"), prefix + "q0");
        const Index n = system.size();
        if (n == 0) reader_.fail(*table.get("q0"), prefix + "q0", "is empty; give the initial positions, q0 = [1, 0]");
        system.v0 = Eigen::VectorXd::Zero(n);
        if (const toml::node* node = table.get("v0")) {
            system.v0 = reader_.vector(*node, prefix + "v0");
            tables_.expect(*node, prefix + "v0", system.v0.size(), n, "per coordinate");
        }
        read_mass(table, prefix, system);
        read_square(table, prefix, "damping", n, system.C);
        read_square(table, prefix, "stiffness", n, system.K);
        if (const toml::node* node = table.get("force")) {
            if (tables_.is_of_time(*node))
                system.b = tables_.function(*node, prefix + "force", {{"t"}}, n, "per coordinate");
            else
                system.f = tables_.function(*node, prefix + "force", {{"q", n}, {"v", n}, {"t"}}, n, "per coordinate");
        }
        read_inertial_terms(table, prefix, system);
        checked(table, prefix, [&] { check(system); });
        model_.systems.push_back(std::move(system));
        systems_.push_back(name);
    }

    // The rows of a square matrix as texts: from one number (times the identity), a list (a diagonal) or rows.
    std::vector<std::string> square_texts(const toml::node& node, const std::string& key, Index n) const {
        std::vector<std::string> texts(static_cast<std::size_t>(n * n), "0");
        const auto entry = [&](Index i, Index j) -> std::string& { return texts[static_cast<std::size_t>(i + n * j)]; };
        const toml::array* rows = node.as_array();
        const bool is_full = rows && !rows->empty() && rows->front().is_array();
        if (is_full) tables_.expect(node, key, std::ssize(*rows), n, "row per coordinate");
        const std::vector<std::string> list = is_full ? std::vector<std::string>() : reader_.texts(node, key);
        if (!is_full && rows) tables_.expect(node, key, std::ssize(list), n, "per coordinate");
        for (Index i = 0; i < n; ++i) {
            if (!is_full) {
                entry(i, i) = list[rows ? static_cast<std::size_t>(i) : 0];
                continue;
            }
            const std::string name = fmt::format("{}[{}]", key, i);
            const toml::node& row = (*rows)[static_cast<std::size_t>(i)];
            const std::vector<std::string> row_texts = reader_.texts(row, name);
            tables_.expect(row, name, std::ssize(row_texts), n, "per coordinate");
            for (Index j = 0; j < n; ++j) entry(i, j) = row_texts[static_cast<std::size_t>(j)];
        }
        return texts;
    }

    void read_square(const toml::table& table, const std::string& prefix, const char* key, Index n,
                     Matrix& matrix) const {
        const toml::node* node = table.get(key);
        if (!node) return;
        if (const Matrix* given = reader_.external<Matrix>(*node)) {
            tables_.expect(*node, prefix + key, *given, n, n, "coordinates by coordinates");
            matrix = *given;
            return;
        }
        const Function entries = tables_.function(square_texts(*node, prefix + key, n), *node, prefix + key, {});
        Eigen::MatrixXd value(n, n);
        entries.value(nullptr, value.data());
        matrix = value;
    }

    void read_mass(const toml::table& table, const std::string& prefix, LagrangianSystem& system) const {
        const toml::node* node = table.get("mass");
        if (!node) reader_.fail(table, prefix + "mass", "is missing; give a number, a list or a matrix");
        const Index n = system.size();
        if (reader_.external<Matrix>(*node)) return read_square(table, prefix, "mass", n, system.M);
        if (reader_.external<ExternalFunction>(*node)) {
            system.mass = tables_.function(*node, prefix + "mass", {{"q", n}}, n * n, "per entry of the matrix");
            return;
        }
        const Function entries =
            tables_.function(square_texts(*node, prefix + "mass", n), *node, prefix + "mass", {{"q", n}});
        if (entries.variation() != Variation::constant) {
            system.mass = entries;
            return;
        }
        Eigen::MatrixXd value(n, n);
        entries.value(system.q0.data(), value.data());
        system.M = value;
    }

    // A mass that depends on q causes forces that are easily forgotten: the file has to give them.
    void read_inertial_terms(const toml::table& table, const std::string& prefix, LagrangianSystem& system) const {
        const toml::node* node = table.get("inertial");
        const std::string key = prefix + "inertial";
        if (!node) {
            if (!system.mass.is_empty())
                reader_.fail(table, key,
                             "is missing, and the mass depends on q; write \"derived\", or expressions of q and v, or "
                             "0 if `force` holds them");
            return;
        }
        if (node->is_string() && reader_.text(*node, key) == "derived") {
            if (system.mass.is_empty()) reader_.fail(*node, key, "is \"derived\", and the mass is constant; delete it");
            system.derives_inertial_terms = true;
            return;
        }
        if (node->is_number() && *node->value<double>() == 0.0) return;
        const Index n = system.size();
        const toml::node* force = table.get("force");
        if (is_external(*node) || (force && is_external(*force))) {
            const Function N = tables_.function(*node, key, {{"q", n}, {"v", n}, {"t"}}, n, "per coordinate");
            system.f = sum_of(system.f, 1.0, N, -1.0);
            return;
        }
        std::vector<std::string> texts = reader_.texts(*node, key);
        tables_.expect(*node, key, std::ssize(texts), n, "per coordinate");
        if (force) {
            const std::vector<std::string> forces = reader_.texts(*force, prefix + "force");
            for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = fmt::format("({}) - ({})", forces[i], texts[i]);
        } else {
            for (std::string& text : texts) text = fmt::format("-({})", text);
        }
        system.f = tables_.function(texts, *node, key, {{"q", n}, {"v", n}, {"t"}});
    }

    // Mistakes which the model finds are reported with the place of the table.
    template <class Check>
    void checked(const toml::table& table, const std::string& prefix, Check check_it) const {
        try {
            check_it();
        } catch (const InvalidInput& error) {
            reader_.fail(table, prefix.substr(0, prefix.size() - 1), error.what());
        }
    }

    void add(const toml::table& table, const std::string& prefix, LagrangianInteraction interaction) {
        checked(table, prefix, [&] { check(model_, interaction); });
        model_.interactions.push_back(std::move(interaction));
    }

    // An interaction that acts on the systems which the table names.
    LagrangianInteraction interaction(const std::string& name, const toml::table& table,
                                      const std::string& prefix) const {
        return {.name = name, .systems = tables_.systems_of(table, prefix, systems_)};
    }

    const toml::node& required(const toml::table& table, const std::string& prefix, const char* key,
                               std::string_view remedy) const {
        const toml::node* node = table.get(key);
        if (!node) reader_.fail(table, prefix + key, fmt::format("is missing; {}", remedy));
        return *node;
    }

    double number_or(const toml::table& table, const std::string& prefix, const char* key, double value) const {
        const toml::node* node = table.get(key);
        return node ? reader_.number(*node, prefix + key) : value;
    }

    bool is_external(const toml::node& node) const { return reader_.external<ExternalFunction>(node) != nullptr; }

    // a first + b second, functions of the same arguments; the first may be empty.
    static Function sum_of(const Function& first, double a, const Function& second, double b) {
        const Index outputs = second.outputs();
        const auto times = [&](double factor) { return Matrix(Eigen::MatrixXd::Identity(outputs, outputs) * factor); };
        return combination(Matrix::Sparse(outputs, second.inputs()), Eigen::VectorXd::Zero(outputs),
                           {{.F = first, .L = times(a).to_sparse()}, {.F = second, .L = times(b).to_sparse()}});
    }

    // Expressions of (q, lambda, t), where lambda has `rows` entries; only springs may use it.
    Function position(const std::vector<std::string>& texts, const toml::node& node, const std::string& key, Index n,
                      Index rows, bool knows_lambda = false) const {
        if (!knows_lambda) tables_.function(texts, node, key, {{"q", n}, {"t"}});  // shows mistakes
        return tables_.function(texts, node, key, {{"q", n}, {"lambda", rows}, {"t"}});
    }

    // Entries in q and t, one below the other, as a function of (q, lambda, t), where lambda has `rows` entries.
    using Entries = std::vector<std::pair<const toml::node*, std::string>>;
    Function position(const Entries& entries, Index n, Index rows) const {
        const auto is_function = [&](const auto& entry) { return is_external(*entry.first); };
        if (std::ranges::none_of(entries, is_function)) {
            std::vector<std::string> texts;
            for (const auto& [node, key] : entries) {
                tables_.function(*node, key, {{"q", n}, {"t"}});  // shows mistakes
                for (std::string& text : reader_.texts(*node, key)) texts.push_back(std::move(text));
            }
            return position(texts, *entries.front().first, entries.front().second, n, rows);
        }
        std::vector<Function> parts;
        for (const auto& [node, key] : entries) parts.push_back(tables_.function(*node, key, {{"q", n}, {"t"}}));
        return stacked(parts, n, rows);
    }

    // Functions of (q, t), one below the other, as a function of (q, lambda, t), times `sign`, plus `offset`.
    static Function stacked(const std::vector<Function>& parts, Index n, Index rows, double sign = 1.0,
                            double offset = 0.0) {
        IndexList arguments(static_cast<std::size_t>(n) + 1);
        std::iota(arguments.begin(), arguments.end(), Index(0));
        arguments.back() = n + rows;
        const Matrix::Sparse J = placing(n + rows + 1, arguments).transpose();
        Index outputs = 0, start = 0;
        for (const Function& part : parts) outputs += part.outputs();
        std::vector<FunctionTerm> terms;
        for (const Function& part : parts) {
            IndexList places(static_cast<std::size_t>(part.outputs()));
            std::iota(places.begin(), places.end(), start);
            start += part.outputs();
            terms.push_back({.F = part, .L = placing(outputs, places) * sign, .J = J});
        }
        return combination(Matrix::Sparse(outputs, n + rows + 1), Eigen::VectorXd::Constant(outputs, offset),
                           std::move(terms));
    }

    void read_contact(const std::string& name, const toml::table& table, const std::string& prefix) {
        reader_.check_keys(table, prefix,
                           {"systems", "gap", "slip", "tangents", "restitution", "friction", "tangential_restitution",
                            "rolling", "impact", "cohesion", "brittle", "stiffness", "exponent"});
        LagrangianInteraction contact = interaction(name, table, prefix);
        const Index n = model_.coordinates_of(contact);
        const toml::node& gap = required(table, prefix, "gap", "give the distance, an expression of q and t");
        tables_.expect(gap, prefix + "gap", tables_.entries(gap, prefix + "gap"), 1, "gap per contact");
        Entries entries{{&gap, prefix + "gap"}};
        if (const toml::node* slip = table.get("slip")) {
            if (table.contains("tangents")) reader_.fail(table, prefix + "tangents", "and slip are given; delete one");
            entries.emplace_back(slip, prefix + "slip");
        }
        Index rows = 0;
        for (const auto& [node, key] : entries) rows += tables_.entries(*node, key);
        if (const toml::node* node = table.get("tangents")) {
            contact.tangents = tangents(*node, prefix + "tangents", n);
            rows += contact.tangents.outputs() / n;
        }
        contact.g = position(entries, n, rows);
        ContactLaw law;
        law.restitution = number_or(table, prefix, "restitution", 0.0);
        law.friction = number_or(table, prefix, "friction", 0.0);
        law.tangential_restitution = number_or(table, prefix, "tangential_restitution", 0.0);
        law.rolling = number_or(table, prefix, "rolling", 0.0);
        law.cohesion = number_or(table, prefix, "cohesion", 0.0);
        law.stiffness = number_or(table, prefix, "stiffness", 1.0);
        law.exponent = number_or(table, prefix, "exponent", 1.0);
        if (table.contains("brittle") && !table.contains("cohesion"))
            reader_.fail(table, prefix + "brittle", "has no effect without cohesion; give cohesion, or delete it");
        if (const toml::node* node = table.get("brittle")) law.is_brittle = reader_.truth(*node, prefix + "brittle");
        read_impact(table, prefix, law);
        contact.law = law;
        add(table, prefix, std::move(contact));
    }

    void read_impact(const toml::table& table, const std::string& prefix, ContactLaw& law) const {
        const toml::node* node = table.get("impact");
        for (const char* key : {"stiffness", "exponent"})
            if (table.contains(key) && (!node || reader_.text(*node, prefix + "impact") != "cascade"))
                reader_.fail(table, prefix + key,
                             "belongs to the impact cascade; give impact = \"cascade\", or delete it");
        if (!node) return;
        const std::vector<std::string> names{"newton", "poisson", "cascade", "fremond"};
        const std::string name = reader_.text(*node, prefix + "impact");
        if (name == names[0]) return;
        if (name == names[1]) {
            law.impact = ContactLaw::Impact::poisson;
        } else if (name == names[2]) {
            law.impact = ContactLaw::Impact::cascade;
        } else if (name == names[3]) {
            if (table.contains("tangential_restitution"))
                reader_.fail(table, prefix + "tangential_restitution",
                             "is that of the normal in Fremond's law; delete it");
            law.tangential_restitution = law.restitution;
        } else {
            tables_.unknown(*node, prefix + "impact", "impact", name, names);
        }
    }

    // Rows of expressions of q and t: the entries of T, column by column.
    Function tangents(const toml::node& node, const std::string& key, Index n) const {
        if (is_external(node)) {
            const Function given = tables_.function(node, key, {{"q", n}, {"t"}});
            if (given.outputs() % n != 0)
                reader_.fail(
                    node, key,
                    fmt::format("has {} entries; it must have rows of {}, one per coordinate", given.outputs(), n));
            return given;
        }
        const toml::array* list = node.as_array();
        const bool has_rows = list && !list->empty() && list->front().is_array();
        const std::size_t rows = has_rows ? list->size() : 1;
        std::vector<std::string> texts(rows * static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < rows; ++i) {
            const toml::node& row = has_rows ? (*list)[i] : node;
            const std::string name = has_rows ? fmt::format("{}[{}]", key, i) : key;
            const std::vector<std::string> row_texts = reader_.texts(row, name);
            tables_.expect(row, name, std::ssize(row_texts), n, "per coordinate");
            for (std::size_t j = 0; j < row_texts.size(); ++j) texts[i + rows * j] = row_texts[j];
        }
        return tables_.function(texts, node, key, {{"q", n}, {"t"}});
    }

    // All of its interactions, or none if one is refused.
    void add_joint(const std::string& name, const toml::table& table, const std::string& prefix) {
        const auto count = std::ssize(model_.interactions);
        try {
            read_joint(name, table, prefix);
        } catch (...) {
            model_.interactions.erase(model_.interactions.begin() + count, model_.interactions.end());
            throw;
        }
    }

    // A constraint; or a coordinate with stops and dry friction, which makes up to three interactions.
    void read_joint(const std::string& name, const toml::table& table, const std::string& prefix) {
        reader_.check_keys(table, prefix,
                           {"systems", "constraint", "coordinate", "lower", "upper", "restitution", "friction"});
        LagrangianInteraction joint = interaction(name, table, prefix);
        const Index n = model_.coordinates_of(joint);
        if (const toml::node* node = table.get("constraint")) {
            for (const char* key : {"coordinate", "lower", "upper", "restitution", "friction"})
                if (table.contains(key))
                    reader_.fail(*table.get(key), prefix + key, "belongs to a joint with a coordinate; delete it");
            joint.g = position({{node, prefix + "constraint"}}, n, tables_.entries(*node, prefix + "constraint"));
            joint.law = JointLaw{};
            add(table, prefix, std::move(joint));
            return;
        }
        const toml::node& coordinate =
            required(table, prefix, "coordinate",
                     "give a constraint, or a coordinate, an expression of q, with lower, upper or friction");
        tables_.expect(coordinate, prefix + "coordinate", tables_.entries(coordinate, prefix + "coordinate"), 1,
                       "coordinate per joint");
        bool is_used = false;
        check_stops(table, prefix);
        for (const char* key : {"lower", "upper"})
            if (const toml::node* node = table.get(key)) {
                const bool is_lower = key[0] == 'l';
                const double stop = reader_.number(*node, prefix + key);
                LagrangianInteraction contact{.name = fmt::format("{}.{}", name, key), .systems = joint.systems};
                contact.g = distance(coordinate, prefix + "coordinate", n, is_lower ? 1.0 : -1.0, stop);
                contact.law = ContactLaw{.restitution = number_or(table, prefix, "restitution", 0.0)};
                add(table, prefix, std::move(contact));
                is_used = true;
            }
        if (const toml::node* node = table.get("friction")) {
            add(table, prefix,
                dry_friction(name, joint.systems, coordinate, reader_.number(*node, prefix + "friction")));
            is_used = true;
        }
        if (!is_used) reader_.fail(table, prefix + "coordinate", "has no effect; give lower, upper or friction");
    }

    // sign (coordinate - stop), of (q, lambda, t).
    Function distance(const toml::node& coordinate, const std::string& key, Index n, double sign, double stop) const {
        if (is_external(coordinate))
            return stacked({tables_.function(coordinate, key, {{"q", n}, {"t"}})}, n, 1, sign, -sign * stop);
        const std::string text =
            fmt::format("({:.17g})*(({}) - ({:.17g}))", sign, reader_.texts(coordinate, key)[0], stop);
        return position({text}, coordinate, key, n, 1);
    }

    void check_stops(const toml::table& table, const std::string& prefix) const {
        const toml::node *lower = table.get("lower"), *upper = table.get("upper");
        if (!lower || !upper) return;
        const double least = reader_.number(*lower, prefix + "lower"), most = reader_.number(*upper, prefix + "upper");
        if (least > most)
            reader_.fail(*upper, prefix + "upper", fmt::format("is {}, below lower, {}; exchange them", most, least));
    }

    // A force in [-friction, friction] against the rate of a coordinate: y = G(q, t) v + dg/dt.
    LagrangianInteraction dry_friction(const std::string& name, const std::vector<Index>& systems,
                                       const toml::node& node, double friction) const {
        LagrangianInteraction force{.name = name + ".friction", .systems = systems};
        const Index n = model_.coordinates_of(force);
        const Function coordinate = tables_.function(node, name, {{"q", n}, {"t"}});
        force.h = rate(coordinate, n);
        force.law = RelayLaw{{{-friction, friction}}};
        return force;
    }

    // d/dt g(q, t), a function of (q, v, t); its derivative with respect to q is left out, since only dh/dv carries a
    // force, and Newton's method needs no more.
    static Function rate(const Function& g, Index n) {
        return Function::with_jacobian(
            2 * n + 1, 1,
            [g, n, arguments = Eigen::VectorXd(n + 1), slope = Eigen::MatrixXd(1, n + 1)](const Function::In& in,
                                                                                          Function::Out& out) mutable {
                arguments << in.head(n), in[2 * n];
                g.jacobian(arguments.data(), slope.data());
                out[0] = slope.leftCols(n).row(0).dot(in.segment(n, n)) + slope(0, n);
            },
            [g, n, arguments = Eigen::VectorXd(n + 1), slope = Eigen::MatrixXd(1, n + 1)](
                const Function::In& in, Function::OutMatrix& jacobian) mutable {
                arguments << in.head(n), in[2 * n];
                g.jacobian(arguments.data(), slope.data());
                jacobian.middleCols(n, n) = slope.leftCols(n);
            });
    }

    void read_spring(const std::string& name, const toml::table& table, const std::string& prefix) {
        reader_.check_keys(table, prefix, {"systems", "gap", "stiffness", "damping", "table"});
        LagrangianInteraction spring = interaction(name, table, prefix);
        const Index n = model_.coordinates_of(spring);
        const toml::node& gap = required(table, prefix, "gap", "give the distance, an expression of q, lambda and t");
        SpringLaw law;
        law.damping = number_or(table, prefix, "damping", 0.0);
        if (const toml::node* node = table.get("table")) {
            if (table.contains("stiffness"))
                reader_.fail(*node, prefix + "table", "and stiffness are given; delete one");
            law.pieces = pieces(*node, prefix + "table");
        } else {
            law.pieces.front().stiffness = number_or(table, prefix, "stiffness", infinity);
        }
        const Index rows = std::max(tables_.entries(gap, prefix + "gap"), std::ssize(law.pieces));
        spring.g = is_external(gap) ? tables_.function(gap, prefix + "gap", {{"q", n}, {"lambda", rows}, {"t"}})
                                    : position(reader_.texts(gap, prefix + "gap"), gap, prefix + "gap", n, rows,
                                               law.pieces.size() == 1);
        spring.law = law;
        add(table, prefix, std::move(spring));
    }

    // Points (penetration, force) of a piecewise linear spring, whose last piece continues: each change of slope adds a
    // piece, and one that ends keeps its force.
    std::vector<SpringLaw::Piece> pieces(const toml::node& node, const std::string& key) const {
        const Eigen::MatrixXd points = reader_.matrix(node, key).to_dense();
        if (points.cols() != 2 || points.rows() < 2)
            reader_.fail(node, key, "give points, [[penetration, force], ...], at least two");
        if (points(0, 1) != 0.0) reader_.fail(node, key, "must begin with a force of 0");
        std::vector<SpringLaw::Piece> result;
        for (Index i = 1; i < points.rows(); ++i) {
            const double length = points(i, 0) - points(i - 1, 0), rise = points(i, 1) - points(i - 1, 1);
            if (!(length > 0.0) || !(rise >= 0.0))
                reader_.fail(node, key, "penetrations must increase, and forces must not decrease");
            const bool is_last = i + 1 == points.rows();
            if (rise > 0.0) result.push_back({points(i - 1, 0), rise / length, is_last ? infinity : rise});
        }
        return result;
    }

    void read_force(const std::string& name, const toml::table& table, const std::string& prefix) {
        reader_.check_keys(table, prefix, {"systems", "y", "direction", "law"});
        LagrangianInteraction force = interaction(name, table, prefix);
        const Index n = model_.coordinates_of(force);
        const toml::node& y = required(table, prefix, "y", "give expressions of q, v and t");
        force.h = tables_.function(y, prefix + "y", {{"q", n}, {"v", n}, {"t"}});
        if (const toml::node* node = table.get("direction")) {
            const toml::array* list = node->as_array();
            const bool is_vector = list && !list->empty() && !list->front().is_array();
            force.B = is_vector ? Matrix(Eigen::MatrixXd(reader_.vector(*node, prefix + "direction")))
                                : reader_.matrix(*node, prefix + "direction");
            tables_.expect(*node, prefix + "direction", force.B, n, force.h.outputs(), "coordinates by entries of y");
        } else {
            for (Index i = 0; i < force.h.outputs(); ++i) require_velocity(force.h, i, n, y, prefix + "y");
        }
        const toml::node& law = required(table, prefix, "law", "give \"relay\", or bounds { lower = -1, upper = 1 }");
        force.law = RelayLaw{tables_.intervals(law, prefix + "law")};
        add(table, prefix, std::move(force));
    }

    // Without a direction the force acts along dy/dv, which must not be zero.
    void require_velocity(const Function& h, Index row, Index n, const toml::node& node, const std::string& key) const {
        if (!h.expressions()) return;  // it is not known
        for (Index j = n; j < 2 * n; ++j)
            if (h.expressions()->depends_on(row, j)) return;
        reader_.fail(node, key, "does not depend on v: the force would act nowhere; give its direction");
    }

    LagrangianModel model_;
};

}  // namespace

std::unique_ptr<TableReader> lagrangian_reader(const ModelTables& tables) {
    return std::make_unique<LagrangianReader>(tables);
}

}  // namespace saltus
