"""Runs: at once, step by step, interrupted, changed on the way."""

import math
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import EXAMPLES, bouncing_ball, rectifier

import saltus as sl


def test_step_by_step_is_the_same_run() -> None:
    whole = sl.simulate(bouncing_ball(), t_end=2.0, step=1e-2)
    sim = sl.Simulation(bouncing_ball(), step=1e-2)
    for _ in range(50):
        sim.step()
    sim.step(50)
    sim.run(until=2.0)
    assert sim.t == pytest.approx(2.0) and sim.steps == 200
    assert np.array_equal(sim.result["ball.q"], whole["ball.q"])
    assert sim["ball.q"] == sim.state["q"] == whole["ball.q"][-1]


def test_what_a_call_leaves_out_the_file_says() -> None:
    model = sl.load_model(EXAMPLES / "bouncing_ball.toml")
    assert sl.simulate(model, step=0.02).t[-1] == pytest.approx(10.0)
    assert len(sl.simulate(model, t_end=1.0)) == 1001
    with pytest.raises(ValueError, match="t_end: is missing"):
        sl.simulate(bouncing_ball(), step=0.02)


@pytest.mark.parametrize("scheme", [None, "event-driven"])
def test_a_checkpoint_goes_on_as_the_run_does(tmp_path: Path, scheme: str | None) -> None:
    sim = sl.Simulation(bouncing_ball(), step=1e-2, scheme=scheme)
    sim.step(123)
    copy = sim.copy()
    sim.save(tmp_path / "at.json")
    sim.step(200)
    restored = sl.Simulation(bouncing_ball(), step=1e-2, scheme=scheme)
    restored.restore(tmp_path / "at.json")
    for other in (copy, restored):
        assert other.t == pytest.approx(1.23)
        other.step(200)
        assert np.allclose(other.state["q"], sim.state["q"], atol=1e-9)
        assert np.allclose(other.state["v"], sim.state["v"], atol=1e-8)
        assert np.all(np.diff(other.result.t) > 0) and len(other.result) == 201
        # the energy that the contacts took is that of the whole run, from the first sample on
        assert abs(other.result["energy.interactions"][0] - sim.result["energy.interactions"][123]) < 1e-8
        assert other["energy.interactions"] == pytest.approx(sim["energy.interactions"], abs=1e-8)


def test_a_file_that_is_no_checkpoint(tmp_path: Path) -> None:
    sim = sl.Simulation(bouncing_ball(), step=1e-2)
    for text in ("", "[]", "{}", "abc", '{"format": "saltus-checkpoint"}'):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(ValueError, match="is not a checkpoint"):
            sim.restore(tmp_path / "x.json")


def test_paths_are_paths(tmp_path: Path) -> None:
    """open(1) would write to standard output, and close it."""
    sim = sl.Simulation(bouncing_ball(), step=1e-2)
    for write in (sim.save, sim.restore, sim.result.save, sl.load, sl.load_model, bouncing_ball().save):
        with pytest.raises((TypeError, ValueError), match="path: is int; give a path|give t_end and step"):
            write(1)
    for read in (sim.result.save, sl.load, sl.load_model, sl.load_problem):
        with pytest.raises(ValueError, match="null character"):
            read("\0")


def test_parameters_change_on_the_way() -> None:
    """x' = -k x with k = 1, then 3; the error of the scheme is h^2 k^3 t / 12, 1.2e-6 of x in total."""
    m = sl.Model()
    k = m.parameter("k", 1.0)
    m.first_order("s", x=[1.0], f=-k * sl.x[0])
    sim = sl.Simulation(m, step=1e-3)
    sim.run(until=1.0)
    sim.set(k=3.0)
    assert sim.parameters == {"k": 3.0}
    sim.run(until=1.5)
    assert sim["s.x[0]"] == pytest.approx(math.exp(-1 - 1.5), rel=2e-6)
    run = sim.result
    assert np.all(np.diff(run.t) > 0) and run.summary["steps"] == 1500
    with pytest.raises(ValueError, match="there is no parameter 'kk'"):
        sim.set(kk=1.0)
    sim.step()


