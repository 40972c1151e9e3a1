#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "benchmarks/peers/measure.hpp"

// The motions which peer_events and siconos_events compute, written without either library, and how both are timed.
namespace saltus::benchmarks {

// Unit masses in a row, q_i from where all springs are slack, of which the first hits a floor; r = 0 at both ends:
//     q_i'' = r_i+1 - r_i - tie q_i - cubic q_i^3 - gravity,   r_i = coupling (q_i - q_i-1),   q_0 >= floor.
struct Chain {
    std::vector<double> q, v;
    double coupling = 0.0, tie = 0.0, cubic = 0.0, gravity = 0.0, floor = 0.0, restitution = 0.9;
};

// A follower of height u, pressed by a spring on a cam which turns: m u'' + k u = lambda, u >= c(t); it starts
// above it. Radii of the arcs, distances of their centres and angles at which they end are those of
// examples/cam_follower.toml.
struct Cam {
    static constexpr double pi = 3.14159265358979323846;
    double rpm = 358.0, mass = 1.221, stiffness = 1430.8, restitution = 0.8;
    double gap = 0.4, rate = 0.4;  // u - c and its derivative at t = 0

    struct Point {
        double height = 0.0, speed = 0.0, acceleration = 0.0;
    };
    double speed() const { return 2.0 * pi * rpm / 60.0; }
    // A function of the angle by which the cam has turned since t = 0, with the derivatives by this angle.
    Point at_angle(double angle) const;
    // With the derivatives by the time.
    Point at(double t) const {
        const double w = speed();
        const Point point = at_angle(w * t);
        return {point.height, w * point.speed, w * w * point.acceleration};
    }
};

// height = -k cos(a) + sqrt(rho^2 - k^2 sin^2 a), and its derivatives by a.
inline Cam::Point arc(double a, double k, double rho) {
    const double c = std::cos(a), s = std::sin(a);
    const double root = std::sqrt(rho * rho - k * k * s * s), slope = -k * k * s * c / root;
    return {-k * c + root, k * s + slope, k * c - (k * k * (c * c - s * s) + slope * slope) / root};
}

inline Cam::Point Cam::at_angle(double angle) const {
    constexpr double base = 0.3;
    constexpr double b1 = pi / 2, b2 = b1 + 1.050328174371336, b3 = b1 + 1.22173047639603;
    double turn = std::fmod(angle + pi / 2, 2.0 * pi), sign = 1.0;
    if (turn > pi) {
        turn = 2.0 * pi - turn;
        sign = -1.0;
    }
    Point point{0.40};
    if (turn > b3)
        point = {0.55393320723821};
    else if (turn > b2)
        point = arc(turn + pi / 9, 0.40393320723821, 0.15);
    else if (turn > b1)
        point = arc(turn - pi / 2, 0.45, 0.85);
    return {point.height - base, sign * point.speed, point.acceleration};
}

struct EventCase {
    std::string name;
    double t_end = 1.0, h = 1.0;  // h: between samples
    double error = 1e-10;         // that is asked for, of times of impacts and of the last positions
    std::variant<Chain, Cam> system;
};

inline Chain ball(double restitution) {
    Chain chain{{1.0}, {0.0}};
    chain.gravity = 9.81;
    chain.restitution = restitution;
    return chain;
}

// Oscillators beside each other, in a stretched row that is let go: the first flies against the floor.
inline Chain oscillators(std::size_t masses, double cubic) {
    Chain chain{std::vector<double>(masses, 1.0), std::vector<double>(masses)};
    chain.coupling = 30.0;
    chain.tie = 100.0;
    chain.cubic = cubic;
    chain.floor = -0.25;
    return chain;
}

// Length, wave speed and speed are 1, and the mass of an element too: its stiffness is elements^2.
inline Chain bar(std::size_t elements) {
    Chain chain{std::vector<double>(elements + 1, 0.1), std::vector<double>(elements + 1, -1.0)};
    chain.coupling = static_cast<double>(elements * elements);
    chain.gravity = 0.1;
    chain.restitution = 0.0;
    return chain;
}

inline std::vector<EventCase> event_cases() {
    std::vector<EventCase> cases;
    cases.push_back({"bouncing ball, 26 impacts", 8.0, 1.0, 1e-10, ball(0.9)});
    cases.push_back({"cam follower, 358 rpm, 2 s", 2.0, 0.1, 1e-8, Cam{}});
    for (const std::size_t n : {10, 30, 100})
        cases.push_back({"row of " + std::to_string(n) + " oscillators", 10.0, 1.0, 1e-8, oscillators(n, 0.0)});
    for (const std::size_t n : {10, 30, 100})
        cases.push_back({"row of " + std::to_string(n) + " that are cubic", 10.0, 1.0, 1e-8, oscillators(n, 100.0)});
    cases.push_back({"bar of 30 elements", 3.0, 0.5, 1e-8, bar(30)});
    for (const int impacts : {10, 100, 1000, 10000}) {
        const double first = std::sqrt(2.0 / 9.81), t_end = 2.0 * impacts * first;
        cases.push_back(
            {"elastic ball, " + std::to_string(impacts) + " impacts", t_end, t_end / 10.0, 1e-3, ball(1.0)});
    }
    return cases;
}

// Times a library on all cases, at tolerances from loose to tight. `Motion` is made from a case and a tolerance, run()
// moves it to the end, events() are the times of impacts and where contacts open, q() the last positions.
template <class Motion>
nlohmann::json measure_events() {
    constexpr double limit = 10.0;  // seconds of the processor for one measurement
    nlohmann::json result = nlohmann::json::array();
    for (const EventCase& one : event_cases()) {
        nlohmann::json runs = nlohmann::json::array();
        for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
            nlohmann::json run = within(limit, [&]() -> nlohmann::json {
                std::vector<double> events, q;
                const auto set_up = [&] { return std::make_unique<Motion>(one, tolerance); };
                const double seconds = best_seconds_after(set_up, [&](Motion& motion) {
                    motion.run();
                    events = motion.events();
                    q = motion.q();
                });
                return {{"tolerance", tolerance}, {"seconds", seconds}, {"events", events}, {"q", q}};
            });
            if (!run.is_null()) runs.push_back(std::move(run));
        }
        result.push_back({{"name", one.name}, {"runs", std::move(runs)}});
    }
    return result;
}

}  // namespace saltus::benchmarks
