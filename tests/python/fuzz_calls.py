"""Calls every public function, class and method with nonsense. Run by test_fuzz.py: seed, number of calls, log file.

The log names the call under way, so that one which crashes or hangs can be repeated.
"""

import inspect
import os
import random
import sys
import tempfile
import warnings
from typing import Any

import numpy as np
import scipy.sparse

import saltus as sl

# The exceptions that a caller may get. Anything else is a defect: SystemError, MemoryError, RecursionError, a crash.
ALLOWED = (ValueError, TypeError, KeyError, IndexError, AttributeError, RuntimeError, OSError, OverflowError,
           ZeroDivisionError, ImportError)  # ImportError: pandas is optional


def ball() -> sl.Model:
    model = sl.Model()
    model.parameter("e", 0.5)
    body = model.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    model.contact("ground", body, gap="q[0]", law=sl.NewtonImpact(restitution=0.5))
    return model


def circuit() -> sl.Model:
    model = sl.Model()
    state = model.first_order("s", x=[1.0, 0.0], f=["x[1]", "-x[0]"])
    model.interaction("diode", state, y="x[0] + lambda[0]", r=["lambda[0]", 0])
    return model


NUMBERS: list[Any] = [0, 1, -1, 2, 0.5, -0.0, float("nan"), float("inf"), -float("inf"), 1e300, -1e300, 5e-324,
                      True, 10**30, 3 + 4j, np.float32(0.5), np.int64(2), np.array(1.0)]
ARRAYS: list[Any] = [[], [[]], [1.0], [1.0, 2.0], [float("nan")], [[1.0]], [[2.0, 1.0], [1.0, 2.0]], [[1.0, 2.0]],
                     [1, [2, 3]], [None], ["a"], np.zeros(0), np.zeros((0, 0)), np.ones(3), np.ones((2, 3)), np.full((2, 2), np.nan),
                     np.array(["x"]), np.array([1j]), np.array([object()], dtype=object), np.zeros((1, 1, 1)),
                     np.eye(2, order="F")[::-1], scipy.sparse.eye(2), scipy.sparse.csr_matrix((0, 0)),
                     scipy.sparse.coo_matrix(np.ones((2, 3))), (1.0, 2.0), range(3), {1.0}, np.eye(2) > 0]
TEXTS: list[Any] = ["", "q[0]", "x[0", "auto", "ball", "ball.q", "ball.q[0]", "\0", "é" * 50, "1/0", "a" * 5000,
                    "sin(t)", "lambda[0]", "((((", "e", "event-driven", b"bytes"]
FUNCTIONS: list[Any] = [lambda: 1.0, lambda *a: None, lambda q: q, lambda x: x, lambda z: np.zeros(7), lambda t: "text",
                        len, lambda q, v, t: 1 / 0, np.sin, print]
OTHERS: list[Any] = [None, object(), {}, {"a": 1}, {"q": [1.0], "v": [1.0]}, type, Ellipsis, sl.q, sl.q[0], sl.t,
                     sl.sin(sl.t), sl.NewtonImpact(0.5), sl.Relay(), sl.Ball([0, 0], 1), sl.Equality(), sl.Interval(), sl.MoreauJean(),
                     sl.EventDriven(), sl.traced(lambda q: q[0]), sl.Function(lambda q: q)]


class Caller:
    """Makes random calls, and writes down what they are."""

    def __init__(self, seed: int, log: str) -> None:
        self.random = random.Random(seed)
        self.log = log
        self.model, self.circuit = ball(), circuit()
        self.run = sl.simulate(self.model, 0.1, 0.01)
        self.solution = sl.solve_lcp([[2.0]], [-1.0])
        self.targets = [(name, getattr(sl, name)) for name in sl.__all__ if callable(getattr(sl, name))]

    def value(self) -> Any:
        pool = self.random.choice([NUMBERS, NUMBERS, ARRAYS, ARRAYS, TEXTS, FUNCTIONS, OTHERS,
                                   [self.model, self.circuit, self.run, self.solution]])
        return self.random.choice(pool)

    def arguments(self, function: Any) -> tuple[list[Any], dict[str, Any]]:
        """Mostly as many as it takes, by position or by name; sometimes others."""
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return [self.value() for _ in range(self.random.randrange(4))], {}
        positional, named = [], {}
        for parameter in parameters:
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += [self.value() for _ in range(self.random.randrange(3))]
            elif parameter.kind is parameter.KEYWORD_ONLY:
                if self.random.random() < 0.4:
                    named[parameter.name] = self.value()
            elif parameter.kind is not parameter.VAR_KEYWORD and (
                    parameter.default is parameter.empty or self.random.random() < 0.5) and not named:
                positional.append(self.value())
        if self.random.random() < 0.05:
            named["nonsense"] = self.value()
        return positional, named

    def object_with_methods(self) -> Any:
        kind = self.random.randrange(6)
        if kind == 0:
            return ball()
        if kind == 1:
            return circuit()
        if kind == 2:
            return sl.Simulation(self.random.choice([self.model, self.circuit]), step=0.01)
        return self.random.choice([self.run, sl.Lcp([[2.0]], [-1.0]), sl.sweep(self.model, 0.1, 0.01, e=[0.5])])

    def target(self) -> tuple[str, Any]:
        if self.random.random() < 0.5:
            return self.random.choice(self.targets)
        thing = self.object_with_methods()
        if isinstance(thing, sl.Simulation) and self.random.random() < 0.2:
            return "Simulation.state", lambda value: setattr(thing, "state", value)
        names = [name for name in dir(type(thing)) if not name.startswith("_") or name in ("__getitem__", "__contains__")]
        name = self.random.choice([name for name in names if callable(getattr(type(thing), name, None))])
        return f"{type(thing).__name__}.{name}", getattr(thing, name)

    def call(self, number: int) -> None:
        name, function = self.target()
        positional, named = self.arguments(function)
        with open(self.log, "w", encoding="utf-8") as file:
            file.write(f"call {number}: {name}(*{positional!r:.2000}, **{named!r:.2000})\n")
        try:
            function(*positional, **named)
        except ALLOWED as error:
            if not str(error) and not isinstance(error, (OSError, AttributeError)):
                raise AssertionError(f"{name}: {type(error).__name__} without a message") from error
        except KeyboardInterrupt:
            raise
        except AssertionError as error:
            raise AssertionError(f"{name}: an assertion of ours") from error


def main() -> None:
    seed, calls, log = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp())  # some calls write files
    caller = Caller(seed, log)
    for number in range(calls):
        caller.call(number)


if __name__ == "__main__":
    main()
