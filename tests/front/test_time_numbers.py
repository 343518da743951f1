"""Means and quantiles of moments, times of day and differences: DuckDB's, with their ±."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from tests.support.effort import tries

SCRIPT = """
CREATE TABLE stays AS SELECT
    (i % 400)::INTEGER AS person, (i % 3)::INTEGER AS ward,
    TIMESTAMP '2024-01-01' + to_microseconds((i * 7919 + i * i * 13) % 200 * 86400000001) AS came,
    came + to_microseconds((i * 104729) % 1000 * 360000007) AS gone,
    CAST(came + to_seconds(i * 61) AS DATE) AS day,
    (TIME '06:00:00' + to_microseconds((i * 7907) % 1000 * 43200001)) AS clock
FROM range(1200) AS t(i)
"""
POLICY = """
unit: stays.person
budget: {eps: 1000000000}
tables:
  stays:
    access: private
    columns:
      person: {type: INTEGER, max_rows: 3}
      ward: {type: INTEGER, values: [0, 1, 2], nullable: false}
      came: {type: TIMESTAMP, bounds: [2024-01-01, 2024-12-31]}
      gone: {type: TIMESTAMP, bounds: [2024-01-01, 2024-12-31]}
      day: {type: DATE, bounds: [2024-01-01, 2024-12-31]}
      clock: {type: TIME}
"""
QUERIES = [
    "SELECT AVG(came), AVG(day), AVG(clock), AVG(gone - came) FROM stays",
    "SELECT ward, AVG(came), AVG(clock), AVG(gone - came) FROM stays GROUP BY ward ORDER BY ward",
    "SELECT AVG(clock) FILTER (ward > 0), AVG(came - gone) FILTER (WHERE ward > 0) FROM stays",
    "SELECT MIN(clock), MAX(clock), MEDIAN(clock) FROM stays",
    "SELECT QUANTILE_CONT(clock, 0.25), QUANTILE_DISC(clock, 0.9) FROM stays",
    "SELECT MIN(gone - came), MAX(gone - came), MEDIAN(gone - came) FROM stays",
    "WITH s AS (SELECT *, gone - came AS stay FROM stays) SELECT AVG(stay), MAX(stay) FROM s",
    "SELECT AVG(CASE WHEN ward = 1 THEN gone - came END) FROM stays",
    "SELECT AVG(span), MAX(span) FROM "
    "(SELECT MAX(gone) - MIN(came) AS span FROM stays GROUP BY person)",
    "SELECT AVG(longest) FROM (SELECT MAX(gone - came) AS longest FROM stays GROUP BY person)",
    "SELECT AVG(usual) FROM (SELECT AVG(came) AS usual FROM stays GROUP BY person)",
    "SELECT AVG(first), MIN(first) FROM (SELECT MIN(clock) AS first FROM stays GROUP BY person)",
    "SELECT MAX(usual) - MIN(usual) FROM (SELECT AVG(came) AS usual FROM stays GROUP BY ward)",
    "SELECT AVG(MAKE_TIMESTAMP(ward * 1000000)), AVG(EPOCH_MS(ward)) FROM stays",
    "SELECT AVG(EXTRACT(epoch FROM clock)), AVG(EPOCH(clock)) FROM stays",
    "SELECT COUNT(*) FROM (SELECT gone - came AS d FROM stays) WHERE d > INTERVAL 1 DAY",
    "SELECT AVG(d), COUNT(*) FROM (SELECT gone - came AS d FROM stays) "
    "WHERE d BETWEEN INTERVAL 0 SECOND AND INTERVAL '1 day 12 hours'",
    "SELECT COUNT(*) FROM (SELECT came - LAG(came) OVER (PARTITION BY person ORDER BY came, gone) "
    "AS gap FROM stays) WHERE gap IS NULL OR gap > INTERVAL 30 MINUTE",
    "SELECT ward, EXTRACT(epoch FROM AVG(gone - came)) / 3600 FROM stays GROUP BY ward "
    "HAVING AVG(gone - came) > INTERVAL 1 HOUR ORDER BY ward",
    "SELECT SUM(EXTRACT(day FROM d)), SUM(EXTRACT(hour FROM d)), SUM(EXTRACT(minute FROM d)) FROM "
    "(SELECT MAX(gone) - MIN(came) AS d FROM stays GROUP BY person)",
    "SELECT EXTRACT(day FROM MAX(gone - came)), EXTRACT(hour FROM MAX(came - gone)) FROM stays",
    "SELECT AVG(COALESCE(CASE WHEN ward > 0 THEN gone - came END, INTERVAL '1 month')) FROM stays",
    "SELECT AVG(gone - came) FILTER (ward = 1) - AVG(gone - came) FILTER (ward = 2) FROM stays",
    "SELECT COUNT(*) FROM stays WHERE (gone - came) - (day - came) > INTERVAL '-2 hours'",
    "SELECT MAX(d) - MIN(d) FROM (SELECT ward, AVG(gone - came) AS d FROM stays GROUP BY ward)",
    "SELECT COUNT(*) FROM (SELECT clock, AVG(clock) OVER (PARTITION BY person) AS m FROM stays) "
    "WHERE clock < m",
    "SELECT COUNT(*), AVG(d) FROM (SELECT gone - came AS d, AVG(gone - came) OVER w AS m, "
    "MAX(gone - came) OVER w AS most FROM stays WINDOW w AS (PARTITION BY person)) "
    "WHERE d > m AND most > INTERVAL 2 DAY",
    "SELECT COUNT(*) FROM (SELECT day, AVG(came) OVER (PARTITION BY person ORDER BY came, gone) "
    "AS m FROM stays) WHERE day > m",
    "SELECT ward, AVG(AVG(gone - came)) OVER () FROM stays GROUP BY ward ORDER BY ward",
    "SELECT ward, m - LAG(m) OVER (ORDER BY ward) FROM "
    "(SELECT ward, AVG(gone - came) AS m FROM stays GROUP BY ward) ORDER BY ward",
    "SELECT AVG(gap) FROM "
    "(SELECT came - LAG(came) OVER (PARTITION BY person ORDER BY came, gone) AS gap FROM stays)",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stays")
    with duckdb.connect(path / "data.duckdb") as data:
        data.execute(SCRIPT)
    (path / "policy.yaml").write_text(POLICY)
    return path


@pytest.fixture(scope="module")
def db(folder: Path) -> Iterator[dpsql.Database]:
    with dpsql.connect(folder / "data.duckdb", folder / "policy.yaml") as opened:
        yield opened


def seconds(value: Any) -> float:
    """How far a time is from the first one."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        return (value - datetime(2024, 1, 1)).total_seconds()
    if isinstance(value, time):
        return seconds(datetime.combine(datetime(2024, 1, 1), value))
    return float(value)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.one_in(3)
