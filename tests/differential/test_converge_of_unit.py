"""What is chosen or computed of one unit's rows, at an ε without noise, beside the engine's own."""

from __future__ import annotations

import pytest

from tests.differential.converge import both, plain
from tests.support.answers import home
from tests.support.policies import load

OF_ONE = "FROM orders AS o WHERE o.customer = c.id"

FIRST_ROWS = (
    f"SELECT SUM((SELECT units {OF_ONE} ORDER BY day DESC LIMIT 1)) FROM customers AS c",
    f"SELECT SUM((SELECT units {OF_ONE} AND paid ORDER BY day LIMIT 1)) FROM customers AS c",
    f"SELECT (SELECT status {OF_ONE} ORDER BY day LIMIT 1) AS s, COUNT(*) FROM customers AS c "
    "GROUP BY s",
    f"SELECT COUNT(*) FROM customers AS c WHERE (SELECT units {OF_ONE} ORDER BY day LIMIT 1) > "
    f"(SELECT units {OF_ONE} ORDER BY day DESC LIMIT 1)",
    f"SELECT (SELECT status {OF_ONE} GROUP BY status ORDER BY COUNT(*) DESC, status LIMIT 1) AS s, "
    "COUNT(*) FROM customers AS c GROUP BY s",
    f"SELECT COUNT(*) FROM customers AS c WHERE age IN (SELECT units {OF_ONE} ORDER BY day "
    "LIMIT 2)",
    f"SELECT COUNT(*) FROM customers AS c WHERE EXISTS (SELECT 1 {OF_ONE} ORDER BY day OFFSET 2)",
    f"SELECT SUM(x.units), COUNT(*) FROM customers AS c, LATERAL (SELECT units {OF_ONE} ORDER BY "
    "day LIMIT 1) AS x",
    f"SELECT SUM(x.units), COUNT(*) FROM customers AS c LEFT JOIN LATERAL (SELECT units {OF_ONE} "
    "ORDER BY day DESC NULLS LAST LIMIT 2) AS x ON TRUE",
    f"SELECT SUM(x.units), COUNT(*) FROM customers AS c, LATERAL (SELECT units {OF_ONE} ORDER BY "
    "day LIMIT 1 OFFSET 1) AS x",
    f"SELECT SUM(x.units), COUNT(*) FROM customers AS c, LATERAL (SELECT units {OF_ONE} ORDER BY "
    "day NULLS FIRST LIMIT 9 OFFSET 1) AS x",
    f"SELECT SUM(x.units), COUNT(*) FROM customers AS c, LATERAL (SELECT units FROM (SELECT units, "
    f"paid {OF_ONE} ORDER BY day LIMIT 2) WHERE paid AND units < c.age) AS x",
    f"SELECT SUM(x.n), COUNT(*) FROM customers AS c, LATERAL (SELECT COUNT(*) AS n FROM (SELECT "
    f"paid {OF_ONE} ORDER BY day LIMIT 2) WHERE paid) AS x",
    "SELECT r.id, x.vip, x.n FROM regions AS r, LATERAL (SELECT vip, COUNT(*) AS n FROM customers "
    "AS c WHERE c.region = r.id GROUP BY vip ORDER BY n DESC, vip LIMIT 1) AS x",
    "SELECT COUNT(*) FROM customers AS c, LATERAL (SELECT name FROM regions AS r WHERE r.id = "
    "c.region ORDER BY name LIMIT 1) AS x WHERE x.name = 'a'",
)
"""The first rows of a subquery for each row around it."""

LAST_BEFORE = (
    "SELECT h.name FROM holidays AS h WHERE h.day <= o.day "  # of an order
    "ORDER BY h.day DESC LIMIT 1"
)

