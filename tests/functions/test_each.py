"""Each entry of the function table, by itself, against DuckDB."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from dpsql.core.functions import BY_NAME
from dpsql.core.functions.build import case, cast, make
from dpsql.core.functions.casts import convertible
from dpsql.core.functions.enforcing import FUNCTIONS as ENFORCING
from dpsql.core.functions.times import FUNCTIONS as TIMES
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, walk
from dpsql.core.plan.values import of_type
from dpsql.errors import Rejected
from dpsql.types import BOOLEAN, DOUBLE, INTEGER, VARCHAR, Type
from tests.functions import draw, draw_dates, draw_numbers, draw_strings
from tests.functions.check import again, check, clamps, same, show
from tests.functions.engine import Cell, Table
from tests.support.effort import tries

MADE_BY_REWRITING = {f.name for f in (*ENFORCING, *TIMES)}  # of times see `test_times`
NULLS = {"div", "intdiv", "mod", "sqrt", "ln", "try_cast", "coerce"}
NULLS |= draw_dates.NULLS | draw_numbers.NULLS
"""Where the secured form is NULL in places in which DuckDB's own is not."""

UNARY = {"abs", "floor", "ceil", "sqrt", "ln", "exp", "not", "is_null", "lower", "upper", "length"}
COMPARING = {"eq", "ne", "lt", "le", "gt", "ge", "is_not_distinct", "in"}
COMPARING |= {"coalesce", "nullif", "case"}
TEXTUAL = {"like", "ilike", "concat", "lower", "upper", "length", "substring"}
TEXTUAL |= {"trim", "ltrim", "rtrim"}
OFTEN = {"add", "sub", "mul", "cast", "try_cast", "case", "plus_interval", "plus_days"}

PATTERNS = ["", "%", "a%", "%a%", "_", "a_b%", "%ä", "\\%", "o'c%", "%_%x__%"]


def _groups(name: str) -> list[tuple[Type, ...]]:
    """Types of columns that the function takes."""
    pairs = [(a, b) for a in draw.NUMBERS for b in draw.NUMBERS]
    if name in draw_numbers.NAMES:
        return draw_numbers.groups(name)
    if name in ("add", "sub", "mul", "div"):
        return pairs
    if name in ("least", "greatest"):
        both = [(a, b) for a in draw.TEMPORAL for b in draw.TEMPORAL] + [(VARCHAR, VARCHAR)] * 2
        return pairs + both * 10
    if name in (
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "is_not_distinct",
        "in",
        "coalesce",
        "nullif",
        "case",
    ):
        same_kind = [(a, b) for a in draw.STRINGS for b in draw.STRINGS] * 5 + [(BOOLEAN, BOOLEAN)]
        return pairs + same_kind + [(a, b) for a in draw.TEMPORAL for b in draw.TEMPORAL] * 10
    if name in ("and", "or", "not"):
        return [(BOOLEAN, BOOLEAN)]
    if (
        name in ("like", "ilike", "concat", "lower", "upper", "length", "substring")
        or "trim" in name
    ):
        return [(a, b) for a in draw.STRINGS for b in draw.STRINGS]
    if name == "array_length":
        return [(a,) for a in draw.LISTS]
    if name == "list_element":
        return [(a,) for a in draw.LISTS if a.of != VARCHAR]
    if name in draw_dates.NAMES:
        return draw_dates.groups(name)
    if name in draw_strings.NAMES:
        return draw_strings.groups()
    return [(a,) for a in draw.ALL]


TARGETS = [t for t in draw.ALL if t.name not in ("ENUM", "FLOAT")]


