"""Hypothesis strategies: calls of each function of numbers, over drawn tables."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dpsql.core.functions import (
    bits,
    division,
    divisors,
    floats,
    powers,
    rounding,
    transcendental,
    trigonometry,
)
from dpsql.core.functions.build import make
from dpsql.core.functions.constants import number
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.types import Type
from tests.functions import draw
from tests.functions.engine import Table

NAMES = {
    f.name
    for module in (bits, division, divisors, floats, powers, rounding, transcendental, trigonometry)
    for f in module.FUNCTIONS
}
NULLS = {"intdiv", "mod", "pow", "log", "shl", "try_single"}
NULLS |= {f.name for module in (transcendental, trigonometry) for f in module.FUNCTIONS}

TWO = {"bit_and", "bit_or", "bit_xor", "shl", "shr", "intdiv", "gcd", "lcm"}
WHOLE = TWO | {"bit_not", "bit_count", "factorial"}

BASES = ["0.5", "1.0000001", "1.1", "2.5", "10", "1e300", "1e-300", "3"]
EXPONENTS = ["0", "1", "2", "3", "-1", "-2", "0.5", "-0.5", "1.3", "17", "64", "65", "200", "1e-9"]
SHIFTS = ["0", "1", "2", "7", "8", "31", "32", "62", "63", "64", "126", "127", "-1"]
CORNERS = ["0", "1", "-1", "0.1", "1.5", "-1.5707963267948966", "1.5707963267948966", "3.14"]
CORNERS += ["-3.1415926535897931", "20", "-20", "700", "1e-300", "1e-320", "33", "1000", "-1000"]


def groups(name: str) -> list[tuple[Type, ...]]:
    """Types of columns that the function takes."""
    if name in WHOLE:
        return [(a, b) for a in draw.INTEGERS for b in draw.INTEGERS]
    if name == "mod":
        exact = draw.INTEGERS + draw.DECIMALS
        return [(a, b) for a in exact for b in exact]
    if name in ("isinf", "isfinite"):
        return [(a, a) for a in draw.NUMBERS + draw.TEMPORAL]
    return [(a, b) for a in draw.NUMBERS for b in draw.NUMBERS]


def constant(text: str) -> Literal:
    """A number as it is read."""
    literal = number(text.lstrip("-"), None)
    assert not isinstance(literal.value, str) and literal.value is not None
    return Literal(-literal.value if text[0] == "-" else literal.value, literal.type)  # type: ignore[operator]


def between(x: Expr, low: str, high: str) -> Expr:
    """LEAST(GREATEST(x, low), high)"""
    return make("least", (make("greatest", (x, constant(low)), None), constant(high)), None)


@st.composite
def operand(pick: Any, table: Table, name: str) -> Expr:
    """The first column, often within bounds at which functions turn."""
    first = Ref(table.columns[0])
    if name == "factorial":
        return between(first, "0", "33") if pick(st.integers(0, 9)) else first
    if name in WHOLE or first.type.is_temporal or pick(st.booleans()):
        return first
    low, high = sorted(
        pick(st.tuples(*[st.sampled_from(CORNERS)] * 2)), key=lambda t: constant(t).value or 0
    )
    return between(first, low, high)


@st.composite
def expression(pick: Any, name: str, table: Table) -> Expr:
    """A call of the function."""
    first: Expr = pick(operand(table, name))
    second: Expr = Ref(table.columns[-1])
    if name in ("round", "trunc"):
        digits = pick(st.none() | st.integers(-15, 15))
        return make(name, (first,) if digits is None else (first, constant(str(digits))), None)
    if name == "log":
        return make(name, (constant(pick(st.sampled_from(BASES))), first), None)
    if name == "pow":
        drawn = pick(st.integers(0, 3))
        if drawn < 2:
            second = constant(pick(st.sampled_from(EXPONENTS)))
        elif drawn == 2:
            second = between(second, *pick(st.sampled_from([("-3", "3"), ("0", "5"), ("1", "2")])))
        return make(name, (first, second), None)
    if name in ("shl", "shr"):
        drawn = pick(st.integers(0, 2))
        if drawn == 0:
            second = constant(pick(st.sampled_from(SHIFTS)))
        elif drawn == 1:
            second = between(second, "-1", pick(st.sampled_from(["5", "31", "70"])))
    elif name in ("gcd", "lcm"):
        ends = ("-2147483647", "2147483647")
        first, second = (between(x, *ends) for x in (first, second))
    elif name in TWO | {"mod", "atan2"} and pick(st.booleans()):
        kind = table.columns[-1].type
        second = pick(draw.constant(kind))
    if name in TWO or name in ("mod", "atan2"):
        return make(name, (first, second), None)
    return make(name, (first,), None)
