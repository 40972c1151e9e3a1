#!/usr/bin/env python3
"""Painleve's rod: uniform, mass m, length 2 l, inertia m l^2 / 3, its lower tip sliding on a plane with friction mu.

The centre is at (x, y), the rod at the angle theta over the plane, the tip at (x - l cos theta, y - l sin theta):
    v_N = y' - l cos(theta) theta',   v_T = x' + l sin(theta) theta',   (l^2 m / 3) theta'' = l (sin theta T - cos theta N)
    a_N = b + W_NN N + W_NT T,   a_T = d + W_NT N + W_TT T,   b = l theta'^2 sin theta - g,  d = l theta'^2 cos theta
    m W_NN = 1 + 3 cos^2,   m W_TT = 1 + 3 sin^2,   m W_NT = -3 sin cos,   m^2 det W = 4.
Sliding to -x (v_T < 0, T = mu N, the tip is pushed ahead of the centre):  a_N = b + A N,
    m A = 1 + 3 cos^2 theta - 3 mu sin theta cos theta < 0   iff   mu > (1 + 3 cos^2) / (3 sin cos),
whose least value is 4/3, at tan theta = 2. (Sliding to +x, A > 0 always.) With A < 0:
    b < 0  inconsistent: no N >= 0 has a_N >= 0;      b > 0  indeterminate: N = 0 and N = -b / A both solve.
A step of Moreau and Jean solves for velocities and impulses, and has a solution in both cases. Where b < 0 it can only
be the impact without collision, the step's own impulse does not vanish with h: from (v_N, v_T) = (0, -V) to rest,
    P_N = (3/4) m V sin cos,  P_T = (m V / 4) (1 + 3 cos^2),  P_T / P_N <= mu exactly where A <= 0,
    x'+ = x' + (V / 4) (1 + 3 cos^2),  y'+ = y' + (3/4) V sin cos,  theta'+ = theta' + (3/4) (V / l) sin,
    energy lost (m V^2 / 8) (1 + 3 cos^2).
Afterwards the tip sticks, if friction allows, and the rod turns about it: theta'' = -(3 g / 4 l) cos theta.
"""
import argparse
import json

import mpmath as mp

mp.mp.dps = 25
m, l, g = mp.mpf(1), mp.mpf(1), mp.mpf("9.81")


def delassus(theta):
    s, c = mp.sin(theta), mp.cos(theta)
    return (1 + 3 * c * c) / m, -3 * s * c / m, (1 + 3 * s * s) / m


def coefficient(theta, mu):
    s, c = mp.sin(theta), mp.cos(theta)
    return (1 + 3 * c * c - 3 * mu * s * c) / m


def critical(theta):
    s, c = mp.sin(theta), mp.cos(theta)
    return (1 + 3 * c * c) / (3 * s * c)


def paradox_angles(mu):
    """1 + 3 cos^2 = 3 mu sin cos  <=>  tan^2 - 3 mu tan + 4 = 0."""
    root = mp.sqrt(9 * mu * mu - 16)
    return mp.atan((3 * mu - root) / 2), mp.atan((3 * mu + root) / 2)


def impact_without_collision(theta, rate, V, mu):
    s, c = mp.sin(theta), mp.cos(theta)
    P = 3 * m * V * s * c / 4, m * V * (1 + 3 * c * c) / 4
    assert P[1] <= mu * P[0]
    return dict(P_N=P[0], P_T=P[1], theta_rate=rate + 3 * V * s / (4 * l), loss=m * V * V * (1 + 3 * c * c) / 8)


def step_solutions(theta, u_N, u_T, mu):
    """All solutions of 0 <= u_N + W_NN P_N + W_NT P_T _|_ P_N >= 0 with Coulomb's law: (name, P_N, P_T, v_N+, v_T+)."""
    NN, NT, TT = delassus(theta)
    out = []
    if u_N >= 0:
        out.append(("open", mp.mpf(0), mp.mpf(0), u_N, u_T))
    det = NN * TT - NT * NT
    P_N, P_T = (-TT * u_N + NT * u_T) / det, (NT * u_N - NN * u_T) / det
    if P_N >= 0 and abs(P_T) <= mu * P_N:
        out.append(("stick", P_N, P_T, mp.mpf(0), mp.mpf(0)))
    for s in (1, -1):
        A = NN - s * mu * NT
        P_N = -u_N / A
        v_T = u_T + (NT - s * mu * TT) * P_N
        if P_N > 0 and s * v_T > 0:
            out.append((f"slide {'+' if s > 0 else '-'}", P_N, -s * mu * P_N, mp.mpf(0), v_T))
    return out


