"""The solvers of Siconos for contact with friction, as trials of the harness."""

import warnings

import numpy
import scipy.sparse
import siconos.numerics as siconos

from harness import ACCEPTED, stopwatch

warnings.filterwarnings("ignore", message="Performance warning")

MANY = 1000000  # iterations of a cheap method: the time limit ends it


class FrictionJudge:
    """residual() of saltus/complementarity/one_step/one_step_problem.hpp, for the local form."""

    def __init__(self, W, q, mu, rolling=None):
        self.W, self.q = W.tocsr(), q
        self.dimension = q.size // mu.size
        diagonal = abs(self.W.diagonal()).sum()
        self.rho = q.size / diagonal if diagonal > 0.0 else 1.0
        self.disks = [(slice(1, min(3, self.dimension)), mu)]  # components and coefficient of each disk of the cone
        if self.dimension == 5:
            self.disks.append((slice(3, 5), rolling))

    def lengths(self, vectors):
        return [numpy.linalg.norm(vectors[:, part], axis=1) for part, _ in self.disks]

    def project(self, z):
        """On { |r_k| <= mu_k r_N }: r_N is the largest over the sets A of bounded disks of
        (z_N + sum_A mu_k |z_k|) / (1 + sum_A mu_k^2) which are consistent; A grows disk by disk, the steepest first."""
        lengths = self.lengths(z)
        sets = [[0], [1], [0, 1]] if len(self.disks) == 2 else [[0]]
        normal = z[:, 0].copy()
        bounded = [lengths[k] > self.disks[k][1] * normal for k in range(len(self.disks))]
        undecided = numpy.logical_or.reduce(bounded)
        for members in sets:
            candidate = ((z[:, 0] + sum(self.disks[k][1] * lengths[k] for k in members)) /
                         (1.0 + sum(self.disks[k][1]**2 for k in members)))
            fits = undecided.copy()
            for k in range(len(self.disks)):
                outside = lengths[k] > self.disks[k][1] * candidate
                fits &= outside if k in members else ~outside
            normal[fits] = candidate[fits]
            undecided &= ~fits
        normal = numpy.maximum(normal, 0.0)
        r = z.copy()
        r[:, 0] = normal
        for (part, mu), length in zip(self.disks, lengths):
            radius = mu * normal
            factor = numpy.where(length > radius, radius / numpy.where(length > 0.0, length, 1.0), 1.0)
            r[:, part] *= factor[:, None]
        r[normal <= 0.0] = 0.0
        return r

    def residual(self, r):
        w = self.W @ r + self.q
        if not (numpy.isfinite(r).all() and numpy.isfinite(w).all()):
            return float("inf")
        u, forces = w.reshape((-1, self.dimension)), r.reshape((-1, self.dimension))
        signorini = numpy.minimum(forces[:, 0], self.rho * u[:, 0])
        shifted = u.copy()
        shifted[:, 0] += sum(mu * length for (_, mu), length in zip(self.disks, self.lengths(u)))
        natural = numpy.linalg.norm(forces - self.project(forces - self.rho * shifted), axis=1)
        error = numpy.linalg.norm(numpy.maximum(natural, abs(signorini)))
        speed = self.rho * numpy.linalg.norm(self.q)
        length = numpy.linalg.norm(r)
        scale = max(length, speed, self.rho * numpy.linalg.norm(w))
        # Where r runs to infinity the residual goes to zero with the velocities wrong: an escape, not an answer.
        if error + numpy.finfo(float).eps * length > 1e-4 * speed > 0.0 and error <= ACCEPTED * scale:
            return float("inf")
        return float(error / scale if scale > 0.0 else error)


def read(path, is_rolling):
    if is_rolling:
        return siconos.rollingFrictionContact_new_from_filename(str(path))
    return siconos.frictionContact_new_from_filename(str(path))


