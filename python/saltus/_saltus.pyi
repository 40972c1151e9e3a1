"""Types of the compiled module; tests/python/test_stub.py compares the names with the module."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector: TypeAlias = NDArray[np.float64]
MatrixLike: TypeAlias = Any  # an ArrayLike, or a matrix of scipy.sparse, which has no types
Law: TypeAlias = Equality | Interval | Coulomb2D | Coulomb3D | RollingFriction
Problem: TypeAlias = Lcp | Mlcp | BoxVi | FrictionProblem | GlobalFrictionProblem

__version__: str

class Solution:
    @property
    def success(self) -> bool: ...
    @property
    def status(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def residual(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def solver(self) -> str: ...
    @property
    def z(self) -> Vector: ...
    @property
    def w(self) -> Vector: ...
    @property
    def certificate(self) -> Vector: ...
    @property
    def history(self) -> Vector: ...

class QpSolution(Solution):
    @property
    def x(self) -> Vector: ...
    @property
    def y(self) -> Vector: ...
    @property
    def lam(self) -> Vector: ...

class GlobalFrictionSolution(Solution):
    @property
    def v(self) -> Vector: ...

class Equality:
    def __init__(self, rows: int = 1) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def dimension(self) -> int: ...
    def project(self, r: ArrayLike) -> Vector: ...

class Interval:
    def __init__(self, lower: float = 0.0, upper: float = ...) -> None: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def dimension(self) -> int: ...
    def project(self, r: ArrayLike) -> Vector: ...

class Coulomb2D:
    def __init__(self, friction: float) -> None: ...
    @property
    def friction(self) -> float: ...
    @property
    def dimension(self) -> int: ...
    def project(self, r: ArrayLike) -> Vector: ...

class Coulomb3D:
    def __init__(self, friction: float) -> None: ...
    @property
    def friction(self) -> float: ...
    @property
    def dimension(self) -> int: ...
    def project(self, r: ArrayLike) -> Vector: ...

class RollingFriction:
    def __init__(self, friction: float, rolling: float) -> None: ...
    @property
    def friction(self) -> float: ...
    @property
    def rolling(self) -> float: ...
    @property
    def dimension(self) -> int: ...
    def project(self, r: ArrayLike) -> Vector: ...

class Lcp:
    def __init__(self, M: MatrixLike, q: ArrayLike) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def M(self) -> Any: ...
    @property
    def q(self) -> Vector: ...
    def solve(
        self,
        *,
        guess: ArrayLike | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        max_iterations: int | None = None,
        history: bool = False,
    ) -> Solution: ...

class Mlcp:
    def __init__(self, M: MatrixLike, q: ArrayLike, free: ArrayLike) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def M(self) -> Any: ...
    @property
    def q(self) -> Vector: ...
    @property
    def free(self) -> NDArray[np.bool_]: ...
    def solve(
        self,
        *,
        guess: ArrayLike | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        max_iterations: int | None = None,
        history: bool = False,
    ) -> Solution: ...

class BoxVi:
    def __init__(self, M: MatrixLike, q: ArrayLike, lower: ArrayLike = -1.0, upper: ArrayLike = 1.0) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def M(self) -> Any: ...
    @property
    def q(self) -> Vector: ...
    @property
    def lower(self) -> Vector: ...
    @property
    def upper(self) -> Vector: ...
    def solve(
        self,
        *,
        guess: ArrayLike | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        max_iterations: int | None = None,
        history: bool = False,
    ) -> Solution: ...

class FrictionProblem:
    def __init__(
        self,
        W: MatrixLike,
        q: ArrayLike,
        mu: ArrayLike,
        *,
        dimension: int | None = None,
        rolling: ArrayLike | None = None,
    ) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def W(self) -> Any: ...
    @property
    def q(self) -> Vector: ...
    @property
    def mu(self) -> Vector: ...
    @property
    def rolling(self) -> Vector: ...
    @property
    def dimension(self) -> int: ...
    @property
    def contacts(self) -> int: ...
    def solve(
        self,
        *,
        guess: ArrayLike | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        max_iterations: int | None = None,
        history: bool = False,
    ) -> Solution: ...

class GlobalFrictionProblem:
    def __init__(
        self,
        M: MatrixLike,
        H: MatrixLike,
        f: ArrayLike,
        b: ArrayLike,
        mu: ArrayLike,
        *,
        dimension: int | None = None,
        rolling: ArrayLike | None = None,
    ) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def M(self) -> Any: ...
    @property
    def H(self) -> Any: ...
    @property
    def f(self) -> Vector: ...
    @property
    def b(self) -> Vector: ...
    @property
    def mu(self) -> Vector: ...
    @property
    def rolling(self) -> Vector: ...
    @property
    def dimension(self) -> int: ...
    @property
    def contacts(self) -> int: ...
    def solve(
        self,
        *,
        guess: ArrayLike | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        max_iterations: int | None = None,
        history: bool = False,
    ) -> GlobalFrictionSolution: ...

def solvers() -> dict[str, list[tuple[str, str]]]: ...
def solve_lcp(
    M: MatrixLike,
    q: ArrayLike,
    *,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_mlcp(
    M: MatrixLike,
    q: ArrayLike,
    free: ArrayLike,
    *,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_box_vi(
    M: MatrixLike,
    q: ArrayLike,
    lower: ArrayLike = -1.0,
    upper: ArrayLike = 1.0,
    *,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_relay(
    M: MatrixLike,
    q: ArrayLike,
    lower: ArrayLike = -1.0,
    upper: ArrayLike = 1.0,
    *,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_qp(
    H: MatrixLike,
    c: ArrayLike,
    A: MatrixLike | None = None,
    b: ArrayLike | None = None,
    G: MatrixLike | None = None,
    h: ArrayLike | None = None,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> QpSolution: ...
def solve_ncp(
    F: Callable[[Vector], ArrayLike],
    guess: ArrayLike,
    *,
    jacobian: Callable[[Vector], MatrixLike] | None = None,
    lower: ArrayLike = 0.0,
    upper: ArrayLike = ...,
    solver: str = "newton-josephy",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_vi(
    F: Callable[[Vector], ArrayLike],
    project: Callable[[Vector], ArrayLike],
    guess: ArrayLike,
    *,
    solver: str = "extragradient",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_friction(
    W: MatrixLike,
    q: ArrayLike,
    mu: ArrayLike,
    *,
    dimension: int | None = None,
    rolling: ArrayLike | None = None,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def solve_global_friction(
    M: MatrixLike,
    H: MatrixLike,
    f: ArrayLike,
    b: ArrayLike,
    mu: ArrayLike,
    *,
    dimension: int | None = None,
    rolling: ArrayLike | None = None,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> GlobalFrictionSolution: ...
def solve_one_step(
    W: MatrixLike,
    q: ArrayLike,
    laws: Sequence[Law],
    *,
    guess: ArrayLike | None = None,
    solver: str = "auto",
    tolerance: float | None = None,
    max_iterations: int | None = None,
    history: bool = False,
) -> Solution: ...
def load_problem(path: str | PathLike[str], kind: str | None = None) -> Problem: ...
def save_problem(path: str | PathLike[str], problem: Problem) -> None: ...
def residual(problem: Problem, z: ArrayLike) -> float: ...
