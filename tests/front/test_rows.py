"""Rows of values that are compared, beside DuckDB's answer."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.compile import compile_query
from dpsql.errors import Rejected
from tests.differential.converge import both
from tests.support.small_shop import small_shop

FOUND = "(code IN (SELECT id FROM regions))"


@pytest.mark.parametrize(
    "condition",
    [
        f"({FOUND}, 1) = (NULL, 1)",
        f"({FOUND}, 1) = (FALSE, 1)",
        f"({FOUND}, 1) IN ((NULL, 1), (TRUE, 2))",
        "((code = ANY (SELECT id FROM regions)), 1) IN ((FALSE, 1), (FALSE, 2))",
        "(status, day) IN (('open', DATE '2024-02-01'), (NULL, NULL))",
    ],
)
def test_null_is_a_value_of_a_part(condition: str) -> None:
    """A condition in a row is no condition of the query: whether it is NULL or FALSE is told."""
    held = small_shop()
    held.connection.execute("UPDATE orders SET code = CASE WHEN id % 4 <> 0 THEN id % 5 END")
    held.connection.execute("INSERT INTO regions VALUES (1, 'a', 'north'), (2, 'b', 'north')")
    mine, theirs = both(held, f"SELECT COUNT(*) FROM orders WHERE {condition}")
    assert mine == theirs


@pytest.mark.parametrize(
    "condition",
    [
        "(amount, 1) = ('1', 1)",
        "('2024-02-01', 1) = (placed, 1)",
        "(day, 1) IN ((DATE '2024-02-01', 1), ('2024-2-1', 1))",
        "(units, status) = ('01', 'open')",
    ],
)
def test_a_text_against_what_is_none_is_refused(condition: str) -> None:
    """DuckDB makes both of them texts, where 1.00 is not 1, nor a midnight its day."""
    schema = small_shop().session.schema
    with pytest.raises(Rejected, match="DP205: in rows, a text against"):
        compile_query(f"SELECT COUNT(*) FROM orders WHERE {condition}", schema, Fraction(1))
