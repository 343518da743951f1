"""Hypothesis strategies: types, cells, tables and constants."""

from __future__ import annotations

import math
import struct
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dpsql.core.functions.constants import number
from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.core.plan.values import Values
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
    list_of,
)
from tests.functions.engine import NULL, Cell, Table, hull

ROWS = 24

INTEGERS = [
    *(Type(n) for n in ("TINYINT", "SMALLINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")),
    *(INTEGER, BIGINT, HUGEINT),
]
DECIMALS = [
    decimal(p, s)
    for p, s in ((1, 0), (2, 2), (4, 2), (9, 4), (15, 2), (18, 3), (18, 18), (19, 4), (38, 0))
] + [decimal(38, 10), decimal(38, 30), decimal(38, 38)]
FLOATS = [DOUBLE, Type("FLOAT")]
NUMBERS = INTEGERS + DECIMALS + FLOATS + [DOUBLE] * 4 + [INTEGER] * 2
TEMPORAL = [DATE, TIMESTAMP]
ENUM = Type("ENUM", values=("", "a", "it's", "Äb "))
STRINGS = [VARCHAR, ENUM]
LISTS = [list_of(INTEGER), list_of(VARCHAR), list_of(BOOLEAN)]
ALL = NUMBERS + TEMPORAL * 3 + STRINGS * 2 + [BOOLEAN] * 2

_DOUBLES = [
    *(0.0, -0.0, 1.0, -1.0, 0.1, 0.1 + 0.2, 0.5, 1.5, 2.5, -2.5, 1e-320, 5e-324, -5e-324, 99.995),
    *(2.0**53, 2.0**53 + 2, 1e15 + 0.5, 1e22, 1e30, 1e38, -1e38, 1e300, -1e300, 1.7e308, -1.7e308),
    *(709.7, 710.0, -745.2, 2.0**63, -(2.0**63), 2147483647.5, -2147483648.5, 127.5, 255.5, 0.285),
    *(math.inf, -math.inf, math.nan),
]
_STRINGS = [
    *(
        "",
        "a",
        "ä",
        "🤦🏼‍♂️",
        "  x ",
        "12",
        "-3.5",
        "1e5",
        "1e400",
        "2020-02-30",
        "2020-02-29",
        "true",
    ),
    *("infinity", "nan", "a" * 3000, "İıß", "o'clock", "a%b_c\\", "99999999999999999999", "128"),
]
_DATES = [
    *("0001-01-01", "9999-12-31", "infinity", "-infinity", "0001-12-31 (BC)", "10000-01-01"),
    *("5877642-06-25 (BC)", "5881580-07-10", "2020-01-30", "2020-01-31", "2020-02-29"),
    *("1969-12-31", "1970-01-01", "1999-12-31", "2000-01-01", "2021-01-03", "2021-01-04"),
]
_TIMESTAMPS = [
    *("0001-01-01 00:00:00", "9999-12-31 23:59:59.999999", "infinity", "-infinity"),
    *("290309-12-22 (BC) 00:00:00", "294247-01-10 04:00:54.775806", "10000-01-01 00:00:00"),
    *("0001-12-31 (BC) 23:59:59.999999", "2020-01-30 23:00:00", "2020-01-31 01:00:00"),
    *("2020-02-29 12:34:56.789012", "1969-12-31 23:59:59.999999", "1970-01-01 00:00:00"),
    *("2021-01-03 23:59:59", "2021-01-04 00:00:00.000001", "1999-12-31 23:30:59"),
]


def single(value: float) -> float:
    """The nearest FLOAT."""
    if abs(value) > 3.4e38 and math.isfinite(value):
        value = math.copysign(3.4e38, value)
    return float(struct.unpack("f", struct.pack("f", value))[0])


def text(value: str) -> str:
    """A SQL string."""
    return "'" + value.replace("'", "''") + "'"


def _double(value: float, kind: Type) -> Cell:
    value = single(value) if kind.name == "FLOAT" else value
    exact = Fraction(value) if math.isfinite(value) else value
    return Cell(f"'{value!r}'::{kind}", exact)


def _moment(value: str, kind: Type) -> Cell:
    sql = f"{text(value)}::{kind}"
    if value.startswith("-") or "BC" in value:
        return Cell(sql, -math.inf)
    if value == "infinity" or len(value.split("-")[0]) > 4:
        return Cell(sql, math.inf)
    exact = date.fromisoformat(value) if kind == DATE else datetime.fromisoformat(value)
    return Cell(sql, exact)


def _exact(value: int, kind: Type) -> Cell:
    """`value` counts the type's last digits."""
    exact = Fraction(value, 10**kind.scale) if kind.scale else value
    if not kind.is_decimal:
        return Cell(f"{text(str(value))}::{kind}", value)
    digits = str(abs(value)).rjust((kind.scale or 0) + 1, "0")
    cut = len(digits) - (kind.scale or 0)
    sign = "-" if value < 0 else ""
    return Cell(f"'{sign}{digits[:cut]}.{digits[cut:]}'::{kind}", Fraction(exact))


