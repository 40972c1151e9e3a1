"""The solve functions, judged by the conditions of each problem, computed here with numpy."""

import gc
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import saltus as sl

INFINITY = np.inf
AFFINE = [name for name, _ in sl.solvers()["affine"]]
FRICTION = [name for name, _ in sl.solvers()["friction"]]
GLOBAL_FRICTION = [name for name, _ in sl.solvers()["global-friction"]]
FORMATS = ["csc", "csr", "coo", "lil", "dok", "bsr", "dia"]


def random_definite(n: int, seed: int) -> np.ndarray:
    """A symmetric positive definite matrix."""
    A = np.random.default_rng(seed).standard_normal((n, n))
    return A @ A.T + n * np.eye(n)


def random_vector(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(1000 + seed).uniform(-5, 5, n)


def assert_on_box(z: np.ndarray, w: np.ndarray, lower: object, upper: object, error: float = 1e-8) -> None:
    """w >= 0 where z = lower, w <= 0 where z = upper, w = 0 between."""
    lower, upper = np.broadcast_to(lower, z.shape), np.broadcast_to(upper, z.shape)
    assert np.all(z >= lower - error) and np.all(z <= upper + error)
    assert np.all(w[z > lower + error] <= error)
    assert np.all(w[z < upper - error] >= -error)


def assert_coulomb(u: np.ndarray, r: np.ndarray, mu: float, error: float = 1e-6) -> None:
    """Signorini's condition and Coulomb's law of one contact, without any projection."""
    assert u[0] >= -error and r[0] >= -error and abs(u[0] * r[0]) <= error
    speed = np.linalg.norm(u[1:])
    assert np.linalg.norm(r[1:]) <= mu * r[0] + error
    assert np.linalg.norm(speed * r[1:] + mu * r[0] * u[1:]) <= error * max(1.0, speed)


def assert_rolling(u: np.ndarray, r: np.ndarray, mu: float, rolling: float) -> None:
    assert_coulomb(u[:3], r[:3], mu)
    assert_coulomb(np.r_[u[0], u[3:]], np.r_[r[0], r[3:]], rolling)


@pytest.mark.parametrize("solver", AFFINE)
def test_lcp_is_complementary(solver: str) -> None:
    for seed in range(5):
        M, q = random_definite(8, seed), random_vector(8, seed)
        sol = sl.solve_lcp(M, q, solver=solver)
        assert sol.success and sol.status == "converged" and sol.residual <= 1e-8
        assert sol.solver == solver or solver == "auto"
        np.testing.assert_allclose(sol.w, M @ sol.z + q, atol=1e-12)
        assert_on_box(sol.z, sol.w, 0, INFINITY)


@pytest.mark.parametrize("solver", AFFINE)
def test_mlcp_is_complementary_where_it_is_not_free(solver: str) -> None:
    free = np.array([True, False, True, False, False, False])
    M, q = random_definite(6, 3), random_vector(6, 3)
    sol = sl.solve_mlcp(M, q, free, solver=solver)
    if solver == "lemke" and sol.status == "unsuitable-problem":
        return
    assert sol.success, sol.message
    np.testing.assert_allclose(sol.w, M @ sol.z + q, atol=1e-12)
    assert_on_box(sol.z, sol.w, np.where(free, -INFINITY, 0), INFINITY)


@pytest.mark.parametrize("lower, upper", [(-1, 1), (-0.1, INFINITY), (-INFINITY, 0.2), (-INFINITY, INFINITY)])
def test_box_vi_has_the_signs_of_its_bounds(lower: float, upper: float) -> None:
    M, q = random_definite(7, 5), random_vector(7, 5)
    sol = sl.solve_box_vi(M, q, lower, upper)
    assert sol.success
    assert_on_box(sol.z, M @ sol.z + q, lower, upper)
    arrays = sl.solve_relay(M, q, lower=np.full(7, lower), upper=np.full(7, upper))
    np.testing.assert_array_equal(arrays.z, sol.z)


def test_qp_satisfies_the_conditions_of_optimality() -> None:
    rng = np.random.default_rng(2)
    n = 6
    H, c = random_definite(n, 1), random_vector(n, 1)
    A, G = rng.standard_normal((2, n)), rng.standard_normal((4, n))
    b, h = A @ np.zeros(n) + 0.1, G @ np.zeros(n) - 0.2
    for solver in ["auto", "dual-active-set", "interior-point", "pdas"]:
        sol = sl.solve_qp(H, c, A, b, G, h, lower=-2, upper=np.full(n, 3.0), solver=solver, tolerance=1e-9)
        assert sol.success, (solver, sol.message)
        np.testing.assert_allclose(A @ sol.x, b, atol=1e-7)
        assert_on_box(sol.lam, G @ sol.x - h, 0, INFINITY, 1e-7)
        assert_on_box(sol.x, H @ sol.x + c - A.T @ sol.y - G.T @ sol.lam, -2, 3, 1e-7)
        np.testing.assert_array_equal(sol.z, np.r_[sol.x, sol.y, sol.lam])


def test_qp_with_a_semidefinite_matrix() -> None:
    sol = sl.solve_qp([[1, 0], [0, 0]], [-1, 1], lower=0)
    assert sol.success
    np.testing.assert_allclose(sol.x, [1, 0], atol=1e-8)
    sparse = sl.solve_qp(sp.csr_matrix([[1.0, 0], [0, 0]]), [-1, 1], lower=0)
    np.testing.assert_allclose(sparse.x, [1, 0], atol=1e-8)


def test_qp_without_feasible_point_has_a_proof() -> None:
    sol = sl.solve_qp(np.eye(1), [0], G=[[1], [-1]], h=[1, 0])
    assert not sol.success and sol.status == "no-solution"
    assert np.all(sol.certificate >= 0) and sol.certificate @ [1, 0] > 0
    assert abs(sol.certificate @ [1, -1]) < 1e-9


def nonlinear_function(z: np.ndarray) -> np.ndarray:
    """A monotone function: the gradient of a convex one, and a rotation."""
    return z**3 + z + np.array([[0, 2, 0], [-2, 0, 1], [0, -1, 0]]) @ z + [-3, 1, -2]


def nonlinear_jacobian(z: np.ndarray) -> np.ndarray:
    return np.diag(3 * z**2 + 1) + np.array([[0, 2, 0], [-2, 0, 1], [0, -1, 0]])


@pytest.mark.parametrize("solver", [name for name, _ in sl.solvers()["ncp"]])
def test_ncp_is_complementary_with_any_jacobian(solver: str) -> None:
    jacobians = [None, nonlinear_jacobian, lambda z: sp.csr_matrix(nonlinear_jacobian(z))]
    for jacobian in jacobians:
        sol = sl.solve_ncp(nonlinear_function, [1, 1, 1], jacobian=jacobian, solver=solver)
        assert sol.success and sol.iterations < 20
        assert_on_box(sol.z, nonlinear_function(sol.z), 0, INFINITY)
        bounded = sl.solve_ncp(nonlinear_function, [0, 0, 0], jacobian=jacobian, lower=-0.5, upper=[0.5, 1, 2])
        assert bounded.success
        assert_on_box(bounded.z, nonlinear_function(bounded.z), -0.5, np.array([0.5, 1, 2]))


def test_differences_stay_within_the_bounds() -> None:
    def logarithm(z: np.ndarray) -> np.ndarray:
        assert np.all(z >= 1)
        return np.log(z) - 0.5

    sol = sl.solve_ncp(logarithm, [1.0, 1.0], lower=1)
    np.testing.assert_allclose(sol.z, np.exp(0.5))


@pytest.mark.parametrize("solver", [name for name, _ in sl.solvers()["vi"]])
def test_vi_is_a_fixed_point(solver: str) -> None:
    M, q = random_definite(4, 7), random_vector(4, 7)

    def project(z: np.ndarray) -> np.ndarray:
        return z / max(1.0, np.linalg.norm(z) / 0.1)

    sol = sl.solve_vi(lambda z: M @ z + q, project, np.zeros(4), solver=solver)
    assert sol.success
    np.testing.assert_allclose(sol.z, project(sol.z - (M @ sol.z + q)), atol=1e-5)


@pytest.mark.parametrize("solver", FRICTION)
@pytest.mark.parametrize("dimension", [2, 3])
def test_friction_obeys_coulomb(solver: str, dimension: int) -> None:
    mu = np.array([0.2, 0.5, 1.0, 0.0])
    W, q = random_definite(4 * dimension, 11), random_vector(4 * dimension, 11)
    sol = sl.solve_friction(W, q, mu, solver=solver)
    if sol.status == "unsuitable-problem":
        assert sol.message
        return
    # Forms with facets are another problem in space; those that stop early say so.
    assert sol.success or (solver != "auto" and sol.message)
    if sol.success:
        for u, r, coefficient in zip((W @ sol.z + q).reshape(4, -1), sol.z.reshape(4, -1), mu):
            assert_coulomb(u, r, coefficient)


def test_friction_with_rolling() -> None:
    W, q = random_definite(10, 4), random_vector(10, 4)
    sol = sl.solve_friction(W, q, [0.4, 0.8], rolling=[0.1, 0.2])
    assert sol.success
    for k in range(2):
        rows = slice(5 * k, 5 * k + 5)
        assert_rolling((W @ sol.z + q)[rows], sol.z[rows], [0.4, 0.8][k], [0.1, 0.2][k])
    numbers = sl.solve_friction(W, q, 0.4, rolling=0.1)
    arrays = sl.solve_friction(W, q, [0.4, 0.4], rolling=[0.1, 0.1], dimension=5)
    np.testing.assert_array_equal(numbers.z, arrays.z)


@pytest.mark.parametrize("solver", ["auto", "nsgs", "global-admm"])
def test_global_friction_is_the_local_problem_before_elimination(solver: str) -> None:
    M, H = random_definite(9, 2), np.random.default_rng(2).standard_normal((9, 6))
    f, b, mu = random_vector(9, 2), random_vector(6, 2), [0.3, 0.6]
    sol = sl.solve_global_friction(M, H, f, b, mu, solver=solver)
    assert sol.success, sol.message
    np.testing.assert_allclose(M @ sol.v, H @ sol.z + f, atol=1e-6)
    np.testing.assert_allclose(sol.w, H.T @ sol.v + b, atol=1e-12)
    for u, r, coefficient in zip(sol.w.reshape(2, 3), sol.z.reshape(2, 3), mu):
        assert_coulomb(u, r, coefficient)
    sparse = sl.solve_global_friction(sp.csc_matrix(M), sp.coo_matrix(H), f, b, mu, solver=solver)
    np.testing.assert_allclose(sparse.z, sol.z, atol=1e-6)


def test_one_step_mixes_laws() -> None:
    laws = [sl.Equality(rows=2), sl.Interval(), sl.Interval(-1, 1), sl.Coulomb2D(0.4), sl.Coulomb3D(friction=0.3),
            sl.RollingFriction(0.5, 0.1)]
    n = sum(law.dimension for law in laws)
    assert n == 14
    W, q = random_definite(n, 8), random_vector(n, 8)
    sol = sl.solve_one_step(W, q, laws)
    assert sol.success
    z, w = sol.z, W @ sol.z + q
    np.testing.assert_allclose(w[:2], 0, atol=1e-6)
    assert_on_box(z[2:3], w[2:3], 0, INFINITY, 1e-6)
    assert_on_box(z[3:4], w[3:4], -1, 1, 1e-6)
    assert_coulomb(w[4:6], z[4:6], 0.4)
    assert_coulomb(w[6:9], z[6:9], 0.3)
    assert_rolling(w[9:], z[9:], 0.5, 0.1)


def test_laws_project_on_their_sets() -> None:
    np.testing.assert_array_equal(sl.Equality(3).project([1, -2, 3]), [1, -2, 3])
    np.testing.assert_array_equal(sl.Interval(-1, 2).project([5]), [2])
    np.testing.assert_allclose(sl.Coulomb3D(1).project([0, 0, 2]), [1, 0, 1])
    assert repr(sl.Coulomb2D(0.5)) == "Coulomb2D(friction=0.5)"
    assert repr(sl.RollingFriction(friction=0.5, rolling=0.25)) == "RollingFriction(friction=0.5, rolling=0.25)"
    assert sl.Interval().upper == INFINITY


@pytest.mark.parametrize("format", FORMATS)
def test_sparse_is_dense_in_every_format(format: str) -> None:
    M = np.where(np.abs(random_definite(9, 6)) > 3, random_definite(9, 6), 0.0) + 30 * np.eye(9)
    q = random_vector(9, 6)
    sparse = sl.solve_lcp(sp.csc_matrix(M).asformat(format), q)
    assert sparse.success
    np.testing.assert_allclose(sparse.z, sl.solve_lcp(M, q).z, atol=1e-9)
    contacts = sl.solve_friction(sp.csc_matrix(M).asformat(format), q, [0.5] * 3)
    np.testing.assert_allclose(contacts.z, sl.solve_friction(M, q, [0.5] * 3).z, atol=1e-9)


def test_sparse_entries_given_twice_are_added_and_the_matrix_stays() -> None:
    data, rows, columns = [1.0, 1.0, 3.0, 1.0, 1.0], [1, 0, 1, 0, 0], [0, 0, 1, 0, 1]
    M = sp.coo_matrix((data, (rows, columns)))
    np.testing.assert_array_equal(sl.Lcp(M, [0, 0]).M.toarray(), [[2, 1], [1, 3]])
    unsorted = sp.csc_matrix((np.array([1.0, 1.0, 1.0, 3.0]), [1, 0, 0, 1], [0, 3, 4]), shape=(2, 2))
    np.testing.assert_array_equal(sl.Lcp(unsorted, [0, 0]).M.toarray(), [[2, 0], [1, 3]])
    np.testing.assert_array_equal(sl.Lcp(unsorted, [0, 0]).M.indices, [0, 1, 1])
    np.testing.assert_array_equal(unsorted.indices, [1, 0, 0, 1])


def test_arrays_of_every_layout() -> None:
    M, q = random_definite(5, 9), random_vector(5, 9)
    wanted = sl.solve_lcp(M, q).z
    wide = np.zeros((10, 15))
    wide[::2, ::3] = M
    packed = np.zeros(5, dtype=[("tag", "i4"), ("value", "f8")])
    packed["value"] = q
    reversed_M, reversed_q = M[::-1, ::-1].copy(), q[::-1].copy()
    layouts = [
        (np.asfortranarray(M), q),
        (wide[::2, ::3], q),
        (M.astype(">f8"), q.astype(">f8")),
        (M, packed["value"]),
        (reversed_M[::-1, ::-1], reversed_q[::-1]),
        (M.tolist(), tuple(q)),
    ]
    for matrix, vector in layouts:
        np.testing.assert_allclose(sl.solve_lcp(matrix, vector).z, wanted, rtol=1e-12)
    assert sl.solve_lcp(np.array([[2, 1], [1, 2]]), np.array([-3, -3], dtype=np.int8)).z == pytest.approx([1, 1])


def test_exact_guess_needs_no_iteration() -> None:
    M, q, mu = random_definite(6, 1), random_vector(6, 1), [0.5, 0.5]
    lcp = sl.solve_lcp(M, q)
    assert lcp.iterations > 0 and sl.solve_lcp(M, q, guess=lcp.z).iterations == 0
    box = sl.solve_box_vi(M, q)
    assert sl.solve_box_vi(M, q, guess=box.z).iterations == 0
    contact = sl.solve_friction(M, q, mu, tolerance=1e-12)
    assert sl.solve_friction(M, q, mu, guess=contact.z).iterations == 0
    ncp = sl.solve_ncp(nonlinear_function, [1, 1, 1])
    assert sl.solve_ncp(nonlinear_function, ncp.z).iterations == 0
    qp = sl.solve_qp(M, q, lower=0)
    np.testing.assert_allclose(sl.solve_qp(M, q, lower=0, guess=qp.x).x, qp.x)


def test_no_success_is_no_exception() -> None:
    none = sl.solve_lcp([[-1]], [-1])
    assert not none.success and none.status == "no-solution" and none.message
    unsuitable = sl.solve_lcp([[0, 1], [-1, 0]], [-1, 1], solver="pgs")
    assert not unsuitable.success and unsuitable.status == "unsuitable-problem" and "diagonal" in unsuitable.message
    short = sl.solve_lcp(random_definite(20, 1), random_vector(20, 1), solver="pgs", max_iterations=1)
    assert not short.success and short.status == "iteration-limit" and short.iterations == 1
    assert short.residual > 1e-10 and short.message
    empty = sl.solve_lcp(np.eye(2), [1, 2])
    assert empty.success and empty.message == "converged in 0 iterations, residual 0"


def test_problems_without_unknowns_are_solved() -> None:
    solutions = [
        sl.solve_lcp(np.zeros((0, 0)), []),
        sl.solve_lcp([], []),
        sl.solve_lcp(sp.csc_matrix((0, 0)), []),
        sl.solve_mlcp([], [], []),
        sl.solve_box_vi([], []),
        sl.solve_qp([], []),
        sl.solve_friction([], [], []),
        sl.solve_global_friction(np.eye(2), np.zeros((2, 0)), [1, 2], [], []),
        sl.solve_one_step([], [], []),
        sl.solve_ncp(lambda z: z, []),
        sl.solve_vi(lambda z: z, lambda z: z, []),
    ]
    for sol in solutions:
        assert sol.success and sol.z.shape == (0,) and sol.w.shape == (0,), sol
    np.testing.assert_allclose(solutions[7].v, [1, 2])


@pytest.mark.parametrize("solver", AFFINE)
def test_affine_solvers_take_problems_without_unknowns(solver: str) -> None:
    assert sl.solve_lcp([], [], solver=solver).success


@pytest.mark.parametrize("solver", FRICTION)
def test_friction_solvers_take_problems_without_unknowns(solver: str) -> None:
    assert sl.solve_friction([], [], [], solver=solver).success


class Unusual(Exception):
    pass


def test_exceptions_of_functions_arrive_unchanged() -> None:
    error = Unusual("of the user")

    def fails(z: np.ndarray) -> np.ndarray:
        raise error

    for call in [
        lambda: sl.solve_ncp(fails, [1.0]),
        lambda: sl.solve_ncp(lambda z: z - 1, [3.0], jacobian=fails),
        lambda: sl.solve_vi(fails, lambda z: z, [1.0]),
        lambda: sl.solve_vi(lambda z: z - 1, fails, [1.0]),
    ]:
        with pytest.raises(Unusual) as caught:
            call()
        assert caught.value is error


def test_functions_may_keep_and_change_their_argument() -> None:
    kept: list[np.ndarray] = []

    def greedy(z: np.ndarray) -> np.ndarray:
        kept.append(z)
        value = z**2 - 4
        z[:] = 17
        return value

    sol = sl.solve_ncp(greedy, [1.0, 5.0])
    gc.collect()
    np.testing.assert_allclose(sol.z, [2, 2])
    assert all(np.all(z == 17) for z in kept)


def test_arrays_outlive_the_solution() -> None:
    M, q = random_definite(50, 1), random_vector(50, 1)
    sol = sl.solve_lcp(M, q)
    z, w, copies = sol.z, sol.w, (sol.z.copy(), sol.w.copy())
    assert not z.flags.owndata and np.shares_memory(z, sol.z)
    del sol
    gc.collect()
    filler = [np.ones(50) for _ in range(100)]
    assert len(filler) == 100
    np.testing.assert_array_equal(z, copies[0])
    np.testing.assert_array_equal(w, copies[1])


def test_solutions_can_be_pickled() -> None:
    plain = sl.solve_lcp([[2, 1], [1, 2]], [-5, -6])
    qp = sl.solve_qp(np.eye(2), [-1, -1], A=[[1, 1]], b=[1])
    contact = sl.solve_global_friction(np.eye(3), np.eye(3), [-1, 4, 0], [0, 0, 0], [0.5])
    for sol in [plain, qp, contact]:
        again = pickle.loads(pickle.dumps(sol))
        assert type(again) is type(sol) and repr(again) == repr(sol)
        np.testing.assert_array_equal(again.z, sol.z)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(qp)).lam, qp.lam)


