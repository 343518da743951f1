"""References of several columns: what is wrong with them is told; whose a row is, is found by all
of them; and what is found is a fact where it is tested, and enforced where it is not.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.core.emit.plans import table as sql_table
from dpsql.errors import PolicyError
from dpsql.execution.certify import facts
from dpsql.platform.engine import duckdb_open
from dpsql.platform.policy import Policy, draft, key_checks, resolve

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 1e-3}
tables:
  people: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  stays:
    access: private
    key: [ward, number]
    columns:
      ward: {type: VARCHAR}
      number: {type: INTEGER}
      person: {type: INTEGER, references: people.id, max_rows: 3}
  results:
    access: private
    references:
      - {columns: [of_ward, of_number], to: stays, key: [ward, number], max_rows: 2}
    columns:
      of_ward: {type: VARCHAR}
      of_number: {type: INTEGER}
      value: {type: INTEGER, bounds: [0, 5], nullable: false}
  wards:
    access: public
    key: [name, floor]
    columns: {name: {type: VARCHAR}, floor: {type: INTEGER}}
"""
REFERENCE = "{columns: [of_ward, of_number], to: stays, key: [ward, number], max_rows: 2}"
ROWS = """
CREATE TABLE people AS SELECT * FROM (VALUES (0), (1), (2), (3), (4), (5)) AS t(id);
CREATE TABLE stays AS SELECT * FROM (VALUES
  ('a', 1, 0), ('a', 2, 1), ('b', 1, 2), ('b', 2, 0), ('c', 9, NULL)) AS t(ward, number, person);
CREATE TABLE results AS SELECT * FROM (VALUES
  ('a', 1, 1), ('a', 1, 2), ('a', 2, 3), ('b', 1, 4), ('b', 2, 5),
  ('c', 9, 5), ('c', 1, 5), (NULL, 1, 5), ('a', NULL, 5), (NULL, NULL, 5)
  ) AS t(of_ward, of_number, value);
CREATE TABLE wards (name VARCHAR, floor INTEGER);
"""


def data(path: Path, sql: str = "") -> Path:
    """A file of those rows, changed."""
    file = path / "clinic.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute(ROWS + sql)
    return file


def policy(old: str = "", new: str = "") -> Policy:
    """The policy, changed."""
    assert old in POLICY
    return Policy.parse(POLICY.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (REFERENCE, "{columns: [of_ward], to: stays, key: [ward]}", "said of that column"),
        (f"\n      - {REFERENCE}", " stays.ward", "under columns"),
        ("key: [ward, number], max", "key: [ward], max", "a key of 2 columns, not of 1"),
        ("key: [ward, number], max", "max", "the table stays has no column of_ward"),
        ("[of_ward, of_number], to", "[of_ward, OF_WARD], to", "a column is there twice"),
        ("key: [ward, number], max", "key: [ward, Ward], max", "a column is there twice"),
        ("[of_ward, of_number], to", "[of_ward, of_numbers], to", "did you mean of_number?"),
        ("to: stays", "to: stay", "the table stay is not listed; did you mean stays?"),
        ("to: stays", "to: wards", "the table wards is public"),
        ("to: stays", "to: results", "by another row of its table"),
        (REFERENCE, f"{REFERENCE}\n      - {REFERENCE}", "another reference of several columns"),
        ("    key: [ward, number]\n", "", "(ward, number) is not the key of stays"),
        ("    key: [ward, number]\n", "    key: [ward]\n", None),
        ("    key: [ward, number]\n", "    key: [ward, person]\n", "is not the key of stays"),
        (
            "    key: [ward, number]\n",
            "    key: [ward, number, person]\n",
            "is not the key of stays",
        ),
        ("of_number: {type: INTEGER", "of_number: {type: BIGINT", None),
        ("of_number: {type: INTEGER", "of_number: {type: VARCHAR", "of_number is VARCHAR, but"),
        ("of_number: {type: INTEGER", "of_number: {type: DOUBLE", "of_number is DOUBLE, but"),
        ("value: {type", "Stays_Owner: {type", "stays_owner is the name of what it tells"),
        ("results:\n    access: private", "results:\n    access: public", "results is public"),
        (
            "unit: people.id",
            "unit: people.id per month(stays.day)",
            "unit in time by single columns",
        ),
        ("unit: people.id", "units: [people.id, stays.person]", "with several kinds of unit"),
        (
            "of_ward: {type: VARCHAR}",
            "of_ward: {type: BOOLEAN, randomized: {truth: 0.5, yes: 0.5}}",
            "a randomized column cannot be a reference",
        ),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, said: str | None) -> None:
    if said is None:
        resolve(policy(old, new), None, None)
        return
    with pytest.raises(PolicyError) as told:
        resolve(policy(old, new), None, None)
    assert said in str(told.value)


