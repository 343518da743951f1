"""A unit without a table of its own: a word, and the `owner` columns that hold it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.platform.policy.data_identity import identity
from dpsql.platform.policy.resolve import resolve

POLICY = """
unit: person
budget: {eps: 10}
tables:
  clicks:
    access: private
    owner: who
    key: [id]
    columns:
      id: {type: INTEGER}
      who: {type: INTEGER, max_rows: 3}
  parts:
    access: private
    columns:
      click: {type: INTEGER, references: clicks.id, max_rows: 2}
  calls:
    access: private
    owner: Caller
    columns:
      caller: {type: INTEGER, max_rows: 2}
"""


def test_each_table_leads_to_the_unit_by_its_own_column() -> None:
    schema = resolve(dpsql.Policy.parse(POLICY), None, None)
    assert schema.unit == "person"
    owners = {low: (table.owner, schema.next_owner(table)) for low, table in schema.tables.items()}
    assert owners["clicks"] == ("who", None)
    assert owners["calls"] == ("caller", None)  # the unit itself: no step to another table
    assert owners["parts"][0] == "click"
    assert str(owners["parts"][1]) == "Reference(table='clicks', column='id')"


def test_no_column_is_a_key_by_it() -> None:
    schema = resolve(dpsql.Policy.parse(POLICY), None, None)
    for table, column, rows in (("clicks", "who", 3), ("calls", "caller", 2)):
        found = schema.tables[table].column(column)
        assert found is not None
        assert (found.max_rows, found.max_rows_proven, found.nullable) == (rows, False, True)
    assert schema.tables["calls"].key == ()


def test_its_account_is_that_of_tables_of_units_alike() -> None:
    """Three tables beside one another and three that lead to the first are different data; which
    of the tables comes first is none."""
    one = resolve(dpsql.Policy.parse(POLICY), None, None)
    first, rest = POLICY.split("  clicks:", 1)
    clicks, calls = rest.split("  calls:", 1)
    turned = resolve(dpsql.Policy.parse(f"{first}  calls:{calls}  clicks:{clicks}"), None, None)
    assert turned.unit_table == "calls"
    assert identity(one, None) == identity(turned, None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    owner: Caller\n", "", "a private table without a path to the unit person"),
        ("owner: Caller", "owner: callers", "callers does not lead to the unit person"),
        ("caller: {type: INTEGER", "caller: {type: VARCHAR", "caller is VARCHAR, but clicks.who"),
        ("unit: person", "unit: parts", "where each row of parts is a unit, no other table"),
        ("unit: person", "unit: people.id", "the table people is not listed"),
        (
            "key: [id]",
            "rows: 10\n    key: [id]",
            "a private table's number of rows is public only with neighbours: replace",
        ),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, said: str) -> None:
    assert old in POLICY
    with pytest.raises(dpsql.PolicyError) as caught:
        resolve(dpsql.Policy.parse(POLICY.replace(old, new, 1)), None, None)
    assert said in caught.value.message


def test_a_word_without_an_owner_is_a_table_that_is_not_there() -> None:
    text = POLICY.replace("    owner: who\n", "").replace("    owner: Caller\n", "")
    with pytest.raises(dpsql.PolicyError, match="the table person is not listed"):
        dpsql.Policy.parse(text)


def test_a_foreign_key_of_the_database_does_not_turn_the_path(tmp_path: Path) -> None:
    """The policy says that the column is the unit; that it is some table's key, too, is no step."""
    data = duckdb.connect()
    data.execute("CREATE TABLE logins (who INTEGER PRIMARY KEY, n INTEGER)")
    data.execute("CREATE TABLE clicks (who INTEGER REFERENCES logins (who), n INTEGER)")
    data.execute("CREATE TABLE calls (who INTEGER REFERENCES logins (who))")
    text = """
unit: person
budget: {eps: 1e9}
tables:
  clicks: {access: private, owner: who, columns: {who: {max_rows: 3}}}
  calls: {access: private, owner: who, columns: {who: {max_rows: 2}}}
  logins: {access: private, owner: who}
"""
    db = dpsql.connect(data, policy=text, ledger=tmp_path / "ledger")
    assert all(db.schema.next_owner(t) is None for t in db.schema.tables.values())
    data.execute("INSERT INTO logins VALUES (1, 0), (2, 0)")
    data.execute("INSERT INTO clicks VALUES (1, 5), (1, 6), (NULL, 7)")
    answer = db.run("SELECT COUNT(*) AS n FROM clicks", 10_000)
    assert answer.rows == ((2,),)  # a row without a unit is in no answer


def test_no_claim_is_made_of_another_table() -> None:
    data = duckdb.connect()
    data.execute("CREATE TABLE clicks AS SELECT 1 AS id, 1 AS who")
    data.execute("CREATE TABLE parts AS SELECT 1 AS click")
    data.execute("CREATE TABLE calls AS SELECT 7 AS caller")  # who never clicked
    data.execute("INSERT INTO calls VALUES (NULL)")
    findings = dpsql.connect(data, policy=POLICY).verify().findings
    owners = {f.column: f.rows for f in findings if f.kind == "owner"}
    assert owners == {"clicks.who": 0, "parts.click": 0, "calls.caller": 1}


KEYED = """
unit: person
budget: {eps: 1000000000, delta: 0.01}
tables:
  shifts:
    access: private
    owner: who
    columns:
      who: {type: BIGINT, max_rows: 2}
  people:
    access: private
    owner: id
    key: [id]
    columns:
      id: {type: BIGINT, nullable: false}
      pay: {type: INTEGER, bounds: [0, 9]}
      job: {type: VARCHAR}
"""


def test_a_key_of_the_owner_alone_is_one_row_of_each_unit_whether_it_holds_or_not() -> None:
    data = duckdb.connect()
    data.execute("CREATE TABLE people AS SELECT i AS id, 9 AS pay, 'a' AS job FROM range(20) t(i)")
    data.execute("INSERT INTO people SELECT 3, 9, 'a' FROM range(50)")  # the claim is false
    data.execute("CREATE TABLE shifts AS SELECT i // 2 AS who FROM range(40) t(i)")
    db = dpsql.connect(data, dpsql.Policy.parse(KEYED))
    asked = "SELECT COUNT(*), SUM(pay) FROM people"
    assert [r.linf for r in db.explain(asked, 1).releases] == [1, 1]  # weights of a row
    assert [*db.run(asked, 1_000_000)] == [(20, 180)]
    joined = "SELECT COUNT(*) FROM people JOIN shifts ON id = who"
    assert [r.linf for r in db.explain(joined, 1).releases] == [2]
    assert [*db.run(joined, 1_000_000)] == [(40,)]
    private = "SELECT job, COUNT(*) FROM people GROUP BY job"
    assert [*db.run(private, 1_000_000, delta=1e-6)] == [("a", 20)]
    with pytest.raises(dpsql.Rejected):
        db.explain("SELECT id, COUNT(*) FROM people GROUP BY id", 1, delta=1e-6)
