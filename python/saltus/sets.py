"""Closed convex sets K(t), for Model.moving_set(). Their functions are functions of (t)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class HalfSpace:
    """``normal . x + offset(t) >= 0``."""

    normal: Any
    offset: Any = None


@dataclass(frozen=True)
class Polyhedron:
    """``normals x + offsets(t) >= 0``, row by row."""

    normals: Any
    offsets: Any = None


@dataclass(frozen=True)
class Box:
    """``lower(t) <= x <= upper(t)``; one of the two may be left out."""

    lower: Any = None
    upper: Any = None


@dataclass(frozen=True)
class Ball:
    """``|x - centre(t)| <= radius(t)``."""

    centre: Any
    radius: Any


MovingSet = HalfSpace | Polyhedron | Box | Ball


def set_entries(value: Any) -> tuple[str, dict[str, Any]]:
    """The key and the entries of a set in a table [sets.NAME]."""
    kinds = {HalfSpace: "half_space", Polyhedron: "polyhedron", Box: "box", Ball: "ball"}
    if type(value) not in kinds:
        raise TypeError(f"set: is {type(value).__name__}; give HalfSpace, Polyhedron, Box or Ball")
    return kinds[type(value)], dict(vars(value))
