"""`one_unit`: what is wrong with it is told, and `verify` counts the things of several units."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.cli.claim_words import claim
from dpsql.platform.policy.resolve import resolve

POLICY = """
unit: people.id
budget: {eps: 10}
tables:
  people: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  sales:
    access: private
    one_unit: {slip: [slip], parcel: [depot, number]}
    columns:
      person: {type: INTEGER, references: people.id, max_rows: 3}
      slip: {type: INTEGER}
      depot: {type: VARCHAR}
      number: {type: INTEGER}
  lines:
    access: private
    columns:
      sale: {type: INTEGER, references: orders.id, max_rows: 2}
      slip: {type: INTEGER}
  orders:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      person: {type: INTEGER, references: people.id, max_rows: 3}
  places:
    access: public
    columns: {slip: {type: INTEGER}}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("slip: [slip],", "slip: [],", "12|expected the columns that name one slip"),
        ("[depot, number]", "[depot, Depot]", "a column is there twice"),
        ("[depot, number]", "[depot, numbers]", "no column numbers; did you mean number?"),
        (
            "  places:\n    access: public\n",
            "  places:\n    access: public\n    one_unit: {slip: [slip]}\n",
            "rows of a public table belong to no unit",
        ),
        (
            "  lines:\n    access: private\n",
            "  lines:\n    access: private\n    one_unit: {slip: [slip]}\n",
            "the table lines has no column with the unit itself",
        ),
        (
            "  orders:\n    access: private\n",
            "  orders:\n    access: private\n    one_unit: {Parcel: [id]}\n",
            "in the table sales one Parcel is named by 2 columns",
        ),
        (
            "      slip: {type: INTEGER}\n      depot",
            "      slip: {type: BOOLEAN, randomized: {truth: 0.5, yes: 0.5}}\n      depot",
            "a column is randomized, so it names nothing",
        ),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, said: str) -> None:
    assert POLICY.count(old) == 1
    with pytest.raises(dpsql.PolicyError) as caught:
        resolve(dpsql.Policy.parse(POLICY.replace(old, new)), None, None)
    assert said.split("|")[-1] in str(caught.value)
    assert "one_unit" in str(caught.value)


def test_things_of_several_kinds_of_unit_are_refused() -> None:
    text = POLICY.replace("unit: people.id", "units: [people.id, orders.id]")
    with pytest.raises(dpsql.PolicyError, match="a thing belongs to several units"):
        dpsql.Policy.parse(text)


def test_names_are_told_apart_by_nothing_but_letters() -> None:
    schema = resolve(
        dpsql.Policy.parse(POLICY.replace("slip: [slip],", "SLIP: [Slip],")), None, None
    )
    assert dict(schema.tables["sales"].one_unit) == {
        "slip": ("slip",),
        "parcel": ("depot", "number"),
    }


@pytest.mark.parametrize(
    ("table", "key", "named"),
    [
        ("sales", "depot, number", {"sales": ("depot", "number")}),
        ("sales", "Slip", {"sales": ("slip",)}),
        ("lines", "slip", {}),  # its rows do not say whose they are
    ],
)
def test_a_row_is_a_thing_that_its_untested_key_names(
    table: str, key: str, named: dict[str, tuple[str, ...]]
) -> None:
    """The keys of people and orders are on paths to the unit, so they are tested."""
    place = f"  {table}:\n    access: private\n"
    text = POLICY.replace(place, f"{place}    key: [{key}]\n")
    schema = resolve(dpsql.Policy.parse(text), None, None)
    rows = {low: found.one_unit.get(f"row of {low}") for low, found in schema.tables.items()}
    assert {low: columns for low, columns in rows.items() if columns is not None} == named


