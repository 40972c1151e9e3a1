"""Pictures show what runs hold: the values, the jumps, the bodies where they are."""

import gc
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the choice of the backend)
from matplotlib.collections import LineCollection  # noqa: E402

import saltus as sl  # noqa: E402
from saltus import animation as moving, plots as pictures  # noqa: E402
from saltus.plots import COLOURS, points  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def bouncing(restitution: float = 0.8, height: float = 1.0, t_end: float = 2.0, step: float = 0.01,
             **options: object) -> sl.Run:
    m = sl.Model("ball")
    ball = m.lagrangian("ball", q=[height], mass=1.0, force=[-9.81])
    m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=restitution))
    return sl.simulate(m, t_end=t_end, step=step, **options)


def thrown(t_end: float = 1.0) -> sl.Run:
    m = sl.Model("thrown")
    ball = m.lagrangian("ball", q=[0.0, 1.0], v=[2.0, 0.0], mass=1.0, force=[0, -9.81])
    m.contact("ground", ball, gap=ball.q[1] - 0.1, law=sl.NewtonImpact(restitution=0.8))
    m.lagrangian("anchor", q=[-1.0], mass=1.0)
    return sl.simulate(m, t_end=t_end, step=0.02)


def example(name: str, **options: object) -> sl.Run:
    return sl.simulate(sl.load_model(EXAMPLES / f"{name}.toml"), **options)


@pytest.fixture(scope="module")
def ball() -> sl.Run:
    return bouncing()


@pytest.fixture(scope="module")
def located() -> sl.Run:
    return bouncing(scheme="event-driven", step=0.013)


@pytest.fixture(scope="module")
def zener() -> sl.Run:
    return example("zener", t_end=5.0)


@pytest.fixture(scope="module")
def beads() -> sl.Run:
    return example("bead_column", t_end=0.2)


def marks(axes) -> dict[str, np.ndarray]:
    """The segments that mark events, by their labels."""
    return {c.get_label(): np.array(c.get_segments()) for c in axes.collections if isinstance(c, LineCollection)}


# -- channels over time


def test_a_channel_is_drawn_sample_by_sample(ball: sl.Run) -> None:
    axes = ball.plot("ball.q[0]")
    (line,) = axes.get_lines()
    np.testing.assert_array_equal(line.get_xdata(), ball.t)
    np.testing.assert_array_equal(line.get_ydata(), ball["ball.q[0]"])
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_legend()) == ("t", "ball.q[0]", None)


def test_a_vector_is_drawn_entry_by_entry(beads: sl.Run) -> None:
    axes = beads.plot("beads.q")
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == [f"beads.q[{i}]" for i in range(10)]
    np.testing.assert_array_equal(np.column_stack([line.get_ydata() for line in lines]), beads["beads.q"])
    assert len({matplotlib.colors.to_hex(line.get_color()) for line in lines}) == 10
    assert axes.get_ylabel() == "beads.q"


def test_without_names_positions_and_velocities_are_stacked(ball: sl.Run) -> None:
    upper, lower = ball.plot()
    np.testing.assert_array_equal(upper.get_lines()[0].get_ydata(), ball["ball.q[0]"])
    np.testing.assert_array_equal(lower.get_lines()[0].get_ydata(), ball["ball.v[0]"])
    assert (upper.get_xlabel(), lower.get_xlabel()) == ("", "t")
    lower.set_xlim(0.5, 1.0)
    assert upper.get_xlim() == (0.5, 1.0)


