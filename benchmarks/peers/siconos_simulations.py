"""The same examples in python3-siconos, as its tutorials write them: a loop over the steps that records. A model is
what the loop needs, a dictionary."""

from typing import Any

import numpy as np
import siconos.kernel as sk

Parts = dict[str, Any]


def ball_model() -> Parts:
    ball = sk.LagrangianLinearTIDS([1.0, 0.0, 0.0], [0.0, 0.0, 0.0], np.diag([1.0, 1.0, 0.004]))
    ball.setFExtPtr([-9.81, 0.0, 0.0])
    law = sk.NewtonImpactNSL(0.9)
    relation = sk.LagrangianLinearTIR([[1.0, 0.0, 0.0]])
    contact = sk.Interaction(law, relation)
    model = sk.NonSmoothDynamicalSystem(0.0, 10.0)
    model.insertDynamicalSystem(ball)
    model.link(contact, ball)
    scheme = sk.MoreauJeanOSI(0.5)
    discretisation = sk.TimeDiscretisation(0.0, 0.005)
    problem = sk.LCP()
    simulation = sk.TimeStepping(model, discretisation, scheme, problem)
    return {"simulation": simulation, "ball": ball, "contact": contact, "kept": (scheme, discretisation, problem)}


def ball_run(parts: Parts) -> np.ndarray:
    simulation, ball, contact = parts["simulation"], parts["ball"], parts["contact"]
    data = np.zeros((2001, 4))
    q = ball.q()
    v = ball.velocity()
    percussion = contact.lambda_(1)
    data[0, 0] = 0.0
    data[0, 1] = q[0]
    data[0, 2] = v[0]
    data[0, 3] = percussion[0]
    k = 1
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        data[k, 0] = simulation.nextTime()
        data[k, 1] = q[0]
        data[k, 2] = v[0]
        data[k, 3] = percussion[0]
        k += 1
        simulation.nextStep()
    return data


class CalledBall(sk.LagrangianLinearTIDS):
    """Its force is computed in Python."""

    def __init__(self) -> None:
        super().__init__([1.0, 0.0, 0.0], [0.0, 0.0, 0.0], np.diag([1.0, 1.0, 0.004]))
        self.setFExtPtr([0.0, 0.0, 0.0])
        self.weight = self.fExt()  # of what setFExtPtr was given it keeps a copy

    def computeFExt(self, time: float, *_: object) -> None:
        self.weight[0] = -9.81


def called_ball_model() -> Parts:
    ball = CalledBall()
    contact = sk.Interaction(sk.NewtonImpactNSL(0.9), sk.LagrangianLinearTIR([[1.0, 0.0, 0.0]]))
    model = sk.NonSmoothDynamicalSystem(0.0, 10.0)
    model.insertDynamicalSystem(ball)
    model.link(contact, ball)
    kept = sk.TimeDiscretisation(0.0, 0.005), sk.MoreauJeanOSI(0.5), sk.LCP()
    return {"simulation": sk.TimeStepping(model, *kept), "ball": ball, "contact": contact, "kept": kept}


def bridge_model() -> Parts:
    L, C, R = 1e-2, 1e-6, 1e3
    circuit = sk.FirstOrderLinearDS([10.0, 0.0], [[0.0, -1 / C], [1 / L, 0.0]])
    relation = sk.FirstOrderLinearTIR([[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
                                      [[0.0, 0.0, -1 / C, 1 / C], [0.0, 0.0, 0.0, 0.0]])
    relation.setDPtr([[1 / R, 1 / R, -1.0, 0.0], [1 / R, 1 / R, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    law = sk.ComplementarityConditionNSL(4)
    bridge = sk.Interaction(law, relation)
    model = sk.NonSmoothDynamicalSystem(0.0, 5e-3)
    model.insertDynamicalSystem(circuit)
    model.link(bridge, circuit)
    scheme = sk.EulerMoreauOSI(0.5)
    discretisation = sk.TimeDiscretisation(0.0, 1e-6)
    problem = sk.LCP()
    simulation = sk.TimeStepping(model, discretisation, scheme, problem)
    return {"simulation": simulation, "circuit": circuit, "bridge": bridge, "kept": (scheme, discretisation, problem)}


def bridge_run(parts: Parts) -> np.ndarray:
    simulation, circuit, bridge = parts["simulation"], parts["circuit"], parts["bridge"]
    data = np.zeros((5001, 11))
    x = circuit.x()
    y = bridge.y(0)
    multipliers = bridge.lambda_(0)
    data[0, 1:3] = x
    data[0, 3:7] = y
    data[0, 7:11] = multipliers
    for k in range(1, 5001):
        simulation.computeOneStep()
        data[k, 0] = simulation.nextTime()
        data[k, 1:3] = x
        data[k, 3:7] = y
        data[k, 7:11] = multipliers
        simulation.nextStep()
    return data


def column_model(beads: int, radius: float = 0.1) -> Parts:
    model = sk.NonSmoothDynamicalSystem(0.0, 100.0)
    law = sk.NewtonImpactNSL(0.0)
    systems = []
    for i in range(beads):
        bead = sk.LagrangianLinearTIDS([radius * (2 * i + 1) + (i + 1) * 0.5 / beads], [0.0], [[1.0]])
        bead.setFExtPtr([-9.81])
        model.insertDynamicalSystem(bead)
        systems.append(bead)
    ground = sk.LagrangianLinearTIR([[1.0]], [-radius])
    model.link(sk.Interaction(law, ground), systems[0])
    for below, above in zip(systems, systems[1:]):
        relation = sk.LagrangianLinearTIR([[-1.0, 1.0]], [-2 * radius])
        model.link(sk.Interaction(law, relation), below, above)
    scheme = sk.MoreauJeanOSI(0.5)
    discretisation = sk.TimeDiscretisation(0.0, 1e-3)
    problem = sk.LCP()
    simulation = sk.TimeStepping(model, discretisation, scheme, problem)
    return {"simulation": simulation, "systems": systems, "kept": (scheme, discretisation, problem)}


def column_run(parts: Parts, steps: int) -> np.ndarray:
    simulation, systems = parts["simulation"], parts["systems"]
    data = np.zeros((steps + 1, 1 + len(systems)))
    positions = [bead.q() for bead in systems]
    data[0, 1:] = [q[0] for q in positions]
    for k in range(1, steps + 1):
        simulation.computeOneStep()
        data[k, 0] = simulation.nextTime()
        data[k, 1:] = [q[0] for q in positions]
        simulation.nextStep()
    return data
