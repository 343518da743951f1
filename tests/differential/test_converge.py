"""Answers converge: without noise they are the engine's own, but for declared differences."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.adversarial.test_generated import NOT_COMPARABLE
from tests.differential.converge import both, converging, plain
from tests.support.answers import home
from tests.support.effort import sampled
from tests.support.policies import load

LANGUAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "language.md"

DEEP = {"shop": 1_000, "visits": 600, "replace": 600, "shop verified": 800}
"""How many queries `make test-deep` draws."""


def test_drawn_queries_converge() -> None:
    """What is tried, and that most of what is accepted is compared."""
    tally = converging("replace", 40, 3)
    assert tally["equal"] > 12, tally


@pytest.mark.deep
@pytest.mark.parametrize("policy", DEEP)
def test_drawn_queries_converge_deep(policy: str) -> None:
    tally = converging(policy, DEEP[policy], 17)
    assert tally["equal"] >= DEEP[policy] // 5, tally


ONCE_DIFFERENT = (
    "SELECT TRUE AS k, vip, COUNT(*) FROM customers GROUP BY GROUPING SETS ((TRUE), (vip), ())",
    "SELECT 5 AS k, COUNT(*) + 5, COALESCE(5, 7) FROM customers GROUP BY ROLLUP (k)",
    "SELECT k FROM (SELECT 'x' AS k, COUNT(*) FROM customers GROUP BY CUBE (1)) AS q",
    "SELECT c.vip, COUNT(*) FROM regions AS r FULL JOIN customers AS c "
    "ON c.region = r.id GROUP BY ROLLUP (c.vip)",
    "SELECT COALESCE(segment, 'none'), COUNT(*) FROM customers GROUP BY 1 HAVING COUNT(*) > 0",
    "SELECT age IS NULL AS k, COUNT(*) FROM customers GROUP BY k HAVING COUNT(*) > 0",
)
"""What random ones found: a constant that is a key is NULL in the sets that lack it; a FULL JOIN of
a public table had the other one's columns in their place, where grouping sets share its rows; a key
that is a value for NULL had no group of it.
"""


OF_PARTS = "CAST(YEAR(day) AS VARCHAR) || '-' || CAST(MONTH(day) AS VARCHAR) || '-' || 1::VARCHAR"

OF_TEXTS = (
    f"SELECT ({OF_PARTS})::DATE AS m, COUNT(*) FROM orders GROUP BY m HAVING COUNT(*) > 0",
    "SELECT SUM(CAST(YEAR(day) || '-12-31' AS DATE) - day) FROM orders",
    "SELECT COUNT(*) FROM orders WHERE CAST('2024-' || (QUARTER(day) * 3) || '-15' AS DATE) < day",
    "SELECT FORMAT('{:g}', SUM(units) / 7) AS t, FORMAT('{:g}', 1e9 * COUNT(*)) FROM orders",
    "SELECT FORMAT('{:g}', units / 8) AS t, COUNT(*) FROM orders GROUP BY t HAVING COUNT(*) > 0",
)
"""Texts that are dates, and texts of six digits."""


@pytest.mark.parametrize("sql", OF_TEXTS)
def test_dates_of_texts_and_texts_of_numbers_converge(sql: str) -> None:
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(366)]
    orders = [
        [str(i), str(i), str(date(2024, 1, 1) + timedelta(days=i)), *[None] * 5, str(1 + i % 9)]
        + [None] * 3
        for i in range(366)
    ]
    held.fill({**none, "customers": people, "orders": orders})
    mine, theirs = both(held, sql)
    assert sorted(map(plain, mine)) == sorted(map(plain, theirs))


@pytest.mark.parametrize("sql", ONCE_DIFFERENT)
def test_what_was_different_once_converges(sql: str) -> None:
    held = home("shop")
    tables = load("shop").schema.tables
    rows = [[str(n), *[None] * 4, vip, *[None] * 5] for n, vip in enumerate(("true", "false"))]
    held.fill({name: rows if name == "customers" else [] for name in tables})
    mine, theirs = both(held, sql)
    assert sorted(map(repr, mine)) == sorted(map(repr, theirs))


SPINE = (
    "(SELECT r.id, r.zone, COUNT(c.id) AS n, SUM(c.age) AS s, AVG(c.age) AS a FROM regions AS r "
    "LEFT JOIN customers AS c ON c.region = r.id GROUP BY r.id, r.zone)"
)

SPINES = (
    f"SELECT AVG(n), COUNT(*), MIN(n), MEDIAN(n) FROM {SPINE}",
    f"SELECT COUNT(*) FILTER (WHERE n = 0) FROM {SPINE}",
    f"SELECT id, n, LAG(n) OVER (ORDER BY id) FROM {SPINE}",
    f"SELECT id, n, AVG(n) OVER (ORDER BY id ROWS 1 PRECEDING) FROM {SPINE}",
    f"SELECT id, n FROM {SPINE} ORDER BY n, id LIMIT 3",
    f"SELECT id, RANK() OVER (ORDER BY n DESC) FROM {SPINE}",
    f"SELECT zone, AVG(n), COUNT(*) FROM {SPINE} GROUP BY zone",
    f"SELECT AVG(n) FROM {SPINE} WHERE n < 2",
    f"SELECT AVG(s), COUNT(s), AVG(COALESCE(s, 0)), COUNT(a) FROM {SPINE}",
    f"SELECT id, s, LAG(a) OVER (ORDER BY id) FROM {SPINE}",
    f"WITH w AS {SPINE} SELECT COUNT(*), (SELECT MIN(n) FROM w) FROM w WHERE n <= (SELECT AVG(n) "
    "FROM w)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT id, COUNT(vip) AS n FROM regions LEFT JOIN (SELECT "
    "region AS id, vip FROM customers) USING (id) GROUP BY id)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT id, COUNT(vip) AS n FROM (SELECT region AS id, vip FROM "
    "customers) NATURAL RIGHT JOIN regions GROUP BY id)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, COUNT(c.id) AS n FROM regions AS r LEFT JOIN "
    "customers AS c ON c.region = r.id AND c.vip AND r.zone = 'north' GROUP BY r.id)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, COUNT(c.id) AS n FROM regions AS r LEFT JOIN "
    "customers AS c ON c.region = r.id WHERE r.zone = 'north' GROUP BY r.id HAVING "
    "COUNT(c.id) < 9)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, COUNT(c.id) AS n FROM regions AS r LEFT JOIN "
    "customers AS c ON c.region = r.id WHERE c.vip GROUP BY r.id)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, COUNT(c.id) AS n FROM regions AS r LEFT JOIN "
    "customers AS c ON c.region = r.id WHERE 1 = 0 GROUP BY r.id)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, COUNT(c.id) AS n FROM regions AS r JOIN "
    "customers AS c ON c.region = r.id GROUP BY r.id)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, v.vip, COUNT(c.id) AS n FROM regions AS r CROSS "
    "JOIN (VALUES (TRUE), (FALSE)) AS v(vip) LEFT JOIN customers AS c ON c.region = r.id AND c.vip "
    "= v.vip GROUP BY r.id, v.vip)",
    "SELECT AVG(n), COUNT(*) FROM (SELECT r.id, COUNT(c.id) AS n FROM regions AS r CROSS JOIN "
    "holidays AS h LEFT JOIN customers AS c ON c.region = r.id AND c.born = h.day GROUP BY r.id)",
    "SELECT a, AVG(n), COUNT(*) FROM (SELECT g AS x, g > 30 AS a, COUNT(c.id) AS n FROM range(18, "
    "50) AS t(g) LEFT JOIN customers AS c ON c.age = g GROUP BY x) GROUP BY a",
    "SELECT d, n, n - LAG(n) OVER (ORDER BY d) FROM (SELECT d, COUNT(id) AS n FROM generate_series("
    "DATE '2000-01-01', DATE '2000-01-09', INTERVAL 2 DAY) AS t(d) LEFT JOIN customers ON born = d "
    "GROUP BY d)",
    "SELECT zone, COUNT(*) FROM (SELECT DISTINCT r.id, r.zone FROM regions AS r LEFT JOIN "
    "customers AS c ON c.region = r.id) GROUP BY zone",
)
"""What is made from groups of public rows that an outer join keeps, some of them without others."""


@pytest.mark.parametrize(
    ("sql", "holidays"), [(s, n) for s in SPINES for n in (0, 2) if n or sampled(s, 4)]
)
@pytest.mark.one_in(3)
def test_groups_of_public_rows_converge(sql: str, holidays: int) -> None:
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    regions = [[str(i), f"r{i}", "north" if i < 4 else "south"] for i in range(1, 7)]
    days = [[f"2000-01-0{i}", "day"] for i in range(1, 1 + holidays)]
    people = [
        [str(i), region, age, None, None, vip, None, None, born, None, None]
        for i, region, age, vip, born in (
            (1, "1", "30", "true", "2000-01-01"),
            (2, "1", "31", "false", "2000-01-05"),
            (3, "3", "18", "false", "2000-01-05"),
            (4, "5", "40", "true", "2000-01-02"),
        )
    ]
    held.fill({**none, "regions": regions, "holidays": days, "customers": people})
    mine, theirs = both(held, sql)
    assert sorted(map(plain, mine)) == sorted(map(plain, theirs))


BOTH = (
    *("REGR_COUNT(age, score)", "REGR_AVGX(age, score)", "REGR_AVGY(age, score)"),
    *("REGR_SXX(age, score)", "REGR_SYY(age, score)", "REGR_SXY(age, score)"),
    *("REGR_SLOPE(age, score)", "REGR_INTERCEPT(age, score)", "REGR_R2(age, score)"),
)

PAIRS = (
    f"SELECT {', '.join(BOTH)} FROM customers",
    f"SELECT vip, {', '.join(BOTH)} FROM customers GROUP BY vip",
    *(f"SELECT vip, {call} FROM customers WHERE age > 20 GROUP BY vip" for call in BOTH),
    f"SELECT {', '.join(f'{call} FILTER (WHERE vip)' for call in BOTH)} FROM customers",
    "SELECT REGR_COUNT(balance, id), REGR_SYY(balance, age) / 1e3, REGR_SXX(score, score) "
    "FROM customers",
    "SELECT REGR_SXY(age, score) / REGR_COUNT(age, score) - COVAR_POP(age, score) FROM customers",
    "SELECT COUNT(DISTINCT (age, score)), COUNT(DISTINCT ROW(region, vip, age)) FROM customers",
    "SELECT vip, COUNT(DISTINCT (region, age)) FILTER (WHERE score > 0), COUNT(DISTINCT (age, "
    "score)) FROM customers GROUP BY vip",
    "SELECT COUNT(DISTINCT (n, a)) FROM (SELECT vip, COUNT(*) AS n, SUM(age) AS a FROM customers "
    "GROUP BY vip)",
    "SELECT r.id, (SELECT REGR_COUNT(c.age, c.score) FROM customers AS c WHERE c.region = r.id) "
    "FROM regions AS r",
)
"""Functions of two columns, in rows where both are known."""


@pytest.mark.parametrize("sql", PAIRS)
@pytest.mark.one_in(3)
def test_functions_of_pairs_converge(sql: str) -> None:
    """Of some customers the age is NULL, of others the score, or both."""
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    regions = [[str(i), f"r{i}", "north"] for i in range(4)]
    people = [
        [
            str(i),
            str(i % 3),
            str(20 + i * 7 % 31) if i % 4 else None,
            str(i * 13 % 900),
            str((i * 11 % 40) / 64 - 0.25) if i % 5 else None,
            "true" if i % 3 else "false",
            *[None] * 5,
        ]
        for i in range(60)
    ]
    held.fill({**none, "regions": regions, "customers": people})
    mine, theirs = both(held, sql)
    assert theirs and sorted(map(plain, mine)) == sorted(map(plain, theirs))


def test_what_is_set_aside_is_declared() -> None:
    text = " ".join(LANGUAGE.read_text(encoding="utf-8").split())
    declared = text.partition("## Where answers differ from those of DuckDB")[2]
    for construct, said in NOT_COMPARABLE.items():
        assert said in declared, construct


DIFFERENT = {
    "SELECT COUNT(*) FROM products LEFT JOIN lines ON lines.product = products.id": (0, 2),
    "SELECT SUM(age) FROM customers": (0, None),
    "SELECT v FROM (SELECT SUM(age) AS v FROM customers) EXCEPT SELECT COUNT(*) FROM lines": None,
}
"""Queries of constructs that are set aside: the answer, and the engine's, on empty private tables
beside two products.
"""


@pytest.mark.parametrize("sql", DIFFERENT)
def test_declared_differences_are_there(sql: str) -> None:
    held = home("shop")
    nothing = {name: [] for name in load("shop").schema.tables}
    held.fill({**nothing, "products": [["1", "a", "2"], ["2", "b", "3"]]})
    mine = [row[0] for row in held.run(sql, eps=1_000_000).rows]
    theirs = [row[0] for row in held.connection.execute(sql).fetchall()]
    if DIFFERENT[sql] is None:
        assert (mine, theirs) == ([], [None])
    else:
        assert (mine, theirs) == tuple([value] for value in DIFFERENT[sql])
