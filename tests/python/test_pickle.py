"""Pickles and copies of models, runs, problems and what they are made of."""

import copy
import json
import multiprocessing
import pickle
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import EXAMPLES, bouncing_ball, rectifier

import saltus as sl

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "protocol 0": lambda x: pickle.loads(pickle.dumps(x, 0)),
    "protocol 1": lambda x: pickle.loads(pickle.dumps(x, 1)),
    "protocol 2": lambda x: pickle.loads(pickle.dumps(x, 2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
every_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


class Gravity:
    """A callable with data."""

    def __init__(self, g: float) -> None:
        self.g = g

    def __call__(self, q: np.ndarray) -> np.ndarray:
        return -self.g + 0 * q

    def slope(self, q: np.ndarray) -> np.ndarray:
        return np.zeros((len(q), len(q)))


def two_balls() -> sl.Model:
    m = sl.Model("two", "Two balls.", t0=0.25)
    g = m.parameter("g", 9.81)
    m.parameter("twice", 2 * g)
    wind = m.signal("wind", sl.sin(3 * sl.t))
    a = m.lagrangian("a", q=[1.0], mass=np.array([[1.5]]), force=[-g + 0.1 * wind])
    b = m.lagrangian("b", q=[2.0], mass=1.0, force="-g")
    m.contact("ground", a, gap=a.q[0], law=sl.NewtonImpact(restitution=0.5))
    m.contact("pair", a, b, gap=b.q[0] - a.q[0] - 0.1, law=sl.NewtonImpact(restitution=0.7))
    m.draw("a", a, shape="sphere", radius=0.1, position=[0, 0, a.q[0]])
    return m.set(g=1.62)


def sparse_chain() -> sl.Model:
    sparse = pytest.importorskip("scipy.sparse")
    n = 30
    K = sparse.diags([-1, 2, -1], [-1, 0, 1], (n, n), format="csc") * 100
    m = sl.Model()
    chain = m.lagrangian("chain", q=np.linspace(0, 1, n) ** 2, mass=sparse.identity(n, format="csc"), stiffness=K)
    m.contact("stop", chain, gap=chain.q[3] + 0.01)
    return m


def with_functions() -> sl.Model:
    gravity = Gravity(9.81)
    m = sl.Model("functions")
    ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=sl.Function(gravity, jacobian=gravity.slope))
    m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.8))
    return m


MODELS = {"ball": bouncing_ball, "rectifier": rectifier, "two": two_balls, "sparse": sparse_chain,
          "functions": with_functions, "relay": lambda: sl.load_model(EXAMPLES / "relay_spiral.toml"),
          "empty": sl.Model}


def assert_same_run(a: sl.Run, b: sl.Run) -> None:
    assert np.array_equal(a.t, b.t) and a.channels == b.channels
    for name in a.channels:
        assert np.array_equal(a[name], b[name], equal_nan=True), name
    assert repr(a.events) == repr(b.events)


@every_copy
@pytest.mark.parametrize("name", MODELS)
def test_models(name: str, copied: Callable[[Any], Any]) -> None:
    m = MODELS[name]()
    again = copied(m)
    assert type(again) is sl.Model and repr(again) == repr(m) and again.text == m.text
    assert again.name == m.name and again.description == m.description and again.t0 == m.t0
    assert again.parameters == m.parameters and list(again.systems) == list(m.systems)
    if name != "empty":
        assert_same_run(sl.simulate(again, m.t0 + 1.0, 1e-2), sl.simulate(m, m.t0 + 1.0, 1e-2))


@every_copy
def test_a_copied_model_is_another_and_can_grow(copied: Callable[[Any], Any]) -> None:
    m = two_balls()
    again = copied(m)
    again.set(g=3.0)
    assert m.parameters["g"] == 1.62 and again.parameters["twice"] == 6.0
    ball = again.systems["b"]
    chain = ball.q[0]
    for _ in range(80):
        chain = sl.sin(chain)  # so deep that it needs a definition with a name of its own
    again.contact("ceiling", ball, gap=3.0 - ball.q[0] + 0 * chain)
    assert "ceiling" in repr(again) and "ceiling" not in repr(m)
    assert sl.simulate(again, 1.0, 1e-2).success and sl.simulate(m, 1.0, 1e-2).success