def test_floats_are_no_key() -> None:
    text = POLICY.replace("number: {type: INTEGER}", "number: {type: DOUBLE}")
    with pytest.raises(PolicyError, match="several may be equal"):
        resolve(
            Policy.parse(text.replace("number: {type: INTEGER", "number: {type: DOUBLE")),
            None,
            None,
        )


def test_a_chain_of_them_is_refused() -> None:
    more = """  notes:
    access: private
    references: [{columns: [w, n], to: results, key: [of_ward, of_number]}]
    columns: {w: {type: VARCHAR}, n: {type: INTEGER}}
"""
    text = POLICY.replace("  results:\n", "  results:\n    key: [of_ward, of_number]\n") + more
    with pytest.raises(PolicyError, match="itself is told by several columns"):
        resolve(Policy.parse(text), None, None)


def test_a_single_column_leads_on_to_what_is_looked_up(tmp_path: Path) -> None:
    more = """  notes:
    access: private
    columns: {result: {type: INTEGER, references: results.value, max_rows: 1}}
"""
    made = Policy.parse(POLICY.replace("  results:\n", "  results:\n    key: [value]\n") + more)
    file = data(
        tmp_path, "DELETE FROM results WHERE value = 5 AND (of_ward, of_number) != ('b', 2);"
    )
    with duckdb.connect(str(file)) as rows:
        rows.execute("DELETE FROM results WHERE of_ward IS NULL OR of_number IS NULL")
        rows.execute("CREATE TABLE notes AS SELECT range::INTEGER AS result FROM range(9)")
    with dpsql.connect(file, made) as db:
        assert db.run("SELECT COUNT(*) FROM notes", 1e6).rows == ((5,),)
        assert db.run("SELECT COUNT(DISTINCT stays_owner) FROM results", 1e6).rows == ((3,),)


def test_several_ways_are_told_apart_by_owner() -> None:
    more = """  trips:
    access: private
    key: [ward, number]
    columns:
      ward: {type: VARCHAR}
      number: {type: INTEGER}
      who: {type: INTEGER, references: people.id, max_rows: 9}
"""
    text = (
        POLICY.replace(
            "max_rows: 2}",
            "max_rows: 2}\n      - {columns: [of_ward, of_number], "
            "to: trips, key: [ward, number], max_rows: 7}",
        )
        + more
    )
    with pytest.raises(PolicyError, match="owner: stays_owner or owner: trips_owner"):
        resolve(Policy.parse(text), None, None)
    chosen = text.replace("  results:\n", "  results:\n    owner: Trips_Owner\n")
    table = resolve(Policy.parse(chosen), None, None).tables["results"]
    assert table.owner == "trips_owner" and table.lookup is not None
    assert table.lookup.table.name == "trips" and table.column("trips_owner").max_rows == 63  # type: ignore[union-attr]
    assert table.column("stays_owner") is None


def test_a_column_of_the_row_goes_before_what_is_looked_up() -> None:
    made = resolve(
        policy("      of_ward", "      who: {type: INTEGER, references: people.id}\n      of_ward"),
        None,
        None,
    )
    table = made.tables["results"]
    assert table.owner == "who" and table.lookup is None and table.column("stays_owner") is None
    assert set(table.one_unit) == {"stays (number, ward)"}
    assert set(made.tables["stays"].one_unit) >= {"stays (number, ward)"}


def test_ways_to_different_tables_are_no_reference() -> None:
    old = "      of_ward"
    new = "      trip: {type: INTEGER, references: trips.id}\n      of_ward"
    more = """  trips:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}, who: {type: INTEGER, references: people.id}}
"""
    with pytest.raises(PolicyError, match="lead to different tables"):
        resolve(Policy.parse(POLICY.replace(old, new, 1) + more), None, None)


def test_the_key_is_tested_when_the_data_are_opened(tmp_path: Path) -> None:
    assert [(c.table, c.columns) for c in key_checks(policy(), None)] == [
        ("people", ("id",)),
        ("stays", ("ward", "number")),
        ("wards", ("name", "floor")),
    ]
    file = data(tmp_path, "INSERT INTO stays VALUES ('a', 1, 5);")
    with pytest.raises(PolicyError, match=r"stays\.ward, number is no key"):
        dpsql.connect(file, policy())
    with duckdb.connect(str(file)) as rows:
        rows.execute("DELETE FROM stays WHERE person = 5; INSERT INTO stays VALUES ('a', NULL, 5)")
    with pytest.raises(PolicyError, match=r"stays\.ward, number is no key"):
        dpsql.connect(file, policy())