def test_representation_is_a_column_of_names_and_values() -> None:
    text = repr(sl.solve_lcp(np.eye(500), -np.ones(500)))
    lines = text.splitlines()
    assert len(lines) == 10 and len(text) < 500
    assert [line.split(":")[0].strip() for line in lines] == [
        "success", "status", "message", "solver", "iterations", "residual", "z", "w", "certificate", "history",
    ]  # fmt: skip
    assert "..." in text and "success: True" in text


def test_history_goes_from_the_guess_to_the_residual() -> None:
    M, q, mu = random_definite(9, 1), random_vector(9, 1), [0.5] * 3
    q[::3] = -5  # the contacts close: zero is not a solution
    problem = sl.Lcp(M, q)
    sol = sl.solve_lcp(M, q, solver="pgs", history=True)
    assert len(sol.history) == sol.iterations + 1 and sol.history[-1] == sol.residual
    assert sol.history[0] == pytest.approx(sl.residual(problem, np.zeros(9)))
    step = sl.solve_lcp(M, q, solver="pgs", max_iterations=1)
    assert sol.history[1] == step.residual
    assert sl.solve_lcp(M, q, solver="pgs").history.shape == (0,)
    np.testing.assert_array_equal(sl.solve_lcp(M, q, solver="pgs").z, sol.z)
    others = [
        sl.solve_qp(M, q, lower=0, history=True),
        sl.solve_ncp(nonlinear_function, [1, 1, 1], history=True),
        sl.solve_vi(lambda z: M @ z + q, lambda z: np.maximum(z, 0), np.zeros(9), history=True),
        sl.solve_friction(M, q, mu, history=True),
        sl.solve_global_friction(M, np.eye(9), q, np.zeros(9), mu, history=True),
        sl.solve_one_step(M, q, [sl.Coulomb3D(0.5)] * 3, history=True),
        problem.solve(history=np.bool_(True)),
    ]
    for sol in others:
        assert sol.success and len(sol.history) >= 2 and sol.history[-1] == sol.residual < sol.history[0]
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(sol)).history, sol.history)


