"""Rows per unit, keys and what the unit determines: each rule at its limits."""

from __future__ import annotations

import pytest

from dpsql.core.infer.multiplicity import Bound
from dpsql.errors import Rejected
from tests.analyze.shop import names, properties, tree


@pytest.mark.parametrize(
    ("rows", "claimed", "proven"),
    [
        ("customers", 1, 1),
        ("orders", 5, None),
        ("lines", 15, None),  # along the path: 3 lines an order, 5 orders a customer
        ("orders o JOIN customers c ON o.customer_id = c.id", 5, None),
        ("customers c, orders o WHERE c.id = o.customer_id", 5, None),
        ("lines l JOIN orders o ON l.order_id = o.id", 15, None),
        ("orders o JOIN lines l ON o.id = l.order_id", 15, None),
        # Both sides of one unit, on no key: each pair of a unit's rows.
        ("orders a JOIN orders b ON a.customer_id = b.customer_id", 25, None),
        # On the key of one side: no pair is new.
        ("orders a JOIN orders b ON a.id = b.id", 5, None),
        ("lines a JOIN lines b ON a.order_id = b.order_id", 45, None),  # 15 lines, 3 partners
        ("customers c JOIN regions r ON c.region_id = r.id", 1, 1),
        ("customers c CROSS JOIN regions r", 4, 4),  # its declared number of rows, checked
        ("lines l JOIN tags t ON l.product_id = t.product_id", 90, None),  # 6 tags a product
        (
            "customers c, lines l, orders o WHERE l.order_id = o.id AND o.customer_id = c.id",
            15,
            None,
        ),
    ],
)
def test_rows_per_unit(rows: str, claimed: int, proven: int | None) -> None:
    assert properties(rows).rows == Bound(claimed, proven)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("orders a JOIN orders b ON a.amount = b.amount", "DP402"),
        ("customers c, orders o", "DP402"),
        ("orders o JOIN customers c ON o.id = c.id", "DP402"),  # a key, but of another thing
        ("lines l JOIN orders o ON l.order_id = o.customer_id", "DP402"),
        ("orders o JOIN customers c ON o.customer_id = c.id OR o.amount > 3", "DP402"),
        ("orders o JOIN customers c ON o.customer_id >= c.id", "DP402"),
        ("orders o JOIN customers c ON o.customer_id IS NOT DISTINCT FROM c.id", "DP402"),
        ("customers c CROSS JOIN products p", "DP403"),
        (
            "customers c JOIN regions r ON c.region_id >= r.id JOIN products p ON p.kind = 'a'",
            "DP403",
        ),
    ],
)
def test_joins_that_cannot_be_bounded(rows: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        properties(rows)
    assert caught.value.code == code


def test_a_unit_determines_its_own_columns_and_what_they_refer_to() -> None:
    text = "orders o JOIN customers c ON o.customer_id = c.id JOIN regions r ON r.id = c.region_id"
    found = names(tree(text), properties(text).determined)
    assert found == {
        "orders.customer_id",
        "customers.id",
        "customers.region_id",
        "customers.vip",
        "regions.id",
        "regions.name",
    }


def test_a_join_on_no_key_determines_nothing_new() -> None:
    text = "customers c JOIN tags t ON c.region_id = t.product_id"
    found = names(tree(text), properties(text).determined)
    assert "tags.tag" not in found
    assert "tags.product_id" in found  # equal to a determined column


def test_a_constant_is_determined() -> None:
    text = "orders o WHERE o.amount = 3"
    found = names(tree(text), properties(text).determined)
    assert found == {"orders.amount", "orders.customer_id"}  # the unit determines itself


def test_public_rows_have_no_unit() -> None:
    found = properties("regions r JOIN products p ON r.id = p.id")
    assert found.anchors == {}
    assert found.determined == frozenset()


def test_of_one_public_row_all_is_determined() -> None:
    """By its key; an outer join leaves a constant, or NULL."""
    one = "(SELECT * FROM regions WHERE id = 2) r"
    text = f"orders o JOIN {one} ON r.id = o.amount"
    assert names(tree(text), properties(text).determined) >= {"regions.id", "regions.name"}
    named = "orders o JOIN (SELECT * FROM regions WHERE name = 'n') r ON r.id = o.amount"
    assert "regions.id" not in names(tree(named), properties(named).determined)
    left = f"orders o LEFT JOIN {one} ON r.id = o.amount"
    assert not names(tree(left), properties(left).determined) & {"regions.id", "regions.name"}
    public = f"{one} {{}} JOIN products p ON r.id = p.id"
    inner = properties(public.format(""))
    assert len(inner.determined) == 4
    assert properties(public.format("FULL")).determined == frozenset()
    assert properties(f"products p LEFT JOIN {one} ON r.id = p.id").determined == frozenset()
    two = "(SELECT * FROM regions WHERE id = 2 UNION ALL SELECT * FROM regions WHERE id = 3) r"
    assert properties(two).determined == frozenset()
