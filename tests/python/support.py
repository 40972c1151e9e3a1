"""Models that several tests use."""

from pathlib import Path
from typing import Any

import saltus as sl

EXAMPLES = Path(__file__).parents[2] / "examples"


def bouncing_ball(restitution: Any = 0.9, force: Any = "-9.81", gap: Any = "q[0]") -> sl.Model:
    """A ball of mass 1, dropped from the height 1."""
    model = sl.Model("ball")
    ball = model.lagrangian("ball", q=[1.0], mass=1.0, force=force)
    model.contact("ground", ball, gap=gap, law=sl.NewtonImpact(restitution=restitution))
    return model


def rectifier(**functions: Any) -> sl.Model:
    """A capacitor charged by a sine through a diode."""
    model = sl.Model("rectifier")
    capacitor = model.first_order("capacitor", x=[0.0], f=functions.get("f", "-10*x[0]"))
    model.interaction("diode", capacitor, y=functions.get("y", "x[0] + lambda[0] - 5*sin(6*t)"),
                      r=functions.get("r", "100*lambda[0]"))
    return model
