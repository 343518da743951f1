"""The demo shop's schema, and queries over it compiled from any dialect."""

from __future__ import annotations

from fractions import Fraction

from dpsql import demo
from dpsql.compile import Compiled, compile_query
from dpsql.platform.policy import resolve

SCHEMA = resolve(demo.policy(), None, None)


def compiled(text: str, dialect: str = "duckdb") -> Compiled:
    return compile_query(text, SCHEMA, Fraction(1), dialect)


CHANNELS = "(SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel) AS g"

JOINED = "FROM orders AS o JOIN customers AS c ON c.customer_id = o.customer_id"

OF_EACH = "(SELECT SUM(o.shipping) AS s FROM orders AS o WHERE o.customer_id = c.customer_id) AS x"
"""A query that reads the row of a customer before it."""