def test_without_names_a_circuit_shows_its_states(zener: sl.Run) -> None:
    axes = zener.plot()
    assert [line.get_label() for line in axes.get_lines()] == ["circuit.x[0]", "circuit.x[1]"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["circuit.x[0]", "circuit.x[1]"]


def test_a_legend_has_few_entries(beads: sl.Run) -> None:
    axes = beads.plot("beads.q", "beads.v")
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert len(texts) == 6 and (texts[0], texts[-1]) == ("beads.q[0]", "beads.v[9]")


def test_a_legend_does_not_cover_curves(zener: sl.Run) -> None:
    axes = zener.plot()
    axes.figure.canvas.draw()
    assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1
    assert axes.get_legend().get_window_extent().x1 <= axes.figure.bbox.x1


@pytest.mark.parametrize("name, drawstyle", [("circuit.x[1]", "default"), ("zener.lambda[0]", "steps-pre"),
                                             ("zener.y[0]", "default")])
def test_multipliers_are_steps(zener: sl.Run, name: str, drawstyle: str) -> None:
    assert zener.plot(name).get_lines()[0].get_drawstyle() == drawstyle


def test_what_belongs_to_a_step_depends_on_the_scheme(ball: sl.Run, located: sl.Run) -> None:
    def of(run: sl.Run) -> list[str]:
        return [line.get_drawstyle() for line in run.plot("ground.P", "ground.force", "ground.u").get_lines()]

    assert of(ball) == ["steps-pre", "steps-pre", "default"]
    assert of(located) == ["steps-pre", "default", "default"]  # located motion records forces at the times of samples


def test_located_motion_is_drawn_through_its_events(located: sl.Run) -> None:
    position, velocity = located.plot("ball.q", "ball.v").get_lines()
    impacts = [event for event in located.events if event.kind == "impact"]
    t, v = velocity.get_data()
    for event in impacts:
        np.testing.assert_array_equal(v[t == event.t], [event.before[1], event.after[1]])
    np.testing.assert_array_equal(v[np.isin(t, located.t)], located["ball.v[0]"])
    assert min(position.get_ydata()) == pytest.approx(0.0, abs=1e-9)
    assert np.all(np.diff(t) >= 0)


def test_axes_may_be_given(ball: sl.Run) -> None:
    figure, axes = pyplot.subplots()
    assert ball.plot(axes=axes) is axes
    assert [line.get_label() for line in axes.get_lines()] == ["ball.q[0]", "ball.v[0]"]
    figure, several = pyplot.subplots(2, 1)
    drawn = ball.plot("ball.v", "ground.gap", axes=several)
    assert [place.get_ylabel() for place in drawn] == ["ball.v[0]", "ground.gap"]
    assert [place.get_xlabel() for place in drawn] == ["t", "t"]  # their times are not shared
    with pytest.raises(ValueError, match="2 axes are given for 1"):
        ball.plot("ball.v", axes=several)


def test_runs_are_compared_in_the_same_axes(ball: sl.Run) -> None:
    axes = ball.plot("ball.q[0]", label="0.8")
    bouncing(restitution=0.5).plot("ball.q[0]", axes=axes, label="0.5")
    assert len({line.get_color() for line in axes.get_lines()}) == 2
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["0.8", "0.5"]
    assert axes.get_ylabel() == "ball.q[0]"
    ball.plot("ball.v[0]", axes=axes)
    assert axes.get_ylabel() == ""


def test_the_style_is_handed_on(ball: sl.Run) -> None:
    (line,) = ball.plot("ground.P", c="red", lw=3, drawstyle="steps-post").get_lines()
    assert (line.get_color(), line.get_linewidth(), line.get_drawstyle()) == ("red", 3, "steps-post")


def test_unknown_channels_leave_no_figure(ball: sl.Run) -> None:
    with pytest.raises(KeyError, match="did you mean 'ball.q"):
        ball.plot("bal.q")
    with pytest.raises(KeyError, match="there is no channel"):
        ball.phase("ball.q[0]", "nothing")
    assert pyplot.get_fignums() == []


def test_runs_without_samples_have_no_pictures() -> None:
    m = sl.Model()
    speed = m.parameter("speed", 1.0)
    m.lagrangian("point", q=[0.0], v=[speed], mass=1.0)
    (run,) = sl.sweep(m, t_end=1.0, step=0.1, record="impact-map", speed=[2.0]).runs
    for draw in (run.plot, run.animate, lambda: run.phase("point.q", "point.v")):
        with pytest.raises(ValueError, match="the run has no samples"):
            draw()


def test_pictures_need_matplotlib(ball: sl.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (ball.plot, lambda: ball.phase("ball.q", "ball.v"), ball.animate, lambda: points([], [], "", "")):
        with pytest.raises(ImportError, match="python3-matplotlib"):
            draw()


def test_colours_are_seen_on_black_and_on_white() -> None:
    for colour in COLOURS:  # contrast as WCAG 2 defines it
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in matplotlib.colors.to_rgb(colour)]
        luminance = np.dot([0.2126, 0.7152, 0.0722], linear)
        assert min((luminance + 0.05) / 0.05, 1.05 / (luminance + 0.05)) > 2


# -- events


def test_events_are_marked_where_they_happen(ball: sl.Run) -> None:
    assert not ball.plot("ball.q").collections
    axes = ball.plot("ball.q", events=True)
    found = marks(axes)
    np.testing.assert_allclose(found["impact"][:, 0, 0], ball.impacts["t"])
    np.testing.assert_array_equal(found["impact"][:, :, 1], np.tile([0.0, 1.0], (len(ball.impacts), 1)))
    assert len(found["switch"]) == sum(event.kind == "switching" for event in ball.events)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["impact", "switch"]


def test_marks_do_not_count_as_values(ball: sl.Run) -> None:
    plain, marked = (ball.plot("energy.total", events=events) for events in (False, True))
    for axes in (plain, marked):
        axes.figure.canvas.draw()
    assert plain.get_ylim() == marked.get_ylim() and plain.get_xlim() == marked.get_xlim()


def test_many_events_do_not_hide_the_curves() -> None:
    run = bouncing(restitution=1.0, height=0.01, t_end=30.0, step=1e-3)
    assert len(run.impacts) > 300
    ticks = marks(run.plot("ball.q", events=True))["impact"]
    assert len(ticks) == len(run.impacts)
    assert np.all(ticks[:, 1, 1] < 0.1)


def test_ticks_closer_than_a_pixel_are_one(monkeypatch: pytest.MonkeyPatch, ball: sl.Run) -> None:
    monkeypatch.setattr(pictures, "_EVENT_COLUMNS", 1)
    assert len(marks(ball.plot("ball.q", events=True))["impact"]) == 2


# -- phase portraits


def lines_of_phase(axes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points of the motion, of the jumps, and the start."""
    by_label = {line.get_label(): line.get_xydata() for line in axes.get_lines()}
    jumps = by_label.pop("_jumps", np.empty((0, 2)))
    start = by_label.pop("_start")
    return next(iter(by_label.values())), jumps, start


def test_a_portrait_does_not_connect_what_jumps(ball: sl.Run) -> None:
    motion, jumps, start = lines_of_phase(ball.phase("ball.q[0]", "ball.v[0]"))
    steps = np.diff(motion[:, 1])
    assert np.nanmax(np.abs(steps)) < 1.5 * 9.81 * 0.01  # of free flight
    assert np.sum(np.isnan(motion[:, 0])) == len(ball.impacts)
    np.testing.assert_allclose(jumps[0::3, 1], ball.impacts["before"])
    np.testing.assert_allclose(jumps[1::3, 1], ball.impacts["after"])
    np.testing.assert_array_equal(start, [[1.0, 0.0]])
    np.testing.assert_array_equal(motion[~np.isnan(motion[:, 0])],
                                  np.column_stack([ball["ball.q[0]"], ball["ball.v[0]"]]))


def test_positions_do_not_jump() -> None:
    run = thrown()
    assert len(run.impacts) > 0
    motion, jumps, _ = lines_of_phase(run.phase("ball.q[0]", "ball.q[1]"))
    assert not np.any(np.isnan(motion)) and len(jumps) == 0


def test_a_portrait_of_located_motion_reaches_the_events(located: sl.Run) -> None:
    motion, jumps, _ = lines_of_phase(located.phase("ball.q[0]", "ball.v[0]"))
    impacts = [event for event in located.events if event.kind == "impact"]
    assert len(impacts) > 2
    np.testing.assert_array_equal(jumps[0::3], [event.before for event in impacts])
    np.testing.assert_array_equal(jumps[1::3], [event.after for event in impacts])
    assert np.nanmin(motion[:, 0]) == pytest.approx(0.0, abs=1e-9)
    gaps = np.flatnonzero(np.isnan(motion[:, 0]))
    np.testing.assert_array_equal(motion[gaps - 1], jumps[0::3])
    np.testing.assert_array_equal(motion[gaps + 1], jumps[1::3])


@pytest.mark.filterwarnings("ignore:the initial state does not satisfy the laws")
def test_states_of_measures_jump() -> None:
    run = example("rld_jumps")
    motion, jumps, _ = lines_of_phase(run.phase("diode.y[0]", "inductor.x[0]"))
    assert 1 <= len(jumps) / 3 <= 3
    assert np.nanmax(np.abs(np.diff(motion[:, 1]))) < 0.1  # the current jumps from 0 to 2 at t = 5


def test_multipliers_jump_where_they_switch() -> None:
    run = example("zener", t_end=2.0)
    motion, jumps, _ = lines_of_phase(run.phase("circuit.x[1]", "zener.lambda[0]"))
    assert len(jumps) / 3 >= 3
    assert np.nanmax(np.abs(np.diff(motion[:, 1]))) < 0.5


def test_a_portrait_may_have_three_dimensions(ball: sl.Run) -> None:
    axes = ball.phase("ball.q", "ball.v", "ground.P")
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_zlabel()) == ("ball.q", "ball.v", "ground.P")
    with pytest.raises(ValueError, match="projection='3d'"):
        ball.phase("ball.q", "ball.v", "ground.P", axes=pyplot.figure().add_subplot())


def test_a_portrait_needs_entries(beads: sl.Run) -> None:
    with pytest.raises(ValueError, match=re.escape("'beads.q' has 10 entries; give one, 'beads.q[0]'")):
        beads.phase("beads.q", "beads.v[0]")


# -- points


def test_points_are_not_connected() -> None:
    x, y = np.arange(3.0), np.array([1.0, 4.0, 2.0])
    axes = points(x, y, "rpm", "phase", markersize=7)
    (line,) = axes.get_lines()
    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([x, y]))
    assert (line.get_linestyle(), line.get_markersize(), line.get_rasterized()) == ("None", 7, False)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("rpm", "phase")


def test_many_points_are_pixels() -> None:
    assert points(np.zeros(10000), np.zeros(10000), "", "").get_lines()[0].get_rasterized()
    with pytest.raises(ValueError, match="same length"):
        points([1, 2], [1], "", "")


def test_a_bifurcation_diagram_is_points() -> None:
    m = sl.Model()
    e = m.parameter("e", 0.5)
    ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=e))
    diagram = sl.bifurcation(m, "before", t_end=2.0, step=0.01, record="impact-map", e=[0.5, 0.8])
    axes = diagram.plot()
    np.testing.assert_array_equal(axes.get_lines()[0].get_xydata(), np.column_stack([diagram.parameter, diagram.value]))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("e", "before")


# -- animations: where bodies are


def at(run: sl.Run, t: float, *names: str) -> list[float]:
    return [np.interp(t, run.t, run[name]) for name in names]


@pytest.mark.parametrize("t", [0.0, 0.307, 0.5, 1.0])
def test_bodies_are_where_the_run_says(t: float) -> None:
    run = thrown()
    axes = run.animate({"ball": sl.Disk(0.1), "anchor": sl.Disk(0.2)}).draw(t)
    first, second = axes.patches
    assert first.center == pytest.approx(at(run, t, "ball.q[0]", "ball.q[1]"))
    assert second.center == pytest.approx((0.0, -1.0))  # one coordinate is a height
    assert (first.radius, second.radius) == (0.1, 0.2)
    assert axes.get_aspect() == 1.0


def test_without_shapes_systems_are_disks() -> None:
    run = thrown()
    first, second = run.animate().draw(0.5).patches
    assert first.center == pytest.approx(at(run, 0.5, "ball.q[0]", "ball.q[1]"))
    assert first.radius == second.radius > 0


def test_three_coordinates_turn_a_body() -> None:
    run = example("rocking_block", t_end=1.0)
    animation = run.animate({"block": sl.Rectangle(0.2, 1.0)}, ground=0.0)
    for k in (0, 3000, 7000):  # the lower corners are where the contacts are
        (block,) = animation.draw(run.t[k]).patches
        x, _, angle = run["block.q"][k]
        np.testing.assert_allclose(block.get_xy()[:2, 1], [run["left.gap"][k], run["right.gap"][k]], atol=1e-12)
        assert block.get_xy()[0, 0] == pytest.approx(x - 0.1 * np.cos(angle) + 0.5 * np.sin(angle))
    corners = [(-0.1, -0.5), (0.1, -0.5), (0.1, 0.5), (-0.1, 0.5)]
    (same,) = run.animate({"block": sl.Polygon(corners)}).draw(run.t[7000]).patches
    np.testing.assert_allclose(same.get_xy(), block.get_xy(), atol=1e-12)


def test_a_disk_with_an_angle_shows_it() -> None:
    m = sl.Model()
    m.lagrangian("wheel", q=[0.0, 1.0, 0.0], v=[1.0, 0.0, -2.0], mass=1.0)
    axes = sl.simulate(m, t_end=1.0, step=0.1).animate({"wheel": sl.Disk(0.5)}).draw(0.25)
    np.testing.assert_allclose(axes.get_lines()[0].get_xydata(),
                               [[0.25, 1.0], [0.25 + 0.5 * np.cos(0.5), 1.0 - 0.5 * np.sin(0.5)]])


def test_coordinates_are_names_numbers_and_functions(zener: sl.Run) -> None:
    shapes = [sl.Disk(0.1, x="circuit.x[0]", y=2),
              sl.Disk(0.1, x=lambda run: run["circuit.x[1]"] ** 2, y=0, color="red"),
              sl.Line([("circuit.x[0]", 2), (0, 0), (lambda run: 3 * run.t, 1)])]
    axes = zener.animate(shapes).draw(0.5)
    first, second = axes.patches
    assert first.center == pytest.approx((at(zener, 0.5, "circuit.x[0]")[0], 2.0))
    assert second.center[0] == pytest.approx(np.interp(0.5, zener.t, zener["circuit.x[1]"] ** 2))
    assert matplotlib.colors.to_hex(second.get_facecolor()) == "#ff0000"
    np.testing.assert_allclose(axes.get_lines()[0].get_xydata(), [[first.center[0], 2], [0, 0], [1.5, 1]])


def test_nothing_leaves_the_picture() -> None:
    run = thrown(t_end=2.0)
    animation = run.animate({"ball": sl.Disk(0.3), "anchor": sl.Rectangle(0.1, 0.2)}, ground=-2.0, margin=0.0)
    for t in run.t[::7]:
        axes = animation.draw(t)
        for patch in axes.patches:
            box = patch.get_path().transformed(patch.get_patch_transform()).get_extents()
            assert axes.get_xlim()[0] - 1e-9 <= box.x0 and box.x1 <= axes.get_xlim()[1] + 1e-9
            assert axes.get_ylim()[0] - 1e-9 <= box.y0 and box.y1 <= axes.get_ylim()[1] + 1e-9
    assert axes.get_ylim()[0] <= -2.0
    assert axes.get_lines()[0].get_ydata()[0] == -2.0


def test_a_trace_ends_at_the_body() -> None:
    run = thrown()
    axes = run.animate(trace="ball").draw(0.505)
    path = axes.get_lines()[0].get_xydata()
    passed = run.t <= 0.505
    np.testing.assert_allclose(path[:-1], run["ball.q"][passed])
    np.testing.assert_allclose(path[-1], axes.patches[0].center)


# -- animations: when


def test_frames_follow_the_clock() -> None:
    run = thrown(t_end=1.0)
    np.testing.assert_allclose(run.animate(frames_per_second=10).times, np.linspace(0, 1, 11))
    np.testing.assert_allclose(run.animate(frames_per_second=10, speed=0.5).times, np.linspace(0, 1, 21))
    np.testing.assert_allclose(run.animate(frames_per_second=10, duration=0.5).times, np.linspace(0, 1, 6))
    np.testing.assert_allclose(run.animate(frames_per_second=10, speed=4).times, [0, 0.4, 0.8, 1])
    with pytest.raises(ValueError, match="give one"):
        run.animate(speed=2, duration=1)
    with pytest.raises(ValueError, match="frames would be drawn; give a larger speed"):
        run.animate(speed=1e-6)
    with pytest.raises(ValueError, match="speed is 0; it must be above 0"):
        run.animate(speed=0)


# -- animations: files


def test_a_gif_lasts_as_long_as_the_motion(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    thrown(t_end=1.0).animate(speed=2, frames_per_second=15).save(tmp_path / "ball.gif")
    with image.open(tmp_path / "ball.gif") as gif:
        durations = []
        for k in range(gif.n_frames):
            gif.seek(k)
            durations.append(gif.info["duration"])
    assert 8 <= len(durations) <= 9
    assert sum(durations[:-1]) == pytest.approx(500, abs=70)
    assert set(durations) == {70}


def test_a_page_holds_all_frames_and_needs_no_internet(tmp_path: Path) -> None:
    animation = thrown(t_end=1.0).animate(frames_per_second=5)
    animation.save(tmp_path / "ball.html")
    page = (tmp_path / "ball.html").read_text()
    assert len(set(re.findall(r"data:image/png;base64,[^\"]*", page))) == len(animation.times) == 6
    assert "http" not in page and 'class="fa' not in page


def test_a_notebook_gets_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "_NOTEBOOK_FRAMES", 4)
    animation = thrown(t_end=1.0).animate(frames_per_second=5)
    text = animation._repr_html_()
    assert text.count("data:image/png") == 4  # at 0, 0.4, 0.8 and 1
    assert animation._repr_html_() is text


def test_a_film_needs_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.animation import FFMpegWriter

    monkeypatch.setattr(FFMpegWriter, "isAvailable", classmethod(lambda cls: False))
    with pytest.raises(RuntimeError, match="needs the program ffmpeg"):
        thrown().animate().save(tmp_path / "ball.mp4")
    with pytest.raises(ValueError, match="does not end in .gif, .mp4 or .html"):
        thrown().animate().save(tmp_path / "ball.avi")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = thrown(t_end=0.1)
        animation = run.animate()
        animation.draw(0.05)
        animation.save(tmp_path / "ball.html")
        figure, axes = pyplot.subplots()
        assert run.animate(axes=axes).draw(0.0) is axes
        pyplot.close(figure)
        del animation, figure, axes
        gc.collect()
    assert pyplot.get_fignums() == []


def test_show_moves_a_window() -> None:
    animation = thrown(t_end=0.1).animate()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Agg has no windows
        animation.show()
        assert len(pyplot.get_fignums()) == 1
        pyplot.close("all")
        del animation
        gc.collect()


# -- animations: mistakes


def test_mistakes_are_told(beads: sl.Run, zener: sl.Run) -> None:
    run = thrown()
    for message, shapes in (("there is no system 'bal'; known are ball, anchor", {"bal": sl.Disk(0.1)}),
                            ("x is missing", [sl.Disk(0.1)]),
                            ("shape (3,)", [sl.Disk(0.1, x=lambda run: [1, 2, 3], y=0)]),
                            ("is 'ball.q'; give a pair", [sl.Line(["ball.q", (0, 0)])]),
                            ("there are no shapes", [])):
        with pytest.raises(ValueError, match=re.escape(message)):
            run.animate(shapes)
    with pytest.raises(TypeError, match="is float; give a Disk"):
        run.animate({"ball": 0.1})
    with pytest.raises(KeyError, match="there is no channel"):
        run.animate([sl.Disk(0.1, x="nothing", y=0)])
    with pytest.raises(ValueError, match="first order.*give shapes with x and y"):
        zener.animate()
    with pytest.raises(ValueError, match="'beads' has 10 coordinates.*give shapes with x and y"):
        beads.animate()
