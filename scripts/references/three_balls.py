#!/usr/bin/env python3
"""Three equal balls in a row, the first arrives with speed 1, the others touch and are at rest; no loss (e = 1).

newton      0 <= u+ + e u-  _|_  P >= 0 at both contacts at once, u- = (-1, 0).
sequential  one pair after the other, each with e = 1, until no pair approaches.
LZB, e = 1  is the rigid limit of contact springs F = k d^eta: it does not depend on k nor on the mass. Linear springs
            (eta = 1) have the closed form d_(1,2) = (sin t -+ sin(sqrt3 t) / sqrt3) / 2 up to the first opening;
            Hertz (eta = 3/2) is integrated; both are checked by momentum and energy.
"""
import argparse
import json

import mpmath as mp
import numpy as np
from scipy.integrate import solve_ivp

mp.mp.dps = 30


def newton(e=1):
    """LCP of two contacts, W = [[2, -1], [-1, 2]], by enumeration."""
    e = mp.mpf(e)
    before = [mp.mpf(-1), mp.mpf(0)]  # u = v_(i+1) - v_i
    for active in ((), (0,), (1,), (0, 1)):
        P = [mp.mpf(0), mp.mpf(0)]
        need = [-(1 + e) * u for u in before]
        if len(active) == 1:
            P[active[0]] = need[active[0]] / 2
        elif active:
            P = [(2 * need[0] + need[1]) / 3, (need[0] + 2 * need[1]) / 3]
        u = [before[0] + 2 * P[0] - P[1], before[1] + 2 * P[1] - P[0]]
        if min(P) >= 0 and all(u[i] + e * before[i] >= -mp.mpf(10) ** -25 for i in (0, 1)):
            return [1 - P[0], P[0] - P[1], P[1]]


def sequential(e=1):
    v = [mp.mpf(1), mp.mpf(0), mp.mpf(0)]
    while True:
        pairs = [i for i in (0, 1) if v[i] - v[i + 1] > mp.mpf(10) ** -25]
        if not pairs:
            return v
        i = pairs[0]
        P = (1 + mp.mpf(e)) * (v[i] - v[i + 1]) / 2
        v[i], v[i + 1] = v[i] - P, v[i + 1] + P


def linear():
    """Springs k = 1, masses 1. Contact 1 opens first (d1 = 0), then contact 2 is a single spring of frequency sqrt2."""
    root3 = mp.sqrt(3)
    d1 = lambda t: (mp.sin(t) + mp.sin(root3 * t) / root3) / 2
    d2 = lambda t: (mp.sin(t) - mp.sin(root3 * t) / root3) / 2
    opening = mp.findroot(d1, (2, 3), solver="anderson")
    assert all(d1(opening * k / 500) > 0 and d2(opening * k / 500) > 0 for k in range(1, 500))
    # impulses: integrals of d1 and d2
    P1 = ((1 - mp.cos(opening)) + (1 - mp.cos(root3 * opening)) / 3) / 2
    P2 = ((1 - mp.cos(opening)) - (1 - mp.cos(root3 * opening)) / 3) / 2
    v = [1 - P1, P1 - P2, P2]
    depth, rate, w = d2(opening), v[1] - v[2], mp.sqrt(2)
    # d2 = depth cos(w s) + rate / w sin(w s) = 0
    s = mp.atan2(depth, -rate / w) / w
    end_rate = -depth * w * mp.sin(w * s) + rate * mp.cos(w * s)
    mean = (v[1] + v[2]) / 2
    v = [v[0], mean + end_rate / 2, mean - end_rate / 2]
    assert v[0] < v[1] < v[2]  # no contact closes again
    return v, opening, opening + s


def hertz(tolerance=1e-14):
    """F = d^(3/2), masses 1. The force is not smooth at d = 0, where contacts open and close: steps of at most 2e-3."""
    force = lambda d: max(d, 0.0) ** 1.5

    def rate(t, y):
        f1, f2 = force(y[0]), force(y[1])
        return [y[2] - y[3], y[3] - y[4], -f1, f1 - f2, f2]

    t, y = 0.0, np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    for which in (0, 1):
        end = lambda t, y, which=which: y[which] if t > 0.5 else 1.0
        end.terminal, end.direction = True, -1
        answer = solve_ivp(rate, (t, 20), y, events=end, method="DOP853", rtol=tolerance * 3, atol=tolerance * 1e-2,
                           max_step=2e-3)
        t, y = answer.t_events[0][0], answer.y_events[0][0]
        y[which] = 0.0
    assert y[0] <= 0 and y[2] < y[3] < y[4]
    return y[2:], t


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    v, opening, end = linear()
    w, duration = hertz()
    coarse, _ = hertz(1e-13)
    text = lambda a: [mp.nstr(mp.mpf(x), 17) for x in a]
    balance = lambda a: [float(sum(a) - 1), float(sum(x * x for x in a) - 1)]
    result = dict(newton=text(newton()), sequential=text(sequential()), linear=text(v), linear_opening=text([opening, end]),
                  linear_balance=balance(v), hertz=[f"{x:.14f}" for x in w], hertz_duration=f"{duration:.12f}",
                  hertz_balance=balance([float(x) for x in w]), hertz_two_tolerances=float(np.abs(w - coarse).max()),
                  newton_by_e={str(e): text(newton(e)) for e in ("0", "0.5", "0.9")},
                  sequential_by_e={str(e): text(sequential(e)) for e in ("0", "0.5", "0.9")})
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for key, value in result.items():
            print(f"{key}: {value}")