class FrictionFile:
    """A problem of peer_friction: its local form in <path>, block-sparse; where it was given as M and H, that in
    <global_path>."""

    def __init__(self, path, global_path=None):
        self.path, self.global_path = path, global_path
        with open(path) as file:
            self.dimension = int(file.readline())
        self.is_rolling = self.dimension == 5
        problem = read(path, self.is_rolling)
        self.contacts = problem.numberOfContacts
        self.W = siconos.NM_csc(problem.M).copy()
        self.q, self.mu = numpy.array(problem.q), numpy.array(problem.mu)
        # Python is given no array of mu_r, the last numbers of the file.
        self.rolling = numpy.array(path.read_text().split()[-self.contacts:], dtype=float) if self.is_rolling else None
        self.judge = FrictionJudge(self.W, self.q, self.mu, self.rolling)

    def kinds(self, is_given_as_global):
        """The tables of SOLVERS which apply. Siconos has no global solver in the plane: there the reduction to the
        local form is not charged."""
        if self.dimension == 2:
            return ["2d"]
        local, coupled = ("rolling", "global-rolling") if self.is_rolling else ("3d", "global-3d")
        if is_given_as_global:
            return [coupled]
        return [local, coupled] if self.global_path else [local]


# How W is stored for Siconos: blocks as read from the file, dense, or compressed columns.
def block_problem(file):
    return read(file.path, file.is_rolling)


def dense_problem(file):
    if not file.is_rolling:
        return siconos.FrictionContactProblem(file.dimension, file.contacts, numpy.asfortranarray(file.W.toarray()),
                                              file.q.copy(), file.mu.copy())
    path = file.path.with_suffix(".dense.dat")  # the only way in for a dense problem with rolling friction
    n = file.q.size
    numbers = [numpy.ravel(part) for part in (file.W.toarray().T, file.q, file.mu, file.rolling)]
    path.write_text(f"5\n{file.contacts}\n0\n{n}\n{n}\n{n} {n}\n" +
                    "\n".join(" ".join(map(repr, part.tolist())) for part in numbers) + "\n")
    return read(path, True)


def sparse_problem(file):
    W = scipy.sparse.csc_matrix(file.W)
    W.indices, W.indptr = W.indices.astype(numpy.int64), W.indptr.astype(numpy.int64)
    return siconos.FrictionContactProblem(file.dimension, file.contacts, W, file.q.copy(), file.mu.copy())


def global_problem(file):
    if file.is_rolling:
        return siconos.globalRollingFrictionContact_new_from_filename(str(file.global_path))
    return siconos.globalFrictionContact_new_from_filename(str(file.global_path))


STORAGES = {"block": block_problem, "dense": dense_problem, "sparse": sparse_problem, "global": global_problem}


class Solver:
    """A solver of Siconos with its options. `integers` and `reals` are entries of iparam and dparam; `local` the name
    of the internal solver, `local_integers` its options."""

    def __init__(self, identifier, storage, integers=None, reals=None, local=None, local_integers=None, label=""):
        self.identifier, self.storage = identifier, storage
        self.integers, self.reals = integers or {}, reals or {}
        self.local, self.local_integers = local, local_integers or {}
        short = identifier.replace("SICONOS_", "").replace("GLOBAL_FRICTION_3D", "GLOBAL")
        for prefix in ("ROLLING_FRICTION_3D_", "FRICTION_2D_", "FRICTION_3D_"):
            short = short.replace(prefix, "")
        inner = "" if local is None else "-" + local.split("ONECONTACT_")[-1].replace("SICONOS_FRICTION_3D_", "")
        self.name = f"{short}{inner}{'-' + label if label else ''} ({storage})"

    def options(self, tolerance):
        options = siconos.SolverOptions(getattr(siconos, self.identifier))
        options.dparam[0] = tolerance
        if self.local is not None:
            siconos.solver_options_update_internal(options, 0, getattr(siconos, self.local))
        for index, value in self.integers.items():
            options.iparam[index] = value
        for index, value in self.reals.items():
            options.dparam[index] = value
        if self.local_integers:
            inner = siconos.solver_options_get_internal_solver(options, 0)
            for index, value in self.local_integers.items():
                inner.iparam[index] = value
        return options


