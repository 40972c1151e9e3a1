"""events_peers.py DIRECTORY DOCUMENT: compares what peer_events and siconos_events measured with exact motions, prints
the table of ratios at equal error, writes it between the markers of DOCUMENT, and all numbers to
DIRECTORY/events_peers.json.

A run is a tolerance, its seconds, the times of events and the last positions. Its error is the greatest difference from
those of the exact motion: none if events are missing or too many. For each library the fastest run counts whose error is
at most what the case asks for."""

import json
import math
import pathlib
import sys

import numpy

import harness
from harness import duration, markdown

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "references"))
import cam_follower


class Oscillation:
    """x'' = f - K x, exactly, from x and v: in the modes of K."""

    def __init__(self, K):
        squares, self.modes = numpy.linalg.eigh(K)
        self.frequencies = numpy.sqrt(numpy.where(squares > 1e-9 * squares[-1], squares, 0.0))

    def start(self, x, v, f):
        self.x, self.v, self.f = self.modes.T @ x, self.modes.T @ v, self.modes.T @ f

    def at(self, t):
        """x and v at some times, one column each."""
        w, t = self.frequencies[:, None], numpy.atleast_1d(t)[None, :]
        moving = numpy.where(w > 0.0, w, 1.0)
        c = numpy.cos(w * t)
        s = numpy.where(w > 0.0, numpy.sin(w * t) / moving, t)
        p = numpy.where(w > 0.0, 2.0 * (numpy.sin(0.5 * w * t) / moving) ** 2, 0.5 * t * t)
        x, v, f = self.x[:, None], self.v[:, None], self.f[:, None]
        return self.modes @ (c * x + s * v + p * f), self.modes @ (c * v - w * w * s * x + s * f)


class LinearChain:
    """A Chain of event_cases.hpp without cubic springs: the first mass flies, or is held on the floor."""

    def __init__(self, data):
        n = len(data["q"])
        self.floor, self.gravity, self.restitution = data["floor"], data["gravity"], data["restitution"]
        bonds = numpy.diff(numpy.eye(n), axis=0)
        self.K = data["tie"] * numpy.eye(n) + data["coupling"] * bonds.T @ bonds
        self.flying, self.held = Oscillation(self.K), Oscillation(self.K[1:, 1:])
        self.q, self.v = numpy.array(data["q"]), numpy.array(data["v"])
        self.is_held = False

    def states(self, t):
        if not self.is_held:
            return self.flying.at(t)
        q, v = self.held.at(t)
        return (numpy.vstack([numpy.full(q.shape[1], self.floor), q]), numpy.vstack([numpy.zeros(v.shape[1]), v]))

    def watched(self, t):
        """What is positive until the next event: the gap, or the force of the floor."""
        q = self.states(t)[0]
        return self.K[0] @ q + self.gravity if self.is_held else q[0] - self.floor

    def restart(self):
        if self.is_held:
            self.held.start(self.q[1:], self.v[1:], -self.gravity - self.K[1:, 0] * self.floor)
        else:
            self.flying.start(self.q, self.v, numpy.full(len(self.q), -self.gravity))

    def first_event(self, left):
        """Steps of a twentieth of the fastest oscillation's radian, then bisection."""
        step, t = 0.05 / self.flying.frequencies[-1], 0.0
        while t < left:
            times = t + step * numpy.arange(1, 201)
            crossed = numpy.flatnonzero(self.watched(times) < 0.0)
            if len(crossed):
                low, high = times[crossed[0]] - step, times[crossed[0]]
                while low < 0.5 * (low + high) < high:
                    middle = 0.5 * (low + high)
                    low, high = (low, middle) if self.watched(middle)[0] < 0.0 else (middle, high)
                return high if high < left else None
            t = times[-1]
        return None

    def events(self, t_end):
        t, times = 0.0, []
        while True:
            self.restart()
            flight = self.first_event(t_end - t)
            q, v = self.states(t_end - t if flight is None else flight)
            self.q, self.v = q[:, 0], v[:, 0]
            if flight is None:
                return times, self.q
            t += flight
            times.append(t)
            if self.is_held:
                self.is_held = False
            else:
                self.q[0] = self.floor
                self.v[0] *= -self.restitution
                self.is_held = self.restitution == 0.0 and self.K[0] @ self.q + self.gravity > 0.0


