#include <SiconosKernel.hpp>
#include <cstdio>
#include <memory>

#include "benchmarks/peers/event_cases.hpp"

// siconos_events DIRECTORY: times Siconos's event-driven simulation with LsodarOSI on the cases of event_cases.hpp, in
// a loop in C++ that records nothing but the times of events, for events_peers.py.
namespace saltus::benchmarks {
namespace {

const Chain* chain_of_forces = nullptr;  // the function below gets no object from Siconos

// F_int of  q'' + F_int = F_ext.
void internal_forces(double, unsigned int n, double* q, double*, double* force, unsigned int, double*) {
    const Chain& chain = *chain_of_forces;
    for (unsigned int i = 0; i < n; ++i) force[i] = (chain.tie + chain.cubic * q[i] * q[i]) * q[i];
    for (unsigned int i = 0; i + 1 < n; ++i) {
        const double r = chain.coupling * (q[i + 1] - q[i]);
        force[i] -= r;
        force[i + 1] += r;
    }
}

// y = u - c(angle), of the coordinates (u, angle): LsodarOSI has no relations that depend on the time.
class OverCam : public LagrangianScleronomousR {
public:
    explicit OverCam(const Cam& cam) : cam_(cam) {
        _jachq = std::make_shared<SimpleMatrix>(1, 2);
        (*_jachq)(0, 0) = 1.0;
        _dotjachq = std::make_shared<SimpleMatrix>(1, 2);
    }
    void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
        y(0) = q(0) - cam_.at_angle(q(1)).height;
    }
    void computeJachq(const BlockVector& q, BlockVector&) override { (*_jachq)(0, 1) = -cam_.at_angle(q(1)).speed; }
    void computeDotJachq(const BlockVector& q, BlockVector&, const BlockVector& rate) override {
        (*_dotjachq)(0, 1) = -cam_.at_angle(q(1)).acceleration * rate(1);
    }

private:
    Cam cam_;
};

std::shared_ptr<SiconosVector> vector_of(const std::vector<double>& values) {
    return std::make_shared<SiconosVector>(values);
}
std::shared_ptr<SimpleMatrix> diagonal(std::size_t n, double value) {
    auto matrix = std::make_shared<SimpleMatrix>(static_cast<unsigned>(n), static_cast<unsigned>(n));
    for (unsigned i = 0; i < n; ++i) (*matrix)(i, i) = value;
    return matrix;
}

class SiconosMotion {
public:
    SiconosMotion(const EventCase& one, double tolerance)
        : model_(std::make_shared<NonSmoothDynamicalSystem>(0.0, one.t_end)) {
        std::visit([this](const auto& system) { add(system); }, one.system);
        auto integrator = std::make_shared<LsodarOSI>();
        simulation_ = std::make_shared<EventDriven>(model_, std::make_shared<TimeDiscretisation>(0.0, one.h));
        simulation_->insertIntegrator(integrator);
        simulation_->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
        simulation_->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
        // Errors of the integration leave contacts open or closed by as much, which Siconos treats as a mistake.
        simulation_->setToleranceED(std::max(1e-12, 10.0 * tolerance));
        simulation_->initialize();
        integrator->setTol(1, tolerance, tolerance);
        integrator->setMaxNstep(1000000);
        events_.reserve(20000);
    }

    void run() {
        const auto& manager = *simulation_->eventsManager();
        while (simulation_->hasNextEvent()) {
            simulation_->advanceToEvent();
            constexpr int nonsmooth = 2;
            if (manager.nextEvent()->getType() == nonsmooth) events_.push_back(simulation_->nextTime());
            simulation_->processEvents();
        }
    }
    const std::vector<double>& events() const { return events_; }
    std::vector<double> q() const {
        std::vector<double> q(system_->q()->size());
        for (std::size_t i = 0; i < q.size(); ++i) q[i] = (*system_->q())(static_cast<unsigned>(i));
        return q;
    }

private:
    void add(const Chain& chain) {
        chain_of_forces = &chain;
        const std::size_t n = chain.q.size();
        auto system = std::make_shared<LagrangianDS>(vector_of(chain.q), vector_of(chain.v), diagonal(n, 1.0));
        if (n > 1) system->setComputeFIntFunction(&internal_forces);
        system->setFExtPtr(vector_of(std::vector<double>(n, -chain.gravity)));
        auto G = std::make_shared<SimpleMatrix>(1, static_cast<unsigned>(n));
        (*G)(0, 0) = 1.0;
        link(system, std::make_shared<LagrangianLinearTIR>(G, vector_of({-chain.floor})), chain.restitution);
    }
    void add(const Cam& cam) {
        // So heavy that impacts do not slow it down.
        constexpr double inertia = 1e20;
        const Cam::Point start = cam.at(0.0);
        auto mass = diagonal(2, cam.mass), stiffness = diagonal(2, cam.stiffness);
        (*mass)(1, 1) = inertia;
        (*stiffness)(1, 1) = 0.0;
        auto follower = std::make_shared<LagrangianLinearTIDS>(vector_of({start.height + cam.gap, 0.0}),
                                                               vector_of({start.speed + cam.rate, cam.speed()}), mass);
        follower->setKPtr(stiffness);
        link(follower, std::make_shared<OverCam>(cam), cam.restitution);
    }
    void link(std::shared_ptr<LagrangianDS> system, std::shared_ptr<Relation> relation, double restitution) {
        system_ = std::move(system);
        model_->insertDynamicalSystem(system_);
        auto law = std::make_shared<NewtonImpactNSL>(restitution);
        model_->link(std::make_shared<Interaction>(law, std::move(relation)), system_);
    }

    std::shared_ptr<NonSmoothDynamicalSystem> model_;
    std::shared_ptr<LagrangianDS> system_;
    std::shared_ptr<EventDriven> simulation_;
    std::vector<double> events_;
};

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
    using namespace saltus::benchmarks;
    if (argc != 2) return 2;
    for (std::FILE* stream : {stdout, stderr})  // Siconos prints
        if (!std::freopen("/dev/null", "w", stream)) return 1;
    open_for_writing(std::filesystem::path(argv[1]) / "siconos_events.json") << measure_events<SiconosMotion>().dump(1);
}
