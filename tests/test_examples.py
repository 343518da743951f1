"""The examples run as they stand: scripts, notebooks in a real kernel, a marimo app."""

from __future__ import annotations

import importlib.util
import json
import runpy
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tools.markdown import ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = ["marimo_shop.py", "shop.py"]
NOTEBOOKS = ["jupysql_shop.ipynb", "shop.ipynb"]


def test_each_is_tested() -> None:
    found = sorted(p.name for p in EXAMPLES.iterdir() if p.suffix in (".py", ".ipynb"))
    assert found == sorted(SCRIPTS + NOTEBOOKS)


Script = Callable[[str], str]


@pytest.fixture
def script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Script:
    """What a script prints."""
    monkeypatch.chdir(tmp_path)

    def ran(name: str) -> str:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        printed, problems = capsys.readouterr()
        assert problems == "" and not list(tmp_path.iterdir())
        return printed

    return ran


def test_the_report(script: Script) -> None:
    printed = script("shop.py")
    assert "ε = 4, δ = 1e-6 left of ε = 10" in printed
    assert "asks for ε = 5" in printed


# --- notebooks ---


@dataclass(frozen=True)
class Notebook:
    """A notebook that was executed."""

    cells: dict[str, Any]

    def shown(self, cell: str, kind: str = "text/plain") -> str:
        """The result of a cell."""
        (output,) = [o for o in self.cells[cell].outputs if o.output_type == "execute_result"]
        return str(output.data[kind])


def executed(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """A notebook, run from its first cell to its last in a kernel of its own."""
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    monkeypatch.setenv("MPLCONFIGDIR", str(folder / "matplotlib"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    read = nbformat.read(EXAMPLES / name, as_version=4)
    NotebookClient(read, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    assert {p.name for p in folder.iterdir()} <= {"ipython", "matplotlib"}
    return Notebook({cell.id: cell for cell in read.cells})


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_stored_without_outputs(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    read = json.loads(text)
    nbformat.validate(read)
    code = [cell for cell in read["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == [[]] * len(code)
    assert {cell["execution_count"] for cell in code} == {None}
    assert text == json.dumps(read, indent=1, ensure_ascii=False) + "\n"


def test_the_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = executed("shop.ipynb", tmp_path, monkeypatch)
    assert "costs ε = 0.5" in done.shown("explain", "text/html")
    assert ">web<" in done.shown("run", "text/html")
    assert "±" in done.shown("run", "text/html")
    assert done.shown("again") == "ε = 0"
    assert len(done.shown("plot", "image/png")) > 1000
    assert "category" in done.shown("magic", "text/html")
    assert done.shown("kept").strip("'") in done.shown("magic")
    (error,) = done.cells["rejected"].outputs
    assert (error.output_type, error.ename) == ("error", "Rejected")
    assert error.traceback == [f"Rejected: {error.evalue}"]
    assert error.evalue.startswith("DP401: the query returns rows of individuals\n")
    assert done.shown("budget").startswith("ε = 8.5, δ = 1e-6 left of ε = 10")


def test_jupysql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = executed("jupysql_shop.ipynb", tmp_path, monkeypatch)
    assert ">web<" in done.shown("query", "text/html")
    assert "<th>orders</th>" in done.shown("kept", "text/html")
    assert "2025" in done.shown("kept")
    assert done.shown("answer").splitlines()[-1].startswith("(3 rows, free: the answer of charge 2")
    assert "ε = 1)" in done.shown("parameter")
    assert "ε = 7.5, δ = 1e-6 left of ε = 10" in done.shown("budget")


# --- marimo ---


def marimo_app() -> Any:
    spec = importlib.util.spec_from_file_location("marimo_shop", EXAMPLES / "marimo_shop.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.app


def test_the_marimo_app_is_a_script(script: Script) -> None:
    assert script("marimo_shop.py") == ""


def test_in_the_marimo_app_only_the_button_charges() -> None:
    app = marimo_app()
    outputs, found = app.run(defs={"eps": SimpleNamespace(value=0.2)})  # the slider, moved
    assert found["explanation"].cost.exact.eps == Fraction(1, 5)
    assert found["db"].budget.spent.eps == 0
    assert "answer" not in found
    assert "Nothing is charged before you press the button: ε = 10" in str(outputs[-1])
    kept = {name: found[name] for name in ("db", "query", "eps")}
    outputs, found = app.run(defs={**kept, "ask": SimpleNamespace(value=True)})
    assert found["db"].budget.spent.exact.eps == Fraction(1, 5)
    assert found["answer"].cost.exact.eps == Fraction(1, 5)
    shown = outputs[-1].text
    assert ">web<" in shown
    assert "±" in shown
    assert "ε = 9.8" in shown
