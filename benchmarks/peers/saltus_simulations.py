"""Examples of Siconos, written in Python with Saltus. For each a model, its run, and what is compared; the
bodies of the first two are the lines that are counted."""

import numpy as np

import saltus as sl


def ball_model() -> sl.Model:
    model = sl.Model()
    ball = model.lagrangian("ball", mass=[1.0, 1.0, 0.004], q=[1.0, 0.0, 0.0], force=[-9.81, 0.0, 0.0])
    model.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.9))
    return model


def ball_run(model: sl.Model) -> sl.Run:
    run = sl.simulate(model, t_end=10.0, step=0.005)
    return run


def ball_columns(run: sl.Run) -> np.ndarray:
    return np.column_stack([run.t, run["ball.q[0]"], run["ball.v[0]"], run["ground.P[0]"]])


def called_ball_model() -> sl.Model:
    def weight(t: float) -> list[float]:
        return [-9.81, 0.0, 0.0]

    model = sl.Model()
    ball = model.lagrangian("ball", mass=[1.0, 1.0, 0.004], q=[1.0, 0.0, 0.0], force=weight)
    model.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.9))
    return model


def bridge_model() -> sl.Model:
    L, C, R = 1e-2, 1e-6, 1e3
    model = sl.Model()
    circuit = model.first_order("circuit", x=[10.0, 0.0], A=[[0, -1 / C], [1 / L, 0]])
    model.interaction("bridge", circuit, law=sl.Complementarity(),
                      C=[[0, 0], [0, 0], [-1, 0], [1, 0]],
                      D=[[1 / R, 1 / R, -1, 0], [1 / R, 1 / R, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]],
                      B=[[0, 0, -1 / C, 1 / C], [0, 0, 0, 0]])
    return model


def bridge_run(model: sl.Model) -> sl.Run:
    run = sl.simulate(model, t_end=5e-3, step=1e-6, scheme=sl.EulerMoreau(theta=0.5))
    return run


def bridge_columns(run: sl.Run) -> np.ndarray:
    return np.column_stack([run.t, run["circuit.x"], run["bridge.y"], run["bridge.lambda"]])


def column_model(beads: int, radius: float = 0.1) -> sl.Model:
    model = sl.Model()
    law = sl.NewtonImpact(restitution=0.0)
    for i in range(beads):
        above = model.lagrangian(f"bead{i}", mass=1.0, q=[radius * (2 * i + 1) + (i + 1) * 0.5 / beads], force=[-9.81])
        model.contact(f"contact{i}", gap=above.q[0] - (below.q[0] + 2 * radius if i > 0 else radius), law=law)
        below = above
    return model


def column_run(model: sl.Model, steps: int) -> sl.Run:
    run = sl.simulate(model, t_end=steps * 1e-3, step=1e-3)
    return run


def column_columns(run: sl.Run) -> np.ndarray:
    return np.column_stack([run.t, *(run[name] for name in run.channels if name.endswith(".q[0]"))])