def test_state_can_be_set() -> None:
    sim = sl.Simulation(bouncing_ball(), step=1e-2)
    sim.step(10)
    sim.state = {"q": [2.0], "v": [0.0]}
    assert sim["ball.q[0]"] == 2.0
    sim.step(1)
    assert sim["ball.v[0]"] == pytest.approx(-0.0981)
    assert list(sim.result.t[9:12]) == pytest.approx([0.09, 0.1, 0.1])  # before and after
    begun = sl.Simulation(bouncing_ball(), step=1e-2)
    begun.state = {"q": [2.0], "v": [0.0]}
    begun.step()
    assert list(begun.result.t) == [0.0, 0.01] and begun.result["ball.q[0]"][0] == 2.0
    with pytest.raises(ValueError, match=r"q has shape \(2,\); it must have \(1,\)"):
        sim.state = {"q": [2.0, 1.0], "v": [0.0]}


def test_controller_holds_its_value_over_a_period() -> None:
    """x' = u, u = -x(t_k) / 2 held for a period of 1: x(t_k) = 2^-k, linear between."""
    m = sl.Model()
    u = m.parameter("u", 0.0)
    m.first_order("s", x=[1.0], f=[u])
    times: list[float] = []

    def control(sample: sl.Sample) -> dict[str, float]:
        times.append(sample.t)
        return {"u": -0.5 * sample["s.x[0]"]}

    run = sl.simulate(m, 6.0, 0.1, controllers=[sl.Controller(1.0, control)])
    assert times == pytest.approx(np.arange(6.0))
    assert run["s.x[0]"] == pytest.approx(np.interp(run.t, np.arange(7), 0.5 ** np.arange(7)), abs=1e-12)
    assert len(run) == 61
    with pytest.raises(ValueError, match="not a multiple of the step"):
        sl.simulate(m, 6.0, 0.1, controllers=[sl.Controller(0.25, control)])
    with pytest.raises(TypeError, match="it must return a dict"):
        sl.simulate(m, 6.0, 0.1, controllers=[sl.Controller(1.0, lambda sample: 3)])


@pytest.mark.parametrize("changes", [True, False])
def test_samples_keep_their_turn_with_controllers(changes: bool) -> None:
    m = sl.Model()
    u = m.parameter("u", 0.0)
    m.first_order("s", x=[1.0], f=[u])
    controller = sl.Controller(0.03, lambda sample: {"u": sample.t if changes else 0.0})
    run = sl.simulate(m, 1.05, 0.01, record_every=10, controllers=[controller])
    assert list(run.t) == pytest.approx([*np.arange(11) / 10, 1.05], abs=1e-12)


def test_controlled_motion_with_impacts_keeps_its_energy_account() -> None:
    m = sl.Model()
    g = m.parameter("g", 9.81)
    ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81 + 0 * g])
    m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.8))
    controller = sl.Controller(0.05, lambda sample: {"g": sample.t})
    plain = sl.simulate(m, 2.0, 1e-3)
    run = sl.simulate(m, 2.0, 1e-3, controllers=[controller])
    assert np.allclose(run["ball.q"], plain["ball.q"], atol=1e-9)
    assert np.allclose(run["energy.interactions"], plain["energy.interactions"], atol=1e-9)
    assert len(run.impacts) == len(plain.impacts)


def test_observer_sees_every_sample_and_may_end_the_run() -> None:
    seen: list[tuple[float, float]] = []

    def observe(sample: sl.Sample) -> bool:
        seen.append((sample.t, sample["ball.q"][0]))
        return sample.t < 0.5

    run = sl.simulate(bouncing_ball(), 2.0, 1e-2, observer=observe)
    assert run.status == "interrupted" and run.t[-1] == pytest.approx(0.5)
    assert [q for _, q in seen] == list(run["ball.q[0]"])
    by_numpy = sl.simulate(bouncing_ball(), 2.0, 1e-2, observer=lambda sample: sample["ball.q[0]"] > 0.5)
    assert by_numpy.status == "interrupted" and by_numpy["ball.q[0]"][-1] <= 0.5 < by_numpy["ball.q[0]"][-2]
    at_once = sl.simulate(bouncing_ball(), 2.0, 1e-2, observer=lambda sample: False)
    assert at_once.status == "interrupted" and len(at_once) == 1
    with pytest.raises(RuntimeError, match="stop here"):
        sl.simulate(bouncing_ball(), 2.0, 1e-2, observer=lambda sample: (_ for _ in ()).throw(RuntimeError("stop here")))


