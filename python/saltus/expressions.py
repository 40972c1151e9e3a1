"""Formulas that run at the speed of C++, with exact derivatives.

An expression is the result of arithmetic on symbols. It looks like Python, and is passed to the library as text:

>>> import saltus as sl
>>> sl.sin(sl.q[0]) - 2 * sl.t
sin(q[0]) - 2*t

Symbols are ``sl.x``, ``sl.lam``, ``sl.q``, ``sl.v`` (vectors, with an index) and ``sl.t``, those of a system, such as
``ball.q[0]``, and what :meth:`Model.parameter` and :meth:`Model.signal` return.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

# How tightly operators bind, as in the texts of model files; anything else binds tightest.
_LOOSEST, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _TIGHTEST = range(7)
_BINDING = {"<": _COMPARISON, "<=": _COMPARISON, ">": _COMPARISON, ">=": _COMPARISON, "==": _COMPARISON,
            "!=": _COMPARISON, "+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "^": _POWER}
# A text may be nested 256 levels deep; longer chains are cut into definitions.
_DEEPEST = 60


class Expression:
    """A formula of symbols and numbers. Made by arithmetic, not by its constructor.

    Operators are those of Python (``**`` for powers, ``%`` for the remainder in [0, b)), comparisons give conditions
    for :func:`where`. numpy's functions work too: ``np.sin(sl.q[0])``, ``A @ ball.q``.
    """

    __slots__ = ("operation", "operands")
    __array_priority__ = 1000  # numpy's arrays let the operators below answer

    operation: str
    operands: tuple[Any, ...]

    def __init__(self, operation: str, *operands: Any) -> None:
        self.operation = operation
        self.operands = operands

    def __reduce__(self) -> tuple[Any, ...]:  # with __slots__, pickle's protocols 0 and 1 would refuse it
        return Expression, (self.operation, *self.operands)

    def __repr__(self) -> str:
        return Emission({}).text(self, share=False)

    def __add__(self, other: Any) -> Expression:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Expression:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Expression:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Expression:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Expression:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Expression:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Expression:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Any) -> Expression:
        return _binary("/", other, self)

    def __pow__(self, other: Any) -> Expression:
        return _binary("^", self, other)

    def __rpow__(self, other: Any) -> Expression:
        return _binary("^", other, self)

    def __mod__(self, other: Any) -> Expression:
        return _call("mod", self, other)

    def __rmod__(self, other: Any) -> Expression:
        return _call("mod", other, self)

    def __neg__(self) -> Expression:
        return Expression("negate", self)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return _call("abs", self)

    def __lt__(self, other: Any) -> Expression:
        return _binary("<", self, other)

    def __le__(self, other: Any) -> Expression:
        return _binary("<=", self, other)

    def __gt__(self, other: Any) -> Expression:
        return _binary(">", self, other)

    def __ge__(self, other: Any) -> Expression:
        return _binary(">=", self, other)

    def __eq__(self, other: Any) -> Expression:  # type: ignore[override]
        return _binary("==", self, other)

    def __ne__(self, other: Any) -> Expression:  # type: ignore[override]
        return _binary("!=", self, other)

    __hash__ = object.__hash__

    def __and__(self, other: Any) -> Expression:
        return _call("if", self, _call("if", other, 1.0, 0.0), 0.0)

    def __or__(self, other: Any) -> Expression:
        return _call("if", self, 1.0, _call("if", other, 1.0, 0.0))

    def __invert__(self) -> Expression:
        return _call("if", self, 0.0, 1.0)

    def __bool__(self) -> bool:
        raise TypeError(f"the expression {_abbreviated(self)} has no truth value before the model runs; "
                        "use sl.where(condition, a, b), sl.minimum, sl.maximum, and & | ~ in conditions")

    def __float__(self) -> float:
        raise TypeError(f"the expression {_abbreviated(self)} has no value before the model runs; "
                        "use the functions of saltus or numpy on it (sl.sin, np.sin), not those of math")

    def __getattr__(self, name: str) -> Any:
        # numpy calls x.sin() for np.sin(x) of an object.
        function = _METHODS.get(name)
        if function is None:
            raise AttributeError(f"an expression has no '{name}'")
        return lambda *others: function(self, *others)


def _abbreviated(expression: Expression) -> str:
    text = repr(expression)
    return text if len(text) < 60 else text[:57] + "..."


def _operand(value: Any) -> Expression | float:
    if isinstance(value, Expression):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _operand(value.item())
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return float(value)
    raise TypeError(f"{type(value).__name__} cannot be part of an expression; give numbers and expressions")


def _elementwise(function: Callable[..., Any], *operands: Any) -> Any:
    """Applies the function to arrays, entry by entry."""
    arrays = np.broadcast_arrays(*(np.asarray(operand, dtype=object) for operand in operands))
    result = np.empty(arrays[0].shape, dtype=object)
    for index in np.ndindex(result.shape):
        result[index] = function(*(array[index] for array in arrays))
    return result


def _is_array(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _binary(operation: str, a: Any, b: Any) -> Any:
    if _is_array(a) or _is_array(b):
        return _elementwise(lambda x, y: _binary(operation, x, y), a, b)
    return Expression(operation, _operand(a), _operand(b))


def _call(name: str, *operands: Any) -> Any:
    if any(_is_array(operand) for operand in operands):
        return _elementwise(lambda *entries: _call(name, *entries), *operands)
    return Expression("call", name, *(_operand(operand) for operand in operands))


def _has_expression(values: Iterable[Any]) -> bool:
    return any(isinstance(value, Expression) or (_is_array(value) and _has_expression(value)) for value in values)


def _function(name: str, of_numbers: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def function(*operands: Any) -> Any:
        if _has_expression(operands):
            return _call(name, *operands)
        return of_numbers(*operands)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc} For numbers and arrays as in numpy; for expressions, an expression."
    return function


sin = _function("sin", np.sin, "Sine.")
cos = _function("cos", np.cos, "Cosine.")
tan = _function("tan", np.tan, "Tangent.")
asin = _function("asin", np.arcsin, "Inverse sine.")
acos = _function("acos", np.arccos, "Inverse cosine.")
atan = _function("atan", np.arctan, "Inverse tangent.")
atan2 = _function("atan2", np.arctan2, "The angle of the point (x, y): atan2(y, x).")
sinh = _function("sinh", np.sinh, "Hyperbolic sine.")
cosh = _function("cosh", np.cosh, "Hyperbolic cosine.")
tanh = _function("tanh", np.tanh, "Hyperbolic tangent.")
exp = _function("exp", np.exp, "Exponential.")
log = _function("log", np.log, "Natural logarithm.")
log10 = _function("log10", np.log10, "Logarithm to the base 10.")
sqrt = _function("sqrt", np.sqrt, "Square root.")
cbrt = _function("cbrt", np.cbrt, "Cube root.")
sign = _function("sign", np.sign, "-1, 0 or 1. A relay, which takes any value between at 0, is a law: see Relay.")
floor = _function("floor", np.floor, "The largest whole number that is not larger.")
ceil = _function("ceil", np.ceil, "The least whole number that is not smaller.")
hypot = _function("hypot", np.hypot, "sqrt(a^2 + b^2).")
step = _function("step", lambda x: np.where(np.asarray(x) < 0, 0.0, 1.0)[()], "0 for x < 0, else 1.")
minimum = _function("min", np.minimum, "The smaller of two.")
maximum = _function("max", np.maximum, "The larger of two.")


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition holds, else ``b``; only the branch taken is evaluated.

    >>> import saltus as sl
    >>> sl.where(sl.t < 5, 0, sl.t - 5)
    if(t < 5, 0, t - 5)
    """
    if _has_expression((condition, a, b)):
        return _call("if", condition, a, b)
    return np.where(np.asarray(condition), np.asarray(a), np.asarray(b))[()]  # lists of unequal lengths are refused