def test_the_answers_converge(folder: Path, db: dpsql.Database, query: str) -> None:
    with duckdb.connect() as own:
        own.execute(SCRIPT)
        expected = own.execute(query).fetchall()
    found = db.run(query, 10**6)
    assert len(found) == len(expected)
    for row, true in zip(found.rows, expected, strict=True):
        for value, exact in zip(row, true, strict=True):
            assert type(value) is type(exact)
            if exact is None:
                continue
            if type(exact) is int and "EXTRACT(day FROM MAX" not in query:
                assert value == exact
            # A millionth of a year is 32 s, of a day 0.1 s, and noise is far less; MIN and MAX are
            # some rows from the end, and these are 360 s apart.
            apart = 1500 if "MAX(" in query or "MIN(" in query else 70
            assert abs(seconds(value) - seconds(exact)) < apart, (value, exact)


def test_half_widths_are_in_seconds_and_hold(db: dpsql.Database) -> None:
    query = "SELECT AVG(came) AS came, AVG(clock) AS clock, AVG(gone - came) AS stay FROM stays"
    exact = [seconds(v) for v in db.run(query, 10**6, fresh=True).rows[0]]
    inside = [0, 0, 0]
    runs = tries(80, 200)
    for _ in range(runs):
        answer = db.run(query, 5, fresh=True)
        ((row, widths),) = zip(answer.rows, answer.intervals, strict=True)
        for i, (value, width) in enumerate(zip(row, widths, strict=True)):
            assert width is not None
            inside[i] += abs(seconds(value) - exact[i]) <= width
    # 95 % are expected: 76 of 80, or 190 of 200; fewer in one of 10^6 tests.
    assert min(inside) >= tries(63, 172), inside


def test_a_half_width_is_shown_as_a_time(db: dpsql.Database) -> None:
    text = str(
        db.run("SELECT AVG(came) AS came, AVG(gone - came) AS stay FROM stays", 1, fresh=True)
    )
    line = text.splitlines()[2]
    assert line.startswith("2024-") and line.count(" ± ") == 2 and ":" in line.rpartition("±")[2]


def test_frames_have_no_ends_of_times(db: dpsql.Database) -> None:
    table = db.run("SELECT AVG(came) AS came, AVG(ward) AS ward FROM stays", 1).to_arrow(
        intervals=True
    )
    assert table.column_names == ["came", "ward", "ward_low", "ward_high"]


def test_an_interval_with_months_is_none_of_microseconds(db: dpsql.Database) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        db.explain("SELECT AVG(AGE(gone, came)) FROM stays")
    assert caught.value.diagnostics[0].code == "DP306"


def test_what_is_clamped_are_the_moments(db: dpsql.Database) -> None:
    found = str(db.run("SELECT AVG(gone - came) AS stay FROM stays", 1))
    for column in ("gone", "came"):
        assert f"{column} is clamped to [2024-01-01, 2024-12-31]" in found