DRIVERS = {"2d": "fc2d_driver", "3d": "fc3d_driver", "global-3d": "gfc3d_driver", "rolling": "rolling_fc3d_driver",
           "global-rolling": "g_rolling_fc3d_driver"}


class FrictionTrial:
    # Some of Siconos's measures have a unit: where forces are of the order of 1e-10, 1e-14 is loose.
    tolerances = [10.0**-k for k in [*range(4, 15), *range(16, 31, 2)]]

    def __init__(self, solver, file, kind):
        self.name, self.solver, self.file, self.kind = solver.name, solver, file, kind

    def set_up(self):
        self.problem = STORAGES[self.solver.storage](self.file)
        n = self.file.q.size
        self.r, self.u = numpy.zeros(n), numpy.zeros(n)
        self.arguments = [self.problem, self.r, self.u]
        if self.kind.startswith("global"):
            self.v = numpy.zeros(self.problem.q.size)
            self.arguments.append(self.v)
        self.driver = getattr(siconos, DRIVERS[self.kind])

    def solve(self, tolerance):
        options = self.solver.options(tolerance)
        for vector in self.arguments[1:]:
            vector[:] = 0.0
        return stopwatch(lambda: self.driver(*self.arguments, options))

    def residual(self):
        return self.file.judge.residual(self.r)

    def is_hopeless(self, tolerance, error):
        return not numpy.isfinite(error)

    def overhead(self):
        """The time for a contact that opens by itself."""
        problem = siconos.FrictionContactProblem(3, 1, numpy.eye(3), numpy.array([1.0, 0.0, 0.0]), numpy.ones(1))
        options = siconos.SolverOptions(siconos.SICONOS_FRICTION_3D_NSGS)
        r, u = numpy.zeros(3), numpy.zeros(3)
        return min(stopwatch(lambda: siconos.fc3d_driver(problem, r, u, options)) for _ in range(2000))


def nsgs(identifier, storage):
    """NSGS with each solver of one contact. The cheap error, of a sweep's changes, decides (iparam[7] = 1): the
    tolerance is tightened until the answer is accepted."""
    locals_ = [None, "NSN", "NSN_GP", "ProjectionOnCone", "ProjectionOnConeWithLocalIteration",
               "ProjectionOnConeWithDiagonalization", "ProjectionOnConeWithRegularization", "QUARTIC"]
    return [Solver(identifier, storage, {0: MANY, 7: 1}, local=name and f"SICONOS_FRICTION_3D_ONECONTACT_{name}")
            for name in locals_]


F3, G3, R3 = "SICONOS_FRICTION_3D_", "SICONOS_GLOBAL_FRICTION_3D_", "SICONOS_ROLLING_FRICTION_3D_"
F2, GR3 = "SICONOS_FRICTION_2D_", "SICONOS_GLOBAL_ROLLING_FRICTION_3D_"
PROJECTION, ITERATED = R3 + "ONECONTACT_ProjectionOnCone", R3 + "ONECONTACT_ProjectionOnConeWithLocalIteration"