# What numpy calls on the entries of object arrays.
_METHODS: dict[str, Callable[..., Any]] = {
    "sin": sin, "cos": cos, "tan": tan, "arcsin": asin, "arccos": acos, "arctan": atan, "arctan2": atan2,
    "sinh": sinh, "cosh": cosh, "tanh": tanh, "exp": exp, "log": log, "log10": log10, "sqrt": sqrt, "cbrt": cbrt,
    "sign": sign, "floor": floor, "ceil": ceil, "hypot": hypot, "conjugate": lambda x: x,
}


class SymbolVector:
    """A vector of symbols whose length the model knows: ``sl.q[0]``, ``sl.q[1]``, ...."""

    def __init__(self, letter: str) -> None:
        self._letter = letter

    def __getitem__(self, index: int) -> Expression:
        if isinstance(index, bool) or not isinstance(index, (int, np.integer)) or index < 0:
            raise IndexError(f"{self._letter}[{index!r}]: the index is a whole number, 0 or more")
        return Expression("state", None, self._letter, int(index))

    def __iter__(self) -> NoReturn:
        raise TypeError(f"the length of {self._letter} is not known; write {self._letter}[0], {self._letter}[1], ..., "
                        "or take the symbols of a system, such as ball.q")

    def __repr__(self) -> str:
        return f"the symbols {self._letter}[0], {self._letter}[1], ..."


