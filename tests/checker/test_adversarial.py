"""Statements written by hand: one that is right, and others that are wrong by one thing."""

from __future__ import annotations

import pytest

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Measure, Sums
from tests.checker.claims import REPLACED, SHOP, claim, refused

CLAMPED = "CASE WHEN wild < 0 THEN 0 WHEN wild > 10 THEN 10 ELSE wild END"
QUOTA = (
    "WITH numbered AS (SELECT customer, units, ROW_NUMBER() OVER (PARTITION BY customer "
    "ORDER BY units, customer) AS p FROM main.free) SELECT SUM(units) FROM numbered WHERE p <= 2"
)
LISTED = (
    "SELECT COUNT(*) FROM main.customers c CROSS JOIN (VALUES (0), (10), (20)) AS v(i) WHERE {}"
)
EQUAL = (
    "SELECT COUNT(DISTINCT units) FROM main.free f CROSS JOIN (VALUES (1), (4)) AS v(i) "
    "WHERE CAST(f.units AS BIGINT) = v.i"
)
PAID = (
    "WITH own AS (SELECT customer AS u, SUM(units) AS s FROM main.orders GROUP BY customer) "
    "SELECT SUM(CASE WHEN s > 5 THEN 5 ELSE s END) FROM own"
)
AGAIN = (
    "WITH own AS (SELECT {0} AS u, SUM(units) AS s FROM main.orders GROUP BY {0}) "
    "SELECT SUM(CASE WHEN s > 5 THEN 5 ELSE s END) FROM own"
)
LAID = (
    "SELECT COUNT(*) FROM (SELECT {} AS u FROM main.orders UNION ALL SELECT id FROM main.customers)"
    " AS b JOIN main.orders AS o ON b.u = o.customer"
)

