"""Several values as one text, so that different ones are counted as one expression.

    COUNT(DISTINCT (email, city))       COUNT(DISTINCT '5:a@b.c4:Oslo'), as it were

Claim: two rows have the same text just where DuckDB says that they are the same row, in which NULL
is a value like others. Why: each value has its length before it, or is a sign for NULL, so that the
text is read in one way only; numbers, dates and conditions are the same just where their texts are,
-0.0 as 0.0. An interval has several texts, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Call, Case, Expr, Literal
from dpsql.types import DOUBLE, INTERVAL, VARCHAR, Type


def has_text(kind: Type) -> bool:
    """Whether values of a type are told apart by their texts."""
    return not kind.is_opaque and kind != INTERVAL


def told_apart(values: Sequence[Expr]) -> Expr:
    """A text that is another for other values."""
    parts: list[Expr] = []
    for value in values:
        if value.type.is_float:  # -0.0 is 0.0
            value = make("add", (value, Literal(0, DOUBLE)), None)
        text: Expr = value if value.type.is_string else Call("cast", (value,), VARCHAR)
        size: Expr = Call("cast", (make("length", (text,), None),), VARCHAR)
        null = make("is_null", (value,), None)
        named = make("concat", (size, Literal(":", VARCHAR), text), None)
        parts.append(Case(((null, Literal("-", VARCHAR)),), named, VARCHAR))
    return parts[0] if len(parts) == 1 else make("concat", tuple(parts), None)


def parts_told(expr: Expr) -> tuple[Expr, ...] | None:
    """What `told_apart` made the text of; None for other expressions."""
    if not (isinstance(expr, Call) and expr.function == "concat"):
        return None
    found: list[Expr] = []
    for part in expr.args:
        if not (isinstance(part, Case) and part.branches[0][1] == Literal("-", VARCHAR)):
            return None
        test = part.branches[0][0]
        assert isinstance(test, Call)
        (value,) = test.args
        plain = isinstance(value, Call) and value.function == "add" and value.type.is_float
        found.append(value.args[0] if isinstance(value, Call) and plain else value)
    return tuple(found)
