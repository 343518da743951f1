"""Two spellings of one meaning have the same sensitivities, the same groups and the same cost."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from dpsql.report.explanation.explanation import explanation
from tests.adversarial.queries import Query, queries
from tests.adversarial.rewriting import REWRITES, rewritten
from tests.support.policies import load

Meaning = tuple[object, ...]

SHOP: dict[str, tuple[str, ...]] = {
    "join": (
        "SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer = c.id WHERE c.vip",
        "SELECT COUNT(*) AS n FROM customers c, orders o WHERE o.customer = c.id AND c.vip",
        "SELECT COUNT(*) AS n FROM orders o JOIN customers c ON c.id = o.customer WHERE c.vip",
        "SELECT COUNT(*) AS n FROM customers c INNER JOIN orders o ON o.customer = c.id AND c.vip",
        "SELECT COUNT(*) AS n FROM customers c CROSS JOIN orders o WHERE c.vip AND c.id=o.customer",
        "SELECT COUNT(*) AS n FROM (customers c JOIN orders o ON o.customer = c.id) WHERE c.vip",
        "SELECT COUNT(*) AS n FROM orders o RIGHT JOIN customers c ON o.customer = c.id"
        " WHERE c.vip AND o.customer = c.id",
        "WITH c AS (SELECT * FROM customers WHERE vip), o AS (SELECT * FROM orders)"
        " SELECT COUNT(*) AS n FROM c JOIN o ON o.customer = c.id",
        "SELECT COUNT(*) AS n FROM (SELECT * FROM customers WHERE vip) c"
        " JOIN (SELECT * FROM orders) o ON o.customer = c.id",
        "SELECT COUNT(*) AS n FROM customers c, LATERAL (SELECT * FROM orders o"
        " WHERE o.customer = c.id) o WHERE c.vip",
        "SELECT COUNT(*) AS n FROM (SELECT id AS customer, vip FROM customers) c"
        " JOIN orders USING (customer) WHERE vip",
        "SELECT COUNT(*) AS n FROM (SELECT id AS customer, vip FROM customers) c"
        " NATURAL JOIN orders WHERE vip",
        'SELECT COUNT(*) AS "n" FROM "customers" AS "c" JOIN "orders" AS "o"'
        ' ON "o"."customer" = "c"."id" WHERE "c"."vip"',
        "select count(*) as N from CUSTOMERS C join ORDERS O on O.CUSTOMER = C.ID where C.VIP",
        "SELECT COUNT(*) AS n FROM main.customers JOIN main.orders ON customer = customers.id"
        " WHERE vip",
        "FROM customers c JOIN orders o ON o.customer = c.id SELECT COUNT(*) AS n WHERE c.vip",
    ),
    "exists": (
        "SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o"
        " WHERE o.customer = c.id AND o.paid)",
        "SELECT COUNT(*) FROM customers c WHERE c.id IN (SELECT customer FROM orders WHERE paid)",
        "SELECT COUNT(*) FROM customers c SEMI JOIN orders o ON o.customer = c.id AND o.paid",
        "SELECT COUNT(*) FROM customers c"
        " SEMI JOIN (SELECT * FROM orders WHERE paid) o ON o.customer = c.id",
        "SELECT COUNT(*) FROM customers c WHERE id = ANY (SELECT customer FROM orders WHERE paid)",
        "SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT * FROM orders o"
        " WHERE c.id = o.customer AND o.paid LIMIT 1)",
        "SELECT COUNT(*) FROM customers c WHERE NOT NOT EXISTS (SELECT 1 FROM orders o"
        " WHERE o.paid AND o.customer = c.id)",
        "SELECT COUNT(*) FROM customers c WHERE c.id IN (SELECT DISTINCT customer FROM orders"
        " WHERE paid)",
        "WITH p AS (SELECT customer FROM orders WHERE paid)"
        " SELECT COUNT(*) FROM customers c WHERE c.id IN (SELECT customer FROM p)",
        "SELECT COUNT(*) FROM customers c WHERE c.id IN (FROM orders SELECT customer WHERE paid)",
    ),
    "not exists": (
        "SELECT SUM(age) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o"
        " WHERE o.customer = c.id)",
        "SELECT SUM(age) FROM customers c ANTI JOIN orders o ON o.customer = c.id",
        "SELECT SUM(age) FROM customers c WHERE NOT (EXISTS (SELECT 1 FROM orders o"
        " WHERE o.customer = c.id))",
    ),
    "existence in the CASE of a sum": (
        "SELECT SUM(age) FILTER (WHERE vip AND age > 30) FROM customers",
        "SELECT SUM(CASE WHEN vip AND age > 30 THEN age END) FROM customers",
        "SELECT SUM(CASE WHEN age > 30 AND vip THEN age ELSE NULL END) FROM customers",
        "SELECT SUM(IF(vip AND age > 30, age, NULL)) FROM customers",
    ),
    "count if": (
        "SELECT COUNT_IF(vip) FROM customers",
        "SELECT COUNT(*) FILTER (WHERE vip) FROM customers",
        "SELECT COUNT(CASE WHEN vip THEN 1 END) FROM customers",
        "SELECT COUNT(CASE vip WHEN TRUE THEN 1 END) FROM customers",
        "SELECT COUNT(*) FILTER (vip) FROM customers",
        "SELECT COUNT(*) FROM customers WHERE vip",
        "SELECT COUNT(*) FROM customers WHERE vip IS TRUE",
        "SELECT COUNT(*) FROM customers WHERE vip = TRUE",
    ),
    "between": (
        "SELECT SUM(age) FROM customers WHERE age BETWEEN 20 AND 30",
        "SELECT SUM(age) FROM customers WHERE age >= 20 AND age <= 30",
        "SELECT SUM(age) FROM customers WHERE 20 <= age AND 30 >= age",
        "SELECT SUM(age) FROM customers WHERE NOT (age < 20 OR age > 30)",
        "SELECT SUM(age) FROM customers WHERE NOT age NOT BETWEEN 20 AND 30",
        "SELECT SUM(age) FROM customers WHERE NOT (NOT (age >= 20) OR NOT age <= 30)",
        "SELECT SUM(age) FROM customers WHERE (((age)) BETWEEN (20) AND ((30)))",
        "SELECT SUM(age) FROM customers WHERE age > 19 AND age < 31",
        "SELECT SUM(age) FROM (SELECT * FROM customers WHERE age >= 20) c WHERE age <= 30",
        "SELECT SUM(c.age) FROM customers AS c WHERE c.age BETWEEN 20 AND 30",
        "SELECT SUM(years) FROM (SELECT age AS years FROM customers) WHERE years BETWEEN 20 AND 30",
        "WITH c(years) AS (SELECT age FROM customers)"
        " SELECT SUM(years) FROM c WHERE years BETWEEN 20 AND 30",
    ),
    "group by": (
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY segment",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY 1",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY s",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY ALL",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY customers.segment",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY segment, 1, s",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY (segment)",
        "SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY GROUPING SETS ((segment))",
        "SELECT s, SUM(b) AS b FROM (SELECT segment AS s, balance AS b FROM customers) GROUP BY s",
        "SELECT * FROM (SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY 1)",
        "WITH t AS (SELECT segment AS s, SUM(balance) AS b FROM customers GROUP BY 1) FROM t",
    ),
    "group by an expression": (
        "SELECT month(day) AS m, COUNT(*) FROM orders GROUP BY month(day)",
        "SELECT month(day) AS m, COUNT(*) FROM orders GROUP BY m",
        "SELECT extract(month FROM day) AS m, COUNT(*) FROM orders GROUP BY 1",
        "SELECT date_part('month', day) AS m, COUNT(*) FROM orders GROUP BY ALL",
        "SELECT m, COUNT(*) FROM (SELECT month(day) AS m FROM orders) GROUP BY m",
        "SELECT MONTH(DAY) AS m, COUNT(*) FROM ORDERS GROUP BY Month(Day)",
    ),
    "distinct": (
        "SELECT DISTINCT segment FROM customers",
        "SELECT segment FROM customers GROUP BY segment",
        "SELECT segment FROM customers GROUP BY ALL",
        "SELECT DISTINCT segment FROM (SELECT segment FROM customers)",
    ),
    "distinct pairs": (
        "SELECT COUNT(*) FROM (SELECT DISTINCT customer, status FROM orders)",
        "SELECT COUNT(*) FROM (SELECT customer, status FROM orders GROUP BY customer, status)",
        "SELECT COUNT(*) FROM (SELECT status, customer FROM orders GROUP BY 2, 1)",
        "WITH d AS (SELECT DISTINCT customer, status FROM orders) SELECT COUNT(*) FROM d",
    ),
    "having": (
        "SELECT COUNT(*) FROM (SELECT customer FROM orders GROUP BY customer HAVING COUNT(*) > 1)",
        "SELECT COUNT(*) FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer)"
        " WHERE n > 1",
        "SELECT COUNT(*) FROM (SELECT * FROM"
        " (SELECT customer, COUNT(*) AS n FROM orders GROUP BY 1) WHERE n > 1)",
        "SELECT COUNT(*) FROM (SELECT customer, COUNT(*) AS n FROM orders GROUP BY 1 HAVING n > 1)",
    ),
    "having of a release": (
        "SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING COUNT(*) > 5",
        "SELECT * FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) WHERE n > 5",
        "SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment HAVING n > 5",
    ),
    "casts": (
        "SELECT SUM(CAST(age AS BIGINT)) FROM customers",
        "SELECT SUM(age::BIGINT) FROM customers",
        "SELECT SUM(age::INT8) FROM customers",
        "SELECT SUM(CAST(age AS LONG)) FROM customers",
        "SELECT SUM(age) FROM customers",
        "SELECT SUM(age + 0) FROM customers",
        "SELECT SUM(- -age) FROM customers",
        "SELECT SUM((age)) FROM customers",
        "SELECT SUM(1 * age) FROM customers",
    ),
    "lists": (
        "SELECT COUNT(*) FROM orders WHERE code IN (1, 2, 3)",
        "SELECT COUNT(*) FROM orders WHERE code = 1 OR code = 2 OR code = 3",
        "SELECT COUNT(*) FROM orders WHERE code IN (3, 1, 2, 2)",
        "SELECT COUNT(*) FROM orders WHERE (code = 1 OR (code = 2 OR code = 3))",
        "SELECT COUNT(*) FROM orders WHERE code = ANY (VALUES (1), (2), (3))",
        "SELECT COUNT(*) FROM orders WHERE code IN (VALUES (1), (2), (3))",
    ),
    "a list of groups": (
        "SELECT email, COUNT(*) FROM customers WHERE email IN ('a', 'b') GROUP BY email",
        "SELECT email, COUNT(*) FROM customers WHERE email = 'a' OR email = 'b' GROUP BY 1",
        "SELECT email, COUNT(*) FROM customers WHERE NOT (email <> 'a' AND email <> 'b')"
        " GROUP BY email",
        "SELECT email, COUNT(*) FROM customers WHERE NOT email NOT IN ('a', 'b') GROUP BY email",
        "SELECT email, COUNT(*) FROM (SELECT * FROM customers WHERE email IN ('b', 'a'))"
        " GROUP BY email",
    ),
    "De Morgan": (
        "SELECT AVG(amount) FROM orders WHERE NOT (paid OR units > 3)",
        "SELECT AVG(amount) FROM orders WHERE NOT paid AND NOT units > 3",
        "SELECT AVG(amount) FROM orders WHERE units <= 3 AND NOT paid",
        "SELECT AVG(amount) FROM orders WHERE NOT NOT (NOT paid AND units <= 3)",
        "SELECT AVG(amount) FROM orders WHERE paid IS FALSE AND 3 >= units",
    ),
    "three tables": (
        "SELECT SUM(l.quantity) FROM customers c JOIN orders o ON o.customer = c.id"
        " JOIN lines l ON l.order_id = o.id",
        "SELECT SUM(l.quantity) FROM lines l JOIN orders o ON l.order_id = o.id"
        " JOIN customers c ON o.customer = c.id",
        "SELECT SUM(l.quantity) FROM lines l, orders o, customers c"
        " WHERE c.id = o.customer AND o.id = l.order_id",
        "SELECT SUM(l.quantity) FROM customers c JOIN (orders o JOIN lines l ON l.order_id = o.id)"
        " ON o.customer = c.id",
        "SELECT SUM(l.quantity) FROM customers c, orders o JOIN lines l ON l.order_id = o.id"
        " WHERE o.customer = c.id",
        "SELECT SUM(quantity) FROM (SELECT o.customer, l.quantity FROM orders o JOIN lines l"
        " ON l.order_id = o.id) x JOIN customers c ON x.customer = c.id",
    ),
    "left and right": (
        "SELECT COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer = c.id",
        "SELECT COUNT(*) FROM orders o RIGHT JOIN customers c ON o.customer = c.id",
        "SELECT COUNT(*) FROM orders o RIGHT OUTER JOIN customers c ON c.id = o.customer",
        "SELECT COUNT(*) FROM customers c LEFT OUTER JOIN (SELECT * FROM orders) o"
        " ON o.customer = c.id",
        "SELECT COUNT(*) FROM (SELECT id AS customer FROM customers) c LEFT JOIN orders"
        " USING (customer)",
    ),
    "full": (
        "SELECT COUNT(*) FROM customers c FULL JOIN orders o ON o.customer = c.id",
        "SELECT COUNT(*) FROM customers c FULL OUTER JOIN orders o ON c.id = o.customer",
    ),
    "public values": (
        "SELECT r.name, COUNT(*) FROM customers c JOIN regions r ON c.region=r.id GROUP BY r.name",
        "SELECT r.name, COUNT(*) FROM regions r, customers c WHERE r.id = c.region GROUP BY 1",
        "SELECT name, COUNT(*) FROM regions r JOIN customers c ON c.region = r.id GROUP BY name",
        "SELECT name, COUNT(*) FROM (SELECT id AS region, name FROM regions) r"
        " JOIN customers USING (region) GROUP BY name",
    ),
    "arithmetic": (
        "SELECT SUM(amount * units) FROM orders",
        "SELECT SUM(units * amount) FROM orders",
        "SELECT SUM(x * y) FROM (SELECT amount AS x, units AS y FROM orders)",
    ),
    "null tests": (
        "SELECT COUNT(*) FROM orders WHERE code IS NOT NULL",
        "SELECT COUNT(*) FROM orders WHERE NOT code IS NULL",
        "SELECT COUNT(*) FROM orders WHERE NOT (code ISNULL)",
        "SELECT COUNT(*) FROM orders WHERE code NOTNULL",
        "SELECT COUNT(*) FROM orders WHERE code IS DISTINCT FROM NULL",
    ),
    "coalesce": (
        "SELECT SUM(COALESCE(age, 20)) FROM customers",
        "SELECT SUM(IFNULL(age, 20)) FROM customers",
        "SELECT SUM(CASE WHEN age IS NULL THEN 20 ELSE age END) FROM customers",
        "SELECT SUM(CASE WHEN age IS NOT NULL THEN age ELSE 20 END) FROM customers",
    ),
    "a scalar": (
        "SELECT COUNT(*) FROM customers c WHERE (SELECT COUNT(*) FROM orders o"
        " WHERE o.customer = c.id) > 1",
        "SELECT COUNT(*) FROM customers c WHERE 1 < (SELECT COUNT(*) FROM orders o"
        " WHERE c.id = o.customer)",
        "SELECT COUNT(*) FROM (SELECT (SELECT COUNT(*) FROM orders o WHERE o.customer = c.id) AS n"
        " FROM customers c) WHERE n > 1",
    ),
    "expressions above": (
        "SELECT COUNT(*) + 1 AS x FROM orders",
        "SELECT n + 1 AS x FROM (SELECT COUNT(*) AS n FROM orders)",
        "SELECT (SELECT COUNT(*) FROM orders) + 1 AS x",
        "WITH t AS (SELECT COUNT(*) AS n FROM orders) SELECT n + 1 AS x FROM t",
    ),
    "row number": (
        "SELECT SUM(amount) FROM (SELECT * FROM orders"
        " QUALIFY row_number() OVER (PARTITION BY customer ORDER BY day) = 1)",
        "SELECT SUM(amount) FROM (SELECT *, row_number() OVER (PARTITION BY customer ORDER BY day)"
        " AS r FROM orders) WHERE r = 1",
        "SELECT SUM(amount) FROM (SELECT *, row_number() OVER w AS r FROM orders"
        " WINDOW w AS (PARTITION BY customer ORDER BY day)) WHERE r = 1",
        "SELECT SUM(amount) FROM (SELECT *, row_number() OVER w AS r FROM orders"
        " WINDOW w AS (PARTITION BY customer ORDER BY day) QUALIFY r = 1)",
        "SELECT SUM(amount) FROM (SELECT *, row_number() OVER (PARTITION BY customer ORDER BY day)"
        " AS r FROM orders QUALIFY r <= 1)",
    ),
    "never true": (
        "SELECT SUM(region / 4), COUNT(*) FROM customers WHERE region IS NULL AND region > 2",
        "SELECT SUM(region / 4), COUNT(*) FROM customers WHERE region > 2 AND region IS NULL",
    ),
}

VISITS: dict[str, tuple[str, ...]] = {
    "rows": (
        "SELECT COUNT(*) FROM visits",
        "SELECT COUNT(1) FROM visits",
        "SELECT COUNT() FROM visits",
        "SELECT COUNT(ward) FROM visits",
        "SELECT COUNT(*) FROM (SELECT * FROM visits)",
        "SELECT COUNT(*) FROM visits WHERE TRUE",
        "SELECT COUNT(*) FROM visits WHERE 1 = 1",
        "SELECT SUM(1) FROM visits",
        "FROM visits SELECT COUNT(*)",
    ),
    "wards": (
        "SELECT site, SUM(cost) FROM visits JOIN wards USING (ward) GROUP BY site",
        "SELECT site, SUM(cost) FROM visits NATURAL JOIN wards GROUP BY site",
        "SELECT w.site, SUM(v.cost) FROM visits v JOIN wards w ON v.ward = w.ward GROUP BY 1",
        "SELECT w.site, SUM(v.cost) FROM wards w, visits v WHERE w.ward = v.ward GROUP BY ALL",
        'SELECT "SITE", SUM("Cost") FROM "Visits" JOIN "WARDS" USING ("WARD") GROUP BY "site"',
    ),
    "one ward": (
        "SELECT AVG(dose) FROM visits WHERE ward = 'a'",
        "SELECT AVG(dose) FROM visits WHERE 'a' = ward",
        "SELECT AVG(dose) FROM visits WHERE ward IN ('a')",
        "SELECT AVG(dose) FROM visits WHERE NOT ward <> 'a'",
        "SELECT AVG(dose) FROM visits WHERE ward == 'a'",
        "SELECT AVG(dose) FROM visits WHERE ward IS NOT DISTINCT FROM 'a'",
        "SELECT AVG(dose) FILTER (WHERE ward = 'a') FROM visits",
        "SELECT AVG(CASE WHEN ward = 'a' THEN dose END) FROM visits",
        "SELECT AVG(CASE ward WHEN 'a' THEN dose END) FROM visits",
    ),
    "two levels": (
        "SELECT AVG(n) FROM (SELECT pid, COUNT(*) AS n FROM visits GROUP BY pid)",
        "WITH t AS (SELECT pid, COUNT(*) AS n FROM visits GROUP BY pid) SELECT AVG(n) FROM t",
        "SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM visits GROUP BY pid)",
        "SELECT AVG(n) FROM (SELECT pid, COUNT(*) FROM visits GROUP BY 1) AS t(pid, n)",
    ),
    "people": (
        "SELECT COUNT(*) FROM (SELECT DISTINCT pid FROM visits)",
        "SELECT COUNT(*) FROM (SELECT pid FROM visits GROUP BY pid)",
    ),
    "union": (
        "SELECT COUNT(*) FROM (SELECT cost FROM visits UNION ALL SELECT cost FROM visits)",
        "WITH v AS (SELECT cost FROM visits)"
        " SELECT COUNT(*) FROM (FROM v UNION ALL FROM v)",
    ),
    "self join": (
        "SELECT COUNT(*) FROM visits a JOIN visits b ON a.pid = b.pid",
        "SELECT COUNT(*) FROM visits a JOIN visits b USING (pid)",
        "SELECT COUNT(*) FROM visits a, visits b WHERE b.pid = a.pid",
        "WITH v AS (SELECT * FROM visits) SELECT COUNT(*) FROM v a JOIN v b ON a.pid = b.pid",
    ),
    "rollup": (
        "SELECT ward, COUNT(*) FROM visits GROUP BY ROLLUP (ward)",
        "SELECT ward, COUNT(*) FROM visits GROUP BY CUBE (ward)",
        "SELECT ward, COUNT(*) FROM visits GROUP BY GROUPING SETS ((ward), ())",
    ),
    "dates": (
        "SELECT COUNT(*) FROM visits WHERE day >= DATE '2024-03-01'",
        "SELECT COUNT(*) FROM visits WHERE day >= '2024-03-01'",
        "SELECT COUNT(*) FROM visits WHERE day >= CAST('2024-03-01' AS DATE)",
        "SELECT COUNT(*) FROM visits WHERE day >= '2024-03-01'::DATE",
        "SELECT COUNT(*) FROM visits WHERE NOT day < DATE '2024-03-01'",
    ),
}  # fmt: skip

PAIRS = [
    pytest.param(policy, first, other, id=f"{policy}-{name}-{number}")
    for policy, meanings in (("shop", SHOP), ("visits", VISITS))
    for name, (first, *others) in meanings.items()
    for number, other in enumerate(others, 1)
]


def meaning(policy: str, text: str) -> Meaning:
    """What a query costs and how its releases depend on a unit."""
    compiled = compile_query(text, load(policy).schema, Fraction(1))
    releases = explanation(compiled, ()).releases
    return compiled.cost, sorted(
        tuple(-1 if n is None else n for n in (r.l0, r.l1, r.l2, r.linf, r.groups))
        for r in releases
    )


@pytest.mark.parametrize(("policy", "first", "other"), PAIRS)
def test_one_meaning(policy: str, first: str, other: str) -> None:
    assert meaning(policy, first) == meaning(policy, other)


def test_there_are_enough_pairs() -> None:
    assert len(PAIRS) >= 60


@pytest.mark.deep
@pytest.mark.parametrize("policy", ["shop", "visits", "replace", "shop verified"])
def test_random_spellings(policy: str) -> None:
    """Others each time."""

    @settings(
        max_examples=400,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(policy), st.lists(st.sampled_from(sorted(REWRITES)), min_size=1, max_size=4))
    def run(query: Query, names: list[str]) -> None:
        try:
            known = meaning(policy, query.text)
        except Rejected:
            assume(False)
        text = rewritten(query.text, names)
        assert meaning(policy, text) == known, f"{names}\n{query.text}\n{text}"

    run()
