"""Results, files, sweeps and maps."""

import math
from pathlib import Path

import numpy as np
import pytest
from support import EXAMPLES, bouncing_ball, rectifier

import saltus as sl


@pytest.fixture(scope="module")
def ball() -> sl.Run:
    return sl.simulate(bouncing_ball(0.5), 1.5, 1e-3)


def test_channels(ball: sl.Run) -> None:
    assert ball["ball.q"].shape == (1501, 1) and ball["ball.q[0]"].shape == (1501,)
    assert np.may_share_memory(ball["ball.q"], ball["ball.v"])  # views of one table
    assert not ball["ball.q"].flags.writeable
    assert "ground.gap" in ball and "ground.gapp" not in ball
    with pytest.raises(KeyError, match="did you mean 'ball.q'"):
        ball["bal.q"]


def test_arrays_outlive_the_run() -> None:
    q = sl.simulate(bouncing_ball(), 0.1, 1e-3)["ball.q[0]"]
    assert q[50] == pytest.approx(1 - 9.81 * 0.05**2 / 2, abs=1e-4)


def test_events_of_both_loops(ball: sl.Run) -> None:
    located = sl.simulate(bouncing_ball(0.5), 1.5, 1e-2, scheme="event-driven")
    t1 = math.sqrt(2 / 9.81)
    impacts = [event for event in located.events if event.kind == "impact"]
    exact = t1 * (2 - 0.5 ** np.arange(len(impacts)) * 2 + 1)  # t1 (1 + 2 (e + e^2 + ...))
    assert [event.t for event in impacts[:8]] == pytest.approx(exact[:8], abs=1e-10)
    assert impacts[0].interaction == "ground" and impacts[0].after[1] == pytest.approx(-0.5 * impacts[0].before[1])
    stepped = [event for event in ball.events if event.kind == "impact"]
    assert stepped[0].t == pytest.approx(t1, abs=2e-3) and stepped[0].percussion > 0
    assert all(a.t <= b.t for a, b in zip(ball.events, ball.events[1:]))


@pytest.mark.parametrize("scheme", [None, "event-driven"])
def test_files(tmp_path: Path, scheme: str | None) -> None:
    run = sl.simulate(bouncing_ball(0.5), 1.5, 1e-2, scheme=scheme)
    run.save(tmp_path / "x.h5")
    again = sl.load(tmp_path / "x.h5")
    assert again.channels == run.channels and again.summary == run.summary
    assert np.array_equal(again.t, run.t) and np.array_equal(again["ball.q"], run["ball.q"])
    assert np.array_equal(again.reports.residual, run.reports.residual)
    assert [(e.t, e.kind, e.interaction) for e in again.events] == [(e.t, e.kind, e.interaction) for e in run.events]
    assert "[contacts.ground]" in again.model_text
    with pytest.raises(ValueError, match="nothing.h5"):
        sl.load(tmp_path / "nothing.h5")
    (tmp_path / "text.txt").write_text("abc")
    with pytest.raises(ValueError):
        run.save(tmp_path / "text.txt")  # is not a result file: not overwritten
    assert (tmp_path / "text.txt").read_text() == "abc"


def test_pandas(ball: sl.Run) -> None:
    pandas = pytest.importorskip("pandas")
    frame = ball.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    assert np.array_equal(frame["ball.q[0]"], ball["ball.q[0]"])


def ball_with_parameter() -> sl.Model:
    m = sl.Model()
    e = m.parameter("e", 0.5)
    system = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    m.contact("ground", system, gap=system.q[0], law=sl.NewtonImpact(restitution=e))
    return m


def test_sweep_is_a_loop_over_runs_whatever_the_threads() -> None:
    m, values = ball_with_parameter(), [0.0, 0.3, 0.6, 0.9]
    sweeps = [sl.sweep(m, 1.0, 1e-3, threads=threads, e=values) for threads in (1, 2)]
    for result in sweeps:
        assert [chosen["e"] for chosen in result.values] == values and not result.failures
        for chosen, run in result:
            assert np.array_equal(run["ball.q"], sl.simulate(m, 1.0, 1e-3, **chosen)["ball.q"])
    assert m.parameters == {"e": 0.5}
    built = sl.sweep(lambda e: bouncing_ball(e), 1.0, 1e-3, e=values)
    assert np.array_equal(built.final("ball.q[0]"), sweeps[0].final("ball.q[0]"))
    python = sl.sweep(lambda e: bouncing_ball(e, force=lambda t: -9.81), 1.0, 1e-3, e=values)
    assert np.allclose(python.final("ball.q[0]"), built.final("ball.q[0]"), atol=1e-9)


