"""Pictures of runs, by matplotlib: channels over time, phase portraits, bifurcation diagrams."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .run import Run

Curve = tuple[np.ndarray, np.ndarray]

# Okabe and Ito 2008: colours that colour-blind people can tell apart. Their black is left out, as it vanishes in dark
# styles, and their yellow, as it vanishes in light ones.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9")
NEUTRAL = "0.5"  # a grey that is visible on black and on white

_LEGEND_ENTRIES = 6  # of curves
_EVENTS_AS_LINES = 200  # beyond, lines from bottom to top would hide the curves
_EVENT_COLUMNS = 1000  # of ticks; more cannot be told apart in a picture
_STATE_KINDS = ("x", "q", "v")
_LAW_KINDS = ("lambda", "sigma", "P", "force")
_JUMPS = ("impact", "jump")
_EVENTS = "events"  # the group id of marks of events
_UNCOUNTED = ("_jumps", "_start")  # labels of what has the colour of another line; legends leave out "_..."


def plot(run: Run, *channels: str, axes: Any = None, events: bool = False, **style: Any) -> Any:
    """Draws channels over time.

    Multipliers, percussions and forces are drawn as steps: the value of a sample is that of the step that ends there.
    States of event-driven motion are drawn through the states before and after the events between the samples.

    Parameters
    ----------
    channels
        Names; that of a vector, ``"ball.q"``, draws all its entries. If none is given, the states: positions and
        velocities in two stacked axes, or x.
    axes
        Where to draw: one of matplotlib's axes, for all; or a sequence, one per channel. If not given, a new figure.
    events
        Whether to mark events: impacts and jumps by lines from bottom to top, switches and all others by ticks at the
        top. If there are more than 200, the lines become ticks at the bottom.
    style
        For matplotlib's lines, such as ``linewidth=1``.

    Returns
    -------
    matplotlib's axes; an array of them if there are several.

    Examples
    --------
    >>> import saltus as sl
    >>> m = sl.Model()
    >>> ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    >>> m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.8))
    >>> run = sl.simulate(m, t_end=2.0, step=0.01)
    >>> axes = run.plot("ball.q[0]", "ball.v[0]", events=True)
    >>> [line.get_label() for line in axes.get_lines()]
    ['ball.q[0]', 'ball.v[0]']
    """
    _require_samples("plot", run)
    groups = [list(channels)] if channels else _states(run)
    curves = [_curves(run, group) for group in groups]
    if axes is None:
        places = _new_axes(len(groups))
    elif isinstance(axes, (Sequence, np.ndarray)):
        curves = [_curves(run, [name]) for name in channels] if channels else curves
        places = _given_axes(axes, len(curves))
    else:
        curves = [{name: curve for group in curves for name, curve in group.items()}]
        places = np.array([axes])
    for place, group in zip(places, curves):
        _draw_curves(place, run, group, style)
        if events:
            _mark_events(place, run, has_labels=place is places[0])
        _add_legend(place, is_wanted="label" in style)
    _label_time(places)
    return places if len(places) > 1 else places[0]


def phase(run: Run, x: str, y: str, z: str | None = None, axes: Any = None, **style: Any) -> Axes:
    """Draws one channel against another: a phase portrait. A dot marks the start.

    Where a state jumps, the curve has a gap, bridged by a thin dashed line: the motion has no points between. Jumps are
    those of impacts, and of x in runs with measures; for multipliers, their switches.

    Parameters
    ----------
    x, y, z
        Names of channels; with ``z`` the portrait has three dimensions.
    axes
        Where to draw; with ``z`` it must have three dimensions. If not given, a new figure.
    style
        For matplotlib's line; ``linestyle="", marker="."`` suits the points of a map.

    Examples
    --------
    >>> import saltus as sl
    >>> m = sl.Model()
    >>> ball = m.lagrangian("ball", q=[1.0], mass=1.0, force=[-9.81])
    >>> m.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.8))
    >>> run = sl.simulate(m, t_end=1.0, step=0.01)
    >>> axes = run.phase("ball.q[0]", "ball.v[0]")
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('ball.q[0]', 'ball.v[0]')
    """
    _require_samples("phase", run)
    names = [name for name in (x, y, z) if name is not None]
    points, jumps = _path(run, names)
    axes = _phase_axes(len(names)) if axes is None else axes
    if len(names) == 3 and not hasattr(axes, "zaxis"):
        raise ValueError("phase: the axes have two dimensions; with z give plt.subplot(projection='3d')")
    style = _line_style(style)
    colour = style.setdefault("color", _colours(axes, 1)[0])
    gaps = np.flatnonzero(jumps) + 1
    axes.plot(*np.insert(points, gaps, np.nan, axis=0).T, **style)
    if gaps.size:
        nothing = np.full((gaps.size, len(names)), np.nan)
        bridges = np.stack([points[gaps - 1], points[gaps], nothing], axis=1).reshape(-1, len(names))
        axes.plot(*bridges.T, color=colour, linewidth=0.8, linestyle="--", alpha=0.6, label="_jumps")
    axes.plot(*points[:1].T, color=colour, marker="o", markersize=5, linestyle="", label="_start")
    for name, direction in zip(names, "xyz"):
        getattr(axes, f"set_{direction}label")(name)
    _add_legend(axes, is_wanted="label" in style)
    return axes


def points(x: Any, y: Any, x_label: str, y_label: str, axes: Any = None, **style: Any) -> Axes:
    """Draws many points, as in bifurcation diagrams and maps: small ones, which vector files store as pixels.

    Parameters
    ----------
    x, y
        Arrays of the same length.
    x_label, y_label
        Labels of the axes.
    axes
        Where to draw; if not given, a new figure.
    style
        For matplotlib's markers, such as ``markersize=1``.

    Examples
    --------
    >>> import numpy as np
    >>> from saltus.plots import points
    >>> axes = points(np.arange(5), np.arange(5) ** 2, "k", "square of k")
    >>> axes.get_lines()[0].get_linestyle()
    'None'
    """
    x, y = np.asarray(x), np.asarray(y)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"points: x has shape {x.shape} and y {y.shape}; give two arrays of the same length")
    axes = _new_axes(1, height=4.4)[0] if axes is None else axes
    size = 4.0 if x.size <= 500 else 2.0 if x.size <= 5000 else 1.0
    given = _line_style(style)
    axes.plot(x, y, **{"color": _colours(axes, 1)[0], "linestyle": "", "marker": ".", "markersize": size,
                       "markeredgewidth": 0.0, "rasterized": x.size > 5000} | given)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    _add_legend(axes, is_wanted="label" in given)
    return axes


def import_pyplot() -> Any:
    """matplotlib.pyplot, which is loaded when the first picture is drawn."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("pictures need matplotlib, which is not installed; Debian's package is python3-matplotlib"
                          ) from None
    return pyplot