def test_and_in_each_query_where_the_data_may_change() -> None:
    with duckdb.connect() as rows:
        rows.execute(ROWS)
        with dpsql.connect(rows, policy()) as db:
            assert db.run("SELECT COUNT(*) FROM results", 1e6).rows == ((5,),)
            rows.execute("INSERT INTO stays VALUES ('a', 1, 5)")
            with pytest.raises(PolicyError, match=r"stays\.ward, number is no key"):
                db.run("SELECT COUNT(*) FROM results", 1e6)


QUERIES = {
    "SELECT COUNT(*) FROM results": ((5,),),
    "SELECT COUNT(of_ward), COUNT(of_number) FROM results": ((5, 5),),
    "SELECT SUM(value) FROM results": ((15,),),
    "SELECT COUNT(DISTINCT stays_owner) FROM results": ((3,),),
    "SELECT COUNT(*) FROM results JOIN stays ON WARD = Of_Ward AND of_number = number": ((5,),),
    "SELECT COUNT(*) FROM stays s WHERE NOT EXISTS (SELECT 1 FROM results WHERE of_ward = s.ward "
    "AND of_number = s.number AND value > 1)": ((0,),),
    "SELECT SUM(m) FROM (SELECT of_ward, of_number, MAX(value) AS m FROM results "
    "GROUP BY of_ward, of_number)": ((14,),),
}


@pytest.mark.parametrize("kind", ["file", "connection", "frames", "folder", "copy", "verified"])
def test_rows_are_of_the_unit_that_all_columns_find(kind: str, tmp_path: Path) -> None:
    file = data(tmp_path)
    with duckdb.connect(str(file)) as rows:
        frames = {t: rows.sql(f"FROM {t}").df() for t in policy().tables}
        if kind == "folder":
            (tmp_path / "folder").mkdir()
            for name in frames:
                rows.execute(f"COPY {name} TO '{tmp_path}/folder/{name}.parquet'")
    opened: object = file
    if kind == "connection":
        opened = duckdb.connect(str(file))
    elif kind == "frames":
        opened = {
            n: f.astype({"person": "Int64"}) if n == "stays" else f for n, f in frames.items()
        }
        opened |= {"results": frames["results"].astype({"of_number": "Int64"})}
    elif kind == "folder":
        opened = tmp_path / "folder"
    elif kind == "copy":
        opened = tmp_path / "copy"
        dpsql.prepare(file, policy(), tmp_path / "copy")
    elif kind == "verified":
        assert {f.column for f in dpsql.verify(file, policy()).findings if f.rows} == {
            "stays.person",
            "results.stays_owner",
        }
    text = POLICY.replace("INTEGER", "BIGINT").replace("value: {type: BIGINT, ", "value: {")
    made = Policy.parse(text) if kind == "frames" else policy()
    with dpsql.connect(opened, made, ledger=tmp_path / "ledger") as db:  # type: ignore[arg-type]
        for sql, rows_of in QUERIES.items():
            assert db.run(sql, 1e6).rows == rows_of, sql
        proven = "proven" in str(db.explain("SELECT COUNT(*) FROM results", 1))
        assert proven == (kind in ("copy", "verified"))
    if kind == "connection":
        opened.close()  # type: ignore[attr-defined]


def test_a_copy_has_the_rows_of_a_unit_alone(tmp_path: Path) -> None:
    file = data(tmp_path, "INSERT INTO results SELECT 'b', 1, 1 FROM range(20);")
    [*_, cut] = dpsql.prepare(file, policy(), tmp_path / "copy")
    assert cut.table == "results" and cut.rows == 30 and cut.kept == 4 + 6
    assert cut.reasons == {"without a unit": 5, "more than 6 rows of one stays_owner": 15}


def test_the_checker_is_told_what_may_be_null_in_the_table_itself() -> None:
    schema = resolve(policy(), None, None)
    told = facts(schema, lambda table: sql_table("main", table.name)).table("results")
    assert told is not None and told.owner == "stays_owner" and not told.owned
    assert told.lookup == (("of_ward", ("stays", "ward")), ("of_number", ("stays", "number")))
    assert told.columns["of_ward"].nullable and told.columns["stays_owner"].nullable
    seen = schema.tables["results"].column("of_ward")
    assert seen is not None and not seen.nullable  # in rows of units


def test_a_draft_has_those_that_the_database_enforces(tmp_path: Path) -> None:
    file = tmp_path / "enforced.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute(
            "CREATE TABLE people (id INTEGER PRIMARY KEY);"
            "CREATE TABLE stays (ward VARCHAR, number INTEGER,"
            " person INTEGER REFERENCES people(id), PRIMARY KEY (ward, number));"
            "CREATE TABLE results (w VARCHAR, k INTEGER, value INTEGER,"
            " FOREIGN KEY (w, k) REFERENCES stays (ward, number));"
            "CREATE TABLE notes (w VARCHAR, k INTEGER, who INTEGER REFERENCES people(id),"
            " FOREIGN KEY (w, k) REFERENCES stays (ward, number));"
        )
    engine = duckdb_open.open_file(file)
    text = draft(engine.catalog(), "people.id")
    engine.close()
    assert text.count("- {columns: [w, k], to: stays, key: [ward, number]}") == 1
    drafted = Policy.parse(text)
    with dpsql.connect(file, drafted, ledger=tmp_path / "ledger") as db:
        table = db.schema.tables["results"]
        assert table.lookup is not None and db.schema.tables["notes"].lookup is None
        assert key_checks(drafted, None) != () and db.run("SELECT COUNT(*) FROM results", 1).rows


