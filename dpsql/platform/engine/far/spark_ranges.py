"""What a whole number, or the part of a DECIMAL before its point, can be: from the plan alone.

It chooses how a quotient is written, and whether a date that is so many days later is one that an
engine has. A column can be anything that its type can; a HUGEINT is below 10^38 here.
"""

from __future__ import annotations

from collections.abc import Callable

from dpsql.platform.engine.far.operators import Call, Expr
from dpsql.platform.engine.far.typed_arguments import (
    is_constant,
    known,
    number,
)
from dpsql.types import HUGEINT, Number, Type

Range = tuple[Number, Number]

_MOST = 10**38 - 1


def digits(node: Expr) -> int:
    """So many digits at most, before the point."""
    low, high = within(node)
    return len(str(int(max(-low, high))))


def within(node: Expr) -> Range:
    """The least and the greatest that it can be, NULL aside."""
    own = _of_type(node.type)
    found = number(node)
    if found is not None:
        return found, found
    if not isinstance(node, Call):
        return own
    if node.name == "case":
        return _cut(own, _branches(node))
    if not all(a.type.is_exact for a in node.args):
        return own
    parts = [within(a) for a in node.args]
    match node.name, parts:
        case "cast", [(low, high)]:
            rounding = 1 if node.args[0].type.scale else 0
            return _cut(own, (low - rounding, high + rounding))
        case "least", _:
            ends = [number(a) for a in node.args]
            return min(p[0] for p in parts), _end(min, ends, max(p[1] for p in parts))
        case "greatest", _:
            ends = [number(a) for a in node.args]
            return _end(max, ends, min(p[0] for p in parts)), max(p[1] for p in parts)
        case "+", [first, second]:
            return _cut(own, (first[0] + second[0], first[1] + second[1]))
        case "-", [first, second]:
            return _cut(own, (first[0] - second[1], first[1] - second[0]))
        case "*", [first, second]:
            products = [a * b for a in first for b in second]
            return _cut(own, (min(products), max(products)))
    return own


def _end(chosen: Callable[[list[int]], int], ends: list[int | None], other: Number) -> Number:
    """Any but a constant may be NULL, and is left out then."""
    there = [end for end in ends if end is not None]
    return chosen(there) if there else other


def _branches(node: Call) -> Range:
    """Of all branches; the last is neither below nor above what the conditions compare it with."""
    *pairs, last = node.args
    low, high = within(last)
    for condition in pairs[::2]:
        if isinstance(condition, Call) and condition.args and condition.args[0] == last:
            end = number(condition.args[-1])
            if condition.name == "<" and end is not None:
                low = max(low, end)
            if condition.name == ">" and end is not None:
                high = min(high, end)
    values = [v for v in pairs[1::2] if not _is_null(v)]
    parts = [within(v) for v in values] + ([] if _is_null(last) else [(low, high)])
    return min((p[0] for p in parts), default=0), max((p[1] for p in parts), default=0)


def _is_null(node: Expr) -> bool:
    return is_constant(node) and known(node) is None


def _of_type(kind: Type) -> Range:
    limits = kind.limits()
    return (-_MOST, _MOST) if kind == HUGEINT or limits is None else limits


def _cut(own: Range, found: Range) -> Range:
    """What does not fit is an error."""
    return max(own[0], found[0]), min(own[1], found[1])