x = SymbolVector("x")
lam = SymbolVector("lambda")
q = SymbolVector("q")
v = SymbolVector("v")
t = Expression("name", "t")


def state_symbols(system: str | None, letter: str, size: int) -> np.ndarray:
    """The symbols of a system, or of the stacked systems if it is None, as an array of objects."""
    symbols = np.empty(size, dtype=object)
    for i in range(size):
        symbols[i] = Expression("state", system, letter, i)
    return symbols


class traced:
    """A Python function that is called once, with symbols, when the model is defined.

    What it returns becomes expressions: no Python runs in the steps, and derivatives are exact. It may use loops,
    numpy's functions and products of matrices, but no ``if`` on its arguments.

    >>> import numpy as np
    >>> import saltus as sl
    >>> m = sl.Model()
    >>> @sl.traced
    ... def pull(q, v):
    ...     return [-9.81 * np.sin(q[0]) - 0.1 * v[0]]
    >>> pendulum = m.lagrangian("pendulum", q=[1.0], mass=1.0, force=pull)
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"traced: is {type(function).__name__}; give a function")
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


class Function:
    """A Python function with its Jacobian, for the functions of a model.

    Parameters
    ----------
    value
        Called with some of the variables, by the names of its parameters: ``f(q, v, t)``, ``f(q)``.
    jacobian
        Called likewise; returns the derivatives of all entries with respect to all entries of its arguments, side by
        side.

    >>> import numpy as np
    >>> import saltus as sl
    >>> spring = sl.Function(lambda q: -q**3, jacobian=lambda q: np.diag(-3 * q**2))
    """

    def __init__(self, value: Callable[..., Any], jacobian: Callable[..., Any] | None = None) -> None:
        for name, function in (("value", value), ("jacobian", jacobian)):
            if function is not None and not callable(function):
                raise TypeError(f"Function: {name} is {type(function).__name__}; give a function")
        self.value = value
        self.jacobian = jacobian

    def __call__(self, *arguments: Any) -> Any:
        return self.value(*arguments)


def parameters_of(function: Callable[..., Any], variables: Sequence[str], key: str) -> list[str]:
    """Which variables a function wants: those its parameters name, or all if it names none of them."""
    try:
        signature = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # written in C
        return list(variables)
    parameters = [p for p in signature
                  if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    if not parameters and any(p.kind is p.VAR_POSITIONAL for p in signature):
        return list(variables)
    names = ["lambda" if p.name in ("lam", "lambda_") else p.name for p in parameters]
    if set(names) <= set(variables) and len(set(names)) == len(names):
        return names
    if len(names) == len(variables) and not set(names) & set(variables):
        return list(variables)
    known = ", ".join("lam" if variable == "lambda" else variable for variable in variables)
    raise ValueError(f"{key}: the function takes ({', '.join(p.name for p in parameters)}); "
                     f"its parameters must be some of {known}")


class Emission:
    """Writes expressions as texts. What occurs more than once, and long chains, become definitions.

    ``offsets`` says where the states of a system begin in those of the piece that is written.
    """

    def __init__(self, offsets: Mapping[str, int], first_name: int = 0) -> None:
        self.offsets = offsets
        self.definitions: list[tuple[str, str]] = []
        self._next = first_name
        self._names: dict[int, str] = {}
        self._kinds: set[bool] = set()  # of symbols: whether they are those of a system

    def text(self, root: Expression, share: bool = True) -> str:
        """The text of an expression."""
        uses = self._count_uses(root) if share else {}
        written: dict[int, tuple[str, int, int]] = {}  # the text, how tightly it binds, how deep it is
        for node in self._in_order(root):
            if id(node) in self._names:
                written[id(node)] = (self._names[id(node)], _TIGHTEST, 0)
                continue
            text, binding, depth = self._write(node, written)
            is_leaf = node.operation in ("name", "state")
            if share and not is_leaf and node is not root and (uses[id(node)] > 1 or depth >= _DEEPEST):
                name = f"_{self._next}"
                self._next += 1
                self.definitions.append((name, text))
                self._names[id(node)] = name
                text, binding, depth = name, _TIGHTEST, 0
            written[id(node)] = (text, binding, depth)
        return written[id(root)][0]

    @property
    def next_name(self) -> int:
        return self._next

    @staticmethod
    def _children(node: Expression) -> list[Expression]:
        return [operand for operand in node.operands if isinstance(operand, Expression)]

    def _count_uses(self, root: Expression) -> dict[int, int]:
        uses = {id(root): 1}
        seen = {id(root)}
        stack = [root]
        while stack:
            for child in self._children(stack.pop()):
                uses[id(child)] = uses.get(id(child), 0) + 1
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append(child)
        return uses

    def _in_order(self, root: Expression) -> list[Expression]:
        """Operands before what uses them; without recursion, since chains may be long."""
        order: list[Expression] = []
        seen: set[int] = set()
        stack = [(root, False)]
        while stack:
            node, is_ready = stack.pop()
            if is_ready:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((child, False) for child in self._children(node))
        return order

    def _write(self, node: Expression, written: Mapping[int, tuple[str, int, int]]) -> tuple[str, int, int]:
        if node.operation == "name":
            return node.operands[0], _TIGHTEST, 0
        if node.operation == "state":
            return self._state(*node.operands), _TIGHTEST, 0
        depth = 1 + max((written[id(child)][2] for child in self._children(node)), default=0)

        def operand(value: Any, binding: int) -> str:
            text, tightness = _number(value) if isinstance(value, float) else written[id(value)][:2]
            return text if tightness >= binding else f"({text})"

        if node.operation == "call":
            name, *arguments = node.operands
            return f"{name}({', '.join(operand(a, _LOOSEST) for a in arguments)})", _TIGHTEST, depth
        if node.operation == "negate":
            return "-" + operand(node.operands[0], _POWER), _SIGN, depth
        a, b = node.operands
        binding = _BINDING[node.operation]
        # From left to right; powers in parentheses wherever they could be ambiguous.
        left = operand(a, binding + 1 if binding in (_COMPARISON, _POWER) else binding)
        right = operand(b, binding + 1)
        space = " " if binding <= _SUM else ""
        return f"{left}{space}{node.operation}{space}{right}", binding, depth

    @property
    def mixes_symbols(self) -> bool:
        """Whether symbols of systems and of the piece occur."""
        return len(self._kinds) == 2

    def _state(self, system: str | None, letter: str, index: int) -> str:
        if letter != "lambda":
            self._kinds.add(system is not None)
        if system is None:
            return f"{letter}[{index}]"
        if not self.offsets:
            return f"{system}.{letter}[{index}]"
        if system not in self.offsets:
            raise ValueError(f"the expression uses {system}.{letter}[{index}], and the piece does not act on the "
                             f"system '{system}'; name the system after the piece")
        return f"{letter}[{self.offsets[system] + index}]"


def _number(value: float) -> tuple[str, int]:
    if np.isnan(value):
        raise ValueError("an expression contains NaN; give numbers")
    if np.isinf(value):
        return ("1e999" if value > 0 else "-1e999"), (_TIGHTEST if value > 0 else _SIGN)
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text, (_SIGN if value < 0 else _TIGHTEST)


def systems_in(values: Any) -> list[str]:
    """The systems whose symbols occur, in order of occurrence."""
    found: dict[str, None] = {}
    seen: set[int] = set()
    stack = [values]
    while stack:
        value = stack.pop()
        if isinstance(value, Expression):
            if id(value) in seen:
                continue
            seen.add(id(value))
            if value.operation == "state" and value.operands[0] is not None:
                found[value.operands[0]] = None
            stack.extend(reversed(value.operands))
        elif isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype == object):
            stack.extend(reversed(list(value)))
    return list(found)
