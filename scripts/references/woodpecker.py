#!/usr/bin/env python3
"""The woodpecker toy, event accurate (000, section 14.4.2; data of Glocker).

q = (y, phi_M, phi_S): height of the sleeve, angles of sleeve and woodpecker. M q'' + K q = f + sum (n_i N_i + t_i T_i),
gaps n_i.q + d_i, all directions constant:
    1 beak          n = (0, 0, -h_S)   t = (1, l_M, l_G - l_S)   d = l_M + l_G - l_S - r_O    closed at phi_S =  0.12
    2 sleeve below  n = (0,  h_M, 0)   t = (1, r_M, 0)           d = r_M - r_O                closed at phi_M = -0.1034482759
    3 sleeve above  n = (0, -h_M, 0)   t = (1, r_M, 0)           d = r_M - r_O                closed at phi_M = +0.1034482759
Laws: 0 <= gap _|_ N >= 0, Coulomb |T| <= mu N with T = -mu N sign(t.v) when sliding. Impacts (Newton, e = 0.5, 0, 0,
no tangential restitution), for all contacts closed at that moment, with impulses (P, Q):
    0 <= n.v+ + e n.v-  _|_  P >= 0,   |Q| <= mu P,  Q = -mu P sign(t.v+) where t.v+ != 0.
Impact and acceleration problems are solved by enumeration of open / stick / slide; a second solution would be reported.
With given contact states the motion is linear, x' = A x for x = (q, v, 1): x(t) = expm(A t) x(0), and every event
function is linear in x. First roots: sampled every 10 us (the fastest mode has a period of 13.7 ms) with a test of the
minima in between, then bracketed to rounding.

The printed q0 has phi_M = -0.1036, where gap 2 = -8.8e-7: the state begins inside the sleeve. Two readings:
'printed' keeps phi_M = -0.1036 as long as the contact is closed (as a velocity-level time-stepping does),
'projected' begins from phi_M = -(r_M - r_O) / h_M, the contact exactly closed. They meet in the limit cycle.
"""
import argparse
import itertools
import json

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

mM, JM, mS, JS, c_phi, g = 3e-4, 5e-9, 4.5e-3, 7e-7, 5.6e-3, 9.81
r_O, r_M, h_M, l_M, l_G, h_S, l_S = 2.5e-3, 3.1e-3, 5.8e-3, 0.010, 0.015, 0.02, 0.0201
mu, restitution = 0.3, (0.5, 0.0, 0.0)
MASS = np.array([[mS + mM, mS * l_M, mS * l_G],
                 [mS * l_M, JM + mS * l_M ** 2, mS * l_M * l_G],
                 [mS * l_G, mS * l_M * l_G, JS + mS * l_G ** 2]])
STIFF = c_phi * np.array([[0.0, 0, 0], [0, 1, -1], [0, -1, 1]])
FORCE = -g * np.array([mS + mM, mS * l_M, mS * l_G])
NORMAL = np.array([[0, 0, -h_S], [0, h_M, 0], [0, -h_M, 0.0]])
TANGENT = np.array([[1, l_M, l_G - l_S], [1, r_M, 0], [1, r_M, 0.0]])
OFFSET = np.array([l_M + l_G - l_S - r_O, r_M - r_O, r_M - r_O])
INVERSE = np.linalg.inv(MASS)
Q0, V0 = np.array([0.0, -0.1036, -0.2788]), np.array([-0.3411, 0.0, -7.4583])
SAMPLE, BLOCK = 1e-5, 200
NAMES = {"stick": "stick", 1: "slide up", -1: "slide down"}


def gaps(q):
    return NORMAL @ q + OFFSET


def energy(q, v):
    return 0.5 * v @ MASS @ v + 0.5 * q @ STIFF @ q - FORCE @ q


def columns(states):
    """Force directions and constrained directions of contact states {contact: 'stick' | +1 | -1}."""
    forces, fixed = [], []
    for i, s in states.items():
        if s == "stick":
            forces += [NORMAL[i], TANGENT[i]]
            fixed += [NORMAL[i], TANGENT[i]]
        else:
            forces.append(NORMAL[i] - s * mu * TANGENT[i])
            fixed.append(NORMAL[i])
    return np.array(forces).reshape(-1, 3).T, np.array(fixed).reshape(-1, 3)


def multipliers(states, z):
    """{contact: (normal, tangential)} out of the unknowns z of `columns`."""
    out, k = {}, 0
    for i, s in states.items():
        out[i] = (z[k], z[k + 1]) if s == "stick" else (z[k], -s * mu * z[k])
        k += 2 if s == "stick" else 1
    return out


