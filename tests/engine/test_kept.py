"""What an engine keeps of its data is what it would find again."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.errors import EngineError
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.duckdb_open import open_file

QUERY = "SELECT u FROM visits GROUP BY u HAVING COUNT(*) > 2"
ASKED = f"WITH o AS MATERIALIZED ({QUERY}) SELECT COUNT(*), SUM(u) FROM visits JOIN o USING (u)"
POLICY = """
unit: people.id
budget: {eps: 1000}
tables:
  people: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  visits:
    access: private
    columns:
      u: {type: INTEGER, references: people.id, max_rows: 2}
      ward: {type: INTEGER, values: [1, 2]}
      days: {type: INTEGER, bounds: [0, 9]}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Twenty people, of whom the last five have five visits each, and the others two."""
    path = tmp_path / "visits.duckdb"
    with duckdb.connect(path) as made:
        made.execute("CREATE TABLE people AS SELECT i AS id FROM range(20) AS t(i)")
        made.execute(
            "CREATE TABLE visits AS SELECT i AS u, 1 + k % 2 AS ward, 9 AS days "
            "FROM range(20) AS t(i), range(5) AS n(k) WHERE k < 2 OR i >= 15"
        )
        for name in ("id", "u", "ward", "days"):
            table = "people" if name == "id" else "visits"
            made.execute(f"ALTER TABLE {table} ALTER {name} TYPE INTEGER")
    return path


@pytest.fixture
def engine(file: Path) -> Iterator[DuckDBEngine]:
    made = open_file(file)
    yield made
    made.close()


def tables(engine: DuckDBEngine) -> int:
    """How many tables it has in memory."""
    listed = "SELECT COUNT(*) FROM duckdb_tables() WHERE starts_with(database_name, 'dpsql_kept')"
    [(count,)] = engine.cursor().execute(listed).fetchall()
    assert isinstance(count, int)
    return count


def test_it_is_made_once_and_read_from_then_on(engine: DuckDBEngine) -> None:
    assert engine.keeps and tables(engine) == 0
    for _ in range(3):
        with engine.snapshot() as snapshot:
            for _ in range(2):
                assert snapshot.rows(ASKED, None, [QUERY]) == [(25, 5 * (15 + 16 + 17 + 18 + 19))]
        assert tables(engine) == 1


def test_the_statement_reads_the_table(engine: DuckDBEngine) -> None:
    cursor = engine.cursor()
    cursor.execute("BEGIN TRANSACTION READ ONLY")
    text = engine._kept.read(cursor, ASKED, [QUERY])
    assert QUERY not in text and "dpsql_kept" in text
    assert engine._kept.read(cursor, ASKED, [QUERY]) == text


def test_where_the_text_stands_twice_nothing_is_replaced(engine: DuckDBEngine) -> None:
    """A text constant of the analyst's may hold what stands in the statement."""
    twice = ASKED + f" WHERE '({QUERY})' <> ''"
    with engine.snapshot() as snapshot:
        assert snapshot.rows(twice, None, [QUERY]) == snapshot.rows(twice)
    assert tables(engine) == 0


def test_threads_that_ask_at_once(engine: DuckDBEngine) -> None:
    def ask(_: int) -> object:
        with engine.snapshot() as snapshot:
            return snapshot.rows(ASKED, None, [QUERY])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(24)))
    assert all(rows == [(25, 85 * 5)] for rows in found)


def test_one_that_is_stopped_is_made_by_the_next(engine: DuckDBEngine) -> None:
    slow = "SELECT a.u FROM visits a, visits b, visits c, visits d, visits e GROUP BY a.u"
    asked = f"WITH o AS MATERIALIZED ({slow}) SELECT COUNT(*) FROM o"
    with pytest.raises(EngineError), engine.snapshot(Deadline.after(0.05)) as snapshot:
        snapshot.rows(asked, None, [slow])
    with engine.snapshot() as snapshot:
        assert snapshot.rows(ASKED, None, [QUERY]) == [(25, 85 * 5)]


def test_a_snapshot_still_only_reads(engine: DuckDBEngine) -> None:
    with engine.snapshot() as snapshot:
        snapshot.rows(ASKED, None, [QUERY])
        with pytest.raises(duckdb.Error, match="read-only"):
            snapshot._cursor.execute(f"CREATE TABLE {engine._kept._database}.t AS SELECT 1")


def test_a_connection_whose_data_can_change_keeps_nothing(file: Path) -> None:
    with duckdb.connect(file) as connection:
        db = dpsql.connect(connection, policy=dpsql.Policy.parse(POLICY))
        assert not db._engine.keeps
        before = db.explain("SELECT SUM(days) FROM visits", 1).sql
        assert "kept_over" not in before
        db.close()


@pytest.mark.parametrize("workers", [0, 1])
def test_answers_are_the_same(file: Path, workers: int) -> None:
    """Of people over the quota two visits are kept, in their own process and in this one."""
    with dpsql.connect(file, policy=dpsql.Policy.parse(POLICY), workers=workers) as db:
        for query, expected in (
            ("SELECT SUM(days) FROM visits", 9 * 40),
            ("SELECT ward, COUNT(*) FROM visits GROUP BY ward", 40),
            ("SELECT ward, SUM(days) FROM visits GROUP BY ward", 9 * 40),
        ):
            assert "kept_over" in db.explain(query, 1).sql
            for _ in range(2):
                rows = db.run(query, 100, fresh=True).rows
                assert abs(sum(row[-1] for row in rows) - expected) < 20


@contextmanager
def instead(other: Path, here: Path) -> Iterator[None]:
    """One folder in the place of another."""
    away = here.with_name("away")
    here.rename(away)
    other.rename(here)
    try:
        yield
    finally:
        here.rename(other)
        away.rename(here)


@pytest.mark.parametrize("workers", [0, 1])
def test_nothing_is_kept_of_files_that_were_there_for_a_while(tmp_path: Path, workers: int) -> None:
    """A folder that is put back has the files that were opened, as they were."""
    here, other = (tmp_path / name for name in ("here", "other"))
    for folder, heavy in ((here, 15 + workers), (other, 20)):
        folder.mkdir()
        for name, rows in (
            ("people", "i AS id FROM range(20) AS t(i)"),
            (
                "visits",
                "CAST(i AS INTEGER) AS u, 1 AS ward, 9 AS days FROM range(20) AS t(i), range(5) "
                f"AS n(k) WHERE k < 2 OR i >= {heavy}",
            ),
        ):
            duckdb.sql(f"COPY (SELECT {rows}) TO '{folder / name}.parquet'")
    policy = dpsql.Policy.parse(POLICY.replace("id: {type: INTEGER}", "id: {type: BIGINT}"))
    with dpsql.connect(here, policy=policy, workers=workers) as db:
        table = ".".join(f'"{part}"' for part in db._engine.target("visits"))
        kept = f"SELECT u FROM {table} GROUP BY u HAVING COUNT(*) > 2"
        asked = f"WITH o AS MATERIALIZED ({kept}) SELECT COUNT(*) FROM o"
        with pytest.raises(EngineError), db._engine.snapshot() as snapshot, instead(other, here):
            snapshot.rows(asked, None, [kept])
        with db._engine.snapshot() as snapshot:
            assert list(snapshot.rows(asked, None, [kept])) == [(5 - workers,)]
