"""Hypothesis strategies: calls of each function of dates, over drawn tables."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dpsql.core.functions import date_arithmetic, date_format, date_parts, elapsed, later, temporal
from dpsql.core.functions.build import make
from dpsql.core.functions.constants import number
from dpsql.core.functions.date_format import SPECIFIERS
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.types import DATE, VARCHAR, Type
from tests.functions import draw
from tests.functions.engine import Table

NAMES = {
    f.name
    for module in (temporal, later, date_parts, date_arithmetic, elapsed, date_format)
    for f in module.FUNCTIONS
}
EVERYWHERE = {"year", "quarter", "month", "day", "isodow", "hour", "minute", "second", "interval"}
NULLS = NAMES - EVERYWHERE
"""Where the secured form is NULL outside the years 1 to 9999, in which DuckDB's own is not."""
PASSED = {"elapsed", "elapsed_part", "interval_us"}

PLUS = ("plus_days", "plus_months", "plus_seconds")
TO = ("to_days", "to_months", "to_seconds")
"""So many of a unit, added to a moment or not."""

LARGE = (12_000, 3_660_000, 10**11)
FORMATS = ["%Y-%m", "%A", "%b %y", "%H:%M", "%G-W%V", "%x %X", "week %U of %Y", "100%%", "%f"]
WIDTHS = [(1, 0, 0), (3, 0, 0), (120, 0, 0), (0, 1, 0), (0, 7, 0), (0, 10, 0), (12_000, 0, 0)]
FINE = [(0, 0, 900), (0, 0, 1), (0, 1, 3600), (0, 3_660_000, 0)]


def groups(name: str) -> list[tuple[Type, ...]]:
    """Types of columns that the function takes."""
    if name == "days_between":
        return [(DATE, DATE)]
    if name in PLUS:
        return [(a, b) for a in draw.TEMPORAL for b in draw.INTEGERS]
    if name in TO or name == "make_timestamp":
        return [(a,) for a in draw.INTEGERS]
    if name in ("make_date", "try_make_date"):
        return [(a, b, c) for a in draw.INTEGERS[-3:] for b in draw.INTEGERS for c in draw.INTEGERS]
    return [(a, b) for a in draw.TEMPORAL for b in draw.TEMPORAL]


def whole(value: int) -> Literal:
    """A whole constant."""
    return Literal(value, number(str(abs(value)), None).type)


def interval(by: tuple[int, int, int]) -> Expr:
    """A constant interval."""
    return make("interval", tuple(whole(n) for n in by), None)


def formats() -> st.SearchStrategy[str]:
    """Formats of STRFTIME."""
    piece = st.sampled_from([f"%{s}" for s in SPECIFIERS] + ["-", " ", "Q", "ä", "'"])
    return st.sampled_from(FORMATS) | st.lists(piece, min_size=1, max_size=4).map("".join)


@st.composite
def expression(pick: Any, name: str, table: Table) -> Expr:
    """A call of the function over the table's columns."""
    first = Ref(table.columns[0])
    if name in PLUS:
        return make(name, tuple(Ref(c) for c in table.columns), None)
    if name in TO:
        return make("is_null", (make(name, (first,), None),), None)
    other = pick(draw.operand(table))
    pair = (first, other) if pick(st.booleans()) else (other, first)
    if name == "days_between":
        return make(name, pair, None)
    if name in ("date_diff", "date_sub", "age_part"):
        units = {
            "date_diff": date_arithmetic.DIFF_UNITS,
            "date_sub": date_arithmetic.SUB_UNITS,
            "age_part": date_arithmetic.AGES,
        }
        unit = Literal(pick(st.sampled_from(units[name])), VARCHAR)
        return make(name, (unit, *pair), None)
    if name == "date_trunc":
        return make(
            name, (Literal(pick(st.sampled_from(temporal.TRUNCATIONS)), VARCHAR), first), None
        )
    small = pick(st.tuples(st.integers(-30, 30), st.integers(-40, 40), st.integers(-90000, 90000)))
    by = pick(st.sampled_from([small, (small[0], 0, 0), LARGE, tuple(-n for n in LARGE)]))
    if name == "plus_interval":
        return make(name, (first, *(whole(n) for n in by)), None)
    passed = make("elapsed", pair, None) if name in PASSED else None
    if passed is not None and name == "elapsed_part":
        part = pick(st.sampled_from(list(elapsed.ELAPSED_PARTS)))
        return make(name, (Literal(part, VARCHAR), passed), None)
    if passed is not None and name == "interval_us":
        return make(name, (passed,), None)
    if name in ("age", "elapsed", "interval"):
        symbol, age = pick(st.sampled_from(["lt", "ge", "eq"])), make("age", pair, None)
        other = interval(by) if passed is None else passed
        return make(symbol, (age, other), None)
    if name == "strftime":
        return make(name, (first, Literal(pick(formats()), VARCHAR)), None)
    if name == "time_bucket":
        widths = WIDTHS if first.type == DATE else WIDTHS + FINE
        return make(name, (interval(pick(st.sampled_from(widths))), first), None)
    if name in ("make_date", "try_make_date"):
        return make("make_date", tuple(Ref(c) for c in table.columns), None)
    return make(name, (first,), None)