def pendulum(theta, rate, times, mu):
    """The rod turning about its sticking tip; gives (t, theta, theta', T / N) and checks the cone."""
    flow = mp.odefun(lambda t, y: [y[1], -3 * g * mp.cos(y[0]) / (4 * l)], 0, [theta, rate])
    rows = []
    for t in times:
        a, w = flow(t)
        acceleration = -3 * g * mp.cos(a) / (4 * l)
        T = m * (-l * mp.sin(a) * acceleration - l * mp.cos(a) * w * w)
        N = m * (g + l * mp.cos(a) * acceleration - l * mp.sin(a) * w * w)
        assert N > 0 and abs(T) <= mu * N
        rows.append((t, a, w, T / N))
    return rows


def sliding(theta, rate, v_T, mu, times):
    """Consistent sliding to -x, N = -b / A, up to the given times: (t, theta, theta', v_T, N, distance of the tip)."""
    def right(t, y):
        a, w, v, x = y
        s, c = mp.sin(a), mp.cos(a)
        N = (g - l * w * w * s) / coefficient(a, mu)
        NN, NT, TT = delassus(a)
        return [w, 3 * N * (mu * s - c) / (m * l), l * w * w * c + (NT + mu * TT) * N, v]

    flow = mp.odefun(right, 0, [theta, rate, v_T, mp.mpf(0)])
    rows = []
    for t in times:
        a, w, v, x = flow(t)
        N = (g - l * w * w * mp.sin(a)) / coefficient(a, mu)
        assert N > 0 and v < 0 and coefficient(a, mu) > 0
        rows.append((t, a, w, v, N, x))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    text = lambda x: x if isinstance(x, str) else mp.nstr(mp.mpf(x), 16)
    theta, mu = mp.atan(2), mp.mpf(2)
    after = impact_without_collision(theta, mp.mpf(0), mp.mpf(1), mu)
    h = mp.mpf("1e-3")
    result = dict(
        least_friction=text(critical(mp.atan(2))),
        critical_at={a: text(critical(mp.mpf(a))) for a in ("0.5", "0.8", "1.0", "1.2", "1.4")},
        paradox_angles_mu_2=[text(x) for x in paradox_angles(mu)],
        A_at_atan2_mu_2=text(coefficient(theta, mu)),
        impact_without_collision={k: text(v) for k, v in after.items()},
        # velocities before contact of one step: v_N = -g h, v_T = -1 (inconsistent); v_N = +0.01 (indeterminate)
        step_inconsistent=[[text(x) for x in row] for row in step_solutions(theta, -g * h, mp.mpf(-1), mu)],
        step_indeterminate=[[text(x) for x in row] for row in step_solutions(theta, mp.mpf("0.01"), mp.mpf(-1), mu)],
        step_consistent_mu_1=[[text(x) for x in row] for row in step_solutions(theta, -g * h, mp.mpf(-1), mp.mpf(1))],
        after_it_theta_rate_and_T_over_N=[[text(x) for x in row] for row in
                                         pendulum(theta, after["theta_rate"], [mp.mpf(x) for x in ("0", "0.05", "0.1", "0.2")], mu)],
        sliding_mu_half_from_theta_1=[[text(x) for x in row] for row in
                                      sliding(mp.mpf(1), mp.mpf(0), mp.mpf(-3), mp.mpf("0.5"), [mp.mpf(x) for x in ("0", "0.05", "0.1", "0.2")])])
    # the energy balance of the impact, by T and V of the rod
    c, s = mp.cos(theta), mp.sin(theta)
    x1, y1, w1 = -1 + after["P_T"] / m, after["P_N"] / m, after["theta_rate"]
    result["residual"] = text(abs(mp.mpf(1) / 2 - (x1 ** 2 + y1 ** 2 + l * l * w1 ** 2 / 3) / 2 - after["loss"])
                              + abs(x1 + l * s * w1) + abs(y1 - l * c * w1))
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for key, value in result.items():
            if isinstance(value, list) and isinstance(value[0], list):
                print(key)
                for row in value:
                    print("   ", *row)
            else:
                print(f"{key}: {value}")
