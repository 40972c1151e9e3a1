"""Every public name is described, and the examples give the results they show."""

import doctest
import importlib
import inspect
import pkgutil
from functools import cached_property

import pytest

import saltus as sl

DESCRIBED = [name for name in sl.__all__ if not name.startswith("_")]


def members_with_text(name: str) -> dict[str, object]:
    """The object of that name and, for a class, its public members."""
    thing = getattr(sl, name)
    found = {name: thing}
    if inspect.isclass(thing):
        found |= {f"{name}.{member}": value for member, value in vars(thing).items()
                  if not member.startswith("_") and (callable(value) or isinstance(value, (property, cached_property, staticmethod)))}
    return found


@pytest.mark.parametrize("name", DESCRIBED)
def test_has_a_docstring(name: str) -> None:
    for place, thing in members_with_text(name).items():
        assert (inspect.getdoc(thing) or "").strip(), f"{place} has no docstring"


@pytest.mark.parametrize("name", DESCRIBED)
def test_examples_run(name: str) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    report: list[str] = []
    for place, thing in members_with_text(name).items():
        runner.run(parser.get_doctest(inspect.getdoc(thing) or "", {}, place, place, 0), out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("name", ["saltus", *(f"saltus.{module.name}" for module in pkgutil.iter_modules(sl.__path__))])
def test_examples_of_modules_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