def enumerate_states(choices, free, wanted, test):
    """All states in the product of `choices` {contact: states} with x = free + M^-1 F z, fixed x = wanted, test(...).

    Beak and sleeve sticking together would be redundant (four constraints, three freedoms); it does not occur here."""
    found = []
    for combination in itertools.product(*choices.values()):
        states = {i: s for i, s in zip(choices, combination) if s != "open"}
        if not states:
            x, z = free, np.zeros(0)
        else:
            F, E = columns(states)
            rhs = wanted(states) - E @ free
            W = E @ INVERSE @ F
            z, _, rank, _ = np.linalg.lstsq(W, rhs, rcond=1e-12)
            if rank < len(z):
                raise NotImplementedError("redundant contacts")
            x = free + INVERSE @ F @ z
        if test(states, x, multipliers(states, z)):
            found.append((states, x, multipliers(states, z)))
    return found


def only(found, what):
    if not found:
        raise RuntimeError(f"{what}: no solution")
    if any(np.abs(f[1] - found[0][1]).max() > 1e-7 * (1 + np.abs(found[0][1]).max()) for f in found):
        raise RuntimeError(f"{what}: solutions differ: {found}")
    return found[0]


def solve_impact(q, v, closed):
    choices = {i: ("open", "stick", 1, -1) for i in closed}
    eps = 1e-11

    def wanted(states):
        out = []
        for i, s in states.items():
            out += [-restitution[i] * (NORMAL[i] @ v)] + ([0.0] if s == "stick" else [])
        return np.array(out)

    def test(states, new, p):
        for i in closed:
            if i not in states:
                if NORMAL[i] @ new + restitution[i] * (NORMAL[i] @ v) < -eps:
                    return False
            else:
                n, t = p[i]
                if n < -1e-16 or abs(t) > mu * n + 1e-16:
                    return False
                if states[i] != "stick" and states[i] * (TANGENT[i] @ new) < -eps:
                    return False
        return True

    return only(enumerate_states(choices, v, wanted, test), "impact")


def solve_acceleration(q, v, touching, left=()):
    """Contacts with gap and gap rate zero. `left`: {contact: state} where the end of a state was just reached: there
    the old state still solves the problem at this instant, with equality, but not after it."""
    eps_v, eps = 1e-10, 1e-9
    sliding = {i: 0 if abs(TANGENT[i] @ v) < eps_v else int(np.sign(TANGENT[i] @ v)) for i in touching}
    choices = {i: ("open", sliding[i]) if sliding[i] else ("open", "stick", 1, -1) for i in touching}
    choices = {i: tuple(s for s in c if i not in left or s != left[i]) for i, c in choices.items()}
    free = INVERSE @ (FORCE - STIFF @ q)

    def wanted(states):
        return np.zeros(sum(2 if s == "stick" else 1 for s in states.values()))

    def test(states, a, force):
        for i in touching:
            if i not in states:
                if NORMAL[i] @ a < -eps:
                    return False
            else:
                n, t = force[i]
                if n < -1e-12 or abs(t) > mu * n + 1e-12:
                    return False
                if states[i] != "stick" and not sliding[i] and states[i] * (TANGENT[i] @ a) < -eps:
                    return False
        return True

    return only(enumerate_states(choices, free, wanted, test), "acceleration")


