#!/usr/bin/env python3
"""Cam and follower, event accurate (002, chapter 10).

Model. u is the height of the follower, c that of the cam, both over the same origin:
    m u'' + k u = f_v + lambda,   0 <= u - c  _|_  lambda >= 0,   v+ = (1 + e) c' - e v- at impacts.   (10.1), (10.2)
002 has no gravity and no preload of its own: the spring acts from u = 0, the cam is at c = 0.1 and above (the 0.3
taken off the profile is the preload: k c >= 143.08 N holds the follower on a cam at rest). f_v, the force of the
valve, is never given; here f_v = 0. In 002 the unknown of the simulation is q = u - c (10.3), so q0 = v0 = 0 means
"in contact, at the speed of the cam": u(0) = c(0) = 0.1, u'(0) = c'(0) = 0. (Taken as u = 0 it would start 0.1
inside the cam.) The code printed in 002 starts from q0 = v0 = 0.4 instead: --start 0.4 0.4.

Cam. With theta = w t (w = 2 pi rpm / 60, b = theta + pi/2 folded at pi) the profile is symmetric about theta = pi/2:
    [0, b2] first arc, [b2, b3] second arc, [b3, pi - b3] top, and back; [pi, 2 pi] base circle, c = 0.1.
c and dc/db are continuous (the constants leave jumps of 4e-15 and 6e-15 at b2, 1e-15 at b3); d2c/db2 jumps by
+0.211764705882 at b = pi/2, -2.210809682803 at pi/2 + b2, +1.491680113303 at pi/2 + b3.

Contact. lambda = m w^2 c_bb + k c is positive on the base, on the first arc and on the top. On the second arc it is
positive below 114.98 rpm (the follower never leaves the cam) and negative all along above 134.88 rpm: contact then
ends where an arc ends (b = pi/2 + b2 rising, pi/2 + b3 falling), where lambda jumps from positive to negative: there
is no root of lambda to find, only a corner. `lift_off_speeds` gives both figures.

Method. Flight is exact (cosine and sine). A root is reached from the left by steps which cannot jump over it: with
-g'' <= K on the arc, g stays positive up to the root of g + g' s - K s^2 / 2. Once the relative speed after an
impact is below `tiny` and the rest of the bounces, a geometric series, ends on the same arc, the follower is put on
the cam at the end of the series. `digits` > 16 uses mpmath: all printed digits come from two such precisions.
"""
import argparse
import json
import math

import mpmath

RHO2 = "0.55393320723821"


