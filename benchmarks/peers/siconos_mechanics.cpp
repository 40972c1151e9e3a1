#include <SiconosKernel.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

// siconos_mechanics N STEPS BEFORE: a column of N beads at rest (N = 0: a bouncing ball) in Siconos, Moreau-Jean with
// theta 1/2, driven by a loop in C++ which records nothing. Prints the CPU seconds of STEPS steps, which follow BEFORE
// others, and the last state.
int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const int beads = std::atoi(argv[1]);
    const long steps = std::atol(argv[2]), before = std::atol(argv[3]);  // until all contacts are closed
    const double radius = 0.1, gravity = 9.81, h = beads == 0 ? 1e-3 : 5e-3, theta = 0.5;
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, static_cast<double>(steps + before + 10) * h);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> systems;
    std::vector<std::shared_ptr<Interaction>> contacts;
    for (int i = 0; i < std::max(1, beads); ++i) {
        auto q0 = std::make_shared<SiconosVector>(1), v0 = std::make_shared<SiconosVector>(1);
        (*q0)(0) = beads == 0 ? 1.0 : radius * (2 * i + 1);
        auto mass = std::make_shared<SimpleMatrix>(1, 1);
        (*mass)(0, 0) = 1.0;
        auto system = std::make_shared<LagrangianLinearTIDS>(q0, v0, mass);
        auto weight = std::make_shared<SiconosVector>(1);
        (*weight)(0) = -gravity;
        system->setFExtPtr(weight);
        model->insertDynamicalSystem(system);
        systems.push_back(system);
        const int columns = i == 0 ? 1 : 2;
        auto G = std::make_shared<SimpleMatrix>(1, columns);
        (*G)(0, columns - 1) = 1.0;
        if (i > 0) (*G)(0, 0) = -1.0;
        auto offset = std::make_shared<SiconosVector>(1);
        (*offset)(0) = beads == 0 ? 0.0 : i == 0 ? -radius : -2.0 * radius;
        auto law = std::make_shared<NewtonImpactNSL>(beads == 0 ? 0.9 : 0.0);
        auto contact = std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(G, offset));
        if (i == 0)
            model->link(contact, system);
        else
            model->link(contact, systems[static_cast<std::size_t>(i) - 1], system);
        contacts.push_back(contact);
    }
    auto scheme = std::make_shared<MoreauJeanOSI>(theta);
    auto problem = std::make_shared<LCP>();
    auto simulation =
        std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0.0, h), scheme, problem);
    for (long k = 0; k < before; ++k) {
        simulation->computeOneStep();
        simulation->nextStep();
    }
    const std::clock_t begin = std::clock();
    for (long k = 0; k < steps; ++k) {
        simulation->computeOneStep();
        simulation->nextStep();
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%.9g %.17g %.17g\n", seconds, (*systems[0]->q())(0), (*systems[0]->velocity())(0));
}