class Mode:
    """The linear motion with given contact states and its event functions (rows acting on x = (q, v, 1))."""

    def __init__(self, states):
        self.states = dict(states)
        lead = -INVERSE @ np.hstack([STIFF, np.zeros((3, 3)), -FORCE[:, None]])  # a = lead x, free
        A = np.zeros((7, 7))
        A[:3, 3:6] = np.eye(3)
        self.rows = {}
        if states:
            F, E = columns(states)
            W = E @ INVERSE @ F
            Z = -np.linalg.lstsq(W, E @ lead, rcond=1e-12)[0]
            lead = lead + INVERSE @ F @ Z
            k = 0
            for i, s in states.items():
                if s == "stick":
                    self.rows["release", i] = Z[k]
                    self.rows["slip up", i] = mu * Z[k] + Z[k + 1]
                    self.rows["slip down", i] = mu * Z[k] - Z[k + 1]
                    k += 2
                else:
                    self.rows["release", i] = Z[k]
                    self.rows["stop", i] = np.concatenate([np.zeros(3), s * TANGENT[i], [0.0]])
                    k += 1
        for i in range(3):
            if i not in states:
                self.rows["hit", i] = np.concatenate([NORMAL[i], np.zeros(3), [OFFSET[i]]])
        A[3:6] = lead
        self.A = A
        self.keys = list(self.rows)
        self.R = np.array([self.rows[k] for k in self.keys])
        step = expm(A * SAMPLE)
        powers = [np.eye(7)]
        for _ in range(BLOCK):
            powers.append(step @ powers[-1])
        self.powers = np.array(powers)

    def at(self, x, s):
        return expm(self.A * s) @ x

    def first_event(self, x, armed, limit):
        """Duration up to the first event within `limit`, its keys; (limit, []) if there is none.

        `armed`: keys whose function is positive; one that begins at zero is armed as soon as it is positive."""
        R, keys = self.R, self.keys
        done = 0.0
        armed = {k: armed.get(k, True) for k in keys}
        while done < limit:
            X = self.powers @ x
            f, df = X @ R.T, X @ self.A.T @ R.T
            best = None
            for j, key in enumerate(keys):
                values, slopes = f[:, j], df[:, j]
                begin = 0
                if not armed[key]:
                    positive = np.nonzero(values[1:] > 0)[0]
                    if len(positive) == 0:
                        continue
                    begin = positive[0] + 1
                    armed[key] = True
                function = lambda s, j=j: R[j] @ self.at(x, s)
                slope = lambda s, j=j: R[j] @ self.A @ self.at(x, s)
                for k in range(begin, BLOCK):
                    if values[k + 1] < 0:
                        low = k * SAMPLE
                        root = low if values[k] <= 0 else brentq(function, low, low + SAMPLE, xtol=1e-17, rtol=9e-16)
                        break
                    if slopes[k] < 0 < slopes[k + 1] and values[k] + slopes[k] * SAMPLE < 0:
                        lowest = brentq(slope, k * SAMPLE, (k + 1) * SAMPLE)
                        if function(lowest) < 0:
                            root = brentq(function, k * SAMPLE, lowest, xtol=1e-17, rtol=9e-16)
                            break
                else:
                    continue
                if best is None or root < best[0] - 1e-13:
                    best = (root, [key])
                elif abs(root - best[0]) <= 1e-13:
                    best[1].append(key)
            if best is not None:
                return (done + best[0], best[1]) if done + best[0] < limit else (limit, [])
            x = X[-1]
            done += BLOCK * SAMPLE
        return limit, []


class Woodpecker:
    def __init__(self, q=Q0, v=V0, projected=False):
        self.t, self.q, self.v = 0.0, q.copy(), v.copy()
        if projected:
            self.q[1] = -(r_M - r_O) / h_M
        self.cache, self.events, self.samples = {}, [], []
        self.states, self.dissipated = {}, 0.0
        closed = [i for i in range(3) if gaps(self.q)[i] <= 1e-12]
        self.settle(closed, "start")

    def settle(self, closed, why, left=()):
        """Impact, if a closed contact approaches, then the states of the contacts that stay."""
        before = self.v.copy()
        self.jump = {}
        if any(NORMAL[i] @ self.v < -1e-10 for i in closed):
            _, self.v, self.jump = solve_impact(self.q, self.v, closed)
            self.dissipated += energy(self.q, before) - energy(self.q, self.v)
        touching = [i for i in closed if abs(NORMAL[i] @ self.v) < 1e-10]
        for i in touching:  # a rate of rounding is a rate of zero
            self.v = self.v - NORMAL[i] * (NORMAL[i] @ self.v) / (NORMAL[i] @ NORMAL[i])
        self.states, _, force = solve_acceleration(self.q, self.v, touching, left)
        self.events.append(dict(t=self.t, why=why, states={i + 1: NAMES[s] for i, s in self.states.items()},
                                q=self.q.tolist(), v_before=before.tolist(), v=self.v.tolist(),
                                impulses={i + 1: list(p) for i, p in self.jump.items()}))

    def mode(self):
        key = tuple(self.states.items())
        if key not in self.cache:
            self.cache[key] = Mode(self.states)
        return self.cache[key]

    def run(self, until, stop_at=None):
        """Up to the time `until`, or the first event of the name stop_at."""
        while self.t < until:
            mode = self.mode()
            x = np.concatenate([self.q, self.v, [1.0]])
            values = mode.R @ x
            size = {"hit": 1e-12, "release": 1e-11, "slip up": 1e-11, "slip down": 1e-11, "stop": 1e-9}
            armed = {k: values[j] > size[k[0]] for j, k in enumerate(mode.keys)}
            s, keys = mode.first_event(x, armed, until - self.t)
            new = mode.at(x, s)
            self.track(mode, x, s)
            self.t, self.q, self.v = self.t + s, new[:3], new[3:6]
            if not keys:
                self.t = until
                return
            closed = list(self.states)
            for i, state in self.states.items():  # closed stays closed, sticking stays sticking: no rounding
                self.v[2 if i == 0 else 1] = 0.0
                if state == "stick":
                    self.v[0] = -(TANGENT[i][1:] @ self.v[1:])
            for kind, i in keys:
                if kind == "hit":
                    closed.append(i)
                    angle = 2 if i == 0 else 1
                    self.q[angle] = -OFFSET[i] / NORMAL[i][angle]
                if kind == "stop":
                    self.v[0] = -(TANGENT[i][1:] @ self.v[1:])
            names = [f"{k} {i + 1}" for k, i in keys]
            self.settle(sorted(set(closed)), ", ".join(names),
                        {i: self.states[i] for kind, i in keys if kind in ("release", "slip up", "slip down")})
            if stop_at in names:
                return

    def track(self, mode, x, s):
        """Work of sliding friction: the change of energy of a mode without impact."""
        new = mode.at(x, s)
        self.dissipated += energy(x[:3], x[3:6]) - energy(new[:3], new[3:6])
        turning = lambda r: (mode.at(x, r))[5]
        grid = np.linspace(0, s, 50)
        speeds = [turning(r) for r in grid]
        for a, b, fa, fb in zip(grid, grid[1:], speeds, speeds[1:]):
            if fa * fb < 0:
                r = brentq(turning, a, b, xtol=1e-15)
                self.samples.append((self.t + r, mode.at(x, r)[2]))