def long_model() -> sl.Model:
    return rectifier()


def test_ctrl_c_keeps_what_was_computed() -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(RuntimeWarning, match="interrupted at t = .*; what was computed is kept"):
        run = sl.simulate(long_model(), t_end=1e5, step=1e-5, record_every=100000)
    assert run.status == "interrupted" and not run.success
    assert 0 < run.t[-1] < 1e5 and len(run) >= 2
    assert run.t[-1] == pytest.approx(run.summary["steps"] * 1e-5)


def test_ctrl_c_while_python_functions_run() -> None:
    def slow(q: np.ndarray) -> float:
        time.sleep(1e-4)  # most of the time is spent here
        return -9.81 + 0 * q

    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.warns(RuntimeWarning, match="interrupted"):
        run = sl.simulate(bouncing_ball(force=slow), t_end=1e3, step=1e-4)
    assert run.status == "interrupted" and len(run) > 10


def test_other_threads_run_meanwhile() -> None:
    counted = 0
    goes_on = True

    def count() -> None:
        nonlocal counted
        while goes_on:
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    sl.simulate(long_model(), t_end=30.0, step=1e-5, record_every=100000)
    seconds = time.monotonic() - start
    goes_on = False
    thread.join()
    assert counted > 50 * seconds


def test_two_simulations_in_two_threads() -> None:
    results: list[sl.Run] = [None] * 2  # type: ignore[list-item]

    def work(k: int) -> None:
        results[k] = sl.simulate(bouncing_ball(force=lambda t: -9.81), 1.0, 1e-3)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(results[0]["ball.q"], results[1]["ball.q"])


def test_nobody_else_may_touch_a_run_under_way() -> None:
    """Neither a function that it calls, nor another thread; neither crashes."""
    sim: sl.Simulation | None = None
    errors: list[str] = []

    def force(q: np.ndarray) -> np.ndarray:
        try:
            if sim is not None:
                sim.set(e=0.1)
        except RuntimeError as error:
            errors.append(str(error))
        return -9.81 + 0 * q

    model = sl.Model()
    model.parameter("e", 0.5)
    model.lagrangian("ball", q=[1.0], mass=1.0, force=force)
    sim = sl.Simulation(model, step=1e-2)
    sim.step(20)
    assert errors and "is under way" in errors[0]

    busy = sl.Simulation(long_model(), step=1e-6)
    thread = threading.Thread(target=lambda: busy.step(3_000_000))
    thread.start()
    time.sleep(0.05)
    for touch in (busy.step, lambda: busy.result, lambda: busy.state, lambda: busy.sample, busy.copy):
        with pytest.raises(RuntimeError, match="is under way"):
            touch()
    thread.join()
    busy.step(1)


class Weather:
    """A force that raises while it is bad; constant, so that runs with and without bad weather are the same."""

    def __init__(self, after: float) -> None:
        self.after, self.is_bad = after, True

    def __call__(self, q: np.ndarray, t: float) -> np.ndarray:
        if self.is_bad and t > self.after:
            raise ZeroDivisionError("bad weather")
        return -9.81 + 0 * q


def falling_model(force: Any) -> sl.Model:
    m = sl.Model()
    m.lagrangian("ball", q=[1.0], mass=1.0, force=force)
    return m


SURVIVORS = ["moreau-jean", "event-driven", "generalised-alpha", "stewart-trinkle", "d1-minus",
             sl.MoreauJean(tolerance=1e-6, min_step=1e-8), sl.EventDriven(method="radau")]


