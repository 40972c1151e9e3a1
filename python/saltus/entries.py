"""How the arguments of a model's methods become entries of a model file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _saltus
from .expressions import Emission, Expression, Function, parameters_of, state_symbols, traced

NO_OFFSETS: Mapping[str, int] = {}


class Scope:
    """The values of a piece's variables at the beginning, and where each system begins in them."""

    def __init__(self, values: dict[str, np.ndarray], t0: float, offsets: dict[str, int],
                 known: tuple[str, ...] = ()) -> None:
        self.values = values
        self.t0 = t0
        self.offsets = offsets
        self.known = known

    def of(self, *known: str) -> Scope:
        return Scope(self.values, self.t0, self.offsets, known)

    def value(self, name: str) -> Any:
        return self.t0 if name == "t" else self.values[name].copy()

    def symbols(self, name: str) -> Any:
        return Expression("name", "t") if name == "t" else state_symbols(None, name, len(self.values[name]))


class EntryWriter:
    """Writes entries; what cannot be written as text goes to the document."""

    def __init__(self, document: _saltus.Document, first_definition: int = 0) -> None:
        self._document = document
        self._next = first_definition

    def copy(self, document: _saltus.Document) -> EntryWriter:
        """The same for a copy of the document."""
        return EntryWriter(document, self._next)

    def vector(self, key: str, value: Any) -> np.ndarray:
        """The numbers of a vector, in which parameters may occur."""
        entry = self.entry(key, value)
        return self._document.numbers(key, entry if isinstance(entry, list) else [entry])

    def entry(self, key: str, value: Any, offsets: Mapping[str, int] = NO_OFFSETS) -> Any:
        """Numbers, texts and expressions, and lists and dicts of them."""
        if isinstance(value, Expression):
            emission = Emission(offsets, self._next)
            text = emission.text(value)
            if len(offsets) > 1 and emission.mixes_symbols:
                raise ValueError(f"{key}: mixes symbols of systems, such as ball.q, with those of the piece, such as "
                                 "sl.q, which stack all of its systems; take one kind")
            for name, definition in emission.definitions:
                self._document.add_definition(name, definition)
            self._next = emission.next_name
            return text
        if isinstance(value, np.ndarray):
            value = value.tolist()
            if isinstance(value, Expression):
                return self.entry(key, value, offsets)
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, dict):
            return {k: self.entry(f"{key}.{k}", entry, offsets) for k, entry in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.entry(f"{key}[{i}]", entry, offsets) for i, entry in enumerate(value)]
        if isinstance(value, float) and np.isinf(value):
            return "1e999" if value > 0 else "-1e999"
        if isinstance(value, (bool, int, float, str)):
            return value
        raise TypeError(f"{key}: is {type(value).__name__}; give a number, a text or an expression, or a list of them")

    def optional(self, key: str, value: Any) -> Any:
        """The same; None where nothing is given."""
        return None if value is None else self.entry(key, value)

    def matrix(self, key: str, value: Any) -> Any:
        """Rows with texts in them stay rows; numbers, dense or sparse, are passed on as they are."""
        if value is None:
            return None
        if isinstance(value, (list, tuple)) and not _is_numeric(value):
            return self.entry(key, value)
        if np.ndim(value) == 0 and not hasattr(value, "tocsc"):
            return self.entry(key, value)
        return self._document.add_matrix(value, key)

    def square(self, key: str, value: Any, scope: Scope, n: int) -> Any:
        """A mass, damping or stiffness: a number, a diagonal, a matrix or, for a mass, a function of (q)."""
        if callable(value):
            return self.function(key, value, scope.of("q"), (n, n))
        if hasattr(value, "tocsc") or (isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype != object):
            return self.matrix(key, value)
        return None if value is None else self.entry(key, value, scope.offsets)

    def rows(self, key: str, y: Any, scope: Scope, C: Any, D: Any, e: Any, law: Any) -> int:
        """The number of rows of an interaction."""
        if isinstance(law, (list, tuple)):
            return len(law)
        for matrix in (C, D):
            if matrix is not None:
                return np.shape(matrix)[0] if np.ndim(matrix) or hasattr(matrix, "tocsc") else 1
        for function in (y, e):
            if callable(function):
                return self._called_rows(f"{key}.y", function, scope)
            if function is not None:
                return len(function) if isinstance(function, (list, tuple, np.ndarray)) else 1
        return 1

    def _called_rows(self, key: str, function: Callable[..., Any], scope: Scope) -> int:
        """How many entries a function of (x, lambda, t) returns, which depends on how many it gets."""
        count = 1
        for _ in range(2):
            scope.values["lambda"] = np.zeros(count)
            found = np.size(_call(function, parameters_of(_inner(function), ("x", "lambda", "t"), key), scope))
            if found == count:
                return count
            count = found
        raise ValueError(f"{key}: the function returns {found} entries where lam has {count}; give rows")

    def function(self, key: str, value: Any, scope: Scope, shape: tuple[int, ...] | None) -> Any:
        """A function as an entry; `shape` is that of a Python function's result, None if a call must find it."""
        if value is None:
            return None
        if not callable(value):
            return self.entry(key, value, scope.offsets)
        names = parameters_of(_inner(value), scope.known, key)
        if isinstance(value, traced):
            return self.entry(key, value.function(*(scope.symbols(name) for name in names)), scope.offsets)
        if shape is None:
            shape = np.shape(_call(value, names, scope)) or (1,)
        rows, cols = (shape[0], 0) if len(shape) == 1 else shape
        jacobian = value.jacobian if isinstance(value, Function) else None
        return self._document.add_function(_inner(value), jacobian, names, rows, cols)


def _inner(function: Callable[..., Any]) -> Callable[..., Any]:
    if isinstance(function, traced):
        return function.function
    return function.value if isinstance(function, Function) else function


def _call(function: Callable[..., Any], names: Sequence[str], scope: Scope) -> Any:
    return _inner(function)(*(scope.value(name) for name in names))


def _is_numeric(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_numeric(entry) for entry in value)
    return isinstance(value, (int, float, np.ndarray, np.generic))


def text_of(key: str, value: Any) -> str:
    """The value, which must be a text."""
    if not isinstance(value, str):
        raise TypeError(f"{key}: is {type(value).__name__}; give a text")
    return value


def number_of(key: str, value: Any) -> float:
    """The value, which must be a number."""
    if isinstance(value, (bool, str)) or np.ndim(value) != 0:
        raise TypeError(f"{key}: is {type(value).__name__}; give a number")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{key}: is {type(value).__name__}; give a number") from None
    if np.isnan(number):
        raise ValueError(f"{key}: is nan; give a number")
    return number


def path_of(key: str, value: Any) -> str:
    """The value, which must be a path; a number would name an open file."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{key}: is {type(value).__name__}; give a path")
    path = os.fsdecode(value)
    if "\0" in path:
        raise ValueError(f"{key}: is {path!r}; a path has no null character")
    return path


def name_of(key: str, value: Any) -> str:
    """The value, which must be a name that can be part of the names of channels."""
    if not re.fullmatch(r"[^\s.\[\]]+", text_of(key, value)) or not value.isprintable():
        raise ValueError(f"{key}: is {value!r}; a name has no spaces, dots or brackets")
    return value