NEAREST = (
    f"SELECT COUNT(*), SUM(units) FROM orders AS o WHERE ({LAST_BEFORE}) = 'a'",
    f"SELECT COUNT(*), SUM(units) FROM orders AS o WHERE ({LAST_BEFORE}) IS NULL",
    f"SELECT k, COUNT(*) FROM (SELECT ({LAST_BEFORE}) AS k FROM orders AS o) GROUP BY k "
    "HAVING COUNT(*) > 0",
    "SELECT COUNT(*) FROM orders AS o WHERE (SELECT h.name FROM holidays AS h WHERE h.day > o.day "
    "ORDER BY h.day LIMIT 1) = 'b'",
    "SELECT COUNT(*) FROM orders AS o WHERE (SELECT h.name FROM holidays AS h WHERE h.day <> o.day "
    "ORDER BY ABS(DATE_DIFF('day', h.day, o.day)), h.day LIMIT 1) = 'a'",
    "SELECT SUM(o.units - (SELECT q.units FROM orders AS q WHERE q.customer = o.customer AND "
    "q.placed < o.placed ORDER BY q.placed DESC LIMIT 1)) FROM orders AS o",
    "SELECT COUNT(*) FROM customers AS c JOIN orders AS o ON o.customer = c.id WHERE (SELECT "
    "q.paid FROM orders AS q WHERE q.customer = c.id AND q.units < o.units AND q.paid ORDER BY "
    "q.units DESC, q.id LIMIT 1)",
    "SELECT COUNT(*) FROM customers AS c LEFT JOIN orders AS o ON o.customer = c.id WHERE (SELECT "
    "r.name FROM regions AS r WHERE r.id < c.age - 19 ORDER BY r.id DESC LIMIT 1) = 'a'",
)
"""The same where more than an equality ties it to that row."""


OF_EACH = "FROM orders GROUP BY customer"

PLACES = (
    *(
        f"SELECT SUM(m), COUNT(m), COUNT(*) FROM (SELECT customer, {call} AS m {OF_EACH})"
        for call in (
            "MEDIAN(units)",
            "MEDIAN(amount)",
            "MEDIAN(weight)",
            "MEDIAN(units) FILTER (WHERE paid)",
            "MODE(units // 8)",
            *("STDDEV(units)", "STDDEV_POP(amount)", "VAR_POP(weight) FILTER (WHERE paid)"),
            *("VARIANCE(amount + units)", "VAR_SAMP(weight)"),
            "QUANTILE_DISC(amount, 0)",
            "QUANTILE_DISC(units, 1)",
            "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY weight)",
            *(
                f"QUANTILE_{kind}({column}, {fraction})"
                for kind in ("CONT", "DISC")
                for column in ("amount", "units")
                for fraction in (0.25, 0.3, 0.5, 0.67, 0.9)
            ),
        )
    ),
    "SELECT m, COUNT(*) FROM (SELECT customer, MODE(CASE WHEN paid THEN 'yes' ELSE 'no' END) AS m "
    f"{OF_EACH} HAVING COUNT(*) <> 2) GROUP BY m HAVING COUNT(*) > 0",
    f"SELECT m, COUNT(*) FROM (SELECT MEDIAN(paid) AS m {OF_EACH}) GROUP BY m HAVING COUNT(*) > 0",
    f"SELECT month(m) AS k, COUNT(*) FROM (SELECT QUANTILE_DISC(day, 0.4) AS m {OF_EACH}) "
    "GROUP BY k HAVING COUNT(*) > 0",
    "SELECT SUM(m), SUM(w), COUNT(*) FROM (SELECT customer, MEDIAN(units) AS m, MODE(paid) AS p, "
    f"ARG_MAX(status, day) AS s, AVG(weight) AS w, COUNT(*) AS n {OF_EACH}) WHERE p AND n <> 2 "
    "AND s <> 'open'",
    f"SELECT AVG(x), SUM(y) FROM (SELECT SUM(weight) / NULLIF(COUNT(paid), 0) AS x, "
    f"100 // NULLIF(MIN(units) - 1, 0) AS y {OF_EACH})",
    f"SELECT AVG(x), COUNT(x) FROM (SELECT SUM(weight) / COUNT(DISTINCT paid) AS x {OF_EACH})",
    *(
        f"SELECT SUM(EXTRACT(microsecond FROM m)), SUM(DATE_DIFF('minute', DATE '2024-01-01', m)), "
        f"COUNT(m) FROM (SELECT {call} AS m {OF_EACH})"
        for call in (
            *("MEDIAN(day)", "QUANTILE_CONT(day, 0.3)", "MEDIAN(placed)"),
            *(f"QUANTILE_CONT(placed, {fraction})" for fraction in (0.1, 0.3, 0.67, 0.9)),
            "MEDIAN(placed) FILTER (WHERE paid)",
        )
    ),
)
"""What is at a place in the order of one unit's rows, or of as many as are not NULL."""

