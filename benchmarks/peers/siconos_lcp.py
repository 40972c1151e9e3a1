"""The LCP solvers of Siconos, as trials of the harness."""

import numpy
import siconos.numerics as siconos

from harness import ACCEPTED, stopwatch, time_trial

# Those that end with the answer up to rounding, and those that only approach it. PIVOT is Lemke unless told otherwise,
# MURTY, BARD and PATHSEARCH are its other rules. QP and NSQP need
# a library, ql0001, which Debian does not ship: they fail.
EXACT = ["LEMKE", "PIVOT", "PIVOT_LUMOD", "MURTY", "BARD", "PATHSEARCH", "AVI_CAOFERRIS",
         "NEWTONMIN", "NEWTON_MIN_FBLSA", "NEWTON_FB_FBLSA", "QP", "NSQP"]
ITERATIVE = ["PGS", "PSOR", "RPGS", "CPG", "LATIN", "LATIN_W", "CONVEXQP_PG"]
SPARSE = ["PGS", "CONVEXQP_PG"]  # all that take a sparse matrix; the others abort or read outside memory

# dparam[0] of these is not a tolerance on the residual but what rounding may do to a pivot: left as it is.
PIVOTING = {"PIVOT", "PIVOT_LUMOD", "MURTY", "BARD", "PATHSEARCH", "AVI_CAOFERRIS"}


class DenseProblem:
    """An LCP from a file of peer_lcp: M by columns, then q."""

    def __init__(self, path):
        numbers = numpy.fromfile(path)
        n = int(numpy.sqrt(numbers.size))  # n^2 + n numbers
        self.M = numbers[:n * n].reshape((n, n), order="F")
        self.q = numbers[n * n:].copy()

    def multiply(self, z):
        return self.M @ z

    def siconos(self, q):
        self.given = self.M.copy(order="F")  # kept alive: the LCP only refers to it; a copy, lest a solver change M
        return siconos.LCP(self.given, q)


class SparseProblem:
    """An LCP from a file of peer_lcp: row, column, value of each entry of M, then q, whose size n is given."""

    def __init__(self, path, n):
        numbers = numpy.fromfile(path)
        entries = numbers[:-n].reshape((-1, 3))
        self.rows, self.columns = entries[:, 0].astype(int), entries[:, 1].astype(int)
        self.values, self.q = entries[:, 2], numbers[-n:].copy()

    def multiply(self, z):
        return numpy.bincount(self.rows, self.values * z[self.columns], minlength=z.size)

    def siconos(self, q):
        self.given = siconos.NM_create(siconos.NM_SPARSE, q.size, q.size)
        siconos.NM_triplet_alloc(self.given, self.values.size)
        for row, column, value in zip(self.rows.tolist(), self.columns.tolist(), self.values.tolist()):
            siconos.NM_entry(self.given, row, column, value)
        return siconos.LCP(self.given, q)


def residual(problem, z):
    """|min(z, M z + q)|_inf / max(1, |q|_inf), as Saltus has it."""
    w = problem.multiply(z) + problem.q
    if not (numpy.isfinite(z).all() and numpy.isfinite(w).all()):
        return float("inf")
    return float(abs(numpy.minimum(z, w)).max() / max(1.0, abs(problem.q).max()))


def make_options(name, tolerance):
    options = siconos.SolverOptions(getattr(siconos, "SICONOS_LCP_" + name))
    options.iparam[0] = max(int(options.iparam[0]), 10000)  # iterations
    if name not in PIVOTING:
        options.dparam[0] = tolerance
    return options


class LcpTrial:
    def __init__(self, name, problem):
        self.name, self.problem = name, problem
        self.tolerances = [ACCEPTED] if name in PIVOTING else [ACCEPTED * 10.0**-k for k in range(5)]

    def set_up(self):
        self.lcp = self.problem.siconos(self.problem.q)
        self.z, self.w = numpy.zeros(self.problem.q.size), numpy.zeros(self.problem.q.size)

    def seconds_of_call(self, lcp, options):
        self.z[:] = 0.0
        self.w[:] = 0.0
        return stopwatch(lambda: siconos.linearComplementarity_driver(lcp, self.z, self.w, options))

    def solve(self, tolerance):
        return self.seconds_of_call(self.lcp, make_options(self.name, tolerance))

    def residual(self):
        return residual(self.problem, self.z)

    def is_hopeless(self, tolerance, error):
        """An answer far off is not a matter of tolerance."""
        return not error <= 1e-4

    def overhead(self):
        """Best time where q >= 0."""
        q = abs(self.problem.q)
        lcp, options = self.problem.siconos(q), make_options(self.name, ACCEPTED)
        return min(self.seconds_of_call(lcp, options) for _ in range(20000))


def time_solver(name, problem):
    return time_trial(LcpTrial(name, problem))
