"""Bit operators on whole numbers, in two's complement: & | xor ~ << >> and bit_count.

A left shift is NULL where DuckDB's fails: of a negative number, and where no type holds the result.
A right shift by a negative number, or by the width or more, is 0 in DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpsql.core.functions.arithmetic import narrowest_integer
from dpsql.core.functions.spec import (
    Args,
    Function,
    NotTotal,
    Sql,
    call,
    coerce,
    fits,
    inside,
    named,
    operator,
    plain,
)
from dpsql.core.functions.typing import require, whole_numbers, wider_integer
from dpsql.core.plan.expr import Call, Expr, Literal, Ref
from dpsql.core.plan.values import Values
from dpsql.types import HUGEINT, INTEGER, INTEGER_BITS, UNSIGNED_BITS, Type

_WIDEST = 127
_MOST = (1 << _WIDEST) - 1


def _common(args: Args) -> Type:
    """As in DuckDB: a constant takes the type of what it meets if it fits, two unsigned types stay
    unsigned; the complement of the result depends on it.
    """
    kinds = [a.type for a in args if a.type.name != "NULL"] or [INTEGER]
    plain_ = [a.type for a in args if not isinstance(a, Literal)]
    if len(plain_) == 1 and all(
        a.value is None or fits(a.value, plain_[0]) for a in args if isinstance(a, Literal)
    ):
        return plain_[0] if plain_[0].is_integer else INTEGER
    left, right = kinds[0], kinds[-1]
    if left == right:
        return left
    if left.name in UNSIGNED_BITS and right.name in UNSIGNED_BITS:
        return max(left, right, key=lambda t: UNSIGNED_BITS[t.name])
    return wider_integer(left, right)


def _bind(args: Args) -> tuple[Args, Type]:
    require(args, 2)
    whole_numbers(args)
    kind = _common(args)
    return tuple(coerce(a, kind) for a in args), kind


def _one(args: Args) -> tuple[Args, Type]:
    require(args, 1)
    whole_numbers(args)
    arg = coerce(args[0], INTEGER) if args[0].type.name == "NULL" else args[0]
    return (arg,), arg.type


def _mask(values: tuple[Values, ...]) -> int:
    """2^k - 1 where k bits (and a sign) hold every end."""
    ends = [int(e) for v in values for e in (v.low, v.high)]
    return int((1 << max((e if e >= 0 else ~e).bit_length() for e in ends)) - 1)


def _bounded(values: tuple[Values, ...]) -> bool:
    return all(v.bounded for v in values)


def _and(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: between 0 and an operand that is not negative, whatever the other one is; else what so
    many bits hold. Why: & only clears bits, and the sign is the signs' &.
    """
    tops = [v.high for v in values if v.bounded and v.low >= 0]
    if tops:
        return Values(0, min(tops), False)
    if not _bounded(values):
        return Values(nullable=False)
    mask = _mask(values)
    return Values(-mask - 1, mask, False)


