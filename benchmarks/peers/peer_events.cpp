#include <fmt/core.h>

#include "benchmarks/peers/event_cases.hpp"
#include "saltus/integrators/event/event_stepper.hpp"

// peer_events DIRECTORY: times the event-driven motion of the cases of event_cases.hpp, without recording, for
// events_peers.py.
namespace saltus::benchmarks {
namespace {

using nlohmann::json;

Eigen::VectorXd vector(const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Index>(values.size()));
}

Matrix::Sparse stiffness_matrix(const Chain& chain) {
    const Index n = std::ssize(chain.q);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < n; ++i) {
        entries.emplace_back(i, i, chain.tie);
        for (const Index j : {i - 1, i + 1}) {
            if (j < 0 || j >= n) continue;
            entries.emplace_back(i, i, chain.coupling);
            entries.emplace_back(i, j, -chain.coupling);
        }
    }
    Matrix::Sparse K(n, n);
    K.setFromTriplets(entries.begin(), entries.end());
    return K;
}

// f(q, v, t); an explicit method asks for no Jacobian.
Function cubic_forces(const Chain& chain) {
    const Index n = std::ssize(chain.q);
    const auto value = [n, cubic = chain.cubic](const Function::In& in, Function::Out& out) {
        out.array() = -cubic * in.head(n).array().cube();
    };
    return Function::with_jacobian(2 * n + 1, n, value, [](const Function::In&, Function::OutMatrix&) {});
}

LagrangianModel model_of(const Chain& chain) {
    const Index n = std::ssize(chain.q);
    LagrangianSystem system{.name = "chain", .q0 = vector(chain.q), .v0 = vector(chain.v)};
    if (n > 1) system.K = stiffness_matrix(chain);
    if (chain.gravity > 0.0) system.b = Function::constant(1, Eigen::VectorXd::Constant(n, -chain.gravity));
    if (chain.cubic > 0.0) system.f = cubic_forces(chain);
    Matrix::Sparse G(1, n);
    G.insert(0, 0) = 1.0;
    LagrangianInteraction floor{.name = "floor", .G = G, .law = ContactLaw{.restitution = chain.restitution}};
    floor.e = Function::constant(1, Eigen::VectorXd::Constant(1, -chain.floor));
    return {.name = "chain", .systems = {system}, .interactions = {floor}};
}

LagrangianModel model_of(const Cam& cam) {
    const Eigen::MatrixXd one = Eigen::MatrixXd::Ones(1, 1);
    const Cam::Point start = cam.at(0.0);
    LagrangianSystem follower{.name = "follower",
                              .q0 = Eigen::VectorXd::Constant(1, start.height + cam.gap),
                              .v0 = Eigen::VectorXd::Constant(1, start.speed + cam.rate),
                              .M = Matrix(cam.mass * one),
                              .K = Matrix(cam.stiffness * one)};
    LagrangianInteraction contact{.name = "cam", .G = Matrix(one), .law = ContactLaw{.restitution = cam.restitution}};
    contact.e = Function::with_jacobian(
        1, 1, [cam](const Function::In& in, Function::Out& out) { out[0] = -cam.at(in[0]).height; },
        [cam](const Function::In& in, Function::OutMatrix& jacobian) { jacobian(0, 0) = -cam.at(in[0]).speed; });
    return {.name = "cam", .systems = {follower}, .interactions = {contact}};
}

class SaltusMotion {
public:
    SaltusMotion(const EventCase& one, double tolerance)
        : stepper_(std::visit([](const auto& system) { return model_of(system); }, one.system),
                   {.tolerance = tolerance}, one.h),
          steps_(std::lround(one.t_end / one.h)) {
        events_.reserve(20000);
    }

    void run() {
        while (stepper_.steps() < steps_) {
            if (stepper_.step() == StepOutcome::failed) {
                fmt::print(stderr, "peer_events: {}\n", stepper_.report().message);
                std::abort();  // of the process of this measurement
            }
            stepper_.for_each_event([this](const Event& event) { events_.push_back(event.t); });
        }
    }
    const std::vector<double>& events() const { return events_; }
    std::vector<double> q() const {
        LagrangianState state;
        stepper_.read(state);
        return {state.q.begin(), state.q.end()};
    }

private:
    EventStepper stepper_;
    long steps_;
    std::vector<double> events_;
};

json data_of(const Chain& chain) {
    return {{"q", chain.q},
            {"v", chain.v},
            {"coupling", chain.coupling},
            {"tie", chain.tie},
            {"cubic", chain.cubic},
            {"gravity", chain.gravity},
            {"floor", chain.floor},
            {"restitution", chain.restitution}};
}
json data_of(const Cam& cam) { return {{"rpm", cam.rpm}, {"gap", cam.gap}, {"rate", cam.rate}}; }

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
    using namespace saltus::benchmarks;
    if (argc != 2) {
        fmt::print(stderr, "usage: peer_events DIRECTORY\n");
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    std::filesystem::create_directories(directory);
    json results = measure_events<SaltusMotion>();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const EventCase one = event_cases()[i];
        results[i]["t_end"] = one.t_end;
        results[i]["error"] = one.error;
        results[i]["system"] = std::visit([](const auto& system) { return data_of(system); }, one.system);
    }
    open_for_writing(directory / "events.json")
        << json{{"compiler", "g++ " __VERSION__}, {"cases", results}}.dump(1) << '\n';
}