SOLVERS = {
    "2d":
        [Solver(F2 + name, storage, {0: MANY}) for name in ("NSGS", "LEMKE", "CPG", "ENUM")
         for storage in ("dense", "block")] +
        [Solver(F2 + "NSGS", storage, {0: iterations, 7: error}, label=label) for storage in ("dense", "block")
         for iterations, error, label in ((1000, 2, "1000"), (10000, 2, "10000"), (MANY, 0, "full"),
                                          (MANY, 1, "light"))],
    "3d":
        nsgs(F3 + "NSGS", "block") + nsgs(F3 + "NSGS", "dense") +
        [Solver(F3 + "NSGS", "block", {0: MANY, 7: 0}, label="full"),
         Solver(F3 + "NSGS", "block", {0: MANY, 7: 1, 5: 1}, label="shuffled"),
         Solver(F3 + "NSGS", "block", {0: MANY, 7: 1, 4: 1}, {8: 1.3}, label="relaxed1.3"),
         Solver(F3 + "NSGS", "block", {0: MANY, 7: 1, 19: 10}, label="frozen"),
         Solver(F3 + "NSGSV", "block", {0: MANY})] +
        [Solver(F3 + "NSN_AC", storage, {0: 1000} | extra, label=label) for storage in ("sparse", "dense", "block")
         for label, extra in (("", {}), ("JM", {10: 3}), ("std", {10: 0}), ("full-step", {11: -1}), ("EG", {14: 3}))] +
        [Solver(F3 + "NSN_AC_TEST", "sparse", {0: 1000}), Solver(F3 + "NSN_AC_TEST", "dense", {0: 1000}),
         Solver(F3 + "NSN_FB", "dense", {0: 1000}), Solver(F3 + "NSN_FB", "sparse", {0: 1000}),
         Solver(F3 + "NSN_NM", "dense", {0: 1000}), Solver(F3 + "NSN_NM", "sparse", {0: 1000})] +
        [Solver(F3 + "PROX", storage, {0: MANY} | {9: strategy}, reals, label=label)
         for storage in ("block", "sparse", "dense")
         for label, strategy, reals in (("", 0, {}), ("alpha1", 0, {3: 1.0}), ("alpha1000", 0, {3: 1e3}),
                                        ("sigma0.5", 0, {4: 0.5}), ("regular", 1, {}))] +
        [Solver(F3 + "PROX", "block", {0: MANY}, local=F3 + "NSGS", local_integers={0: MANY})] +
        [Solver(F3 + "ADMM", storage, {0: MANY} | extra, label=label) for storage in ("sparse", "block", "dense")
         for label, extra in (("", {}), ("balanced", {9: 2}), ("scaled", {9: 3}), ("norm", {10: 1}),
                              ("norm-balanced", {9: 2, 10: 1}), ("norm-scaled", {9: 3, 10: 1}))] +
        [Solver(F3 + name, storage, {0: MANY}) for name in
         ("VI_EG", "VI_FPP", "TFP", "PFP", "ACLMFP", "SOCLCP", "FPP", "EG", "DSFP", "HP")
         for storage in ("block", "dense")],
    "global-3d":
        [Solver(G3 + name, "global", {0: MANY if "NSN" not in name and "IPM" not in name else 1000}) for name in
         ("NSGS_WR", "NSGS", "NSGSV_WR", "ADMM", "ADMM_WR", "NSN_AC", "NSN_AC_WR", "PROX_WR", "TFP_WR", "DSFP_WR",
          "VI_EG", "VI_FPP", "ACLMFP", "IPM")] +
        [Solver(G3 + "ADMM", "global", {0: MANY} | extra, label=label)
         for label, extra in (("balanced", {9: 2}), ("scaled", {9: 3}), ("norm", {10: 1}), ("eigen", {10: 2}))],
    "rolling":
        [Solver(R3 + "NSGS", storage, {0: MANY, 7: error}, local=local, label=label)
         for storage in ("dense",) for error, label in ((1, ""), (0, "full"))  # aborts on blocks
         for local in (None, PROJECTION, ITERATED)] +
        [Solver(R3 + "ADMM", storage, {0: MANY} | extra, label=label) for storage in ("block", "dense")
         for label, extra in (("", {}), ("balanced", {9: 2}), ("scaled", {9: 3}), ("norm", {10: 1}))],
    "global-rolling": [Solver(GR3 + "NSGS_WR", "global", {0: MANY}),
                       Solver(GR3 + "NSGS_WR", "global", {0: MANY}, local=PROJECTION)],
}