class NamedModel(sl.Model):
    """A model with data of its own."""

    def __init__(self, author: str) -> None:
        super().__init__("named")
        self.author = author


@every_copy
def test_copies_of_models_keep_class_and_attributes(copied: Callable[[Any], Any]) -> None:
    again = copied(NamedModel("Moreau"))
    assert type(again) is NamedModel and again.author == "Moreau"


def test_a_deep_copy_is_independent() -> None:
    gravity = Gravity(9.81)
    m = sl.Model()
    ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=gravity)
    deep, system = copy.deepcopy((m, ball))
    gravity.g = 0.0
    assert sl.simulate(m, 0.1, 1e-2)["ball.v[0]"][-1] == 0.0
    assert sl.simulate(deep, 0.1, 1e-2)["ball.v[0]"][-1] == pytest.approx(-0.981)
    assert system is deep.systems["ball"] and deep.systems["ball"] is not ball


def test_models_of_files_keep_every_entry() -> None:
    for path in sorted(EXAMPLES.glob("*.toml")):
        m = sl.load_model(path)
        again = pickle.loads(pickle.dumps(m))
        tables = [json.dumps(tomllib.loads(one.text), sort_keys=True) for one in (again, m)]
        assert tables[0] == tables[1]


def test_functions_that_cannot_be_pickled_are_named() -> None:
    m = bouncing_ball(force=lambda q: -9.81 + 0 * q)
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(m)
    assert_same_run(sl.simulate(copy.deepcopy(m), 1.0, 1e-2), sl.simulate(m, 1.0, 1e-2))


@every_copy
@pytest.mark.parametrize("scheme", [None, "event-driven"])
def test_runs(scheme: Any, copied: Callable[[Any], Any], tmp_path: Path) -> None:
    run = sl.simulate(two_balls(), 2.0, 1e-2, scheme=scheme, g=9.0)
    again = copied(run)
    assert_same_run(again, run)
    assert type(again) is sl.Run and repr(again) == repr(run) and again.message == run.message
    assert again.summary == run.summary and again.parameters == run.parameters and again.warnings == run.warnings
    assert again.model_text == run.model_text and again.success == run.success
    assert np.array_equal(again.impacts, run.impacts)
    assert np.array_equal(again.reports.residual, run.reports.residual)
    assert not again["a.q"].flags.writeable
    for one, path in ((run, "a.h5"), (again, "b.h5")):
        one.save(tmp_path / path)
    assert_same_run(sl.load(tmp_path / "a.h5"), sl.load(tmp_path / "b.h5"))
    assert_same_run(copied(sl.load(tmp_path / "b.h5")), sl.load(tmp_path / "a.h5"))


@every_copy
def test_failed_runs(copied: Callable[[Any], Any], tmp_path: Path) -> None:
    m = sl.Model()
    m.first_order("s", x=[-1.0], f="-x[0]")
    m.interaction("i", y="x[0] - lambda[0]", r="lambda[0]")
    with pytest.warns(Warning):
        run = sl.simulate(m, 1.0, 1e-2)
    again = copied(run)
    assert again.status == "failed" and again.message == run.message
    assert again.reports.failed == run.reports.failed
    for one, path in ((run, "a.dat"), (again, "b.dat")):
        one.save_failed_problem(tmp_path / path)
    assert (tmp_path / "a.dat").read_text() == (tmp_path / "b.dat").read_text()


def test_exceptions_with_their_run() -> None:
    def force(t: float) -> float:
        if t > 0.3:
            raise ZeroDivisionError("at t > 0.3")
        return -9.81

    with pytest.raises(ZeroDivisionError) as caught:
        sl.simulate(bouncing_ball(force=force), 1.0, 1e-2)
    again = pickle.loads(pickle.dumps(caught.value))
    assert_same_run(again.run, caught.value.run)


