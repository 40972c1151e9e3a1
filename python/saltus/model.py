"""Models: systems, and what couples them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _saltus
from .entries import EntryWriter, Scope, name_of, number_of, path_of, text_of
from .expressions import Expression, state_symbols, systems_in
from .laws import contact_entries, interval_entry
from .sets import MovingSet, set_entries


class System:
    """A system of a model, which :meth:`Model.first_order` or :meth:`Model.lagrangian` returns and other methods take.

    ``system.q``, ``system.v``, ``system.x`` are its symbols, for expressions: ``gap=ball.q[0] - table.q[0]``.
    """

    def __init__(self, name: str, letters: str, initial: Mapping[str, np.ndarray]) -> None:
        self.name = name
        self.initial = dict(initial)
        self.size = len(self.initial[letters[0]])
        self._symbols = {letter: state_symbols(name, letter, self.size) for letter in letters}

    def __getattr__(self, name: str) -> Any:
        symbols: dict[str, np.ndarray] = self.__dict__.get("_symbols") or {}  # none while it is copied
        if name in symbols:
            return symbols[name]
        raise AttributeError(f"system '{self.__dict__.get('name')}' has no '{name}'; it has {', '.join(symbols)}")

    def __repr__(self) -> str:
        return f"<system '{self.name}' with {self.size} {'states' if 'x' in self._symbols else 'coordinates'}>"


class Model:
    """What is simulated: first-order systems, or Lagrangian ones, and what couples them.

    Functions of a model (forces, gaps, outputs, ...) may be numbers; texts such as ``"-k*q[0]"``; expressions such as
    ``-k * ball.q[0]``; Python functions decorated with :class:`traced`, which become expressions; or plain Python
    functions, numpy in, numpy out, called with the variables that their parameters name.

    Parameters
    ----------
    name
        Printed, and kept in results.
    description
        A line for people.
    t0
        When it begins.

    Examples
    --------
    >>> import saltus as sl
    >>> m = sl.Model("ball")
    >>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], v=[0.0], force=[-9.81])
    >>> m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.8))
    >>> m
    <model 'ball': system ball; contact ground>
    """

    def __init__(self, name: str = "model", description: str = "", t0: float = 0.0) -> None:
        self._document = _saltus.Document(text_of("Model: name", name))
        self._document.set_description(text_of("Model: description", description))
        self._document.set_t0(number_of("Model: t0", t0))
        self._entries = EntryWriter(self._document)
        self._systems: dict[str, System] = {}

    # -- what both kinds of models have

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._document.name

    @property
    def description(self) -> str:
        """A line for people."""
        return self._document.description

    @property
    def t0(self) -> float:
        """When it begins."""
        return self._document.t0

    @property
    def systems(self) -> dict[str, System]:
        """The systems by name."""
        return dict(self._systems)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters and their values."""
        return self._document.parameters

    def parameter(self, name: str, value: float | str | Expression) -> Expression:
        """A name for a number, which may be changed later, and varied in sweeps. Returns its symbol.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> R = m.parameter("R", 1e3)
        >>> tau = m.parameter("tau", 1e-6 * R)
        >>> m.parameters
        {'R': 1000.0, 'tau': 0.001}
        """
        self._document.add_parameter(text_of("parameter: name", name), self._entries.entry("value", value))
        return Expression("name", name)

    def signal(self, name: str, expression: str | Expression) -> Expression:
        """A name for an expression of t, and of the variables known wherever it is used. Returns its symbol."""
        text = self._entries.entry(name, expression)
        self._document.add_signal(text_of("signal: name", name), str(text))
        return Expression("name", name)

    def set(self, **parameters: float) -> Model:
        """Changes parameters. Those that depend on them follow. Returns the model.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> R = m.parameter("R", 1e3)
        >>> m.set(R=5e3).parameters["R"]
        5000.0
        """
        for name, value in parameters.items():
            self._document.set_parameter(name, number_of(f"set: {name}", value))
        return self

    def copy(self) -> Model:
        """A copy of the model, which may be changed independently."""
        result = object.__new__(type(self))
        result.__dict__.update(self.__dict__)
        result._document = self._document.copy()
        result._entries = self._entries.copy(result._document)
        result._systems = dict(self._systems)
        return result

    def __copy__(self) -> Model:
        return self.copy()

    @property
    def text(self) -> str:
        """The model as a model file, which has only a placeholder for a Python function."""
        return self._document.text({})

    def save(self, path: str | os.PathLike[str], t_end: float | None = None, step: float | None = None) -> None:
        """Writes the model as a model file (.toml), for the command ``saltus run``.

        ``t_end`` and ``step`` are needed unless the model was loaded from a file that has them.
        """
        given = {key: number_of(f"save: {key}", value) for key, value in (("t_end", t_end), ("step", step))
                 if value is not None}
        text = self._document.text(given)
        steps = text.partition("\n[simulation]")[2]
        if not all(re.search(rf"^{key} = ", steps, re.MULTILINE) for key in ("t_end", "step")):
            raise ValueError("save: a model file has the end and the step of its run; give t_end and step")
        if not self._document.is_text:
            raise ValueError("save: a model file cannot hold Python functions and large matrices; write functions as "
                             "texts, as expressions or with traced")
        with open(path_of("path", path), "w", encoding="utf-8") as file:
            file.write(text)

    def __repr__(self) -> str:
        words = [f"{kind.rstrip('s')} {name}" for kind, name in self._document.pieces
                 if not kind.startswith("view.") and not (kind == "signals" and name.startswith("_"))]
        return f"<model '{self.name}': {'; '.join(words) if words else 'empty'}>"

    # -- first-order systems

    def first_order(self, name: str, x: Any, *, A: Any = None, M: Any = None, b: Any = None, f: Any = None) -> System:
        """A first-order system, ``M x' = A x + b(t) + f(x, t) + r``, r from the interactions.

        Parameters
        ----------
        x
            The initial state.
        A, M
            Matrices, dense or from scipy.sparse; M is the identity if it is not given.
        b, f
            Functions of (t) and of (x, t), one entry per state.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> tank = m.first_order("tank", x=[1.0, 0.0], A=[[0, 1], [-1, 0]])
        """
        initial = self._entries.vector(f"systems.{name}.x0", x)
        n = len(initial)
        scope = Scope({"x": initial}, self._t0(), {name: 0})
        write = self._entries
        entries = {"x0": write.entry(f"systems.{name}.x0", x), "A": write.matrix(f"systems.{name}.A", A),
                   "M": write.matrix(f"systems.{name}.M", M),
                   "b": write.function(f"systems.{name}.b", b, scope.of("t"), (n,)),
                   "f": write.function(f"systems.{name}.f", f, scope.of("x", "t"), (n,))}
        self._add("systems", name, entries)
        return self._remember(name, "x", {"x": initial})

    def interaction(self, name: str, *systems: System | str, y: Any = None, r: Any = None, C: Any = None, D: Any = None,
                    B: Any = None, e: Any = None, law: Any = None, rows: int | None = None) -> None:
        """Couples first-order systems: ``-y in N_K(lambda)``, ``r`` on their right-hand sides.

        ``y = C x + D lambda + e(t) + y(x, lambda, t)``, ``r = B lambda + r(x, lambda, t)``; x stacks the states of the
        systems in the order given.

        Parameters
        ----------
        systems
            Those it acts on; not needed if the model has only one, or if expressions use their symbols.
        y, r, e
            Functions of (x, lam, t), (x, lam, t) and (t).
        C, D, B
            Matrices, dense or from scipy.sparse.
        law
            Complementarity(), the default, Relay(), Step(), Equality(), Interval(lower, upper); or a list, one per row.
        rows
            The number of rows, for a Python function ``y`` whose size cannot be found by calling it.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> capacitor = m.first_order("capacitor", x=[0.0], f="-10*x[0]")
        >>> m.interaction("diode", capacitor, y="x[0] + lambda[0] - 5*sin(t)", r="lambda[0]")
        """
        key = f"interactions.{name}"
        acting = self._acting(systems, (y, r), key)
        scope = self._scope(acting, "x")
        n = sum(system.size for system in acting)
        count = rows if rows is not None else self._entries.rows(key, y, scope, C, D, e, law)
        scope.values["lambda"] = np.zeros(count)
        known = scope.of("x", "lambda", "t")
        self._add("interactions", name, {
            "systems": [system.name for system in acting], "C": self._entries.matrix(f"{key}.C", C),
            "D": self._entries.matrix(f"{key}.D", D), "B": self._entries.matrix(f"{key}.B", B),
            "e": self._entries.function(f"{key}.e", e, scope.of("t"), (count,)),
            "y": self._entries.function(f"{key}.y", y, known, (count,)),
            "r": self._entries.function(f"{key}.r", r, known, (n,)),
            "law": None if law is None else self._entries.entry(f"{key}.law", interval_entry(law))})

    def moving_set(self, name: str, *systems: System | str, set: MovingSet) -> None:
        """Keeps the states of first-order systems in a set K(t), by r in -N_K(t)(x): Moreau's sweeping process.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> point = m.first_order("point", x=[0.0, 0.0])
        >>> m.moving_set("disk", point, set=sl.Ball(centre=["t", 0], radius=1))
        """
        acting = self._acting(systems, (), f"sets.{name}")
        kind, entries = set_entries(set)
        scope = self._scope(acting, "x")
        for key, value in entries.items():
            place = f"sets.{name}.{kind}.{key}"
            if key in ("normal", "normals"):
                is_matrix = key == "normals"
                entries[key] = (self._entries.matrix(place, value) if is_matrix else self._entries.entry(place, value))
            else:
                entries[key] = self._entries.function(place, value, scope.of("t"), None)
        given = {key: value for key, value in entries.items() if value is not None}
        self._add("sets", name, {"systems": [system.name for system in acting], kind: given})

    # -- Lagrangian systems

    def lagrangian(self, name: str, q: Any, v: Any = None, *, mass: Any, damping: Any = None, stiffness: Any = None,
                   force: Any = None, inertial: Any = None) -> System:
        """A mechanical system, ``M(q) v' + N(q, v) + C v + K q = force(q, v, t) + p``, p from contacts and joints.

        Parameters
        ----------
        q, v
            The initial coordinates and velocities; at rest if v is not given.
        mass
            M: a number (times the identity), a list (the diagonal), a matrix, dense or from scipy.sparse, or a function
            of (q).
        damping, stiffness
            C and K, likewise, constant.
        force
            A function of (q, v, t), one entry per coordinate.
        inertial
            N, needed where the mass depends on q: ``"derived"`` from the mass, a function of (q, v), or 0 if ``force``
            holds it.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> bob = m.lagrangian("bob", q=[1.0, 0.0], mass=0.5, force=[0, -4.9])
        >>> m.joint("rod", bob, constraint=sl.hypot(bob.q[0], bob.q[1]) - 1)
        """
        key = f"systems.{name}"
        q0 = self._entries.vector(f"{key}.q0", q)
        n = len(q0)
        v0 = np.zeros(n) if v is None else self._entries.vector(f"{key}.v0", v)
        scope = Scope({"q": q0, "v": v0}, self._t0(), {name: 0})
        self._add("systems", name, {
            "q0": self._entries.entry(f"{key}.q0", q), "v0": self._entries.optional(f"{key}.v0", v),
            "mass": self._entries.square(f"{key}.mass", mass, scope, n),
            "damping": self._entries.square(f"{key}.damping", damping, scope, n),
            "stiffness": self._entries.square(f"{key}.stiffness", stiffness, scope, n),
            "force": self._entries.function(f"{key}.force", force, scope.of("q", "v", "t"), (n,)),
            "inertial": self._entries.function(f"{key}.inertial", inertial, scope.of("q", "v", "t"), (n,))})
        return self._remember(name, "qv", {"q": q0, "v": v0})

    def contact(self, name: str, *systems: System | str, gap: Any, slip: Any = None, tangents: Any = None,
                law: Any = None) -> None:
        """A gap that never becomes negative, with friction and impacts.

        Parameters
        ----------
        gap
            The distance, a function of (q, t), q the stacked coordinates of the systems.
        slip
            1, 2 or 4 functions of (q, t) whose rates are the sliding (and rolling) velocities.
        tangents
            Instead of slip: the rows of T(q, t), sliding velocities T v.
        law
            NewtonImpact(restitution, friction), FremondImpact, PoissonImpact, CascadeImpact.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> block = m.lagrangian("block", q=[0.0, 0.0], v=[1.0, 0.0], mass=2.0, force=[0, -19.6])
        >>> m.contact("floor", block, gap=block.q[1], slip=block.q[0], law=sl.NewtonImpact(friction=0.3))
        """
        key = f"contacts.{name}"
        acting = self._acting(systems, (gap, slip, tangents), key)
        known = self._scope(acting, "q").of("q", "t")
        entries = {"systems": [system.name for system in acting],
                   "gap": self._entries.function(f"{key}.gap", gap, known, (1,)),
                   "slip": self._entries.function(f"{key}.slip", slip, known, None),
                   "tangents": self._entries.function(f"{key}.tangents", tangents, known, None)}
        law_of_contact = {k: self._entries.entry(f"{key}.{k}", value) for k, value in contact_entries(law).items()}
        self._add("contacts", name, entries | law_of_contact)

    def joint(self, name: str, *systems: System | str, constraint: Any = None, coordinate: Any = None,
              lower: Any = None, upper: Any = None, restitution: Any = None, friction: Any = None) -> None:
        """A constraint held at zero; or a coordinate with stops and dry friction.

        Parameters
        ----------
        constraint
            Functions of (q, t), zero at the beginning.
        coordinate
            Instead: a function of (q, t), with stops ``lower``, ``upper`` (contacts NAME.lower, NAME.upper) and their
            ``restitution``, and with a ``friction`` force or moment of up to this value (the force NAME.friction).

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> table = m.lagrangian("table", q=[0.0], v=[1.0], mass=1.0)
        >>> m.joint("drive", table, constraint="q[0] - sin(t)")
        """
        key = f"joints.{name}"
        acting = self._acting(systems, (constraint, coordinate), key)
        known = self._scope(acting, "q").of("q", "t")
        numbers = {"lower": lower, "upper": upper, "restitution": restitution, "friction": friction}
        self._add("joints", name, {
            "systems": [system.name for system in acting],
            "constraint": self._entries.function(f"{key}.constraint", constraint, known, None),
            "coordinate": self._entries.function(f"{key}.coordinate", coordinate, known, (1,)),
            **{k: self._entries.optional(f"{key}.{k}", value) for k, value in numbers.items()}})

    def spring(self, name: str, *systems: System | str, gap: Any, stiffness: Any = None, damping: Any = None,
               table: Any = None) -> None:
        """A one-sided spring, ``0 <= lambda``, ``0 <= gap + lambda/k + (d/k) u``, one of the two zero.

        Parameters
        ----------
        gap
            Functions of (q, lam, t), negative where the spring carries.
        stiffness, damping
            k, infinite if not given, and d.
        table
            Instead of stiffness: points (penetration, force) of a piecewise linear spring.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> mass = m.lagrangian("mass", q=[1.0], mass=1.0, force=[-9.81])
        >>> m.spring("pad", mass, gap=mass.q[0], stiffness=1e4, damping=10.0)
        """
        key = f"springs.{name}"
        acting = self._acting(systems, (gap,), key)
        scope = self._scope(acting, "q")
        scope.values["lambda"] = np.zeros(1)
        self._add("springs", name, {
            "systems": [system.name for system in acting],
            "gap": self._entries.function(f"{key}.gap", gap, scope.of("q", "lambda", "t"), None),
            "stiffness": self._entries.optional(f"{key}.stiffness", stiffness),
            "damping": self._entries.optional(f"{key}.damping", damping),
            "table": self._entries.matrix(f"{key}.table", table)})

    def force(self, name: str, *systems: System | str, y: Any, law: Any, direction: Any = None) -> None:
        """A force in an interval, ``-y in N_K(lambda)``, y a function of (q, v, t): relays, motors, dry friction.

        Parameters
        ----------
        law
            Relay(), Interval(lower, upper), or a list with one per row.
        direction
            How lambda acts on the coordinates: n numbers, or a matrix n x rows; dy/dv if not given.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> block = m.lagrangian("block", q=[0.0], v=[1.0], mass=1.0)
        >>> m.force("friction", block, y=block.v[0], law=sl.Relay(-3.0, 3.0))
        """
        key = f"forces.{name}"
        acting = self._acting(systems, (y,), key)
        known = self._scope(acting, "qv").of("q", "v", "t")
        if direction is not None:
            flat = np.ndim(direction) == 1
            direction = self._entries.entry(f"{key}.direction", list(direction)) if flat else self._entries.matrix(
                f"{key}.direction", direction)
        self._add("forces", name, {"systems": [system.name for system in acting],
                                   "y": self._entries.function(f"{key}.y", y, known, None), "direction": direction,
                                   "law": self._entries.entry(f"{key}.law", interval_entry(law))})

    # -- how it is drawn

    def draw(self, name: str, *systems: System | str, shape: str, **entries: Any) -> None:
        """How a body is drawn, by reports and exports; this does not enter the equations.

        Axes are right-handed: x to the right, y away from the viewer, z up.

        Parameters
        ----------
        systems
            Those whose q and v, or x, the expressions use; not needed if the model has only one, if expressions use
            their symbols, or if the body does not move.
        shape
            ``"sphere"`` (with ``radius``), ``"box"`` (``size``), ``"cylinder"``, ``"capsule"`` (``radius``, ``length``,
            ``along``), ``"plane"`` (``size``, ``along``), ``"segment"``, ``"spring"`` (``radius``, ``from_``, ``to``),
            ``"prism"`` (``outline``, ``depth``), ``"mesh"`` (``vertices``, ``triangles``).
        entries
            Those of the shape; ``position``, three expressions; ``angle`` about ``axis``, or ``quaternion``; ``color``.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=[-9.81])
        >>> m.draw("ball", ball, shape="sphere", radius=0.1, position=[0, 0, ball.q[0]])
        """
        given = {key.rstrip("_"): value for key, value in entries.items() if value is not None}
        self._draw("bodies", name, systems, {"shape": shape, **given})

    def draw_contact(self, name: str, *systems: System | str, point: Any, normal: Any, tangent: Any = None) -> None:
        """Where a contact is drawn, with the arrow of its force.

        Parameters
        ----------
        name
            The name of the contact.
        point, normal, tangent
            Three expressions each: where it touches; the direction in which the gap grows; that of the first slip.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=[-9.81])
        >>> m.contact("ground", ball, gap="q[0]")
        >>> m.draw_contact("ground", ball, point=[0, 0, 0], normal=[0, 0, 1])
        """
        self._draw("contacts", name, systems, {"point": point, "normal": normal, "tangent": tangent})

    def _draw(self, kind: str, name: str, systems: Sequence[System | str], entries: Mapping[str, Any]) -> None:
        key = f"view.{kind}.{name}"
        moves = systems or systems_in(list(entries.values())) or len(self._systems) == 1
        acting = self._acting(systems, tuple(entries.values()), key) if moves else []
        offsets, start = {}, 0
        for system in acting:
            offsets[system.name] = start
            start += system.size
        written = {k: self._entries.entry(f"{key}.{k}", value, offsets) for k, value in entries.items()
                   if value is not None}
        if acting:
            written["systems"] = [system.name for system in acting]
        self._add(f"view.{kind}", name, written)

    # -- how entries become those of a model file

    def _t0(self) -> float:
        return self._document.t0

    def _remember(self, name: str, letters: str, initial: Mapping[str, np.ndarray]) -> System:
        self._systems[name] = System(name, letters, initial)
        return self._systems[name]

    def _add(self, kind: str, name: str, entries: Mapping[str, Any]) -> None:
        self._document.add(kind, name_of(f"{kind}: name", name), {k: e for k, e in entries.items() if e is not None})

    def _acting(self, systems: Sequence[System | str], values: Sequence[Any], key: str) -> list[System]:
        """The systems that a piece acts on: those given, else those of its expressions, else the only one."""
        names = [system.name if isinstance(system, System) else system for system in systems]
        if not names:
            names = systems_in(list(values)) or (list(self._systems) if len(self._systems) == 1 else [])
        if not names:
            raise ValueError(f"{key}: the model has {len(self._systems)} systems; "
                             + ("say which of them it acts on" if self._systems else "add one first"))
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"{key}: {type(name).__name__} is not a system; give what first_order() or "
                                "lagrangian() returned, or its name")
            if name not in self._systems:
                raise ValueError(f"{key}: there is no system '{name}'; known are {', '.join(self._systems)}")
        return [self._systems[name] for name in names]

    def _scope(self, systems: Sequence[System], letters: str) -> Scope:
        for system in systems:
            if letters[0] not in system.initial:
                kind, other = ("first order", "Lagrangian") if letters == "x" else ("Lagrangian", "first order")
                raise ValueError(f"system '{system.name}' is of the kind {other}; this piece acts on those of {kind}")
        offsets, start = {}, 0
        for system in systems:
            offsets[system.name] = start
            start += system.size
        values = {letter: np.concatenate([system.initial[letter] for system in systems]) for letter in letters}
        return Scope(values, self._t0(), offsets)


def load_model(path: str | os.PathLike[str]) -> Model:
    """Reads a model file (.toml).

    >>> import saltus as sl
    >>> m = sl.load_model("examples/bouncing_ball.toml")  # doctest: +SKIP
    >>> run = sl.simulate(m)  # doctest: +SKIP
    """
    model = Model.__new__(Model)
    model._document = _saltus.Document.read(path_of("path", path))
    used = [int(name[1:]) for kind, name in model._document.pieces if kind == "signals" and re.fullmatch(r"_\d+", name)]
    model._entries = EntryWriter(model._document, max(used, default=-1) + 1)
    model._systems = {}
    letters = "qv" if model._document.is_mechanical else "x"
    for name, initial in model._document.initial_states():
        model._remember(name, letters, initial)
    return model