def test_two_schemas_that_look_up_otherwise_are_two(tmp_path: Path) -> None:
    from dpsql.execution.identity import schema_digest

    swapped = policy(
        "[of_ward, of_number], to: stays, key: [ward, number]",
        "[of_number, of_ward], to: stays, key: [number, ward]",
    )
    other = policy(
        "      of_number: {type: INTEGER}",
        "      of_number: {type: INTEGER}\n      n: {type: INTEGER}",
    )
    moved = Policy.parse(
        POLICY.replace(
            "      of_number: {type: INTEGER}",
            "      of_number: {type: INTEGER}\n      n: {type: INTEGER}",
        ).replace("[of_ward, of_number], to", "[of_ward, n], to")
    )
    one, two, three = (schema_digest(resolve(p, None, None)) for p in (other, moved, swapped))
    assert len({one, two, three}) == 3


OTHER_KEYS = """
DROP TABLE stays;
CREATE TABLE stays (id INTEGER PRIMARY KEY, ward VARCHAR NOT NULL, number INTEGER NOT NULL,
  person INTEGER, UNIQUE (ward, number));
INSERT INTO stays VALUES (1, 'a', 1, 0), (2, 'a', 2, 1), (3, 'b', 1, 2), (4, 'b', 2, 0);
"""


@pytest.mark.parametrize("key", ["", "    key: [id]\n"])
def test_another_key_of_the_data_is_to_be_named(key: str, tmp_path: Path) -> None:
    # Of the keys that hold the analysis knows one: it would see a row meet many by another.
    file = data(tmp_path, OTHER_KEYS)
    with pytest.raises(PolicyError, match=r"needs `key: \[ward, number\]` at stays"):
        dpsql.connect(file, policy("    key: [ward, number]\n", key), ledger=tmp_path / "ledger")


def test_a_key_that_is_named_is_enough(tmp_path: Path) -> None:
    file = data(tmp_path, OTHER_KEYS)
    for verified in (False, True):
        if verified:
            dpsql.verify(file, policy(), ledger=tmp_path / "ledger")
        with dpsql.connect(file, policy(), ledger=tmp_path / "ledger") as db:
            for sql, rows in QUERIES.items():
                assert db.run(sql, 1e6).rows == rows, sql
            told = str(
                db.explain(
                    "SELECT COUNT(*) FROM results JOIN stays ON ward = of_ward AND "
                    "number = of_number",
                    1,
                )
            )
            assert "L1 6" in told and ("proven" in told) == verified


def test_a_draft_names_the_key_that_several_columns_lead_to(tmp_path: Path) -> None:
    file = tmp_path / "enforced.duckdb"
    with duckdb.connect(str(file)) as made:
        made.execute(
            "CREATE TABLE people (id INTEGER PRIMARY KEY);"
            "CREATE TABLE stays (id INTEGER PRIMARY KEY, ward VARCHAR NOT NULL, number INTEGER"
            " NOT NULL, person INTEGER REFERENCES people(id), UNIQUE (ward, number));"
            "CREATE TABLE results (w VARCHAR, k INTEGER, value INTEGER,"
            " FOREIGN KEY (w, k) REFERENCES stays (ward, number));"
        )
    for more, listed in (
        ("", True),
        ("CREATE TABLE notes (stay INTEGER REFERENCES stays(id))", False),
    ):
        with duckdb.connect(str(file)) as made:
            made.execute(more or "SELECT 1")
        engine = duckdb_open.open_file(file)
        drafted = Policy.parse(draft(engine.catalog(), "people.id"))
        engine.close()
        with dpsql.connect(file, drafted, ledger=tmp_path / f"ledger {listed}") as db:
            # Where two ways need two keys of it, that of the single column goes before.
            assert ("results" in db.schema.tables) == listed
            assert db.run(f"SELECT COUNT(*) FROM {'results' if listed else 'notes'}", 1).rows


def test_intervals_are_no_key() -> None:
    text = POLICY.replace("ber: {type: INTEGER}", "ber: {type: INTERVAL}")
    with pytest.raises(PolicyError, match="several may be equal"):
        resolve(Policy.parse(text), None, None)
