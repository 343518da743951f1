"""LEAST and GREATEST. DuckDB skips NULL operands, sorts NaN above every number, and texts by their
bytes.
"""

from __future__ import annotations

from typing import Any

from dpsql.core.functions.spec import Args, TypeMismatch, coerce, named
from dpsql.core.functions.typing import common, require
from dpsql.core.plan.expr import Call
from dpsql.core.plan.values import Values
from dpsql.types import Type


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, (2, 64))
    for index, arg in enumerate(args):
        if arg.type.name == "ENUM":  # sorted by the order of its values, and not by their bytes
            raise TypeMismatch(f"needs numbers, dates or texts, not {arg.type}", index)
    kind = common(args, "LEAST/GREATEST")
    if not (kind.is_numeric or kind.is_temporal or kind.is_string):
        raise TypeMismatch(f"needs numbers, dates or texts, not {kind}", 0)
    return tuple(coerce(a, kind) for a in args), kind


def _hull(args: tuple[Values, ...]) -> tuple[Any, Any]:
    lows, highs = [a.low for a in args], [a.high for a in args]
    low = None if any(x is None for x in lows) else min(lows)
    return low, None if any(x is None for x in highs) else max(highs)


_NOTHING = Values(nullable=True, finite=())
"""Of operands that are all NULL always."""


def _present(values: tuple[Values, ...]) -> tuple[Values, ...]:
    """Without the operands that are always NULL: those change nothing."""
    return tuple(a for a in values if a.finite != ())


def _text(args: tuple[Values, ...]) -> Values:
    """Claim: one of what the operands can be. How long it can be is in `string_length`."""
    nullable, listed = all(a.nullable for a in args), [a.finite for a in args]
    every = [v for some in listed for v in some or ()]
    return Values(nullable=nullable, finite=None if None in listed else tuple(dict.fromkeys(every)))


def _least(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: the result is one of the operands; and no operand that is always a number lets it be
    more than itself, or NaN. Why: NULL is skipped, NaN is above all.
    """
    args = _present(values)
    if not args:
        return _NOTHING
    if node.type.is_string:
        return _text(args)
    low, high = _hull(args)
    numbers = [a for a in args if not a.nullable and not a.nan]
    tops = [a.high for a in numbers if a.high is not None]
    nan = not numbers and any(a.nan for a in args)
    return Values(low, min(tops) if tops else high, all(a.nullable for a in args), nan)


def _greatest(node: Call, values: tuple[Values, ...]) -> Values:
    """As `_least`, but a NaN wins; a number that comes out is no less than any number that is
    always there.
    """
    args = _present(values)
    if not args:
        return _NOTHING
    if node.type.is_string:
        return _text(args)
    low, high = _hull(args)
    bottoms = [a.low for a in args if not a.nullable and a.low is not None]
    nan = any(a.nan for a in args)
    return Values(max(bottoms) if bottoms else low, high, all(a.nullable for a in args), nan)


FUNCTIONS = (
    named("least", _bind, _least, strict=False),
    named("greatest", _bind, _greatest, strict=False),
)
