"""Private groups that look like things of one unit each: what to do about it is said."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.session.database import Database

POLICY = """
unit: people.id
budget: {{eps: 100, delta: 1e-3}}
tables:
  people: {{access: private, key: [id], columns: {{id: {{type: INTEGER}}}}}}
  visits:
    access: private
    {one_unit}
    columns:
      person: {{type: INTEGER, references: people.id, max_rows: 3}}
      visit_id: {{type: INTEGER, nullable: false}}
      town: {{type: VARCHAR}}
"""

GROUPS = "SELECT visit_id, COUNT(*) AS n FROM visits GROUP BY visit_id"
MEAN = "SELECT AVG(n) AS mean FROM (SELECT visit_id, COUNT(*) AS n FROM visits GROUP BY visit_id)"


def opened(ledger: Path, one_unit: str = "") -> Database:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people (id INTEGER PRIMARY KEY)")
    connection.execute("CREATE TABLE visits (person INTEGER, visit_id INTEGER, town VARCHAR)")
    connection.execute("INSERT INTO people SELECT * FROM range(90)")
    connection.execute("INSERT INTO visits SELECT n % 90, n // 2, 'a' FROM range(180) AS t(n)")
    return dpsql.connect(connection, POLICY.format(one_unit=one_unit), ledger=ledger)


@pytest.mark.parametrize("sql", [GROUPS, MEAN.replace("AVG(n)", "MAX(n)")])
def test_it_is_said_before_and_after(sql: str, tmp_path: Path) -> None:
    db = opened(tmp_path / "ledger")
    hint = "if each visit_id is one unit's, no group is shown"
    assert hint in str(db.explain(sql, eps=1, delta=1e-5))
    assert hint in str(db.run(sql, eps=1, delta=1e-5))


def test_other_keys_are_left_alone(tmp_path: Path) -> None:
    db = opened(tmp_path / "ledger")
    for sql in (
        "SELECT town, COUNT(*) FROM visits GROUP BY town",
        "SELECT visit_id // 10 AS k, COUNT(*) FROM visits GROUP BY k",
    ):
        assert "if each" not in str(db.explain(sql, eps=1, delta=1e-5))
    listed = "SELECT visit_id, COUNT(*) FROM visits WHERE visit_id IN (1, 2) GROUP BY visit_id"
    assert "if each" not in str(db.explain(listed, eps=1))


@pytest.mark.parametrize(
    ("one_unit", "sql"),
    [
        ("one_unit: {visit_id: [visit_id]}", MEAN),
        ("", MEAN.replace("GROUP BY visit_id", "GROUP BY visit_id, person")),
    ],
)
def test_what_it_says_is_answered(one_unit: str, sql: str, tmp_path: Path) -> None:
    db = opened(tmp_path / "ledger", one_unit)
    explained = db.explain(sql, eps=1)
    assert explained.kind == "released" and "if each" not in str(explained)
    [[mean]] = db.run(sql, eps=50).rows
    assert isinstance(mean, float) and 0.5 < mean < 2.5
