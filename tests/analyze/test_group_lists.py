"""Which groups public tables list: those that the filters, the tables' own filters and the
declarations leave, jointly."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.compile import ReleasedQuery, compile_query, plain_source
from dpsql.core.calibrate.options import Options
from dpsql.errors import Rejected
from dpsql.execution import cells
from dpsql.execution.cells import group_queries
from dpsql.platform.policy import resolve
from dpsql.session.database import Database
from tests.support.answers import home
from tests.support.brute import check_neighbours
from tests.support.effort import tries
from tests.support.policies import load

PRODUCTS = [(1, "a", 5), (2, "a", 20), (3, "b", 50), (4, "c", 150)]
REGIONS = [(1, "n", "north"), (2, "s", "south"), (3, "t", "south")]

TWO = (
    "SELECT l.product, c.region, COUNT(*) FROM lines l JOIN orders o ON o.id = l.order_id "
    "JOIN customers c ON c.id = o.customer WHERE {} GROUP BY ALL"
)
SOLD = "SELECT {} AS what, p.kind AS name FROM lines l JOIN products p ON p.id = l.product"
NAMED = (
    "SELECT c.id, v.n FROM customers c JOIN (VALUES ('home', 'h'), ('gone', 'g')) AS v(s, n) "
    "ON v.s = c.segment"
)
OUTER = NAMED.replace(" JOIN", " LEFT JOIN")
LIVES = "SELECT {} AS what, r.name FROM customers c JOIN regions r ON r.id = c.region"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT product, COUNT(*) FROM lines GROUP BY 1", [(1,), (2,), (3,), (4,)]),
        ("SELECT product, COUNT(*) FROM lines WHERE product = 3 GROUP BY 1", [(3,)]),
        ("SELECT product, COUNT(*) FROM lines WHERE product = 9 GROUP BY 1", []),
        ("SELECT product, COUNT(*) FROM lines WHERE 2 < product GROUP BY 1", [(3,), (4,)]),
        ("SELECT product, COUNT(*) FROM lines WHERE product % 2 = 0 GROUP BY 1", [(2,), (4,)]),
        (
            "SELECT product, COUNT(*) FROM lines JOIN products p ON p.id = product "
            "WHERE p.price > 10 AND product < 4 GROUP BY 1",
            [(2,), (3,)],
        ),
        (
            "SELECT p.kind, COUNT(*) FROM lines JOIN products p ON p.id = product "
            "WHERE product <> 3 GROUP BY 1",
            [("a",), ("c",)],
        ),
        (f"SELECT n, COUNT(*) FROM ({NAMED}) GROUP BY 1", [("h",)]),
        (f"SELECT n, COUNT(*) FROM (SELECT DISTINCT * FROM ({NAMED})) GROUP BY 1", [("h",)]),
        (f"SELECT COALESCE(n, '-') AS n, COUNT(*) FROM ({OUTER}) GROUP BY 1", [("-",), ("h",)]),
        (TWO.format("l.product = c.region"), [(1, 1), (2, 2), (3, 3)]),
        (TWO.format("l.product + c.region = 3"), [(1, 2), (2, 1)]),
        (
            TWO.format("(l.product = 1 AND c.region = 2) OR (l.product = 4 AND c.region = 3)"),
            [(1, 2), (4, 3)],
        ),
        (
            "SELECT product, COUNT(*) FROM (SELECT product FROM lines WHERE product = 1 "
            "UNION ALL SELECT product FROM lines WHERE product IN (3, 7)) GROUP BY 1",
            [(1,), (3,)],
        ),
        (
            f"SELECT name, COUNT(*) FROM ({SOLD.format(1)} WHERE p.price > 30 UNION ALL "
            f"{LIVES.format(2)} WHERE r.zone = 'south') GROUP BY 1",
            [("b",), ("c",), ("s",), ("t",)],
        ),
        (
            f"SELECT what, name, COUNT(*) FROM ({SOLD.format(1)} WHERE p.price > 30 UNION ALL "
            f"{LIVES.format(2)} WHERE r.zone = 'south') GROUP BY 1, 2",
            [(1, "b"), (1, "c"), (2, "s"), (2, "t")],
        ),
        (
            "SELECT name, COUNT(*) FROM (SELECT p.kind AS name FROM lines l JOIN products p "
            "ON p.id = l.product UNION ALL SELECT 'z' FROM customers) GROUP BY 1",
            [("a",), ("b",), ("c",), ("z",)],
        ),
        (  # a region without customers is a group of a LEFT JOIN, whatever its condition says
            "SELECT r.id, COUNT(c.id) FROM regions r LEFT JOIN customers c "
            "ON c.region = r.id AND c.region < 2 GROUP BY 1",
            [(1,), (2,), (3,)],
        ),
    ],
)
def test_the_groups(sql: str, expected: list[tuple[object, ...]]) -> None:
    query = compile_query(sql, load("shop").schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    assert not release.domain.listed and not release.domain.private
    (text,) = group_queries(release.domain, plain_source)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE products (id INTEGER, kind VARCHAR, price DECIMAL(8, 2))")
        connection.execute("CREATE TABLE regions (id INTEGER, name VARCHAR, zone VARCHAR)")
        connection.executemany("INSERT INTO products VALUES (?, ?, ?)", PRODUCTS)
        connection.executemany("INSERT INTO regions VALUES (?, ?, ?)", REGIONS)
        assert sorted(connection.execute(text).fetchall()) == expected


def test_constants_of_a_union_alone_read_no_table() -> None:
    sql = f"SELECT what, COUNT(*) FROM ({SOLD.format(1)} UNION ALL {LIVES.format(2)}) GROUP BY 1"
    query = compile_query(sql, load("shop").schema, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    assert [key.values for key in release.domain.listed] == [(1, 2)]
    assert not release.domain.public


def test_private_groups_of_one_row_each_are_refused() -> None:
    """Not answered with nothing: no threshold would let one of them through."""
    schema, options = load("tickets").schema, Options(delta=Fraction(1, 10**6))
    for sql in (
        "SELECT seat, COUNT(*) FROM seats GROUP BY seat",
        "SELECT pid > 3 AS late, seat, COUNT(*) FROM seats GROUP BY ALL",
    ):
        with pytest.raises(Rejected) as caught:
            compile_query(sql, schema, Fraction(1), options=options)
        assert caught.value.code == "DP404" and "COUNT(DISTINCT seat)" in str(caught.value)
    compile_query(
        "SELECT seat // 10, COUNT(*) FROM seats GROUP BY 1", schema, Fraction(1), options=options
    )
    compile_query("SELECT COUNT(DISTINCT seat) FROM seats", schema, Fraction(1), options=options)


def test_explain_says_that_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the run; and what the query leaves of the list is counted."""
    held = home("shop")
    held.connection.execute("DELETE FROM products")
    held.connection.executemany("INSERT INTO products VALUES (?, ?, ?)", PRODUCTS)
    monkeypatch.setattr(cells, "MAX_PUBLIC_GROUPS", 3)
    held.session._analysis.kept.clear()
    sql = "SELECT product, COUNT(*) FROM lines{} GROUP BY product"
    with pytest.raises(Rejected) as caught:
        held.session.explain(sql.format(""), eps=1)
    assert caught.value.code == "DP304" and "4 groups, more than 3" in str(caught.value)
    assert caught.value.diagnostics[0].span is not None
    assert held.session.explain(sql.format(" WHERE product > 1"), eps=1).kind == "released"
    held.session._analysis.kept.clear()


