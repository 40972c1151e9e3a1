"""Linear complementarity systems in Siconos, driven from Python."""

import numpy
import siconos.kernel as sk


def run(circuit, steps):
    """x' = A x + B lambda, y = C x + D lambda, 0 <= y _|_ lambda >= 0: the theta-gamma scheme with every step recorded.
    Returns the recorded rows t, x, lambda, y."""
    A, B, C, D = (numpy.array(circuit[name]) for name in "ABCD")
    h = circuit["step"]
    system = sk.FirstOrderLinearTIDS(numpy.array(circuit["x0"]), A)
    relation = sk.FirstOrderLinearTIR(C, B)
    relation.setDPtr(D)
    interaction = sk.Interaction(sk.ComplementarityConditionNSL(len(D)), relation)
    model = sk.NonSmoothDynamicalSystem(0.0, (steps + 10) * h)
    model.insertDynamicalSystem(system)
    model.link(interaction, system)
    scheme = sk.EulerMoreauOSI(circuit["theta"], circuit["gamma"])
    problem = sk.LCP()
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, h), scheme, problem)
    n, m = len(A), len(D)
    rows = numpy.zeros((steps + 1, 1 + n + 2 * m))
    x, y, multipliers = system.x(), interaction.y(0), interaction.lambda_(0)
    rows[0, 1:1 + n] = x
    for k in range(1, steps + 1):
        simulation.computeOneStep()
        row = rows[k]
        row[0] = simulation.nextTime()
        row[1:1 + n] = x
        row[1 + n:1 + n + m] = multipliers
        row[1 + n + m:] = y
        simulation.nextStep()
    return rows
