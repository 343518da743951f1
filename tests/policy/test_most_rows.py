"""How many rows share one value of a column, where a key of several columns proves it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.platform.engine import duckdb_open
from dpsql.platform.policy import draft

POLICY = """unit: people.id
budget: {{eps: 1e9, delta: 0.5}}
tables:
  people: {{access: private, key: [id]}}
  visits:
    access: private
    columns:
      person: {{references: people.id, nullable: false{said}}}
      n: {{}}
"""

KEYS = {
    "n TINYINT CHECK (n BETWEEN 0 AND 2), PRIMARY KEY (person, n)": (3, ["0", "1", "2"]),
    "n INTEGER CHECK (n >= 5 AND n <= 6), PRIMARY KEY (n, person)": (2, ["5", "6"]),
    "n VARCHAR CHECK (n IN ('a', 'b')), PRIMARY KEY (person, n)": (2, ["'a'", "'b'"]),
    "n DATE CHECK (n BETWEEN DATE '2024-02-28' AND DATE '2024-03-01'), PRIMARY KEY (person, n)": (
        3,
        ["DATE '2024-02-28'", "DATE '2024-02-29'", "DATE '2024-03-01'"],
    ),
    "n ENUM('a', 'b', 'c', 'd'), PRIMARY KEY (person, n)": (4, ["'a'", "'b'", "'c'", "'d'"]),
    "n INTEGER NOT NULL CHECK (n BETWEEN 0 AND 2), UNIQUE (person, n)": (3, ["0", "1", "2"]),
    "n INTEGER CHECK (n BETWEEN 0 AND 2), UNIQUE (person, n)": (None, ["NULL", "NULL", "1", "2"]),
    "n INTEGER PRIMARY KEY CHECK (n BETWEEN 0 AND 2)": (3, ["0", "1", "2"]),
    "n DOUBLE CHECK (n BETWEEN 0 AND 1), PRIMARY KEY (person, n)": (None, ["0.1", "0.2", "0.3"]),
    "n DOUBLE CHECK (n IN (0, 1)), PRIMARY KEY (person, n)": (None, ["0.0", "1"]),
    "n INTEGER CHECK (n > 0), PRIMARY KEY (person, n)": (None, ["1", "2", "3"]),
}


def opened(place: Path, columns: str, values: list[str], said: str) -> dpsql.Database:
    """A database of two people, of whom the first has as many visits as can be."""
    path = place / "clinic.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("CREATE TABLE people (id INTEGER PRIMARY KEY)")
        made.execute("INSERT INTO people VALUES (1), (2)")
        made.execute(f"CREATE TABLE visits (person INTEGER NOT NULL, {columns})")
        for value in values:
            made.execute(f"INSERT INTO visits VALUES (1, {value})")
    return dpsql.connect(path, policy=POLICY.format(said=said))


@pytest.mark.parametrize("columns", KEYS)
@pytest.mark.parametrize("more", [-1, 0, 1, None])
def test_the_other_columns_of_a_key_have_so_many_values(
    tmp_path: Path, columns: str, more: int | None
) -> None:
    most, values = KEYS[columns]
    declared = None if more is None else len(values) + more
    said = "" if declared is None else f", max_rows: {declared}"
    with opened(tmp_path, columns, values, said) as db:
        column = db.schema.tables["visits"].column("person")
        assert column is not None
        proven = most is not None and declared is not None and declared >= most
        assert column.max_rows_proven is proven
        assert column.max_rows == (most if proven else declared)
        if declared is not None:
            [counted] = audit.sensitivity(db, "SELECT COUNT(*) FROM visits")
            assert counted.claimed_l1 == column.max_rows
            assert counted.l1 == min(len(values), declared)
            assert counted.within


NOTES = """  notes:
    access: private
    columns:
      visit: {references: visits.id, nullable: false, max_rows: 3}
      code: {values: [1, 2, 5]}
"""


def test_a_key_behind_a_path_is_followed() -> None:
    """In a group by the one column of a key there is a row for each value of the other: of visits,
    as many as the unit has.
    """
    said = POLICY.format(said=", max_rows: 4")
    keyed = said.replace(
        "visits:\n    access: private", "visits:\n    access: private\n    key: [id]"
    )
    made = duckdb.connect()
    made.execute("CREATE TABLE people (id INTEGER PRIMARY KEY)")
    made.execute("INSERT INTO people VALUES (1), (2)")
    made.execute(
        "CREATE TABLE visits (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, "
        "n INTEGER NOT NULL CHECK (n BETWEEN 1 AND 4), UNIQUE (person, n))"
    )
    made.execute("INSERT INTO visits SELECT n, 1, n FROM range(1, 5) t(n)")
    made.execute(
        "CREATE TABLE notes (visit INTEGER, code INTEGER CHECK (code IN (1, 2, 5)), "
        "PRIMARY KEY (visit, code))"
    )
    made.execute("INSERT INTO notes SELECT v, c FROM range(1, 5) t(v), (VALUES (1), (2), (5)) s(c)")
    with dpsql.connect(made, keyed + NOTES) as db:
        sql = "SELECT code, COUNT(*) FROM notes GROUP BY code"
        [found] = db.explain(sql).releases
        assert (found.l0, found.l1, found.l2, found.linf) == (3, 12, pytest.approx(48**0.5), 4)
        [counted] = audit.sensitivity(db, sql)
        assert (counted.l0, counted.l1, counted.linf) == (3, 12, 4)


def test_a_draft_says_how_many(tmp_path: Path) -> None:
    columns, values = "n SMALLINT CHECK (n BETWEEN 1 AND {}), PRIMARY KEY (person, n)", ["1"]
    columns += ", FOREIGN KEY (person) REFERENCES people (id)"
    for most, note in ((100, ""), (101, "   # TODO max_rows is all that the key allows")):
        place = tmp_path / str(most)
        place.mkdir()
        with opened(place, columns.format(most), values, ""):
            pass
        with closing(duckdb_open.open_file(place / "clinic.duckdb")) as engine:
            drafted = draft(engine.catalog(), "people.id")
        [line] = [line for line in drafted.splitlines() if " person:" in line]
        assert line.endswith(f", max_rows: {most}}}{note}")
