"""Bodies that move: animations of runs, by matplotlib."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from .entries import path_of
from .plots import COLOURS, NEUTRAL, import_pyplot, kind_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .run import Run

Coordinate = Union[str, float, Callable[["Run"], Any]]

_MOST_FRAMES = 20000
_NOTEBOOK_FRAMES = 600  # about ten megabytes
_MEGABYTES = 2000  # of a page; matplotlib leaves out the frames beyond its limit
_TRACE_POINTS = 4000
_ICONS = {"minus": "&minus;", "plus": "+", "fast-backward": "|&lt;", "step-backward": "&lt;",
          "play fa-flip-horizontal": "&#x25C0;", "pause": "||", "play": "&#x25B6;",
          "step-forward": "&gt;", "fast-forward": "&gt;|"}


@dataclass(frozen=True)
class Disk:
    """A disk about (x, y); with an angle, in radians, one of its radii is drawn, to make rolling visible.

    ``x``, ``y`` and ``angle`` are names of channels, numbers, or functions of the run that return an array with one
    value per sample. Those that are left out come from the coordinates of the system, if :func:`animate` knows it.
    """

    radius: float
    x: Coordinate | None = None
    y: Coordinate | None = None
    angle: Coordinate | None = None
    color: str | None = None


@dataclass(frozen=True)
class Rectangle:
    """A rectangle with its centre at (x, y), turned by an angle, in radians; see :class:`Disk` for what these are."""

    width: float
    height: float
    x: Coordinate | None = None
    y: Coordinate | None = None
    angle: Coordinate | None = None
    color: str | None = None


@dataclass(frozen=True)
class Polygon:
    """A polygon; its points, (m x 2), are relative to (x, y) and turned by the angle, in radians; see :class:`Disk`."""

    points: Any
    x: Coordinate | None = None
    y: Coordinate | None = None
    angle: Coordinate | None = None
    color: str | None = None


@dataclass(frozen=True)
class Line:
    """A line through points (x, y), each a pair of names of channels, numbers or functions of the run: a rod, a spring.

    ``Line([(0, 0), ("bob.q[0]", "bob.q[1]")])`` is the rod of a pendulum.
    """

    points: Sequence[tuple[Coordinate, Coordinate]]
    color: str | None = None
    width: float = 2.0


Shape = Union[Disk, Rectangle, Polygon, Line]


def animate(run: Run, shapes: Sequence[Shape] | Mapping[str, Shape] | None = None, *, speed: float = 1.0,
            frames_per_second: float = 30, duration: float | None = None, margin: float = 0.1,
            trace: str | Sequence[str] | None = None, ground: float | None = None,
            axes: Axes | None = None) -> Animation:
    """Animates bodies that move as in the run.

    Nothing is drawn before the animation is saved, shown, or is the result of a notebook cell.

    Parameters
    ----------
    shapes
        A list of :class:`Disk`, :class:`Rectangle`, :class:`Polygon` and :class:`Line`, the last on top; or a dict of
        them, by the names of Lagrangian systems, whose coordinates they take: one is the height, two are (x, y), three
        (x, y, angle). If not given, each system is a disk.
    speed
        Speed of the motion: 0.1 shows it ten times as slowly.
    frames_per_second
        Frames of the animation. Positions between samples are interpolated.
    duration
        Instead of ``speed``: the seconds that the animation lasts.
    margin
        The space around the motion, as a fraction of its extent.
    trace
        Systems whose path is drawn; or shapes, by their names in the dict.
    ground
        The height of a line to draw.
    axes
        Where to draw; if not given, a new figure.

    Examples
    --------
    >>> import saltus as sl
    >>> m = sl.Model()
    >>> ball = m.lagrangian("ball", q=[0.0, 1.0], v=[1.0, 0.0], mass=1.0, force=[0, -9.81])
    >>> m.contact("ground", ball, gap=ball.q[1] - 0.1, law=sl.NewtonImpact(restitution=0.8))
    >>> run = sl.simulate(m, t_end=2.0, step=0.01)
    >>> animation = run.animate({"ball": sl.Disk(0.1)}, ground=0.0, trace="ball")
    >>> animation
    <animation of 'model': 61 frames, 2 s>
    >>> animation.save("ball.gif")  # doctest: +SKIP
    """
    import_pyplot()
    if len(run) == 0:
        raise ValueError("animate: the run has no samples")
    for name, value in (("speed", speed), ("frames_per_second", frames_per_second), ("duration", duration)):
        if value is not None and not value > 0:
            raise ValueError(f"animate: {name} is {value}; it must be above 0")
    if duration is not None:
        if speed != 1.0:
            raise ValueError("animate: speed and duration are both given; give one")
        speed = (run.t[-1] - run.t[0]) / duration or 1.0
    bodies = _bodies(run, shapes)
    paths = [_trace(run, name, bodies) for name in ([trace] if isinstance(trace, str) else trace or [])]
    return Animation(run, list(bodies.values()), paths, speed, frames_per_second, margin, ground, axes)


class Animation:
    """What :func:`animate` returns: :meth:`save` it, :meth:`show` it, or leave it to a notebook as a result.

    :meth:`draw` gives the picture at one time. ``times`` are those of the frames.
    """

    def __init__(self, run: Run, bodies: list[_Body], paths: list[np.ndarray], speed: float, frames_per_second: float,
                 margin: float, ground: float | None, axes: Axes | None) -> None:
        self._run, self._bodies, self._paths = run, bodies, paths
        self._speed, self._frames_per_second = speed, frames_per_second
        self._margin, self._ground, self._axes = margin, ground, axes
        self._scene: _Scene | None = None
        self._html: str | None = None
        self._shown: list[Any] = []
        self.times = self._times(frames_per_second)

    def draw(self, t: float) -> Axes:
        """Draws the bodies at this time and returns matplotlib's axes, with ``axes.figure`` to save.

        >>> import saltus as sl
        >>> m = sl.Model()
        >>> ball = m.lagrangian("ball", q=[0.0, 1.0], v=[1.0, 0.0], mass=1.0)
        >>> axes = sl.simulate(m, t_end=1.0, step=0.1).animate().draw(0.5)
        >>> x, y = axes.patches[0].center
        >>> round(x, 9), round(y, 9)
        (0.5, 1.0)
        """
        scene = self._own_scene()
        scene.draw(t)
        return scene.axes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: .gif, .mp4 (needs ffmpeg) or .html, which needs nothing but a browser."""
        name = path_of("path", path)
        ending = os.path.splitext(name)[1].lower()
        if ending == ".gif":
            self._save_gif(name)
        elif ending == ".mp4":
            self._save_mp4(name)
        elif ending in (".html", ".htm"):
            with open(name, "w", encoding="utf-8") as file:
                file.write(f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{self._run.summary["name"]}'
                           f"</title></head><body>\n{self._player(self._frames_per_second)}\n</body></html>\n")
        else:
            raise ValueError(f"save: '{name}' does not end in .gif, .mp4 or .html")

    def show(self) -> None:
        """Opens a window, where matplotlib can."""
        pyplot = import_pyplot()
        scene = self._own_scene() if self._axes is not None else self._new_scene(_subplots)
        self._shown.append(self._moving(scene, self._frames_per_second))  # it moves as long as it is kept
        pyplot.show()

    def _repr_html_(self) -> str:
        if self._html is None:
            share = -(-len(self.times) // _NOTEBOOK_FRAMES)
            self._html = self._player(self._frames_per_second / share)
        return self._html

    def __repr__(self) -> str:
        seconds = (self.times[-1] - self.times[0]) / self._speed
        return f"<animation of '{self._run.summary['name']}': {len(self.times)} frames, {seconds:.3g} s>"

    def _times(self, frames_per_second: float) -> np.ndarray:
        start, end = self._run.t[0], self._run.t[-1]
        steps = (end - start) * frames_per_second / self._speed
        if steps > _MOST_FRAMES:
            raise ValueError(f"animate: {steps:.0f} frames would be drawn; give a larger speed, or a duration")
        return np.append(start + np.arange(max(0, np.ceil(steps - 1e-9))) * self._speed / frames_per_second, end)

    def _own_scene(self) -> _Scene:
        if self._scene is None:
            self._scene = self._new_scene(_figure_apart) if self._axes is None else _Scene(self, self._axes)
        return self._scene

    def _new_scene(self, make: Callable[[tuple[float, float]], Axes]) -> _Scene:
        scene = _Scene(self, make(_figure_size(*self._limits())))
        scene.axes.figure.draw_without_rendering()
        scene.axes.figure.set_layout_engine("none")  # the layout stays; finding it again for each frame is slow
        return scene

    def _limits(self) -> tuple[np.ndarray, np.ndarray]:
        """The ranges of x and y: the whole motion, and the margin; not too narrow, so that the axes can be read."""
        corners = np.concatenate([body.extent() for body in self._bodies])
        low, high = np.nanmin(corners, axis=0), np.nanmax(corners, axis=0)
        if self._ground is not None:
            low[1], high[1] = min(low[1], self._ground), max(high[1], self._ground)
        size = high - low
        size = np.maximum(size, 0.4 * max(*size, 1e-300)) * (1.0 + 2.0 * self._margin)
        centre = 0.5 * (low + high)
        return np.array([centre[0] - 0.5 * size[0], centre[0] + 0.5 * size[0]]), np.array(
            [centre[1] - 0.5 * size[1], centre[1] + 0.5 * size[1]])

    def _moving(self, scene: _Scene, frames_per_second: float) -> Any:
        from matplotlib.animation import FuncAnimation

        return FuncAnimation(scene.axes.figure, scene.draw, frames=self._times(frames_per_second),
                             interval=1000.0 / frames_per_second, cache_frame_data=False)

    def _save_gif(self, name: str) -> None:
        try:
            from matplotlib.animation import PillowWriter
        except ImportError:
            raise ImportError("save: .gif needs pillow, which is not installed; Debian's package is python3-pil"
                              ) from None
        # The frames of a GIF last whole hundredths of a second; they are taken at other times to keep the speed.
        # matplotlib cuts 29.999... milliseconds down to 29, which is why a little is added.
        hundredths = max(2, round(100.0 / self._frames_per_second))
        rate = 100.0 / hundredths
        self._moving(self._own_scene(), rate).save(name, writer=PillowWriter(fps=rate * (1.0 - 1e-9)))

    def _save_mp4(self, name: str) -> None:
        from matplotlib.animation import FFMpegWriter

        if not FFMpegWriter.isAvailable():
            raise RuntimeError("save: .mp4 needs the program ffmpeg, which is not installed (Debian's package is "
                               "ffmpeg); save as .gif or .html")
        # Even numbers of pixels, which the codec needs.
        writer = FFMpegWriter(fps=self._frames_per_second, extra_args=["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                                                                       "-pix_fmt", "yuv420p"])
        self._moving(self._own_scene(), self._frames_per_second).save(name, writer=writer)

    def _player(self, frames_per_second: float) -> str:
        """All frames, with buttons. matplotlib's have icons from a font on the internet: characters replace them."""
        import matplotlib

        moving = self._moving(self._own_scene(), frames_per_second)
        with matplotlib.rc_context({"animation.embed_limit": _MEGABYTES}):
            text = moving.to_jshtml(fps=frames_per_second, default_mode="loop")
        start = text.find("<link")
        if start >= 0:
            text = text[:start] + text[text.index(">", start) + 1:].lstrip("\n")
        for icon, character in _ICONS.items():
            text = text.replace(f'<i class="fa fa-{icon}"></i>', character)
        return text


# -- what moves


class _Body:
    """A shape with the values of its coordinates at the samples."""

    def __init__(self, run: Run, shape: Shape, place: str) -> None:
        self.shape, self.run = shape, run
        if isinstance(shape, Line):
            self.points = np.stack([_point(run, point, f"{place}: points[{k}]")
                                    for k, point in enumerate(shape.points)], axis=1)
        else:
            centre = [_values(run, getattr(shape, name), f"{place}: {name}") for name in ("x", "y")]
            self.centre = np.column_stack(centre)
            self.angle = None if shape.angle is None else _values(run, shape.angle, f"{place}: angle")

    def extent(self) -> np.ndarray:
        """Corners between which it stays."""
        if isinstance(self.shape, Line):
            return self.points.reshape(-1, 2)
        if isinstance(self.shape, Disk):
            return np.concatenate([self.centre - self.shape.radius, self.centre + self.shape.radius])
        return np.concatenate([_turned(point, self.angle) + self.centre for point in _outline(self.shape)])

    def at(self, t: float) -> np.ndarray:
        """The points that are drawn: a centre, corners, or the points of a line."""
        if isinstance(self.shape, Line):
            flat = self.points.reshape(len(self.points), -1)
            return np.array([np.interp(t, self.run.t, column) for column in flat.T]).reshape(-1, 2)
        centre = np.array([np.interp(t, self.run.t, column) for column in self.centre.T])
        if isinstance(self.shape, Disk):
            return centre
        return _turned(_outline(self.shape), self.angle_at(t)) + centre

    def angle_at(self, t: float) -> float | None:
        return None if self.angle is None else float(np.interp(t, self.run.t, self.angle))


def _outline(shape: Rectangle | Polygon) -> np.ndarray:
    if isinstance(shape, Rectangle):
        return 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (shape.width, shape.height)
    return np.asarray(shape.points, dtype=float)


def _turned(points: np.ndarray, angle: Any) -> np.ndarray:
    """Turns points by one angle, or a point by many."""
    if angle is None:
        return points
    x, y = points[..., 0], points[..., 1]
    return np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y], axis=-1)


def _values(run: Run, coordinate: Any, place: str) -> np.ndarray:
    """A coordinate at the samples."""
    if coordinate is None:
        raise ValueError(f"animate: {place} is missing; give a channel, a number or a function of the run")
    values = run[coordinate] if isinstance(coordinate, str) else coordinate(run) if callable(coordinate) else coordinate
    values = np.asarray(values, dtype=float)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 0 and values.shape != run.t.shape:
        raise ValueError(f"animate: {place} has shape {values.shape}; it must be a number, or have a value for each of "
                         f"the {len(run)} samples")
    return np.broadcast_to(values, run.t.shape)


def _point(run: Run, point: Any, place: str) -> np.ndarray:
    """A point of a line at the samples."""
    if isinstance(point, str) or not isinstance(point, (Sequence, np.ndarray)) or len(point) != 2:
        raise ValueError(f"animate: {place} is {point!r}; give a pair (x, y)")
    return np.column_stack([_values(run, coordinate, place) for coordinate in point])


# -- which shapes


def _bodies(run: Run, shapes: Any) -> dict[str, _Body]:
    """The bodies by their names."""
    if shapes is None:
        shapes = _default_shapes(run)
    if isinstance(shapes, Mapping):
        named = {name: _located(run, name, shape) for name, shape in shapes.items()}
    else:
        named = {f"shapes[{k}]": shape for k, shape in enumerate([shapes] if _is_shape(shapes) else shapes)}
    for name, shape in named.items():
        if not _is_shape(shape):
            raise TypeError(f"animate: {name} is {type(shape).__name__}; give a Disk, Rectangle, Polygon or Line")
    if not named:
        raise ValueError("animate: there are no shapes; give a Disk, Rectangle, Polygon or Line")
    return {name: _Body(run, shape, name) for name, shape in named.items()}


def _is_shape(value: Any) -> bool:
    return isinstance(value, (Disk, Rectangle, Polygon, Line))


def _coordinates(run: Run) -> dict[str, int]:
    """How many coordinates each Lagrangian system has."""
    counts: dict[str, int] = {}
    for name in run.channels:
        if kind_of(name) == "q":
            system = name.rpartition(".q[")[0]
            counts[system] = counts.get(system, 0) + 1
    return counts


def _system_place(run: Run, system: str) -> dict[str, Coordinate]:
    """Where the coordinates of a system put a body."""
    counts = _coordinates(run)
    if not counts:
        raise ValueError("animate: the run is of first order, and has no coordinates of bodies; give shapes with x and "
                         "y, such as [Disk(0.1, x='point.x[0]', y='point.x[1]')]")
    if system not in counts:
        raise ValueError(f"animate: there is no system '{system}'; known are {', '.join(counts)}")
    q = [f"{system}.q[{k}]" for k in range(counts[system])]
    if len(q) > 3:
        raise ValueError(f"animate: '{system}' has {len(q)} coordinates, which do not say where a body is; give shapes "
                         f"with x and y, such as [Disk(0.1, x=0, y='{q[0]}'), ...]")
    return {"x": 0.0, "y": q[0]} if len(q) == 1 else dict(zip(("x", "y", "angle"), q))


def _located(run: Run, name: str, shape: Any) -> Any:
    """A shape of a dict: what it leaves out comes from the system of its name."""
    if not _is_shape(shape) or isinstance(shape, Line) or (shape.x is not None and shape.y is not None):
        return shape
    missing = {key: value for key, value in _system_place(run, name).items() if getattr(shape, key) is None}
    return dataclasses.replace(shape, **missing)


def _default_shapes(run: Run) -> dict[str, Shape]:
    systems = list(_coordinates(run)) or [""]
    places = {name: _system_place(run, name) for name in systems}
    centres = np.concatenate([np.column_stack([_values(run, place[key], name) for key in ("x", "y")])
                              for name, place in places.items()])
    radius = 0.04 * (np.max(np.ptp(centres, axis=0)) or 1.0)
    return {name: dataclasses.replace(Disk(radius), **place) for name, place in places.items()}


def _trace(run: Run, name: str, bodies: Mapping[str, _Body]) -> np.ndarray:
    body = bodies.get(name)
    if body is not None and not isinstance(body.shape, Line):
        return body.centre
    place = _system_place(run, name)
    return np.column_stack([_values(run, place[key], f"trace '{name}'") for key in ("x", "y")])


# -- pictures


def _figure_size(x_limits: np.ndarray, y_limits: np.ndarray) -> tuple[float, float]:
    """Inches, with the shape of the motion and room for labels."""
    width, height = np.ptp(x_limits), np.ptp(y_limits)
    scale = 5.6 / max(width, height)
    return max(2.6, scale * width) + 0.6, max(2.0, scale * height) + 0.7


def _subplots(size: tuple[float, float]) -> Axes:
    return import_pyplot().subplots(figsize=size, layout="constrained")[1]


def _figure_apart(size: tuple[float, float]) -> Axes:
    """In a figure that pyplot does not know: a notebook would show any other figure beside the animation."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot()


class _Scene:
    """The bodies in some axes."""

    def __init__(self, animation: Animation, axes: Axes) -> None:
        self.axes = axes
        self._run, self._bodies, self._paths = animation._run, animation._bodies, animation._paths
        x_limits, y_limits = animation._limits()
        axes.set_aspect("equal")
        axes.set_xlim(*x_limits)
        axes.set_ylim(*y_limits)
        axes.spines[["top", "right"]].set_visible(False)
        if animation._ground is not None:
            axes.axhline(animation._ground, color=NEUTRAL, linewidth=1.5, zorder=1)
        self._traces = [axes.plot([], [], color=NEUTRAL, linewidth=0.9, zorder=4)[0] for _ in self._paths]
        self._artists = self._make_artists()
        step = animation._speed / animation._frames_per_second
        self._decimals = int(np.clip(np.ceil(-np.log10(step)), 0, 9))
        self.draw(self._run.t[0])

    def draw(self, t: float) -> None:
        """Moves everything to where it is at this time."""
        for body, artists in zip(self._bodies, self._artists):
            _move(body, artists, t)
        for path, line in zip(self._paths, self._traces):
            line.set_data(*self._path_until(path, t).T)
        self.axes.set_title(f"t = {t:.{self._decimals}f}", fontsize="medium", loc="left")

    def _path_until(self, path: np.ndarray, t: float) -> np.ndarray:
        times = self._run.t
        passed = int(np.searchsorted(times, t, side="right"))
        now = [np.interp(t, times, column) for column in path.T]
        return np.vstack([path[:passed:max(1, len(times) // _TRACE_POINTS)], now])

    def _make_artists(self) -> list[list[Any]]:
        filled = iter(range(len(self._bodies)))
        made = []
        for body in self._bodies:
            is_line = isinstance(body.shape, Line)
            colour = body.shape.color or (NEUTRAL if is_line else COLOURS[next(filled) % len(COLOURS)])
            made.append(_artists(self.axes, body, colour))
        return made


def _artists(axes: Axes, body: _Body, colour: str) -> list[Any]:
    from matplotlib import patches

    if isinstance(body.shape, Line):
        return axes.plot([], [], color=colour, linewidth=body.shape.width, zorder=3, solid_capstyle="round")
    background = axes.get_facecolor()
    style = {"facecolor": colour, "edgecolor": background, "linewidth": 0.5, "zorder": 3}  # touching bodies stay two
    if not isinstance(body.shape, Disk):
        return [axes.add_patch(patches.Polygon(body.at(body.run.t[0]), closed=True, **style))]
    disk = axes.add_patch(patches.Circle((0.0, 0.0), body.shape.radius, **style))
    spoke = [] if body.angle is None else axes.plot([], [], color=background, linewidth=1.5, zorder=3)
    return [disk, *spoke]


def _move(body: _Body, artists: list[Any], t: float) -> None:
    points = body.at(t)
    if isinstance(body.shape, Line):
        artists[0].set_data(*points.T)
    elif not isinstance(body.shape, Disk):
        artists[0].set_xy(points)
    else:
        artists[0].center = tuple(points)
        if body.angle is not None:
            rim = points + _turned(np.array([body.shape.radius, 0.0]), body.angle_at(t))
            artists[1].set_data(*np.stack([points, rim]).T)