@pytest.mark.parametrize("record", ["run", "final"])
def test_an_exception_in_a_sweep_keeps_what_was_computed(record: str) -> None:
    def model(late: float) -> sl.Model:
        def force(t: float) -> float:
            if late and t > 0.5:
                raise ZeroDivisionError("too late")
            return -9.81

        return bouncing_ball(0.5, force=force)

    with pytest.raises(ZeroDivisionError, match="too late") as caught:
        sl.sweep(model, 1.0, 1e-2, record=record, late=[0, 0, 1, 0])
    sweep = caught.value.sweep
    assert [run.status for run in sweep.runs] == ["reached", "reached", "failed", "interrupted"]
    assert sweep.values[2] == {"late": 1} and caught.value.run is sweep.runs[2]
    assert "ZeroDivisionError: too late" in sweep.runs[2].message
    whole = sl.sweep(model, 1.0, 1e-2, record=record, late=[0])
    assert np.array_equal(sweep.runs[0]["ball.q"], whole.runs[0]["ball.q"])
    if record == "run":
        assert sweep.runs[2].t[-1] == pytest.approx(0.5, abs=0.011)


def test_sweep_over_two_parameters_and_failures() -> None:
    m = ball_with_parameter()
    m.parameter("unused", 1.0)
    with pytest.warns(RuntimeWarning, match="2 of 4 runs did not reach their end; the first: .*restitution is 2"):
        result = sl.sweep(m, 0.5, 1e-3, record="final", e=[0.1, 2.0], unused=[1, 2])
    assert result.values == [{"e": 0.1, "unused": 1}, {"e": 0.1, "unused": 2}, {"e": 2.0, "unused": 1},
                             {"e": 2.0, "unused": 2}]
    assert len(result.failures) == 2 and "restitution is 2" in result.failures[0][1]
    assert np.isnan(result.final("ball.q[0]")[2])
    for wrong in ({}, {"e": []}, {"e": "abc"}, {"e": 3.0}):
        with pytest.raises(ValueError):
            sl.sweep(m, 0.5, 1e-3, **wrong)


def test_stroboscope_of_an_oscillator() -> None:
    m = sl.Model()
    m.lagrangian("mass", q=[1.0], mass=1.0, stiffness=1.0)
    points = sl.stroboscopic(m, 2 * math.pi, t_end=20.0, step=1e-3)
    assert points["mass.q[0]"] == pytest.approx(1.0, abs=1e-5) and len(points) == 4


def test_poincare_of_a_model_and_of_a_run() -> None:
    m = sl.Model()
    m.lagrangian("mass", q=[1.0], mass=1.0, stiffness=1.0)
    points = sl.poincare(m, "mass.v[0]", t_end=20.0, step=1e-3)
    assert points.t == pytest.approx(np.pi * np.array([1, 3, 5]), abs=1e-4)
    assert points["mass.q[0]"] == pytest.approx(-1, abs=1e-4)
    again = sl.poincare(sl.simulate(m, t_end=20.0, step=1e-3), "mass.v[0]")
    assert again.t == pytest.approx(points.t, abs=1e-9)
    assert again["mass.q[0]"] == pytest.approx(points["mass.q[0]"], abs=1e-9)


def test_bifurcation_diagram_of_the_cam() -> None:
    m = sl.load_model(EXAMPLES / "cam_follower.toml")
    diagram = sl.bifurcation(m, "phase", t_end="100*60/rpm", step="60/rpm/500", record="impact-map", period="60/rpm",
                             transient="80*60/rpm", rpm=[358, 700])
    at_358, at_700 = (diagram.value[diagram.parameter == rpm] for rpm in (358, 700))
    assert len(at_700) == pytest.approx(20, abs=1) and np.ptp(at_700) < 1e-2  # one impact per turn
    assert len(at_358) / 20 == pytest.approx(8 / 3, abs=0.2)                  # eight impacts in three turns
    assert np.all((0 <= diagram.value) & (diagram.value < 1))


def test_impact_map_keeps_the_impacts_alone() -> None:
    impacts = sl.impact_map(bouncing_ball(0.5), t_end=1.5, step=1e-3)
    assert np.array_equal(impacts, sl.simulate(bouncing_ball(0.5), 1.5, 1e-3).impacts)
    with pytest.raises(ValueError, match="has no impacts"):
        sl.impact_map(rectifier(), t_end=1.0, step=1e-3)
