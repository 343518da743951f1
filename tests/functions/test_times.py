"""Times of day against DuckDB: their parts, constants, comparisons, and those of moments."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.checker.functions import called
from dpsql.checker.values import of_type as of_checker
from dpsql.core.emit.plans import column as sql_column
from dpsql.core.emit.plans import scalar
from dpsql.core.enforce.secure import secure
from dpsql.core.functions.build import cast, make
from dpsql.core.functions.date_parts import RECURRING
from dpsql.core.functions.times import LAST, microseconds, number
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.core.plan.values import Values, of_type
from dpsql.errors import Rejected
from dpsql.types import BIGINT, TIME, TIMESTAMP, VARCHAR
from tests.functions.engine import CONNECTION
from tests.functions.test_compositions import options
from tests.support.effort import tries

PARTS = ("hour", "minute", "second", "millisecond", "microsecond")
ENDS = st.sampled_from([0, 1, 999_999, 10**6, 43_200_000_000, LAST - 1, LAST])
TIMES = (st.integers(0, LAST) | ENDS).map(
    lambda us: (
        f"{us // 3_600_000_000:02}:{us // 60_000_000 % 60:02}:{us // 10**6 % 60:02}.{us % 10**6:06}"
    )
)
COLUMN, MOMENT = Column(1, "t", TIME), Column(2, "m", TIMESTAMP)
ENV = {1: of_type(TIME), 2: Values()}


def evaluated(expr: Expr, time: str, moment: str = "2020-02-29 12:34:56.789") -> tuple[Any, Values]:
    """The value of a secured expression of the columns, and what it is said to be."""
    safe = secure(expr, ENV, ENV, value=True)
    text = scalar(safe, {c.id: sql_column("r", c.name) for c in (COLUMN, MOMENT)})
    rows = f"(SELECT '{time}'::TIME AS t, '{moment}'::TIMESTAMP AS m) AS r"
    row = CONNECTION.execute(f"SELECT {text.sql(dialect='duckdb')} FROM {rows}").fetchone()
    assert row is not None
    return row[0], infer(safe, ENV)


def ask(sql: str) -> Any:
    row = CONNECTION.execute(f"SELECT {sql}").fetchone()
    assert row is not None
    return row[0]


def constant(time: str) -> Expr:
    return cast("cast", Literal(time, VARCHAR), TIME, None)


@options(tries(50, 150))
@given(TIMES)
def test_parts(time: str) -> None:
    """What DuckDB says, within what is inferred; and the checker knows of no less."""
    for name in PARTS:
        found, values = evaluated(make(name, (Ref(COLUMN),), None), time)
        assert found == ask(f"{name}('{time}'::TIME)"), name
        assert values.low <= found <= values.high and values.nullable
        known = called(name, [of_checker("TIME")])
        assert known is not None
        assert known.high is None or found <= known.high


def test_the_last_hour_is_the_24th() -> None:
    assert RECURRING["hour"][:2] == (0, 23)
    _, values = evaluated(make("hour", (Ref(COLUMN),), None), "24:00:00")
    assert (values.low, values.high) == (0, 24)


@options(tries(50, 150))
@given(TIMES, TIMES)
def test_comparisons(one: str, other: str) -> None:
    for name, sign in (("lt", "<"), ("le", "<="), ("eq", "="), ("ne", "<>")):
        expected = ask(f"'{one}'::TIME {sign} '{other}'::TIME")
        for right in (constant(other), Literal(other, VARCHAR)):
            assert evaluated(make(name, (Ref(COLUMN), right), None), one)[0] == expected
            assert evaluated(make(name, (right, Ref(COLUMN)), None), one)[0] == ask(
                f"'{other}'::TIME {sign} '{one}'::TIME"
            )
    listed = make("in", (Ref(COLUMN), constant(one), Literal(other, VARCHAR)), None)
    assert evaluated(listed, other)[0] is True


@options(tries(33, 100))
@given(TIMES)
def test_constants(time: str) -> None:
    made = constant(time)
    assert ask(scalar(made, {}).sql(dialect="duckdb")) == ask(f"'{time}'::TIME")
    number = microseconds(made)
    assert isinstance(number, Literal) and number.value == ask(f"epoch_us('{time}'::TIME)")


@options(tries(33, 100))
@given(TIMES.filter(lambda t: not t.startswith("24")))
def test_times_of_moments(time: str) -> None:
    """Its parts are the moment's; it is compared by what DuckDB's cast gives; none is NULL."""
    day = cast("cast", Ref(MOMENT), TIME, None)
    for name in PARTS:
        assert make(name, (day,), None) == make(name, (Ref(MOMENT),), None)
    moment = f"1969-12-31 {time}"
    assert evaluated(make("eq", (day, constant(time)), None), "00:00:00", moment)[0] is True
    assert evaluated(make("eq", (day, Ref(COLUMN)), None), time, moment)[0] is True
    never = evaluated(
        make("is_null", (make("eq", (day, Ref(COLUMN)), None),), None), time, "infinity"
    )
    assert never[0] is True


NUMBERS = st.integers(-1, 61) | st.sampled_from([23, 24, 59, 60, 2**31, -(2**63), 2**63 - 1])
A, B, C = (Column(i, n, BIGINT) for i, n in enumerate("abc", 1))


@options(tries(50, 150))
@given(NUMBERS, NUMBERS, NUMBERS)
def test_made_times(hour: int, minute: int, second: int) -> None:
    """Of parts in their ranges it is DuckDB's; of others NULL, and so is what it is compared by."""
    env = {c.id: of_type(BIGINT) for c in (A, B, C)}
    made = make("make_time", (Ref(A), Ref(B), Ref(C)), None)
    names = {c.id: sql_column("r", c.name) for c in (A, B, C)}
    rows = f"(SELECT '{hour}'::BIGINT AS a, '{minute}'::BIGINT AS b, '{second}'::BIGINT AS c) AS r"
    time, compared = (
        ask(f"{scalar(secure(e, env, env, value=True), names).sql(dialect='duckdb')} FROM {rows}")
        for e in (made, microseconds(made))
    )
    if 0 <= hour <= 23 and 0 <= minute <= 59 and 0 <= second <= 59:
        assert time == ask(f"make_time({hour}, {minute}, {second})")
        assert compared == ask(f"epoch_us(make_time({hour}, {minute}, {second}))")
    else:
        assert time is None and compared is None


@pytest.mark.parametrize("text", ["25:00:00", "noon", ""])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        constant(text)
    assert caught.value.code == "DP205"


@options(tries(33, 100))
@given(TIMES)
def test_a_time_is_its_number_and_back(time: str) -> None:
    us = ask(f"epoch_us('{time}'::TIME)")
    found, said = evaluated(number(Ref(COLUMN)), time)
    assert found == us and said.low <= us <= said.high
    back, _ = evaluated(make("time_at", (number(Ref(COLUMN)),), None), time)
    assert back == ask(f"'{time}'::TIME" if us < LAST else "'23:59:59.999999'::TIME")


@pytest.mark.parametrize("us", [-1, LAST + 1, 2**62, -(2**62)])
def test_no_time_is_made_of_a_number_beyond_a_day(us: int) -> None:
    assert evaluated(make("time_at", (Literal(us, BIGINT),), None), "00:00")[0] is None


def test_a_number_is_told_to_the_checker_with_its_type_and_range() -> None:
    text = scalar(secure(number(Ref(COLUMN)), ENV, ENV, value=True), {1: sql_column("r", "t")}).sql(
        dialect="duckdb"
    )
    for said in ("AS BIGINT)", str(LAST + 1)):
        assert said in text
