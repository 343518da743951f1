"""Holes that reviews of dpsql's own code found, each with the data that showed it."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.compile import ReleasedQuery
from dpsql.core.functions import BY_NAME
from dpsql.core.plan.expr import Call, Case, walk
from dpsql.core.plan.nodes import expressions, nodes
from dpsql.core.shape.retype import CASTS, ENFORCING
from dpsql.session.costs import explain
from dpsql.types import Type
from tests.support import grammar
from tests.support.filled import fill
from tests.support.grammar import Case as GrammarCase

POLICY = """
unit: customers.id
budget: {eps: 1000000}
tables:
  customers:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}}
  orders:
    access: private
    key: [id]
    owner: customer
    columns:
      id: {type: INTEGER}
      customer: {type: INTEGER, references: customers.id, max_rows: 3}
      code: {type: SMALLINT, max_rows: 1}
      total: {type: BIGINT, bounds: [-9000000000000000000, 9000000000000000000]}
      weight: {type: DOUBLE, bounds: [0, 20]}
"""

WIDENED = [
    """SELECT COUNT(*) AS n FROM (SELECT c.id, MAX(GREATEST(o.y, 0)) AS m FROM customers c
       LEFT JOIN (SELECT customer, total * 2 AS y FROM orders) o ON o.customer = c.id
       GROUP BY c.id) t WHERE m > 3""",
    """SELECT SUM(LEAST(GREATEST(s, -5), 5)) AS n FROM (SELECT customer, SUM(s) AS s FROM
       (SELECT customer, code, SUM(total) AS s FROM orders GROUP BY customer, code) t
       GROUP BY customer) u WHERE customer = 17""",
    """SELECT SUM(CASE WHEN y > 3 THEN LEAST(y, 4) ELSE 0 END) AS n FROM
       (SELECT customer, SUM(total * 9) AS y FROM orders GROUP BY customer) t
       WHERE customer = 17""",
    """SELECT COUNT(*) AS n FROM (SELECT c.id, MAX(GREATEST(o.y, 0)) AS m FROM customers c JOIN
       (SELECT customer, id, MAX(total * total * total) AS y FROM orders GROUP BY customer, id) o
       ON o.customer = c.id GROUP BY c.id) t WHERE m > 3""",
    """SELECT COUNT(*) AS n FROM (SELECT MAX(GREATEST(y, 0)) OVER (PARTITION BY customer) AS m FROM
       (SELECT customer, total * 2 AS y FROM orders) o) t WHERE m > 3""",
    """SELECT COUNT(*) AS n FROM customers c WHERE (SELECT MAX(GREATEST(y, 0)) FROM
       (SELECT customer, SUM(total * total * total) AS y FROM orders GROUP BY customer) o
       WHERE o.customer = c.id) > 3""",
]


def _database(orders: list[tuple[object, ...]]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO customers VALUES (3), (8), (17), (19)")
    connection.execute(
        "CREATE TABLE orders "
        "(id INTEGER PRIMARY KEY, customer INTEGER, code SMALLINT, total BIGINT, weight DOUBLE)"
    )
    fill(connection, "orders", orders)
    return connection


@pytest.mark.deep
@pytest.mark.parametrize("query", WIDENED)
def test_no_value_makes_a_widened_column_fail(query: str) -> None:
    """A product that its type does not hold is of a wider one, and so is all that is made of it."""
    base: list[tuple[object, ...]] = [(1, 3, None, 2, 1.0)]
    for extreme in (9 * 10**18, -9 * 10**18, 2**63 - 1, -(2**63)):
        held = _database([*base, (2, 17, None, extreme, 1.0), (3, 17, 1, extreme, 1.0)])
        with dpsql.connect(held, POLICY) as db:
            assert len(db.run(query, 1)) == 1
            assert all(o.within for o in audit.sensitivity(db, query))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY code ORDER BY id) AS r "
        "FROM orders) t WHERE r = 1",
        "SELECT COUNT(*) FROM orders a WHERE EXISTS (SELECT 1 FROM orders b "
        "WHERE a.code IS NOT DISTINCT FROM b.code AND a.id <> b.id)",
    ],
)
def test_a_column_that_may_be_null_tells_no_unit(query: str) -> None:
    """`code` is unique where it is not NULL; its NULLs are of several customers."""
    with pytest.raises(dpsql.Rejected):
        explain(query, 1, POLICY)


def test_distinct_values_of_a_nullable_column_are_counted() -> None:
    """NULL is one of the rows of DISTINCT, of whichever customers it is."""
    query = "SELECT COUNT(*) FROM (SELECT DISTINCT code FROM orders) t"
    base: list[tuple[object, ...]] = [(1, 19, None, 0, 0.0), (2, 8, None, 0, 0.0)]
    with dpsql.connect(_database([*base, (3, 8, 5, 0, 0.0)]), POLICY) as db:
        (release,) = db.explain(query, 1).releases
        assert release.l1 == 3
        assert all(o.within for o in audit.sensitivity(db, query))


def test_groups_of_a_nullable_column_are_released() -> None:
    rows: list[tuple[object, ...]] = [(1, 19, None, 0, 0.0), (2, 8, None, 0, 0.0)]
    query = "SELECT COUNT(*), SUM(n) FROM (SELECT code, COUNT(*) AS n FROM orders GROUP BY code) t"
    with dpsql.connect(_database(rows), POLICY) as db:
        (release,) = db.explain(query, 1).releases
        assert release.l1 == 3 and release.name == "count(*)"
        assert all(o.within for o in audit.sensitivity(db, query))


def test_the_zeros_are_one_value() -> None:
    rows: list[tuple[object, ...]] = [(1, 3, None, 0, 0.0), (2, 3, None, 0, -0.0)]
    query = """SELECT COUNT(*) AS n FROM (SELECT customer, ATAN2(weight, -1) AS a, COUNT(*) AS n
               FROM orders WHERE weight = 0 GROUP BY customer, a) t"""
    with dpsql.connect(_database(rows), POLICY) as db:
        (measure,) = audit.exact(db, query)
        assert measure.values == (Fraction(1),)
        assert round(_only(db, query)) == 1
        assert all(o.within for o in audit.sensitivity(db, query))


def _only(db: dpsql.Database, query: str) -> float:
    """The answer of one number, with hardly any noise: both proofs follow."""
    ((number,),) = db.run(query, 1000).rows
    return float(number)


EQUAL_FLOATS = """
unit: people.id
budget: {eps: 1000000}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}, x: {type: DOUBLE, bounds: [-1, 1]}}
  events:
    access: private
    owner: person
    columns:
      person: {type: INTEGER, references: people.id, max_rows: 3}
      y: {type: DOUBLE, bounds: [-1, 1]}