def _require_samples(function: str, run: Run) -> None:
    if len(run) == 0:
        raise ValueError(f"{function}: the run has no samples; impact maps have run.impacts")


# -- names of channels


def kind_of(name: str) -> str:
    """The kind of a channel in its system or interaction: "q" for "ball.q[0]"."""
    return re.sub(r"\[\d+\]$", "", name).rpartition(".")[2]


def _states(run: Run) -> list[list[str]]:
    by_kind = {kind: [name for name in run.channels if kind_of(name) == kind] for kind in _STATE_KINDS}
    groups = [names for names in by_kind.values() if names]
    if not groups:
        raise ValueError(f"plot: the run has no states; name its channels: {', '.join(run.channels[:6])}, ...")
    return groups


def _curves(run: Run, names: Sequence[str]) -> dict[str, Curve]:
    """The entries of channels by their names: times and values."""
    found: dict[str, Curve] = {}
    for name in names:
        values = run[name]
        columns = {name: values} if values.ndim == 1 else {f"{name}[{i}]": v for i, v in enumerate(values.T)}
        found |= {entry: (run.t, column) for entry, column in columns.items()}
    states = [name for name in found if kind_of(name) in _STATE_KINDS]
    if states and _is_event_driven(run):
        t, values, _ = _through_events(run, states)
        found |= {name: (t, column) for name, column in zip(states, values.T)}
    return found


def _common_label(names: Sequence[str]) -> str:
    """The label of an axis: the name, that of the vector, or the kind that all have."""
    vectors = {re.sub(r"\[\d+\]$", "", name) for name in names}
    kinds = {kind_of(name) for name in names}
    if len(names) == 1:
        return names[0]
    return vectors.pop() if len(vectors) == 1 else kinds.pop() if len(kinds) == 1 else ""


def _is_event_driven(run: Run) -> bool:
    return run.summary["scheme"].startswith("event-driven")


def _is_stepwise(run: Run, name: str) -> bool:
    """Whether a value belongs to the step that ends at the sample. Percussions do, and are not drawn as stems: at rest
    there is one per step, and thousands of stems would fill an area; an impact, one step wide, looks like a stem."""
    kind = kind_of(name)
    return kind in ("P", "sigma") or (kind in _LAW_KINDS and not _is_event_driven(run))


# -- axes


