#!/usr/bin/env python3
"""Elastic bar thrown against a rigid wall: length L, wave speed c, section times modulus EA, speed v0 to the wall.

Continuous, exact (d'Alembert): the front x = c t runs from the wall to the free end and back. Displacement towards the
wall u(x, t), strain wave -v0 / c:
    force EA v0 / c, constant, on 0 < t < 2 L / c;  free end: u = v0 t up to L / c, then v0 (2 L / c - t);
    at 2 L / c the bar is free of strain and leaves with the speed v0: no energy is lost.
Semi-discrete: N linear elements, masses lumped or consistent, node 0 at the wall, Newton's law with e = 0 there (the
node stops, and loses the energy of its row of the mass matrix), gap 0 at t = 0. Contact: modes of the bar fixed at
node 0, exact in time; the force is the reaction of row 0; it ends at its first zero. Then the modes of the free bar,
until node 0 comes back to the wall, and so on: all the phases are listed.
Units L = c = EA = v0 = 1 (time in L / c, force in EA v0 / c, energy in EA L (v0 / c)^2).
"""
import argparse
import json

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import brentq


def matrices(N, lumped):
    h = 1.0 / N
    M, K = np.zeros((N + 1, N + 1)), np.zeros((N + 1, N + 1))
    for i in range(N):
        j = slice(i, i + 2)
        M[j, j] += h * (np.eye(2) / 2 if lumped else np.array([[2, 1], [1, 2]]) / 6)
        K[j, j] += np.array([[1, -1], [-1, 1]]) / h
    return M, K


class Modes:
    """M u'' + K u = 0, solved exactly: u(t) = sum of cosines and sines, frequency 0 included."""

    def __init__(self, M, K):
        squares, self.V = eigh(K, M)
        self.w = np.sqrt(np.maximum(squares, 0))
        self.w[self.w < 1e-6] = 0.0
        self.left = self.V.T @ M

    def start(self, u, v):
        self.a, self.b = self.left @ u, self.left @ v

    def at(self, t):
        w = self.w
        with np.errstate(divide="ignore", invalid="ignore"):
            s = np.where(w > 0, np.sin(w * t) / np.where(w > 0, w, 1), t)
        c = np.cos(w * t)
        q, r = self.a * c + self.b * s, self.b * c - self.a * w * w * s
        return self.V @ q, self.V @ r, -self.V @ (w * w * q)


def first_zero(f, start, end, step):
    """First change of f from positive to not positive after `start` (f is positive just after it)."""
    t = start + step / 100
    if f(t) <= 0:
        raise RuntimeError("not positive at the beginning")
    while t < end:
        if f(t + step) <= 0:
            return brentq(f, t, t + step, xtol=1e-15, rtol=9e-16)
        t += step
    return None


def simulate(N=10, lumped=True, end=4.0):
    """u is measured away from the wall: node 0 keeps u_0 >= 0; v = -1 at the beginning."""
    M, K = matrices(N, lumped)
    energy = lambda u, v: 0.5 * v @ M @ v + 0.5 * u @ K @ u
    fixed, free = Modes(M[1:, 1:], K[1:, 1:]), Modes(M, K)
    u, v = np.zeros(N + 1), -np.ones(N + 1)
    t, impulse = 0.0, 0.0
    inverse = np.linalg.inv(M)
    records = []
    while t < end:
        before = energy(u, v)
        P = -v[0] / inverse[0, 0]  # impact, e = 0, free nodes follow through the mass matrix
        v = v + inverse[:, 0] * P
        v[0] = 0.0
        impulse += P
        fixed.start(u[1:], v[1:])

        def reaction(s):
            x, _, a = fixed.at(s)
            return M[0, 1:] @ a + K[0, 1:] @ x

        length = first_zero(reaction, 0.0, end - t, 1e-3)
        record = dict(hit=t, impulse=P, energy_lost=before - energy(u, v))
        samples = np.linspace(0, length or end - t, 401)
        record["greatest_force"] = max(reaction(s) for s in samples)
        if length is None:
            records.append(record)
            break
        momentum = M.sum(axis=0) @ v
        x, r, _ = fixed.at(length)
        u, v = np.concatenate([[0.0], x]), np.concatenate([[0.0], r])
        impulse += M.sum(axis=0) @ v - momentum
        t += length
        record.update(release=t, momentum=M.sum(axis=0) @ v, end_displacement=u[-1], end_speed=v[-1], energy=energy(u, v))
        records.append(record)
        free.start(u, v)
        flight = first_zero(lambda s: free.at(s)[0][0], 0.0, end - t, 1e-3)
        if flight is None:
            break
        u, v, _ = free.at(flight)
        u[0] = 0.0
        t += flight
    return records, impulse


def state(N, lumped, t):
    """u, u', reaction at the time t of the first contact."""
    M, K = matrices(N, lumped)
    fixed = Modes(M[1:, 1:], K[1:, 1:])
    v = -np.ones(N + 1)
    inverse = np.linalg.inv(M)
    v = v - inverse[:, 0] * v[0] / inverse[0, 0]
    fixed.start(np.zeros(N), v[1:])
    x, r, a = fixed.at(t)
    return x, r, M[0, 1:] @ a + K[0, 1:] @ x


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("-N", type=int, nargs="*", default=[10, 100])
    options = parser.parse_args()
    result = dict(exact=dict(contact=2.0, force=1.0, end_displacement_at_1=-1.0, rebound=1.0))
    for N in options.N:
        for lumped in (True, False):
            records, impulse = simulate(N, lumped)
            name = f"N={N} {'lumped' if lumped else 'consistent'}"
            result[name] = dict(phases=records, total_impulse=impulse)
            result[name]["free_end"] = {str(t): [state(N, lumped, t)[0][-1], state(N, lumped, t)[1][-1], state(N, lumped, t)[2]]
                                        for t in (0.25, 0.5, 1.0, 1.5)}
            M, K = matrices(N, lumped)
            x, r, _ = state(N, lumped, 1.3)
            balance = 0.5 * r @ M[1:, 1:] @ r + 0.5 * x @ K[1:, 1:] @ x
            x, r, _ = state(N, lumped, 0.0)
            result[name]["energy_residual"] = abs(balance - 0.5 * r @ M[1:, 1:] @ r)
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for name, one in result.items():
            print(name)
            for key, value in one.items():
                if key == "phases":
                    for phase in value:
                        print("   ", ", ".join(f"{k} {v:.14g}" for k, v in phase.items()))
                else:
                    print(f"  {key}: {value}")
