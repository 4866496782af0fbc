"""The notebooks of `docs/`: every cell runs, no output is committed, and a kernel shows what it should."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted(DOCS.glob("**/*.ipynb"))
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
FORMS = ("text/plain", "text/markdown", "text/html", "image/svg+xml")


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The code cells of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_they_are_these() -> None:
    assert [path.name for path in NOTEBOOKS] == ["first_hour.ipynb", "in_a_database.ipynb"]


@every_notebook
def test_no_output_is_committed(path: Path) -> None:
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells_of(path))


@every_notebook
def test_every_cell_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a kernel, so that it takes no time; what a cell ends in is asked for a form, too."""
    names: dict[str, Any] = {}
    for cell in cells_of(path):
        *lines, last = "".join(cell["source"]).splitlines()
        exec("\n".join(lines), names)
        shown = eval(last, names)
        assert len(repr(shown)) < 1000
    assert len(capsys.readouterr().out) < 10_000


@pytest.mark.slow
@every_notebook
def test_a_kernel_shows_what_it_should(path: Path, tmp_path: Path) -> None:
    nbformat, client = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(DOCS.parent)}}).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert shown
    assert all(len(text) < 100_000 for data in shown for text in data.values())
    if path.stem == "first_hour":
        assert {form for data in shown for form in data} == set(FORMS)
        decision = next(data for data in shown if data["text/plain"].startswith("<Decision at /: outlook"))
        assert r"\begin{aligned}" in decision["text/markdown"]
        assert "Split on outlook" in decision["text/markdown"]
