"""The notebooks of the documentation: each runs, its assertions hold, and it is stored without outputs."""

import ast
import json
import traceback
import warnings
from pathlib import Path
from typing import Any

import matplotlib
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

FOLDER = Path(__file__).parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def execute(source: str, name: str, namespace: dict[str, Any]) -> None:
    """Runs a cell as Jupyter does: what its last line gives is shown, unless a semicolon ends it."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
        if not source.rstrip().endswith(";") and hasattr(value, "_repr_html_"):
            assert value._repr_html_()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]
    assert cells
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, cell in enumerate(cells, 1):
            source = "".join(cell["source"])
            name = f"{path.name}, code cell {number}"
            try:
                execute(source, name, namespace)
            except Exception:
                pytest.fail(f"{name}:\n\n{source}\n\n{traceback.format_exc(limit=-3)}", pytrace=False)
            finally:
                pyplot.close("all")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_stored_without_outputs(path: Path) -> None:
    notebook = read(path)
    assert notebook["nbformat"] == 4 and notebook["metadata"]["kernelspec"]["name"] == "python3"
    remedy = f"run scripts/notebooks --clean {path.stem}"
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}, remedy
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, remedy
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids), remedy


def test_the_index_names_every_notebook() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        assert f"({path.name})" in index and f"({path.stem}.html)" in index
