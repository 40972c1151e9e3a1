"""What a call from Python costs over the same call in C++.

    PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/python/overhead.py

With the solution as guess a solver only verifies it: well below a microsecond in C++ for three unknowns. The rest is
the call, the conversion of its arguments and the object that it returns.
"""

import timeit

import numpy as np
import scipy.sparse as sp

import saltus as sl


def microseconds(call: object, repetitions: int) -> float:
    """The best of five rounds, for one call."""
    return min(timeit.repeat(call, number=repetitions, repeat=5)) / repetitions * 1e6


def definite(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    A = rng.standard_normal((n, n))
    return A @ A.T + n * np.eye(n), rng.standard_normal(n)


def report(name: str, call: object, repetitions: int = 20000) -> None:
    print(f"{name:<52}{microseconds(call, repetitions):10.2f} us")


def main() -> None:
    for n in (3, 30, 300):
        M, q = definite(n)
        z = sl.solve_lcp(M, q).z
        repetitions = 20000 if n < 100 else 200
        report(f"solve_lcp, n = {n}", lambda: sl.solve_lcp(M, q), repetitions)
        report(f"solve_lcp, n = {n}, solution as guess", lambda: sl.solve_lcp(M, q, guess=z), repetitions)
    M, q = definite(3)
    lists = M.tolist(), q.tolist()
    sparse = sp.csc_matrix(M)
    problem = sl.Lcp(M, q)
    sol = sl.solve_lcp(M, q)
    report("solve_lcp, n = 3, lists", lambda: sl.solve_lcp(*lists))
    report("solve_lcp, n = 3, scipy.sparse", lambda: sl.solve_lcp(sparse, q))
    report("Lcp.solve, n = 3", lambda: problem.solve())
    report("solve_friction, one contact", lambda: sl.solve_friction(M, q, [0.5]))
    report("Solution.z", lambda: sol.z)


if __name__ == "__main__":
    main()