def _or(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: no less than an operand that is not negative where neither is; else what so many bits
    hold. Why: | only sets bits.
    """
    if not _bounded(values):
        return Values(nullable=False)
    mask = _mask(values)
    if all(v.low >= 0 for v in values):
        return Values(max(v.low for v in values), mask, False)
    return Values(-mask - 1, mask, False)


def _xor(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: what so many bits hold, and not negative where neither operand is."""
    if not _bounded(values):
        return Values(nullable=False)
    mask = _mask(values)
    return Values(0 if all(v.low >= 0 for v in values) else -mask - 1, mask, False)


def _not(node: Call, values: tuple[Values, ...]) -> Values:
    """~x is -1 - x in two's complement, and 2^bits - 1 - x for an unsigned type."""
    (a,) = values
    if not a.bounded:
        return Values(nullable=False)
    limits = node.type.limits()
    assert limits is not None
    base = limits[1] if node.type.name in UNSIGNED_BITS else -1
    return Values(base - a.high, base - a.low, False)


def _not_sql(args: list[Sql], node: Call) -> Sql:
    """In parentheses inside and outside: in DuckDB ~ binds less tightly than arithmetic."""
    return exp.Paren(this=exp.BitwiseNot(this=exp.Paren(this=args[0])))


def _bits(kind: Type) -> int:
    return INTEGER_BITS.get(kind.name) or UNSIGNED_BITS[kind.name]


def _right(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: between x and 0, of natural numbers. Why: x >> n is x / 2^n rounded down, or 0."""
    x, n = values
    if not x.bounded or x.low < 0:
        return Values(nullable=False)
    if n.bounded and n.low == n.high and 0 <= n.low < _bits(node.type):
        return Values(int(x.low) >> int(n.low), int(x.high) >> int(n.low), False)
    return Values(0, x.high, False)


def _left(node: Call, values: tuple[Values, ...]) -> Values:
    """x << n is x * 2^n: monotone in both where neither is negative. `_left_total` sees to it that
    they are not, and that it fits.
    """
    x, n = values
    limits = node.type.limits()
    assert limits is not None
    if not (_bounded(values) and x.low >= 0 and n.low >= 0 and n.high <= _WIDEST):
        return Values(0, limits[1], False)
    low, high = int(x.low) << int(n.low), int(x.high) << int(n.high)
    return Values(min(low, limits[1]), min(high, limits[1]), False)


def _left_total(node: Call, values: tuple[Values, ...]) -> Expr:
    """A type that holds the result for every row; NULL for what is negative, and by a constant for
    what leaves the widest type.

    Claim: where DuckDB's own shift succeeds, this is its value. Why: it fails for what is negative,
    for a shift of the width or more, and for a result above the type's limit.
    """
    (x, n), (number, shift) = node.args, values
    if not number.bounded or not shift.bounded:
        raise NotTotal("nothing bounds what is shifted, or by how many bits")
    constant = shift.low == shift.high and 0 <= shift.low < _WIDEST
    top = max(int(number.high), 0)
    if constant:
        top = min(top, _MOST >> int(shift.low))
    longest = _WIDEST - top.bit_length()  # top << longest fits the widest type
    if not constant and longest < min(shift.high, _bits(node.type) - 1):
        raise NotTotal(
            "a shift of numbers that large could fail on some row",
            "shift by a constant, or declare tighter bounds",
        )
    if number.high > top:
        x = inside(coerce(x, HUGEINT), HUGEINT, -1, top + 1)
    elif number.low < 0:
        x = inside(x, x.type, -1, None)
    if shift.high > longest or shift.low < 0:
        above, below = -1 if shift.low < 0 else None, longest + 1 if shift.high > longest else None
        n = inside(n, n.type, above, below)
    most = max(min(int(shift.high), longest), 0)
    wide = narrowest_integer(0, top << most, node.type)
    assert wide is not None
    return call("shl", (coerce(x, wide), coerce(n, wide)), wide, node)


def _count_bind(args: Args) -> tuple[Args, Type]:
    args, kind = _one(args)
    return args, Type("SMALLINT" if kind.name in ("HUGEINT", "UBIGINT") else "TINYINT")


def _count(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: at most the width, and k + 1 for numbers of k bits that are not negative. The width of
    what is computed does not stand in what the engine is told: it may be the widest.
    """
    (a,) = values
    if a.bounded and a.low >= 0:
        return Values(1 if a.low > 0 else 0, int(a.high).bit_length(), False)
    known = isinstance(node.args[0], Ref)
    return Values(0, _bits(node.args[0].type) if known else _WIDEST + 1, False)


def _binary(
    name: str,
    values: Callable[[Call, tuple[Values, ...]], Values],
    node: type[exp.Binary],
) -> Function:
    return Function(name, _bind, values, operator(node))


FUNCTIONS = (
    _binary("bit_and", _and, exp.BitwiseAnd),
    _binary("bit_or", _or, exp.BitwiseOr),
    Function("bit_xor", _bind, _xor, plain("xor"), names=("xor",)),
    Function("bit_not", _one, _not, _not_sql),
    _binary("shr", _right, exp.BitwiseRightShift),
    Function("shl", _bind, _left, operator(exp.BitwiseLeftShift), _left_total),
    named("bit_count", _count_bind, _count),
)
