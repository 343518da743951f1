"""The limits of a policy hold, whoever runs the query; and what they tell is public."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.platform.engine.guard import FAILED

POLICY = {
    "unit": "people.pid",
    "budget": {"eps": 100},
    "limits": {"memory": "300MB", "public_rows": 1000},
    "tables": {
        "people": {
            "access": "private",
            "key": ["pid"],
            "columns": {"pid": {"type": "BIGINT"}, "x": {"type": "BIGINT", "bounds": [0, 9]}},
        },
        "codes": {"access": "public", "columns": {"code": {"type": "BIGINT"}}},
    },
}
# Few enough, as far as can be told beforehand.
ENDLESS = """
SELECT COUNT(*) AS n FROM codes a, codes b, (SELECT code FROM codes LIMIT 3000) c
WHERE a.code + b.code + c.code > -1
"""
Open = Callable[..., dpsql.Database]


@pytest.fixture(params=[0, 1], ids=["here", "worker"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    file = tmp_path / "data.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute("CREATE TABLE people AS SELECT i AS pid, i % 10 AS x FROM range(50) r(i)")
        made.execute("CREATE TABLE codes AS SELECT i AS code FROM range(3000) r(i)")
    databases: list[dpsql.Database] = []

    def opened(**limits: object) -> dpsql.Database:
        policy = {**POLICY, "limits": {**POLICY["limits"], **limits}}  # type: ignore[dict-item]
        databases.append(dpsql.connect(file, policy, workers=request.param))
        return databases[-1]

    yield opened
    for database in databases:
        database.close()


def test_a_public_query_without_end_is_stopped(opened: Open) -> None:
    db = opened()
    db.run("SELECT COUNT(*) AS n FROM codes", 1)
    with pytest.raises(dpsql.LimitExceeded, match="public tables only") as caught:
        db.run(ENDLESS, 1, timeout=0.5)
    assert caught.value.limit == "seconds"
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert db.run("SELECT COUNT(*) AS n FROM codes", 1).rows == ((3000,),)
    assert db.budget.spent.eps == 0


def test_a_public_value_that_cannot_be_cast(opened: Open) -> None:
    """The engine's own words stay with the owner; what to write instead is said."""
    db = opened()
    with pytest.raises(dpsql.EngineError, match="TRY_CAST") as caught:
        db.run("SELECT CAST('c' || code AS INTEGER) AS n FROM codes WHERE code = 2718", 1)
    assert "c2718" not in str(caught.value)
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    text = "SELECT TRY_CAST('c' || code AS INTEGER) AS n FROM codes WHERE code = 2718"
    assert db.run(text, 1).rows == ((None,),)


def test_the_seconds_of_the_policy_stop_it_too(opened: Open) -> None:
    with pytest.raises(dpsql.LimitExceeded):
        opened(seconds=1).run(ENDLESS, 1)


@pytest.mark.parametrize("rows", [1000, 1001])
def test_a_public_answer_has_so_many_rows(opened: Open, rows: int) -> None:
    db = opened()
    sql = f"SELECT code FROM codes WHERE code < {rows}"
    if rows == 1000:
        assert len(db.run(sql, 1).rows) == 1000
        return
    with pytest.raises(dpsql.LimitExceeded, match=r"1,000 rows of limits\.public_rows") as caught:
        db.run(sql, 1)
    assert caught.value.limit == "public_rows"
    assert caught.value.__context__ is None and caught.value.__cause__ is None


def test_rows_are_counted_while_they_are_made(opened: Open) -> None:
    """9 million rows of two columns would be a gigabyte of Python's."""
    with pytest.raises(dpsql.LimitExceeded, match="public_rows"):
        opened().run("SELECT a.code AS x, b.code AS y FROM codes a, codes b", 1)


PAIRS = """
SELECT MAX(n) AS m FROM (
  SELECT x, y, COUNT(*) AS n
  FROM (SELECT a.code * 3000 + b.code AS x, a.code AS y FROM codes a, codes b WHERE a.code < 500)
  GROUP BY x, y)
"""


def test_what_does_not_fit_into_memory_is_answered_all_the_same(opened: Open) -> None:
    assert opened(memory="50MB").run(PAIRS, 1).rows == ((1,),)


def test_a_private_query_that_is_stopped_says_nothing_and_stays_charged(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpsql.platform.engine.remote import RemoteSnapshot
    from dpsql.platform.engine.snapshot import DuckDBSnapshot

    db = opened()
    db.run("SELECT COUNT(*) AS n FROM codes", 1)
    for snapshot in (DuckDBSnapshot, RemoteSnapshot):
        rows = snapshot.rows

        def endless(
            self: object, sql: str, parameters: object = None, rows: object = rows
        ) -> object:
            sql = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b"
            return rows(self, sql)  # type: ignore[operator]

        monkeypatch.setattr(snapshot, "rows", endless)
    with pytest.raises(dpsql.EngineError) as caught:
        db.run("SELECT COUNT(*) AS n FROM people", 1, timeout=0.5)
    assert type(caught.value) is dpsql.EngineError
    assert str(caught.value) == FAILED
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert db.budget.spent.eps == 1
    monkeypatch.undo()
    assert db.run("SELECT COUNT(x) AS n FROM people", 1).rows  # another: its charge is its own
    assert db.budget.spent.eps == 2


def test_identical_questions_are_free_with_workers(opened: Open) -> None:
    db = opened()
    first = db.run("SELECT x, COUNT(*) AS n FROM people GROUP BY x", 1)
    again = db.run("SELECT x, COUNT(*) AS n FROM people GROUP BY x", 1)
    assert again.rows == first.rows and again.reused is not None


@pytest.mark.parametrize("workers", [-1, True, 1.5, "2"])
def test_what_is_no_number_of_workers(workers: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="workers"):
        dpsql.connect(tmp_path, POLICY, workers=workers)
