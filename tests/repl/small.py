"""A small database for the shell, and one whose queries take long."""

from __future__ import annotations

from pathlib import Path

import duckdb

import dpsql
from tests.support.filled import fill

POLICY = """\
unit: people.id
budget: {eps: 10, delta: 1e-6}
limits: {work_per_unit: 1000000000}  # one query here is slow
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      team: {type: VARCHAR, values: [red, blue], nullable: false}
  days:
    access: public
    rows: DAYS
    columns:
      day: {type: BIGINT}
  texts:
    access: public
    columns:
      name: {type: VARCHAR}
      body: {type: VARCHAR}
"""

COUNT = "SELECT COUNT(*) AS n FROM people"
TEAMS = "SELECT team, COUNT(*) AS n FROM people GROUP BY team"
LONG = "é;" * 1_000_000
ODD = ["a │ b", "two\nlines", "back\\nslash", "─[ row 9 ]", "\x1b[2J", "ε é 漢字", "", "NULL"]
"""What is in the public table `texts`."""

PUBLIC = "SELECT MAX(day) AS last FROM days"
SLOW = "SELECT COUNT(*) AS n FROM people p, days d WHERE (p.id * 7 + d.day) % 5 = 1"
"""Nine billion pairs, in the slow database."""

FEW, MANY = 3, 3_000_000


def connection(days: int = FEW, path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(path)
    made.execute(
        "CREATE TABLE people AS "
        "SELECT i AS id, CASE WHEN i % 3 = 0 THEN 'red' ELSE 'blue' END AS team "
        "FROM range(3000) r(i)"
    )
    made.execute("CREATE TABLE days AS SELECT i AS day FROM range(?) r(i)", [days])
    made.execute("CREATE TABLE texts (name VARCHAR, body VARCHAR)")
    rows = [("long", LONG), *(("odd", text) for text in ODD)]
    fill(made, "texts", rows)
    return made


def policy(days: int = FEW) -> str:
    return POLICY.replace("DAYS", str(days))


def database() -> dpsql.Database:
    """In memory; its answers are stored."""
    return dpsql.connect(connection(), policy(), version="1")


def files(folder: Path, days: int = FEW) -> tuple[Path, Path]:
    """The same as a DuckDB file and a policy."""
    data, declared = folder / "small.duckdb", folder / "small.yaml"
    connection(days, str(data)).close()
    declared.write_text(policy(days))
    return data, declared
