"""Times the LCP solvers of Siconos, each measurement in a process of its own, with a limit."""

import ctypes
import multiprocessing
import os
import re
import time

import numpy
import siconos.numerics as siconos

ACCEPTED = 1e-8  # on residual(); an answer above it does not count
TIME_LIMIT = 30.0  # seconds for one solver on one problem

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


def seconds_of_call(lcp, options, z, w):
    z[:] = 0.0
    w[:] = 0.0
    start = time.perf_counter_ns()
    siconos.linearComplementarity_driver(lcp, z, w, options)
    return (time.perf_counter_ns() - start) * 1e-9


def overhead_of_call(name, problem):
    """Best time of a call that has nothing to solve, q >= 0: the way from Python to the driver and back."""
    q = abs(problem.q)
    lcp, options = problem.siconos(q), make_options(name, ACCEPTED)
    z, w = numpy.zeros(q.size), numpy.zeros(q.size)
    return min(seconds_of_call(lcp, options, z, w) for _ in range(20000))


def first_accepted(name, lcp, problem, z, w):
    """Options, time and residual of the loosest tolerance whose answer is accepted: Siconos measures in another norm.
    An answer far off is not a matter of tolerance, and is the last."""
    for tolerance in [ACCEPTED * 10.0**-k for k in range(5)]:
        options = make_options(name, tolerance)
        seconds = seconds_of_call(lcp, options, z, w)
        error = residual(problem, z)
        if error <= ACCEPTED or not error <= 1e-4 or name in PIVOTING:
            break
    return options, seconds, error


def measurements(name, problem):
    """Yields the first time, then the best of a fifth of a second and at least three calls (fewer if they are long),
    less the overhead of the call."""
    overhead = overhead_of_call(name, problem)
    lcp = problem.siconos(problem.q)
    z, w = numpy.zeros(problem.q.size), numpy.zeros(problem.q.size)
    start, calls = time.monotonic(), 1
    options, best, error = first_accepted(name, lcp, problem, z, w)
    result = {"solver": name, "seconds": best, "residual": error, "overhead": overhead}
    if not error <= ACCEPTED:
        yield result | {"failed": "residual %.0e" % error}
        return
    yield result
    while time.monotonic() - start < 0.2 or (calls < 3 and time.monotonic() - start < 10.0):
        best, calls = min(best, seconds_of_call(lcp, options, z, w)), calls + 1
    error = max(error, residual(problem, z))
    yield result | {"seconds": max(best - overhead, 1e-9), "residual": error}


def work(name, problem, connection):
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # Siconos prints
    os.dup2(silence, 2)
    try:
        for result in measurements(name, problem):
            connection.send(result)
    except RuntimeError as error:
        connection.send({"solver": name, "failed": str(error).strip().splitlines()[-1]})


def time_solver(name, problem):
    """The best time of a Siconos solver on a problem, or {"solver", "failed": why}; neither a crash nor an endless
    loop of the solver reaches the caller."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(name, problem, sender))
    process.start()
    sender.close()
    result, deadline = None, time.monotonic() + TIME_LIMIT
    try:
        while receiver.poll(max(0.0, deadline - time.monotonic())):
            result = receiver.recv()
        process.kill()
        result = result or {"solver": name, "failed": "more than %g s" % TIME_LIMIT}
    except EOFError:
        process.join()
        result = result or {"solver": name, "failed": "crashed, exit code %d" % process.exitcode}
    process.join()
    return result


def blas_in_use():
    """The BLAS that Siconos was linked with and has loaded, and its version where it tells."""
    with open("/proc/self/maps") as maps:
        libraries = sorted(set(re.findall(r"/\S*/lib(?:openblas|blas|mkl|atlas)[^/\s]*", maps.read())))
    for library in libraries:
        try:
            version = ctypes.CDLL(library).openblas_get_config
        except AttributeError:
            continue
        version.restype = ctypes.c_char_p
        return version().decode()
    return ", ".join(libraries) or "unknown"
