"""Answers converge: without noise they are the engine's own, but for declared differences."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.adversarial.test_generated import NOT_COMPARABLE
from tests.differential.converge import converging
from tests.support.answers import NO_NOISE, home
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


@pytest.mark.parametrize("sql", ONCE_DIFFERENT)
def test_what_was_different_once_converges(sql: str) -> None:
    held = home("shop")
    tables = load("shop").schema.tables
    rows = [[str(n), *[None] * 4, vip, *[None] * 5] for n, vip in enumerate(("true", "false"))]
    held.fill({name: rows if name == "customers" else [] for name in tables})
    with patch("dpsql.core.account.amount.MAX_EPS", Fraction(10**15)):
        mine = held.run(sql, eps=NO_NOISE).rows
    theirs = held.connection.execute(sql).fetchall()
    assert sorted(map(repr, mine)) == sorted(map(repr, theirs))


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