PROBLEMS = {
    "lcp": lambda: sl.Lcp([[2, 1], [1, 2]], [-5, 6]),
    "empty": lambda: sl.Lcp(np.zeros((0, 0)), []),
    "mlcp": lambda: sl.Mlcp([[2, 1], [1, 2]], [4, 5], free=[True, False]),
    "box-vi": lambda: sl.BoxVi([[2, 1], [1, 2]], [-5, 1], [-1, -np.inf], 1),
    "friction": lambda: sl.FrictionProblem(np.eye(4), [-1, 4, 0.1, 3], mu=[0.5, 0.25]),
    "rolling": lambda: sl.FrictionProblem(np.eye(5), [-1, 4, 0, 1, 1], mu=[0.5], rolling=[0.1]),
    "global": lambda: sl.GlobalFrictionProblem(2 * np.eye(3), np.eye(3), [-2, 8, 6], [0, 0, 0.5], mu=[0.5]),
}


@every_copy
@pytest.mark.parametrize("name", PROBLEMS)
def test_problems(name: str, copied: Callable[[Any], Any]) -> None:
    problem = PROBLEMS[name]()
    again = copied(problem)
    assert type(again) is type(problem) and repr(again) == repr(problem)
    a, b = problem.solve(), again.solve()
    assert a.iterations == b.iterations and np.array_equal(a.z, b.z) and np.array_equal(a.w, b.w)
    for field in ("q", "mu", "rolling", "lower", "upper", "free", "f", "b", "dimension"):
        assert np.array_equal(getattr(again, field, 0), getattr(problem, field, 0))


@every_copy
def test_sparse_problems_stay_sparse(copied: Callable[[Any], Any]) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    again = copied(sl.Lcp(sparse.identity(5, format="csr"), np.arange(5) - 2.0))
    assert sparse.issparse(again.M) and again.M.nnz == 5


SMALL = [sl.Equality(3), sl.Interval(-1, 2), sl.Interval(), sl.Coulomb2D(0.5), sl.Coulomb3D(0.25),
         sl.RollingFriction(0.5, 0.125), sl.NewtonImpact(restitution=0.5, friction=0.25), sl.FremondImpact(0.5),
         sl.PoissonImpact(0.5), sl.CascadeImpact(0.5), sl.Relay(-1, 2), sl.Step(), sl.Complementarity(),
         sl.MoreauJean(theta=0.75), sl.EventDriven(), sl.Box(-1, 1), sl.Ball(centre=[0, 0], radius=1)]


@every_copy
@pytest.mark.parametrize("value", SMALL, ids=lambda value: type(value).__name__)
def test_laws_schemes_and_sets(value: Any, copied: Callable[[Any], Any]) -> None:
    again = copied(value)
    assert type(again) is type(value) and repr(again) == repr(value)


@every_copy
def test_expressions_and_systems(copied: Callable[[Any], Any]) -> None:
    ball = two_balls().systems["a"]
    expression = sl.where(ball.q[0] < 1, sl.sin(ball.v[0]), -sl.t**2)
    assert repr(copied(expression)) == repr(expression)
    again = copied(ball)
    assert again.name == "a" and repr(again.q[0]) == repr(ball.q[0]) and again.initial == ball.initial


@every_copy
def test_studies(copied: Callable[[Any], Any]) -> None:
    m = sl.Model()
    e = m.parameter("e", 0.5)
    ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=e))
    for (values, run), (others, other) in zip(*(copied(sl.sweep(m, 1.0, 1e-2, e=[0.1, 0.9])) for _ in range(2))):
        assert values == others
        assert_same_run(run, other)


def test_a_simulation_is_copied_and_not_pickled() -> None:
    sim = sl.Simulation(bouncing_ball(), step=1e-2)
    sim.step(20)
    for other in (copy.copy(sim), copy.deepcopy(sim)):
        assert other.t == sim.t and np.array_equal(other.state["q"], sim.state["q"])
        other.step()
    assert sim.steps == 20
    with pytest.raises(TypeError, match="cannot be pickled: it is under way; pickle its model and its result"):
        pickle.dumps(sim)
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(sim._session)


def test_processes_take_models_and_return_runs() -> None:
    tasks = [(two_balls(), 2.0, 1e-2), (bouncing_ball(), 1.0, 1e-3)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for task, run in zip(tasks, pool.starmap(sl.simulate, tasks)):
            assert_same_run(run, sl.simulate(*task))
