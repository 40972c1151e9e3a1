#pragma once

#include "saltus/io/model/model_file.hpp"
#include "saltus/io/result/result_file.hpp"
#include "support/temporary_file.hpp"

namespace saltus::testing {

// Runs a model, given as the text of its file, and writes the results as `saltus run` does.
inline void write_result(const std::filesystem::path& path, const std::string& text) {
    ModelFile file = parse_model_file(text, "model.toml");
    std::visit(
        [&](const auto& model) {
            TimeStepping options = file.simulation;
            options.scheme = options.scheme_for(model);
            RunSummary summary{.name = model.name, .scheme = describe(*options.scheme), .end = "running"};
            ResultWriter writer(path, result_names(model, *options.scheme), text, summary);
            const RunReport report = options.run(model, {.begins = [&](const Placement& p) { writer.begins(p); },
                                                         .sample = [&](const Sample& s) { writer.sample(s); },
                                                         .switched = [&](const Switch& s) { writer.switched(s); },
                                                         .impact = [&](const Impact& i) { writer.impact(i); },
                                                         .event = [&](const Event& e) { writer.event(e); }});
            summarise(report, summary);
            writer.finish(summary);
        },
        file.model);
}

// The same with a file of its own.
struct ResultOf {
    TemporaryFile file{"", ".h5"};
    explicit ResultOf(const std::string& text) { write_result(file.path(), text); }
};

// A ball that is thrown, bounces, slides and rolls, as it is drawn.
inline const std::string drawn_ball = R"toml(
name = "ball"
description = "A ball that is drawn"
[parameters]
R = 0.1
[signals]
doubled = "2*t"
height = "q[1] - R"
[systems.ball]
q0 = [0, 0.5, 0]
v0 = [1, 0, 0]
mass = [1, 1, "2/5*R^2"]
force = [0, -9.81, 0]
[contacts.ground]
gap = "q[1] - R"
slip = "q[0] + R*q[2]"
restitution = 0.5
friction = 0.05
[simulation]
step = 1e-3
t_end = 1
[view.bodies.ball]
shape = "sphere"
radius = "R"
position = ["q[0]", 0, "q[1]"]
angle = "q[2]"
color = "#0072b2"
[view.bodies.floor]
shape = "plane"
size = [4, 1]
position = [0, 0, 0]
[view.bodies.rod]
shape = "segment"
radius = 0.01
from = [0, 0, 1]
to = ["q[0]", 0, "q[1]"]
[view.contacts.ground]
point = ["q[0]", 0, 0]
normal = [0, 0, 2]
tangent = [3, 0, 0]
)toml";

}  // namespace saltus::testing
