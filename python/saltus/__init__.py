"""Saltus: modelling and simulation of nonsmooth dynamical systems.

Complementarity problems, variational inequalities and contact with friction are solved by one function each:

>>> import saltus as sl
>>> sol = sl.solve_lcp([[2, 1], [1, 2]], [-5, 6])       # 0 <= z, 0 <= w = M z + q, z.w = 0
>>> sol.success, sol.z, sol.w
(True, array([2.5, 0. ]), array([0. , 8.5]))

``saltus.solvers()`` names the methods, ``help(saltus.solve_lcp)`` describes a function.
"""

from saltus._saltus import (
    BoxVi,
    Coulomb2D,
    Coulomb3D,
    Equality,
    FrictionProblem,
    GlobalFrictionProblem,
    GlobalFrictionSolution,
    Interval,
    Lcp,
    Mlcp,
    QpSolution,
    RollingFriction,
    Solution,
    __version__,
    load_problem,
    residual,
    save_problem,
    solve_box_vi,
    solve_friction,
    solve_global_friction,
    solve_lcp,
    solve_mlcp,
    solve_ncp,
    solve_one_step,
    solve_qp,
    solve_relay,
    solve_vi,
    solvers,
)

__all__ = [
    "BoxVi",
    "Coulomb2D",
    "Coulomb3D",
    "Equality",
    "FrictionProblem",
    "GlobalFrictionProblem",
    "GlobalFrictionSolution",
    "Interval",
    "Lcp",
    "Mlcp",
    "QpSolution",
    "RollingFriction",
    "Solution",
    "__version__",
    "load_problem",
    "residual",
    "save_problem",
    "solve_box_vi",
    "solve_friction",
    "solve_global_friction",
    "solve_lcp",
    "solve_mlcp",
    "solve_ncp",
    "solve_one_step",
    "solve_qp",
    "solve_relay",
    "solve_vi",
    "solvers",
]
