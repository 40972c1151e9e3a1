"""Problems as objects and as files."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import saltus as sl

DATA = Path(__file__).parents[1] / "data"
RNG = np.random.default_rng(5)
A = RNG.standard_normal((6, 6))
DEFINITE, Q = A @ A.T + np.eye(6), RNG.standard_normal(6)

PROBLEMS = {
    "lcp": sl.Lcp(DEFINITE, Q),
    "sparse lcp": sl.Lcp(sp.csc_matrix(DEFINITE), Q),
    "mlcp": sl.Mlcp(DEFINITE, Q, [True, True, False, False, False, False]),
    "relay": sl.BoxVi(DEFINITE, Q, -1, [1, 2, 3, 4, 5, np.inf]),
    "friction": sl.FrictionProblem(DEFINITE, Q, [0.5, 0.25]),
    "global friction": sl.GlobalFrictionProblem(DEFINITE, np.eye(6), Q, np.ones(6), [0.5, 0.25]),
}


def dense(value: object) -> np.ndarray:
    return value.toarray() if sp.issparse(value) else np.asarray(value)


def attributes(problem: object) -> list[str]:
    """Those that are data."""
    return [name for name in dir(problem) if not name.startswith("_") and name != "solve"]


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("suffix", [".dat", ".hdf5"])
def test_files_give_the_same_problem(name: str, suffix: str, tmp_path: Path) -> None:
    problem = PROBLEMS[name]
    if suffix == ".hdf5" and "friction" not in name:
        with pytest.raises(ValueError):
            sl.save_problem(tmp_path / "problem.hdf5", problem)
        return
    sl.save_problem(tmp_path / f"problem{suffix}", problem)
    again = sl.load_problem(str(tmp_path / f"problem{suffix}"), kind=problem.kind)
    assert type(again) is type(problem) and attributes(again) == attributes(problem)
    for attribute in attributes(problem):
        np.testing.assert_array_equal(dense(getattr(again, attribute)), dense(getattr(problem, attribute)))


@pytest.mark.parametrize("name", PROBLEMS)
def test_objects_are_solved_as_by_the_functions(name: str) -> None:
    problem = PROBLEMS[name]
    sol = problem.solve(tolerance=1e-9)
    assert sol.success
    assert sl.residual(problem, sol.z) == pytest.approx(sol.residual, abs=1e-12)
    assert sl.residual(problem, sol.z) <= 1e-9 < sl.residual(problem, sol.z + 1)
    assert problem.solve(guess=sol.z).iterations == 0
    if name == "friction":
        np.testing.assert_array_equal(sl.solve_friction(DEFINITE, Q, [0.5, 0.25], tolerance=1e-9).z, sol.z)


def test_attributes_are_what_was_given_and_stay() -> None:
    problem = sl.Mlcp([[1, 2], [3, 4]], [5, 6], [False, True])
    np.testing.assert_array_equal(problem.M, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(problem.q, [5, 6])
    np.testing.assert_array_equal(problem.free, [False, True])
    with pytest.raises(ValueError):
        problem.M[0, 0] = 7
    M = problem.M
    del problem
    np.testing.assert_array_equal(M, [[1, 2], [3, 4]])
    rolling = sl.FrictionProblem(np.eye(5), np.ones(5), 0.5, rolling=0.1)
    assert (rolling.dimension, rolling.contacts, rolling.kind) == (5, 1, "friction")
    assert repr(rolling) == "<saltus.FrictionProblem: friction, 5 unknowns>"


@pytest.mark.parametrize("path", sorted(DATA.glob("lcp/*.dat")), ids=lambda path: path.stem)
def test_problems_of_simulations(path: Path) -> None:
    problem = sl.load_problem(path, kind="lcp")
    sol = problem.solve()
    w = problem.M @ sol.z + problem.q
    assert sol.success == (np.abs(np.minimum(sol.z, w)).max() <= 1e-10 * max(1, np.abs(problem.q).max()))


@pytest.mark.parametrize("name", ["friction3d/Capsules-i125-1213.hdf5", "friction3d/GFC3D_Example1.dat",
                                  "friction2d/FrictionContactProblem00031.dat"])  # fmt: skip
def test_friction_problems_of_simulations(name: str) -> None:
    problem = sl.load_problem(DATA / name)
    sol = problem.solve(tolerance=1e-8)
    assert sol.success
    normal = slice(None, None, problem.dimension)
    assert np.all(sol.z[normal] >= -1e-9)
    assert len(sol.z) == problem.contacts * problem.dimension


def test_files_that_cannot_be_read_say_where(tmp_path: Path) -> None:
    (tmp_path / "wrong.dat").write_text("2\n0 2 2\n2 2\n1 2 x\n")
    with pytest.raises(ValueError, match=r"wrong\.dat:4: "):
        sl.load_problem(tmp_path / "wrong.dat", kind="lcp")
    with pytest.raises(ValueError, match="missing.dat"):
        sl.load_problem(tmp_path / "missing.dat")
