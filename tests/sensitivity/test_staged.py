"""What one unit can switch on or off: whatever is dear is computed to its end, or is its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.account.amount import Cost
from dpsql.core.enforce.staged import MANY, PLAIN, QUICK, SLOWER, _operations, staged
from dpsql.core.functions import BY_NAME
from dpsql.core.plan.expr import Call, Column, Expr, Ref
from dpsql.core.plan.nodes import Released, Scan, nodes
from dpsql.core.release.statements import plans, public_stages
from dpsql.execution.ready import Prepared, few_public_rows
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session import public_bounds
from dpsql.session.database import Database
from dpsql.types import DOUBLE, VARCHAR

TEXT = """
unit: people.id
budget: {eps: 1000000000000}
tables:
  people:
    access: private
    key: [id]
    columns: {name: {max_length: 10}, year: {bounds: [1900, 2020]}, kind: {bounds: [0, 9]}}
  notes:
    access: private
    columns:
      person: {references: people.id, max_rows: 100}
      txt: {max_length: 30}
      amount: {bounds: [0, 10]}
  words: {access: public, key: [n], rows: 300}
"""

POLICY = dpsql.Policy.parse(TEXT)

WORLD = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR, year INTEGER, kind INTEGER);
INSERT INTO people SELECT i, 'p' || i, 1950, i % 10 FROM range(20) t(i);
CREATE TABLE notes (person INTEGER, txt VARCHAR, amount DOUBLE);
INSERT INTO notes SELECT i % 20, 'note ' || i, i % 10 FROM range(2000) t(i);
CREATE TABLE words (n INTEGER PRIMARY KEY, word VARCHAR);
INSERT INTO words SELECT i, 'w' || i FROM range(300) t(i);
"""

SEVEN = "(SELECT * FROM people WHERE name = 'p7' AND year > 1960)"

WAVES = "sin(cos(" * 6 + "amount" + "))" * 6