TEXTS = (
    *(
        f"SELECT COUNT(*), SUM(LENGTH(s)) FROM (SELECT customer, STRING_AGG({text}) AS s "
        f"{OF_EACH}) WHERE s {condition}"
        for text, condition in (
            ("status, ' > ' ORDER BY placed", "= 'open > sent'"),
            ("status, '-' ORDER BY placed DESC", "LIKE '%t-%'"),
            ("DISTINCT status", "IS NOT NULL"),
            ("DISTINCT status, '' ORDER BY status DESC", "IN ('sentopen', 'open')"),
            ("CASE WHEN paid THEN status END, '/' ORDER BY placed", "IS NOT NULL"),
            ("units, ',' ORDER BY units", "LIKE '%,9'"),
        )
    ),
    "SELECT COUNT(*) FROM (SELECT paid, STRING_AGG(status, '-' ORDER BY placed) OVER (PARTITION BY "
    "customer) AS s FROM orders) WHERE s IN ('open-open', 'open-sent') AND paid",
)
"""The texts of one unit's rows as one text."""

OF_ONES = "OVER (PARTITION BY customer)"

OVER_PLACES = (
    *(
        f"SELECT SUM(m), COUNT(m), COUNT(*) FROM (SELECT {call} {OF_ONES} AS m FROM orders)"
        for call in (
            *("MEDIAN(units)", "MEDIAN(amount)", "QUANTILE_DISC(weight, 0.7)"),
            *("QUANTILE_CONT(weight, 0.3)", "ARG_MAX(units, placed)", "ARG_MIN(weight, placed)"),
            *("STDDEV(units)", "VAR_POP(amount)", "VAR_SAMP(units) FILTER (WHERE paid)"),
            *("LAST(units ORDER BY placed)", "MEDIAN(units) FILTER (WHERE paid)"),
        )
    ),
    f"SELECT p, COUNT(*) FROM (SELECT MODE(paid) {OF_ONES} AS p, COUNT(*) {OF_ONES} AS n FROM "
    "orders) WHERE n <> 2 GROUP BY p HAVING COUNT(*) > 0",
    f"SELECT COUNT(*) FROM (SELECT placed, MEDIAN(placed) {OF_ONES} AS m FROM orders) "
    "WHERE placed > m",
    f"SELECT status, SUM(units - m) FROM (SELECT status, units, MEDIAN(units) {OF_ONES} AS m, "
    f"MEDIAN(day) {OF_ONES} AS d, day FROM orders) WHERE day <= d GROUP BY status "
    "HAVING COUNT(*) > 0",
    "SELECT SUM(units - m) FROM (SELECT units, MEDIAN(units) OVER (PARTITION BY customer, paid) AS "
    "m, AVG(units) OVER () AS u FROM orders) WHERE units > u - 2",
)
"""The same as a window."""


