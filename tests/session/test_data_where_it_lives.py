"""One policy over the same data, however they are kept: what is answered, checked and charged."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dpsql
from dpsql import audit, dbapi
from dpsql.__main__ import main
from dpsql.errors import BudgetExceeded, EngineError, InvalidArgument, PolicyError
from tests.support.effort import chosen

POLICY = """
unit: patients.id
budget: {eps: 1000, account: %s}
tables:
  patients:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, born: {type: BIGINT, bounds: [1900, 2030]}}
  visits:
    access: private
    columns:
      patient: {type: BIGINT, references: patients.id, max_rows: 5}
      ward: {type: VARCHAR, values: [A, B]}
      cost: {type: DOUBLE, bounds: [0, 100]}
"""
PATIENTS = "SELECT range AS id, 1950 + range % 50 AS born FROM range(100)"
VISITS = """SELECT range % 100 AS patient, CASE WHEN range % 2 = 0 THEN 'A' ELSE 'B' END AS ward,
range % 90 + 0.5::DOUBLE AS cost FROM range(300)"""
QUERY = "SELECT ward, COUNT(*) AS n, SUM(cost) AS cost FROM visits GROUP BY ward"
TRUE = duckdb.sql(f"{QUERY} ORDER BY ward".replace("visits", f"({VISITS})")).fetchall()
DAY = "2026-11-24"


def policy(account: str) -> str:
    return POLICY % account


def arrow() -> dict[str, Any]:
    return {
        "patients": duckdb.sql(PATIENTS).to_arrow_table(),
        "visits": duckdb.sql(VISITS).to_arrow_table(),
        "notes": pa.table({"text": ["none of the policy"]}),
    }


def _folder(folder: Path, suffix: str) -> Path:
    folder.mkdir()
    for name, sql in (("patients", PATIENTS), ("visits", VISITS)):
        kind = suffix.removesuffix(".gz").removeprefix(".").replace("jsonl", "json")
        duckdb.sql(f"COPY ({sql}) TO '{folder / name}.{kind}' (FORMAT {kind})")
        written = folder / f"{name}.{kind}"
        content = written.read_bytes()
        written.unlink()
        packed = gzip.compress(content) if suffix.endswith(".gz") else content
        (folder / f"{name}{suffix}").write_bytes(packed)
    return folder


def _hive(folder: Path) -> Path:
    _folder(folder, ".parquet")
    (folder / "visits.parquet").unlink()
    target = f"'{folder / 'visits'}' (FORMAT parquet, PARTITION_BY (ward))"
    duckdb.sql(f"COPY ({VISITS}) TO {target}")
    return folder


def _sqlite(file: Path) -> Path:
    with closing(sqlite3.connect(file)) as made:
        for name, sql in (("patients", PATIENTS), ("visits", VISITS)):
            found = duckdb.sql(sql)
            columns = ", ".join(found.columns)
            made.execute(f"CREATE TABLE {name} ({columns})")
            marks = ", ".join("?" for _ in found.columns)
            made.executemany(f"INSERT INTO {name} VALUES ({marks})", found.fetchall())
        made.commit()
    return file


MAKERS: dict[str, Callable[[Path], Any]] = {
    "arrow": lambda _: arrow(),
    "polars": lambda _: {name: pl.from_arrow(table) for name, table in arrow().items()},
    "pandas": lambda _: {
        name: frame.astype({c: object for c in frame.columns if c == "ward"})
        for name, frame in ((n, t.to_pandas()) for n, t in arrow().items())
    },
    "mixed": lambda _: {**arrow(), "visits": arrow()["visits"].to_pandas()},
    "parquet": lambda path: _folder(path / "d", ".parquet"),
    "csv": lambda path: _folder(path / "d", ".csv"),
    "csv.gz": lambda path: _folder(path / "d", ".csv.gz"),
    "jsonl.gz": lambda path: _folder(path / "d", ".jsonl.gz"),
    "hive": lambda path: _hive(path / "d"),
    "sqlite": lambda path: _sqlite(path / "d.db"),
}
IN_MEMORY = ("arrow", "polars", "pandas", "mixed")


@pytest.mark.parametrize("kind", chosen(MAKERS, "mixed", "jsonl.gz", "hive", "sqlite"))
@pytest.mark.one_in(2)
def test_each_source(tmp_path: Path, kind: str) -> None:
    data, said = MAKERS[kind](tmp_path), policy(f"each {kind}")
    with dpsql.connect(data, said) as db:
        answer = db.run(QUERY, 100)
        for row, true in zip(answer.rows, TRUE, strict=True):
            assert row[0] == true[0] and abs(row[1] - true[1]) < 2 and abs(row[2] - true[2]) < 200
        assert db.budget.remaining.eps == 900
        report = db.verify()
        assert report.clean and report.findings
        assert db.left_out == (("notes: of no table",) if kind in IN_MEMORY else ())
        before = str(db.explain(QUERY))
        audited = audit.check(db, QUERY, units=3, worlds=0, samples=0)
        assert audited.removed == 3 and all(checked.holds for checked in audited.checked)
        named = tmp_path / "ledger"
        cuts = dpsql.prepare(data, said, tmp_path / "copy", ledger=named)
        assert [cut.kept for cut in cuts] == [100, 300]
    with dpsql.connect(data, said) as db:
        assert db.verified == (kind not in IN_MEMORY)
        assert "enforced" in before and db.budget.remaining.eps == 900
    with dpsql.connect(tmp_path / "copy", said) as db:
        assert db.verified and db.run(QUERY, 100).rows[0][0] == "A"
    with dpsql.connect(data, said, ledger=named) as db:
        assert db.budget.remaining.eps == 900  # what the copy has spent


def test_frames_are_one_data_set_by_the_account_that_the_policy_names() -> None:
    def left(account: str, **more: Any) -> int:
        with dpsql.connect(arrow(), policy(account), **more) as db:
            db.run(QUERY, 300, fresh=True)
            return int(db.budget.remaining.eps)

    assert [left("one"), left("one"), left("other")] == [700, 400, 700]
    with pytest.raises(BudgetExceeded), dpsql.connect(arrow(), policy("one")) as db:
        db.run(QUERY, 500)
    with dpsql.connect(arrow(), policy("one").replace("account: one", "accountant: approx")) as db:
        assert db.budget.remaining.eps == 1000


def test_answers_over_frames_are_given_again_under_a_name_alone() -> None:
    for version, left in ((None, 800), (DAY, 900)):
        said = policy(f"again {version}")
        for _ in range(2):
            with dpsql.connect(arrow(), said, version=version) as db:
                db.run(QUERY, 100)
                budget = db.budget.remaining.eps
        assert budget == left


def test_keys_of_frames_are_checked_in_each_query() -> None:
    """Arrow's memory may be another's, who writes to it."""
    ids = np.arange(100)
    tables = {**arrow(), "patients": pa.table({"id": ids, "born": ids + 1900})}
    with dpsql.connect(tables, policy("keys")) as db:
        db.run(QUERY, 1)
        ids[1] = 0
        with pytest.raises(PolicyError, match="is no key"):
            db.run(QUERY, 1, fresh=True)


def test_other_clients_take_frames_too() -> None:
    with dbapi.connect(arrow(), policy("dbapi"), eps=100) as connection:
        cursor = connection.cursor()
        cursor.execute("SELECT COUNT(*) FROM patients")
        [row] = cursor.fetchall()
        assert abs(row[0] - 100) < 5


def test_no_data() -> None:
    for thing in (3, None, [arrow()], {"visits": "visits.parquet"}):
        with pytest.raises(InvalidArgument):
            dpsql.connect(thing, policy("x"))  # type: ignore[arg-type]
    frame = pd.DataFrame({"id": [1], "name": ["s3cr3t"]})
    for data, said in ((frame, policy("x")), ([frame], policy("x")), (policy("x"), {"t": frame})):
        with pytest.raises((InvalidArgument, PolicyError)) as caught:
            dpsql.connect(data, said)  # type: ignore[arg-type]
        assert "s3cr3t" not in str(caught.value) and caught.value.__context__ is None
    with pytest.raises(InvalidArgument, match="not by an object DataFrame"):
        dpsql.connect(frame, policy("x"))
    with pytest.raises(PolicyError, match="the data cannot be found: it has no name"):
        dpsql.connect("", policy("x"))  # of a variable that is not set; not this folder
    with pytest.raises(PolicyError, match="has no table patients"):
        dpsql.connect({"visits": arrow()["visits"]}, policy("x"))


def test_a_table_that_is_not_there_names_what_is_left_out(tmp_path: Path) -> None:
    data = _folder(tmp_path / "d", ".csv")
    (data / "visits.csv").rename(data / "visits.xlsx")
    with pytest.raises(PolicyError, match=r"no table visits; left out are visits\.xlsx: of"):
        dpsql.connect(data, policy("x"))
    with pytest.raises(PolicyError, match="no table visits; left out are notes: of no table"):
        dpsql.connect({name: t for name, t in arrow().items() if name != "visits"}, policy("x"))


# --- one budget -----------------------------------------------------------------------------------

ONE = """
unit: visits.patient
budget: {eps: 10}
tables:
  visits:
    access: private
    key: [patient]
    columns: {patient: {type: BIGINT}}