def test_an_enforced_key_is_no_claim(tmp_path: Path) -> None:
    text = POLICY.replace("    one_unit", "    key: [slip]\n    one_unit")
    found = {}
    for constraint in ("", " PRIMARY KEY"):
        data = duckdb.connect()
        data.execute("CREATE TABLE people AS SELECT i::INTEGER AS id FROM range(5) AS r(i)")
        data.execute("CREATE TABLE orders AS SELECT 1 AS id, 1 AS person LIMIT 0")
        data.execute("CREATE TABLE lines AS SELECT 1 AS sale, 1 AS slip LIMIT 0")
        data.execute("CREATE TABLE places AS SELECT 1 AS slip LIMIT 0")
        columns = f"person INTEGER, slip INTEGER{constraint}, depot VARCHAR, number INTEGER"
        data.execute(f"CREATE TABLE sales ({columns})")
        data.execute("INSERT INTO sales VALUES (1, 1, 'a', 1), (1, 2, 'a', 1), (2, 3, 'b', 1)")
        with dpsql.connect(data, text.replace("{eps: 10}", "{eps: 1000000}")) as db:
            found[constraint] = db.schema.tables["sales"].one_unit.get("row of sales")
            query = "SELECT COUNT(*) FROM sales a JOIN sales b ON a.slip = b.slip"
            assert db.run(query, 100_000).rows == ((3,),)
    assert found == {"": ("slip",), " PRIMARY KEY": None}


def opened(tmp_path: Path, rows: str) -> dpsql.Database:
    path = tmp_path / "d.duckdb"
    with duckdb.connect(str(path)) as data:
        data.execute("CREATE TABLE people AS SELECT i::INTEGER AS id FROM range(5) AS r(i)")
        data.execute("CREATE TABLE orders AS SELECT 1 AS id, 1 AS person LIMIT 0")
        data.execute("CREATE TABLE lines AS SELECT 1 AS sale, 1 AS slip LIMIT 0")
        data.execute("CREATE TABLE places AS SELECT 1 AS slip LIMIT 0")
        data.execute(
            "CREATE TABLE sales (person INTEGER, slip INTEGER, depot VARCHAR, number INTEGER)"
        )
        data.execute(f"INSERT INTO sales VALUES {rows}")
    return dpsql.connect(path, POLICY)


@pytest.mark.parametrize(
    ("rows", "slips", "parcels"),
    [
        ("(1, 1, 'a', 1), (1, 1, 'a', 2), (2, 2, 'a', 3)", 0, 0),
        ("(1, 1, 'a', 1), (2, 1, 'a', 1), (3, 2, 'a', 1), (4, 2, 'b', 1)", 2, 1),
        ("(1, NULL, 'a', NULL), (2, NULL, 'a', NULL), (NULL, 7, 'c', 1), (3, 7, 'c', 1)", 0, 0),
    ],
)
def test_verify_counts_things_of_several_units(
    tmp_path: Path, rows: str, slips: int, parcels: int
) -> None:
    with opened(tmp_path, rows) as db:
        found = {f.column: f for f in db.verify().findings if f.kind == "one_unit"}
        assert {name: f.rows for name, f in found.items()} == {"slip": slips, "parcel": parcels}
        said = "slip: each belongs to one unit" + (f"; not so for {slips}" if slips else "")
        assert claim(db.schema, found["slip"]) == said


def test_a_record_is_made_where_it_is_true_and_does_not_speak_of_it(tmp_path: Path) -> None:
    with opened(tmp_path, "(1, 1, 'a', 1), (2, 1, 'a', 1)") as db:
        assert not db.verify().clean
    with dpsql.connect(tmp_path / "d.duckdb", POLICY) as again:
        assert again.verified  # what else holds is recorded
    policy = dpsql.Policy.parse(POLICY.replace("slip: [slip], parcel: [depot, number]", ""))
    with dpsql.connect(tmp_path / "d.duckdb", policy) as db:
        assert db.verify().clean
    for known in (policy, dpsql.Policy.parse(POLICY)):
        with dpsql.connect(tmp_path / "d.duckdb", known) as again:
            assert again.verified