RIGHT = {
    "grouped by the unit as another number": claim(
        AGAIN.format("CAST(customer AS DECIMAL(38,0))"), 5
    ),
    "a window of the unit as another number": claim(
        "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY CAST(customer AS INT128) "
        "ORDER BY id) AS p FROM main.orders) AS n WHERE p <= 2",
        2,
    ),
    "a union of units of two types": claim(LAID.format("CAST(customer AS INT128)"), 12),
    "count": claim("SELECT COUNT(*) FROM main.customers", 1),
    "proven bounds": claim("SELECT SUM(age) FROM main.customers", 99),
    "clamp": claim(f"SELECT SUM({CLAMPED}) FROM main.customers", 10),
    "rows of a unit": claim("SELECT COUNT(*) FROM main.orders", 3),
    "sum over rows": claim("SELECT SUM(units) FROM main.orders", 27),
    "quota": claim(QUOTA, 18),
    "quota by what is unique": claim(
        QUOTA.replace("ORDER BY units, customer", "ORDER BY number"), 18
    ),
    "quota by what is unique where it is not NULL": claim(
        QUOTA.replace("ORDER BY units, customer", "ORDER BY ticket").replace(
            "FROM main.free", "FROM main.free WHERE ticket IS NOT NULL"
        ),
        18,
    ),
    "listed rows that a condition leaves": claim(LISTED.format("c.age < v.i"), 1),
    "values equal to listed ones": claim(EQUAL, 2),
    "an end that a condition takes away": claim(
        "SELECT SUM(units) FROM main.orders WHERE units <> 9", 24
    ),
    "a text that is cast to a text": claim(
        "SELECT COUNT(DISTINCT r.name) FROM main.orders o CROSS JOIN main.regions r "
        "WHERE CAST(r.name AS TEXT) IN ('a', 'b')",
        2,
    ),
    "a sign of what has no ends": claim("SELECT SUM(SIGN(score)) FROM main.customers", 1),
    "groups of no rows": claim(
        "WITH own AS (SELECT customer AS u, COUNT(*) AS n FROM main.orders WHERE FALSE "
        "GROUP BY customer) SELECT SUM(n) FROM main.orders o LEFT JOIN own ON own.u = o.customer",
        3,
    ),
    "join along the unit": claim(
        "SELECT COUNT(*) FROM main.orders o JOIN main.customers c ON o.customer = c.id", 3
    ),
    "join with public rows": claim(
        "SELECT COUNT(*) FROM main.customers c JOIN main.regions r ON c.region = r.id", 1
    ),
    "groups": claim("SELECT segment, COUNT(*) FROM main.customers GROUP BY segment", 1, keys=1),
    "several groups": claim(
        "SELECT units, COUNT(*) FROM main.orders GROUP BY units", 3, l0=3, keys=1
    ),
    "one row in each group": claim(
        "SELECT region, COUNT(*) FROM main.rated GROUP BY region", 3, l0=3, linf=1, keys=1
    ),
    "one row in each group of what is equal": claim(
        "SELECT g.id, COUNT(*) FROM main.rated r CROSS JOIN main.regions g WHERE r.region = g.id "
        "GROUP BY g.id",
        3,
        l0=3,
        linf=1,
        keys=1,
    ),
    "a unit's sum, clamped": claim(PAID, 5),
    "exists": claim(
        "SELECT COUNT(*) FROM main.customers c WHERE EXISTS "
        "(SELECT 1 FROM main.orders o WHERE o.customer = c.id)",
        1,
    ),
    "union": claim(
        "WITH b AS (SELECT customer AS u FROM main.orders UNION ALL SELECT id FROM main.customers) "
        "SELECT COUNT(*) FROM b",
        4,
    ),
    "left join": claim(
        "SELECT COUNT(*) FROM main.customers c LEFT JOIN main.orders o ON c.id = o.customer", 3
    ),
    "distinct": claim("SELECT COUNT(DISTINCT units) FROM main.orders", 3),
    "nobody's rows left out": claim(
        "SELECT COUNT(*) FROM main.nobody WHERE customer IS NOT NULL", 3
    ),
    "float in steps": claim(
        "SELECT SUM(CAST(ROUND(CASE WHEN score < 0 THEN 0 WHEN score > 1 THEN 1 ELSE score END "
        "/ CAST('0.1' AS DOUBLE)) AS BIGINT)) FROM main.customers",
        10,
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_followed(name: str) -> None:
    assert certify(RIGHT[name], SHOP).lines()


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("which", ["l1", "linf", "l2_squared", "l0"])
def test_a_claim_that_is_too_small_by_one_is_refused(name: str, which: str) -> None:
    right = RIGHT[name]
    (one,) = right.measures
    numbers = {n: getattr(one, n) for n in ("l0", "l1", "l2_squared", "linf")}
    less = Measure(one.label, one.terms, **{**numbers, which: numbers[which] - 1}, family=0)
    refused(Sums(right.text, right.keys, (less,)))


def test_a_replaced_unit_is_two() -> None:
    right = RIGHT["several groups"]
    refused(right, REPLACED)
    certify(claim(right.text, 6, l0=6, linf=3, keys=1), REPLACED)
    refused(claim(right.text, 5, l0=6, linf=3, keys=1), REPLACED)
    refused(claim(f"SELECT SUM({CLAMPED} - 4) FROM main.customers", 6), REPLACED)  # -4 becomes 6
    certify(claim(f"SELECT SUM({CLAMPED} - 4) FROM main.customers", 10), REPLACED)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name, COUNT(*) FROM main.rated CROSS JOIN main.regions WHERE region = id "
        "GROUP BY name",
        "SELECT id, COUNT(*) FROM main.rated CROSS JOIN main.regions WHERE region < id GROUP BY id",
        "SELECT region // 2, COUNT(*) FROM main.rated GROUP BY region // 2",
        "SELECT customer, COUNT(*) FROM main.rated GROUP BY customer",
        "SELECT CAST(region AS BOOLEAN), COUNT(*) FROM main.rated GROUP BY CAST(region AS BOOLEAN)",
        "SELECT CAST(CAST(region AS BOOLEAN) AS TINYINT), COUNT(*) FROM main.rated "
        "GROUP BY CAST(CAST(region AS BOOLEAN) AS TINYINT)",
        "SELECT TRY_CAST(region AS TINYINT), COUNT(*) FROM main.rated "
        "GROUP BY TRY_CAST(region AS TINYINT)",
    ],
)
def test_rows_of_one_group_are_told_apart_by_what_it_is_grouped_by_alone(text: str) -> None:
    refused(claim(text, 3, l0=3, linf=1, keys=1))
    refused(claim(text, 9, l0=3, linf=1, keys=1))


