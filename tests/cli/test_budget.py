"""`dpsql budget`, as the owner types it; and what `dpsql run` says of the ledger."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import shutil
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import duckdb
import psycopg
import pytest

import dpsql
from dpsql.cli import exits, main
from tests.cli.running import Ran
from tests.support import servers

POLICY = """
unit: people.id
budget: {eps: 3, delta: 1e-6%s}
tables:
  people: {access: private, key: [id], columns: {id: {type: BIGINT}, town: {values: [a, b]}}}
"""
DATA = ("town.duckdb", "--policy", "town.yaml")
LEDGER = Path("town.duckdb.dpsql-ledger")
COUNT = "SELECT COUNT(*) AS n FROM people"
TOWNS = "SELECT town, COUNT(*) AS n FROM people GROUP BY town"
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")


@dataclass(frozen=True)
class Shell:
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Ran:
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        return Ran(code, TIME.sub("TIME", out), err)

    def run(self, sql: str, eps: str = "1", *words: str) -> Ran:
        return self("run", *DATA, "--eps", eps, "--format", "csv", *words, sql)

    def budget(self, *words: str) -> Ran:
        return self("budget", *DATA, *words)


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPSQL_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("DPSQL_DATABASE", raising=False)
    monkeypatch.delenv("DPSQL_POLICY", raising=False)
    dpsql.use(None)
    with duckdb.connect("town.duckdb") as data:
        data.execute(
            "CREATE TABLE people AS SELECT i::BIGINT AS id, ['a', 'b'][i % 2 + 1] AS town "
            "FROM range(100) AS r(i)"
        )
    write("")
    return Shell(capsys)


def write(more: str) -> None:
    """The policy, with that in its budget."""
    Path("town.yaml").write_text(POLICY % more, encoding="utf-8")


# --- what is shown -------------------------------------------------------------------------------


def test_show(shell: Shell) -> None:
    assert shell.budget() == Ran(
        0,
        "budget      ε = 3, δ = 1e-6 left of ε = 3, δ = 1e-6\n"
        "accountant  approx\n"
        "charges     none\n",
        "",
    )
    assert shell.run(COUNT, "1/2").code == 0
    assert shell.run(TOWNS, "1").code == 0
    assert shell.budget("show") == Ran(
        0,
        "budget      ε = 1.5, δ = 1e-6 left of ε = 3, δ = 1e-6\n"
        "accountant  approx\n"
        "charges     2, the last at TIME\n",
        "",
    )


def test_it_is_free_and_needs_no_query(shell: Shell) -> None:
    shell.run(COUNT)
    for action in ("show", "history", "export", "caps"):
        assert shell.budget(action).code == 0
    assert "ε = 2," in shell.budget().out


def test_history(shell: Shell) -> None:
    assert shell.budget("history").out == "nothing was charged yet\n"
    shell.run(COUNT, "1/2", "--analyst", "ann")
    shell.run(TOWNS, "1", "--analyst", "b\nob")
    found = shell.budget("history")
    first, second = [line.split("  ") for line in found.out.splitlines()[2:]]
    assert [cell.strip() for cell in first if cell][:4] == ["1", "TIME", "ann", "ε = 0.5"]
    assert [cell.strip() for cell in second if cell][:4] == ["2", "TIME", r"b\nob", "ε = 1"]
    assert "COUNT(*)" in first[-1].upper() and "TOWN" in second[-1].upper()
    last = shell.budget("history", "--limit", "1")
    assert [line.split() for line in last.out.splitlines()[2:]] == [
        found.out.split("\n")[3].split()
    ]
    assert last.err == "the last 1 of 2 lines; --limit N\n"
    assert shell.budget("history", "--limit", "2").err == ""


def test_export(shell: Shell) -> None:
    shell.run(COUNT, "1/3", "--analyst", '=1+1,"é"')
    text = shell.budget("export").out
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["analyst"] == '\'=1+1,"é"'
    assert Fraction(1, 3) <= Fraction(row["eps"]) < Fraction(1, 3) + Fraction(1, 10**19)
    (line,) = json.loads(shell.budget("export", "--format", "json").out)["history"]
    assert (line["exact"]["eps"], line["analyst"]) == ("1/3", '=1+1,"é"')
    assert line["mechanisms"] == ["laplace"]
    written = shell.budget("export", "-o", "lines.csv")
    assert (written.code, written.out, written.err) == (0, "", "wrote lines.csv\n")
    assert TIME.sub("TIME", Path("lines.csv").read_text(encoding="utf-8")) == text


def test_a_file_that_is_there_stays(shell: Shell) -> None:
    before = Path("town.duckdb").read_bytes()
    refused = shell.budget("export", "-o", "town.duckdb")
    assert refused.code == exits.POLICY
    assert refused.err == "dpsql: town.duckdb: is there already; --force overwrites it\n"
    assert Path("town.duckdb").read_bytes() == before
    Path("old.csv").write_text("old")
    assert shell.budget("export", "-o", "old.csv", "--force").code == 0
    assert Path("old.csv").read_text().startswith("number,")
    missing = shell.budget("export", "-o", "no/where.csv")
    assert (missing.code, missing.out) == (exits.POLICY, "")
    assert missing.err == "dpsql: no/where.csv: cannot be written: No such file or directory\n"


def test_plot(shell: Shell) -> None:
    shell.run(COUNT, "1/2")
    assert shell.budget("plot", "-o", "picture.png").err == "wrote picture.png\n"
    assert Path("picture.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert shell.budget("plot", "-o", "picture.pdf").code == 0
    assert Path("picture.pdf").read_bytes().startswith(b"%PDF")
    assert shell.budget("plot").code == exits.USAGE
    assert shell.budget("plot", "-o", "picture").code == exits.USAGE
    assert not Path("picture").exists()


# --- caps ----------------------------------------------------------------------------------------


def test_caps(shell: Shell) -> None:
    assert shell.budget("caps").out == "no caps: whoever asks may spend all that is left\n"
    write(', caps: {ann: {eps: 1}, team: {eps: 2, members: [ann, bob]}, "*": {eps: 0.5}}')
    assert shell.run(COUNT, "0.75", "--analyst", "ann").code == 0
    refused = shell.run(TOWNS, "0.5", "--analyst", "ann")
    assert (refused.code, refused.out) == (exits.BUDGET, "")
    assert "the cap of ann" in refused.err
    assert shell.run(TOWNS, "0.5").code == 0
    assert shell.run(TOWNS, "0.25").code == exits.OK  # the same again is free
    found = [re.split(r"  +", line) for line in shell.budget("caps").out.splitlines()[2:]]
    total = "δ = 1e-6"
    assert found == [
        ["ann", f"ε = 1, {total}", "ε = 0.75", f"ε = 0.25, {total}"],
        ["team", f"ε = 2, {total}", "ε = 0.75", f"ε = 1.25, {total}", "ann, bob"],
        ["* (nobody in particular)", f"ε = 0.5, {total}", "ε = 0.5", f"ε = 0, {total}"],
        ["* (each other analyst)", f"ε = 0.5, {total}", "ε = 0", f"ε = 0.5, {total}"],
    ]
    shown = shell.budget().out.splitlines()
    assert f"cap         ann: ε = 0.25, {total} left of ε = 1, {total}" in shown


# --- the ledger is not what it was ---------------------------------------------------------------


def test_an_older_copy_that_is_put_back(shell: Shell) -> None:
    assert shell.run(COUNT, "1/2").code == 0
    shutil.copy(LEDGER, "backup")
    assert shell.run(TOWNS, "1").code == 0
    assert "ε = 1.5," in shell.budget().out
    shutil.copy("backup", LEDGER)
    # Refused, at no cost, with what to type; also what would be free.
    for sql in (COUNT, TOWNS):
        refused = shell.run(sql, "1/4")
        assert (refused.code, refused.out) == (exits.LEDGER, "")
    command = "dpsql budget town.duckdb --policy town.yaml acknowledge"
    assert refused.err == (
        "dpsql: the ledger is damaged: it ends at line 1, but line 2 was seen; "
        f"the owner may accept that: {command}; refused\n"
    )
    # It can be looked at all the same.
    looked = shell.budget()
    assert looked.code == exits.LEDGER
    assert looked.out.startswith("budget      ε = 2.5, δ = 1e-6 left of")
    assert looked.err == refused.err
    accepted = shell(*shlex.split(command)[1:])
    assert accepted == Ran(
        0,
        "accepted, as line 3: the ledger is damaged: it ends at line 1, but line 2 was seen\n"
        "counted as spent: ε = 1, which is known of but not in it\n"
        "ε = 1.5, δ = 1e-6 left of ε = 3, δ = 1e-6\n",
        "",
    )
    # What is known to have been spent stays spent.
    assert "ε = 1.5, δ = 1e-6 left of" in shell.budget().out
    assert shell.run(COUNT + " WHERE town = 'a'", "1").code == 0
    assert "ε = 0.5," in shell.budget().out
    assert shell.run(COUNT + " WHERE town = 'b'", "0.6").code == exits.BUDGET
    assert "[acknowledged] the ledger is damaged: it ends at" in shell.budget("history").out


def test_a_ledger_that_is_gone(shell: Shell) -> None:
    shell.run(COUNT, "1")
    LEDGER.unlink()
    refused = shell.run(COUNT, "1")
    assert refused.code == exits.LEDGER
    looked = shell.budget()
    assert (looked.code, looked.err) == (exits.LEDGER, refused.err)
    assert looked.out.startswith("budget      ε = 3, δ = 1e-6 left of")
    assert not LEDGER.exists()
    assert shell.budget("acknowledge").code == 0
    assert "ε = 2, δ = 1e-6 left of" in shell.budget().out


def test_nothing_to_acknowledge(shell: Shell) -> None:
    shell.run(COUNT, "1")
    found = shell.budget("acknowledge")
    assert (found.code, found.out) == (0, "the ledger is what it was; there is nothing to accept\n")
    assert len(json.loads(shell.budget("export", "--format", "json").out)["history"]) == 1


def test_a_broken_file(shell: Shell) -> None:
    shell.run(COUNT, "1")
    LEDGER.write_bytes(b"no ledger at all" * 1000)
    found = shell.budget()
    assert (found.code, found.out) == (exits.INTERNAL, "")
    assert found.err.startswith("dpsql: the ledger is damaged")


# --- another accountant --------------------------------------------------------------------------


def test_another_accountant(shell: Shell) -> None:
    shell.run(COUNT, "0.1")
    write(", accountant: zcdp")
    refused = shell.run(TOWNS, "0.1")
    assert refused.code != 0
    assert "dpsql budget town.duckdb --policy town.yaml accountant zcdp" in refused.err
    changed = shell.budget("accountant", "zcdp")
    assert (changed.code, changed.err) == (0, "")
    assert changed.out.startswith("accountant  zcdp\n")
    assert "(accountant zcdp)" in shell.budget().out
    assert shell.run(TOWNS, "0.1").code == 0
    # The policy must say the same.
    write("")
    assert shell.budget("accountant", "rdp").code == exits.POLICY


# --- the command line ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["town.duckdb"], "town.duckdb needs its policy: --policy FILE"),
        ([*DATA, "spend"], "no action 'spend'; the actions are show, history"),
        ([*DATA, "show", "more"], "too many arguments: more"),
        ([*DATA, "accountant"], "the accountants are pure, approx, zcdp, rdp, pld"),
        ([*DATA, "accountant", "best"], "the accountants are pure, approx, zcdp, rdp, pld"),
        ([*DATA, "--limit", "3"], "--limit is for history"),
        ([*DATA, "history", "--limit", "0"], "'0' is no number above 0"),
        ([*DATA, "caps", "--format", "csv"], "--format is for export"),
        ([*DATA, "acknowledge", "-o", "x"], "--output is for export and plot"),
        ([*DATA, "show", "--force"], "--force is for export and plot"),
        (["--policy", "town.yaml"], "--policy needs DATA"),
        (["acknowledge"], "the demo's ledger is in memory: give DATA"),
    ],
)
def test_mistakes(shell: Shell, words: list[str], message: str) -> None:
    found = shell("budget", *words)
    assert (found.code, found.out) == (exits.USAGE, "")
    assert message in found.err
    assert not LEDGER.exists()


def test_the_default_database(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shell("budget").err == "dpsql: using the embedded demo\n"
    dpsql.use(None)
    shell.run(COUNT, "1")
    monkeypatch.setenv("DPSQL_DATABASE", "town.duckdb")
    monkeypatch.setenv("DPSQL_POLICY", "town.yaml")
    found = shell("budget")
    assert found.err == "dpsql: using town.duckdb (from DPSQL_DATABASE)\n"
    assert found.out.startswith("budget      ε = 2, δ = 1e-6 left of")
    assert shell("run", "--eps", "1", "--analyst", "ann", TOWNS).code == 0
    assert shell("budget", "history").out.splitlines()[-1].split()[2] == "ann"


def test_another_ledger(shell: Shell) -> None:
    assert shell.run(COUNT, "1", "--ledger", "other").code == 0
    assert not LEDGER.exists()
    assert "ε = 2," in shell.budget("--ledger", "other").out
    assert "ε = 3, δ = 1e-6 left" in shell.budget().out


def test_repeats(shell: Shell) -> None:
    first = shell.run(COUNT, "1/2")
    assert shell.run(COUNT, "1/2").out == first.out
    assert "ε = 2.5," in shell.budget().out
    assert shell.run(COUNT, "1/2", "--fresh").code == 0
    assert "ε = 2," in shell.budget().out
    assert len(shell.budget("history").out.splitlines()) == 4


def test_idempotency_keys(shell: Shell) -> None:
    words = ("--fresh", "--idempotency-key", "k")
    first = shell.run(COUNT, "1/2", *words)
    assert shell.run(COUNT, "1/2", *words).out == first.out
    assert "ε = 2.5," in shell.budget().out


@pytest.mark.skipif(bool(servers.REASON), reason=servers.REASON)
def test_a_ledger_in_postgresql(shell: Shell) -> None:
    write(", account: town")
    with servers.postgres() as server:
        where = ("--ledger", server.format("postgres"))
        assert shell.run(COUNT, "1", *where).code == 0
        assert not LEDGER.exists()
        assert shell.budget(*where).out.startswith("budget      ε = 2, δ = 1e-6 left of")
        rows = csv.DictReader(io.StringIO(shell.budget("export", *where).out))
        assert [row["eps"] for row in rows] == ["1"]
        # The account is gone, but was seen: refused, and shown, until the owner says so.
        with psycopg.connect(where[1], autocommit=True) as connection:
            connection.execute("DROP SCHEMA dpsql CASCADE")
        refused = shell.run(COUNT, "1", *where)
        assert refused.code == exits.LEDGER
        # The URL may hold a password: it is not said again.
        assert "--ledger URL acknowledge" in refused.err and "host=" not in refused.err
        assert shell.budget(*where).err == refused.err
        assert shell.budget("acknowledge", *where).code == 0
        assert shell.budget(*where).out.startswith("budget      ε = 2, δ = 1e-6 left of")
