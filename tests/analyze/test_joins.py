"""Outer joins at their limits, and the equality that a rejected join lacks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.infer.multiplicity import Bound
from dpsql.errors import Rejected
from tests.analyze.shop import SCHEMA, properties

FINER = "(SELECT customer_id, amount, COUNT(*) AS k FROM orders GROUP BY customer_id, amount)"


@pytest.mark.parametrize(
    ("rows", "claimed"),
    [
        ("customers c LEFT JOIN orders o ON o.customer_id = c.id", 5),
        ("orders o LEFT JOIN customers c ON o.customer_id = c.id", 5),
        ("orders a LEFT JOIN orders b ON a.customer_id = b.customer_id", 25),
        ("orders o LEFT JOIN lines l ON l.order_id = o.id", 15),
        ("lines l LEFT JOIN orders o ON l.order_id = o.id", 15),
        ("customers c LEFT JOIN regions r ON c.region_id >= r.id", 4),
        ("customers c LEFT JOIN (SELECT * FROM regions LIMIT 0) r ON TRUE", 1),
        ("regions r LEFT JOIN customers c ON c.region_id <= r.id", 4),
        ("orders o FULL JOIN lines l ON l.order_id = o.id", 20),  # the sides together
        ("lines l FULL JOIN orders o ON l.order_id = o.id", 20),
        ("orders a FULL JOIN orders b ON a.id = b.id", 10),
        # On no key: each pair, and the right rows without one.
        ("orders a FULL JOIN orders b ON a.customer_id = b.customer_id", 30),
        # No fan-out is declared for a group's customer, but a unit has five groups at most.
        (f"customers c LEFT JOIN {FINER} x ON x.customer_id = c.id", 5),
    ],
)
def test_rows_of_an_outer_join(rows: str, claimed: int) -> None:
    query = compile_query(f"SELECT COUNT(*) FROM {rows}", SCHEMA, Fraction(1)).query
    assert isinstance(query, ReleasedQuery)
    (point,) = query.releases
    assert point.measures[0].sensitivity.linf == claimed


def test_the_extended_side_is_no_home() -> None:
    found = properties("customers c LEFT JOIN orders o ON o.customer_id = c.id")
    assert found.rows == Bound(5, None)
    assert len(found.home) == 1
    assert len(found.anchors) == 3


@pytest.mark.parametrize(
    ("rows", "help"),
    [
        (
            "orders a JOIN orders b ON a.amount = b.amount",
            "join on the unit: a.customer_id = b.customer_id",
        ),
        ("customers, orders", "join on the unit: customers.id = orders.customer_id"),
        (
            "lines a JOIN lines b ON a.quantity = b.quantity",
            "join on a key that leads to the unit: a.order_id = b.order_id",
        ),
        (
            "lines l JOIN customers c ON l.order_id = c.id",
            "join orders too, which leads to the unit: l.order_id = orders.id",
        ),
        (
            "(SELECT * FROM orders) a JOIN (SELECT * FROM orders) b ON a.amount = b.amount",
            "join on the unit: orders.customer_id of both sides",
        ),
    ],
)
def test_the_help_names_the_equality(rows: str, help: str) -> None:
    with pytest.raises(Rejected) as caught:
        properties(rows)
    assert (caught.value.code, caught.value.help) == ("DP402", help)


def test_the_help_is_the_fix() -> None:
    """What it says can be pasted."""
    rows = "orders a JOIN lines b ON a.amount = b.quantity"
    with pytest.raises(Rejected) as caught:
        properties(rows)
    _, equality = str(caught.value.help).split(": ")
    assert properties(f"{rows} AND {equality}").rows.claimed == 15


@pytest.mark.parametrize(
    "branch",
    ["SELECT id FROM orders", "SELECT 1 FROM orders", "SELECT customer_id + 0 FROM orders"],
)
def test_only_null_keeps_the_anchor_of_other_branches(branch: str) -> None:
    joined = "(SELECT customer_id AS k FROM orders UNION ALL {}) x JOIN customers c ON c.id = x.k"
    properties(joined.format("SELECT NULL FROM orders"))
    with pytest.raises(Rejected, match="DP402"):
        properties(joined.format(branch))