def at(time, projected=False):
    toy = Woodpecker(projected=projected)
    toy.run(time)
    return toy


def section(speed):
    """A toy at the end of sticking below, N = T / mu: phi_M and phi_S are known there, phi_S' = speed is free."""
    toy = Woodpecker(projected=True)
    phi_M = -(r_M - r_O) / h_M
    mode = Mode({1: "stick"})
    row = mode.rows["slip down", 1]  # depends on phi_S only, as phi_M and the speeds t.v, phi_M' are fixed
    constant = row[1] * phi_M + row[6]
    toy.q, toy.v = np.array([0.0, phi_M, -constant / row[2]]), np.array([0.0, 0.0, speed])
    toy.t, toy.events, toy.samples, toy.dissipated = 0.0, [], [], 0.0
    toy.states = {1: "stick"}
    toy.settle([1], "slip down 2", {1: "stick"})
    return toy


def return_map(speed, cycles=1):
    """phi_S' at the next end of sticking, and the toy there. One number in, one number out."""
    toy = section(speed)
    seen = 1
    while seen <= cycles:
        toy.run(toy.t + 1.0, stop_at="slip down 2")
        seen += 1
    return toy.v[2], toy


def limit_cycle():
    speed = brentq(lambda w: return_map(w)[0] - w, 17.0, 18.0, xtol=1e-14, rtol=1e-15)
    step = 1e-4
    slope = (return_map(speed + step)[0] - return_map(speed - step)[0]) / (2 * step)
    _, toy = return_map(speed)
    return speed, slope, toy