"""


@pytest.mark.parametrize("condition", ["e.y = p.x", "e.y = p.x AND p.x = 0"])
def test_a_float_that_is_equal_to_one_of_the_unit_is_not_one_value(condition: str) -> None:
    connection = duckdb.connect(":memory:")
    connection.execute("CREATE TABLE people AS SELECT 1 AS id, CAST(0 AS DOUBLE) AS x")
    connection.execute(
        "CREATE TABLE events AS SELECT 1 AS person, CAST(y AS DOUBLE) AS y "
        "FROM (VALUES ('0.0'), ('-0.0')) AS t (y)"
    )
    query = f"""SELECT COUNT(*) AS n FROM (SELECT p.id, ATAN2(e.y, -1) AS a FROM people p JOIN
                events e ON e.person = p.id AND {condition} GROUP BY p.id, a) t"""
    with dpsql.connect(connection, EQUAL_FLOATS) as db:
        assert round(_only(db, query)) == 1
        assert all(o.within for o in audit.sensitivity(db, query))


@pytest.mark.parametrize(
    ("query", "code"),
    [
        (  # a string would grow 64 times with each level
            "SELECT COUNT(*) FROM (SELECT order_id, MAX(REPEAT(n, 64)) AS n FROM (SELECT order_id, "
            "MAX(REPEAT(note, 64)) AS n FROM lines GROUP BY order_id) a GROUP BY order_id) b "
            "WHERE LENGTH(n) > 3",
            "DP306",
        ),
        (  # one month equals 30 days, and reads otherwise
            "SELECT COUNT(*) FROM (SELECT customer, CAST(MIN(AGE(placed, day)) AS VARCHAR) AS iv "
            "FROM orders GROUP BY customer) z WHERE iv = '1 month'",
            "DP205",
        ),
        (
            "SELECT COUNT(*) FROM (SELECT customer, MIN(AGE(placed, day)) AS iv FROM orders "
            "GROUP BY customer) z WHERE iv IS NOT NULL",
            "DP306",
        ),
    ],
)
def test_refused(query: str, code: str) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        explain(query, 1, grammar.FOLDER / "policies" / "shop.yaml")
    assert caught.value.code == code


def test_powers_of_the_zeros_are_one_value() -> None:
    rows: list[tuple[object, ...]] = [(1, 3, -1, 0, 0.0), (2, 3, None, 0, -0.0)]
    query = """SELECT COUNT(*) AS n FROM (SELECT customer, POWER(weight, total - 1) AS a FROM orders
               WHERE weight = 0 AND total = 0 GROUP BY customer, a) t"""
    with dpsql.connect(_database(rows), POLICY) as db:
        assert round(_only(db, query)) == 1
        assert all(o.within for o in audit.sensitivity(db, query))


def _accepted() -> list[GrammarCase]:
    cases = [c for path in sorted(grammar.FOLDER.glob("*.sql")) for c in grammar.read(path)]
    return [c for c in cases if c.golden and c.golden[0].startswith("-- accept")]


@pytest.mark.deep
@pytest.mark.parametrize("part", range(4))
def test_every_call_is_of_the_type_that_its_operands_give(part: int) -> None:
    """What is inferred, printed and computed agree about types: none is left from before."""
    for case in _accepted()[part::4]:
        compiled = grammar.compiled(case)
        if not isinstance(compiled.query, ReleasedQuery):
            continue
        plans = [compiled.query.plan]
        exprs = []
        for release in compiled.query.releases:
            if release.cells is not None:
                plans.append(release.cells.plan)
                exprs += [e for _, e in release.cells.keys]
                exprs += [i.expr for i in release.cells.inputs]
        exprs += [e for plan in plans for node in nodes(plan) for e in expressions(node)]
        for expr in exprs:
            for node in walk(expr):
                if isinstance(node, Call) and node.function not in CASTS | ENFORCING:
                    bound = BY_NAME[node.function].bind(node.args)[1]
                    assert _family(bound) == _family(node.type), case.name
                if isinstance(node, Case):
                    results = [*(v for _, v in node.branches), node.default]
                    assert all(r.type == node.type for r in results), case.name


def _family(kind: Type) -> str:
    """What matters to who reads a value; arithmetic chooses the width by its range."""
    if kind.is_exact:
        return "exact"
    return "float" if kind.is_float else kind.name