def test_other_threads_run_during_a_solve() -> None:
    M, q = random_definite(1000, 1), random_vector(1000, 1)  # takes some tenths of a second
    solve = threading.Thread(target=lambda: sl.solve_lcp(M, q, solver="interior-point"))
    count = 0
    solve.start()
    while solve.is_alive():
        count += 1
    assert count > 1000


def test_solvers_are_listed_with_the_default_first() -> None:
    families = sl.solvers()
    assert set(families) == {"affine", "ncp", "vi", "qp", "friction", "global-friction"}
    for family in families.values():
        assert all(isinstance(name, str) and purpose for name, purpose in family)
        assert len({name for name, _ in family}) == len(family)
    assert families["affine"][0][0] == "auto"
    assert families["qp"][1][0] == "dual-active-set"


def solve_one_of(family: str, **arguments: Any) -> Any:
    """The solution of a small problem of that family."""
    M, q = random_definite(6, 1), random_vector(6, 1)
    solve: dict[str, Callable[[], Any]] = {
        "affine": lambda: sl.solve_lcp(M, q, **arguments),
        "ncp": lambda: sl.solve_ncp(nonlinear_function, [1, 1, 1], **arguments),
        "vi": lambda: sl.solve_vi(lambda z: M @ z / 20 + q, lambda z: np.clip(z, -1, 1), np.zeros(6), **arguments),
        "qp": lambda: sl.solve_qp(M, q, lower=0, **arguments),
        "friction": lambda: sl.solve_friction(M, q, [0.5, 0.5], **arguments),
        "global-friction": lambda: sl.solve_global_friction(M, np.eye(6), q, np.zeros(6), [0.5, 0.5], **arguments),
    }
    return solve[family]()


