"""The calendar in Python against DuckDB's: units, texts, differences, and ranges that are exact."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsql.core.enforce.secure import secure, total
from dpsql.core.functions import date_arithmetic, moments
from dpsql.core.functions.build import make
from dpsql.core.functions.date_format import SPECIFIERS, texts, written
from dpsql.core.functions.date_parts import GROWING, PARTS, RECURRING
from dpsql.core.functions.later import MOST_MONTHS, MOST_SECONDS
from dpsql.core.functions.temporal import MOST_DAYS, TRUNCATIONS
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.core.plan.values import Values
from dpsql.errors import Rejected
from dpsql.types import BIGINT, DATE, INTEGER, TIMESTAMP, VARCHAR, Type
from tests.functions.draw_dates import interval
from tests.functions.engine import CONNECTION, exact
from tests.functions.test_compositions import options
from tests.support.effort import tries

NEAR = st.datetimes(datetime(2019, 1, 1), datetime(2021, 12, 31))
ENDS = st.sampled_from(
    [datetime(2020, m, d, h) for m in (1, 2, 3) for d in (1, 28, 29) for h in (0, 9)]
)
MOMENTS = NEAR | ENDS | st.datetimes() | st.sampled_from([datetime.min, datetime.max])
DAYS = MOMENTS.map(lambda m: datetime(m.year, m.month, m.day))


def ask(sql: str, kind: Type | None = None) -> Any:
    row = CONNECTION.execute(
        f"SELECT CAST({sql} AS VARCHAR)" if kind else f"SELECT {sql}"
    ).fetchone()
    assert row is not None
    return exact(row[0], kind) if kind else row[0]


def sql(moment: datetime) -> str:
    return f"TIMESTAMP '{moment.isoformat(sep=' ')}'"


@pytest.mark.parametrize("alias", moments.ALIASES)
def test_alias_is_duckdbs(alias: str) -> None:
    now = "TIMESTAMP '2019-11-12 13:14:15.678901'"
    name = moments.ALIASES[alias]
    assert ask(f"date_part('{alias}', {now})") == ask(f"date_part('{name}', {now})")


@options(tries(50, 150))
@given(MOMENTS)
def test_parts(moment: datetime) -> None:
    for name in PARTS:
        part = GROWING[name] if name in GROWING else RECURRING[name][2]
        found, expected = ask(f"date_part('{name}', {sql(moment)})"), part(moment)
        assert found == expected or abs(found - expected) < abs(expected) / 2**50, name


@options(tries(50, 150))
@given(MOMENTS)
def test_truncation(moment: datetime) -> None:
    for unit in TRUNCATIONS:
        found = ask(f"date_trunc('{unit}', {sql(moment)})", TIMESTAMP)
        start = moments.truncate(unit, moment)
        assert found == start if start is not None else isinstance(found, float), unit


@options(tries(50, 150))
@given(MOMENTS, st.tuples(*[st.integers(-400, 400) | st.integers(-MOST_DAYS, MOST_DAYS)] * 2))
def test_days_later(moment: datetime, days: tuple[int, int]) -> None:
    """The range of d + n for n in [low, high] has exactly what DuckDB computes for the two."""
    low, high = sorted(days)
    for kind, start, plus in (
        (DATE, moment.date(), "CAST({} AS DATE) + {}"),
        (TIMESTAMP, moment, "{} + to_days({})"),
    ):
        count = Column(1, "n", INTEGER)
        later = make("plus_days", (Literal(start, kind), Ref(count)), None)
        found = infer(later, {1: Values(low, high, False)})
        assert not found.nullable
        for end, n in ((found.low, low), (found.high, high)):
            expected = ask(plus.format(sql(moment), n), kind)
            assert end == expected if end is not None else isinstance(expected, float)


@options(tries(50, 150))
@given(MOMENTS, st.tuples(*[st.integers(-400, 400) | st.integers(-MOST_MONTHS, MOST_MONTHS)] * 2))
def test_months_later(moment: datetime, months: tuple[int, int]) -> None:
    """Of midnights, the range of d + n months has exactly the two ends that DuckDB computes; of
    times of day, whole days around them.
    """
    low, high = sorted(months)
    count = Column(1, "n", INTEGER)
    day = datetime(moment.year, moment.month, moment.day)
    for kind, start in ((DATE, day.date()), (TIMESTAMP, moment)):
        later = make("plus_months", (Ref(Column(2, "d", kind)), Ref(count)), None)
        found = infer(later, {1: Values(low, high, False), 2: Values(start, start, False)})
        assert not found.nullable
        for end, n, way in ((found.low, low, 1), (found.high, high, -1)):
            plain = sql(day if kind == DATE else moment)
            expected = ask(f"{plain} + to_months({n})", TIMESTAMP)
            if end is None:
                assert isinstance(expected, float)
            elif kind == DATE:
                assert end == expected
            else:
                assert timedelta(0) <= way * (expected - end) < timedelta(days=1)


def test_days_that_months_bring_together_keep_their_times() -> None:
    """30 January 23:00 and 31 January 01:00 plus a month are the other way round."""
    moment, count = Column(1, "t", TIMESTAMP), Column(2, "n", INTEGER)
    env = {
        1: Values(datetime(2023, 1, 30, 23), datetime(2023, 1, 31, 1), False),
        2: Values(1, 1, False),
    }
    found = infer(make("plus_months", (Ref(moment), Ref(count)), None), env)
    for start in ("2023-01-30 23:00:00", "2023-01-31 01:00:00"):
        moved = ask(f"TIMESTAMP '{start}' + to_months(1)", TIMESTAMP)
        assert found.low <= moved <= found.high


@options(tries(50, 150))
@given(MOMENTS, st.tuples(*[st.integers(-(10**6), 10**6) | st.integers(-(10**11), 10**11)] * 2))
def test_seconds_later(moment: datetime, seconds: tuple[int, int]) -> None:
    low, high = sorted(seconds)
    count = Column(1, "n", BIGINT)
    later = make("plus_seconds", (Literal(moment, TIMESTAMP), Ref(count)), None)
    found = infer(later, {1: Values(low, high, False)})
    assert not found.nullable
    for end, n in ((found.low, low), (found.high, high)):
        expected = ask(f"{sql(moment)} + to_microseconds({n}::BIGINT * 1000000)", TIMESTAMP)
        assert end == expected if end is not None else isinstance(expected, float)


@pytest.mark.parametrize(
    ("name", "most"), [("plus_months", MOST_MONTHS), ("plus_seconds", MOST_SECONDS)]
)
def test_too_many_of_a_unit_are_none(name: str, most: int) -> None:
    count = Column(1, "n", BIGINT)
    later = make(name, (Literal(date(2024, 1, 1), DATE), Ref(count)), None)
    for number, nullable in ((most, False), (most + 1, True)):
        env = {1: Values(-number, number, False)}
        assert infer(secure(later, env, env, value=True), env).nullable == nullable


def test_too_many_days_are_none() -> None:
    count = Column(1, "n", BIGINT)
    later = make("plus_days", (Literal(date(2024, 1, 1), DATE), Ref(count)), None)
    for most, nullable in ((MOST_DAYS, False), (MOST_DAYS + 1, True)):
        env = {1: Values(-most, most, False)}
        assert infer(secure(later, env, env, value=True), env).nullable == nullable


@options(tries(100, 300))
@given(MOMENTS, MOMENTS)
def test_differences(a: datetime, b: datetime) -> None:
    for unit in date_arithmetic.DIFF_UNITS:
        found = ask(f"date_diff('{unit}', {sql(a)}, {sql(b)})")
        assert found == date_arithmetic.boundaries(unit, a, b), unit
    months = ask(f"date_part('year', age({sql(a)}, {sql(b)})) * 12")
    months += ask(f"date_part('month', age({sql(a)}, {sql(b)}))")
    assert months == date_arithmetic.age_months(a, b)


@options(tries(100, 300))
@given(DAYS, DAYS)
def test_whole_months_of_dates(a: datetime, b: datetime) -> None:
    assert ask(f"date_sub('month', {sql(a)}, {sql(b)})") == date_arithmetic.whole_months(a, b)


@options(tries(66, 200))
@given(st.lists(MOMENTS, min_size=3, max_size=3).map(sorted))
def test_months_of_an_age_grow(three: list[datetime]) -> None:
    a, b, c = three
    months = date_arithmetic.age_months
    assert months(a, b) <= months(a, a) <= months(b, a) <= months(c, a)
    assert months(c, b) <= months(c, a)


@options(tries(66, 200))
@given(
    MOMENTS,
    st.sampled_from([(1, 0), (7, 0), (12_000, 0)]) | st.integers(1, 10**8).map(lambda n: (0, n)),
)
def test_buckets(moment: datetime, width: tuple[int, int]) -> None:
    months, seconds = width
    unit = f"INTERVAL '{months}' MONTH" if months else f"INTERVAL '{seconds}' SECOND"
    found = ask(f"time_bucket({unit}, {sql(moment)})", TIMESTAMP)
    start = date_arithmetic.bucket(width, moment)
    assert found == start if start is not None else isinstance(found, float)


@pytest.mark.parametrize("name", SPECIFIERS)
@pytest.mark.one_in(3)
def test_specifier(name: str) -> None:
    """Every day of 400 years, each at another time; then the last days of the calendar."""
    step = timedelta(days=1, seconds=34_567, microseconds=890_123)
    series = "SELECT d, strftime(d, '[' || ? || ']') FROM (SELECT unnest(?::TIMESTAMP[]) AS d)"
    start = datetime(1800, 1, 1)
    dates = [start + n * step for n in range(0, 100_000, 3)]
    dates += [
        datetime.min,
        datetime.max,
        datetime(1, 1, 7),
        datetime(99, 12, 31),
        datetime(9999, 1, 1),
    ]
    rows = CONNECTION.execute(series.replace("?", f"'%{name}'", 1), [dates]).fetchall()
    assert all(text == f"[{written('%' + name, moment)}]" for moment, text in rows)


@pytest.mark.parametrize("name", [n for n, (unit, _) in SPECIFIERS.items() if "year" not in unit])
def test_texts_without_a_year_are_all_listed(name: str) -> None:
    unit = SPECIFIERS[name][0]
    text = f"%{name}" if unit in ("hour", "minute") else f"%{name} %V"
    listed = texts(text, datetime.min, datetime.max, False, TIMESTAMP)
    if unit in ("second", "millisecond", "microsecond"):
        assert listed is None
        return
    step = {"hour": "1 hour", "minute": "1 minute"}.get(unit, "1 day")
    end = "2000-01-02" if unit in ("hour", "minute") else "2400-01-01"
    moments = f"range(TIMESTAMP '2000-01-01', TIMESTAMP '{end}', INTERVAL '{step}') t(m)"
    found = ask(f"list_sort(list(DISTINCT strftime(m, '{text}'))) FROM {moments}")
    assert listed == tuple(found)


def listed(expr: Expr, low: Any, high: Any) -> Values:
    return infer(expr, {0: Values(low, high, False)})


DAY = Ref(Column(0, "d", DATE))
PLACED = Ref(Column(0, "t", TIMESTAMP))
YEAR = (date(2023, 11, 15), date(2024, 2, 10))
TIMES = (datetime(2023, 11, 15, 8), datetime(2024, 2, 10, 17))


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("year", 2023, 2024),
        ("decade", 202, 202),
        ("century", 21, 21),
        ("isoyear", 2023, 2024),
        ("yearweek", 202346, 202406),
        ("epoch", 1700006400, 1707523200),
        ("era", 1, 1),
        ("month", 1, 12),
        ("hour", 0, 0),
        ("epoch_ms", 1700006400000, 1707523200000),
    ],
)
def test_range_of_a_part(name: str, low: int, high: int) -> None:
    values = listed(make(name, (DAY,), None), *YEAR)
    assert (values.low, values.high, values.nullable) == (low, high, False)


def test_parts_within_one_period() -> None:
    week = (date(2024, 2, 6), date(2024, 2, 9))
    ranges = {n: listed(make(n, (DAY,), None), *week) for n in ("month", "day", "isodow", "week")}
    found = {n: (v.low, v.high) for n, v in ranges.items()}
    assert found == {"month": (2, 2), "day": (6, 9), "isodow": (2, 5), "week": (6, 6)}


@pytest.mark.parametrize(
    ("name", "unit", "expected"),
    [
        ("date_diff", "day", (-45, 41)),
        ("date_diff", "month", (-2, 1)),
        ("date_diff", "year", (-1, 0)),
        ("date_diff", "week", (-6, 5)),
        ("date_sub", "month", (-1, 1)),
        ("date_sub", "year", (0, 0)),
        ("date_diff", "hour", (-1080, 984)),
    ],
)
def test_range_of_a_difference(name: str, unit: str, expected: tuple[int, int]) -> None:
    new_year = Literal(date(2023, 12, 31), DATE)
    expr = make(name, (Literal(unit, VARCHAR), DAY, new_year), None)
    values = listed(expr, date(2023, 11, 20), date(2024, 2, 14))
    assert (values.low, values.high) == expected


@pytest.mark.parametrize("column", [DAY, PLACED])
def test_group_keys_have_lists(column: Ref) -> None:
    ends = YEAR if column.type == DATE else TIMES
    months = ("February", "November", "December", "January")
    form = make("strftime", (column, Literal("%Y-%m", VARCHAR)), None)
    assert listed(form, *ends).finite == ("2023-11", "2023-12", "2024-01", "2024-02")
    assert set(listed(make("monthname", (column,), None), *ends).finite or ()) == set(months)
    assert len(listed(make("dayname", (column,), None), None, None).finite or ()) == 7
    assert len(listed(make("last_day", (column,), None), *ends).finite or ()) == 4
    assert len(listed(make("yearweek", (column,), None), *ends).finite or ()) == 13
    week = make("time_bucket", (interval((0, 7, 0)), column), None)
    assert len(listed(week, *ends).finite or ()) == 13


@pytest.mark.parametrize("text", ["", "%", "%z", "%n", "%Q", "%-Y", "%%%", "x" * 257])
def test_format_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match="DP205"):
        make("strftime", (DAY, Literal(text, VARCHAR)), None)


@pytest.mark.parametrize("by", [(0, 0, 0), (-1, 0, 0), (1, 1, 0), (0, 0, 60), (0, -1, 1)])
def test_bucket_is_refused(by: tuple[int, int, int]) -> None:
    with pytest.raises(Rejected, match="DP205"):
        make("time_bucket", (interval(by), DAY), None)


def test_make_date_of_possible_parts_is_plain() -> None:
    env = {n: Values(1, 12, False) for n in range(3)}
    parts = tuple(Ref(Column(n, f"c{n}", Type("BIGINT"))) for n in range(3))
    expr = make("make_date", parts, None)
    assert secure(expr, env, env, value=True) == expr
    assert infer(expr, env) == Values(date(1, 1, 1), date(12, 12, 12), False)


@pytest.mark.parametrize("part", ["day", "hour", "minute", "second"])
def test_a_part_of_a_difference_is_secured_once(part: str) -> None:
    """What is made of it has its range stated at once, and not when it is looked at again."""
    anything = {0: Values(), 1: Values()}
    days = [make("coerce", (Ref(Column(i, f"c{i}", DATE)),), None) for i in (0, 1)]
    moments = [replace(day, type=TIMESTAMP) for day in days]
    passed = make("elapsed", tuple(moments), None)
    expr = make("elapsed_part", (Literal(part, VARCHAR), passed), None)
    safe = secure(expr, anything, anything, value=False)
    assert total(safe, anything) == safe