DEAR = (
    f"SELECT COUNT(*) FROM {SEVEN} p WHERE id IN "
    "(SELECT person FROM notes WHERE regexp_matches(txt, '[13579]$'))",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN notes ON person = id WHERE txt LIKE '%1%3%'",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN (SELECT person, upper(txt) AS t FROM notes) n "
    "ON n.person = p.id WHERE t > 'NOTE 5'",
    f"SELECT COUNT(*) FROM {SEVEN} p WHERE kind IN (SELECT a.n + b.n FROM words a, words b)",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN "
    "(SELECT n FROM words WHERE regexp_matches(word, '[13579]$')) w ON w.n = p.kind",
    f"SELECT COUNT(*) FROM {SEVEN} p LEFT JOIN notes n ON n.person = p.id AND txt LIKE '%1%3%'",
    "SELECT COUNT(*) FROM people JOIN notes ON person = id WHERE txt LIKE '%1%3%'",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN (SELECT person, ROW_NUMBER() OVER (PARTITION BY person "
    "ORDER BY txt) AS r FROM notes) n ON n.person = p.id WHERE r > 3",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN "
    "(SELECT person, COUNT(*) AS c FROM notes GROUP BY person) n ON n.person = p.id WHERE c > 3",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN notes n ON n.person = p.id WHERE {WAVES} > 0.1",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN (SELECT person, txt FROM notes UNION ALL "
    "SELECT person, UPPER(txt) FROM notes) n ON n.person = p.id WHERE txt LIKE '%1%3%'",
    "SELECT COUNT(*) FROM notes n LEFT JOIN people p ON p.id = n.person "
    "WHERE p.kind = 7 AND p.year > 1960 AND txt LIKE '%1%3%'",
    f"SELECT COUNT(*) FROM {SEVEN} p LEFT JOIN (SELECT n.person, n.txt FROM notes n "
    "JOIN people q ON q.id = n.person) n ON n.person = p.id AND txt LIKE '%1%3%'",
    f"SELECT COUNT(DISTINCT kind) FROM {SEVEN} p JOIN notes ON person = id WHERE txt LIKE '%1%3%'",
    "SELECT COUNT(p.id) FROM (SELECT a.n, b.n AS m FROM words a, words b) w "
    f"LEFT JOIN {SEVEN} p ON p.kind = w.n WHERE w.m < 10",
)

CHEAP = (
    "SELECT COUNT(*) FROM notes WHERE txt LIKE '%1%3%'",  # of nobody else
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN notes ON person = id WHERE txt > 'note 5'",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN words ON n = kind WHERE word <> 'w3'",
    f"SELECT COUNT(*) FROM {SEVEN} p JOIN (VALUES (1), (2)) v(x) ON x = kind",
    "SELECT COUNT(*) FROM people WHERE regexp_matches(name, '7') AND name LIKE '%p%'",
)


def opened(con: duckdb.DuckDBPyConnection, policy: dpsql.Policy = POLICY) -> Database:
    return dpsql.connect(con, policy, ledger=MemoryLedger(Cost(Fraction(10**12))))


@pytest.fixture(scope="module")
def worlds() -> Iterator[tuple[duckdb.DuckDBPyConnection, duckdb.DuckDBPyConnection]]:
    """D, in which the seventh is born late, and D′ without him."""
    here, there = duckdb.connect(), duckdb.connect()
    for con in (here, there):
        con.execute(WORLD)
    here.execute("UPDATE people SET year = 1970 WHERE id = 7")
    there.execute("DELETE FROM people WHERE id = 7")
    yield here, there
    for con in (here, there):
        con.close()


def made(con: duckdb.DuckDBPyConnection, sql: str) -> list[int]:
    """How many rows each stage of a statement has, as the engine counted them in this run."""
    (row,) = con.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}").fetchall()
    found: dict[str, int] = {}

    def rows(node: dict[str, Any]) -> int:
        if node["type"] == "UNION":  # says 0
            return sum(map(rows, node["children"]))
        return int(node["intermediate_rows"])

    def visit(node: dict[str, Any]) -> None:
        name = node["extra_info"].get("CTE Name", "")
        if node["type"] == "CTE" and name.startswith("stage"):
            found[name] = rows(node["children"][0])
        for child in node.get("children", []):
            visit(child)

    visit(json.loads(row[1])["operator"][0])
    return [found[name] for name in sorted(found)]


@pytest.mark.parametrize("query", DEAR)
@pytest.mark.one_in(3)
def test_a_stage_is_computed_to_its_end_whoever_is_there(
    worlds: tuple[duckdb.DuckDBPyConnection, ...], query: str
) -> None:
    counts = []
    for con in worlds:
        db = opened(con)
        text = db.explain(query).sql
        assert '"stage1" AS MATERIALIZED' in text
        counts.append(made(con, text))
        inner = text.split("MATERIALIZED (", 1)[1].split("\n),", 1)[0].split("\n)\n", 1)[0]
        (alone,) = con.execute(f"SELECT COUNT(*) FROM ({inner})").fetchall()
        assert counts[-1] == [alone[0]] != [0]
        assert db.run(query, 1).rows is not None
    assert counts[0] == counts[1]


@pytest.mark.parametrize("query", CHEAP)
def test_what_is_cheap_or_cannot_be_switched_is_no_stage(
    worlds: tuple[duckdb.DuckDBPyConnection, ...], query: str
) -> None:
    assert "stage1" not in opened(worlds[0]).explain(query).sql


@pytest.mark.parametrize("query", DEAR)
@pytest.mark.one_in(3)
def test_the_answer_is_the_same(worlds: tuple[duckdb.DuckDBPyConnection, ...], query: str) -> None:
    con = worlds[0]
    db = opened(con)
    (row,) = db.run(query, 10**6).rows
    assert [tuple(row)] == con.execute(query).fetchall()


def test_public_rows_that_meet_private_ones_are_limited(
    worlds: tuple[duckdb.DuckDBPyConnection, ...],
) -> None:
    """Whether they are looked at may depend on a unit: 90,000 may be, 27,000,000 may not."""
    db = opened(worlds[0])
    product = "SELECT a.n + b.n + {} FROM words a, words b{}"
    db.explain(f"SELECT COUNT(*) FROM people WHERE kind IN ({product.format(0, '')})")
    more = product.format("c.n", ", words c")
    with pytest.raises(dpsql.Rejected, match=r"DP502.*about 3e\+07 rows, more than 1,000,000"):
        db.explain(f"SELECT COUNT(*) FROM people WHERE kind IN ({more})")
    one = f"SELECT MAX(x) FROM ({product.format('c.n AS x', ', words c')})"
    db.explain(f"SELECT COUNT(*) FROM people WHERE kind IN ({one})")


def test_public_rows_that_private_ones_meet_are_counted(
    worlds: tuple[duckdb.DuckDBPyConnection, ...],
) -> None:
    """Of 27,000,000 by the guess 1,000,000 are there, as many as may be; and then one more."""
    db = opened(worlds[0])
    product = "SELECT a.n FROM words a, words b, words c WHERE "
    few = "a.n < 100 AND b.n < 100 AND c.n < 100"
    query = f"SELECT COUNT(*) FROM people WHERE kind IN ({product}{few})"
    assert db.explain(query).kind == "released"
    assert db.run(query, 10**6).rows[0][0] == 20
    more = f"{few} OR a.n + b.n + c.n = 897"
    with pytest.raises(dpsql.Rejected, match="DP502"):
        db.explain(f"SELECT COUNT(*) FROM people WHERE kind IN ({product}{more})")


def test_rows_of_another_kind_of_unit_are_not_counted(
    worlds: tuple[duckdb.DuckDBPyConnection, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody may see how many there are, not by what is rejected either. They are a stage where
    what is asked of each is dear.
    """

    def of_others(made: Prepared, *rest: Any) -> bool:
        found = (n for r in made.query.releases for p in public_stages(r) for n in nodes(p))
        for table in (n.table for n in found if isinstance(n, Scan)):
            object.__setattr__(table, "hidden", True)
        assert any(public_stages(r) for r in made.query.releases)
        return few_public_rows(made, *rest)

    few = "SELECT a.n FROM words a, words b, words c WHERE a.n < 9 AND b.n < 9 AND c.n < 9"
    odd = "(SELECT n FROM words WHERE regexp_matches(word, '[13579]$')) w"
    query = f"SELECT COUNT(*) FROM people p JOIN {odd} ON w.n = p.kind WHERE p.kind IN ({few})"
    assert opened(worlds[0]).explain(query).kind == "released"
    monkeypatch.setattr(public_bounds, "few_public_rows", of_others)
    with pytest.raises(dpsql.Rejected, match="DP502"):
        opened(worlds[0]).explain(query)


def test_conditions_on_public_rows_are_part_of_their_stage(
    worlds: tuple[duckdb.DuckDBPyConnection, ...],
) -> None:
    """So fewer rows are kept: 3,000 of 90,000."""
    query = DEAR[-1]
    assert made(worlds[0], opened(worlds[0]).explain(query).sql) == [3000]


def test_of_rows_with_one_key_one_is_left() -> None:
    """10¹⁵ rows without the conditions, 10¹⁰ with them; of left rows ON leaves out none."""
    policy = """
unit: people.id
budget: {eps: 1}
tables:
  people: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  words: {access: public, key: [n], rows: 100000, columns: {n: {type: INTEGER}}}
"""
    query = "SELECT COUNT(*) FROM words a {} words b ON {} CROSS JOIN words c"
    for kind, condition in (("JOIN", "a.n = 3"), ("LEFT JOIN", "b.n = 3")):
        assert dpsql.explain(query.format(kind, condition), policy=policy).kind == "public"
    with pytest.raises(dpsql.Rejected, match="DP502"):
        dpsql.explain(query.format("LEFT JOIN", "a.n = 3"), policy=policy)


def test_not_in_looks_rows_up_where_there_is_no_null(
    worlds: tuple[duckdb.DuckDBPyConnection, ...],
) -> None:
    """Where there may be one, each of a unit's 100 rows is compared with all 90,000."""
    query = (
        "SELECT COUNT(*) FROM notes JOIN people ON person = id "
        "WHERE kind NOT IN (SELECT a.n FROM words a, words b WHERE a.n > 4)"
    )
    with pytest.raises(dpsql.Rejected, match="DP501"):
        opened(worlds[0]).explain(query)
    known = dpsql.Policy.parse(TEXT.replace("bounds: [0, 9]}", "bounds: [0, 9], nullable: false}"))
    found = opened(worlds[0], known).run(query, 10**6).rows
    assert [tuple(row) for row in found] == worlds[0].execute(query).fetchall() == [(1000,)]


def test_stages_have_the_columns_of_what_they_stand_for(
    worlds: tuple[duckdb.DuckDBPyConnection, ...],
) -> None:
    for query in DEAR:
        compiled = compile_query(query, opened(worlds[0]).schema, Fraction(1)).query
        assert isinstance(compiled, ReleasedQuery)
        for release in compiled.releases:
            for plan in plans(release):
                after, stages = staged(plan)
                assert after.columns == plan.columns
                read = [n for n in nodes(after) if isinstance(n, Released)]
                assert [(r.name, r.columns) for r in read] == [
                    (s.name, s.plan.columns) for s in stages
                ]


def test_what_is_not_known_to_be_quick_is_slow() -> None:
    """32 quick operations a row are no stage, 33 are one; any other function counts as four."""
    assert BY_NAME.keys() >= QUICK
    x: Expr = Ref(Column(0, "x", DOUBLE))
    quick, slow = x, x
    for _ in range(MANY):
        quick = Call("add", (quick, x), DOUBLE)
    assert _operations(quick) == MANY and _operations(Call("abs", (quick,), DOUBLE)) == MANY + 1
    for _ in range(MANY // SLOWER):
        slow = Call("sin", (slow,), DOUBLE)
    assert _operations(slow) == MANY and _operations(Call("tanh", (slow,), DOUBLE)) == MANY + SLOWER
    text = Ref(Column(1, "t", VARCHAR))
    for name in BY_NAME.keys() - PLAIN:
        assert _operations(Call(name, (text,), VARCHAR)) > MANY
