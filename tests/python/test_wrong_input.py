"""Wrong input of any kind is an exception that names the argument, and never a crash."""

import datetime
import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp

import saltus as sl

EYE, ZERO = np.eye(3), np.zeros(3)

MESSAGES = [
    (lambda: sl.solve_lcp(np.ones((3, 2)), ZERO), "solve_lcp: M has shape (3, 2); it must be square, n x n"),
    (lambda: sl.solve_lcp(ZERO, ZERO), "solve_lcp: M has shape (3,); it must be a matrix, with two dimensions"),
    (lambda: sl.solve_lcp(EYE, [1, 2]), "solve_lcp: q has shape (2,); it must be (3,): one entry for each row of M"),
    (lambda: sl.solve_lcp(EYE, np.ones((3, 1))), "q has shape (3, 1); it must be (3,)"),
    (lambda: sl.solve_lcp(EYE, 1.0), "q has shape (); it must be (3,)"),
    (lambda: sl.solve_lcp(EYE, ZERO, guess=[1]), "solve_lcp: guess has shape (1,); it must be (3,)"),
    (lambda: sl.solve_lcp([[1, 2], [3]], [1, 2]), "solve_lcp: M is not an array"),
    (lambda: sl.solve_lcp([[math.nan]], [1]), "M(0, 0) is nan; every entry must be a finite number"),
    (lambda: sl.solve_lcp([[1]], [math.inf]), "q[0] is inf"),
    (lambda: sl.solve_lcp([[1]], [1], guess=[math.nan]), "the guess z[0] is nan"),
    (lambda: sl.solve_lcp([[1]], [1], solver="lemkes"), "there is no solver 'lemkes'; the solvers are: auto, lemke"),
    (lambda: sl.solve_lcp([[1]], [1], tolerance=-1), "tolerance is -1; it must be a number, zero or more"),
    (lambda: sl.solve_lcp([[1]], [1], max_iterations=-1), "max_iterations is -1; it must be zero or more"),
    (lambda: sl.solve_mlcp(EYE, ZERO, [True]), "solve_mlcp: free has shape (1,); it must be (3,)"),
    (lambda: sl.solve_box_vi(EYE, ZERO, lower=2, upper=1), "the interval [lower, upper] of variable 0 is [2, 1]"),
    (lambda: sl.solve_box_vi(EYE, ZERO, lower=[1, 2]), "solve_box_vi: lower has shape (2,); it must be (3,)"),
    (lambda: sl.solve_ncp(lambda z: [1, 2, 3], [0.0]), "solve_ncp: F has shape (3,); it must be (1,)"),
    (lambda: sl.solve_ncp(lambda z: z, [0.5], jacobian=lambda z: EYE), "jacobian returned shape (3, 3); it must be"),
    (lambda: sl.solve_vi(lambda z: z, lambda z: [1, 2], [1.0]), "solve_vi: project has shape (2,); it must be (1,)"),
    (lambda: sl.solve_qp(EYE, ZERO, A=[[1, 1, 1]]), "solve_qp: A and b come together; b is missing"),
    (lambda: sl.solve_qp(EYE, ZERO, G=[[1, 1]], h=[1]), "solve_qp: G has shape (1, 2); it must have 3 columns"),
    (lambda: sl.solve_qp([[1, 2], [0, 1]], [0, 0]), "H is not symmetric"),
    (lambda: sl.solve_qp(EYE, ZERO, guess=[1]), "guess has shape (1,); it must be (3,): x alone, or (x, y, lam)"),
    (lambda: sl.solve_friction(EYE, ZERO, [0.5, 0.5]), "q has 3 entries and mu 2; a contact takes 2, 3 or 5"),
    (lambda: sl.solve_friction(np.eye(4), np.zeros(4), [0.5]), "the dimension of a contact is 4"),
    (lambda: sl.solve_friction(np.eye(5), np.zeros(5), [0.5]), "contacts of dimension 5 need coefficients `rolling`"),
    (lambda: sl.solve_friction(EYE, ZERO, [0.5], rolling=[1]), "contacts of dimension 3 have no coefficients"),
    (lambda: sl.solve_friction(EYE, ZERO, [-0.5]), "the coefficient of friction is -0.5"),
    (lambda: sl.solve_friction(EYE, ZERO, [math.nan]), "the coefficient of friction is nan"),
    (lambda: sl.solve_friction(np.diag([1, 1, math.nan]), ZERO, [0.5]), "W has an entry that is not finite"),
    (lambda: sl.solve_global_friction(EYE, np.eye(2), ZERO, ZERO, [0.5]), "H has shape (2, 2); it must be (3, 3)"),
    (lambda: sl.solve_one_step(EYE, ZERO, [sl.Interval()]), "W has shape (3, 3); the laws need 1 rows"),
    (lambda: sl.Coulomb3D(-1), "Coulomb3D: friction is -1; it must be a number, zero or more"),
    (lambda: sl.Equality(7), "Equality: rows is 7; it must be from 1 to 6"),
    (lambda: sl.Interval(2, 1), "Interval: [2, 1] holds no number"),
    (lambda: sl.Lcp([[math.nan]], [0]), "Lcp: M(0, 0) is nan"),
    (lambda: sl.residual(sl.Lcp([[1]], [0]), [1, 2]), "residual: z has shape (2,); it must be (1,)"),
    (lambda: sl.load_problem("missing.dat"), "missing.dat"),
    (lambda: sl.load_problem("missing.dat", kind="lpc"), "there is no kind 'lpc'; the kinds are: lcp, mlcp, relay"),
]  # fmt: skip

