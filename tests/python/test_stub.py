"""python/saltus/_saltus.pyi describes the compiled module correctly."""

import ast
import inspect
from pathlib import Path

import pytest

from saltus import _saltus

STUB = ast.parse((Path(_saltus.__file__).parent / "_saltus.pyi").read_text())
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def stub_parameters(function: ast.FunctionDef) -> list[tuple[str, object]]:
    """Names with their defaults; `inspect.Parameter.empty` where there is none, `...` where the stub does not say."""
    arguments = function.args
    defaults: list[ast.expr | None] = [None] * (len(arguments.args) - len(arguments.defaults)) + arguments.defaults
    pairs = list(zip(arguments.args, defaults)) + [("*", None)] * bool(arguments.kwonlyargs)
    pairs += list(zip(arguments.kwonlyargs, arguments.kw_defaults))
    pairs += [(arguments.kwarg, None)] if arguments.kwarg else []
    return [
        ("*" if name == "*" else name.arg, inspect.Parameter.empty if default is None else ast.literal_eval(default))
        for name, default in pairs
    ]


def module_parameters(function: object) -> list[tuple[str, object]]:
    result = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in [name for name, _ in result]:
            result.append(("*", inspect.Parameter.empty))
        result.append((parameter.name, parameter.default))
    return result


def assert_same_parameters(stub: ast.FunctionDef, function: object) -> None:
    found, wanted = stub_parameters(stub), module_parameters(function)
    assert [name for name, _ in found] == [name for name, _ in wanted]
    for (name, default), (_, true_default) in zip(found, wanted):
        assert default is ... or default == true_default, name


def test_stub_has_the_names_of_the_module() -> None:
    public = {name for name in dir(_saltus) if not name.startswith("_")}
    assert public == FUNCTIONS.keys() | CLASSES.keys()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_same_parameters(name: str) -> None:
    assert_same_parameters(FUNCTIONS[name], getattr(_saltus, name))


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_the_same_members(name: str) -> None:
    members = {node.name: node for node in CLASSES[name].body if isinstance(node, ast.FunctionDef)}
    compiled = getattr(_saltus, name)
    own = {member for member in vars(compiled) if not member.startswith("_")}
    assert own == members.keys() - {"__init__"}
    for member, node in members.items():
        is_property = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
        assert is_property == isinstance(vars(compiled)[member], property)
        if not is_property:
            assert_same_parameters(node, getattr(compiled, member))
