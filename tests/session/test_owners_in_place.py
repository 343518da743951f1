"""What an owner does with data on a server: claims are counted there, exact cells are read there, a
copy is written here; and what needs the rows here says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.cli import main
from tests.session.test_states import Lake
from tests.support.on_a_server import PEOPLE, POLICY, do
from tests.support.on_spark import lend, session

COUNT = "SELECT COUNT(*) FROM visits"


@contextmanager
def on_sail(address: str, folder: Path) -> Iterator[Lake]:
    import pyarrow as pa

    made = session(address)
    try:
        lend(made, "towns", pa.table({"name": ["a", "b"]}))
        yield Lake(made, folder, "parquet")
    finally:
        made.stop()


@contextmanager
def in_place(url: str, folder: Path) -> Iterator[dpsql.Database]:
    do(url, PEOPLE)
    # A visit too many of one person, and a note that is too long: claims that nobody enforces.
    do(url, "INSERT INTO clinic.visits VALUES (2000, 7, 3, repeat('x', 30), NULL)")
    with dpsql.connect(url, POLICY, ledger=folder / "ledger", in_place=True) as db:
        yield db


def test_a_postgresql_servers_claims_are_counted_and_not_recorded(url: str, tmp_path: Path) -> None:
    with in_place(url, tmp_path) as db:
        report = db.verify()
        false = {(f.kind, f.column, f.rows) for f in report.false}
        assert false == {
            ("length", "clinic.visits.note", 1),
            ("fanout", "clinic.visits.person", 1),
        }
        assert report.unrecorded is not None and "nothing tells one state" in report.unrecorded
        assert not [*tmp_path.glob("*verified*")]
    with dpsql.connect(url, POLICY, ledger=tmp_path / "ledger", in_place=True) as db:
        assert not db.verified


def test_an_audit_of_a_postgresql_server(url: str, tmp_path: Path) -> None:
    with in_place(url, tmp_path) as db:
        [count] = audit.exact(db, "SELECT COUNT(*) FROM clinic.visits")
        assert count.values == (1000,)  # one is beyond what one person may have
        [seen] = audit.sensitivity(db, "SELECT COUNT(*) FROM clinic.visits")
        assert seen.l1 == seen.claimed_l1 == 5
        [town] = audit.sensitivity(db, "SELECT town, SUM(age) FROM people GROUP BY town")
        assert town.l0 == 1 and 90 < town.l1 <= town.claimed_l1


def test_a_copy_of_a_postgresql_server(url: str, tmp_path: Path) -> None:
    with in_place(url, tmp_path) as db:
        cuts = {cut.table: cut for cut in db.prepare(tmp_path / "copy")}
        assert cuts["clinic.visits"].rows == 1001 and cuts["clinic.visits"].kept == 1000
        spent = db.run("SELECT COUNT(*) FROM people", 1)
        assert spent.cost.eps == 1
    with dpsql.connect(tmp_path / "copy", POLICY) as copy:
        assert copy.verified and copy.budget.spent.exact.eps == 1  # it is one ledger
        assert copy.run("SELECT COUNT(*) FROM clinic.visits", 1e5).rows == ((1000,),)


def test_bytes_of_a_postgresql_server_are_copied(url: str, tmp_path: Path) -> None:
    do(url, r"CREATE TABLE t (id int PRIMARY KEY, b bytea); INSERT INTO t VALUES (1, '\xde5c7841')")
    policy = (
        "unit: t.id\nbudget: {eps: 1}\ntables: {t: {access: private, columns: {id: {}, b: {}}}}"
    )
    with dpsql.connect(url, policy, ledger=tmp_path / "ledger", in_place=True) as db:
        db.prepare(tmp_path / "copy")
    [file] = (tmp_path / "copy").glob("*.duckdb")
    with duckdb.connect(str(file), read_only=True) as made:
        assert made.execute("SELECT b FROM t").fetchall() == [(b"\xde\\xA",)]


def test_an_audit_of_sail(sail: str, tmp_path: Path) -> None:
    with on_sail(sail, tmp_path) as lake, lake.open() as db:
        [count] = audit.exact(db, COUNT)
        assert count.values == (300,)
        [seen] = audit.sensitivity(db, COUNT)
        assert seen.l1 == seen.claimed_l1 == 3


def test_a_copy_of_sail(sail: str, tmp_path: Path) -> None:
    with on_sail(sail, tmp_path) as lake:
        cuts = dpsql.prepare(lake.session, lake.policy, tmp_path / "copy", ledger=lake.ledger)
        assert [(cut.table, cut.rows, cut.kept) for cut in cuts] == [
            ("people", 100, 100),
            ("visits", 300, 300),
        ]
        with dpsql.connect(tmp_path / "copy", lake.policy) as copy:
            assert copy.verified
            assert copy.run(COUNT, 1e5).rows == ((300,),)
            [seen] = audit.sensitivity(copy, COUNT)
            assert seen.l1 == 3


def test_the_command_line(sail: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`dpsql verify` beside a ledger, and an explanation that then enforces nothing."""
    with on_sail(sail, tmp_path) as lake:
        public = tmp_path / "towns"
        lake.session.table("towns").write.parquet(str(public))
        policy = tmp_path / "policy.yaml"
        policy.write_text(
            lake.policy.replace("access: public,", f"access: public, files: {public},")
        )
        where = (sail, "--policy", str(policy), "--ledger", str(lake.ledger))
        assert main(["verify", *where]) == 4  # a bound is not kept
        said = capsys.readouterr().out
        assert "recorded: what holds is proof" in said and "FAILS  visits.cost" in said
        assert main(["run", *where, "--eps", "1", COUNT]) == 0
        capsys.readouterr()
        assert main(["explain", *where, "--sql", COUNT]) == 0
        assert "GROUP BY" not in capsys.readouterr().out
