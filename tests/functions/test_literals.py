"""Constants, folding, and the types of exact arithmetic, against DuckDB."""

from __future__ import annotations

import math
from contextlib import suppress
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpsql import demo
from dpsql.core.emit.plans import column, scalar
from dpsql.core.functions import BY_NAME
from dpsql.core.functions.arithmetic import product_digits, sum_digits
from dpsql.core.functions.build import cast, make
from dpsql.core.functions.calculator import calculator
from dpsql.core.functions.constants import beyond_numbers, number, parse_as
from dpsql.core.functions.spec import TypeMismatch
from dpsql.core.functions.typing import DOUBLE_TEXT, double_text, literal_type
from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.errors import Rejected
from dpsql.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    HUGEINT,
    INTEGER,
    TIMESTAMP,
    VARCHAR,
    Type,
    decimal,
)
from tests.functions import draw
from tests.functions.engine import CONNECTION, exact
from tests.functions.test_compositions import options
from tests.support.effort import tries


def one(sql: str) -> Any:
    row = CONNECTION.execute(f"SELECT {sql}").fetchone()
    assert row is not None
    return row[0]


def printed(expr: Expr) -> str:
    return scalar(expr, {}).sql(dialect="duckdb")


@options(tries(100, 300))
@given(st.sampled_from(draw.ALL), st.booleans(), st.data())
def test_printed_constant_is_the_constant(kind: Type, extreme: bool, data: st.DataObject) -> None:
    value = data.draw(draw.cell(kind, extreme=extreme).filter(lambda c: c.ordinary)).exact
    sql = printed(Literal(value, kind))
    assert exact(one(sql), kind) == value
    if kind.name != "ENUM":
        assert one(f"typeof({sql})") == str(kind)


@options(tries(66, 200))
@given(st.integers(0, 10**40), st.integers(0, 40), st.booleans())
def test_number(digits: int, point: int, leading: bool) -> None:
    text = str(digits).rjust(point + leading, "0")
    text = f"{text[:-point]}.{text[-point:]}" if point else text
    try:
        literal = number(text, None)
    except TypeMismatch:
        assert len(text) > 37
        return
    assert literal.value == Fraction(text)
    sql = printed(literal)
    assert Fraction(one(sql)) == Fraction(text)
    assert one(f"typeof({sql})") == str(literal.type)


@pytest.mark.parametrize("kind", [INTEGER, BIGINT, HUGEINT])
def test_printed_ends_of_whole_numbers_are_these(kind: Type) -> None:
    for end in kind.limits() or ():
        assert exact(one(printed(Literal(end, kind))), kind) == end


@pytest.mark.parametrize("text", ["1e5", "1E-5", "1.5e300", "4e-324", "123456789.123456789e-3"])
def test_exponent_is_a_double(text: str) -> None:
    literal = number(text, None)
    assert literal.type == DOUBLE
    assert literal.value == Fraction(one(text))


@pytest.mark.parametrize("text", ["1e400", "1" * 60, "0." + "1" * 60, "1." + "0" * 60])
def test_number_too_large(text: str) -> None:
    with pytest.raises(TypeMismatch):
        number(text, None)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((t, DATE) for t in ("2020-01-31", " 2020-02-29 ", "0001-01-01", "9999-12-31")),
        *((t, TIMESTAMP) for t in ("2020-01-31", "2020-01-31 10:20", "2020-01-31T10:20:30.5")),
        *(
            (t, TIMESTAMP)
            for t in ("2020-01-31T10:20:30Z", "2020-01-31 10:20:30.25Z", "2020-01-31 10:20Z")
        ),
        *((t, INTEGER) for t in ("12", "-12", "+3", " 7 ", "2147483647", "-2147483648")),
        *((t, decimal(5, 2)) for t in ("1.25", "-999.99", "7", "1.")),
        *((t, DOUBLE) for t in ("0.1", "-1e300", "5e-324", ".5", "1")),
        *((t, BOOLEAN) for t in ("true", "FALSE")),
    ],
)
def test_string_is_read_as_duckdb_does(text: str, kind: Type) -> None:
    expected = one(f"CAST({draw.text(text)} AS {kind})")
    assert parse_as(text, kind) == exact(expected, kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(
            (t, DATE)
            for t in ("2020-02-30", "2020-W01-1", "20200101", "infinity", "10000-01-01", "")
        ),
        *(
            (t, TIMESTAMP)
            for t in (
                "2020-01-01 00:00:00+01",
                "2020-01-01Z",
                "2020-01-01 25:00",
                "2020-01-01 1:00",
            )
        ),
        *((t, INTEGER) for t in ("1_0", "٣", "1.5", "2147483648", "", "1e2", "0x10")),
        *((t, decimal(5, 2)) for t in ("1.255", "1000", "nan", "1e999999999", "inf")),
        *((t, DOUBLE) for t in ("nan", "inf", "1e400", "1_0", "1e99999")),
        *((t, BOOLEAN) for t in ("yes", "1")),
    ],
)
def test_string_that_is_no_constant(text: str, kind: Type) -> None:
    assert parse_as(text, kind) is None