@pytest.mark.parametrize("record_every", [1, 7])
@pytest.mark.parametrize("scheme", [*SURVIVORS, "schatzman-paoli"], ids=str)
def test_an_exception_carries_the_run_up_to_it(scheme: Any, record_every: int, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError, match="bad weather") as caught:
        sl.simulate(falling_model(Weather(0.305)), 1.0, 1e-2, scheme=scheme, record_every=record_every)
    run = caught.value.run
    whole = sl.simulate(falling_model(lambda q: -9.81 + 0 * q), 1.0, 1e-2, scheme=scheme, record_every=record_every)
    last = run.t[-1]
    assert last == pytest.approx(0.3, abs=0.011)
    assert run.status == "failed" and not run.success
    assert run.message == f"ended at t = {last:.12g} by ZeroDivisionError: bad weather"
    assert any(f"error.run holds the run up to t = {last:.12g}" in note for note in caught.value.__notes__)
    assert run.summary["t"] == last and run.summary["steps"] > 0
    on_turn = len(run) - (round(last / 1e-2) % record_every != 0)
    assert np.array_equal(run.t[:on_turn], whole.t[:on_turn])
    assert np.array_equal(run["ball.q"][:on_turn], whole["ball.q"][:on_turn])
    assert run["ball.v[0]"][-1] == pytest.approx(-9.81 * last, abs=1e-9 if scheme != "schatzman-paoli" else 0.1)
    assert len(run.reports.residual) == len(run)
    run.save(tmp_path / "x.h5")
    again = sl.load(tmp_path / "x.h5")
    assert again.status == "failed" and again.message == run.message
    assert np.array_equal(again["ball.q"], run["ball.q"])


def test_an_exception_of_a_first_order_function_carries_the_run() -> None:
    def f(x: np.ndarray, t: float) -> np.ndarray:
        if t > 0.5:
            raise LookupError("no more")
        return -10 * x

    for scheme in ("euler-moreau", "explicit-euler", "event-driven"):
        with pytest.raises(LookupError) as caught:
            sl.simulate(rectifier(f=f), 1.0, 1e-2, scheme=scheme)
        run = caught.value.run
        assert 0.47 < run.t[-1] <= 0.5 and len(run) == round(run.t[-1] / 1e-2) + 1


def test_exceptions_of_observers_and_controllers_carry_the_run() -> None:
    def fails(sample: sl.Sample) -> dict[str, float]:
        if sample.t > 0.495:
            raise RuntimeError("no more")
        return {}

    m = sl.Model()
    m.parameter("u", 0.0)
    m.first_order("s", x=[1.0], f=["u - x[0]"])
    for options in ({"observer": fails}, {"controllers": [sl.Controller(0.1, fails)]}):
        with pytest.raises(RuntimeError, match="no more") as caught:
            sl.simulate(m, 1.0, 1e-2, record_every=5, **options)
        run = caught.value.run
        assert run.status == "failed" and "RuntimeError: no more" in run.message
        assert run.t[-1] == pytest.approx(0.5) and len(run) == 11


def test_ctrl_c_in_a_controller_keeps_what_was_computed() -> None:
    def control(sample: sl.Sample) -> dict[str, float]:
        if sample.t > 0.45:
            signal.raise_signal(signal.SIGINT)
        return {}

    m = sl.Model()
    m.first_order("s", x=[1.0], f=["-x[0]"])
    with pytest.warns(RuntimeWarning, match="interrupted at t = 0.5"):
        run = sl.simulate(m, 1.0, 1e-2, controllers=[sl.Controller(0.1, control)])
    assert run.status == "interrupted" and len(run) == 51


def test_an_exception_that_takes_no_attributes_arrives_as_it_is() -> None:
    class Closed(Exception):
        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(name)

    def force(t: float) -> float:
        if t > 0.1:
            raise Closed("\ud800")  # no text of UTF-8 either
        return -9.81

    with pytest.raises(Closed):
        sl.simulate(bouncing_ball(force=force), 1.0, 1e-2)
    with pytest.raises(Closed):
        sl.sweep(lambda e: bouncing_ball(e, force=force), 1.0, 1e-2, e=[0.5])


@pytest.mark.parametrize("scheme", SURVIVORS, ids=str)
def test_a_simulation_goes_on_after_an_exception(scheme: Any) -> None:
    weather = Weather(0.105)
    sim = sl.Simulation(falling_model(weather), step=1e-2, scheme=scheme)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            sim.step(50)
        assert sim.t == pytest.approx(0.1, abs=0.011) and sim.t <= 0.105
        assert sim.state["v"][0] == pytest.approx(-9.81 * sim.t, abs=1e-9)
        assert sim["ball.v[0]"] == sim.state["v"][0]
        assert sim.result.status == "failed" and "ZeroDivisionError: bad weather" in sim.result.message
        assert sim.result.t[-1] == sim.t
    assert sim.copy().t == sim.t
    weather.is_bad = False
    sim.run(until=1.0)
    whole = sl.simulate(falling_model(lambda q: -9.81 + 0 * q), 1.0, 1e-2, scheme=scheme)
    assert sim.result.status == "reached"
    assert sim.result.t == pytest.approx(whole.t, abs=1e-12)  # none twice
    assert sim.result["ball.q"] == pytest.approx(whole["ball.q"], abs=1e-9)