@st.composite
def _expression(pick: Any, name: str, table: Table) -> Expr:
    if name in draw_numbers.NAMES:
        return pick(draw_numbers.expression(name, table))
    any_operand = draw.operand(table)
    first = Ref(table.columns[0])
    if name in ("in",):
        members = pick(
            st.lists(
                draw.constant(first.type) | st.just(Literal(None, Type("NULL"))),
                min_size=1,
                max_size=4,
            )
        )
        return make("in", (first, *members), None)
    if name in ("cast", "coerce", "try_cast"):
        target = pick(st.sampled_from([t for t in TARGETS if convertible(first.type, t)]))
        return cast("cast" if name == "cast" else "try_cast", first, target, None)
    if name in ("like", "ilike"):
        return make(name, (first, Literal(pick(st.sampled_from(PATTERNS)), VARCHAR)), None)
    if name == "substring":
        numbers = pick(st.tuples(st.integers(-6, 6), st.integers(0, 9)))
        count = pick(st.integers(1, 2))
        return make(name, (first, *(Literal(n, INTEGER) for n in numbers[:count])), None)
    if name == "list_element":
        return make(name, (first, Literal(pick(st.integers(1, 4)), INTEGER)), None)
    if name in ("trim", "ltrim", "rtrim"):
        more = pick(st.sampled_from([(), (Literal("a x", VARCHAR),), (Literal("", VARCHAR),)]))
        return make(name, (first, *more), None)
    if name in draw_dates.NAMES:
        return pick(draw_dates.expression(name, table))
    if name in draw_strings.NAMES:
        return pick(draw_strings.expression(name, table))
    if name == "case":
        condition = make("is_null", (pick(any_operand),), None)
        if pick(st.booleans()):
            condition = make("le", (first, pick(draw.constant(first.type))), None)
        branches = [(condition, pick(any_operand))]
        return case(branches, pick(st.none() | any_operand), None)
    one = {
        "not",
        "is_null",
        "lower",
        "upper",
        "length",
        "array_length",
        "six_digits",
    }
    if name in one:
        return make(name, (first,), None)
    return make(name, (pick(any_operand), pick(any_operand)), None)


NAMES = [*(n for n in BY_NAME if n not in MADE_BY_REWRITING), "case"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.one_in(3)
def test_secured_expression_keeps_its_promises(name: str) -> None:
    groups = _groups(name)

    @settings(
        max_examples=tries(12 if name in OFTEN else 4, 200),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        table = data.draw(draw.tables(data.draw(st.sampled_from(groups))))
        try:
            expr = data.draw(_expression(name, table))
            safe, found = check(table, expr, value=data.draw(st.booleans()))
        except Rejected as rejected:
            assume(rejected.code not in ("DP205", "DP306"))
            raise
        if data.draw(st.integers(0, 4)) == 0:
            again(table, safe, found)
        if not clamps(safe):
            _compare(table, expr, safe, found)

    run()


INTERVALS = ("age", "elapsed", "date_diff")
"""Within comparisons they are NULL where one of their moments is outside the calendar."""


def _compare(table: Table, expr: Expr, safe: Expr, found: list[Any]) -> None:
    """The secured form is what DuckDB computes for the plain one, where that does not fail; of
    -0.0, what it computes of 0.0.
    """
    table.one_zero()
    try:
        ((plain, kind),) = table.evaluate(expr)
    except duckdb.Error:
        return
    name = expr.function if isinstance(expr, Call) else "case"
    for expected, result in zip(plain, found, strict=True):
        if result is None and expected is not None:
            age = any(isinstance(n, Call) and n.function in INTERVALS for n in walk(expr))
            assert name in NULLS or age, show(table, safe)
            continue
        if kind == str(safe.type):
            assert same(expected, result), f"{expected} {result} {show(table, safe)}"
        elif isinstance(expected, Fraction | int) and isinstance(result, Fraction | int):
            assert abs(expected - result) <= abs(expected) / 2**44 + 2**-30


@pytest.mark.parametrize("name", ["atan2", "pow", "div"])
def test_of_either_zero_the_answer_is_that_of_one(name: str) -> None:
    columns = (Column(1, "x", DOUBLE), Column(2, "y", DOUBLE))
    cells = [Cell(f"'{n}'::DOUBLE", Fraction(n)) for n in ("0.0", "-0.0", "1.0", "-1.0")]
    every = dict.fromkeys((1, 2), of_type(DOUBLE))
    table = Table(columns, tuple(itertools.product(cells, repeat=2)), every, every)
    expr = make(name, (Ref(columns[0]), Ref(columns[1])), None)
    safe, found = check(table, expr, value=False)
    _compare(table, expr, safe, found)
