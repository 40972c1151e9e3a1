#include "saltus/model/lagrangian_model.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/core/factorization.hpp"
#include "saltus/model/model_checks.hpp"

namespace saltus {

namespace {

// A mass matrix is symmetric and positive definite.
void check_mass(const std::string& who, const Matrix& M) {
    if (is_absent(M)) return;
    const Eigen::VectorXd diagonal = M.diagonal();
    for (Index i = 0; i < diagonal.size(); ++i)
        require(diagonal[i] > 0.0, "{}: M({}, {}) is {}; a mass is positive", who, i, i, diagonal[i]);
    require(M.is_symmetric(symmetry_rounding), "{}: M is not symmetric; a mass matrix is", who);
    Factorization factors;
    require(factors.compute(M, Factorization::Symmetry::symmetric) && factors.is_positive_definite(),
            "{}: M is not positive definite; a mass matrix is", who);
}

void check_law(const std::string& who, const ContactLaw& law, const LagrangianInteraction& interaction, Index rows) {
    const auto within = [&](std::string_view what, double value, double least, double most) {
        require(least <= value && value <= most, "{}: {} is {}; it must be between {} and {}", who, what, value, least,
                most);
    };
    const auto not_negative = [&](std::string_view what, double value) {
        require(value >= 0.0 && std::isfinite(value), "{}: {} is {}; it must be 0 or more", who, what, value);
    };
    within("restitution", law.restitution, 0.0, 1.0);
    within("tangential_restitution", law.tangential_restitution, -1.0, 1.0);
    not_negative("friction", law.friction);
    not_negative("rolling", law.rolling);
    not_negative("cohesion", law.cohesion);
    require(law.stiffness > 0.0 && law.exponent > 0.0, "{}: stiffness {} and exponent {} must be positive", who,
            law.stiffness, law.exponent);
    require(rows == 1 || rows == 2 || rows == 3 || rows == 5,
            "{}: the contact has {} rows; it must have 1 (gap), 2 or 3 (with sliding), or 5 (with sliding and rolling)",
            who, rows);
    require(rows > 1 || law.friction == 0.0,
            "{}: friction is {}, and the contact has no sliding velocity; give it a second row, or tangents", who,
            law.friction);
    require(rows == 5 || law.rolling == 0.0, "{}: rolling is {}, and the contact has {} rows; it needs 5", who,
            law.rolling, rows);
    require(interaction.positions() >= 1, "{}: the contact has no gap; give G or g", who);
    require(law.impact == ContactLaw::Impact::newton || law.tangential_restitution == 0.0,
            "{}: tangential_restitution belongs to the impact newton; delete it", who);
    require(law.impact != ContactLaw::Impact::cascade || rows == 1,
            "{}: the impact cascade has no friction; delete the rows after the gap", who);
}

void check_law(const std::string& who, const JointLaw&, const LagrangianInteraction& interaction, Index) {
    require(interaction.tangents.is_empty() || interaction.positions() == 0 || !interaction.g.is_empty() ||
                !is_absent(interaction.G),
            "{}: the joint has no constraint; give G or g", who);
}

void check_law(const std::string& who, const SpringLaw& law, const LagrangianInteraction& interaction, Index) {
    require(interaction.tangents.is_empty(), "{}: a spring has no tangents; delete them", who);
    require(!law.pieces.empty(), "{}: the spring has no piece; give its stiffness", who);
    require(law.pieces.size() == 1 || interaction.positions() == 1,
            "{}: a spring of {} pieces has one gap, this has {}; give each its own spring", who, law.pieces.size(),
            interaction.positions());
    for (const SpringLaw::Piece& piece : law.pieces)
        require(piece.stiffness > 0.0 && piece.most > 0.0 && std::isfinite(piece.start),
                "{}: a piece begins at {} with stiffness {} and carries {} at most; all must be positive", who,
                piece.start, piece.stiffness, piece.most);
    require(law.damping >= 0.0 && std::isfinite(law.damping), "{}: damping is {}; it must be zero or more", who,
            law.damping);
    require(law.damping == 0.0 || std::isfinite(law.pieces.front().stiffness),
            "{}: damping is {} and the spring is rigid; give a stiffness", who, law.damping);
}

void check_law(const std::string& who, const RelayLaw& law, const LagrangianInteraction& interaction, Index rows) {
    require(!interaction.h.is_empty(), "{}: a relay needs h, a function of (q, v, t)", who);
    const Index count = std::ssize(law.bounds);
    require(count == 1 || count == rows, "{}: {} intervals for {} rows; give one, or one per row", who, count, rows);
    for (const Interval& interval : law.bounds)
        require(interval.is_proper(), "{}: the interval is [{}, {}]; lower must not exceed upper", who, interval.lower,
                interval.upper);
}

// Contacts whose percussions may act on each other, through the systems that contacts and joints connect, need one law
// for them all.
void check_impacts(const LagrangianModel& model) {
    IndexList parents(model.systems.size());
    std::iota(parents.begin(), parents.end(), Index(0));
    const auto root = [&](Index s) {
        while (parents[static_cast<std::size_t>(s)] != s) s = parents[static_cast<std::size_t>(s)];
        return s;
    };
    for (const LagrangianInteraction& interaction : model.interactions) {
        const bool has_percussion =
            std::holds_alternative<ContactLaw>(interaction.law) || std::holds_alternative<JointLaw>(interaction.law);
        for (const Index s : interaction.systems)
            if (has_percussion) parents[static_cast<std::size_t>(root(s))] = root(interaction.systems.front());
    }
    std::vector<const LagrangianInteraction*> first(model.systems.size(), nullptr);
    for (const LagrangianInteraction& interaction : model.interactions) {
        const ContactLaw* law = std::get_if<ContactLaw>(&interaction.law);
        if (!law) continue;
        const LagrangianInteraction*& other = first[static_cast<std::size_t>(root(interaction.systems.front()))];
        if (!other) other = &interaction;
        const ContactLaw::Impact impact = std::get<ContactLaw>(other->law).impact;
        require(law->impact == impact,
                "interactions '{}' and '{}': their impacts are {} and {}, and bodies connect them; give both the same",
                other->name, interaction.name, to_string(impact), to_string(law->impact));
    }
}

}  // namespace

void check(const LagrangianSystem& system) {
    const std::string who = fmt::format("system '{}'", system.name);
    const Index n = system.size();
    require(n > 0, "{}: q0 is empty; give the initial position", who);
    require(system.v0.size() == n, "{}: v0 has {} entries, q0 has {}; give one velocity per coordinate", who,
            system.v0.size(), n);
    check_finite(who, "q0", system.q0);
    check_finite(who, "v0", system.v0);
    check_matrix(who, "M", system.M, n, n);
    check_mass(who, system.M);
    check_matrix(who, "C", system.C, n, n);
    check_matrix(who, "K", system.K, n, n);
    check_function(who, "mass", system.mass, "q", n, n * n);
    check_function(who, "b", system.b, "t", 1, n);
    check_function(who, "f", system.f, "q, v, t", 2 * n + 1, n);
    require(is_absent(system.M) || system.mass.is_empty(), "{}: both M and mass are given; delete one", who);
    require(!system.derives_inertial_terms || !system.mass.is_empty(),
            "{}: inertial terms can be derived from a mass that depends on q; the mass is constant, they are zero",
            who);
}

void check(const LagrangianModel& model, const LagrangianInteraction& interaction) {
    const std::string who = fmt::format("interaction '{}'", interaction.name);
    check_systems(who, interaction.systems, std::ssize(model.systems));
    const Index n = model.coordinates_of(interaction), p = interaction.positions(), m = interaction.rows(n);
    require(m > 0, "{}: it has no rows; give G, g or h", who);
    check_matrix(who, "G", interaction.G, p, n);
    check_matrix(who, "B", interaction.B, n, m);
    check_function(who, "e", interaction.e, "t", 1, p);
    check_function(who, "g", interaction.g, "q, lambda, t", n + m + 1, p);
    check_function(who, "h", interaction.h, "q, v, t", 2 * n + 1, m);
    require(interaction.tangents.is_empty() ||
                (interaction.tangents.inputs() == n + 1 && interaction.tangents.outputs() % n == 0),
            "{}: tangents takes {} numbers and returns {}; it must take {} (q, t) and return {} for each row", who,
            interaction.tangents.inputs(), interaction.tangents.outputs(), n + 1, n);
    const bool is_relay = std::holds_alternative<RelayLaw>(interaction.law);
    require(is_relay || (interaction.h.is_empty() && is_absent(interaction.B)), "{}: h and B belong to a RelayLaw",
            who);
    require(!is_relay || (interaction.g.is_empty() && is_absent(interaction.G) && interaction.tangents.is_empty()),
            "{}: a RelayLaw speaks of h alone; move G, g and tangents into it", who);
    std::visit([&](const auto& law) { check_law(who, law, interaction, m); }, interaction.law);
}

Index LagrangianInteraction::positions() const {
    if (!is_absent(G)) return G.rows();
    return g.is_empty() ? e.outputs() : g.outputs();
}

Index LagrangianInteraction::rows(Index coordinates) const {
    if (!h.is_empty()) return h.outputs();
    if (const auto* spring = std::get_if<SpringLaw>(&law); spring && spring->pieces.size() > 1)
        return std::ssize(spring->pieces);
    return positions() + (coordinates > 0 ? tangents.outputs() / coordinates : 0);
}

Index LagrangianModel::coordinates() const { return starts().back(); }

Index LagrangianModel::rows() const {
    return std::accumulate(interactions.begin(), interactions.end(), Index(0),
                           [this](Index sum, const auto& i) { return sum + rows_of(i); });
}

Index LagrangianModel::coordinates_of(const LagrangianInteraction& interaction) const {
    Index sum = 0;
    for (const Index s : interaction.systems) sum += systems[static_cast<std::size_t>(s)].size();
    return sum;
}

IndexList LagrangianModel::starts() const {
    IndexList result{0};
    for (const LagrangianSystem& system : systems) result.push_back(result.back() + system.size());
    return result;
}

bool LagrangianModel::is_linear() const {
    const auto is_linear = [](const auto& item) { return item.is_linear(); };
    return std::all_of(systems.begin(), systems.end(), is_linear) &&
           std::all_of(interactions.begin(), interactions.end(), is_linear);
}

void LagrangianModel::check() const {
    require(!systems.empty(), "model '{}': it has no system; give at least one", name);
    require(std::isfinite(t0), "model '{}': t0 is {}; give a number", name, t0);
    for (const LagrangianSystem& system : systems) saltus::check(system);
    for (const LagrangianInteraction& interaction : interactions) saltus::check(*this, interaction);
    check_names(systems, "systems");
    check_names(interactions, "interactions");
    check_impacts(*this);
}

LagrangianModel starting_from(LagrangianModel model, const LagrangianState& state) {
    model.t0 = state.t;
    Index at = 0;
    for (LagrangianSystem& system : model.systems) {
        system.q0 = state.q.segment(at, system.size());
        system.v0 = state.v.segment(at, system.size());
        at += system.size();
    }
    for (const Index k : state.broken)
        std::get<ContactLaw>(model.interactions[static_cast<std::size_t>(k)].law).cohesion = 0.0;
    return model;
}

std::vector<std::string> start_warnings(const LagrangianModel& model, const LagrangianState& state) {
    constexpr double rounding = 1e-9;
    std::vector<std::string> result;
    Index row = 0;
    for (const LagrangianInteraction& interaction : model.interactions) {
        const Index rows = model.rows_of(interaction);
        if (std::holds_alternative<ContactLaw>(interaction.law) && state.y[row] < -rounding)
            result.push_back(
                fmt::format("contact '{}' begins with a penetration of {:.6g}", interaction.name, -state.y[row]));
        for (Index i = 0; std::holds_alternative<JointLaw>(interaction.law) && i < rows; ++i)
            if (std::abs(state.y[row + i]) > rounding || std::abs(state.u[row + i]) > rounding)
                result.push_back(
                    fmt::format("joint '{}', row {}: begins at {:.6g} with velocity {:.6g}, both must be 0",
                                interaction.name, i, state.y[row + i], state.u[row + i]));
        row += rows;
    }
    return result;
}

}  // namespace saltus