"""


@pytest.fixture
def one(tmp_path: Path) -> Path:
    (tmp_path / "d").mkdir()
    file = tmp_path / "d" / "visits.parquet"
    duckdb.sql(f"COPY (SELECT range AS patient FROM range(9)) TO '{file}'")
    return tmp_path / "d"


def test_a_file_and_its_folder_have_one_budget(one: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.parquet"
    link.symlink_to(one / "visits.parquet")
    with dpsql.connect(one, ONE) as db:
        db.run("SELECT COUNT(*) FROM visits", 4)
    with dpsql.connect(one / "visits.parquet", ONE) as db:
        assert db.budget.remaining.eps == 6
        db.run("SELECT COUNT(*) FROM visits", 5)
    with dpsql.connect(one, ONE) as db:
        assert db.budget.remaining.eps == 1
    assert not (one / "visits.parquet.dpsql-ledger").exists()
    said = ONE.replace("visits", "link")
    with dpsql.connect(link, said) as db:  # it is the same file by another name
        assert db.budget.remaining.eps == 1


def _with_a_ledger(folder: Path) -> None:
    """As `dpsql budget` may make one, and whoever names no other then connects."""
    dpsql.connect(folder, ONE, ledger=folder.with_name(f"{folder.name}.dpsql-ledger")).close()
    dpsql.connect(folder, ONE)


def test_a_folder_within_a_folder_has_its_budget(one: Path, tmp_path: Path) -> None:
    with dpsql.connect(one, ONE) as db:
        db.run("SELECT COUNT(*) FROM visits", 4)
    said = ONE.replace("access: private", "access: private\n    files: d/*.parquet", 1)
    with pytest.raises(PolicyError, match="another ledger"):
        dpsql.connect(tmp_path, said)
    (tmp_path / "x.jsonl").write_text('{"patient": 1}\n')
    with dpsql.connect(tmp_path, said.replace("d/*.parquet", "x.jsonl")) as db:  # other files
        assert db.budget.remaining.eps == 10


def test_the_folder_of_a_file_with_a_ledger_needs_it_named(one: Path) -> None:
    with dpsql.connect(one / "visits.parquet", ONE) as db:
        db.run("SELECT COUNT(*) FROM visits", 4)
    with pytest.raises(PolicyError, match="a file of it has another ledger"):
        dpsql.connect(one, ONE)
    with pytest.raises(PolicyError, match="another ledger"):
        dpsql.prepare(one, ONE, one.with_name("copy"))
    with pytest.raises(PolicyError, match="another ledger"):  # also where it has one by now
        _with_a_ledger(one)
    with dpsql.connect(one, ONE, ledger=one / "visits.parquet.dpsql-ledger") as db:
        assert db.budget.remaining.eps == 6


def test_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = _hive(tmp_path / "d")
    (data / "notes.txt").touch()
    (data / "others.csv").write_text("a\n1\n")
    assert main(["init", "d", "--unit", "patients.id", "-o", "draft.yaml"]) == 0
    said = capsys.readouterr()
    assert "left out: notes.txt: of no kind that is read" in said.err
    assert "others:" in Path("draft.yaml").read_text() and "ward:" in Path("draft.yaml").read_text()
    Path("p.yaml").write_text(policy("files"))
    assert main(["verify", "d", "--policy", "p.yaml"]) == 0
    said = capsys.readouterr()
    assert "left out: others.csv: of no table" in said.err and "recorded" in said.out
    assert main(["run", "d", "--policy", "p.yaml", "--eps", "100", QUERY]) == 0
    assert "cost ε = 100" in capsys.readouterr().err
    assert main(["prepare", "d", "--policy", "p.yaml", "--into", "copy"]) == 0
    assert main(["prepare", "d", "--policy", "p.yaml", "--into", "copy", "--refresh"]) == 0
    assert "nothing has changed" in capsys.readouterr().out
    assert main(["budget", "copy", "--policy", "p.yaml"]) == 0
    assert "100" in capsys.readouterr().out
    script = f"{QUERY};\n\\q\n"
    Path("q.sql").write_text(script)
    assert main(["repl", "d", "--policy", "p.yaml", "--eps", "1", "-f", "q.sql"]) == 0
    assert "ward" in capsys.readouterr().out
    duckdb.sql("COPY (SELECT 1 AS id) TO 'patients.parquet'")
    duckdb.sql("COPY (SELECT 1 AS id) TO 'odd.bin' (FORMAT parquet)")
    assert main(["init", "patients.parquet", "--unit", "patients.id", "-o", "-"]) == 0
    assert 'id: {type: "INTEGER"' in capsys.readouterr().out
    assert main(["init", "odd.bin", "--unit", "x.y", "-o", "-"]) != 0
    assert "it is a Parquet file; what is read is told by the name" in capsys.readouterr().err


def test_data_that_change_between_two_queries(tmp_path: Path) -> None:
    data = _folder(tmp_path / "d", ".jsonl")
    with dpsql.connect(data, policy("changed"), workers=0) as db:
        db.run(QUERY, 1)
        with (data / "visits.jsonl").open("a") as stream:
            stream.write('{"patient": 1}\n')
        with pytest.raises(EngineError, match="changed") as caught:
            db.run(QUERY, 1, fresh=True)
        assert caught.value.__cause__ is caught.value.__context__ is None
    with dpsql.connect(data, policy("changed")) as db:
        db.run(QUERY, 1, fresh=True)


def test_files_of_the_policy(tmp_path: Path) -> None:
    data = _folder(tmp_path / "d", ".csv")
    (data / "in").mkdir()
    (data / "visits.csv").rename(data / "in" / "2024.csv")
    said = policy("globs").replace("  visits:\n", '  visits:\n    files: "in/*.csv"\n')
    with dpsql.connect(data, said) as db:
        assert db.left_out == () and db.verify().clean
    dpsql.prepare(data, said, tmp_path / "copy")
    with dpsql.connect(tmp_path / "copy", said) as db:  # which has tables, and no such files
        assert db.verified
    with pytest.raises(PolicyError, match=r"visits: no file is in/\*\.json"):
        dpsql.connect(data, said.replace("*.csv", "*.json"))
    for other in (".", "", "in", "**"):
        with pytest.raises(PolicyError, match="visits: no file is"):
            dpsql.connect(data, said.replace("in/*.csv", other))
    with pytest.raises(PolicyError, match="files"):
        dpsql.connect(data, said.replace('"in/*.csv"', "3"))


def test_of_csv_one_column_is_named_at_least(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("17,s3cr3t\n18,x\n")  # without a line of names
    (tmp_path / "towns.csv").write_text("town\nGraz\n")
    said = "unit: visits\nbudget: {eps: 1}\ntables: {visits: {access: private%s}, towns: %s}"
    public = "{access: public}"  # whatever it is, it is no secret
    for work in (dpsql.connect, dpsql.verify, lambda d, p: dpsql.prepare(d, p, tmp_path / "c")):
        with pytest.raises(PolicyError, match="visits is CSV: name one of its columns") as caught:
            work(tmp_path, said % ("", public) + "\n")
        assert "s3cr3t" not in str(caught.value)
    (tmp_path / "visits.csv").write_text("id,name\n17,s3cr3t\n18,x\n")
    with dpsql.connect(tmp_path, said % (", columns: {name: {}}", public) + "\n") as db:
        assert db.run("SELECT COUNT(*) FROM towns", 1).rows == ((1,),)


@pytest.mark.parametrize("kind", ["parquet", "duckdb"])
def test_damaged_data_name_their_table(tmp_path: Path, kind: str) -> None:
    """To whoever opens them, and to their owner, whatever is done; and no value of a row."""
    said = (
        "unit: t.id\nbudget: {eps: 1}\ntables:\n  t:\n    access: private\n    key: [id]\n"
        "    columns: {id: {type: BIGINT}, name: {type: VARCHAR}}"
    )
    file = tmp_path / f"t.{kind}"
    with duckdb.connect() as con:
        ids = "CAST(hash(i) // 2 AS BIGINT) AS id"
        con.execute(
            f"CREATE TABLE t AS SELECT {ids}, 's3cr3t' || i AS name FROM range(200000) r(i)"
        )
        if kind == "parquet":
            con.execute(f"COPY t TO '{file}' (COMPRESSION uncompressed)")
        else:
            con.execute(f"ATTACH '{file}' AS x; CREATE TABLE x.t AS FROM t; DETACH x")
    whole = file.read_bytes()
    middle = len(whole) // 2  # what tells of the file is elsewhere
    torn = whole[:middle] + b"\xff" * 4000 + whole[middle + 4000 :]
    file.write_bytes(torn if kind == "duckdb" else whole.replace(b"s3cr3t77", b"\xff" * 8))
    for work in (
        lambda: dpsql.connect(file, said),
        lambda: dpsql.verify(file, said),
        lambda: dpsql.prepare(file, said, tmp_path / "copy"),
    ):
        with pytest.raises(PolicyError, match="t holds values that cannot be read") as caught:
            work()
        assert "s3cr3t" not in str(caught.value) and caught.value.__context__ is None
