"""Models written in Python are those of model files."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from support import EXAMPLES, bouncing_ball, rectifier

import saltus as sl

MODEL_FILES = sorted(EXAMPLES.glob("*.toml"))


def values(run: sl.Run) -> np.ndarray:
    return np.column_stack([run[name] for name in run.channels])


def same_bits(a: sl.Run, b: sl.Run) -> bool:
    return a.channels == b.channels and np.array_equal(values(a), values(b), equal_nan=True)


def test_ball_of_six_lines_is_that_of_the_file() -> None:
    m = sl.Model()
    ball = m.lagrangian("ball", mass=1.0, q=[1.0], v=[0.0], force=[-9.81])
    m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.9))
    run = sl.simulate(m, t_end=10.0, step=1e-3)
    assert same_bits(run, sl.simulate(sl.load_model(EXAMPLES / "bouncing_ball.toml")))
    # impacts at t1, t1 (1 + 2 e), ..., up to the step
    t1 = math.sqrt(2 / 9.81)
    expected = t1 * (1 + 2 * np.cumsum(0.9 ** np.arange(1, 5)))
    assert np.allclose(run.impacts["t"][:5], np.r_[t1, expected], atol=5e-3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", MODEL_FILES, ids=lambda path: path.stem)
def test_text_of_a_model_gives_the_same_model(path: Path, tmp_path: Path) -> None:
    model = sl.load_model(path)
    model.save(tmp_path / "again.toml")
    again = sl.load_model(tmp_path / "again.toml")
    assert again.parameters == model.parameters
    steps = {"step": 1e-3, "t_end": model.t0 + 0.05}
    first, second = sl.simulate(model, **steps), sl.simulate(again, **steps)
    assert first.summary["scheme"] == second.summary["scheme"]
    assert same_bits(first, second)


@sl.traced
def traced_pull(q: Any, v: Any) -> Any:
    return [-9.81 * sl.sin(q[0]) - 0.1 * v[0] * np.abs(v[0])]


def plain_pull(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.array([-9.81 * math.sin(q[0]) - 0.1 * v[0] * abs(v[0])])


def pendulum(force: Any) -> sl.Model:
    model = sl.Model("pendulum")
    model.lagrangian("bob", q=[1.0], v=[0.5], mass=1.0, force=force)
    model.contact("wall", gap="q[0] + 0.5", law=sl.NewtonImpact(restitution=0.7))
    return model


FORCES = {"text": "-9.81*sin(q[0]) - 0.1*v[0]*abs(v[0])",
          "symbols": -9.81 * sl.sin(sl.q[0]) - 0.1 * sl.v[0] * abs(sl.v[0]),
          "traced": traced_pull}


@pytest.mark.parametrize("kind", ["symbols", "traced"])
@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven"])
def test_expressions_are_the_same_function_as_texts(kind: str, scheme: str) -> None:
    steps = {"t_end": 2.0, "step": 1e-2, "scheme": scheme}
    assert same_bits(sl.simulate(pendulum(FORCES[kind]), **steps), sl.simulate(pendulum(FORCES["text"]), **steps))


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven", sl.EventDriven(method="bdf"), "generalised-alpha"])
def test_python_functions_give_the_same_motion(scheme: Any) -> None:
    steps = {"t_end": 2.0, "step": 1e-2, "scheme": scheme}
    expected = sl.simulate(pendulum(FORCES["text"]), **steps)
    found = sl.simulate(pendulum(plain_pull), **steps)
    assert found.success
    assert np.allclose(found["bob.q"], expected["bob.q"], atol=1e-7)
    jacobian = sl.Function(plain_pull, jacobian=lambda q, v: np.array([[-9.81 * math.cos(q[0]), -0.2 * abs(v[0])]]))
    assert np.allclose(sl.simulate(pendulum(jacobian), **steps)["bob.q"], expected["bob.q"], atol=1e-8)


def test_first_order_python_functions() -> None:
    expected = sl.simulate(rectifier(), t_end=2.0, step=1e-3)
    functions = {"f": lambda x: -10 * x, "y": lambda x, lam, t: x + lam - 5 * math.sin(6 * t), "r": lambda lam: 100 * lam}
    found = sl.simulate(rectifier(**functions), t_end=2.0, step=1e-3, scheme=sl.EulerMoreau(theta=0.5, gamma=0.5))
    again = sl.simulate(rectifier(), t_end=2.0, step=1e-3, scheme=sl.EulerMoreau(theta=0.5, gamma=0.5))
    assert expected.success and np.allclose(found["capacitor.x"], again["capacitor.x"], atol=1e-8)
    assert np.all(found["diode.lambda"] >= 0)


def test_every_function_of_a_mechanical_model_may_be_python() -> None:
    def build(is_python: bool) -> sl.Model:
        m = sl.Model()
        arm = m.lagrangian(
            "arm", q=[0.3, 0.1], v=[2.0, 1.0],
            mass=(lambda q: np.array([[2, math.cos(q[0] - q[1])], [math.cos(q[0] - q[1]), 1]])) if is_python else
            [[2, "cos(q[0] - q[1])"], ["cos(q[0] - q[1])", 1]],
            inertial=(lambda q, v: math.sin(q[0] - q[1]) * np.array([v[1] ** 2, -(v[0] ** 2)])) if is_python else
            ["sin(q[0] - q[1])*v[1]^2", "-sin(q[0] - q[1])*v[0]^2"],
            force=(lambda q: -9.81 * np.array([2, 1]) * np.sin(q)) if is_python else
            ["-2*9.81*sin(q[0])", "-9.81*sin(q[1])"])
        m.contact("wall", arm, gap=(lambda q: 0.4 - q[0]) if is_python else "0.4 - q[0]",
                  slip=(lambda q: [q[1] - q[0]]) if is_python else "q[1] - q[0]",
                  law=sl.NewtonImpact(restitution=0.5, friction=0.2))
        m.joint("stop", arm, coordinate=(lambda q: q[1]) if is_python else "q[1]", lower=-0.3, friction=0.05)
        m.spring("pad", arm, gap=(lambda q: q[0] + 0.2) if is_python else "q[0] + 0.2", stiffness=1e3)
        m.force("brake", arm, y=(lambda v: v[0]) if is_python else "v[0]", law=sl.Relay(-0.01, 0.01))
        return m

    texts, python = (sl.simulate(build(kind), t_end=1.0, step=1e-3) for kind in (False, True))
    assert texts.channels == python.channels and python.success
    assert len(texts.impacts) > 0
    assert np.allclose(texts["arm.q"], python["arm.q"], atol=1e-6)


def test_symbols_of_systems_say_what_a_piece_acts_on() -> None:
    def chain(with_symbols: bool) -> sl.Model:
        m = sl.Model()
        balls = [m.lagrangian(f"b{k}", q=[2.5 * k], v=[1.0 if k == 0 else 0.0], mass=1.0) for k in range(3)]
        for k in range(2):
            left, right = balls[k], balls[k + 1]
            if with_symbols:
                m.contact(f"c{k}", gap=right.q[0] - left.q[0] - 2, law=sl.NewtonImpact(restitution=1.0))
            else:
                m.contact(f"c{k}", left, right, gap="q[1] - q[0] - 2", law=sl.NewtonImpact(restitution=1.0))
        return m

    with_symbols, with_texts = (sl.simulate(chain(kind), t_end=3.0, step=1e-3) for kind in (True, False))
    assert np.array_equal(with_symbols["b2.v"], with_texts["b2.v"])
    assert with_symbols["b2.v"][-1, 0] == pytest.approx(1.0)  # the velocity is handed over
    stranger = sl.Model().lagrangian("other", q=[0.0], mass=1.0)
    with pytest.raises(ValueError, match="there is no system 'other'"):
        chain(True).contact("c", gap=stranger.q[0])


def test_shared_and_deep_expressions() -> None:
    """x -> x^2 + 1, written out, would be a text of 2^30 characters; 3000 nested sines exceed what a text may nest."""
    m = sl.Model()
    power = sl.x[0]
    for _ in range(30):
        power = 0.5 * power * power + 0.1
    nested = sl.x[1]
    for _ in range(3000):
        nested = sl.sin(nested)
    m.first_order("s", x=[0.2, 1.0], f=[power, nested])
    run = sl.simulate(m, t_end=1e-3, step=1e-3, scheme="runge-kutta")
    a, b = 0.2, 1.0
    for _ in range(30):
        a = 0.5 * a * a + 0.1
    for _ in range(3000):
        b = math.sin(b)
    assert (run["s.x"][1] - run["s.x"][0]) / 1e-3 == pytest.approx([a, b], rel=1e-4)


def test_numpy_works_on_symbols() -> None:
    A = np.array([[0.0, 1.0], [-4.0, -0.1]])
    m = sl.Model()
    m.first_order("linear", x=[1.0, 0.0], f=sl.traced(lambda x: A @ x))
    other = sl.Model()
    other.first_order("linear", x=[1.0, 0.0], A=scipy.sparse.csr_matrix(A))
    assert np.allclose(sl.simulate(m, 3.0, 1e-2)["linear.x"], sl.simulate(other, 3.0, 1e-2)["linear.x"], atol=1e-14)


def test_rows_of_an_interaction_are_found_by_a_call() -> None:
    def two_relays(y: Any) -> sl.Run:
        m = sl.Model()
        m.first_order("s", x=[2.0, 2.0])
        m.interaction("relays", y=y, B=[[1, 2], [-2, 1]], law=sl.Relay())
        return sl.simulate(m, 3.0, 0.1, scheme="euler-moreau")

    expected = two_relays(["x[0]", "x[1]"])
    assert np.array_equal(two_relays(sl.traced(lambda x, lam: x + 0 * lam))["s.x"], expected["s.x"])
    assert np.allclose(two_relays(lambda x: x)["s.x"], expected["s.x"], atol=1e-9)
    assert np.all(expected["s.x"][-1] == 0.0)  # the relay spiral reaches the origin exactly


def test_parameters_and_signals() -> None:
    m = sl.Model()
    R = m.parameter("R", 2.0)
    m.parameter("tau", 3 * R)
    source = m.signal("source", sl.sin(sl.t) * R)
    m.first_order("s", x=[1.0], f=source - sl.x[0])
    assert m.parameters == {"R": 2.0, "tau": 6.0}
    assert m.set(R=1.0).parameters["tau"] == 3.0
    last = sl.simulate(m, 2.0, 1e-3)["s.x[0]"][-1]
    assert last == pytest.approx(1.5 * math.exp(-2) + 0.5 * (math.sin(2) - math.cos(2)), abs=1e-6)
    assert sl.simulate(m, 2.0, 1e-3, R=0.0)["s.x[0]"][-1] == pytest.approx(math.exp(-2), abs=1e-6)
    with pytest.raises(ValueError, match="there is no parameter 'r'"):
        m.set(r=1.0)
    assert m.parameters["R"] == 1.0
    with pytest.raises(ValueError, match="is nan"):
        m.set(R=float("nan"))
    with pytest.raises(ValueError, match="signals.source: the name is taken"):
        m.signal("source", "t")


def test_saved_models_have_the_values_that_were_set(tmp_path: Path) -> None:
    m = sl.Model()
    g = m.parameter("g", 9.81)
    m.lagrangian("ball", q=[1.0], mass=1.0, force=[-g])
    m.set(g=1.0).save(tmp_path / "m.toml", t_end=1.0, step=0.01)
    again = sl.load_model(tmp_path / "m.toml")
    assert sl.simulate(again)["ball.v[0]"][-1] == pytest.approx(-1.0)
    again.save(tmp_path / "n.toml", t_end=2.0)
    assert sl.simulate(sl.load_model(tmp_path / "n.toml")).t[-1] == pytest.approx(2.0)
    assert "g = 5.0" in sl.simulate(m, 1.0, 0.1, g=5.0).model_text


def test_sets() -> None:
    m = sl.Model()
    point = m.first_order("point", x=[0.0, 0.5])
    m.moving_set("disk", point, set=sl.Ball(centre=[sl.t, 0], radius=1))
    run = sl.simulate(m, 3.0, 1e-3)
    distance = np.hypot(run["point.x[0]"] - run.t, run["point.x[1]"])
    assert np.all(distance < 1 + 1e-9) and distance[-1] == pytest.approx(1.0, abs=1e-9)


def test_large_sparse_systems() -> None:
    n = 2000
    m = sl.Model()
    stiffness = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], (n, n), format="csr")
    m.lagrangian("bar", q=np.zeros(n), v=-np.ones(n), mass=scipy.sparse.identity(n), stiffness=stiffness)
    m.contact("wall", gap="q[0] + 0.01", law=sl.NewtonImpact())
    run = sl.simulate(m, t_end=0.1, step=1e-2)
    assert run.success and np.min(run["wall.gap"]) > -0.02
    assert "stiffness = 'a matrix, 2000 x 2000'" in m.text
    with pytest.raises(ValueError, match="cannot hold"):
        m.save("nowhere.toml", 1.0, 1e-2)
    with pytest.raises(ValueError, match="cannot hold"):
        pendulum(plain_pull).save("nowhere.toml", 1.0, 1e-2)


WRONG_SHAPES = {
    "force": (lambda: pendulum(lambda q, v: np.zeros(3)),
              r"systems\.bob\.force: the function '<lambda>' returned shape \(3,\); it must be \(1,\)"),
    "text": (lambda: pendulum(lambda q, v: "abc"), r"systems\.bob\.force: the function '<lambda>' returned <class 'str'>"),
    "jacobian": (lambda: pendulum(sl.Function(plain_pull, jacobian=lambda q, v: np.zeros((1, 5)))),
                 r"the Jacobian of the function 'plain_pull' returned shape \(1, 5\); it must be \(1, 2\)"),
}


@pytest.mark.parametrize("kind", WRONG_SHAPES)
def test_wrong_shapes_are_named(kind: str) -> None:
    build, message = WRONG_SHAPES[kind]
    with pytest.raises(ValueError, match=message):
        sl.simulate(build(), 1.0, 1e-2)


def test_rough_functions_are_refused_where_events_are_located() -> None:
    """Second derivatives by differences of differences are noise: the motion would not end."""
    def pendulum_on_a_rod(constraint: Any) -> sl.Model:
        m = sl.Model()
        bob = m.lagrangian("bob", q=[1.0, 0.0], mass=1.0, force=[0, -9.81])
        m.joint("rod", bob, constraint=constraint)
        return m

    def length(q: np.ndarray) -> float:
        return math.hypot(*q) - 1

    with pytest.raises(ValueError, match=r"joints\.rod\.constraint: is a Python function.*traced"):
        sl.simulate(pendulum_on_a_rod(length), 0.1, 1e-2, scheme="event-driven")
    exact = sl.Function(length, jacobian=lambda q: (q / math.hypot(*q))[np.newaxis, :])
    run = sl.simulate(pendulum_on_a_rod(exact), 0.1, 1e-2, scheme="event-driven")
    text = sl.simulate(pendulum_on_a_rod("hypot(q[0], q[1]) - 1"), 0.1, 1e-2, scheme="event-driven")
    assert np.allclose(run["bob.q"], text["bob.q"], atol=1e-8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scheme", ["moreau-jean", "schatzman-paoli", "stewart-trinkle", "anitescu-potra", "d1-minus",
                                    "generalised-alpha", "event-driven"])
def test_a_gap_that_is_not_defined_ends_the_run(scheme: str) -> None:
    m = sl.Model()
    ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    m.contact("ground", ball, gap="q[0] + 0*sqrt(0.3 - t)")
    run = sl.simulate(m, 1.0, 1e-2, scheme=scheme)
    assert run.status == "failed" and not run.success
    assert run.t[-1] == pytest.approx(0.3, abs=0.03) and len(run) > 25


@pytest.mark.parametrize("scheme", ["euler-moreau", "event-driven", "runge-kutta"])
@pytest.mark.filterwarnings("ignore")
def test_an_output_that_is_not_defined_ends_the_run(scheme: str) -> None:
    m = sl.Model()
    m.first_order("s", x=[1.0], f="-1")
    m.interaction("i", y="x[0] + lambda[0] + 0*sqrt(0.3 - t)", r="lambda[0]")
    run = sl.simulate(m, 1.0, 1e-2, scheme=scheme)
    assert run.status == "failed" and run.t[-1] == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize("scheme", ["moreau-jean", "event-driven", sl.EventDriven(method="bdf"),
                                    sl.EventDriven(method="radau"), "schatzman-paoli"])
def test_exceptions_of_python_functions_arrive(scheme: Any) -> None:
    def force(q: np.ndarray, t: float) -> np.ndarray:
        if t > 0.3:
            raise ZeroDivisionError("at t > 0.3")
        return -9.81 * q

    with pytest.raises(ZeroDivisionError, match="at t > 0.3"):
        sl.simulate(pendulum(force), 1.0, 1e-2, scheme=scheme)


MISTAKES: dict[str, tuple[Any, str]] = {
    "gap": (lambda m, s: m.contact("c", s, gap="q[0"), r"contacts\.c\.gap: unbalanced '\['"),
    "index": (lambda m, s: m.contact("c", s, gap="q[1]"), r"index 1 out of range.*'q' has size 1"),
    "restitution": (lambda m, s: m.contact("c", s, gap="q[0]", law=sl.NewtonImpact(restitution=1.7)),
                    r"restitution is 1.7; it must be between 0 and 1"),
    "friction": (lambda m, s: m.contact("c", s, gap="q[0]", law=sl.NewtonImpact(friction=0.3)), "no sliding velocity"),
    "law": (lambda m, s: m.contact("c", s, gap="q[0]", law=sl.Relay()), "a contact has NewtonImpact"),
    "kind": (lambda m, s: m.first_order("other", x=[1.0]), "another kind than the systems before it"),
    "piece": (lambda m, s: m.interaction("i", s, y="x[0]"), "is of the kind Lagrangian"),
    "name": (lambda m, s: m.lagrangian("s", q=[1.0], mass=1.0), "the name 's' is taken"),
    "parameters": (lambda m, s: m.contact("c", s, gap=lambda a, b, c: 1.0), r"the function takes \(a, b, c\)"),
    "order": (lambda m, s: m.lagrangian("t", q=[1.0], mass=1.0, force=lambda t, y: -y), r"takes \(t, y\)"),
    "symbols": (lambda m, s: m.contact("c", s, m.lagrangian("t", q=[1.0], mass=1.0), gap=s.q[0] - sl.q[1]),
                "mixes symbols"),
    "brackets": (lambda m, s: m.lagrangian("a[0]", q=[1.0], mass=1.0), "a name has no spaces"),
    "truth": (lambda m, s: m.contact("c", s, gap=sl.traced(lambda q: 1 if q[0] > 0 else 2)), "no truth value"),
    "mass": (lambda m, s: m.lagrangian("t", q=[1.0], mass=-1.0), "a mass is positive"),
    "nan": (lambda m, s: m.lagrangian("t", q=[float("nan")], mass=1.0), "q0"),
    "scheme": (lambda m, s: sl.simulate(m, 1.0, 0.1, scheme="moreau"), "there is no scheme 'moreau'"),
    "theta": (lambda m, s: sl.simulate(m, 1.0, 0.1, scheme=sl.MoreauJean(theta=0.2)), "theta"),
    "step": (lambda m, s: sl.simulate(m, 1.0, -0.1), "step is -0.1; it must be positive"),
    "memory": (lambda m, s: sl.simulate(m, 1e6, 1e-6), r"GB of memory.*give record_every, \d+ or more"),
    "observer": (lambda m, s: sl.simulate(m, 1.0, 0.1, observer=3), "observer: is int; give a function"),
    "controllers": (lambda m, s: sl.simulate(m, 1.0, 0.1, controllers=[3]), "give a list of Controller"),
    "no step": (lambda m, s: sl.simulate(m, 1.0), r"simulation\.step: is missing"),
    "failure": (lambda m, s: sl.simulate(m, 1.0, 0.1, on_failure="x"), "it must be stop, continue or retry"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_told_when_they_are_made(kind: str) -> None:
    m = sl.Model()
    system = m.lagrangian("s", q=[1.0], mass=1.0)
    before = repr(m)
    action, message = MISTAKES[kind]
    with pytest.raises((ValueError, TypeError), match=message):
        action(m, system)
    assert repr(m) == before or kind == "symbols"  # which added a system
    assert sl.simulate(m, 1.0, 0.1).success  # a mistake leaves no trace


def test_model_of_a_run_is_not_changed_by_the_caller() -> None:
    m = bouncing_ball()
    sim = sl.Simulation(m, step=1e-2)
    m.lagrangian("another", q=[1.0], mass=1.0)
    sim.step(10)
    assert "another.q[0]" not in sim.result


def test_a_scheme_by_name_keeps_options_of_the_same_meaning(tmp_path: Path) -> None:
    path = tmp_path / "ball.toml"
    bouncing_ball().save(path, t_end=0.1, step=0.01)

    def used(options: str, scheme: Any) -> str:
        file = tmp_path / "with_options.toml"
        file.write_text(path.read_text() + options)
        return sl.simulate(sl.load_model(file), scheme=scheme).summary["scheme"]

    located = 'scheme = "event-driven"\ntolerance = 1e-7\n'
    plain = used("", sl.MoreauJean())
    assert used(located, "event-driven") == used(located, None) == "event-driven, tolerance 1e-07"
    assert used(located, "moreau-jean") == plain  # not the steps of automatic length that a tolerance makes of it
    assert used("theta = 1\n", "moreau-jean") == used("", sl.MoreauJean(theta=1.0)) != plain
    assert used("theta = 1\n", sl.MoreauJean()) == plain  # an object gives all options


def test_schemes_are_those_of_the_library() -> None:
    known = {scheme.name: {field.name for field in dataclasses.fields(scheme)} for scheme in (
        sl.EulerMoreau, sl.HigherOrderSweeping, sl.ExplicitEuler, sl.RungeKutta, sl.EventDriven, sl.MoreauJean,
        sl.SchatzmanPaoli, sl.StewartTrinkle, sl.AnitescuPotra, sl.D1Minus, sl.GeneralisedAlpha)}
    from saltus import _saltus

    assert known == {name: set(options) for name, options in _saltus.schemes().items()}
