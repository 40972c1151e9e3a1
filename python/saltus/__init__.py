"""Saltus: modelling and simulation of nonsmooth dynamical systems.

A model in a few lines, simulated with the exact laws:

>>> import saltus as sl
>>> m = sl.Model()
>>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], v=[0.0], force=[-9.81])
>>> m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.8))
>>> run = sl.simulate(m, t_end=3.0, step=5e-3)
>>> axes = run.plot("ball.q[0]")
>>> run.success, run["ball.q"].shape
(True, (601, 1))

Complementarity problems, variational inequalities and contact with friction are solved by one function each:

>>> sol = sl.solve_lcp([[2, 1], [1, 2]], [-5, 6])       # 0 <= z, 0 <= w = M z + q, z.w = 0
>>> sol.success, sol.z, sol.w
(True, array([2.5, 0. ]), array([0. , 8.5]))

``saltus.solvers()`` names the methods; begin with ``help(saltus.Model)`` and ``help(saltus.solve_lcp)``.
"""

from saltus._saltus import (
    BoxVi, Coulomb2D, Coulomb3D, Equality, FrictionProblem, GlobalFrictionProblem, GlobalFrictionSolution, Interval,
    Lcp, Mlcp, QpSolution, RollingFriction, Solution, __version__, load_problem, residual, save_problem, solve_box_vi,
    solve_friction, solve_global_friction, solve_lcp, solve_mlcp, solve_ncp, solve_one_step, solve_qp, solve_relay,
    solve_vi, solver_options, solvers,
)
from saltus.animation import Animation, Disk, Line, Polygon, Rectangle, animate
from saltus.expressions import (
    Expression, Function, acos, asin, atan, atan2, cbrt, ceil, cos, cosh, exp, floor, hypot, lam, log, log10, maximum,
    minimum, q, sign, sin, sinh, sqrt, step, t, tan, tanh, traced, v, where, x,
)
from saltus.laws import CascadeImpact, Complementarity, FremondImpact, NewtonImpact, PoissonImpact, Relay, Step
from saltus.model import Model, System, load_model
from saltus.run import Event, FailedStep, Reports, Run, load
from saltus.schemes import (
    AnitescuPotra, D1Minus, EulerMoreau, EventDriven, ExplicitEuler, GeneralisedAlpha, HigherOrderSweeping, MoreauJean,
    RungeKutta, SchatzmanPaoli, StewartTrinkle,
)
from saltus.sets import Ball, Box, HalfSpace, Polyhedron
from saltus.simulation import Controller, Sample, Simulation, simulate
from saltus.studies import Bifurcation, Sweep, bifurcation, impact_map, poincare, stroboscopic, sweep

__all__ = [
    "Animation", "AnitescuPotra", "Ball", "Bifurcation", "Box", "BoxVi", "CascadeImpact", "Complementarity",
    "Controller", "Coulomb2D", "Coulomb3D", "D1Minus", "Disk", "Equality", "EulerMoreau", "Event", "EventDriven",
    "ExplicitEuler", "Expression", "FailedStep", "FremondImpact", "FrictionProblem", "Function", "GeneralisedAlpha",
    "GlobalFrictionProblem", "GlobalFrictionSolution", "HalfSpace", "HigherOrderSweeping", "Interval", "Lcp",
    "Line", "Mlcp", "Model", "MoreauJean", "NewtonImpact", "PoissonImpact", "Polygon", "Polyhedron", "QpSolution",
    "Rectangle", "Relay", "Reports", "RollingFriction", "Run", "RungeKutta", "Sample", "SchatzmanPaoli",
    "Simulation", "Solution", "Step", "StewartTrinkle", "Sweep", "System", "__version__", "acos", "animate", "asin",
    "atan", "atan2", "bifurcation", "cbrt", "ceil", "cos", "cosh", "exp", "floor", "hypot", "impact_map", "lam",
    "load", "load_model", "load_problem", "log", "log10", "maximum", "minimum", "poincare", "q", "residual",
    "save_problem", "sign", "simulate", "sin", "sinh", "solve_box_vi", "solve_friction", "solve_global_friction",
    "solve_lcp", "solve_mlcp", "solve_ncp", "solve_one_step", "solve_qp", "solve_relay", "solve_vi", "solver_options",
    "solvers", "sqrt", "step", "stroboscopic", "sweep", "t", "tan", "tanh", "traced", "v", "where", "x",
]
