"""Normalisation: one meaning, one block; and what comes out of OR means the same in SQL."""

from __future__ import annotations

import itertools

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.core.emit.plans import column, scalar
from dpsql.core.plan.expr import Call, Column, Expr, Ref, conjunction
from dpsql.core.shape.flatten import factor
from dpsql.types import BOOLEAN
from tests.analyze.shop import properties, tree
from tests.support.effort import tries

A, B, C = (Column(i, name, BOOLEAN) for i, name in enumerate("abc", 1))

booleans = st.recursive(
    st.sampled_from([Ref(A), Ref(B), Ref(C)]),
    lambda inner: st.builds(
        lambda function, args: Call(function, tuple(args), BOOLEAN),
        st.sampled_from(["and", "or"]),
        st.lists(inner, min_size=2, max_size=3),
    ),
    max_leaves=10,
)


@settings(max_examples=tries(80, 300), derandomize=True, deadline=None)
@given(booleans)
def test_factoring_keeps_the_meaning_in_three_valued_logic(expr: Expr) -> None:
    names = {c.id: column("v", c.name) for c in (A, B, C)}
    after = conjunction(factor(expr))
    assert after is not None
    values = ", ".join(
        f"({a}, {b}, {c})" for a, b, c in itertools.product(("TRUE", "FALSE", "NULL"), repeat=3)
    )
    before_sql, after_sql = (scalar(e, names).sql(dialect="duckdb") for e in (expr, after))
    with duckdb.connect() as connection:
        different = connection.execute(
            f"SELECT COUNT(*) FROM (VALUES {values}) AS v(a, b, c) "
            f"WHERE ({before_sql}) IS DISTINCT FROM ({after_sql})"
        ).fetchone()
    assert different == (0,)


@pytest.mark.parametrize(
    "spelling",
    [
        "orders o JOIN customers c ON o.customer_id = c.id WHERE c.vip AND o.amount > 3",
        "customers c, orders o WHERE o.amount > 3 AND c.id = o.customer_id AND c.vip",
        "(SELECT * FROM orders WHERE amount > 3) o JOIN (SELECT * FROM customers WHERE vip) c "
        "ON c.id = o.customer_id",
        "customers c JOIN orders o ON c.vip AND 3 < o.amount AND o.customer_id = c.id",
        "customers c, orders o WHERE (c.id = o.customer_id AND c.vip AND o.amount > 3) "
        "OR (c.id = o.customer_id AND c.vip AND o.amount > 3)",
    ],
)
def test_spellings_of_one_meaning_have_the_same_bound(spelling: str) -> None:
    found = properties(spelling)
    assert (found.rows.claimed, found.rows.proven) == (5, None)


def test_tables_are_tied_before_they_are_multiplied() -> None:
    """FROM's order would join lines with customers, across units; orders ties them."""
    assert tree("lines l, customers c, orders o WHERE l.order_id = o.id AND c.id = o.customer_id")
    assert (
        properties(
            "lines l, customers c, orders o WHERE l.order_id = o.id AND c.id = o.customer_id"
        ).rows.claimed
        == 15
    )