def _new_axes(rows: int, height: float = 3.4) -> np.ndarray:
    figure, axes = import_pyplot().subplots(rows, 1, sharex=True, squeeze=False, layout="constrained",
                                            figsize=(7.0, height if rows == 1 else 2.4 * rows))
    for place in axes[:, 0]:
        _make_plain(place)
    return axes[:, 0]


def _phase_axes(dimensions: int) -> Axes:
    three = {"projection": "3d"} if dimensions == 3 else None
    figure, axes = import_pyplot().subplots(figsize=(5.5, 4.5), layout="constrained", subplot_kw=three)
    if dimensions == 2:
        _make_plain(axes)
    return axes


def _make_plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(linewidth=0.6, alpha=0.35)
    axes.set_axisbelow(True)


def _given_axes(axes: Any, count: int) -> np.ndarray:
    places = np.ravel(np.asarray(axes, dtype=object))
    if len(places) != count:
        raise ValueError(f"plot: {len(places)} axes are given for {count}; give as many, or one for all")
    return places


def _label_time(places: np.ndarray) -> None:
    """The label of the time is below the lowest of axes that share it, and below each of the others."""
    for upper, lower in zip(places, [*places[1:], None]):
        if lower is None or not upper.get_shared_x_axes().joined(upper, lower):
            upper.set_xlabel("t")


def _label_values(axes: Axes, run: Run, names: Sequence[str]) -> None:
    label, before = _common_label(names), axes.get_ylabel()
    if not before and not axes.lines[len(names):]:
        axes.set_ylabel(label)
    elif before != label and before in run:
        axes.set_ylabel("")  # belonged to the curves that were there before


# -- curves


def _line_style(style: dict[str, Any]) -> dict[str, Any]:
    """The style with full names, so that c=... becomes color=...."""
    from matplotlib import cbook, lines

    return cbook.normalize_kwargs(style, lines.Line2D)


def _colours(axes: Axes, count: int) -> list[Any]:
    """The next colours; for many curves a scale, which shows the order."""
    if count > len(COLOURS):
        from matplotlib import cm

        return list(cm.viridis(np.linspace(0.15, 0.9, count)))
    used = sum(line.get_label() not in _UNCOUNTED for line in axes.get_lines())
    return [COLOURS[(used + k) % len(COLOURS)] for k in range(count)]


def _draw_curves(axes: Axes, run: Run, curves: dict[str, Curve], style: dict[str, Any]) -> None:
    given = _line_style(style)
    is_first = not axes.lines
    for (name, (t, values)), colour in zip(curves.items(), _colours(axes, len(curves))):
        drawstyle = "steps-pre" if _is_stepwise(run, name) else "default"
        axes.plot(t, values, **{"label": name, "color": colour, "drawstyle": drawstyle} | given)
    if is_first:
        axes.margins(x=0.01)
    _label_values(axes, run, list(curves))


