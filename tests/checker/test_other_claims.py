"""What is claimed beside sums: clips, listed groups, edges, offers, and rows that were released."""

from __future__ import annotations

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Clip, Clips, Edges, Feed, Listed, Offers, Released, Sums
from tests.checker.claims import REPLACED, SHOP, claim, refused


def test_rows_that_were_released_are_counted_by_what_makes_them() -> None:
    table = Released("r1", (("k", "BIGINT"), ("n", "BIGINT")), 1, 3)
    made = (
        "WITH f1 AS (SELECT unnest(CAST($a AS BIGINT[])) AS k) "
        "SELECT COUNT(*) FROM main.customers c CROSS JOIN f1"
    )

    def fed(text: str, l1: int, statement: str = made) -> Sums:
        return Sums(statement, 0, claim(made, l1).measures, (Feed("f1", text, (table,)),))

    certify(fed("SELECT k FROM r1", 3), SHOP)
    certify(fed("SELECT k FROM r1 UNION ALL SELECT id FROM regions", 6), SHOP)
    certify(fed("SELECT MAX(n) FROM r1", 1), SHOP)
    certify(fed("SELECT k FROM r1 ORDER BY n LIMIT 2", 2), SHOP)
    certify(fed("SELECT k FROM r1", 1, f"{made} WHERE f1.k = c.wild"), SHOP)
    refused(fed("SELECT k FROM r1", 2))
    refused(fed("SELECT n FROM r1", 1, f"{made} WHERE f1.k = c.wild"))
    refused(fed("SELECT k FROM r1 UNION ALL SELECT id FROM regions", 5))
    refused(fed("SELECT COUNT(*) FROM r1 GROUP BY n", 1))
    refused(fed("SELECT k FROM r1 ORDER BY n LIMIT 3", 2))
    refused(fed("SELECT a.k FROM r1 a, r1 b", 3))
    refused(fed("SELECT f(k) FROM r1 LIMIT 1", 3))
    refused(fed("SELECT id FROM main.customers LIMIT 1", 3))
    refused(fed("SELECT FROM", 3))
    refused(fed("SELECT k, n FROM r1", 3))


CLIPS = """
WITH cells AS (SELECT customer AS u, COUNT(*) AS n, SUM(units) AS s
    FROM main.free GROUP BY customer),
v AS (SELECT u, CAST(1 AS INT128) * cells.n AS n,
    CAST(1 AS INT128) * cells.s + CAST(-1 AS INT128) * cells.n AS v0 FROM cells),
m AS (SELECT u, SUM(ABS(n)) AS m FROM v GROUP BY u HAVING SUM(ABS(n)) > 0),
p AS (SELECT u, m, GREATEST(LEAST(CAST(LOG(2, m) AS BIGINT), 1), 0) AS b,
    CAST([1, 2] AS INT128[]) AS t FROM m),
b AS (SELECT u, m, CASE WHEN m <= t[b + 1] THEN b WHEN m <= t[b + 2] THEN b + 1 ELSE 2 END AS b
    FROM p)
SELECT 0 AS i, b, CAST(COUNT(*) AS INT128) AS a, CAST(NULL AS INT128) AS f FROM b GROUP BY b
UNION ALL SELECT 0 AS i, b.b, SUM(v.v0) AS a, SUM(v.v0 * 1 // b.m) AS f
FROM v JOIN b ON v.u = b.u GROUP BY b.b
"""


def clipped(text: str = CLIPS, width: int = 8, units: int = 1, parts: int = 1) -> Clips:
    return Clips(text, 0, (Clip(0, (0,), (1, 2), parts, width, units),))


def test_what_a_unit_adds_is_clipped_by_its_rows() -> None:
    certify(clipped(), SHOP)
    refused(clipped(width=7))
    refused(clipped(parts=2))
    refused(clipped(), REPLACED)
    for old, new in (
        ("[1, 2] AS INT128[]", "[1, 3] AS INT128[]"),
        ("m <= t[b + 2] THEN b + 1", "m <= t[b + 2] THEN b"),
        ("ELSE 2 END", "ELSE 1 END"),
        ("SUM(v.v0 * 1 // b.m)", "SUM(v.v0 * 2 // b.m)"),
        ("SUM(ABS(n)) AS m", "SUM(n) AS m"),
        ("v.u = b.u", "v.v0 = b.u"),
        ("CAST(-1 AS INT128) * cells.n", "CAST(-9 AS INT128) * cells.n * 2"),
        ("GROUP BY u HAVING", "GROUP BY u, n HAVING"),
    ):
        assert old in CLIPS
        refused(clipped(CLIPS.replace(old, new)))


def test_what_is_clipped_is_of_the_same_sizes_as_what_is_added() -> None:
    """1000 rows would be 1 where they are cut down, and 1000 where they are added up."""
    text = CLIPS.replace("GROUP BY customer)", "GROUP BY customer, units)")
    start, end = text.index("v AS ("), text.index("m AS (")
    lines = """cut AS (SELECT u, CAST(1 AS INT128) * n AS v0, LEAST(n, 1) AS n FROM cells),
v AS (SELECT u, v0, CAST(1 AS INT128) * n AS n FROM cut),
"""
    made = text[:start] + lines + text[end:]
    refused(clipped(made, width=1))
    certify(clipped(made.replace("* n AS v0, LEAST(n, 1) AS n", "* n AS v0, n"), width=1), SHOP)


def test_groups_are_listed_from_public_rows() -> None:
    certify(Listed("SELECT DISTINCT name FROM main.regions"), SHOP)
    refused(Listed("SELECT DISTINCT segment FROM main.customers"))
    refused(Listed("SELECT name FROM main.regions r JOIN main.customers c ON c.region = r.id"))


def test_edges_have_their_unit() -> None:
    text = (
        'WITH "rows" AS (SELECT customer AS a, id AS b FROM main.orders), '
        "r0 AS (SELECT a, b, 1 AS x FROM rows), s0 AS (SELECT a, x FROM r0) SELECT COUNT(*) FROM s0"
    )
    certify(Edges(text, 0, 1), SHOP)
    refused(Edges(text.replace("customer AS a", "friend AS a"), 0, 1))
    refused(Edges(text.replace("FROM r0", "FROM main.free AS f, r0"), 0, 1))
    refused(Edges(text.replace("FROM s0", "FROM s0, rows"), 0, 1))


def test_what_units_offer_is_asked_for_as_it_is() -> None:
    refused(Offers("SELECT units FROM main.orders", 0, 3, 1))


def test_what_units_offer_is_not_cut_down_with_their_rows() -> None:
    """A list has as many values as its group had rows, whatever is kept of these."""
    text = """
WITH cells AS (SELECT customer AS u, COUNT(*) AS n, LIST(hash(units)) AS c FROM main.{}
    GROUP BY customer),
cut AS (SELECT u, {} AS n, c FROM cells),
offers AS (SELECT u, n, ARRAY_TO_STRING([LPAD(HEX(v), 16, '0') FOR v IN LIST_SORT(c)], '') AS c
    FROM cut)
SELECT c, DENSE_RANK() OVER (ORDER BY u), ROW_NUMBER() OVER (PARTITION BY u) FROM offers
"""
    certify(Offers(text.format("orders", "n"), 0, 3, 1), SHOP)
    refused(Offers(text.format("orders", "n"), 0, 2, 1))
    refused(Offers(text.format("free", "LEAST(n, 2)"), 0, 2, 1))