def replay(toy, digits=40):
    """The same sequence of events with mpmath: event times and states in many digits, from decimal data.

    Follows toy.events (which states, which event functions); each root is found by Newton's method from its double."""
    import mpmath as mp
    mp.mp.dps = digits
    d = lambda x: mp.mpf(repr(float(x)))
    exact = {k: d(globals()[k]) for k in ("mM", "JM", "mS", "JS", "c_phi", "g", "r_O", "r_M", "h_M", "l_M", "l_G",
                                          "h_S", "l_S", "mu")}
    mM_, JM_, mS_, JS_, c_, g_, rO, rM, hM, lM, lG, hS, lS, mu_ = exact.values()
    M = mp.matrix([[mS_ + mM_, mS_ * lM, mS_ * lG], [mS_ * lM, JM_ + mS_ * lM ** 2, mS_ * lM * lG],
                   [mS_ * lG, mS_ * lM * lG, JS_ + mS_ * lG ** 2]])
    inverse = M ** -1
    force = mp.matrix([-g_ * (mS_ + mM_), -g_ * mS_ * lM, -g_ * mS_ * lG])
    normal = [mp.matrix([0, 0, -hS]), mp.matrix([0, hM, 0]), mp.matrix([0, -hM, 0])]
    tangent = [mp.matrix([1, lM, lG - lS]), mp.matrix([1, rM, 0]), mp.matrix([1, rM, 0])]
    offset = [lM + lG - lS - rO, rM - rO, rM - rO]
    code = {"stick": "stick", "slide up": 1, "slide down": -1}
    dot = lambda a, b: sum(a[i] * b[i] for i in range(3))

    def directions(states):
        F, E, owner = [], [], []
        for i, s in states.items():
            if s == "stick":
                F += [normal[i], tangent[i]]
                E += [normal[i], tangent[i]]
                owner += [(i, "N"), (i, "T")]
            else:
                F.append(normal[i] - s * mu_ * tangent[i])
                E.append(normal[i])
                owner.append((i, "N"))
        return F, E, owner

    first = toy.events[0]
    q, v = mp.matrix([d(x) for x in first["q"]]), mp.matrix([d(x) for x in first["v"]])
    if abs(first["q"][1] + (r_M - r_O) / h_M) < 1e-12:
        q[1] = -(rM - rO) / hM
    t, out = mp.mpf(0), [(mp.mpf(0), q.copy(), v.copy())]
    for one, two in zip(toy.events, toy.events[1:]):
        states = {i - 1: code[s] for i, s in one["states"].items()}
        F, E, owner = directions(states)
        lead = mp.zeros(3, 7)  # M a = force - K q
        lead[1, 1], lead[1, 2], lead[2, 1], lead[2, 2] = -c_, c_, c_, -c_
        for k in range(3):
            lead[k, 6] = force[k]
        lead = inverse * lead
        Z = None
        if states:
            n = len(F)
            W = mp.matrix(n, n)
            right = mp.matrix(n, 7)
            for a in range(n):
                for b in range(n):
                    W[a, b] = dot(E[a], inverse * F[b])
                for b in range(7):
                    right[a, b] = -dot(E[a], lead[:, b])
            Z = (W ** -1) * right
            for a in range(n):
                column = inverse * F[a]
                for r in range(3):
                    for b in range(7):
                        lead[r, b] += column[r] * Z[a, b]
        A = mp.zeros(7, 7)
        for k in range(3):
            A[k, 3 + k] = 1
            for b in range(7):
                A[3 + k, b] = lead[k, b]
        kind, i = two["why"].split(",")[0].rsplit(" ", 1)
        i = int(i) - 1
        row = mp.zeros(1, 7)
        if kind == "hit":
            for k in range(3):
                row[0, k] = normal[i][k]
            row[0, 6] = offset[i]
        elif kind == "stop":
            for k in range(3):
                row[0, 3 + k] = tangent[i][k]
        else:
            kN = owner.index((i, "N"))
            for b in range(7):
                row[0, b] = Z[kN, b]
                if kind.startswith("slip"):
                    row[0, b] = mu_ * Z[kN, b] + (1 if kind == "slip up" else -1) * Z[owner.index((i, "T")), b]
        x0 = mp.matrix(list(q) + list(v) + [mp.mpf(1)])
        s = d(two["t"]) - t
        for _ in range(4):
            x = mp.expm(A * s) * x0
            s -= (row * x)[0] / (row * A * x)[0]
        x = mp.expm(A * s) * x0
        t += s
        q, v = mp.matrix([x[0], x[1], x[2]]), mp.matrix([x[3], x[4], x[5]])
        if two["impulses"]:
            # impulses found in double tell the states of the impact: |Q| < mu P is sticking
            hit = {}
            for j, (P, Q) in two["impulses"].items():
                hit[j - 1] = "stick" if abs(Q) < mu * P * (1 - 1e-9) else (1 if Q < 0 else -1)
            F, E, owner = directions(hit)
            n = len(F)
            W, right = mp.matrix(n, n), mp.matrix(n, 1)
            for a in range(n):
                j, part = owner[a]
                wanted = -d(restitution[j]) * dot(normal[j], v) if part == "N" else 0
                right[a] = wanted - dot(E[a], v)
                for b in range(n):
                    W[a, b] = dot(E[a], inverse * F[b])
            z = (W ** -1) * right
            for a in range(n):
                v = v + (inverse * F[a]) * z[a]
        out.append((t, q.copy(), v.copy()))
    return out