def test_groups_of_crowded_lists_are_private_where_there_is_a_delta(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of enough units are shown; a key whose list is short stays listed."""
    held = home("shop")
    held.connection.execute("DELETE FROM products")
    held.connection.executemany("INSERT INTO products VALUES (?, ?, ?)", PRODUCTS)
    held.session._analysis.kept.clear()
    sql = "SELECT product, paid, COUNT(*) FROM lines JOIN orders ON id = order_id GROUP BY ALL"
    monkeypatch.setattr(cells, "MAX_PUBLIC_GROUPS", 8)  # 4 products, paid or not
    (listed,) = compiled(held.session, sql).releases
    assert listed.domain.public and not listed.domain.private
    monkeypatch.setattr(cells, "MAX_PUBLIC_GROUPS", 7)
    held.session._analysis.kept.clear()
    (hidden,) = compiled(held.session, sql).releases
    assert [column.name for column in hidden.domain.private] == ["product"]
    assert [key.column.name for key in hidden.domain.listed] == ["paid"]
    assert not hidden.domain.public
    explained = held.session.explain(sql, 1, 1e-6)
    assert explained.releases[0].threshold is not None
    assert "product: private, shown where enough units are" in str(explained)
    assert held.session.estimate(sql, 1, 1e-6).entries[0].cost is not None
    with pytest.raises(Rejected) as caught:
        held.session.explain(sql, 1, 0)
    assert caught.value.code == "DP304"
    held.session._analysis.kept.clear()


def compiled(session: Database, sql: str) -> ReleasedQuery:
    query = session._analysis.ready(session, sql, 1, Fraction(1, 10**6), {})[0].compiled.query
    assert isinstance(query, ReleasedQuery)
    return query


def test_too_long_lists_are_private_keys_where_there_is_a_delta() -> None:
    sql = (
        "SELECT day, born, units, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer "
        "GROUP BY ALL"
    )
    schema = load("shop").schema
    with pytest.raises(Rejected) as caught:
        compile_query(sql, schema, Fraction(1))
    assert caught.value.code == "DP304"
    query = compile_query(sql, schema, Fraction(1), options=Options(Fraction(1, 10**6))).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    assert [key.column.name for key in release.domain.listed] == ["day", "units"]
    assert [column.name for column in release.domain.private] == ["born"]


EQUAL = """
unit: people.id
budget: {eps: 1}
tables:
  people: {access: private, key: [id], columns: {id: {type: BIGINT}, x: {type: "KIND"}}}
  listed:
    access: public
    key: [v]
    columns: {v: {type: "KIND", nullable: false}, name: {type: VARCHAR}}
"""


@pytest.mark.parametrize(
    ("kind", "condition", "moved"),
    [
        ("DOUBLE", "sqrt(x) > 3", False),  # -0.0 is equal to 0.0, and not the same
        ("REAL", "sqrt(x) > 3", False),
        ("DECIMAL(9,2)", "x * 2 > 3", True),
        ("VARCHAR", "x LIKE 'a%'", True),
        ("DATE", "year(x) = 2024", True),
        ("BOOLEAN", "NOT x", True),
    ],
)
def test_what_is_said_of_equal_values_is_moved_where_they_are_the_same(
    kind: str, condition: str, moved: bool
) -> None:
    schema = resolve(dpsql.Policy.parse(EQUAL.replace("KIND", kind)), None, None)
    sql = f"SELECT name, COUNT(*) FROM people JOIN listed ON x = v WHERE {condition} GROUP BY 1"
    compiled = compile_query(sql, schema, Fraction(1))
    assert isinstance(compiled.query, ReleasedQuery)
    (release,) = compiled.query.releases
    (text,) = group_queries(release.domain, plain_source)
    assert (" WHERE " in text) is moved


UNITS = "JOIN (VALUES (1, 'few'), (20, 'many')) AS v(s, n) ON v.s = o.units"


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT v.n, COUNT(*) FROM orders o {UNITS} GROUP BY 1",
        f"SELECT n, AVG(k) FROM (SELECT o.customer, v.n, COUNT(*) AS k FROM orders o {UNITS} "
        "GROUP BY 1, 2) GROUP BY 1",
        f"SELECT n, COUNT(*) FROM (SELECT o.id, v.n FROM orders o {UNITS} "
        f"UNION ALL SELECT o.id, v.n FROM orders o {UNITS}) GROUP BY 1",
    ],
)
def test_no_row_is_counted_in_a_group_that_is_not_listed(sql: str) -> None:
    """Rows with a value that is not declared meet a row of the public table, too."""
    check_neighbours(compile_query(sql, load("shop").schema, Fraction(1)), "shop", tries(6, 20))
