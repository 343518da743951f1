"""`dpsql audit`: what it prints, where, and its exit codes."""

from __future__ import annotations

import io
import json
import stat
import sys
from pathlib import Path

import pytest

from dpsql.cli import exits, progress
from tests.audit.test_planted import less
from tests.cli.running import DATA, Runner

QUICK = ["--worlds", "100", "--units", "6", "--samples", "400"]
QUERY = "SELECT COUNT(*) AS n FROM orders"


def test_text_page_and_exit_code(run: Runner, shop: Path) -> None:
    ran = run("audit", *DATA, *QUICK, "--html", "page.html", QUERY)
    assert ran.code == exits.OK and ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0] == f"audit of {QUERY}"
    assert "claimed" in lines[2] and lines[-1].startswith("every claim held")
    assert "removed 6 of the 10,000 units" in ran.out
    page = shop / "page.html"
    assert "<svg" in page.read_text(encoding="utf-8")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert not list(shop.glob("*ledger*"))


def test_a_file_of_queries_each_with_its_epsilon(run: Runner) -> None:
    text = f"-- eps: 0.5\n{QUERY};\nSELECT region FROM regions;\n"
    Path("queries.sql").write_text(text, encoding="utf-8")
    ran = run("audit", *DATA, *QUICK, "-f", "queries.sql", "--format", "json", "--html", "p.html")
    first, second = json.loads(ran.out)
    assert first["estimate"]["claimed_eps"] == 0.5 and first["holds"] and first["released"]
    assert second["holds"] and not second["released"]
    assert Path("p.html").read_text(encoding="utf-8").count("<!doctype html>") == 1


def test_a_claim_that_does_not_hold(
    run: Runner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dataclasses import replace

    from dpsql.session.analysis import Analysis

    true = Analysis.first_proof

    def wrong(*arguments: object) -> object:
        made = true(*arguments)  # type: ignore[arg-type]
        return replace(made, query=less("l1")(made.query))  # type: ignore[arg-type]

    monkeypatch.setattr(Analysis, "first_proof", wrong)
    ran = run("audit", *DATA, "--worlds", "600", "--units", "0", "--samples", "0", QUERY)
    assert ran.code == exits.AUDIT == 7
    assert "A CLAIM DOES NOT HOLD\n  n, L1: claimed 39, observed 40" in ran.out
    assert "INSERT INTO orders VALUES" in ran.out and "MORE THAN CLAIMED" in ran.out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--policy", "shop.yaml", QUERY], exits.USAGE, "an audit needs DATA"),
        (["shop.duckdb", QUERY], exits.USAGE, "needs its policy"),
        ([*DATA, "SELECT email FROM customers"], exits.REJECTED, "DP"),
        ([*DATA, QUERY, "--samples", "2"], exits.USAGE, "--samples 2 is out of range"),
        ([*DATA, QUERY, "--worlds", "-1"], exits.USAGE, "--worlds -1 is out of range"),
        ([*DATA, QUERY, "--confidence", "1"], exits.USAGE, "not between 0 and 1"),
        ([*DATA, QUERY, "--eps", "0", *QUICK], exits.BUDGET, "ε must be positive"),
        ([*DATA, QUERY, *QUICK, "--html", "no/such/page"], exits.USAGE, "cannot write"),
    ],
)
def test_what_is_wrong_is_said(
    run: Runner,
    words: list[str],
    code: int,
    says: str,
) -> None:
    ran = run("audit", *words)
    assert ran.code == code and says in ran.err


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("rich", [True, False])
def test_a_bar_on_a_terminal_alone(rich: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "find_spec", lambda _: rich or None)
    monkeypatch.setattr(progress, "OFTEN", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    for stream, drawn in ((_Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress.bar() as told:
            told("units removed", 3, 10)
            told("answers drawn", 4000, 0)
        assert ("units removed" in stream.getvalue() or rich) is drawn or not drawn
        assert bool(stream.getvalue()) is drawn
        assert ("30%" in stream.getvalue()) is drawn  # and how much time is left
        assert (":00 left" in stream.getvalue() or rich) is drawn or not drawn
        if drawn and not rich:  # it is wiped
            assert stream.getvalue().endswith("\r")
