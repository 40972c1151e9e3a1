#include <fmt/core.h>

#include "benchmarks/peers/measure.hpp"
#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"

// peer_mechanics DIRECTORY: times a bouncing ball, columns of beads at rest and an impacting elastic bar, step by step
// and without recording, for mechanics_peers.py.
namespace saltus::benchmarks {
namespace {

using nlohmann::json;

constexpr double gravity = 9.81, radius = 0.1;

Eigen::MatrixXd row(std::initializer_list<double> values) {
    return Eigen::Map<const Eigen::RowVectorXd>(values.begin(), static_cast<Index>(values.size()));
}
Function constant(double value) { return Function::constant(1, Eigen::VectorXd::Constant(1, value)); }

LagrangianSystem bead(const std::string& name, double height) {
    return {.name = name,
            .q0 = Eigen::VectorXd::Constant(1, height),
            .v0 = Eigen::VectorXd::Zero(1),
            .b = constant(-gravity)};
}

LagrangianModel bouncing_ball() {
    LagrangianModel model{.name = "bouncing_ball"};
    model.systems.push_back(bead("ball", 1.0));
    model.interactions.push_back({.name = "ground", .G = row({1.0}), .law = ContactLaw{.restitution = 0.9}});
    return model;
}

LagrangianModel column(int beads) {
    LagrangianModel model{.name = "column"};
    for (int i = 0; i < beads; ++i) {
        model.systems.push_back(bead(fmt::format("bead{}", i), radius * (2 * i + 1)));
        LagrangianInteraction contact{.name = fmt::format("contact{}", i), .law = ContactLaw{}};
        contact.systems = i == 0 ? std::vector<Index>{0} : std::vector<Index>{i - 1, i};
        contact.G = i == 0 ? row({1.0}) : row({-1.0, 1.0});
        contact.e = constant(i == 0 ? -radius : -2.0 * radius);
        model.interactions.push_back(std::move(contact));
    }
    return model;
}

// L = c = EA = v0 = 1, lumped masses.
LagrangianModel bar(int elements) {
    const int n = elements + 1;
    const double m = 1.0 / elements, k = elements;
    std::vector<Eigen::Triplet<double>> mass, stiffness;
    for (int i = 0; i < n; ++i) {
        mass.emplace_back(i, i, i == 0 || i == n - 1 ? 0.5 * m : m);
        for (const int j : {i - 1, i + 1})
            if (j >= 0 && j < n) {
                stiffness.emplace_back(i, i, k);
                stiffness.emplace_back(i, j, -k);
            }
    }
    Matrix::Sparse M(n, n), K(n, n), G(1, n);
    M.setFromTriplets(mass.begin(), mass.end());
    K.setFromTriplets(stiffness.begin(), stiffness.end());
    G.insert(0, 0) = 1.0;
    LagrangianModel model{.name = "bar"};
    model.systems.push_back(
        {.name = "bar", .q0 = Eigen::VectorXd::Zero(n), .v0 = Eigen::VectorXd::Constant(n, -1.0), .M = M, .K = K});
    model.interactions.push_back({.name = "wall", .G = G, .law = ContactLaw{}});
    return model;
}

// CPU seconds of `steps` steps; the model is set up before.
json measure(const std::string& name, const json& beads, const LagrangianModel& model, double h, long steps) {
    LagrangianState state;
    const double begin = processor_seconds();
    MoreauJeanStepper first(model, {}, h);
    const double set_up = processor_seconds() - begin;
    double best = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < 3; ++repetition) {
        MoreauJeanStepper stepper(model, {}, h);
        const double start = processor_seconds();
        for (long k = 0; k < steps; ++k)
            if (stepper.step() == StepOutcome::failed) {
                fmt::print(stderr, "peer_mechanics: {}: {}\n", name, stepper.report().message);
                std::exit(1);
            }
        best = std::min(best, processor_seconds() - start);
        stepper.read(state);
    }
    fmt::print("saltus: {}: {:.4g} steps a second\n", name, static_cast<double>(steps) / best);
    return {{"name", name},     {"beads", beads},  {"steps", steps}, {"seconds", best},
            {"set_up", set_up}, {"q", state.q[0]}, {"v", state.v[0]}};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
    using namespace saltus::benchmarks;
    if (argc != 2) {
        fmt::print(stderr, "usage: peer_mechanics DIRECTORY\n");
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    std::filesystem::create_directories(directory);
    json systems = json::array();
    systems.push_back(measure("bouncing ball", 0, bouncing_ball(), 1e-3, 1'000'000));
    for (const auto& [beads, steps] : {std::pair(10, 200'000L), std::pair(100, 20'000L), std::pair(1000, 4'000L)})
        systems.push_back(measure(fmt::format("column of {} beads", beads), beads, column(beads), 5e-3, steps));
    systems.push_back(measure("bar of 100000 elements", nullptr, bar(100'000), 1e-3, 100));
    open_for_writing(directory / "mechanics.json")
        << json{{"compiler", "g++ " __VERSION__}, {"systems", systems}}.dump(1) << '\n';
}
