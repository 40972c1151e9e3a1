"""Many runs: sweeps over parameters, maps that show a long motion with few points, bifurcation diagrams."""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _saltus
from .entries import number_of
from .model import Model
from .progress import ProgressBar, is_wanted
from .run import Run
from .simulation import _attach, _options

_KINDS = ("run", "final", "stroboscopic", "poincare", "impact-map")


class Sweep:
    """Runs of a model for many values of its parameters.

    ``sweep.values`` is a list of dicts, ``sweep.runs`` the runs in the same order; ``sweep["R"]`` the values of one
    parameter, ``sweep.final("ball.q[0]")`` the last value of a channel in each run. Iterate to get (values, run).
    """

    def __init__(self, values: list[dict[str, float]], runs: list[Run]) -> None:
        self.values = values
        self.runs = runs

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[tuple[dict[str, float], Run]]:
        return iter(zip(self.values, self.runs))

    def __getitem__(self, parameter: str) -> np.ndarray:
        return np.array([values[parameter] for values in self.values])

    def final(self, channel: str) -> np.ndarray:
        """The last value of a channel in each run; NaN where a run did not reach its end."""
        return np.array([run[channel][-1] if run.status == "reached" else np.nan for run in self.runs])

    @property
    def failures(self) -> list[tuple[dict[str, float], str]]:
        """The values whose runs did not reach the end, and why."""
        return [(values, run.message) for values, run in self if run.status != "reached"]

    def __repr__(self) -> str:
        names = ", ".join(self.values[0]) if self.values else "nothing"
        return f"<sweep of {len(self)} runs over {names}, {len(self.failures)} failed>"


class Bifurcation:
    """A bifurcation diagram: points (parameter, value).

    ``parameter`` and ``value`` are arrays of the same length; :meth:`plot` draws them.
    """

    def __init__(self, name: str, channel: str, parameter: np.ndarray, value: np.ndarray, sweep: Sweep) -> None:
        self.name, self.channel, self.parameter, self.value, self.sweep = name, channel, parameter, value, sweep

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draws the points; returns matplotlib's axes."""
        from .plots import points

        return points(self.parameter, self.value, self.name, self.channel, axes, **style)

    def __repr__(self) -> str:
        return f"<bifurcation diagram of {self.channel} over {self.name}: {len(self.value)} points>"


def sweep(model: Model | Callable[..., Model], t_end: float | str | None = None, step: float | str | None = None, *,
          record: str = "run", period: float | str | None = None, section: str | tuple[str, float] | None = None,
          transient: float | str | None = None, scheme: Any = None, record_every: int | None = None, threads: int = 0,
          progress: bool | None = None, **varied: Sequence[float]) -> Sweep:
    """Runs a model for many values of its parameters, on all cores.

    Parameters
    ----------
    model
        A model with parameters, or a function of the varied values that returns a model.
    t_end, step
        As for :func:`simulate`; texts may be expressions of the parameters, ``step="60/rpm/1000"``.
    record
        What is kept of each run: ``"run"`` (everything), ``"final"`` (the last state), ``"stroboscopic"`` (once a
        ``period``), ``"poincare"`` (where a channel passes a value, the ``section``), ``"impact-map"``.
    transient
        Maps keep nothing before this time.
    threads
        All cores if not given; results do not depend on it.
    varied
        The values of each parameter; for several parameters all combinations.

    Raises
    ------
    Exception
        From a function of the model. It ends all runs, and ``error.sweep`` has what was computed; ``error.run`` is the
        run in which it came.

    Examples
    --------
    >>> import numpy as np
    >>> import saltus as sl
    >>> m = sl.Model()
    >>> e = m.parameter("e", 0.5)
    >>> ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    >>> m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=e))
    >>> result = sl.sweep(m, t_end=1.0, step=1e-3, record="final", e=[0.0, 0.5, 0.9])
    >>> bool(np.all(np.diff(result.final("energy.total")) > 0))
    True
    """
    if record not in _KINDS:
        raise ValueError(f"record is {record!r}; it must be one of {', '.join(_KINDS)}")
    if not varied:
        raise ValueError("sweep: no parameter is varied; give values by its name, e=[0.5, 0.9]")
    axes = {name: _values(name, values) for name, values in varied.items()}
    combinations = [dict(zip(axes, chosen)) for chosen in itertools.product(*axes.values())]
    options = _options(scheme, t_end, step, record_every)
    tasks, documents = [], []
    for values in combinations:
        if isinstance(model, Model):
            document, given = model._document, list(values.items())
        else:
            document, given = _built(model, values)._document, []
        documents.append(document)  # kept alive until the runs end
        tasks.append(_task(document, options, given, record, period, section, transient))
    try:
        result = Sweep(combinations, _study(tasks, threads, progress))
    except BaseException as error:
        if hasattr(error, "runs"):  # of a function of a model
            error.sweep = Sweep(combinations, error.runs)  # type: ignore[attr-defined]
            error.add_note("error.sweep holds all runs up to there")
        raise
    if result.failures:
        warnings.warn(f"sweep: {len(result.failures)} of {len(result)} runs did not reach their end; the first: "
                      f"{result.failures[0][1]}", RuntimeWarning, stacklevel=2)
    return result


