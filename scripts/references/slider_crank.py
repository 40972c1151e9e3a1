#!/usr/bin/env python3
"""Slider-crank whose slider has a clearance in its guide (Flores, Leine, Glocker 2010), q = (theta1, theta2, theta3).

Absolute angles of crank, rod and slider; no joint between slider and guide, only four possible contacts of its corners.
Crank pivot at the origin; centres at half lengths; the rod ends at the centre of the slider
    S = (l1 cos1 + l2 cos2, l1 sin1 + l2 sin2).   Slider 2 a long, 2 b high, guide of width d = 2 (b + c).
Kinetic energy with S = sin, C = cos, k = (m2 / 2 + m3) l1 l2:
    M11 = J1 + (m1 / 4 + m2 + m3) l1^2,  M22 = J2 + (m2 / 4 + m3) l2^2,  M12 = k cos(theta1 - theta2),  M33 = J3
    M q'' + n(q, q') + G(q) = sum of contact forces,
    n = (k sin(theta1 - theta2) theta2'^2, -k sin(theta1 - theta2) theta1'^2, 0)
    G = g ((m1 / 2 + m2 + m3) l1 cos1, (m2 / 2 + m3) l2 cos2, 0)
    potential g ((m1 / 2 + m2 + m3) l1 sin1 + (m2 / 2 + m3) l2 sin2)
Corners, (+-a, +-b) turned by theta3 about S; gaps to the guide walls y = +-d / 2:
    1 (-a, +b)  d/2 - (Sy - a sin3 + b cos3)      normal (-l1 C1, -l2 C2,  a C3 + b S3)
    2 (+a, +b)  d/2 - (Sy + a sin3 + b cos3)      normal (-l1 C1, -l2 C2, -a C3 + b S3)
    3 (-a, -b)  d/2 + (Sy - a sin3 - b cos3)      normal ( l1 C1,  l2 C2, -a C3 + b S3)
    4 (+a, -b)  d/2 + (Sy + a sin3 - b cos3)      normal ( l1 C1,  l2 C2,  a C3 + b S3)
    tangents: x of the corner, Sx + px C3 - py S3:    (-l1 S1, -l2 S2, -px S3 - py C3) for the corner (px, py)
Below: energies and gaps of the start (all angles 0, rates 150, -75, 0), then the motion without friction, e = 0.4:
free flights by a Runge-Kutta method of order 8 (tolerance 1e-13), impacts located on it. Two corners which close at the
same instant (theta3 = 0 keeps 1 and 2, 3 and 4 together) are hit together, by the two-contact Newton law.
"""
import argparse
import itertools
import json

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

l1, l2, a, b, c = 0.153, 0.306, 0.05, 0.025, 0.001
m1, m2, m3 = 0.038, 0.038, 0.076
J1, J2, J3 = 7.4e-5, 5.9e-4, 2.7e-6
g, restitution = 9.81, 0.4
d, k = 2 * (b + c), (m2 / 2 + m3) * l1 * l2
Q0, V0 = np.zeros(3), np.array([150.0, -75.0, 0.0])
CORNERS = [(-a, b), (a, b), (-a, -b), (a, -b)]


def mass(q):
    cross = k * np.cos(q[0] - q[1])
    return np.array([[J1 + (m1 / 4 + m2 + m3) * l1 ** 2, cross, 0.0],
                     [cross, J2 + (m2 / 4 + m3) * l2 ** 2, 0.0], [0.0, 0.0, J3]])


def inertia_and_gravity(q, v):
    s = k * np.sin(q[0] - q[1])
    return np.array([s * v[1] ** 2 + g * (m1 / 2 + m2 + m3) * l1 * np.cos(q[0]),
                     -s * v[0] ** 2 + g * (m2 / 2 + m3) * l2 * np.cos(q[1]), 0.0])


def energy(q, v):
    return (0.5 * v @ mass(q) @ v
            + g * ((m1 / 2 + m2 + m3) * l1 * np.sin(q[0]) + (m2 / 2 + m3) * l2 * np.sin(q[1])))


def gaps(q):
    height = l1 * np.sin(q[0]) + l2 * np.sin(q[1])
    s, co = np.sin(q[2]), np.cos(q[2])
    return np.array([d / 2 - np.sign(py) * (height + px * s + py * co) for px, py in CORNERS])


def normals(q):
    s, co = np.sin(q[2]), np.cos(q[2])
    return np.array([-np.sign(py) * np.array([l1 * np.cos(q[0]), l2 * np.cos(q[1]), px * co - py * s])
                     for px, py in CORNERS])


def right(t, x):
    q, v = x[:3], x[3:]
    return np.concatenate([v, -np.linalg.solve(mass(q), inertia_and_gravity(q, v))])


