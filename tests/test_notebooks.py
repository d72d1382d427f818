"""The notebooks among the examples run from top to bottom, and are kept without what running them left behind."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))
# https://nbformat.readthedocs.io/en/latest/format_description.html
_CELL = {"cell_type", "id", "metadata", "source"}


def cells(path: Path) -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    return list(notebook["cells"])


def test_there_is_one() -> None:
    assert [path.name for path in NOTEBOOKS] == ["sign_in.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_nothing_is_left_of_a_run(path: Path) -> None:
    found = cells(path)
    assert len({cell["id"] for cell in found}) == len(found)
    for cell in found:
        of_code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == _CELL | of_code
        assert cell["metadata"] == {}
        assert (cell.get("execution_count"), cell.get("outputs", [])) == (None, [])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_its_cells_run_in_order(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("MAILKIT_HOME", str(tmp_path))  # set by the notebook; put back after it
    shown: list[str] = []
    names: dict[str, object] = {"__name__": "__main__", "display": lambda thing: shown.append(thing._repr_html_())}
    for cell in cells(path):
        if cell["cell_type"] == "code":
            code = compile("".join(cell["source"]), f"{path.name}, {cell['id']}", "exec", dont_inherit=True)
            exec(code, names)
    assert [html.count("<a href=") for html in shown] == [1, 1]
    assert "signed in as mia@northwind.example" in capsys.readouterr().out