class Cam:
    """The system at one speed, in double precision or with `digits` decimal digits."""

    def __init__(self, rpm, digits=16, restitution="0.8", mass="1.221", stiffness="1430.8"):
        if digits > 16:
            mpmath.mp.dps = digits
        self.x = mpmath if digits > 16 else math
        self.real = mpmath.mpf if digits > 16 else float
        real = self.real
        self.pi = self.x.pi + real(0)
        self.m, self.k, self.e = real(mass), real(stiffness), real(restitution)
        self.w = 2 * self.pi * real(rpm) / 60
        self.period = 2 * self.pi / self.w
        self.omega = self.x.sqrt(self.k / self.m)
        self.k1, self.rho1 = real("0.45"), real("0.85")
        self.k2, self.rho3, self.rho2 = real("0.40393320723821"), real("0.15"), real(RHO2)
        self.b2, self.b3 = real("1.050328174371336"), real("1.22173047639603")
        pi = self.pi
        self.knots = [real(0), self.b2, self.b3, pi - self.b3, pi - self.b2, pi, 2 * pi]
        self.arcs = ["first", "second", "top", "second", "first", "base"]
        # c_bb is monotone on both arcs: its greatest value is at an end
        self.most = [max(real(0), self.cam(i, self.knots[i])[2], self.cam(i, self.knots[i + 1])[2])
                     for i in range(6)]
        # a bounce of relative speed r rises r^2 / 2 a: it must stay far above the rounding of the gap
        self.tiny = real(10) ** -(digits // 3) if digits > 16 else 1e-4
        self.zero = real(10) ** (3 - digits)

    def cam(self, arc, theta):
        """c, dc/dtheta, d2c/dtheta2 on arc number `arc`."""
        x, kind, fold = self.x, self.arcs[arc], arc >= 3
        if kind == "base":
            return self.real("0.4") - self.real("0.3"), self.real(0), self.real(0)
        if kind == "top":
            return self.rho2 - self.real("0.3"), self.real(0), self.real(0)
        b = self.pi / 2 + (self.pi - theta if fold else theta)
        if kind == "first":  # -k sin b + sqrt(rho^2 - k^2 cos^2 b)
            a, k, rho = b - self.pi / 2, self.k1, self.rho1
            first = -k * x.cos(a), k * x.sin(a), k * x.cos(a)
        else:  # -k cos(b + pi/9) + sqrt(rho^2 - k^2 sin^2(b + pi/9))
            a, k, rho = b + self.pi / 9, self.k2, self.rho3
            first = -k * x.cos(a), k * x.sin(a), k * x.cos(a)
        # r = sqrt(rho^2 - k^2 sin^2 a):  r' = -k^2 sin a cos a / r,  r'' = -(k^2 cos 2a + r'^2) / r
        r = x.sqrt(rho * rho - (k * x.sin(a)) ** 2)
        r1 = -k * k * x.sin(a) * x.cos(a) / r
        r2 = -(k * k * x.cos(2 * a) + r1 * r1) / r
        slope = first[1] + r1
        return first[0] + r - self.real("0.3"), -slope if fold else slope, first[2] + r2

    def force(self, arc, theta):
        c, _, c2 = self.cam(arc, theta)
        return self.m * self.w ** 2 * c2 + self.k * c

    def arc_of(self, theta):
        for i in range(6):
            if theta < self.knots[i + 1]:
                return i
        raise ValueError("theta must be in [0, 2 pi)")

    def free(self, u, v, s):
        """u and v after a flight of duration s."""
        c, n = self.x.cos(self.omega * s), self.x.sin(self.omega * s)
        return u * c + v / self.omega * n, v * c - u * self.omega * n


class Follower:
    """One trajectory. Events are appended to `events`: dicts with kind 'impact', 'contact' (end of a series of
    impacts) or 'detach', turn, theta, t, u, v_before, v_after. `tangent`, if given, is carried along."""

    def __init__(self, cam, q0=0, v0=0, tangent=None):
        self.cam, self.turn, self.theta, self.arc = cam, 0, cam.real(0), 0
        c, c1, _ = cam.cam(0, self.theta)
        self.u, self.v = cam.real(q0) + c, cam.real(v0) + cam.w * c1
        self.contact = q0 == 0 and v0 == 0 and cam.force(0, self.theta) >= 0
        self.touching = q0 == 0
        self.events, self.tangent, self.stretch = [], tangent, 0.0
        self.impulse = cam.real(0)   # of the impacts
        self.work = cam.real(0)      # of the contact on the follower, impacts and contact phases

    def time(self):
        return (self.turn + self.theta / (2 * self.cam.pi)) * self.cam.period

    def record(self, kind, before, after):
        self.events.append(dict(kind=kind, turn=self.turn, theta=self.theta, t=self.time(), u=self.u,
                                v_before=before, v_after=after, contact_speed=self.cam.cam(self.arc, self.theta)[1] * self.cam.w))

    def advance(self, theta_end):
        """Continues to theta_end, at most the end of the present arc."""
        cam = self.cam
        while self.theta < theta_end:
            if self.contact:
                self.follow(theta_end)
            else:
                self.fly(theta_end)

    def follow(self, theta_end):
        cam, arc = self.cam, self.arc
        if cam.force(arc, self.theta) < 0:  # only at the beginning of an arc
            return self.detach()
        stop = theta_end
        if cam.arcs[arc] == "second":  # the force varies with one sign of slope: one bisection
            if cam.force(arc, theta_end) < 0:
                low, high = self.theta, theta_end
                while high - low > cam.zero:
                    middle = (low + high) / 2
                    low, high = (middle, high) if cam.force(arc, middle) >= 0 else (low, middle)
                stop = high
        before = self.energy()
        self.theta = stop
        c, c1, _ = cam.cam(arc, stop)
        self.u, self.v = c, cam.w * c1
        self.work += self.energy() - before
        if self.tangent is not None:
            self.tangent = (0.0, 0.0)
        if stop < theta_end:
            self.detach()

    def detach(self):
        self.contact, self.touching = False, True
        self.record("detach", self.v, self.v)

    def fly(self, theta_end):
        cam, w = self.cam, self.cam.w
        amplitude = cam.x.sqrt(self.u ** 2 + (self.v / cam.omega) ** 2)
        curvature = cam.omega ** 2 * amplitude + w * w * cam.most[self.arc]
        start, u0, v0 = self.theta, self.u, self.v
        length = (theta_end - start) / w
        s = cam.real(0)
        while True:
            u, v = cam.free(u0, v0, s)
            c, c1, c2 = cam.cam(self.arc, min(start + w * s, theta_end))
            gap, rate = u - c, v - w * c1
            if s == 0 and self.touching:
                gap = cam.real(0)
                if rate <= 0:
                    s = min(length, self.opening())
                    if s >= length:
                        break
                    continue
            elif gap <= cam.zero and rate < 0:
                break
            step = (rate + cam.x.sqrt(rate * rate + 2 * curvature * max(gap, cam.real(0)))) / curvature
            if s + step >= length:
                s = length
                u, v = cam.free(u0, v0, s)
                c, c1, _ = cam.cam(self.arc, theta_end)
                gap, rate = u - c, v - w * c1
                if gap <= cam.zero and rate < 0:
                    break
                self.land(s, u0, v0, theta_end)
                self.touching = False
                return
            s += step
        if s >= length:
            self.land(length, u0, v0, theta_end)
            return
        for _ in range(3):  # polish
            u, v = cam.free(u0, v0, s)
            c, c1, _ = cam.cam(self.arc, start + w * s)
            s -= (u - c) / (v - w * c1)
        self.land(s, u0, v0, start + w * s)
        self.impact()

    def opening(self):
        """A time during which the gap stays open after leaving at zero rate: g'' = -(lambda + k g) / m with lambda < 0,
        monotone on the arc, so g'' > 0 while (omega s)^2 / 2 < the ratio of least to greatest |lambda|, or, where
        |lambda| grows from its start, < 1."""
        cam, s = self.cam, 1 / self.cam.omega
        begin = -cam.force(self.arc, self.theta)
        while True:
            end = -cam.force(self.arc, min(self.theta + cam.w * s, cam.knots[self.arc + 1]))
            if end > 0 and (end >= begin or (cam.omega * s) ** 2 / 2 < end / begin):
                return s
            s /= 2
            if s < cam.zero:
                raise RuntimeError("no acceleration to leave the cam with")

    def land(self, s, u0, v0, theta):
        cam = self.cam
        self.u, self.v = cam.free(u0, v0, s)
        self.theta = theta
        if self.tangent is not None:
            a, b = self.tangent
            self.tangent = cam.free(a, b, s)

    def impact(self):
        cam = self.cam
        c, c1, c2 = cam.cam(self.arc, self.theta)
        speed, before = cam.w * c1, self.v
        after = (1 + cam.e) * speed - cam.e * before
        if self.tangent is not None:
            du, dv = self.tangent
            dt = -du / (before - speed)
            a = -cam.omega ** 2 * c
            self.tangent = (du + (before - after) * dt,
                            -cam.e * (dv + a * dt) + (1 + cam.e) * cam.w ** 2 * c2 * dt - a * dt)
        self.u, self.v, self.touching = c, after, True
        self.impulse += cam.m * (after - before)
        self.work += cam.m * (after ** 2 - before ** 2) / 2
        self.record("impact", before, after)
        # end of a series of impacts: flights 2 r / a, 2 r e / a, ... of sum 2 r / (a (1 - e))
        rate, acceleration = after - speed, cam.force(self.arc, self.theta) / cam.m
        if rate < cam.tiny and acceleration > 0 and cam.e < 1:
            end = self.theta + cam.w * 2 * rate / (acceleration * (1 - cam.e))
            if end < cam.knots[self.arc + 1]:
                before = self.energy()
                self.theta = end
                c, c1, _ = cam.cam(self.arc, end)
                self.u, self.v, self.contact = c, cam.w * c1, True
                self.work += self.energy() - before
                self.record("contact", self.v, self.v)
                if self.tangent is not None:
                    self.tangent = (0.0, 0.0)

    def energy(self):
        return self.cam.m * self.v ** 2 / 2 + self.cam.k * self.u ** 2 / 2

    def turns(self, count):
        """Continues for `count` turns from theta = 0; gives q = u - c and u' at the beginning of each, and the end."""
        points = []
        for _ in range(count):
            points.append((self.u - self.cam.cam(0, self.cam.real(0))[0], self.v))
            for arc in range(6):
                self.arc = arc
                self.advance(self.cam.knots[arc + 1])
            self.turn, self.theta, self.arc = self.turn + 1, self.cam.real(0), 0
            if self.tangent is not None:  # the scaled norm, energy like
                a, b = self.tangent
                norm = math.hypot(a * self.cam.omega, b)
                if norm == 0.0:
                    self.stretch = -math.inf
                    self.tangent = (1e-3, 0.0)
                else:
                    self.stretch += math.log(norm)
                    self.tangent = (a / norm, b / norm)
        return points


def lift_off_speeds(digits=30):
    """The rpm at which lambda vanishes at the two ends of the second arc, m w^2 c_bb + k c = 0."""
    cam = Cam(60, digits)
    speeds = []
    for end in (1, 2):
        c, _, c2 = cam.cam(1, cam.knots[end])
        speeds.append(60 * mpmath.sqrt(-cam.k * c / (cam.m * c2)) / (2 * cam.pi))
    return speeds


def state_at(follower, t):
    """u - c and u' at the time t, from the last event before it (in flight)."""
    cam = follower.cam
    t = cam.real(t)
    last = [e for e in follower.events if e["t"] <= t][-1]
    if last["kind"] == "contact":
        raise ValueError("in contact at this time")
    u, v = cam.free(last["u"], last["v_after"], t - last["t"])
    theta = cam.w * t - 2 * cam.pi * cam.x.floor(t / cam.period)
    return u - cam.cam(cam.arc_of(theta), theta)[0], v


def first_impacts(rpm, count=30, digits=40, q0=0, v0=0):
    follower = Follower(Cam(rpm, digits), q0, v0)
    while sum(e["kind"] == "impact" for e in follower.events) < count:
        follower.turns(1)
    return follower


def attractor(rpm, transient=200, kept=50, q0=0, v0=0, digits=16):
    """Stroboscopic points (theta = 0) and events of `kept` turns after `transient` turns."""
    follower = Follower(Cam(rpm, digits), q0, v0)
    follower.turns(transient)
    follower.events.clear()
    return follower.turns(kept), list(follower.events)


def period_of(points, tolerance=1e-9):
    """The least p with |x_(i+p) - x_i| <= tolerance for all points kept, None if there is none below half of them."""
    for p in range(1, len(points) // 2 + 1):
        if all(abs(points[i + p][j] - points[i][j]) <= tolerance * (1 + abs(points[i][j]))
               for i in range(len(points) - p) for j in (0, 1)):
            return p
    return None


def lyapunov(rpm, transient=200, turns=2000, q0=0, v0=0):
    """Greatest exponent, per turn. -inf: the trajectory comes to rest on the cam, all neighbours become one."""
    follower = Follower(Cam(rpm), q0, v0)
    follower.turns(transient)
    follower.tangent = (1e-3, 0.0)
    follower.stretch = 0.0
    follower.turns(1)
    follower.stretch = 0.0
    follower.turns(turns)
    return follower.stretch / turns


def bifurcation(speeds, transient=200, kept=50, q0=0, v0=0):
    """For each speed: (rpm, stroboscopic points, impacts (theta, v-, v+))."""
    for rpm in speeds:
        points, events = attractor(rpm, transient, kept, q0, v0)
        yield rpm, points, [(e["theta"], e["v_before"], e["v_after"]) for e in events if e["kind"] == "impact"]


def multipliers(rpm, turns, q0=0, v0=0, transient=400):
    """Eigenvalues of the derivative of the stroboscopic map over `turns` turns, in the scaled state (omega u, v)."""
    columns = []
    for start in ((1.0, 0.0), (0.0, 1.0)):
        follower = Follower(Cam(rpm), q0, v0)
        follower.turns(transient)
        omega = follower.cam.omega
        follower.tangent, follower.stretch = (start[0] / omega, start[1]), 0.0
        follower.turns(turns)
        size = math.exp(follower.stretch)
        columns.append((follower.tangent[0] * omega * size, follower.tangent[1] * size))
    (a, c), (b, d) = columns
    half, det = (a + d) / 2, a * d - b * c
    root = mpmath.sqrt(half * half - det)
    return [complex(half - root), complex(half + root)], det


def statistics(rpm, turns=20000, blocks=20):
    """Figures of a chaotic attractor: exponent per turn with its standard error, impacts per turn, extremes."""
    follower = Follower(Cam(rpm))
    follower.turns(200)
    follower.tangent = (1e-3, 0.0)
    follower.turns(1)
    rates, lowest, highest, impacts, top = [], math.inf, -math.inf, 0, 0.0
    for _ in range(blocks):
        follower.stretch = 0.0
        follower.events.clear()
        points = follower.turns(turns // blocks)
        rates.append(follower.stretch / (turns // blocks))
        hits = [e for e in follower.events if e["kind"] == "impact"]
        impacts += len(hits)
        lowest = min([lowest] + [e["v_before"] - e["contact_speed"] for e in hits])
        top = max([top] + [math.hypot(p[0] + 0.1, p[1] / follower.cam.omega) for p in points])
    mean = sum(rates) / blocks
    error = math.sqrt(sum((r - mean) ** 2 for r in rates) / blocks / (blocks - 1))
    return dict(exponent=mean, standard_error=error, impacts_per_turn=impacts / turns,
                fastest_approach=lowest, greatest_amplitude=top)


def check(rpm, turns=20):
    """Residuals of the laws between and at the events, and a second solution by a Runge-Kutta method with events."""
    import numpy
    from scipy.integrate import solve_ivp
    cam = Cam(rpm)
    follower = Follower(cam)
    start = follower.energy()
    follower.turns(turns)
    balance = abs(follower.energy() - start - follower.work) / follower.energy()

    def profile(t):
        theta = (cam.w * t) % (2 * cam.pi)
        return cam.cam(cam.arc_of(theta), theta)

    least, law, other = math.inf, 0.0, 0.0
    flights = [e for e in follower.events if e["kind"] in ("impact", "detach")]
    for one, two in zip(flights, flights[1:]):
        if two["kind"] == "impact":
            for s in numpy.linspace(0, two["t"] - one["t"], 400)[1:-1]:
                least = min(least, cam.free(one["u"], one["v_after"], s)[0] - profile(one["t"] + s)[0])
        law = max(law, abs(one["v_after"] - (1 + cam.e) * one["contact_speed"] + cam.e * one["v_before"])
                  if one["kind"] == "impact" else 0.0)
    for one, two in list(zip(flights, flights[1:]))[:12]:
        if two["kind"] == "impact" and two["t"] - one["t"] > 1e-3:
            hit = lambda t, y: y[0] - profile(t)[0]
            hit.terminal, hit.direction = True, -1
            skip = (two["t"] - one["t"]) * 0.05
            y = cam.free(one["u"], one["v_after"], skip)
            answer = solve_ivp(lambda t, y: (y[1], -cam.omega ** 2 * y[0]), (one["t"] + skip, two["t"] + 1.0), y,
                               events=hit, method="DOP853", rtol=1e-13, atol=1e-15, max_step=1e-3)
            other = max(other, abs(answer.t_events[0][0] - two["t"]))
    return dict(energy_balance=balance, least_gap_in_flight=least, restitution=law, against_runge_kutta=other)


def text(x, digits=17):
    return mpmath.nstr(mpmath.mpf(x), digits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rpm", type=float, nargs="*", default=[358, 660, 700])
    parser.add_argument("--start", type=float, nargs=2, default=[0, 0], help="q = u - c and q' at t = 0")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--bifurcation", type=float, nargs=3, metavar=("FROM", "TO", "STEP"))
    options = parser.parse_args()
    if options.bifurcation:
        low, high, step = options.bifurcation
        speeds = [low + i * step for i in range(int((high - low) / step + 1.5))]
        for rpm, points, hits in bifurcation(speeds):
            print(f"{rpm:g} period {period_of(points)} impacts {len(hits)}", *sorted({f"{p[0]:.6f}" for p in points})[:12])
        raise SystemExit
    result = {"lift off": dict(rpm=[text(x) for x in lift_off_speeds()])}
    for rpm in options.rpm:
        fine, coarse = (first_impacts(rpm, 30, digits, *options.start) for digits in (45, 30))
        pairs = [(a, b) for a, b in zip(fine.events, coarse.events)]
        agreement = max(abs(a["t"] - b["t"]) for a, b in pairs)
        mpmath.mp.dps = 45
        samples = [(t, *(text(x) for x in state_at(fine, t))) for t in ("0.05", "0.1", "0.19", "0.3", "0.5", "1")]
        # stroboscopic points of the true orbit: enough digits for the growth of errors over 250 turns
        mpmath.mp.dps = 100
        points, events = attractor(rpm, 200, 50, *options.start, digits=100)
        period = period_of(points)
        one = result[f"{rpm:g}"] = dict(
            detach_and_impacts=[(e["kind"], text(e["t"]), text(e["theta"] / 2 / mpmath.pi), text(e["v_before"]),
                                 text(e["v_after"])) for e in fine.events][:32],
            gap_and_speed_at=samples,
            agreement_of_two_precisions=text(agreement, 3), period_in_turns=period,
            stroboscopic=[(text(q), text(v)) for q, v in (points[:period] if period else points)],
            impact_map=[(text(e["theta"]), text(e["v_before"]), text(e["v_after"])) for e in events
                        if e["turn"] < 200 + (period or 50)])
        if period:
            values, det = multipliers(rpm, period)
            one["multipliers"] = [str(v) for v in values]
            one["modulus_per_turn"] = abs(max(values, key=abs)) ** (1 / period)
            one["determinant_against_e"] = (det, 0.8 ** (2 * len(one["impact_map"])))
        else:
            one["statistics"] = statistics(rpm)
        if options.check:
            one["check"] = check(rpm)
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for rpm, one in result.items():
            print(f"rpm {rpm}" if rpm[0].isdigit() else rpm)
            for key, value in one.items():
                if isinstance(value, list):
                    print(f"  {key}")
                    for row in value:
                        print("   ", *(row if isinstance(row, tuple) else [row]))
                else:
                    print(f"  {key}: {value}")