def cell(kind: Type, *, extreme: bool) -> st.SearchStrategy[Cell]:
    """A value of the type; near 0 (or 2020) unless `extreme`."""
    if kind.is_float:
        near = st.floats(-1e6, 1e6).map(lambda v: round(v, 3))
        anything = st.sampled_from(_DOUBLES) | st.floats(width=64)
        return (anything if extreme else near).map(lambda v: _double(v, kind))
    if kind.is_exact:
        limits = kind.limits()
        assert limits is not None
        low, high = (int(e * 10 ** (kind.scale or 0)) for e in limits)
        near = st.integers(max(low, -1000), min(high, 1000))
        ends = [v for e in (low, high) for v in range(e - 2, e + 3) if low <= v <= high]
        anything = st.sampled_from(ends) | st.integers(low, high) | near
        return (anything if extreme else near).map(lambda v: _exact(v, kind))
    if kind.name == "LIST":
        sizes = st.sampled_from([0, 1, 2, 3000] if extreme else [0, 1, 2, 7])
        return sizes.map(lambda n: Cell(f"[{', '.join(['NULL'] * n)}]::{kind}", n))
    if kind.is_boolean:
        return st.sampled_from([Cell("TRUE", True), Cell("FALSE", False)])
    if kind.name == "ENUM":
        assert kind.values is not None
        return st.sampled_from([Cell(text(v), v) for v in kind.values])
    if kind.is_string:
        drawn = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
        return (st.sampled_from(_STRINGS) | drawn).map(lambda v: Cell(text(v), v))
    pool = _DATES if kind == DATE else _TIMESTAMPS
    near = st.dates(date(2019, 1, 1), date(2021, 12, 31)).map(lambda d: d.isoformat())
    if kind == TIMESTAMP:
        moments = st.datetimes(datetime(2019, 1, 1), datetime(2021, 12, 31))
        near = moments.map(lambda d: d.isoformat(sep=" "))
    chosen = st.sampled_from(pool) | near if extreme else near
    return chosen.map(lambda v: _moment(v, kind))


@st.composite
def _column(draw: Any, kind: Type) -> tuple[list[Cell], Values, Values]:
    source = cell(kind, extreme=draw(st.booleans()))
    if draw(st.integers(0, 3)) > 0:
        source = source | st.just(NULL) if draw(st.booleans()) else source
    cells = draw(st.lists(source, min_size=3, max_size=10))
    proven = hull(cells, kind, tight=draw(st.integers(0, 3)) > 0)
    claimed = proven
    ordinary = [c.exact for c in cells if c.ordinary]
    ranged = kind.is_numeric or kind.is_temporal
    if ordinary and draw(st.booleans()) and ranged:
        ends = sorted(draw(st.sampled_from(ordinary)) for _ in range(2))
        shift = draw(st.sampled_from([0, Fraction(1, 3), Fraction(1, 10)]))
        ends = [e + shift for e in ends] if kind.is_numeric else ends
        claimed = Values(ends[0], ends[1], proven.nullable)
    if kind == VARCHAR:
        claimed = claimed.but(length=draw(st.sampled_from([10_000, 100, 2, 1])))
    return cells, proven, claimed


@st.composite
def tables(draw: Any, kinds: tuple[Type, ...]) -> Table:
    """Columns of the given types with rows."""
    columns = tuple(Column(n, f"c{n}", kind) for n, kind in enumerate(kinds))
    drawn = [draw(_column(kind)) for kind in kinds]
    rows = []
    for n in range(ROWS):
        step = [1, 3, 7, 11][: len(kinds)] + [1] * len(kinds)
        rows.append(tuple(d[0][(n * step[i]) % len(d[0])] for i, d in enumerate(drawn)))
    return Table(
        columns,
        tuple(rows),
        {n: d[1] for n, d in enumerate(drawn)},
        {n: d[2] for n, d in enumerate(drawn)},
    )


def constant(kind: Type) -> st.SearchStrategy[Expr]:
    """A literal that goes with columns of the type."""
    if kind.is_numeric:
        plain = st.sampled_from(["0", "1", "2", "7", "0.1", "0.25", "99.995", "1e3", "2147483647"])
        exact = st.integers(0, 300).map(str) | plain
        return st.tuples(exact, st.booleans()).map(lambda p: _signed(*p))
    if kind.is_boolean:
        return st.booleans().map(lambda v: Literal(v, BOOLEAN))
    if kind.is_string:
        return st.sampled_from(["", "a", "ä", "it's", "zz"]).map(lambda v: Literal(v, VARCHAR))
    days = st.dates(date(2019, 6, 1), date(2021, 6, 1)) | st.sampled_from([date.min, date.max])
    if kind == DATE:
        return days.map(lambda v: Literal(v, DATE))
    return days.map(lambda v: Literal(datetime(v.year, v.month, v.day, 1), TIMESTAMP))


def _signed(digits: str, negative: bool) -> Literal:
    literal = number(digits, None)
    assert isinstance(literal.value, int | Fraction)
    return Literal(-literal.value if negative else literal.value, literal.type)


def operand(table: Table, kinds: list[Type] | None = None) -> st.SearchStrategy[Expr]:
    """A column of the table, or a constant that goes with one."""
    columns = [c for c in table.columns if kinds is None or c.type in kinds]
    refs: st.SearchStrategy[Expr] = st.sampled_from([Ref(c) for c in columns])
    return refs | st.sampled_from(columns).flatmap(lambda c: constant(c.type)) if columns else refs