def bifurcation(model: Model | Callable[..., Model], channel: str, t_end: float | str | None = None,
                step: float | str | None = None, *, record: str | None = None, period: float | str | None = None,
                section: str | tuple[str, float] | None = None, **options: Any) -> Bifurcation:
    """Points of a map over one parameter, which is varied: see :func:`sweep`.

    Parameters
    ----------
    channel
        What is drawn: a channel; for the record ``"impact-map"`` one of ``"t"``, ``"phase"`` (needs ``period``),
        ``"before"``, ``"after"`` and ``"percussion"``.
    record
        ``"poincare"``, the default if a section is given, ``"stroboscopic"``, the default otherwise, or
        ``"impact-map"``.
    """
    kind = record or ("poincare" if section is not None else "stroboscopic")
    reserved = ("transient", "scheme", "threads", "progress", "record_every")
    varied = {name: values for name, values in options.items() if name not in reserved}
    if len(varied) != 1:
        raise ValueError(f"bifurcation: {len(varied)} parameters are varied; vary one, rpm=np.linspace(300, 1000, 100)")
    name = next(iter(varied))
    result = sweep(model, t_end, step, record=kind, period=period, section=section, **options)
    values, points = [], []
    for chosen, run in result:
        found = _points(run, kind, channel, _period_of(model, chosen, period))
        values.append(np.full(len(found), chosen[name]))
        points.append(found)
    return Bifurcation(name, channel, np.concatenate(values), np.concatenate(points), result)


def poincare(model: Model | Run, section: str | tuple[str, float], t_end: float | None = None,
             step: float | None = None, *, transient: float | None = None, scheme: Any = None,
             **parameters: float) -> Run:
    """The states whenever a channel passes a value upwards.

    Parameters
    ----------
    model
        A model, which is run; or a run, whose samples are interpolated.
    section
        A channel, which passes 0, or a channel and a value: ``("mass.v[0]", 0.5)``.
    """
    channel, value = _section(section)
    if isinstance(model, Run):
        return _section_of_run(model, channel, value)
    return _one_map(model, "poincare", t_end, step, transient, scheme, parameters, section=section)


def stroboscopic(model: Model, period: float | str, t_end: float | None = None, step: float | None = None, *,
                 transient: float | None = None, scheme: Any = None, **parameters: float) -> Run:
    """The states once per period, at t0 + k period."""
    return _one_map(model, "stroboscopic", t_end, step, transient, scheme, parameters, period=period)


def impact_map(model: Model, t_end: float | None = None, step: float | None = None, *, transient: float | None = None,
               scheme: Any = None, **parameters: float) -> np.ndarray:
    """The impacts of a run, as :attr:`Run.impacts`, without its samples."""
    return _one_map(model, "impact-map", t_end, step, transient, scheme, parameters).impacts


def _values(name: str, values: Any) -> list[float]:
    if isinstance(values, str) or np.ndim(values) != 1 or np.size(values) == 0:
        raise ValueError(f"sweep: {name} has no list of values; give one, {name}=[1, 2, 3]")
    return [number_of(f"sweep: {name}", value) for value in values]


def _built(function: Callable[..., Model], values: Mapping[str, float]) -> Model:
    if not callable(function):
        raise TypeError(f"model: is {type(function).__name__}; give a Model, or a function that returns one")
    model = function(**values)
    if not isinstance(model, Model):
        raise TypeError(f"model: the function returned {type(model).__name__}; it must return a Model")
    return model