def test_a_contact_that_stays_closed_does_not_switch_where_a_simulation_goes_on() -> None:
    is_bad = True

    def force(q: np.ndarray, t: float) -> np.ndarray:
        if is_bad and t > 2.5:
            raise ZeroDivisionError
        return -9.81 + 0 * q

    sim = sl.Simulation(bouncing_ball(0.0, force=force), step=1e-2)
    with pytest.raises(ZeroDivisionError):
        sim.run(until=3.0)
    is_bad = False
    sim.run(until=3.0)
    whole = sl.simulate(bouncing_ball(0.0), 3.0, 1e-2)
    assert [(e.t, e.kind) for e in sim.result.events] == [(e.t, e.kind) for e in whole.events]


def test_impacts_are_told_once_where_a_simulation_goes_on() -> None:
    """The exception comes between two parts of a divided step, of which samples and impacts were told."""
    counted = 0

    def force(q: np.ndarray) -> np.ndarray:
        nonlocal counted
        counted += 1
        if counted in (150, 400, 900, 1500):
            raise ZeroDivisionError
        return -9.81 + 0 * q

    scheme = sl.MoreauJean(tolerance=1e-4, min_step=1e-6)
    sim = sl.Simulation(bouncing_ball(0.5, force=force), step=1e-2, scheme=scheme)
    exceptions = 0
    while sim.t < 0.999:
        try:
            sim.run(until=1.0)
        except ZeroDivisionError:
            exceptions += 1
    run = sim.result
    assert exceptions == 4 and run.status == "reached"
    assert np.all(np.diff(run.t) > 0)
    whole = sl.simulate(bouncing_ball(0.5), 1.0, 1e-2, scheme=scheme)
    assert len(run.impacts) == len(whole.impacts) == run.summary["impacts"]
    assert run.impacts["t"] == pytest.approx(whole.impacts["t"], abs=1e-2)


def test_an_exception_in_a_scheme_of_two_steps_ends_the_simulation() -> None:
    weather = Weather(0.105)
    sim = sl.Simulation(falling_model(weather), step=1e-2, scheme="schatzman-paoli")
    with pytest.raises(ZeroDivisionError):
        sim.step(50)
    weather.is_bad = False
    assert sim.t == pytest.approx(0.1, abs=0.011) and sim.state["q"].shape == (1,)
    with pytest.raises(ValueError, match="needs the two positions before it.*continued after an exception"):
        sim.step()


def test_a_scheme_of_two_steps_is_not_changed_on_the_way() -> None:
    sim = sl.Simulation(bouncing_ball(), step=1e-2, scheme="schatzman-paoli")
    sim.step(10)
    for change in (sim.copy, lambda: setattr(sim, "state", sim.state)):
        with pytest.raises(ValueError, match="needs the two positions before it"):
            change()
    sim.step(10)


def test_a_run_that_fails_says_so_and_keeps_its_beginning() -> None:
    """x' = -x + lambda, y = x - lambda, x(0) < 0 has no solution."""
    m = sl.Model()
    m.first_order("s", x=[-1.0], f="-x[0]")
    m.interaction("i", y="x[0] - lambda[0]", r="lambda[0]")
    with pytest.warns(Warning):
        run = sl.simulate(m, 1.0, 1e-2)
    assert run.status == "failed" and not run.success
    assert "cannot be solved" in run.message and len(run.reports.failed) == 1
    assert run.reports.failed[0].status != "converged"
    sim = sl.Simulation(m, step=1e-2)
    with pytest.raises(RuntimeError, match="cannot be solved"):
        sim.step()


def test_progress_bar_is_shown_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    sl.simulate(long_model(), t_end=20.0, step=1e-6, record_every=1000000, progress=True)
    shown = capsys.readouterr().err
    assert "%|" in shown and "t = " in shown and shown.endswith("\r")
    sl.simulate(long_model(), t_end=1.0, step=1e-3, progress=False)
    assert capsys.readouterr().err == ""