def impact(q, v, closed):
    """Newton's law at the closed corners, by enumeration of the active ones."""
    H, inverse = normals(q)[closed], np.linalg.inv(mass(q))
    u = H @ v
    W = H @ inverse @ H.T
    for size in range(len(closed) + 1):
        for active in itertools.combinations(range(len(closed)), size):
            P = np.zeros(len(closed))
            if active:
                index = list(active)
                P[index] = np.linalg.lstsq(W[np.ix_(index, index)], -(1 + restitution) * u[index], rcond=None)[0]
            new = u + W @ P
            if P.min() >= -1e-15 and (new + restitution * u).min() >= -1e-10:
                return v + inverse @ H.T @ P, P
    raise RuntimeError("no solution of the impact")


def run(count=8, until=0.1, tolerance=1e-13):
    """The first `count` impacts: t, corners, q, v before, v after, impulses, energy before and after. They are the
    beginning of a chattering series: gaps between impacts fall like e."""
    t, x, out = 0.0, np.concatenate([Q0, V0]), []
    worst = 0.0
    while len(out) < count:
        events = []
        for i in range(4):
            f = lambda t, x, i=i, after=t + (1e-6 if out else 0.0): gaps(x[:3])[i] if t >= after else 1.0
            f.terminal, f.direction = True, -1
            events.append(f)
        start = energy(x[:3], x[3:])
        answer = solve_ivp(right, (t, until), x, events=events, method="DOP853", rtol=tolerance, atol=tolerance * 1e-2,
                           dense_output=True, max_step=2e-4)
        if answer.status != 1:
            break
        t, x = answer.t[-1], answer.y[:, -1]
        q, v = x[:3], x[3:]
        worst = max(worst, abs(energy(q, v) / start - 1))
        closed = [i for i in range(4) if gaps(q)[i] < 1e-11]
        new, P = impact(q, v, closed)
        out.append(dict(t=t, corners=[i + 1 for i in closed], q=q.tolist(), v_before=v.tolist(), v_after=new.tolist(),
                        impulses=P.tolist(), energy=[energy(q, v), energy(q, new)]))
        x = np.concatenate([q, new])
    return out, worst


def aitken(t):
    return [c - (c - b) ** 2 / ((c - b) - (b - a)) for a, b, c in zip(t, t[1:], t[2:])]


def accumulation(t):
    """Aitken's limit of the impact times, and of these limits, for the ratio of the flights still falls: the corners stay
    on the wall from there."""
    return aitken(aitken(t))[-1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    impacts, drift = run()
    coarse, _ = run(tolerance=1e-12)
    # derivatives of the formulas by differences: n from M, normals from gaps, G from the potential
    rng = np.random.default_rng(1)
    q, v, eps = rng.uniform(-1, 1, 3), rng.uniform(-5, 5, 3), 1e-6
    dM = [(mass(q + eps * e) - mass(q - eps * e)) / (2 * eps) for e in np.eye(3)]
    lagrange = sum(dM[i] * v[i] for i in range(3)) @ v - 0.5 * np.array([v @ D @ v for D in dM])
    potential = np.array([(energy(q + eps * e, np.zeros(3)) - energy(q - eps * e, np.zeros(3))) / (2 * eps) for e in np.eye(3)])
    slopes = np.array([(gaps(q + eps * e) - gaps(q - eps * e)) / (2 * eps) for e in np.eye(3)]).T
    result = dict(mass=mass(Q0).tolist(), kinetic_energy=0.5 * V0 @ mass(Q0) @ V0, energy=energy(Q0, V0),
                  gaps=gaps(Q0).tolist(), gap_rates=(normals(Q0) @ V0).tolist(),
                  acceleration=right(0, np.concatenate([Q0, V0]))[3:].tolist(),
                  at_random=dict(q=q.tolist(), v=v.tolist(), mass=mass(q).tolist(), n_plus_G=inertia_and_gravity(q, v).tolist(),
                                 gaps=gaps(q).tolist(), normals=normals(q).tolist(), energy=energy(q, v)),
                  difference_residuals=[float(np.abs(lagrange + potential - inertia_and_gravity(q, v)).max()),
                                        float(np.abs(slopes - normals(q)).max())],
                  impacts=impacts, accumulation=accumulation([e["t"] for e in run(count=11)[0]]), energy_drift_in_flight=drift,
                  two_tolerances=max(abs(x["t"] - y["t"]) for x, y in zip(impacts, coarse)))
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for key, value in result.items():
            if key == "impacts":
                for e in value:
                    print("   ", e["t"], e["corners"], *(f"{x:.13g}" for x in e["q"] + e["v_before"] + e["v_after"] + e["impulses"] + e["energy"]))
            else:
                print(f"{key}: {value}")