def ball(data, t_end):
    height, g, e = data["q"][0], data["gravity"], data["restitution"]
    speed, t, times = math.sqrt(2.0 * g * height), math.sqrt(2.0 * height / g), []
    flights = 0.0  # their sum, before the factor 2 / g
    while (impact := t + 2.0 * flights / g) < t_end:
        times.append(impact)
        speed *= e
        flights = flights + speed if e < 1.0 else len(times) * speed
    s = t_end - times[-1]
    return times, [speed * s - 0.5 * g * s * s]


def follower(data, t_end):
    motion = cam_follower.Follower(cam_follower.Cam(data["rpm"], 40), data["gap"], data["rate"])
    motion.turns(math.ceil(t_end / float(motion.cam.period)))
    gap, _ = cam_follower.state_at(motion, t_end)
    angle = motion.cam.w * t_end - 2 * motion.cam.pi * math.floor(t_end / motion.cam.period)
    height = motion.cam.cam(motion.cam.arc_of(angle), angle)[0]
    return [float(event["t"]) for event in motion.events if event["t"] < t_end], [float(gap + height)]


def exact(case):
    """Times of events and the last positions; None for a motion without a formula."""
    system = case["system"]
    if "rpm" in system:
        return follower(system, case["t_end"])
    if system["cubic"]:
        return None
    if len(system["q"]) == 1:
        return ball(system, case["t_end"])
    return LinearChain(system).events(case["t_end"])


def judge(runs, reference):
    events, q = reference
    for run in runs:
        is_complete = len(run["events"]) == len(events)
        differences = numpy.abs(numpy.array([*run["events"], *run["q"][:len(q)]]) - [*events, *q]) if is_complete else []
        run["error"] = float(max(differences)) if is_complete else None


def tightest(runs):
    return (runs[-1]["events"], runs[-1]["q"]) if runs else ([], [])


def fastest(case, library):
    good = [run for run in case[library] if run["error"] is not None and run["error"] <= case["error"]]
    return min(good, key=lambda run: run["seconds"], default=None)


def run_texts(run):
    if run is None:
        return ["none is so exact", ""]
    events = len(run["events"])
    return [f"{duration(run['seconds'])} ({run['tolerance']:.0e}: {run['error']:.0e})", duration(run["seconds"] / events)]


def table(cases):
    lines = []
    for case in cases:
        own, peer = fastest(case, "saltus"), fastest(case, "siconos")
        ratio = f"{peer['seconds'] / own['seconds']:.3g}" if own and peer else ""
        events = str(len((own or peer)["events"])) if own or peer else ""
        lines.append([case["name"], events, f"{case['error']:.0e}", *run_texts(own), *run_texts(peer), ratio])
    heads = ["motion", "events", "error", "Saltus", "per event", "Siconos", "per event", "ratio"]
    return markdown(heads, lines)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: events_peers.py DIRECTORY DOCUMENT")
    directory, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    results = json.loads((directory / "events.json").read_text()) | {"machine": harness.machine()}
    peers = json.loads((directory / "siconos_events.json").read_text())
    for case, peer in zip(results["cases"], peers, strict=True):
        case["saltus"], case["siconos"] = case.pop("runs"), peer["runs"]
        reference = exact(case)
        judge(case["saltus"], reference or tightest(case["siconos"]))
        judge(case["siconos"], reference or tightest(case["saltus"]))
    (directory / "events_peers.json").write_text(json.dumps(results, indent=1) + "\n")
    text = harness.machine_text(results["machine"], results["compiler"]) + "\n\n" + table(results["cases"])
    harness.write_between_markers(document, "bench-peers-events", text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'events_peers.json'}")


if __name__ == "__main__":
    main()
