#!/usr/bin/env python3
"""Rocking block, half sizes b = 0.1 and h = 0.5 (Housner 1963).

R^2 = b^2 + h^2, tan(alpha) = b / h, inertia about a corner (4/3) m R^2, so p^2 = 3 g / (4 R) with g = 9.81.
Between impacts   |theta|'' = -p^2 sin(alpha - |theta|)      (linear: -p^2 (alpha - |theta|)).
Impact at theta = 0: angular momentum about the new corner is kept, theta'+ = r theta'-, r = 1 - (3/2) sin^2(alpha).
The linear equation gives all in closed form with phi = theta_0 / alpha:
    quarter period  acosh(1 / (1 - phi)) / p,   next amplitude  (1 - phi')^2 = 1 - r^2 (1 - (1 - phi)^2).
The exact one keeps theta'^2 / 2 + p^2 cos(alpha - theta); its quarter period is a quadrature. Amplitudes fall like r^2,
half periods like r: the impacts accumulate at a finite time.

Housner's ratio is Newton's law with e = 0 at both corners and no slip at the one that is hit, if friction is enough:
P_T / P_N = h (1 - r) / (b (1 + r)) at impacts. Checked below by enumeration of the two-corner impact of a free block.
"""
import argparse
import json

from mpmath import acos, acosh, atan, cos, mp, mpf, nstr, quad, sin, sqrt

mp.dps = 30
b, h, g = mpf("0.1"), mpf("0.5"), mpf("9.81")
R, alpha = sqrt(b * b + h * h), atan(b / h)
p = sqrt(3 * g / (4 * R))
ratio = 1 - mpf(3) / 2 * sin(alpha) ** 2


def quarter(theta, linear):
    """Time from rest at the amplitude theta to theta = 0."""
    if linear:
        return acosh(1 / (1 - theta / alpha)) / p
    # theta - s^2 removes the root singularity of dt = d theta / theta'
    rate = lambda s: sqrt(4 * p * p * sin(alpha - theta + s * s / 2) * sin(s * s / 2))  # cos a - cos b as a product
    return quad(lambda s: 2 * s / rate(s) if s else 2 / sqrt(2 * p * p * sin(alpha - theta)), [0, sqrt(theta)])


def speed(theta, linear):
    """theta' when theta = 0 is reached."""
    if linear:
        return p * sqrt(alpha ** 2 - (alpha - theta) ** 2)
    return sqrt(2 * p * p * (cos(alpha - theta) - cos(alpha)))


def next_amplitude(theta, linear):
    w = ratio * speed(theta, linear)
    if linear:
        return alpha - sqrt(alpha ** 2 - (w / p) ** 2)
    return alpha - acos(cos(alpha) + w * w / (2 * p * p))


def impacts(theta, count, linear):
    """Rows (time of impact n, amplitude before it, theta' before it, after it), then the time of accumulation."""
    t, rows = quarter(theta, linear), []
    for _ in range(count):
        w = speed(theta, linear)
        rows.append((t, theta, w, ratio * w))
        theta = next_amplitude(theta, linear)
        t += 2 * quarter(theta, linear)
    return rows


def rest_time(theta, linear, tiny=mpf(10) ** -13):
    """Sum of all half periods. At small amplitudes they are (2 / p) sqrt(2 theta / sin alpha) (1 + O(theta)), of
    ratio r: the rest of the series by Aitken's formula."""
    t, terms = quarter(theta, linear), []
    while theta > tiny:
        theta = next_amplitude(theta, linear)
        terms.append(2 * quarter(theta, linear))
        t += terms[-1]
    q = terms[-1] / terms[-2]
    return t + terms[-1] * q / (1 - q)


def two_corner_impact():
    """Free block, mass 1, rotating with theta' = 1 about the left corner; both corners closed, e = 0, sticking."""
    inertia = (b * b + h * h) / 3
    # rows: (N, T) of left (-b, -h) and right (b, -h) corner acting on (x', y', w); theta' = 1 is a clockwise turn: -w
    corner = lambda x, y: ((0, 1, x), (1, 0, -y))
    left, right = corner(-b, -h), corner(b, -h)
    w = mpf(-1)
    v = (-w * h, w * b, w)  # the left corner is at rest
    dot = lambda a, c: sum(x * y for x, y in zip(a, c))
    inverse = (1, 1, 1 / inertia)
    W = [[dot(a, tuple(x * y for x, y in zip(inverse, c))) for c in right] for a in right]
    u = [dot(a, v) for a in right]
    det = W[0][0] * W[1][1] - W[0][1] * W[1][0]
    P = [(-W[1][1] * u[0] + W[0][1] * u[1]) / det, (-W[0][0] * u[1] + W[1][0] * u[0]) / det]
    new = tuple(v[i] + inverse[i] * (right[0][i] * P[0] + right[1][i] * P[1]) for i in range(3))
    return dict(before=[nstr(dot(left[0], v), 17), nstr(dot(left[1], v), 17)], ratio=nstr(new[2] / w, 20),
                left_corner_rises=nstr(dot(left[0], new), 17), impulse_ratio=nstr(abs(P[1] / P[0]), 17))


def friction_needed(theta, samples=2000):
    """Greatest |T| / N of the exact rocking motion from the amplitude theta (outside impacts)."""
    worst = mpf(0)
    for i in range(samples + 1):
        a = theta * i / samples
        psi = alpha - a
        rate2 = 2 * p * p * (cos(alpha - theta) - cos(psi))
        second = -p * p * sin(psi)  # theta''; the centre is at R (sin psi, cos psi) from the corner, psi'' = -theta''
        ax = R * (cos(psi) * -second - sin(psi) * rate2)
        ay = R * (-sin(psi) * -second - cos(psi) * rate2)
        worst = max(worst, abs(ax) / (g + ay))
    return worst


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    start = alpha / 2
    text = lambda x: nstr(x, 17)
    result = dict(R=text(R), alpha=text(alpha), p=text(p), ratio=text(ratio),
                  impulse_ratio=text(h * (1 - ratio) / (b * (1 + ratio))), two_corner_impact=two_corner_impact(),
                  friction_needed_while_rocking=nstr(friction_needed(start), 6))
    for name, linear in (("linear", True), ("exact", False)):
        result[name] = dict(period_without_loss=text(4 * quarter(start, linear)),
                            impacts=[[text(x) for x in row] for row in impacts(start, 10, linear)],
                            rest_at=text(rest_time(start, linear)))
    # residuals: the linear flow against its closed form, the exact one against a Runge-Kutta method
    import numpy as np
    from scipy.integrate import solve_ivp
    hit = lambda t, y: y[0]
    hit.terminal, hit.direction = True, -1
    answer = solve_ivp(lambda t, y: (y[1], -float(p) ** 2 * np.sin(float(alpha) - y[0])), (0, 5), (float(start), 0.0),
                       events=hit, method="DOP853", rtol=1e-13, atol=1e-15)
    result["against_runge_kutta"] = [abs(float(quarter(start, False)) - answer.t_events[0][0]),
                                     abs(float(speed(start, False)) + answer.y_events[0][0][1])]
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for key, value in result.items():
            if isinstance(value, dict):
                print(key)
                for k, v in value.items():
                    if isinstance(v, list) and isinstance(v[0], list):
                        for row in v:
                            print("   ", *row)
                    else:
                        print(f"  {k}: {v}")
            else:
                print(f"{key}: {value}")
