"""The notebooks run as they stand from beginning to end, and are kept without outputs."""

from __future__ import annotations

import json

import pytest
from places import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def outputs_of(path):
    """Run a notebook in its folder, and give the kinds of what its cells showed, and all of its text."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    return kinds, "".join(output.get("text", "") or str(output.get("data", "")) for output in shown)


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == ["compare", "own", "score"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert [cell["id"] for cell in code if cell["outputs"] or cell["execution_count"] is not None] == []


@pytest.mark.filterwarnings("default")  # of the client's own libraries
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("score", ("<caption>sdak, rule medzh-1</caption>", "52.0%", "'config': 'sdak'", "@misc{sdak2023")),
        # Of five statements two are true, and of four choice questions one has B as its answer: three of nine.
        ("own", ("ward: all checks passed", "test 9 records", "33.3%", "40.0%", "25.0%")),
        ("compare", ("care_mi: ", "-27.8", r"\begin{tabular}")),
    ],
)
def test_a_notebook_runs_to_a_table_and_a_figure(name, expected, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    kinds, text = outputs_of(FOLDER / f"{name}.ipynb")
    assert "image/png" in kinds
    assert [one for one in expected if one not in text] == []
