"""Expressions of up to four levels, and predicates that narrow, against DuckDB."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from dpsql.core.functions.build import case, cast, make
from dpsql.core.infer.ranges import narrow
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.errors import Rejected
from dpsql.types import BIGINT, BOOLEAN, DATE, DOUBLE, INTEGER, TIMESTAMP, VARCHAR, Type, decimal
from tests.functions import draw
from tests.functions.check import check, show
from tests.functions.engine import Table, inside
from tests.support.effort import tries

ONE = [
    "abs",
    "floor",
    "ceil",
    "round",
    "sqrt",
    "ln",
    "exp",
    "trunc",
    "sign",
    "even",
    "cbrt",
    "log10",
]
ONE += ["sin", "tan", "asin", "atan", "cosh", "degrees", "single", "bit_not", "bit_count"]
TWO = ["pow", "bit_and", "bit_xor", "shl", "shr", "atan2"]
NUMERIC_CASTS = [INTEGER, BIGINT, DOUBLE, decimal(9, 2), decimal(18, 6), Type("UTINYINT")]


@st.composite
def numeric(pick: Any, table: Table, depth: int) -> Expr:
    """A number."""
    if depth == 0:
        return pick(draw.operand(table, draw.NUMBERS))
    below = numeric(table, depth - 1) | numeric(table, 0)
    choice = pick(st.integers(0, 9))
    if choice < 4:
        name = pick(st.sampled_from(["add", "sub", "mul", "mul", "div", "intdiv", "mod", *TWO]))
        return make(name, (pick(below), pick(below)), None)
    if choice == 4:
        return make(pick(st.sampled_from(ONE)), (pick(below),), None)
    if choice == 5:
        name = pick(st.sampled_from(["least", "greatest", "coalesce", "nullif"]))
        return make(name, (pick(below), pick(below)), None)
    if choice == 6:
        return cast("try_cast", pick(below), pick(st.sampled_from(NUMERIC_CASTS)), None)
    if choice == 7:
        return make("round", (pick(below), Literal(pick(st.integers(0, 4)), INTEGER)), None)
    condition = pick(predicate(table, depth - 1))
    default = pick(st.none() | below)
    return case([(condition, pick(below))], default, None)


@st.composite
def predicate(pick: Any, table: Table, depth: int) -> Expr:
    """A condition, mostly of the kind that narrows a column."""
    column = pick(st.sampled_from(table.columns))
    ref = Ref(column)
    if depth > 0 and pick(st.integers(0, 2)) == 0:
        name = pick(st.sampled_from(["and", "or", "not"]))
        parts = [pick(predicate(table, depth - 1)) for _ in range(1 if name == "not" else 2)]
        return make(name, tuple(parts), None)
    others = [c for c in table.columns if c.type == column.type]
    constants = draw.constant(column.type)
    cells = [row[column.id].exact for row in table.rows if row[column.id].ordinary]
    if cells:
        constants = constants | st.sampled_from(cells).map(
            lambda v: Literal(v, _plain(column.type))
        )
    other = constants | st.sampled_from([Ref(c) for c in others])
    choice = pick(st.integers(0, 7))
    if choice == 0:
        return make("is_null", (ref,), None)
    if choice == 1:
        null = st.just(Literal(None, Type("NULL")))
        return make("in", (ref, *pick(st.lists(constants | null, min_size=1, max_size=3))), None)
    if choice == 2 and column.type.is_string:
        return make("like", (ref, Literal(pick(st.sampled_from(["a%", "%", "_"])), VARCHAR)), None)
    if choice == 3:
        low, high = (make(n, (ref, pick(constants)), None) for n in ("ge", "le"))
        return make("and", (low, high), None)
    if column.type == BOOLEAN and choice == 4:
        return ref
    if choice == 5 and depth > 0 and column.type.is_numeric:
        return make("le", (ref, pick(numeric(table, depth - 1))), None)
    name = pick(st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge", "is_not_distinct"]))
    args = (ref, pick(other))
    return make(name, args if pick(st.booleans()) else args[::-1], None)


def _plain(kind: Type) -> Type:
    return VARCHAR if kind.name == "ENUM" else kind


@st.composite
def temporal(pick: Any, table: Table, depth: int) -> Expr:
    """A date or a timestamp."""
    if depth == 0:
        return pick(draw.operand(table, [DATE, TIMESTAMP]))
    below = pick(temporal(table, depth - 1))
    choice = pick(st.integers(0, 4))
    if choice == 4:
        number: Expr = Literal(pick(st.integers(-40, 40)), INTEGER)
        if pick(st.booleans()):  # of a type that has to be narrowed
            number = make("mul", (pick(dated(table, depth - 1)), number), None)
        plus = pick(st.sampled_from(["plus_days", "plus_months", "plus_seconds"]))
        return make(plus, (below, number), None)
    if choice == 0:
        unit = Literal(pick(st.sampled_from(["year", "month", "week", "day", "hour"])), VARCHAR)
        return make("date_trunc", (unit, below), None)
    if choice == 1:
        amounts = pick(
            st.tuples(st.integers(-30, 30), st.integers(-40, 40), st.integers(-9999, 9999))
        )
        return make("plus_interval", (below, *(Literal(n, INTEGER) for n in amounts)), None)
    if choice == 2:
        return cast("cast", below, pick(st.sampled_from([DATE, TIMESTAMP])), None)
    other = pick(temporal(table, depth - 1))
    return make(
        pick(st.sampled_from(["least", "greatest", "coalesce", "nullif"])), (below, other), None
    )


@st.composite
def dated(pick: Any, table: Table, depth: int) -> Expr:
    """A number out of dates."""
    moment = pick(temporal(table, max(0, depth - 1)))
    part = pick(
        st.sampled_from(["year", "month", "week", "dayofweek", "dayofyear", "days_between"])
    )
    if part == "days_between":
        other = pick(temporal(table, max(0, depth - 1)))
        return make(part, tuple(cast("cast", m, DATE, None) for m in (moment, other)), None)
    return make(part, (moment,), None)


@st.composite
def strings(pick: Any, table: Table, depth: int) -> Expr:
    """The length, or a number, out of strings."""

    def one(level: int) -> Expr:
        if level == 0:
            return pick(draw.operand(table))
        inner = one(level - 1)
        if not inner.type.is_string:
            return cast("cast", inner, VARCHAR, None)
        name = pick(st.sampled_from(["lower", "upper", "trim", "concat", "substring", "coalesce"]))
        if name in ("concat", "coalesce"):
            return make(name, (inner, one(level - 1)), None)
        more = (Literal(pick(st.integers(-3, 3)), INTEGER),) if name == "substring" else ()
        return make(name, (inner, *more), None)

    value = one(depth - 1)
    if pick(st.booleans()) or not value.type.is_string:
        return make("length", (cast("cast", value, VARCHAR, None),), None)
    return cast("try_cast", value, pick(st.sampled_from([*NUMERIC_CASTS, DATE])), None)


MAKERS = {
    "numbers": (numeric, draw.NUMBERS),
    "dates": (dated, draw.TEMPORAL),
    "strings": (strings, draw.STRINGS),
    "predicates": (predicate, draw.ALL),
}


def options(count: int) -> settings:
    """Reproducible, and not timed: the machine is shared."""
    return settings(
        max_examples=count,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.one_in(2)
def test_compositions(kind: str) -> None:
    maker, kinds = MAKERS[kind]

    @options(tries(60, 600))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        chosen = data.draw(st.tuples(*[st.sampled_from(kinds)] * 3))
        table = data.draw(draw.tables(chosen))
        try:
            expr = data.draw(maker(table, data.draw(st.integers(2, 4))))
            check(table, expr, value=data.draw(st.booleans()))
        except Rejected as rejected:
            assume(rejected.code not in ("DP205", "DP306"))
            raise

    run()


def test_narrowing() -> None:
    @options(tries(100, 2000))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        kind = data.draw(st.sampled_from(draw.ALL))
        table = data.draw(draw.tables((kind, kind, data.draw(st.sampled_from(draw.ALL)))))
        try:
            condition = data.draw(predicate(table, data.draw(st.integers(0, 3))))
        except Rejected:
            assume(False)
        table.create()
        try:
            ((truth, _),) = table.evaluate(condition)
        except Exception:
            assume(False)
        narrowed = narrow(condition, table.proven)
        for row, true in zip(table.rows, truth, strict=True):
            if true is not True:
                continue
            for column in table.columns:
                cell, values = row[column.id], narrowed[column.id]
                label = f"c{column.id} = {cell.sql} not in {values}: {show(table, condition)}"
                assert inside(cell.exact, values, column.type), label

    run()