TYPES = [
    (lambda: sl.solve_lcp(EYE, ZERO, max_iterations=EYE > 0), "solve_lcp: max_iterations is of type numpy.ndarray"),
    (lambda: sl.solve_lcp(None, ZERO), "solve_lcp: M is None; it must be an array of real numbers"),
    (lambda: sl.solve_lcp("M", ZERO), "solve_lcp: M is of type str; it must be an array of real numbers"),
    (lambda: sl.solve_lcp(1j * EYE, ZERO), "solve_lcp: M has entries of type complex128"),
    (lambda: sl.solve_lcp(sp.csc_matrix(1j * EYE), ZERO), "solve_lcp: M has entries of type complex128"),
    (lambda: sl.solve_lcp(EYE, sp.csc_matrix(EYE)), "solve_lcp: q is a sparse matrix; it must be a vector"),
    (lambda: sl.solve_lcp(EYE, ["a", "b", "c"]), "solve_lcp: q has entries of type <U1"),
    (lambda: sl.solve_lcp(EYE, [None] * 3), "solve_lcp: q has entries of type object"),
    (lambda: sl.solve_lcp(EYE, ZERO, solver=3), "solve_lcp: solver is of type int; it must be a string"),
    (lambda: sl.solve_lcp(EYE, ZERO, tolerance="small"), "solve_lcp: tolerance is of type str; it must be a number"),
    (lambda: sl.solve_lcp(EYE, ZERO, max_iterations=1.5), "max_iterations is of type float; it must be an integer"),
    (lambda: sl.solve_lcp(EYE, ZERO, history=2), "solve_lcp: history is of type int; it must be True or False"),
    (lambda: sl.solve_mlcp(EYE, ZERO, [0, 1, 2]), "free has entries of type int64; it must be an array of booleans"),
    (lambda: sl.solve_ncp(3, [0.0]), "solve_ncp: F is of type int; it must be a function"),
    (lambda: sl.solve_ncp(lambda z: None, [0.0]), "solve_ncp: F is None"),
    (lambda: sl.solve_one_step(EYE, ZERO, [1, 2]), "laws[0] is of type int; it must be an Equality"),
    (lambda: sl.solve_one_step(EYE, ZERO, 5), "laws is of type int; it must be a list of laws"),
    (lambda: sl.Coulomb3D("rough"), "Coulomb3D: friction is of type str; it must be a number"),
    (lambda: sl.residual([[1]], [1]), "residual: problem is of type list; it must be an Lcp"),
    (lambda: sl.save_problem("a.dat", None), "save_problem: problem is of type NoneType"),
    (lambda: sl.load_problem(7), "load_problem: path is of type int; it must be a path"),
    (lambda: sl.solve_lcp(EYE), "solve_lcp()"),
    (lambda: sl.solve_lcp(EYE, ZERO, tol=1), "solve_lcp()"),
]


