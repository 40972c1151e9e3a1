"""Runs: from the beginning to an end, or step by step."""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from . import _saltus
from .channels import Channels
from .entries import number_of, path_of, text_of
from .model import Model
from .progress import ProgressBar, is_wanted
from .run import Run
from .schemes import scheme_entries

Observer = Callable[["Sample"], Any]


class Sample:
    """The channels at one time: ``sample.t``, ``sample["ball.q"]``."""

    def __init__(self, channels: Channels, t: float, values: np.ndarray) -> None:
        self._channels, self.t, self.values = channels, t, values

    def __getitem__(self, name: str) -> Any:
        return self.values[self._channels.place(name)]

    def __repr__(self) -> str:
        return f"<sample at t = {self.t:.6g} of {len(self.values)} channels>"


@dataclass(frozen=True)
class Controller:
    """Changes parameters of a running model, once per period.

    Parameters
    ----------
    period
        A whole number of steps.
    function
        Called with a :class:`Sample` at t0, t0 + period, ...; returns a dict of parameters and their values.

    >>> import saltus as sl
    >>> m = sl.Model()
    >>> u = m.parameter("u", 0.0)
    >>> tank = m.first_order("tank", x=[1.0], f=u - sl.x[0])
    >>> hold = sl.Controller(0.1, lambda sample: {"u": 2 - sample["tank.x[0]"]})
    >>> run = sl.simulate(m, t_end=5.0, step=0.01, controllers=[hold])
    >>> abs(run["tank.x[0]"][-1] - 1) < 1e-3
    True
    """

    period: float
    function: Callable[[Sample], Mapping[str, float]]


def simulate(model: Model, t_end: float | None = None, step: float | None = None, *, scheme: Any = None,
             record_every: int | None = None, on_failure: str = "stop", observer: Observer | None = None,
             controllers: Sequence[Controller] = (), progress: bool | None = None, **parameters: float) -> Run:
    """Runs a model and keeps everything in memory.

    Ctrl-C ends the run, which keeps what was computed: its status is ``"interrupted"``. A step that cannot be solved
    ends it too, with a warning and the status ``"failed"``; results are kept up to there. An exception in a function of
    the model, in the observer or in a controller is raised with the attribute ``run``, the run up to there, unless the
    run has not begun.

    Parameters
    ----------
    t_end, step
        The end and the length of the steps; a model from a file may have them.
    scheme
        A scheme, such as ``MoreauJean(theta=1)``, or its name; chosen by the structure of the model if not given. For
        a model loaded from a file, a name keeps the options of the file that mean the same for both schemes.
    record_every
        Steps between samples.
    on_failure
        What to do with a step that cannot be solved: ``"stop"``, ``"retry"`` with shorter steps, or ``"continue"``
        from the last point of the solver, which is wrong, and reported.
    observer
        Called with every :class:`Sample`; if it returns False, the run ends.
    controllers
        What changes parameters during the run.
    progress
        Whether to show a bar; by default only in terminals and notebooks.
    parameters
        Values for parameters of the model, for this run.

    Examples
    --------
    >>> import saltus as sl
    >>> m = sl.Model()
    >>> g = m.parameter("g", 9.81)
    >>> ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=[-g])
    >>> m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.9))
    >>> run = sl.simulate(m, t_end=2.0, step=0.01, scheme="event-driven", g=1.62)
    >>> float(round(run.events[0].t, 12))    # sqrt(2 / 1.62)
    1.111111111111
    """
    if observer is not None and not callable(observer):
        raise TypeError(f"observer: is {type(observer).__name__}; give a function of a sample")
    if not isinstance(controllers, Sequence) or not all(isinstance(one, Controller) for one in controllers):
        raise TypeError("controllers: give a list of Controller(period, function)")
    simulation = Simulation.__new__(Simulation)
    simulation._begin(model, _options(scheme, t_end, step, record_every), on_failure, parameters)
    return simulation._run_to_end(observer, controllers, progress)


def _options(scheme: Any, t_end: Any, step: Any, record_every: Any = None) -> dict[str, Any]:
    """The table [simulation] of a model file; the model gives what is left out."""
    options = dict(scheme_entries(scheme))
    for key, value in (("t_end", t_end), ("step", step), ("record_every", record_every)):
        if value is not None:
            options[key] = value if isinstance(value, str) else number_of(key, value)
    return options


def _asking(observer: Observer, channels: Channels) -> Callable[[float, np.ndarray], bool]:
    """False if the observer ends the run."""

    def ask(t: float, values: np.ndarray) -> bool:
        answer = observer(Sample(channels, t, values))
        return not (isinstance(answer, (bool, np.bool_)) and not answer)

    return ask


def _ended_by(error: BaseException, t: float) -> str:
    text = str(error).encode("utf-8", "replace").decode()
    return f"ended at t = {t:.12g} by {type(error).__name__}{': ' if text else ''}{text}"