@pytest.mark.parametrize("family, solver", [(f, name) for f, solvers in sl.solvers().items() for name, _ in solvers])
def test_every_option_is_a_keyword(family: str, solver: str) -> None:
    options = sl.solver_options(family, solver)
    names = [name for name, _, _ in options]
    assert len(set(names)) == len(names) and names[:2] == ["tolerance", "max_iterations"]
    defaults = {name: default for name, default, meaning in options if meaning}
    plain, named = solve_one_of(family, solver=solver), solve_one_of(family, solver=solver, **defaults)
    assert plain.status == named.status and plain.iterations == named.iterations
    np.testing.assert_array_equal(plain.z, named.z)
    for name in names[2:]:
        with pytest.raises(ValueError, match=name):
            solve_one_of(family, solver=solver, **{name: "nonsense"})


def test_options_change_the_solve() -> None:
    M, q = random_definite(20, 1), random_vector(20, 1)
    slow, fast = (sl.solve_lcp(M, q, solver="pgs", relaxation=relaxation) for relaxation in (0.3, np.float64(1.0)))
    assert slow.success and fast.success and slow.iterations > fast.iterations
    assert sl.Lcp(M, q).solve(solver="pgs", relaxation=0.3).iterations == slow.iterations
    assert sl.solve_lcp(M, q, solver="pgs", symmetric=np.bool_(True)).iterations < fast.iterations
    assert sl.solve_lcp(M, q, solver="principal-pivoting", rule="least-index").success
    mistakes = {
        "pgs: relaxation is '1'; it must be a number": {"relaxation": "1"},
        "pgs: symmetric is 1; it must be true or false": {"symmetric": 1},
        "pgs: relaxation is 3; it must lie strictly between 0 and 2": {"relaxation": 3},
    }
    for message, arguments in mistakes.items():
        with pytest.raises(ValueError, match=message):
            sl.solve_lcp(M, q, solver="pgs", **arguments)
    with pytest.raises(TypeError, match="relaxation"):
        sl.solve_lcp(M, q, solver="pgs", relaxation=None)
    with pytest.raises(TypeError, match=r"solve_lcp\(\): pgs: there is no option 'relaxtion'; .* 'relaxation'"):
        sl.solve_lcp(M, q, solver="pgs", relaxtion=1.0)
    with pytest.raises(ValueError, match="there is no family 'lcp'; there are affine, "):
        sl.solver_options("lcp", "pgs")
    with pytest.raises(ValueError, match="there is no solver 'psg'; there are auto, "):
        sl.solver_options("affine", "psg")