def _add_legend(axes: Axes, is_wanted: bool) -> None:
    """A legend where there is something to tell apart; beside the axes where the layout makes room for it."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    found = list(zip(*axes.get_legend_handles_labels()))
    curves = [(handle, label) for handle, label in found if handle.get_gid() != _EVENTS]
    marks = [(_event_key(handle), label) for handle, label in found if handle.get_gid() == _EVENTS]
    if len(curves) == 1 and not is_wanted:
        curves = []  # its name is at the axis
    if not curves and not marks:
        return
    shown = np.unique(np.linspace(0, len(curves) - 1, min(len(curves), _LEGEND_ENTRIES)).astype(int))
    handles, labels = zip(*[curves[k] for k in shown], *marks)
    place: dict[str, Any] = {"loc": "best"}
    if isinstance(axes.figure.get_layout_engine(), ConstrainedLayoutEngine):
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0, "frameon": False}
    axes.legend(handles, labels, fontsize="small", **place)


# -- events


def _mark_events(axes: Axes, run: Run, has_labels: bool) -> None:
    events = run.events
    jumps = [event.t for event in events if event.kind in (*_JUMPS, "accumulation")]
    switches = [event.t for event in events if event.kind not in (*_JUMPS, "accumulation")]
    label = "impact" if any(event.kind == "impact" for event in events) else "jump"
    is_few = len(jumps) <= _EVENTS_AS_LINES
    alpha = max(0.4, 0.8 - 0.01 * len(jumps)) if is_few else 0.7
    _add_ticks(axes, run, jumps, 0.0, 1.0 if is_few else 0.05, color=NEUTRAL, alpha=alpha,
               label=label if has_labels else None)
    _add_ticks(axes, run, switches, 0.96, 1.0, color=COLOURS[4], alpha=0.7, label="switch" if has_labels else None)


def _add_ticks(axes: Axes, run: Run, times: Sequence[float], bottom: float, top: float, **style: Any) -> None:
    from matplotlib.collections import LineCollection

    if not times:
        return
    t = np.asarray(times)
    if len(t) > _EVENT_COLUMNS:
        columns = np.round(_EVENT_COLUMNS * (t - run.t[0]) / (run.t[-1] - run.t[0]))
        t = t[np.unique(columns, return_index=True)[1]]
    segments = np.stack([np.column_stack([t, np.full_like(t, height)]) for height in (bottom, top)], axis=1)
    ticks = LineCollection(segments, linewidths=0.8, zorder=1, transform=axes.get_xaxis_transform(),
                           gid=_EVENTS, **style)
    axes.add_collection(ticks, autolim=False)  # heights are fractions of the axes, not values


def _event_key(ticks: Any) -> Any:
    """What stands for ticks in a legend: one upright tick."""
    from matplotlib.lines import Line2D

    is_long = ticks.get_segments()[0][1, 1] > 0.99 and ticks.get_segments()[0][0, 1] < 0.01
    return Line2D([], [], color=ticks.get_color()[0][:3], linestyle="", marker="|", markeredgewidth=1.5,
                  markersize=12 if is_long else 6)


# -- phase portraits


def _path(run: Run, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The points of a portrait, and for each but the last whether the motion jumps to the next."""
    samples = np.column_stack([_scalar(run, name) for name in names])
    entries = [name if name in run.channels else f"{name}[0]" for name in names]
    if _is_event_driven(run) and all(kind_of(name) in _STATE_KINDS for name in entries):
        return _through_events(run, entries)[1:]
    return samples, _jumps_between(run, names, samples)


def _scalar(run: Run, name: str) -> np.ndarray:
    values = run[name]
    if values.ndim == 2 and values.shape[1] != 1:
        raise ValueError(f"phase: '{name}' has {values.shape[1]} entries; give one, '{name}[0]'")
    return np.ravel(values)


def _through_events(run: Run, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times and states, at the samples and before and after the located events between them; and for each but the last
    whether the motion jumps to the next."""
    samples = np.column_stack([run[name] for name in names])
    events = [event for event in run.events if event.kind != "accumulation"]  # its two states have other times
    if not events:
        return run.t, samples, np.zeros(max(0, len(samples) - 1), dtype=bool)
    states = [name for kind in _STATE_KINDS for name in run.channels if kind_of(name) == kind]  # in the order of events
    columns = [states.index(name) for name in names]
    times = np.array([event.t for event in events])
    pairs = np.array([[event.before, event.after] for event in events])[:, :, columns]
    apart = ~np.isin(run.t, times)  # a sample at an event is one of its two states
    t = np.concatenate([run.t[apart], np.repeat(times, 2)])
    points = np.concatenate([samples[apart], pairs.reshape(-1, len(columns))])
    jumps = np.zeros(len(t), dtype=bool)
    jumps[len(t) - 2 * len(events)::2] = [event.kind in _JUMPS for event in events]
    order = np.argsort(t, kind="stable")
    return t[order], points[order], jumps[order][:-1]


def _jumps_between(run: Run, names: Sequence[str], samples: np.ndarray) -> np.ndarray:
    """Between which samples a channel jumps."""
    jumps = np.zeros(max(0, len(samples) - 1), dtype=bool)
    if jumps.size == 0:
        return jumps
    kinds = {kind_of(name) for name in names}
    if not kinds <= {"q", "gap"}:  # which impacts do not change
        sought = (*_JUMPS, "switching") if kinds & set(_LAW_KINDS) else _JUMPS
        times = np.array([event.t for event in run.events if event.kind in sought])
        ends = np.searchsorted(run.t, times - 1e-9 * (run.t[-1] - run.t[0]) / len(run.t))
        jumps[np.clip(ends, 1, len(jumps)) - 1] = True
    if any(kind_of(name) == "sigma" for name in run.channels):
        jumps |= _sudden(samples)
    return jumps


def _sudden(samples: np.ndarray) -> np.ndarray:
    """Which steps are far longer than both neighbours: runs with measures have jumps and record no events for them."""
    extent = np.ptp(samples, axis=0)
    lengths = np.linalg.norm(np.diff(samples, axis=0) / np.where(extent > 0, extent, 1.0), axis=1)
    padded = np.pad(lengths, 1)
    return lengths > 1e-3 + 20.0 * np.maximum(padded[:-2], padded[2:])