def _attach(error: BaseException, run: Run) -> None:
    """Gives an exception the run that it ended."""
    with contextlib.suppress(Exception):  # a class may refuse attributes
        error.run = run  # type: ignore[attr-defined]
        if run.summary["steps"] > 0:
            error.add_note(f"error.run holds the run up to t = {run.summary['t']:.12g}")


class Simulation:
    """A run that advances step by step, and may be inspected and changed in between.

    Parameters are those of :func:`simulate`; without ``t_end`` the run has no end.

    >>> import saltus as sl
    >>> m = sl.Model()
    >>> k = m.parameter("k", 1.0)
    >>> mass = m.lagrangian("mass", mass=1.0, q=[1.0], force=[-k * sl.q[0]])
    >>> sim = sl.Simulation(m, step=0.01)
    >>> sim.step(100)
    >>> later = sim.copy()
    >>> sim.set(k=4.0)
    >>> sim.step(100)
    >>> round(sim.t, 12), round(later.t, 12)
    (2.0, 1.0)
    """

    def __init__(self, model: Model, step: float | None = None, *, t_end: float | None = None, scheme: Any = None,
                 record_every: int | None = None, on_failure: str = "stop", **parameters: float) -> None:
        options = _options(scheme, t_end, step, record_every)
        if "t_end" not in options and "step" in options and isinstance(model, Model):
            options["t_end"] = model.t0 + 1000 * options["step"]  # a whole number of steps
        # A later change of the caller's model does not change a checkpoint.
        self._begin(model.copy() if isinstance(model, Model) else model, options, on_failure, parameters)
        for text in self._session.record.warnings:
            warnings.warn(text, stacklevel=2)

    def _begin(self, model: Model, options: dict[str, Any], on_failure: str, parameters: Mapping[str, float]) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"model: is {type(model).__name__}; give a Model")
        self._model = model
        self._values = {name: number_of(name, value) for name, value in parameters.items()}
        self._settings = (options, text_of("on_failure", on_failure))
        self._session = _saltus.Session(self._model._document, *self._settings, list(self._values.items()))
        self._session.advance(0, None, None)
        self._channels = Channels(self._session.channels)

    # -- looking

    @property
    def t(self) -> float:
        """The time."""
        return self._session.t

    @property
    def h(self) -> float:
        """The length of the steps."""
        return self._session.h

    @property
    def steps(self) -> int:
        """The number of steps up to now."""
        return self._session.steps

    @property
    def state(self) -> dict[str, np.ndarray]:
        """What moves: x, lambda and y of first-order models, q, v and P of Lagrangian ones, stacked.

        Assign a dict with x, or with q and v, to continue from there.
        """
        return self._session.state

    @state.setter
    def state(self, value: Mapping[str, Any]) -> None:
        self._set_state(self.t, value)

    @property
    def sample(self) -> Sample:
        """The channels now."""
        return Sample(self._channels, *self._session.sample)

    def __getitem__(self, name: str) -> Any:
        return self.sample[name]

    @property
    def result(self) -> Run:
        """What was recorded up to now."""
        return Run(self._session.record)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with the values in force."""
        return self._model.copy().set(**self._values).parameters

    # -- moving

    def step(self, count: int = 1) -> None:
        """Makes steps. A step that cannot be solved raises a RuntimeError; the state is then that before the step.

        The same holds after an exception in a function of the model: :meth:`step` continues from there once the
        function is right. What solvers remember of the last step is then lost, as in a :meth:`copy`.
        """
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise ValueError(f"step: count is {count!r}; give a whole number, 0 or more")
        if count == 0:
            return
        try:
            is_interrupted = self._session.advance(int(count), None, None)
        except BaseException as error:
            if self._session.end == "failed" and not self._session.message:  # not refused: it was under way
                self._session.fail(_ended_by(error, self.t))
            raise
        if is_interrupted:
            raise KeyboardInterrupt
        self._check()

    def run(self, until: float) -> None:
        """Makes steps until this time, rounded to a whole number of them."""
        count = round((number_of("until", until) - self.t) / self.h)
        if count < 0:
            raise ValueError(f"run: until is {until}, before t = {self.t:.12g}; time goes on")
        self.step(count)

    def _check(self) -> None:
        if self._session.end == "failed":
            raise RuntimeError(self._session.message)

    # -- changing

    def set(self, **parameters: float) -> None:
        """Changes parameters from now on."""
        values = {name: number_of(f"set: {name}", value) for name, value in parameters.items()}
        self._session.change(list(values.items()))
        self._values |= values

    def _set_state(self, t: float, value: Mapping[str, Any], memory: tuple[list[int], float] | None = None) -> None:
        if not isinstance(value, Mapping):
            raise TypeError(f"state: is {type(value).__name__}; give a dict with x, or with q and v")
        letters = ("q", "v") if self._session.is_mechanical else ("x",)
        for letter in letters:
            if letter not in value:
                raise ValueError(f"state: has no {letter!r}; give {' and '.join(letters)}")
            expected, found = self.state[letter].shape, np.shape(value[letter])
            if found != expected:
                raise ValueError(f"state: {letter} has shape {found}; it must have {expected}")
        first, second = value[letters[0]], value[letters[1]] if len(letters) == 2 else []
        self._session.set_state(t, first, second, *(self._session.memory() if memory is None else memory))
        self._session.advance(0, None, None)

    # -- checkpoints

    def copy(self) -> Simulation:
        """Another simulation at the same state, with an empty record.

        It continues as this one does, up to the tolerance of the solvers. What they remember of the last step is not
        copied: forces and percussions are zero until it has made a step.
        """
        return self._restored(self._checkpoint())

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Simulation cannot be pickled: it is under way; pickle its model and its result, or write a "
                        "checkpoint, sim.save(path), and go on from there with restore(path)")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the state and the parameters to a file (JSON): :meth:`restore` continues from there."""
        with open(path_of("path", path), "w", encoding="utf-8") as file:
            json.dump(self._checkpoint(), file)

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Continues from what :meth:`save` wrote for a simulation of the same model; a new record begins."""
        with open(path_of("path", path), encoding="utf-8") as file:
            try:
                checkpoint = json.load(file)
            except ValueError as error:
                raise ValueError(f"{path}: is not a checkpoint; {error}") from None
        if not isinstance(checkpoint, dict) or checkpoint.get("format") != "saltus-checkpoint":
            raise ValueError(f"{path}: is not a checkpoint; give a file that Simulation.save wrote")
        try:
            other = self._restored(checkpoint)
        except KeyError as error:
            raise ValueError(f"{path}: is not a checkpoint; it has no {error}") from None
        self._session, self._values = other._session, other._values

    def _checkpoint(self) -> dict[str, Any]:
        state = self.state
        letters = ("q", "v") if self._session.is_mechanical else ("x",)
        return {"format": "saltus-checkpoint", "model": self._model.name, "t": self.t,
                "state": {letter: state[letter].tolist() for letter in letters}, "parameters": self._values,
                "memory": self._session.memory()}

    def _restored(self, checkpoint: Mapping[str, Any]) -> Simulation:
        result = Simulation.__new__(Simulation)
        result._model, result._settings, result._channels = self._model, self._settings, self._channels
        result._values = dict(checkpoint["parameters"])
        result._session = _saltus.Session(self._model._document, *self._settings, list(result._values.items()))
        result._set_state(checkpoint["t"], checkpoint["state"], checkpoint["memory"])
        return result

    # -- the whole run

    def _run_to_end(self, observer: Observer | None, controllers: Sequence[Controller], progress: bool | None) -> Run:
        bar = ProgressBar(self.t, self.t + self._session.total * self.h) if is_wanted(progress) else None
        strides = [self._stride(controller) for controller in controllers]
        try:
            is_interrupted = self._advance_to_end(observer, controllers, strides, bar)
        except KeyboardInterrupt:  # in an observer or a controller
            self._session.interrupt()
            is_interrupted = True
        except BaseException as error:
            self._session.fail(_ended_by(error, self.t))
            _attach(error, Run(self._session.take_record()))
            raise
        finally:
            if bar is not None:
                bar.close()
        run = Run(self._session.take_record())
        if is_interrupted or run.status != "interrupted":  # else the observer ended it
            self._warn(run)
        return run

    def _advance_to_end(self, observer: Observer | None, controllers: Sequence[Controller], strides: Sequence[int],
                        bar: ProgressBar | None) -> bool:
        """True if it was interrupted from the keyboard."""
        session, total, made = self._session, self._session.total, 0
        callback = None
        if observer is not None:
            callback = _asking(observer, self._channels)
            if callback(*session.sample) is False:
                session.interrupt()
                return False
        while made < total:
            for controller, stride in zip(controllers, strides):
                if made % stride == 0:
                    self._control(controller)
            piece = min([total - made, *(stride - made % stride for stride in strides)])
            made += piece
            if session.advance(piece, bar, callback, made == total):
                return True
            if session.end != "reached":
                break
        return False

    def _stride(self, controller: Controller) -> int:
        period = number_of("controller: period", controller.period)
        stride = round(period / self.h)
        if stride < 1 or abs(stride * self.h - period) > 1e-9 * period:
            raise ValueError(f"controller: the period {period:g} is not a multiple of the step {self.h:g}; change one")
        return stride

    def _control(self, controller: Controller) -> None:
        values = controller.function(self.sample)
        if not isinstance(values, Mapping):
            raise TypeError(f"controller: the function returned {type(values).__name__}; it must return a dict of "
                            "parameters and their values")
        if any(self._values.get(name) != value for name, value in values.items()):
            self.set(**values)

    @staticmethod
    def _warn(run: Run) -> None:
        for text in run.warnings:
            warnings.warn(text, stacklevel=4)
        if run.status != "reached" or not run.success:
            warnings.warn(run.message, RuntimeWarning, stacklevel=4)