@pytest.mark.parametrize("sql", [*FIRST_ROWS, *NEAREST, *PLACES, *OVER_PLACES, *TEXTS])
@pytest.mark.one_in(3)
def test_first_rows_converge(sql: str) -> None:
    """Customers with none, one, two and three orders; of some the day or a number is NULL."""
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    regions = [[str(i), name, "north"] for i, name in enumerate("abc", 1)]
    people = [
        [str(i), str(1 + i % 3), str(20 + i % 4), None, None, "true" if i % 5 else "false"]
        + [None] * 5
        for i in range(16)
    ]
    orders = [
        [
            *(str(10 * i + j), str(i), f"2024-0{1 + (i + 2 * j) % 7}-0{1 + j}" if i + j else None),
            f"2024-0{1 + (i + 2 * j) % 7}-03 0{j}:17:{10 + i}.00{i * j % 7}00{i % 10}",
            f"{(i * 37 + j * 11) % 50}.{(i * 7 + j) % 100:02}" if i % 7 else None,
            str((i * 5 + j * 3) % 20 + 0.125 * (i % 8)),
            "true" if (i + j) % 3 else "false",
            *(
                ("open", "sent", "done")[(i + j) // 3 % 3],
                str(1 + (5 * i + 3 * j) % 9),
                None,
                None,
                None,
            ),
        ]
        for i in range(16)
        for j in range(i % 4)
    ]
    days = [["2024-03-02", "a"], ["2024-05-01", "b"], ["2024-06-15", None]]
    filled = {"regions": regions, "holidays": days, "customers": people, "orders": orders}
    held.fill({**none, **filled})
    mine, theirs = both(held, sql)
    assert theirs and sorted(map(plain, mine)) == sorted(map(plain, theirs))


BOUGHT = "orders AS o JOIN lines AS l ON l.order_id = o.id JOIN products AS p ON p.id = l.product"

CHOSEN = (
    f"SELECT k, COUNT(*) FROM (SELECT customer, MIN(p.kind) AS k FROM {BOUGHT} GROUP BY 1) "
    "GROUP BY k",
    f"SELECT k, COUNT(*) FROM (SELECT customer, MAX(l.product) AS k FROM {BOUGHT} GROUP BY 1) "
    "GROUP BY k",
    f"SELECT k, COUNT(*) FROM (SELECT customer, ARG_MAX(p.kind, o.day) AS k FROM {BOUGHT} GROUP BY "
    "1) GROUP BY k",
    f"SELECT k, COUNT(*) FROM (SELECT customer, MODE(p.kind) FILTER (WHERE o.paid) AS k FROM "
    f"{BOUGHT} GROUP BY 1) GROUP BY k",
    f"SELECT k, COUNT(*) FROM (SELECT LAG(p.kind) OVER (PARTITION BY customer ORDER BY o.day) AS k "
    f"FROM {BOUGHT}) GROUP BY k",
    f"SELECT (SELECT p.kind FROM {BOUGHT} WHERE customer = c.id ORDER BY o.day LIMIT 1) AS k, "
    "COUNT(*) FROM customers AS c GROUP BY k",
    f"SELECT k, COUNT(*) FROM (SELECT customer, MIN(p.kind) AS k FROM {BOUGHT} GROUP BY 1) "
    "WHERE k <> 'toy' GROUP BY k",
    f"SELECT k, COUNT(*) FROM customers AS c LEFT JOIN (SELECT customer, MIN(p.kind) AS k FROM "
    f"{BOUGHT} GROUP BY 1) AS x ON x.customer = c.id GROUP BY k",
)
"""Groups by what was chosen among the rows of each unit: a public table lists them."""


@pytest.mark.parametrize("sql", CHOSEN)
def test_groups_of_what_was_chosen_converge(sql: str) -> None:
    held = home("shop")
    none = {name: [] for name in load("shop").schema.tables}
    products = [["1", "toy", "1"], ["2", "book", "2"], ["3", None, "3"], ["4", "toy", "4"]]
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(9)]
    orders = [
        [
            str(10 * i + j),
            str(i),
            f"2024-01-1{j}",
            *([None] * 3),
            str((i + j) % 2 > 0).lower(),
            None,
            "1",
            None,
            None,
            None,
        ]
        for i in range(8)
        for j in range(1 + i % 2)
    ]
    lines = [[o[0], str(1 + n % 4), "1", None, "false", None] for n, o in enumerate(orders)]
    held.fill({**none, "products": products, "customers": people, "orders": orders, "lines": lines})
    mine, theirs = both(held, sql)
    assert theirs and sorted(plain(r) for r in mine if r[1]) == sorted(map(plain, theirs))
