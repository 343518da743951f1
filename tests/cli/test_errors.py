"""The command line: what goes wrong, and with which exit code."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

import dpsql
from dpsql.cli import exits
from tests.cli.running import DATA, QUERY, Runner


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["run", *DATA, "--eps", "1", "SELECT email FROM customers"], 3, "dpsql: DP401: "),
        (["explain", *DATA, "SELECT FROM WHERE"], 3, "dpsql: DP101: "),
        (["run", *DATA, "--eps", "0", QUERY], 5, "dpsql: ε must be positive, not 0; ε = 10"),
        (["run", *DATA, "--eps", "nan", QUERY], 5, "dpsql: ε must be"),
        (["run", *DATA, "--eps", "11", QUERY], 5, "dpsql: the query asks for ε = 11; ε = 10"),
        (["run", "nothing.duckdb", "--policy", "shop.yaml", "--eps", "1", QUERY], 4, "no such"),
        (["run", "shop.duckdb", "--policy", "none.yaml", "--eps", "1", QUERY], 4, "none.yaml: "),
        (["run", *DATA, "--eps", "x", QUERY], 2, "'x' is no number"),
        (["run", *DATA, "--eps", "1/0", QUERY], 2, "'1/0' is no number"),
        (["run", *DATA, QUERY], 2, "required: --eps"),
        (["run", "--eps", "1", "shop.duckdb", QUERY], 2, "shop.duckdb needs its policy"),
        (["run", "--eps", "1", "--policy", "shop.yaml", QUERY], 2, "--policy needs DATA"),
        (["explain", "shop.duckdb", QUERY], 2, "shop.duckdb needs its policy"),
        (["run", *DATA, "--eps", "1", "SELECT", "COUNT(*)"], 2, "quote the query as one"),
        (["run", *DATA, "--eps", "1", "-f", "none.sql"], 2, "cannot read the query from none.sql"),
        (["run", *DATA, "--eps", "1", "-f", "shop.duckdb"], 2, "not UTF-8 text"),
        (["run", *DATA, "--eps", "1", "-f", "a.sql", "--format", "xml"], 2, "invalid choice"),
        (["run", *DATA, "--eps", "1", "-f", "a.sql", QUERY], 2, "the query is given twice"),
        (["run", *DATA, "--ep", "1", QUERY], 2, "--ep"),
        (["sing"], 2, "invalid choice: 'sing'"),
        ([], 2, "required: COMMAND"),
        (["demo", "--save", "."], 4, "is there already; nothing was written"),
        (["run", "--log", "/", *DATA, "--eps", "1", QUERY], 2, "cannot write the log /"),
    ],
)
def test_exit_codes(run: Runner, words: list[str], code: int, message: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_an_unexpected_error_shows_its_report_alone(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("Ms Smith")

    monkeypatch.setattr(dpsql.Database, "run", fail)
    words = ("run", "--log", "owner.log", *DATA, "--eps", "1", QUERY)
    ran = run(*words)
    assert ran.code == exits.INTERNAL
    said = r"dpsql: dpsql itself failed; what was charged stays charged; the owner's log has "
    found = re.fullmatch(said + r"report (\w{8})\n", ran.err)
    assert found is not None
    written = Path("owner.log").read_text()
    assert "Ms Smith" in written and found[1] in written
    assert Path("owner.log").stat().st_mode & 0o777 == 0o600


def test_interrupted(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dpsql.Database, "run", interrupt)
    ran = run("run", *DATA, "--eps", "1", QUERY)
    assert (ran.code, ran.out, ran.err) == (130, "", "dpsql: interrupted\n")


def test_help_and_version(run: Runner) -> None:
    assert run("--version").out == f"dpsql {version('dpsql')}\n"
    text = run("--help").out
    assert exits.HELP in text
    for command in ("demo", "init", "verify", "explain", "run", "budget"):
        assert f"    {command} " in text
        assert exits.HELP in run(command, "--help").out
    codes = {exits.OK, exits.INTERNAL, exits.USAGE, exits.REJECTED, exits.POLICY, exits.BUDGET}
    codes |= {exits.LEDGER, exits.AUDIT, exits.INTERRUPTED, exits.BROKEN_PIPE, exits.TERMINATED}
    assert {int(line.split()[0]) for line in exits.HELP.splitlines()[1:]} == codes
