#include "saltus/model/model.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/model/model_checks.hpp"

namespace saltus {

namespace {

void check_system(const FirstOrderSystem& system) {
    const std::string who = fmt::format("system '{}'", system.name);
    const Index n = system.x0.size();
    require(n > 0, "{}: x0 is empty; give the initial state", who);
    check_finite(who, "x0", system.x0);
    check_matrix(who, "M", system.M, n, n);
    check_matrix(who, "A", system.A, n, n);
    check_function(who, "b", system.b, "t", 1, n);
    check_function(who, "f", system.f, "x, t", n + 1, n);
}

void check_interaction(const Model& model, const Interaction& interaction) {
    const std::string who = fmt::format("interaction '{}'", interaction.name);
    check_systems(who, interaction.systems, std::ssize(model.systems));
    const Index m = interaction.rows(), n = model.states_of(interaction);
    require(m > 0, "{}: it has no rows; give C, D, e or h", who);
    check_matrix(who, "C", interaction.C, m, n);
    check_matrix(who, "D", interaction.D, m, m);
    check_matrix(who, "B", interaction.B, n, m);
    check_function(who, "e", interaction.e, "t", 1, m);
    check_function(who, "h", interaction.h, "x, lambda, t", n + m + 1, m);
    check_function(who, "g", interaction.g, "x, lambda, t", n + m + 1, n);
    const Index laws = std::ssize(interaction.law);
    require(laws == 1 || laws == m, "{}: {} laws for {} rows; give one, or one per row", who, laws, m);
    for (Index i = 0; i < laws; ++i) {
        const Interval law = interaction.law_of(i);
        require(law.is_proper(), "{}: the law of row {} is [{}, {}]; lower must not exceed upper", who, i, law.lower,
                law.upper);
    }
}

}  // namespace

Index Interaction::rows() const {
    if (!is_absent(C)) return C.rows();
    if (!is_absent(D)) return D.rows();
    if (!e.is_empty()) return e.outputs();
    if (!h.is_empty()) return h.outputs();
    return std::ssize(law);
}

Index Model::states() const { return state_start(std::ssize(systems)); }

Index Model::rows() const { return row_start(std::ssize(interactions)); }

Index Model::state_start(Index system) const {
    return std::accumulate(systems.begin(), systems.begin() + system, Index(0),
                           [](Index sum, const FirstOrderSystem& s) { return sum + s.x0.size(); });
}

Index Model::row_start(Index interaction) const {
    return std::accumulate(interactions.begin(), interactions.begin() + interaction, Index(0),
                           [](Index sum, const Interaction& i) { return sum + i.rows(); });
}

Index Model::states_of(const Interaction& interaction) const {
    Index sum = 0;
    for (const Index s : interaction.systems) sum += systems[static_cast<std::size_t>(s)].x0.size();
    return sum;
}

Eigen::VectorXd Model::initial_state() const {
    Eigen::VectorXd x(states());
    Index at = 0;
    for (const FirstOrderSystem& system : systems) {
        x.segment(at, system.x0.size()) = system.x0;
        at += system.x0.size();
    }
    return x;
}

bool Model::is_linear() const {
    return std::all_of(systems.begin(), systems.end(), [](const auto& s) { return s.f.is_empty(); }) &&
           std::all_of(interactions.begin(), interactions.end(),
                       [](const auto& i) { return i.h.is_empty() && i.g.is_empty(); });
}

void Model::check() const {
    require(!systems.empty(), "model '{}': it has no system; give at least one", name);
    require(std::isfinite(t0), "model '{}': t0 is {}; give a number", name, t0);
    for (const FirstOrderSystem& system : systems) check_system(system);
    for (const Interaction& interaction : interactions) check_interaction(*this, interaction);
    check_names(systems, "systems");
    check_names(interactions, "interactions");
}

Model starting_from(Model model, const State& state) {
    model.t0 = state.t;
    for (std::size_t s = 0; s < model.systems.size(); ++s)
        model.systems[s].x0 = state.x.segment(model.state_start(static_cast<Index>(s)), model.systems[s].x0.size());
    return model;
}

}  // namespace saltus
