"""How a model advances from one step to the next: the schemes, with their options.

Where a function takes ``scheme``, a name does too: ``scheme="event-driven"``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal


@dataclass(frozen=True)
class _Scheme:
    name: ClassVar[str]


@dataclass(frozen=True)
class EulerMoreau(_Scheme):
    """The theta-gamma schemes of first-order models, implicit in the laws: no chattering, no events to locate.

    ``measures=True`` takes sigma = h lambda as the unknown, for states that jump; theta and gamma are then 1.
    """

    name = "euler-moreau"
    theta: float = 1.0
    gamma: float = 1.0
    measures: bool = False


@dataclass(frozen=True)
class HigherOrderSweeping(_Scheme):
    """For linear first-order models with complementarity laws of relative degree 2 and more."""

    name = "higher-order-sweeping"


@dataclass(frozen=True)
class ExplicitEuler(_Scheme):
    """For first-order models, the right-hand side switched by the laws: for comparison only, it chatters."""

    name = "explicit-euler"
    band: float = 0.0


@dataclass(frozen=True)
class RungeKutta(_Scheme):
    """As ExplicitEuler, with the classical method of order 4."""

    name = "runge-kutta"
    band: float = 0.0


@dataclass(frozen=True)
class EventDriven(_Scheme):
    """From event to event, each located up to rounding; the step is the time between samples. For all models.

    Parameters
    ----------
    tolerance
        The largest error of one step of the smooth motion between events.
    accumulation
        Events that accumulate within this time are passed by steps.
    method
        Between events: ``"runge-kutta"`` (order 6), ``"bdf"`` (stiff motion), ``"radau"``, ``"gauss"`` (equal steps).
    stages
        Stages of radau and gauss.
    """

    name = "event-driven"
    tolerance: float = 1e-10
    accumulation: float = 1e-6
    method: Literal["runge-kutta", "bdf", "radau", "gauss"] = "runge-kutta"
    stages: int = 3


@dataclass(frozen=True)
class MoreauJean(_Scheme):
    """The default of Lagrangian models: laws at the level of velocities, order 2 between events for theta = 1/2.

    Parameters
    ----------
    theta
        In [1/2, 1]; 1/2 conserves energy between events, 1 dissipates.
    projection
        After each step, ``"direct"`` moves positions to where gaps and constraints hold; ``"combined"`` also lets
        contacts that it closes take part in the step.
    tolerance, min_step
        Steps of automatic length, with at most this error and at least this length.
    """

    name = "moreau-jean"
    theta: float = 0.5
    projection: Literal["none", "direct", "combined"] = "none"
    tolerance: float | None = None
    min_step: float | None = None


@dataclass(frozen=True)
class SchatzmanPaoli(_Scheme):
    """Laws at the level of positions; contacts without friction, joints."""

    name = "schatzman-paoli"


@dataclass(frozen=True)
class StewartTrinkle(_Scheme):
    """Laws at the level of positions, plastic impacts. ``facets`` of 3 or more make the friction disk a polygon."""

    name = "stewart-trinkle"
    facets: int = 0


@dataclass(frozen=True)
class AnitescuPotra(_Scheme):
    """Linearised laws; with ``facets`` a step has a solution whatever the friction."""

    name = "anitescu-potra"
    facets: int = 0


@dataclass(frozen=True)
class D1Minus(_Scheme):
    """Explicit, laws at the level of velocities, order 2 between events."""

    name = "d1-minus"


@dataclass(frozen=True)
class GeneralisedAlpha(_Scheme):
    """Laws at all levels, no drift; ``spectral_radius`` in [0, 1] damps high frequencies, 1 conserves."""

    name = "generalised-alpha"
    spectral_radius: float = 0.8


Scheme = (EulerMoreau | HigherOrderSweeping | ExplicitEuler | RungeKutta | EventDriven | MoreauJean | SchatzmanPaoli
          | StewartTrinkle | AnitescuPotra | D1Minus | GeneralisedAlpha)


def scheme_entries(scheme: Any) -> dict[str, Any]:
    """The entries of a scheme in [simulation]: none if it is None, which leaves the choice to the model."""
    if scheme is None:
        return {}
    if isinstance(scheme, str):
        return {"scheme": scheme}
    if not isinstance(scheme, _Scheme):
        raise TypeError(f"scheme: is {type(scheme).__name__}; give a name, such as 'moreau-jean', or an object, such "
                        "as MoreauJean()")
    options = {f.name: getattr(scheme, f.name) for f in fields(scheme)}
    return {"scheme": scheme.name} | {key: value for key, value in options.items() if value is not None}