@options(tries(50, 150))
@given(
    st.dates() | st.datetimes(),
    st.integers(-500, 500),
    st.integers(-800, 800),
    st.integers(-100_000, 100_000),
)
def test_date_plus_interval_folds_as_duckdb(
    moment: Any, months: int, days: int, seconds: int
) -> None:
    kind = TIMESTAMP if isinstance(moment, datetime) else DATE
    amounts = tuple(Literal(n, INTEGER) for n in (months, days, seconds))
    folded = make("plus_interval", (Literal(moment, kind), *amounts), None)
    sql = printed(Literal(moment, kind))
    for count, unit in ((months, "MONTH"), (days, "DAY"), (seconds, "SECOND")):
        sql = f"({sql} + INTERVAL '{count}' {unit})"
    expected = exact(one(f"CAST({sql} AS VARCHAR)"), TIMESTAMP)
    if isinstance(folded, Literal):
        assert folded.value == expected
        as_date = cast("cast", folded, DATE, None)
        assert isinstance(as_date, Literal)
        assert as_date.value == exact(one(f"CAST(CAST({sql} AS DATE) AS VARCHAR)"), DATE)
    else:
        assert isinstance(expected, float) or not 2 < expected.year < 9998


def test_decimal_widths() -> None:
    for symbol, width in (("+", sum_digits), ("-", sum_digits), ("*", product_digits)):
        for p in range(1, 39):
            for scale in {0, 1, p // 2, p} - ({0} if p == 0 else set()):
                parts = [
                    f"typeof(CAST(NULL AS DECIMAL({p},{scale})) {symbol} "
                    f"CAST(NULL AS DECIMAL({q},{min(scale, q) if symbol != '*' else 0})))"
                    for q in range(max(scale, 1), 39)
                ]
                row = CONNECTION.execute("SELECT " + ", ".join(parts)).fetchone()
                expected = [
                    f"DECIMAL({width(p, q, scale)},{scale})" for q in range(max(scale, 1), 39)
                ]
                assert list(row or ()) == expected, (symbol, p, scale)


MIXED = [
    (BIGINT, decimal(15, 2)),
    (HUGEINT, decimal(9, 4)),
    (Type("UBIGINT"), BIGINT),
    (Type("UBIGINT"), decimal(38, 0)),
    (INTEGER, DOUBLE),
    (decimal(18, 3), decimal(19, 4)),
    (DATE, TIMESTAMP),
]


@pytest.mark.parametrize(("left", "right"), MIXED)
@pytest.mark.parametrize("name", ["eq", "lt", "ge"])
@pytest.mark.one_in(3)
def test_mixed_comparison_is_the_mathematical_one(left: Type, right: Type, name: str) -> None:
    compare = {"eq": lambda a, b: a == b, "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b}[name]

    @options(tries(10, 25))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        table = data.draw(draw.tables((left, right)))
        expr = make(name, (Ref(table.columns[0]), Ref(table.columns[1])), None)
        from dpsql.core.enforce.secure import secure

        safe = secure(expr, table.proven, table.proven, value=False)
        lossless = all(getattr(a, "type", None) != DOUBLE for a in safe.args) or right == DOUBLE  # type: ignore[union-attr]
        table.create()
        ((found, _),) = table.evaluate(safe)
        for (a, b), result in zip(table.rows, found, strict=True):
            if a.ordinary and b.ordinary and lossless:
                x, y = (_moment(c.exact) for c in (a, b))
                assert result is compare(x, y), (a, b, safe)

    run()


def _moment(value: Any) -> Any:
    plain = isinstance(value, date) and not isinstance(value, datetime)
    return datetime(value.year, value.month, value.day) if plain else value


def test_timing_is_documented_where_a_row_can_fail() -> None:
    assert BY_NAME["try_cast"].timing
    assert BY_NAME["like"].timing


@pytest.mark.parametrize("pattern", ["%" + "_" * 9, "a" * 257, "%a%" + "_" * 9 + "b%"])
def test_pathological_patterns_are_rejected(pattern: str) -> None:
    with pytest.raises(Rejected, match="DP205"):
        make("like", (Literal("x", VARCHAR), Literal(pattern, VARCHAR)), None)


@pytest.mark.parametrize("text", [".5", "0.5", ".05", ".0", ".50", "0.50", "1.5"])
def test_a_number_without_a_first_digit_is_another_type(text: str) -> None:
    """.5 is DECIMAL(1,1), of which the text is .5; 0.5 has one more digit."""
    sql = printed(number(text, None))
    assert one(f"typeof({sql})") == one(f"typeof({text})")
    assert one(f"CAST({sql} AS VARCHAR)") == one(f"CAST({text} AS VARCHAR)")


def test_a_number_keeps_its_text_in_a_query() -> None:
    with demo.database() as shop:
        for text in (".5", "0.5", "-.5", "-0.5", ".05 + .5", "0.50", ".0", "[.5][1]"):
            expected = one(f"CAST({text} AS VARCHAR)")
            query = f"SELECT CAST({text} AS VARCHAR) AS v, COUNT(*) AS n FROM {{}} GROUP BY 1"
            assert shop.run(query.format("regions"), 1).rows[0][0] == expected
            assert shop.run(query.format("orders"), 1).rows[0][0] == expected


@pytest.mark.parametrize("bits", [7, 8, 15, 31, 32, 63, 64, 127])
def test_a_number_has_the_type_that_duckdb_gives_it(bits: int) -> None:
    """Also at the lowest of each type, which is written as minus what is no value of it."""
    with calculator() as connection:
        for value in (-(1 << bits), 1 - (1 << bits), (1 << bits) - 1):
            with suppress(TypeMismatch):
                written = connection.execute(f"SELECT typeof({value})").fetchone()
                assert written == (str(literal_type(value)),)


@pytest.mark.parametrize(
    "text",
    [
        *("nan", "NaN", "+NAN", "-nan", " nan ", "inf", "-Inf", "+INF", "infinity", "-INFINITY"),
        *("nan0", "in", "infinit", "++inf", "n an", "--nan", "infinityy", ""),
    ],
)
def test_a_text_is_beyond_numbers_where_it_is_to_the_engine(text: str) -> None:
    found = beyond_numbers(Literal(text, VARCHAR), DOUBLE, None)
    value = one(f"TRY_CAST('{text}' AS DOUBLE)")
    assert (found is not None) == (value is not None)
    if found is not None:
        for other in ("'nan'", "'inf'", "'-inf'", "0", "-0.0", "1.7976931348623157e308"):
            for operator in ("=", "<", ">", "<=", ">=", "IS DISTINCT FROM"):
                test = f"{operator} {other}::DOUBLE"
                assert one(f"{printed(found)} {test}") is one(f"CAST('{text}' AS DOUBLE) {test}")


@options(tries(100, 300))
@given(st.floats(width=64))
@example(-1.7976931348623157e308)
@example(-2.2250738585072014e-308)
@example(-0.00012345678901234567)
@example(-1234567890123456.7)
@example(5e-324)
@example(math.inf)
def test_the_text_of_a_double_is_the_engines(value: float) -> None:
    """All of it in 24 characters; but one text for both zeros, and for every NaN."""
    x = Ref(Column(1, "x", DOUBLE))
    sql = scalar(double_text(x), {1: column("t", "x")}).sql(dialect="duckdb")
    text = "SELECT " + sql + ", x::VARCHAR FROM (SELECT ?::DOUBLE AS x) t"
    row = CONNECTION.execute(text, [value]).fetchone()
    assert row is not None
    special = {"-0.0": "0.0", "-nan": "nan"}
    assert row[0] == special.get(row[1], row[1])
    assert len(row[1]) <= DOUBLE_TEXT