def _section(section: Any) -> tuple[str, float]:
    if isinstance(section, str):
        return section, 0.0
    if isinstance(section, (tuple, list)) and len(section) == 2 and isinstance(section[0], str):
        return section[0], number_of("section", section[1])
    raise TypeError("section: give the name of a channel, or a pair (channel, value)")


def _task(document: _saltus.Document, options: dict[str, Any], values: list[tuple[str, float]], kind: str, period: Any,
          section: Any, transient: Any) -> tuple[Any, ...]:
    if (kind == "stroboscopic") and period is None:
        raise ValueError("record 'stroboscopic' needs a period")
    if (kind == "poincare") != (section is not None):
        raise ValueError("record 'poincare' and a section belong together")
    channel, value = ("", 0.0) if section is None else _section(section)
    numbers = {"period": period if kind == "stroboscopic" else None, "transient": transient}
    given = {key: n if isinstance(n, str) else number_of(key, n) for key, n in numbers.items() if n is not None}
    return document, options, values, kind, given, channel, value


def _study(tasks: list[tuple[Any, ...]], threads: int, progress: bool | None) -> list[Run]:
    bar = ProgressBar(0, len(tasks), "runs ") if is_wanted(progress) and len(tasks) > 1 else None
    try:
        records, error, ended = _saltus.study(tasks, _count("threads", threads), bar)
    finally:
        if bar is not None:
            bar.close()
    if error is not None:
        runs = [Run(record) for record in records]
        _attach(error, runs[ended])
        with contextlib.suppress(Exception):  # a class may refuse attributes
            error.runs = runs
        raise error
    if all(record.is_refused for record in records):  # no matter which values: a mistake in the call
        raise ValueError(records[0].summary["message"])
    return [Run(record) for record in records]


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value <= 4096:
        raise ValueError(f"{name} is {value!r}; give a whole number, 0 or more")
    return int(value)


def _one_map(model: Model, kind: str, t_end: Any, step: Any, transient: Any, scheme: Any,
             parameters: Mapping[str, float], period: Any = None, section: Any = None) -> Run:
    if not isinstance(model, Model):
        raise TypeError(f"model: is {type(model).__name__}; give a Model")
    values = [(name, number_of(name, value)) for name, value in parameters.items()]
    task = _task(model._document, _options(scheme, t_end, step), values, kind, period, section, transient)
    run = _study([task], 1, None)[0]
    if run.status == "failed":
        raise RuntimeError(run.message)
    if run.status == "interrupted":
        warnings.warn(run.message, RuntimeWarning, stacklevel=3)
    return run


def _period_of(model: Any, values: Mapping[str, float], period: Any) -> float | None:
    if period is None or not isinstance(period, str):
        return None if period is None else float(period)
    return _saltus_number(model, values, period)


def _saltus_number(model: Any, values: Mapping[str, float], text: str) -> float:
    if isinstance(model, Model):
        return model._document.number("period", text, list(values.items()))
    return _built(model, values)._document.number("period", text, [])


def _points(run: Run, kind: str, channel: str, period: float | None) -> np.ndarray:
    if kind != "impact-map":
        return np.array(run[channel]) if len(run) else np.empty(0)
    impacts = run.impacts
    if channel == "phase":
        if period is None:
            raise ValueError("bifurcation: the phase of impacts needs a period")
        phase = np.mod(impacts["t"] / period, 1.0)
        return np.where(phase > 1 - 1e-9, 0.0, phase)  # rounding must not turn 0 into 1
    if channel not in impacts.dtype.names or channel == "interaction":
        raise ValueError(f"bifurcation: an impact has no '{channel}'; it has t, phase, before, after and percussion")
    return impacts[channel]


def _section_of_run(run: Run, channel: str, value: float) -> Run:
    level = run[channel] - value
    before = np.flatnonzero((level[:-1] < 0) & (level[1:] >= 0))
    share = (-level[before] / (level[before + 1] - level[before]))[:, np.newaxis]
    table = np.column_stack([run.t, run._values])
    points = table[before] + share * (table[before + 1] - table[before])
    return Run(_saltus.Record.of_points(run._record, points[:, 0].copy(), np.ascontiguousarray(points[:, 1:])))
