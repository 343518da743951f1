"""Several values as one text, so that different ones are counted as one expression.

    COUNT(DISTINCT (email, city))       COUNT(DISTINCT '5:a@b.c4:Oslo'), as it were

Claim: two rows have the same text just where DuckDB says that they are the same row, in which NULL
is a value like others. Why: each value has its length before it, or is a sign for NULL, so that the
text is read in one way only; numbers, dates and conditions are the same just where their texts are,
of DOUBLEs by `double_text`. An interval has several texts, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import double_text
from dpsql.core.plan.expr import Call, Case, Expr, Literal
from dpsql.types import DOUBLE, INTERVAL, VARCHAR, Type


def has_text(kind: Type) -> bool:
    """Whether values of a type are told apart by their texts."""
    return not kind.is_opaque and kind != INTERVAL


def told_apart(values: Sequence[Expr]) -> Expr:
    """A text that is another for other values."""
    parts: list[Expr] = []
    for value in values:
        text: Expr = value if value.type.is_string else Call("cast", (value,), VARCHAR)
        if value.type.is_float:
            text = double_text(coerce(value, DOUBLE))
        size: Expr = Call("cast", (make("length", (text,), None),), VARCHAR)
        null = make("is_null", (value,), None)
        named = make("concat", (size, Literal(":", VARCHAR), text), None)
        parts.append(Case(((null, Literal("-", VARCHAR)),), named, VARCHAR))
    return parts[0] if len(parts) == 1 else make("concat", tuple(parts), None)


def parts_told(expr: Expr) -> tuple[Expr, ...] | None:
    """What `told_apart` made the text of; None for other expressions."""
    parts = expr.args if isinstance(expr, Call) and expr.function == "concat" else (expr,)
    tests = [part.branches[0][0] for part in parts if isinstance(part, Case)]
    nulls = [test for test in tests if isinstance(test, Call) and test.function == "is_null"]
    values = tuple(test.args[0] for test in nulls if has_text(test.args[0].type))
    return values if len(values) == len(parts) and told_apart(values) == expr else None