WRONG = {
    "the days of an interval, which are no days of a month": (
        "SELECT SUM(day(to_days(units * 100))) FROM main.orders", 93
    ),
    "the noon of a day, which is read as the day": (
        "SELECT SUM(w.n) FROM main.customers c JOIN (SELECT n FROM (VALUES (1, "
        "CAST('2021-07-30' AS DATE))) AS v(n, d) WHERE d = CAST('2021-07-30 12:00:00' AS DATE)) w "
        "ON TRUE", 0
    ),
    "a unit that may be NULL as another number": (
        AGAIN.format("TRY_CAST(customer AS TINYINT)"), 5
    ),
    "one row of all that a row may not meet": (
        "SELECT COUNT(*) FROM main.orders o LEFT JOIN (SELECT COUNT(*) AS n FROM main.regions) b "
        "ON o.id = b.n", 2
    ),
    "one row of none that no row meets": (
        "SELECT COUNT(*) FROM main.customers c CROSS JOIN (SELECT a.n FROM (SELECT COUNT(*) AS n "
        "FROM (VALUES (1), (2)) AS v(i)) a LEFT JOIN (SELECT w.i FROM (VALUES (1)) AS w(i) "
        "WHERE FALSE) b ON TRUE) z", 0
    ),
    "a part of all rows": (
        "SELECT COUNT(*) FROM main.customers CROSS JOIN (SELECT id FROM main.wide LIMIT 50%) b", 50
    ),
    "a text that is read as a number": (
        "SELECT COUNT(*) FROM main.customers c CROSS JOIN (VALUES (1), ('1')) v(i) "
        "JOIN (VALUES (1), ('1')) w(i) ON v.i = w.i", 2
    ),
    "a date that is written in two ways": (
        "SELECT COUNT(*) FROM main.customers c CROSS JOIN (VALUES (CAST('2024-01-01' AS DATE)), "
        "(CAST('2024-1-1' AS DATE))) v(i) JOIN (VALUES (CAST('2024-01-01' AS DATE)), "
        "(CAST('2024-1-1' AS DATE))) w(i) ON v.i = w.i", 2
    ),
    "a text in two cases": (
        "SELECT COUNT(*) FROM main.customers c JOIN (VALUES (upper('a')), (upper('A'))) v(i) "
        "ON v.i = c.segment", 1
    ),
    "floats of a function of NULL": (
        "SELECT SUM(CASE WHEN age > 20 THEN age ELSE sqrt(CAST(NULL AS DOUBLE)) END) "
        "FROM main.customers", 99
    ),
    "units as truths": (AGAIN.format("CAST(customer AS BOOLEAN)"), 5),
    "units as floats": (AGAIN.format("CAST(customer AS DOUBLE)"), 5),
    "units that are joined as truths": (LAID.format("CAST(customer AS BOOLEAN)"), 12),
    "no clamp": ("SELECT SUM(wild) FROM main.customers", 10),
    "clamp on one side": ("SELECT SUM(LEAST(wild, 10)) FROM main.customers", 10),
    "clamp after the sum": (
        "SELECT CASE WHEN SUM(wild) > 10 THEN 10 ELSE SUM(wild) END FROM main.customers", 10
    ),
    "clamp after the sum, in HAVING": (
        "SELECT SUM(age) FROM main.customers HAVING SUM(age) < 10", 10
    ),
    "clamp of another column": (
        "SELECT SUM(CASE WHEN age < 0 THEN 0 WHEN age > 10 THEN 10 ELSE wild END) "
        "FROM main.customers", 10
    ),
    "clamp the wrong way round": (
        "SELECT SUM(CASE WHEN wild > 0 THEN wild WHEN wild > 10 THEN 10 ELSE 0 END) "
        "FROM main.customers", 10
    ),
    "clamp of a float that may be NaN below": (
        "SELECT SUM(CAST(CASE WHEN score < 0 THEN 0 ELSE score END AS BIGINT)) "
        "FROM main.customers", 10
    ),
    "no quota": ("SELECT COUNT(*) FROM main.free", 2),
    "quota of all": (QUOTA.replace("PARTITION BY customer ", ""), 18),
    "quota of another column": (QUOTA.replace("PARTITION BY customer", "PARTITION BY units"), 18),
    "quota one too high": (QUOTA.replace("p <= 2", "p <= 3"), 18),
    "quota from below": (QUOTA.replace("p <= 2", "p >= 2"), 18),
    "quota by an order that is not certain": (
        QUOTA.replace("ORDER BY units, customer", "ORDER BY customer"), 18
    ),
    "quota by an order in which NULLs tie": (
        QUOTA.replace("ORDER BY units, customer", "ORDER BY ticket"), 18
    ),
    "quota by rank, which ties share": (QUOTA.replace("ROW_NUMBER", "RANK"), 18),
    "listed rows that a condition leaves": (LISTED.format("c.age > v.i"), 2),
    "an end that a condition leaves": (LISTED.format("c.age <= v.i + 8"), 1),
    "values equal to listed ones": (EQUAL, 1),
    "join not on the unit": (
        "SELECT COUNT(*) FROM main.orders o JOIN main.customers c ON o.units = c.age", 3
    ),
    "join on another's unit": (
        "SELECT COUNT(*) FROM main.orders o JOIN main.customers c ON o.friend = c.id", 3
    ),
    "join without a condition": ("SELECT COUNT(*) FROM main.orders o, main.customers c", 3),
    "join that is an inequality": (
        "SELECT COUNT(*) FROM main.orders o JOIN main.customers c ON o.customer <= c.id", 3
    ),
    "join in one branch of OR": (
        "SELECT COUNT(*) FROM main.orders o, main.customers c "
        "WHERE o.customer = c.id OR o.units = 1", 3
    ),
    "join that doubles": (
        "SELECT COUNT(*) FROM main.orders a JOIN main.orders b ON a.customer = b.customer", 3
    ),
    "join with public rows without a key": (
        "SELECT COUNT(*) FROM main.customers c JOIN main.regions r ON c.segment = r.name", 1
    ),
    "left join that doubles": (
        "SELECT COUNT(*) FROM main.customers c LEFT JOIN main.orders o ON c.id = o.customer", 1
    ),
    "left join to private rows": (
        "SELECT COUNT(*) FROM main.regions r LEFT JOIN main.customers c ON c.region = r.id", 1
    ),
    "left join to another's rows": (
        "SELECT COUNT(*) FROM main.customers c LEFT JOIN main.orders o ON c.age = o.units", 3
    ),
    "full join": (
        "SELECT COUNT(*) FROM main.customers c FULL JOIN main.orders o ON c.id = o.customer", 4
    ),
    "union that doubles": (
        "WITH b AS (SELECT id AS u FROM main.customers UNION ALL SELECT id FROM main.customers) "
        "SELECT COUNT(*) FROM b", 1
    ),
    "union with another column": (
        "WITH b AS (SELECT id AS u FROM main.customers UNION ALL SELECT wild FROM main.customers), "
        "g AS (SELECT u, COUNT(*) AS n FROM b GROUP BY u) SELECT COUNT(*) FROM g", 2
    ),
    "union with public rows": (
        "WITH b AS (SELECT id AS u FROM main.customers UNION ALL SELECT id FROM main.regions) "
        "SELECT COUNT(*) FROM b", 1
    ),
    "union without ALL": (
        "WITH b AS (SELECT age FROM main.customers UNION SELECT age FROM main.customers) "
        "SELECT COUNT(*) FROM b", 2
    ),
    "grouped without the unit": (
        "WITH g AS (SELECT age, COUNT(*) AS n FROM main.customers GROUP BY age) "
        "SELECT COUNT(*) FROM g", 1
    ),
    "groups of all": (
        "WITH g AS (SELECT COUNT(*) AS n FROM main.customers) SELECT SUM(n) FROM g", 1
    ),
    "distinct without the unit": (
        "WITH g AS (SELECT DISTINCT age FROM main.customers) SELECT COUNT(*) FROM g", 1
    ),
    "window without the unit": (
        "WITH w AS (SELECT id, SUM(age) OVER (PARTITION BY segment) AS s FROM main.customers) "
        "SELECT SUM(CASE WHEN s > 5 THEN 5 ELSE s END) FROM w", 5
    ),
    "a unit's sum without a clamp": (
        "WITH own AS (SELECT customer AS u, SUM(units) AS s FROM main.orders GROUP BY customer) "
        "SELECT SUM(s) FROM own", 5
    ),
    "scalar subquery over private rows": (
        "SELECT COUNT(*) FROM main.customers WHERE age > (SELECT AVG(age) FROM main.customers)", 1
    ),
    "IN over private rows": (
        "SELECT COUNT(*) FROM main.customers WHERE age IN (SELECT units FROM main.orders)", 1
    ),
    "EXISTS of others": (
        "SELECT COUNT(*) FROM main.customers c WHERE EXISTS "
        "(SELECT 1 FROM main.orders o WHERE o.units = c.age)", 1
    ),
    "NOT EXISTS of others": (
        "SELECT COUNT(*) FROM main.customers c WHERE NOT EXISTS "
        "(SELECT 1 FROM main.orders o WHERE o.customer > c.id)", 1
    ),
    "EXISTS asked by public rows": (
        "SELECT COUNT(*) FROM main.regions r WHERE EXISTS "
        "(SELECT 1 FROM main.customers c WHERE c.region = r.id)", 1
    ),
    "a match among others": (
        "SELECT COUNT(*) FROM main.customers c LEFT JOIN main.orders o ON o.units = c.age "
        "WHERE o.id IS NULL", 1
    ),
    "an equal float, of which numbers are rounded": (
        "SELECT COUNT(*) FROM main.customers c JOIN main.wide w ON w.id = c.score", 1
    ),
    "rows of nobody": ("SELECT COUNT(*) FROM main.nobody", 3),
    "random": ("SELECT COUNT(*) FROM main.customers WHERE random() < 0.5", 1),
    "the clock": ("SELECT COUNT(*) FROM main.customers WHERE now() > '2024-01-01'", 1),
    "a function that nobody knows": ("SELECT SUM(f(age)) FROM main.customers", 99),
    "a setting": ("SELECT COUNT(*) FROM main.customers WHERE getvariable('x') = 1", 1),
    "TRY_CAST of a text": ("SELECT SUM(TRY_CAST(segment AS INTEGER)) FROM main.customers", 99),
    "floats": ("SELECT SUM(LEAST(GREATEST(score, 0), 1)) FROM main.customers", 1),
    "float of 32 bits": ("SELECT SUM(small) FROM main.customers", 1),
    "overflow of a type": ("SELECT SUM(CAST(wild AS TINYINT)) FROM main.customers", 100),
    "product": ("SELECT SUM(age * age) FROM main.customers", 99),
    "division by less than 1": (
        "SELECT SUM(CAST(age / CAST('0.5' AS DOUBLE) AS BIGINT)) FROM main.customers", 99
    ),
    "sum of what may be first": (
        "WITH g AS (SELECT customer, ANY_VALUE(units) AS x FROM main.orders GROUP BY customer) "
        "SELECT SUM(x) FROM g", 9
    ),
    "average": ("SELECT AVG(age) FROM main.customers", 99),
    "maximum": ("SELECT MAX(age) FROM main.customers", 99),
    "list": ("SELECT LIST(age) FROM main.customers", 99),
    "filtered aggregate": ("SELECT COUNT(*) FILTER (age > 3) FROM main.customers", 1),
    "sample": ("SELECT COUNT(*) FROM main.customers USING SAMPLE 10%", 1),
    "limit": ("WITH a AS (SELECT id FROM main.customers LIMIT 5) SELECT COUNT(*) FROM a", 1),
    "order and limit at the end": ("SELECT COUNT(*) FROM main.customers LIMIT 1", 1),
    "HAVING at the end": ("SELECT COUNT(*) FROM main.customers HAVING COUNT(*) > 5", 1),
    "QUALIFY": ("SELECT COUNT(*) FROM main.customers QUALIFY ROW_NUMBER() OVER () < 2", 1),
    "recursion": (
        "WITH RECURSIVE r AS (SELECT id FROM main.customers UNION ALL SELECT id FROM r) "
        "SELECT COUNT(*) FROM r", 1
    ),
    "a table that nobody knows": ("SELECT COUNT(*) FROM main.other", 1),
    "the same table elsewhere": ("SELECT COUNT(*) FROM temp.main.customers", 1),
    "a table function": ("SELECT COUNT(*) FROM read_csv('/etc/passwd')", 1),
    "two statements": ("SELECT COUNT(*) FROM main.customers; SELECT 1", 1),
    "no query": ("DROP TABLE main.customers", 1),
    "rows as they are": ("SELECT id FROM main.customers", 1),
    "another sum beside it": ("SELECT COUNT(*) * SUM(wild) FROM main.customers", 1),
    "a lateral join": (
        "SELECT COUNT(*) FROM main.customers c, LATERAL (SELECT * FROM main.orders o) t", 1
    ),
    "grouping sets": (
        "SELECT COUNT(*) FROM main.customers GROUP BY GROUPING SETS ((age), ())", 1
    ),
    "groups by number": ("SELECT COUNT(*) FROM main.customers GROUP BY ALL", 1),
    "natural join": ("SELECT COUNT(*) FROM main.customers NATURAL JOIN main.orders", 1),
    "join by USING": ("SELECT COUNT(*) FROM main.customers JOIN main.orders USING (id)", 1),
    "nested deeply": ("SELECT " + "(" * 900 + "COUNT(*)" + ")" * 900 + " FROM main.free", 1),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_by_one_thing_is_refused(name: str) -> None:
    refused(claim(*WRONG[name]))


def test_groups_that_one_unit_is_in_count() -> None:
    text = "SELECT units, COUNT(*) FROM main.orders GROUP BY units"
    refused(claim(text, 3, l0=2, keys=1))
    refused(claim("SELECT age, COUNT(*) FROM main.orders GROUP BY units", 3, l0=3, keys=1))


def test_groups_by_what_is_cast_and_stays_apart_are_those_of_the_column() -> None:
    for key in ("CAST(region AS TINYINT)", "CAST(CAST(region AS BIGINT) AS TINYINT)"):
        text = f"SELECT {key}, COUNT(*) FROM main.rated GROUP BY {key}"
        certify(claim(text, 3, l0=3, linf=1, keys=1), SHOP)