@pytest.mark.parametrize("call, message", MESSAGES, ids=[message for _, message in MESSAGES])
def test_wrong_values(call: object, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        call()
    assert message in str(caught.value)


@pytest.mark.parametrize("call, message", TYPES, ids=[message for _, message in TYPES])
def test_wrong_types(call: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert message in str(caught.value)


STRANGE = [
    None, True, 3, 2.5, 10**400, 1j, math.nan, "text", b"bytes", [], [[]], [[[]]], [None], ["a"], [1, [2]], {}, {1: 2},
    set(), object(), print, int, range(2), iter([1, 2]), slice(1), memoryview(b"ab"), np.float32(1), np.longdouble(2),
    np.nan, np.array(3.0), np.array(None), np.zeros((2, 2, 2)), np.zeros((0, 3)), np.zeros((3, 0)), np.ma.masked,
    np.array([1, 2], dtype=object), np.array(["1", "2"]), np.array([1 + 2j]), np.zeros(2, dtype=[("a", "f8")]),
    np.array([datetime.datetime(2000, 1, 1)], dtype="datetime64[s]"), np.full((2, 2), np.nan), np.full(2, np.inf),
    sp.csc_matrix((2, 3)), sp.csc_matrix((0, 0)), sp.csr_matrix(np.eye(2, dtype=bool)), sl.Interval(),
    sl.Lcp([[1]], [1]),
]  # fmt: skip

FUNCTIONS = [
    lambda a, b: sl.solve_lcp(a, b),
    lambda a, b: sl.solve_lcp(np.eye(2), a, guess=b),
    lambda a, b: sl.solve_lcp(np.eye(2), [1, 2], solver=a, tolerance=b),
    lambda a, b: sl.solve_lcp(np.eye(2), [1, 2], max_iterations=a, tolerance=b),
    lambda a, b: sl.solve_mlcp(np.eye(2), a, b),
    lambda a, b: sl.solve_box_vi(np.eye(2), [1, 2], a, b),
    lambda a, b: sl.solve_ncp(lambda z: a, b),
    lambda a, b: sl.solve_ncp(lambda z: z, [1, 2], jacobian=lambda z: a, lower=b),
    lambda a, b: sl.solve_ncp(a, b),
    lambda a, b: sl.solve_vi(lambda z: a, lambda z: b, [1, 2], max_iterations=3),
    lambda a, b: sl.solve_qp(a, b),
    lambda a, b: sl.solve_qp(np.eye(2), [1, 2], a, b),
    lambda a, b: sl.solve_qp(np.eye(2), [1, 2], lower=a, upper=b),
    lambda a, b: sl.solve_friction(a, b, [0.5]),
    lambda a, b: sl.solve_friction(np.eye(2), [1, 2], a, dimension=b),
    lambda a, b: sl.solve_friction(np.eye(5), np.ones(5), a, rolling=b),
    lambda a, b: sl.solve_global_friction(np.eye(2), a, [1, 2], b, [0.5]),
    lambda a, b: sl.solve_one_step(np.eye(2), a, b),
    lambda a, b: sl.solve_one_step(np.eye(2), [1, 2], [a, b]),
    lambda a, b: sl.Interval(a, b),
    lambda a, b: sl.RollingFriction(a, b),
    lambda a, b: sl.residual(a, b),
    lambda a, b: sl.Lcp(a, b).solve(),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_strange_arguments_never_crash(function: object) -> None:
    for a, b in itertools.product(STRANGE, repeat=2):
        try:
            function(a, b)
        except (TypeError, ValueError) as error:
            assert str(error)


def test_sparse_matrices_with_wrong_indices_are_refused() -> None:
    for member, values in [("indices", [0, 7]), ("indices", [0, -1]), ("indptr", [0, 2, 9]), ("indptr", [0, 2, 1])]:
        M = sp.csc_matrix(np.eye(2))
        setattr(M, member, np.array(values, dtype=np.int32))
        with pytest.raises(ValueError, match="indices out of range"):
            sl.solve_lcp(M, [1, 2])
