"""The package as its users meet it."""

import re
from pathlib import Path

import saltus as sl


def test_version_is_that_of_the_project() -> None:
    text = (Path(__file__).parents[2] / "CMakeLists.txt").read_text()
    assert f"project(Saltus VERSION {sl.__version__} " in text
    assert re.fullmatch(r"\d+\.\d+\.\d+", sl.__version__)


def test_every_public_name_exists() -> None:
    for name in sl.__all__:
        assert hasattr(sl, name)
