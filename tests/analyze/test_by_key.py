"""Rows per unit by the values of a key: rows that are numbered within their unit, and VALUES."""

from __future__ import annotations

import pytest

from dpsql.core.infer.multiplicity import Bound
from tests.analyze.shop import properties

NUMBERED = (
    "(SELECT customer_id, ROW_NUMBER() OVER (PARTITION BY {} ORDER BY amount) AS k FROM {}) x"
)
ORDERS = NUMBERED.format("customer_id", "orders")
BY_ORDER = NUMBERED.format("o.id", "orders o JOIN lines l ON l.order_id = o.id")
FINER = NUMBERED.format("customer_id, amount > 3", "orders")
RANKED = ORDERS.replace("ROW_NUMBER", "RANK")
CONSTANTS = "orders o JOIN (VALUES {}) AS v(k) ON o.id = v.k"


@pytest.mark.parametrize(
    ("rows", "claimed", "proven"),
    [
        (f"{ORDERS} WHERE k = 1", 1, 1),
        (f"{ORDERS} WHERE k <= 2", 2, 2),
        (f"{ORDERS} WHERE k < 2", 1, 1),
        (f"{ORDERS} WHERE k BETWEEN 2 AND 4", 3, 3),
        (f"{ORDERS} WHERE k IN (1, 4)", 2, 2),
        (f"{ORDERS} WHERE k = 1 OR k = 3", 2, 2),
        (f"{ORDERS} WHERE k <= 5", 5, 5),
        (f"{ORDERS} WHERE k <= 6", 5, None),
        (f"{ORDERS} WHERE k >= 2", 4, None),  # up to the 5 that are claimed
        (f"{ORDERS} WHERE k % 2 = 1", 5, None),
        (f"{RANKED} WHERE k = 1", 5, None),  # several rows can be first
        (f"{FINER} WHERE k = 1", 5, None),  # a part of the partition is no plain column
        (f"{BY_ORDER} WHERE k = 1", 5, None),  # one line of each of 5 orders
        (f"{BY_ORDER} WHERE k <= 2", 10, None),
        (f"{ORDERS} JOIN orders p ON p.customer_id = x.customer_id WHERE k = 1", 5, None),
        ("orders o WHERE o.id = 3", 1, 1),
        ("orders o WHERE o.id BETWEEN 3 AND 4", 2, 2),
        ("orders o WHERE o.amount BETWEEN 3 AND 4", 5, None),
        (CONSTANTS.format("(1), (2)"), 5, None),
        (CONSTANTS.format("(1), (2), (1)"), 15, None),
        (CONSTANTS.format("(1), (NULL)"), 10, None),
        (CONSTANTS.format("(1), (1.5)"), 10, None),  # not said of fractions
    ],
)
def test_rows_per_unit(rows: str, claimed: int, proven: int | None) -> None:
    assert properties(rows).rows == Bound(claimed, proven)
