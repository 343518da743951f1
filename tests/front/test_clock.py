"""CURRENT_DATE is a constant of the query, on the day on which it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.front import clock

POLICY = """
unit: people.id
budget: {eps: 1000000000}
tables:
  people:
    access: private
    key: [id]
    columns:
      id:   {type: BIGINT}
      day:  {type: DATE, bounds: [2026-01-01, 2026-12-31]}
      at:   {type: TIMESTAMP, bounds: [2026-01-01, 2026-12-31]}
  days:
    access: public
    columns:
      day:  {type: DATE}
"""

NOON = datetime(2026, 7, 2, 12, 30, 15, 250)


class Watch(datetime):
    """A clock that stands where it is set."""

    shown = NOON

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        assert tz is UTC
        return cls.shown.replace(tzinfo=UTC)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dpsql.Database]:
    monkeypatch.setattr(clock, "datetime", Watch)
    monkeypatch.setattr(Watch, "shown", NOON)
    connection = duckdb.connect(str(tmp_path / "data.duckdb"))
    connection.execute(
        "CREATE TABLE people AS SELECT i AS id, DATE '2026-01-01' + i::INTEGER AS day, "
        "TIMESTAMP '2026-01-01' + INTERVAL (i) DAY AS at FROM range(365) t(i)"
    )
    connection.execute("CREATE TABLE days AS SELECT DISTINCT day FROM people")
    connection.close()
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    with dpsql.connect(tmp_path / "data.duckdb", policy=tmp_path / "policy.yaml") as found:
        yield found


def one(db: dpsql.Database, sql: str, eps: float = 10**6) -> object:
    [[value]] = db.run(sql, eps=eps).rows
    return value


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("day < CURRENT_DATE", 182),
        ("day <= today()", 183),
        ("day >= CURRENT_DATE - INTERVAL 30 DAY AND day < CURRENT_DATE", 30),
        ("at < now()", 183),
        ("at < CURRENT_TIMESTAMP", 183),
        ("at < localtimestamp", 183),
        ("month(day) = month(CURRENT_DATE)", 31),
        ("date_diff('day', day, current_date) BETWEEN 0 AND 6", 7),
    ],
)
@pytest.mark.one_in(2)
def test_it_is_the_day_of_the_query(db: dpsql.Database, condition: str, expected: int) -> None:
    assert one(db, f"SELECT COUNT(*) FROM people WHERE {condition}") == expected
    assert one(db, f"SELECT COUNT(*) FROM days WHERE {condition.replace('at <', 'day <')}") == (
        expected
    )


@pytest.mark.parametrize(
    ("dialect", "condition"),
    [
        ("bigquery", "day < CURRENT_DATE()"),
        ("postgres", "day < CURRENT_DATE"),
        ("postgres", "at < CURRENT_TIMESTAMP - INTERVAL '1 day'"),
        ("redshift", "at < GETDATE() AND at < SYSDATE AND day < TRUNC(GETDATE())"),
        ("snowflake", "day < CURRENT_DATE()"),
        ("tsql", "at < GETDATE() AND day < CAST(GETDATE() AS DATE)"),
    ],
)
@pytest.mark.one_in(2)
def test_other_dialects_have_the_same_clock(
    db: dpsql.Database, dialect: str, condition: str
) -> None:
    [[n]] = db.run(f"SELECT COUNT(*) AS n FROM people WHERE {condition}", 1000, dialect=dialect)
    assert n == 182


def test_the_same_day_is_the_same_query_and_free(db: dpsql.Database) -> None:
    sql = "SELECT COUNT(*) FROM people WHERE day < CURRENT_DATE"
    first = one(db, sql, 1)
    Watch.shown = NOON.replace(hour=23)
    assert one(db, sql, 1) == first and db.budget.spent.eps == 1
    Watch.shown = NOON.replace(day=3)
    assert one(db, sql) == 183
    assert db.budget.spent.eps == 1 + 10**6


def test_another_time_is_another_query(db: dpsql.Database) -> None:
    sql = "SELECT COUNT(*) FROM people WHERE at < now()"
    assert one(db, sql) == 183
    Watch.shown = NOON.replace(month=8)
    assert one(db, sql) == 214


def test_one_query_has_one_instant(db: dpsql.Database) -> None:
    assert one(db, "SELECT COUNT(*) FROM people WHERE now() = CURRENT_TIMESTAMP") == 365
    assert one(db, "SELECT COUNT(*) FROM people WHERE CAST(now() AS DATE) = CURRENT_DATE") == 365


@pytest.mark.parametrize("sql", ["SELECT CURRENT_DATE", "SELECT MAX(CURRENT_DATE) FROM days"])
def test_public_queries_have_the_same_clock(db: dpsql.Database, sql: str) -> None:
    assert one(db, sql) == date(2026, 7, 2)
    assert db.budget.spent.eps == 0


@pytest.mark.parametrize("call", ["CURRENT_TIMESTAMP(3)", "CURRENT_TIME", "clock_timestamp()"])
def test_what_is_none_of_these_is_refused(db: dpsql.Database, call: str) -> None:
    for table in ("people", "days"):
        with pytest.raises(dpsql.Rejected) as caught:
            db.run(f"SELECT COUNT(*) FROM {table} WHERE {call} IS NOT NULL", eps=1)
        assert caught.value.code in ("DP101", "DP204")


LATE = "current_date > '2027-01-01'"


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT COUNT(*) FROM (SELECT day AS current_date FROM people) t WHERE {LATE}",
        f"SELECT COUNT(*) FROM (SELECT day AS CURRENT_DATE FROM days) t WHERE {LATE.upper()}",
        f"SELECT COUNT(*) FROM (SELECT day FROM people) t(current_date) WHERE {LATE}",
        "SELECT day < '2026-06-01' AS current_date, COUNT(*) FROM people GROUP BY current_date",
        "SELECT COUNT(*) FROM (SELECT at AS localtimestamp FROM people) WHERE localtimestamp > at",
    ],
)
def test_an_alias_of_that_name_is_no_clock(db: dpsql.Database, sql: str) -> None:
    """The engine reads the column: a constant would be another question, in silence."""
    with pytest.raises(dpsql.Rejected):
        db.run(sql, eps=1)


def test_a_column_of_that_name_is_no_clock(tmp_path: Path) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people (id BIGINT, day DATE, current_date DATE)")
    text = POLICY.replace("      at: ", "      current_date: ").replace("TIMESTAMP", "DATE")
    (tmp_path / "policy.yaml").write_text(text.partition("  days:")[0], encoding="utf-8")
    with (
        dpsql.connect(connection, policy=tmp_path / "policy.yaml") as db,
        pytest.raises(dpsql.Rejected) as caught,
    ):
        db.run("SELECT COUNT(*) FROM people WHERE day < CURRENT_DATE", eps=1)
    assert caught.value.code == "DP204"
