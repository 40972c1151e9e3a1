"""The result of a run: samples of channels, events, reports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _saltus
from .channels import Channels
from .entries import path_of

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Event:
    """Something that happened at one moment.

    Attributes
    ----------
    t
        When; in time stepping, the end of the step in which it happened.
    kind
        ``"impact"``, ``"closing"``, ``"opening"``, ``"sliding"``, ``"sticking"``, ``"switching"``, ``"jump"``,
        ``"accumulation"``.
    interaction, row
        Where it happened.
    before, after
        In event-driven motion the state before and after (q then v, or x). In time stepping the normal velocities of an
        impact, and for a switch where the multiplier is: ``"lower"``, ``"between"``, ``"upper"``.
    percussion
        That of an impact in time stepping, else NaN.
    """

    t: float
    kind: str
    interaction: str
    row: int
    before: Any
    after: Any
    percussion: float = float("nan")


@dataclass(frozen=True)
class FailedStep:
    """A step whose problem could not be solved: where it ended, why, what the solver said, and what was done."""

    t: float
    reason: str
    where: str
    solver: str
    status: str
    iterations: int
    residual: float
    taken: bool
    halvings: int


@dataclass(frozen=True)
class Reports:
    """How well the laws were satisfied.

    Attributes
    ----------
    residual
        How far the laws are from holding at each sample, zero where they hold.
    failed
        The steps that could not be solved.
    """

    residual: np.ndarray
    failed: list[FailedStep]


class Run:
    """The result of a simulation.

    ``run.t`` are the times of the samples, ``run["ball.q"]`` the values of all channels of that name (samples x
    entries), ``run["ball.q[0]"]`` those of one (samples).

    Attributes
    ----------
    status
        ``"reached"`` (the end), ``"interrupted"`` or ``"failed"``.
    success
        Whether the end was reached with every step solved.
    message
        What happened, for people.

    >>> import saltus as sl
    >>> m = sl.Model("ball")
    >>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=[-9.81])
    >>> m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.5))
    >>> run = sl.simulate(m, t_end=1.0, step=1e-3)
    >>> run.success, run["ball.q"].shape, [event.kind for event in run.events if event.kind == "impact"][:2]
    (True, (1001, 1), ['impact', 'impact'])
    """

    def __init__(self, record: _saltus.Record) -> None:
        self._record = record
        self._values = record.values
        self._channels = Channels(record.channels)
        self._summary = record.summary

    # -- samples

    @property
    def t(self) -> np.ndarray:
        """The times of the samples."""
        return self._record.times

    @property
    def channels(self) -> list[str]:
        """The names of the channels."""
        return list(self._channels.names)

    def __contains__(self, name: object) -> bool:
        return name in self._channels

    def __getitem__(self, name: str) -> np.ndarray:
        return self._values[:, self._channels.place(name)]

    def __len__(self) -> int:
        return len(self.t)

    def to_pandas(self) -> pandas.DataFrame:
        """The samples as a pandas table, with the times as its index."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas: pandas is not installed; Debian's package is python3-pandas") from None
        return pandas.DataFrame(self._values, columns=self._channels.names, index=pandas.Index(self.t, name="t"))

    # -- what happened

    @cached_property
    def events(self) -> list[Event]:
        """What happened, in order of time: located events of event-driven motion; else impacts and switches."""
        if self._record.events or self._summary["scheme"].startswith("event-driven"):
            return [Event(*fields) for fields in self._record.events]
        found = [Event(t, "impact", name, 0, before, after, percussion)
                 for t, name, before, after, percussion in self._record.impacts]
        found += [Event(t, "switching", name, row, before, after)
                  for t, name, row, before, after in self._record.switches]
        return sorted(found, key=lambda event: event.t)

    @cached_property
    def impacts(self) -> np.ndarray:
        """The impacts: a structured array with the fields t, interaction, before, after and percussion."""
        names = max((len(name) for name in self._record.interactions), default=1)
        return np.array(self._record.impacts, dtype=[("t", float), ("interaction", f"U{names}"), ("before", float),
                                                     ("after", float), ("percussion", float)])

    @property
    def reports(self) -> Reports:
        """How well the laws were satisfied, sample by sample, and the steps that failed."""
        return Reports(self._record.residuals, [FailedStep(**entries) for entries in self._record.failures])

    @property
    def status(self) -> str:
        """How it ended: reached, interrupted or failed."""
        return self._summary["end"]

    @property
    def success(self) -> bool:
        """Whether the end was reached with every step solved."""
        return self.status == "reached" and self._summary["unsolved"] == 0

    @property
    def message(self) -> str:
        """What happened, for people."""
        s = self._summary
        if s["end"] == "failed":
            return s["message"]
        if s["end"] == "interrupted":
            return f"interrupted at t = {s['t']:.12g}; what was computed is kept"
        if s["unsolved"]:
            return f"steps taken though not solved: {s['unsolved']}; the results after the first are wrong"
        return f"{s['steps']} steps to t = {s['t']:.12g}, worst residual {s['worst_residual']:.1e}"

    @property
    def summary(self) -> dict[str, Any]:
        """The run in numbers: steps, switches, impacts, events, worst_residual, seconds, ...."""
        return dict(self._summary)

    @property
    def warnings(self) -> list[str]:
        """The warnings about the model."""
        return self._record.warnings

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the model when the run began; empty for a run that was loaded."""
        return self._record.parameters

    @property
    def model_text(self) -> str:
        """The model as a model file."""
        return self._record.model_text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._record,)  # the rest is made from it

    def __repr__(self) -> str:
        s = self._summary
        counts = [f"{s[kind]} {kind}" for kind in ("impacts", "switches", "events") if s[kind]]
        return (f"<run of '{s['name']}': {s['end']}, {len(self)} samples to t = {s['t']:.6g}, {s['scheme']}"
                f"{''.join(', ' + count for count in counts)}, {s['seconds']:.3g} s>")

    # -- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a result file (HDF5), which :func:`load` and the command ``saltus`` read."""
        self._record.write(path_of("path", path))

    def save_failed_problem(self, path: str | os.PathLike[str]) -> None:
        """Writes the problem of the first step that could not be solved, for :func:`load_problem`."""
        if not self._record.save_failed_problem(path_of("path", path)):
            raise ValueError("save_failed_problem: no step failed with a problem that a file can hold")

    def report(self, path: str | os.PathLike[str], *, plots: Sequence[Sequence[str]] = (),
               phases: Sequence[tuple[str, str]] = (), megabytes: float = 10.0) -> None:
        """Writes one HTML page that needs nothing else: plots that zoom together, the 3D replay of what the model draws
        (:meth:`Model.draw`), contact forces, conduction intervals, phase portraits, the health of the solver.

        Parameters
        ----------
        path
            The page, such as ``"ball.html"``.
        plots, phases
            Lists of channels, one plot each, and pairs of channels, instead of the default ones.
        megabytes
            Approximate size of the data in the page; a larger result is thinned.

        >>> import saltus as sl, tempfile, os
        >>> m = sl.Model("ball")
        >>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=[-9.81])
        >>> run = sl.simulate(m, t_end=1.0, step=1e-2)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run.report(os.path.join(folder, "ball.html"), plots=[["ball.q[0]", "ball.v[0]"]])
        """
        self._record.write_report(path_of("path", path), [list(plot) for plot in plots],
                                  [tuple(phase) for phase in phases], float(megabytes))

    # -- pictures

    def plot(self, *channels: str, axes: Any = None, events: bool = False, **style: Any) -> Any:
        """Draws channels over time: see :func:`saltus.plots.plot`."""
        from .plots import plot

        return plot(self, *channels, axes=axes, events=events, **style)

    def phase(self, x: str, y: str, z: str | None = None, *, axes: Any = None, **style: Any) -> Any:
        """Draws one channel against another: see :func:`saltus.plots.phase`."""
        from .plots import phase

        return phase(self, x, y, z, axes=axes, **style)

    def animate(self, shapes: Any = None, **options: Any) -> Any:
        """Shows the bodies in motion: see :func:`saltus.animation.animate`."""
        from .animation import animate

        return animate(self, shapes, **options)


def load(path: str | os.PathLike[str]) -> Run:
    """Reads a result file, written by :meth:`Run.save` or by the command ``saltus run``."""
    return Run(_saltus.Record.read(path_of("path", path)))
