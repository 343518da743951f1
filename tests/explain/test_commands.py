"""`dpsql explain` and `dpsql estimate`: their options, what they print, their exit codes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import dpsql
from dpsql import demo
from dpsql.cli import main

COUNT = "SELECT COUNT(*) AS n FROM orders"
WORKLOAD = f"-- eps: 0.25\n{COUNT};\nSELECT region FROM regions;\n{COUNT}\n"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command, in a folder with the demo's policy and a workload, and no data."""
    (tmp_path / "shop.yaml").write_text(demo._text("demo.yaml"))
    (tmp_path / "w.sql").write_text(WORKLOAD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DPSQL_DATABASE", raising=False)
    monkeypatch.delenv("DPSQL_POLICY", raising=False)
    dpsql.use(None)

    def ran(*words: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
        return Ran(code, *capsys.readouterr())

    return ran


POLICY = ("--policy", "shop.yaml")


# --- explain -------------------------------------------------------------------------------------


def test_explain_within(run: Run) -> None:
    ran = run("explain", *POLICY, COUNT, "--within", "100")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "  each number within ± 100 at 95 % needs ε 1.193"
    part = run("explain", *POLICY, COUNT, "--within", "0.1%", "--size", "100000")
    said = "  each number within ± 0.1 % of its size at 95 % needs ε 1.193"
    assert part.out.splitlines()[-1] == said
    named = run("explain", *POLICY, COUNT, "--within", "0.1%", "--size", "n=100000")
    assert named.out == part.out
    wide = run("explain", *POLICY, COUNT, "--within", "100", "--confidence", "0.5")
    assert "at 50 % needs ε 0.27" in wide.out


@pytest.mark.parametrize(
    "words",
    [
        ("--within", "1%"),
        ("--within", "none"),
        ("--within", "-1"),
        ("--within", "1", "--size", "0"),
        ("--within", "1%", "--size", "10", "--size", "n=10"),
        ("--within", "1", "--confidence", "1"),
    ],
)
def test_what_is_no_accuracy(run: Run, words: tuple[str, ...]) -> None:
    ran = run("explain", *POLICY, COUNT, *words)
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_a_size_of_no_column(run: Run) -> None:
    ran = run("explain", *POLICY, COUNT, "--within", "1%", "--size", "m=10")
    assert (ran.code, ran.out) == (2, "")
    assert "a size is given for m, which is no column of the answer" in ran.err


def test_explain_as_a_tree(run: Run) -> None:
    plain = run("explain", *POLICY, COUNT).out
    ran = run("explain", *POLICY, COUNT, "--tree")
    tree = str(dpsql.explain(COUNT, 1, policy=demo.policy()).tree)
    assert (ran.code, ran.out) == (0, f"{plain}\n{tree}\n")
    both = run("explain", *POLICY, COUNT, "--tree", "--sql").out
    assert both.startswith(ran.out) and "SELECT" in both.removeprefix(ran.out)


def test_explain_in_other_forms(run: Run) -> None:
    plain = json.loads(run("explain", *POLICY, COUNT, "--format", "json", "--within", "100").out)
    assert plain["ledger"]["more"] == 9
    assert plain["wanted"]["eps"] == pytest.approx(1.1924, abs=1e-3)
    page = run("explain", *POLICY, COUNT, "--format", "html").out
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")


def test_explain_tells_what_the_ledger_beside_the_data_has(run: Run) -> None:
    Path("shop.yaml").unlink()
    demo.save(".")
    left = "then ε = 9, δ = 1e-6 is left, 9 more such queries"
    assert left in run("explain", "shop.duckdb", *POLICY, COUNT).out
    assert not list(Path().glob("*ledger*"))  # none is made for what is free
    assert run("run", "shop.duckdb", *POLICY, "--eps", "7", COUNT).code == 0
    ran = run("explain", "shop.duckdb", *POLICY, COUNT)
    assert "then ε = 2, δ = 1e-6 is left, 2 more such queries" in ran.out
    assert run("explain", "shop.duckdb", *POLICY, COUNT).out == ran.out
    found = run("estimate", "w.sql", "shop.duckdb", *POLICY)
    assert "charges ε = 1.25; then ε = 1.75, δ = 1e-6 is left, 1 more such workload" in found.out


# --- estimate ------------------------------------------------------------------------------------


def test_estimate(run: Run) -> None:
    ran = run("estimate", "w.sql", *POLICY, "--eps", "0.5")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "3 queries: 2 released, 1 public, 0 rejected; 2 mechanisms, 2 different"
    assert lines[1] == "  w.sql:2:1: released, ε = 0.25"
    assert "  w.sql:4:1: released, ε = 0.5" in lines
    assert ["basic", "composition", "0.75", "0"] in map(str.split, lines)
    assert not list(Path().glob("*ledger*"))


def test_estimate_of_several_files_and_stdin(run: Run) -> None:
    Path("more.sql").write_text(f"{COUNT};\n")
    ran = run("estimate", "w.sql", "more.sql", "-", *POLICY, "--format", "json", stdin=COUNT)
    plain = json.loads(ran.out)
    places = [query["place"] for query in plain["queries"]]
    assert places == ["w.sql:2:1", "w.sql:3:1", "w.sql:4:1", "more.sql:1:1", "-:1:1"]
    assert plain["totals"]["basic"] == {"eps": 3.25, "delta": 0.0}
    assert plain["fits"] == 3


def test_a_rejected_query_leaves_the_others(run: Run) -> None:
    Path("w.sql").write_text(f"{COUNT};\nSELECT email FROM customers;\nSELEC 1;\n{COUNT};")
    ran = run("estimate", "w.sql", *POLICY)
    assert ran.code == 3
    assert "rejected DP401 at w.sql:2:8" in ran.out
    assert "rejected DP102 at w.sql:3:1" in ran.out
    assert ["basic", "composition", "2", "0"] in map(str.split, ran.out.splitlines())


def test_a_batch_in_html(run: Run) -> None:
    page = run("estimate", "w.sql", *POLICY, "--format", "html").out
    assert page.startswith("<!doctype html>") and "basic composition" in page


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("w.sql", "gone.sql"), 2, "gone.sql: No such file"),
        (("w.txt",), 2, "name files that end with .sql"),
        (("w.sql", "a", "b"), 2, "b is no file of queries"),
        (("w.sql", "--eps", "0"), 5, "ε must be positive"),
        (("bad.sql",), 5, "bad.sql:2:1: 'x' is no ε"),
    ],
)
def test_what_cannot_be_estimated(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    Path("bad.sql").write_text(f"-- eps: x\n{COUNT}")
    ran = run("estimate", *words, *POLICY)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
