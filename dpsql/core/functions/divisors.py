"""FACTORIAL, GCD and LCM: only of numbers that bounds keep small, since DuckDB's fail or take long
beyond them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from dpsql.core.functions.spec import Function, NotTotal, named
from dpsql.core.functions.typing import signature, whole
from dpsql.core.plan.expr import Call, Expr
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, HUGEINT, INTEGER

_LARGEST_FACTORIAL = 33
_LARGEST_OPERAND = 2**31 - 1
"""Their product fits BIGINT, and Euclid's algorithm takes at most 44 steps."""


def _bounds(low: int, high: int) -> NotTotal:
    return NotTotal(
        f"needs numbers that are known to lie in [{low}, {high}]",
        "declare bounds in the policy, or write LEAST(GREATEST(x, low), high) around it",
    )


def _factorial(node: Call, values: tuple[Values, ...]) -> Values:
    (a,) = values
    if not (a.bounded and a.low >= 0 and a.high <= _LARGEST_FACTORIAL):
        return Values(nullable=True)
    return Values(math.factorial(math.ceil(a.low)), math.factorial(math.floor(a.high)), False)


def _factorial_total(node: Call, values: tuple[Values, ...]) -> Expr:
    (a,) = values
    if not (a.bounded and a.low >= 0 and a.high <= _LARGEST_FACTORIAL):
        raise _bounds(0, _LARGEST_FACTORIAL)
    return node


def _gcd(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: at most the larger of |a| and |b|. Why: it divides one that is not 0, if there is one,
    and gcd(0, 0) is 0.
    """
    if not all(v.bounded for v in values):
        return Values(nullable=True)
    return Values(0, max(v.magnitude for v in values), False)


def _lcm(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: at most |a|·|b|. Why: that is a multiple of both."""
    if not all(v.bounded for v in values):
        return Values(nullable=True)
    return Values(0, values[0].magnitude * values[1].magnitude, False)


def _total(node: Call, values: tuple[Values, ...]) -> Expr:
    if not all(v.bounded and v.magnitude <= _LARGEST_OPERAND for v in values):
        raise _bounds(-_LARGEST_OPERAND, _LARGEST_OPERAND)
    return node


def _pair(name: str, values: Callable[[Call, tuple[Values, ...]], Values]) -> Function:
    return named(
        name,
        signature(whole(BIGINT), whole(BIGINT), gives=BIGINT),
        values,
        _total,
        timing="by the steps of Euclid's algorithm: 0.005 to 0.16 µs within its bounds",
    )


FUNCTIONS = (
    named(
        "factorial",
        signature(whole(INTEGER), gives=HUGEINT),
        _factorial,
        _factorial_total,
        timing="by the number of products: 0.002 to 0.04 µs",
    ),
    _pair("gcd", _gcd),
    _pair("lcm", _lcm),
)
