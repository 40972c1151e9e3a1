"""The laws of models: the relation of a multiplier to its output, of a percussion to a velocity."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from . import _saltus
from .expressions import Expression

Number = float | str | Expression


def _given(law: Any) -> dict[str, Any]:
    """The entries that differ from their defaults."""
    values = {f.name: (getattr(law, f.name), f.default) for f in fields(law)}
    return {name: value for name, (value, default) in values.items()
            if isinstance(value, Expression) or value != default}


@dataclass(frozen=True)
class Complementarity:
    """``0 <= lambda``, ``0 <= y``, ``lambda y = 0``: ideal diodes, contacts."""


@dataclass(frozen=True)
class Relay:
    """``lambda = lower`` where y > 0, ``upper`` where y < 0, between where y = 0: sliding modes, switches.

    >>> import saltus as sl
    >>> sl.Relay()
    Relay(lower=-1.0, upper=1.0)
    """

    lower: Number = -1.0
    upper: Number = 1.0


@dataclass(frozen=True)
class Step:
    """``lambda = 0`` where y > 0, 1 where y < 0, between where y = 0."""


@dataclass(frozen=True)
class NewtonImpact:
    """A contact with Newton's impact law, ``u+ = -restitution u-``, and Coulomb's friction.

    Parameters
    ----------
    restitution
        In [0, 1].
    friction
        Coulomb's coefficient; the contact then needs a slip or tangents.
    tangential_restitution
        In [-1, 1].
    rolling
        The rolling arm, a length, of contacts with five rows.
    cohesion, brittle
        The tension that the contact carries; whether it is lost for good when the contact opens.

    >>> import saltus as sl
    >>> sl.NewtonImpact(restitution=0.8).restitution
    0.8
    """

    restitution: Number = 0.0
    friction: Number = 0.0
    tangential_restitution: Number = 0.0
    rolling: Number = 0.0
    cohesion: Number = 0.0
    brittle: bool = False


@dataclass(frozen=True)
class FremondImpact:
    """Fremond's impact law: Newton's, in the tangential directions too. Impacts never add energy."""

    restitution: Number = 0.0
    friction: Number = 0.0


@dataclass(frozen=True)
class PoissonImpact:
    """Poisson's impact law: the percussion of the expansion is at least ``restitution`` times that of compression."""

    restitution: Number = 0.0
    friction: Number = 0.0


@dataclass(frozen=True)
class CascadeImpact:
    """Liu, Zhao and Brogliato's impact law: contacts as springs in the limit of infinite stiffness, no friction.

    ``force = stiffness * penetration**exponent``, exponent 3/2 for Hertz; only ratios of stiffnesses between contacts
    of equal exponent count.
    """

    restitution: Number = 0.0
    stiffness: Number = 1.0
    exponent: Number = 1.0


def contact_entries(law: Any) -> dict[str, Any]:
    """The entries of the law in a table [contacts.NAME]."""
    if law is None:
        return {}
    names = {NewtonImpact: None, FremondImpact: "fremond", PoissonImpact: "poisson", CascadeImpact: "cascade"}
    if type(law) not in names:
        raise TypeError(f"law: is {type(law).__name__}; a contact has NewtonImpact, FremondImpact, PoissonImpact or "
                        "CascadeImpact")
    entries = _given(law)
    if (impact := names[type(law)]) is not None:
        entries["impact"] = impact
    return entries


def interval_entry(law: Any) -> Any:
    """The value of a key `law`: a name, bounds, or a list of these."""
    if isinstance(law, (list, tuple)):
        return [interval_entry(one) for one in law]
    if isinstance(law, (str, dict)):
        return law
    if isinstance(law, Complementarity):
        return "complementarity"
    if isinstance(law, Step):
        return "step"
    if isinstance(law, _saltus.Equality):
        return "equality"
    if isinstance(law, (Relay, _saltus.Interval)):
        bounds = {"lower": law.lower, "upper": law.upper}
        return {key: bound for key, bound in bounds.items() if not (isinstance(bound, float) and math.isinf(bound))}
    raise TypeError(f"law: is {type(law).__name__}; give Complementarity(), Relay(), Step(), Equality() or "
                    "Interval(lower, upper), or a list with one per row")