def check(toy, until):
    """Greatest violations of the laws on a dense sample, and the two energy balances."""
    from scipy.integrate import quad
    worst = dict(gap=0.0, normal_force=0.0, cone=0.0, direction=0.0, impact_energy=0.0, friction_work=0.0)
    for one, two in zip(toy.events, toy.events[1:] + [None]):
        code = {v: k for k, v in NAMES.items()}
        states = {i - 1: code[s] for i, s in one["states"].items()}
        mode, x = Mode(states), np.array(one["q"] + one["v"] + [1.0])
        length = (two["t"] if two else until) - one["t"]
        X = np.array([mode.at(x, s) for s in np.linspace(0, length, 200)])
        for key, row in mode.rows.items():
            name = {"hit": "gap", "release": "normal_force", "slip up": "cone", "slip down": "cone",
                    "stop": "direction"}[key[0]]
            worst[name] = max(worst[name], -(X @ row).min())
        if one["impulses"]:
            before, after = np.array(one["v_before"]), np.array(one["v"])
            loss = -sum(P * NORMAL[i - 1] @ (before + after) / 2 + Q * TANGENT[i - 1] @ (before + after) / 2
                        for i, (P, Q) in one["impulses"].items())
            q = np.array(one["q"])
            worst["impact_energy"] = max(worst["impact_energy"], abs(energy(q, before) - energy(q, after) - loss))
        for i, s in states.items():
            if s != "stick":
                power = lambda r: mu * abs(mode.rows["release", i] @ mode.at(x, r)) * abs(TANGENT[i] @ mode.at(x, r)[3:6])
                work = quad(power, 0, length, epsabs=1e-14, epsrel=1e-12)[0]
                end = mode.at(x, length)
                loss = energy(x[:3], x[3:6]) - energy(end[:3], end[3:6])
                worst["friction_work"] = max(worst["friction_work"], abs(loss - work))
    return worst


def row(e):
    return dict(t=e["t"], event=e["why"], states=e["states"], q=e["q"], v_before=e["v_before"], v=e["v"],
                impulses=e["impulses"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    result = {}
    for name, projected in (("printed", False), ("projected", True)):
        toy = at(0.5, projected)
        times = [(t, at(t, projected)) for t in (0.01, 0.02, 0.05, 0.065, 0.1, 0.15, 0.5)]
        result[name] = dict(events=[row(e) for e in toy.events],
                            states={t: dict(q=x.q.tolist(), v=x.v.tolist()) for t, x in times},
                            energy_balance=energy(toy.q, toy.v) + toy.dissipated - energy(*(np.array(toy.events[0][k]) for k in ("q", "v"))))
        if options.check:
            fine = replay(toy)
            result[name]["against_40_digits"] = dict(
                t=max(abs(float(a[0]) - e["t"]) for a, e in zip(fine, toy.events)),
                q=max(abs(float(a[1][k]) - e["q"][k]) for a, e in zip(fine, toy.events) for k in range(3)),
                v=max(abs(float(a[2][k]) - e["v"][k]) for a, e in zip(fine, toy.events) for k in range(3)))
            result[name]["check"] = check(toy, 0.5)
    speed, slope, toy = limit_cycle()
    angles = [a for _, a in toy.samples]
    last = toy.events[-1]
    result["limit cycle"] = dict(
        speed_at_slip=speed, multiplier=slope, period=last["t"], fall=-last["q"][0], mean_speed=-last["q"][0] / last["t"],
        phi_S_least=min(angles), phi_S_greatest=max(angles + [0.12]),
        energy=(mS + mM) * g * -last["q"][0], dissipated=toy.dissipated, events=[row(e) for e in toy.events])
    if options.check:
        fine = replay(toy)
        result["limit cycle"]["against_40_digits"] = dict(period=abs(float(fine[-1][0]) - last["t"]),
                                                          fall=abs(float(fine[-1][1][0]) - last["q"][0]))
        result["limit cycle"]["check"] = check(toy, last["t"])
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        numbers = lambda a: " ".join(f"{x: .13e}" for x in a)
        for name, one in result.items():
            print(name)
            for key, value in one.items():
                if key == "events":
                    for e in value:
                        print(f"  {e['t']:.14f} {e['event']:12s} {str(e['states']):20s} q {numbers(e['q'])} v {numbers(e['v'])}"
                              + "".join(f" P{i} {numbers(p)}" for i, p in e["impulses"].items()))
                elif key == "states":
                    for t, x in value.items():
                        print(f"  t = {t}: q {numbers(x['q'])} v {numbers(x['v'])}")
                else:
                    print(f"  {key}: {value!r}")
