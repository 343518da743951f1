"""What the checker believes that functions can be, against DuckDB: every whole number of small
intervals, every day of years, and floats beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import isinf

import duckdb
import pytest

from dpsql.checker.functions import called
from dpsql.checker.scalars import World, assumed, value
from dpsql.checker.tree import Expr, Meaning, expression, fields, mapped, parsed
from dpsql.checker.values import NONE, Value, days, of_type, tells
from tests.support.effort import tries

F = Fraction

INTERVALS = ((-7, -7), (-7, -1), (-7, 0), (-3, 5), (0, 0), (0, 6), (1, 6), (30, 64))
UNARY = """
sqrt(x)|asin(x)|acos(x)|asin(x / 5)|floor(x) // 2|even(x) // 2|ceil(x) / 2
-x|+x|abs(x)|floor(x)|ceil(x)|round(x)|trunc(x)|sign(x)|even(x)|~x|bit_count(x)|sqrt(abs(x))
ln(abs(x) + 1)|log10(abs(x) + 1)|log2(abs(x) + 1)|exp(x)|atan(x)|sinh(x)|tanh(x)|cbrt(x)|degrees(x)
radians(x)|sin(x)|cos(x)|pow(x, 2)|pow(x, 3)|pow(x, 0)|pow(x, 2.0)|pow(abs(x), 0.5)
x * x|x / 3|x // 3|x // -3|x % 3|x % -3|round(x, -1)
round(x / 3, 1)|CAST(x AS DECIMAL(9, 1))|CAST(x / 3 AS INTEGER)|CAST(x / 3 AS DECIMAL(9, 2))
CAST(x / 3 AS REAL)|nullif(x, 0)|nullif(x, -7)|least(x, 2)|greatest(x, 2)|coalesce(x, 5)|x IS NULL
CASE WHEN x < 2 THEN x ELSE 9 END|CASE WHEN x >= 2 OR x < -2 THEN x END|TRY_CAST(x AS UTINYINT)
CASE WHEN x > 0.5 AND x <= 3 THEN x ELSE 1 END|CAST(x > 2 AS INTEGER)|length(CAST(x AS VARCHAR))
CASE WHEN x NOT IN (1, 2) THEN x END|factorial(abs(x) % 9)
atan2(x, abs(x) + 1)
atan2(x, 2)|acos(x / 100)|asin(x / 100)|abs(x) << 3|abs(x) >> 1|xor(abs(x), 5)|abs(x) \\| 8|hash(x)
CAST(5 AS HUGEINT) << abs(x)|CAST(1 AS HUGEINT) << (abs(x) + 62)|64 >> x|5 // nullif(x - 2, 0)
x // nullif(x - 2, 0)
CAST(x AS DECIMAL(9, 2)) % 3|CAST(x AS DECIMAL(9, 2)) % nullif(CAST(x AS DECIMAL(9, 2)), 0)
nullif(greatest(NULL, -7), -7)|CAST(x / 2 AS INTEGER)
CAST(x * CAST('0.5' AS DECIMAL(2, 1)) AS INTEGER)
log(2, abs(x) + 1)|log(0.5, abs(x) + 1)|log(1e-5, abs(x) + 1)|x * CAST('0.12' AS DECIMAL(2, 2))
x * CAST('7' AS BIGINT)|CAST('1.25' AS DECIMAL(4, 1)) + x|x >= 1 AND x < 0
CASE WHEN x >= 1 AND x < 0 THEN x END
CASE WHEN x > 2 AND x < 0 THEN 1 ELSE 0 END|strlen(CASE WHEN x > 2 THEN 'é' ELSE 'abc' END)
length(CASE WHEN x > 2 THEN 'é' ELSE 'abc' END)|CAST(isnan(CAST(x AS DOUBLE)) AS INTEGER)
CAST(contains(CAST(x AS VARCHAR), '1') AS INTEGER)|CAST(coalesce(x > 2, x IS NULL) AS INTEGER)
CASE WHEN TRY_CAST(x AS UTINYINT) >= 0 THEN x ELSE 1 END|round(x / 2)|round(x / 7, 0)|round(x, 0)
round(CAST(x / 8 AS DECIMAL(9, 3)))|round(CAST(x / 8 AS REAL))|CAST(x AS DECIMAL(9, 2)) * x % 7
CAST(x / 9 AS DECIMAL(9, 3)) * CAST('0.9' AS DECIMAL(2, 1)) % CAST('0.1' AS DECIMAL(2, 1))
CAST(x AS HUGEINT) % CAST('2.5' AS DECIMAL(2, 1))
CAST('2.5' AS DECIMAL(2, 1)) % nullif(CAST(x AS HUGEINT), 0)
CAST(x AS DECIMAL(38, 20)) % CAST(7 AS DECIMAL(38, 0))|abs(CAST(x AS DECIMAL(9, 2)) - 3) % 3
x % CAST('0.3' AS DECIMAL(2, 1)) % CAST(8 AS DECIMAL(9, 2))
"""
BINARY = """
x + y|x - y|x * y|x / y|x // nullif(y, 0)|abs(x) << abs(y)|abs(x) >> y
x % nullif(y, 0)|least(x, y)|greatest(x, y)
gcd(x, y)|lcm(x, y)|nullif(x, y)|nullif(x, CASE WHEN y > 0 THEN 5 END)
x & y|x \\| y|xor(x, y)|xor(abs(x), abs(y))|bit_count(abs(x * y))|abs(x) >> abs(y)
abs(x) & abs(y)|abs(x) \\| abs(y)|coalesce(nullif(x, 0), y)|CASE WHEN x < y THEN x ELSE y END
atan2(x, y)|pow(x, abs(y))|pow(abs(x) + 1, y)|pow(abs(x), abs(y) / 3)
x < y|x / 2 + y / 3|(x / 3) * (y / 7)|log(abs(x) + 2, abs(y) + 1)|log(abs(y) + 1, abs(x) + 2)
"""
DAYS = """
year(d)|month(d)|quarter(d)|day(d)|dayofweek(d)|isodow(d)|dayofyear(d)|week(d)|isoyear(d)|decade(d)
epoch(d)|hour(d)|minute(d)|second(d)|date_part('month', d)|date_diff('day', DATE '2000-01-31', d)
date_diff('month', DATE '2000-01-31', d)|date_diff('year', DATE '2000-01-31', d)
date_sub('month', DATE '2000-01-31', d)|date_part('year', age(d, DATE '1990-02-28'))
date_diff('week', DATE '2000-01-31', d)|date_diff('quarter', DATE '2000-01-31', d)
date_trunc('decade', d)|date_trunc('century', d)|date_trunc('quarter', d)
date_trunc('millennium', d)|date_trunc('isoyear', d)
date_diff('decade', DATE '2000-01-31', d)|date_diff('isoyear', DATE '2000-01-31', d)
date_diff('century', d, DATE '2000-01-31')|date_sub('century', d, DATE '2000-01-31')
date_sub('month', d, DATE '2000-02-29')|date_sub('month', d, DATE '2000-02-28')
date_sub('month', DATE '1999-12-31', d)|date_sub('quarter', d, DATE '1988-02-29')
date_sub('year', d, DATE '2001-02-28')|date_sub('decade', DATE '2000-01-31', d)
date_sub('month', CAST(d AS TIMESTAMP), TIMESTAMP '2000-02-28 09:00:00')
date_sub('year', TIMESTAMP '1988-02-29 09:00:00', d)
date_sub('day', TIMESTAMP '1988-02-29 09:00:00', d)
date_diff('hour', DATE '2000-01-31', d)|date_diff('microsecond', DATE '2000-01-31', d)
date_diff('millisecond', d, DATE '2000-01-31')|date_sub('hour', DATE '2000-01-31', d)
date_sub('week', DATE '2000-01-31', d)|date_trunc('week', d)|date_trunc('hour', d)
date_trunc('month', d)|date_trunc('year', d)|date_trunc('quarter', d)|d - DATE '2000-01-01'
strftime(d, '%Y-%m')|strftime(d, '%m')|strftime(d, '%-m/%y')|strftime(d, '%B %a')|strftime(d, '%U')
strftime(d, '%W')|strftime(d, 'week %V')|strftime(d, '%G-%V')|strftime(d, '%j')|strftime(d, '%-d')
strftime(d, '%h')|strftime(d, '%w')|strftime(d, '%u %A')|strftime(d, '%x')|strftime(d, '%Y %H')
strftime(d, '%d%m')|strftime(d, '%%m')|strftime(d, 'x')|monthname(d)|dayname(d)
last_day(d)|last_day(d) + 1|d + 1|d + INTERVAL 1 MONTH|CAST(d AS TIMESTAMP) - INTERVAL '36' HOUR
time_bucket(INTERVAL '7' DAY, d)|time_bucket(INTERVAL '604800' SECOND, d)|date_trunc('day', d)
time_bucket(INTERVAL '1' MONTH, d)|time_bucket(INTERVAL '5' MONTH, d)|date_trunc('minute', d)
time_bucket(INTERVAL '100' MONTH, d)|year(time_bucket(INTERVAL '7' MONTH, d))
time_bucket(INTERVAL '7' DAY, d, DATE '2000-01-05')|year(d + INTERVAL 1 DAY)
CAST(date_trunc('week', d) AS DATE)|CAST(CAST(d AS TIMESTAMP) AS DATE)|dayname(d + 1)
CASE WHEN date_trunc('month', d) > DATE '2000-03-01' THEN date_trunc('month', d) END
d - INTERVAL 1 MONTH|d - INTERVAL '-13' MONTH|d - INTERVAL 2 YEAR|d + INTERVAL 40 DAY
date_trunc('year', d - INTERVAL 30 DAY)|date_trunc('month', d + INTERVAL 1 MONTH)
d + CAST(month(d) AS INTEGER)|d - CAST(month(d) AS INTEGER)
DATE '2000-01-31' + CAST(day(d) AS INTEGER)|d + to_months(day(d))
d - INTERVAL 3 HOUR|d - to_days(day(d) // 9)|d + INTERVAL '0.0000005' SECOND
year(d - INTERVAL 1 YEAR)
CASE WHEN date_trunc('week', d) IN (DATE '2000-02-28', '2000-03-06') THEN date_trunc('week', d) END
"""
MOMENTS = """
CAST(t AS DATE)|date_trunc('day', t)|date_trunc('hour', t)|date_trunc('week', t)|last_day(t)
date_trunc('second', t)|date_trunc('month', t)|date_trunc('quarter', t)|date_trunc('year', t)
time_bucket(INTERVAL '5400' SECOND, t)|time_bucket(INTERVAL '7' DAY, t)|hour(t)|day(t)
time_bucket(INTERVAL '0.5' SECOND, t)|time_bucket(INTERVAL '2' MONTH, t)|CAST(t AS DATE) + 1
t + INTERVAL 1 DAY|t - INTERVAL 5 HOUR|t - INTERVAL '0.5' SECOND|year(t + INTERVAL '0.5' SECOND)
nullif(t, TIMESTAMP '1969-12-31 00:00:00')|CAST(t AS DATE) - DATE '1960-01-01'|epoch(t)
"""
TICKS = (-1_000_001, -1_000_000, -999_999, -1, 0, 1, 999_999, 1_000_000, 1_000_001)
MIDNIGHTS = (
    *(date(1, 1, 9), date(1899, 12, 31), date(1960, 2, 29), date(1969, 12, 29)),
    *(date(1969, 12, 31), date(1970, 1, 1), date(1970, 1, 5), date(2000, 1, 1)),
    *(date(2000, 1, 3), date(2024, 2, 29), date(2024, 7, 1), date(9999, 12, 30)),
)
TEXTS = r"""
length(t)|strlen(t)|strpos(t, 'a')|strpos('a', t)|substring(t, 1, 2)|substring('abc', x, 2)|ascii(t)
substring('abc', 1, x)|t \|\| 'a'|'a' \|\| t|contains(t, 'a')|starts_with('a', t)|suffix('a', t)
regexp_matches(t, 'a')|t LIKE 'a%'|t ILIKE 'a'|upper(t)|lower(t)|unicode(t)|ord(t)|prefix(t, 'a')
strpos(t, '')|strpos('', t)|sign(CAST(x AS DOUBLE) / 2)
isnan(CAST(x AS DOUBLE))|pow(2, x)|log(x, 2)|log(2, x)|gcd(2, x)|xor(x, 5)|1 << x
date_trunc('month', d)|date_diff('day', d, DATE '2000-01-01')|date_sub('day', DATE '2000-01-01', d)
replace(t, 'a', 'bb')|replace('abc', t, 'b')|replace('abc', 'b', t)|repeat(t, 2)|repeat('ab', x)
lpad(t, 5, 'x')|lpad('a', x, 'b')|rpad('a', 5, t)
date_part('year', d)|age(d, DATE '2000-01-01')|age(DATE '2000-01-01', d)|x // 2|2 // x|2 % x|-x
"""
JOINED = """
concat_ws('-', t, 'a')|concat_ws(t, 'a', 'b')|concat(t, 'a')|regexp_replace(t, 'a', 'b')
regexp_replace('aaa', t, 'b', 'g')|regexp_replace('aaa', 'a', t)
"""
SPANS = (
    (date(1999, 12, 25), date(2001, 1, 5)),
    (date(2020, 2, 29), date(2020, 2, 29)),
    (date(2023, 3, 1), date(2023, 3, 31)),
    (date(1969, 12, 28), date(1970, 1, 4)),
    (date(1960, 2, 29), date(1988, 3, 1)),  # more days than are listed
)


def texts(found: str) -> list[str]:
    bar = "\0"
    lines = found.replace("\\|", bar).split("\n")
    return [t.replace(bar, "|") for line in lines for t in line.split("|") if t]


def read(text: str, known: dict[str, Value]) -> tuple[Expr, dict[Expr, Value]]:
    (item,) = fields(parsed(f"SELECT {text}") | {"from_table": None}, "select_list")[0]

    def refuse(_: object) -> Expr:
        raise AssertionError

    def columns(expr: Expr) -> Expr:
        return ("column", expr[1][0]) if expr[0] == "name" else mapped(expr, columns)

    made = columns(expression(item, refuse))
    return made, {("column", name): found for name, found in known.items()}


def number(found: object) -> Fraction | None:
    if isinstance(found, datetime):
        return days(found)
    if isinstance(found, date):
        return F(found.toordinal())
    if isinstance(found, timedelta):
        return F(found.days)
    if isinstance(found, float) and isinf(found):
        return F(10) ** 400 * (1 if found > 0 else -1)
    if isinstance(found, bool | int | float | Decimal):
        return F(found)
    return None


def holds(text: str, known: dict[str, Value], answers: Iterator[Meaning]) -> None:
    found = value(*read(text, known))
    seen: set[object] = set()
    for *at, got in answers:
        seen.add(got)
        if got is None or got != got:  # NaN, which is above all
            assert found.null if got is None else found.high is None, (text, known, at)
            continue
        assert found.kind not in ("whole", "exact") or not isinstance(got, float), (text, known, at)
        n = number(got)
        if n is None or not found.kind:
            continue
        assert found.low is None or found.low <= n, (text, at, got, found)
        assert found.high is None or n <= found.high, (text, at, got, found)
        if found.among is not None and all(type(v) is Fraction for v in found.among):
            assert n in found.among, (text, at, got, found)
    if found.count == 0:
        assert seen <= {None}, (text, seen)
    if found.options is not None:
        assert len(seen) <= found.options, (text, found)


def whole(low: int, high: int, *, null: bool) -> Value:
    return of_type("INTEGER").clipped(F(low), F(high)).but(null)


def rows(low: int, high: int, *, null: bool) -> str:
    listed = ", ".join(f"({n})" for n in range(low, high + 1)) + ", (NULL)" * null
    return f"(VALUES {listed})"


@pytest.fixture(scope="module")
def db() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        yield found


@pytest.mark.parametrize("text", texts(UNARY))
@pytest.mark.one_in(3)
def test_functions_of_whole_numbers(db: duckdb.DuckDBPyConnection, text: str) -> None:
    for (low, high), null in product(INTERVALS, (False, True)):
        query = f"SELECT x, {text} FROM {rows(low, high, null=null)} AS t(x)"
        answers = db.execute(query).fetchall()
        known = whole(low, high, null=null)
        for one_sided in (known, replace(known, low=None), replace(known, high=None)):
            holds(text, {"x": one_sided}, iter(answers))


@pytest.mark.parametrize("text", texts(BINARY))
@pytest.mark.one_in(3)
def test_functions_of_two_whole_numbers(db: duckdb.DuckDBPyConnection, text: str) -> None:
    for first, second in [*product(INTERVALS[:-1], repeat=2)][:: tries(2, 1)]:
        sides = [rows(*first, null=True), rows(*second, null=False)]
        query = f"SELECT x, y, {text} FROM {sides[0]} AS a(x), {sides[1]} AS b(y)"
        x, y = whole(*first, null=True), whole(*second, null=False)
        answers = db.execute(query).fetchall()
        half = [replace(x, low=None), replace(x, high=None), replace(y, low=None)]
        for a, b in ((x, y), (half[0], y), (half[1], half[2]), (x, replace(y, high=None))):
            holds(text, {"x": a, "y": b}, iter(answers))


@pytest.mark.parametrize("text", texts(DAYS))
@pytest.mark.one_in(3)
def test_functions_of_days(db: duckdb.DuckDBPyConnection, text: str) -> None:
    for low, high in SPANS:
        query = (
            f"SELECT d, {text} FROM (SELECT CAST(UNNEST(generate_series(DATE '{low}', "
            f"DATE '{high}', INTERVAL 1 DAY)) AS DATE) AS d)"
        )
        ends = F(low.toordinal()), F(high.toordinal())
        known = {"d": of_type("DATE").clipped(*ends).but(null=False)}
        holds(text, known, iter(db.execute(query).fetchall()))


@pytest.mark.parametrize("text", texts(MOMENTS))
@pytest.mark.one_in(3)
def test_functions_of_moments_beside_midnights(db: duckdb.DuckDBPyConnection, text: str) -> None:
    """Of each moment alone, and of those between any two of a midnight."""
    for midnight in MIDNIGHTS[:: tries(3, 1)]:
        at = ", ".join(f"(TIMESTAMP '{midnight}' + to_microseconds({n}))" for n in TICKS)
        answers = db.execute(f"SELECT t, {text} FROM (VALUES {at}) AS v(t)").fetchall()
        ends = [F(midnight.toordinal()) + F(n, 86_400_000_000) for n in TICKS]
        for first, last in combinations_with_replacement(range(len(TICKS)), 2):
            known = of_type("TIMESTAMP").clipped(ends[first], ends[last]).but(null=False)
            holds(text, {"t": known}, iter(answers[first : last + 1]))


def test_a_moment_without_end_has_no_least_day(db: duckdb.DuckDBPyConnection) -> None:
    text = "SELECT CAST(CAST(CAST('-infinity' AS TIMESTAMP) AS DATE) AS TEXT)"
    assert db.execute(text).fetchall() == [("-infinity",)]
    known = of_type("TIMESTAMP").clipped(None, F(738_000) + F(1, 2))
    found = value(*read("CAST(t AS DATE)", {"t": known}))
    assert found.low is None
    assert found.high == 738_000


def test_what_is_written_otherwise_is_told_apart() -> None:
    known = {"b": of_type("BOOLEAN").but(null=False)}
    for one, other in (("1.0", "1.00"), ("DATE '2024-01-01'", "738886"), ("1", "1.0")):
        either = f"CASE WHEN b THEN CAST({one} AS TEXT) ELSE CAST({other} AS TEXT) END"
        assert value(*read(either, known)).options == 2
        mixed = f"CASE WHEN b THEN {one} ELSE 'a' END"
        assert value(*read(mixed, known)).options is None


@pytest.mark.parametrize("text", texts(UNARY + BINARY + DAYS + TEXTS + JOINED))
def test_what_is_said_to_be_null_of_null_is(db: duckdb.DuckDBPyConnection, text: str) -> None:
    kinds = {"x": "INTEGER", "y": "INTEGER", "d": "DATE", "t": "TEXT"}
    nothing = {name: replace(of_type(kind), among=NONE) for name, kind in kinds.items()}
    row = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind in kinds.items())
    answers = db.execute(f"SELECT {text} FROM (SELECT {row})").fetchall()
    holds(text, nothing, iter(answers))
    assert text not in texts(TEXTS) or value(*read(text, nothing)).count == 0


def test_equal_values_are_one_value(db: duckdb.DuckDBPyConnection) -> None:
    """Where `tells` says so, of no two values of a type that differ is the same constant equal."""
    numbers = [*range(-3, 4), 127, 2**24, 2**24 + 1, 2**53, 2**53 + 1, 2**63 - 1]
    types = ["TINYINT", "INTEGER", "BIGINT", "DECIMAL(18, 1)", "REAL", "DOUBLE"]
    types += ["DATE", "TIMESTAMP", "TEXT", "BOOLEAN"]

    def listed(kind: str) -> str:
        if kind in ("DATE", "TIMESTAMP", "TEXT"):
            moments = ["2020-01-01", "2020-01-02", *(["2020-01-01 01:00:00"] * (kind != "DATE"))]
            return ", ".join(f"(CAST('{m}' AS {kind}))" for m in moments)
        zero = ", (CAST('-0.0' AS DOUBLE))" if kind in ("REAL", "DOUBLE") else ""
        return ", ".join(f"(TRY_CAST({n} AS {kind}))" for n in numbers) + zero

    for one, other in product(types, types):
        sides = [f"(SELECT DISTINCT CAST(x AS TEXT) AS t, x FROM (VALUES {listed(k)}) v(x))"
                 for k in (one, other)]  # fmt: skip
        try:
            found = db.execute(
                f"SELECT MAX(n) FROM (SELECT COUNT(DISTINCT a.t) AS n FROM {sides[0]} a "
                f"JOIN {sides[1]} b ON a.x = b.x GROUP BY b.x)"
            ).fetchall()
        except duckdb.Error:
            continue
        if tells(of_type(one), of_type(other)):
            assert found[0][0] in (None, 1), (one, other)


def test_texts_keep_their_length(db: duckdb.DuckDBPyConnection) -> None:
    """Of every character there is: upper, lower and reverse leave as many, the others not more."""
    letters = "SELECT 'a' || chr(CAST(x AS INTEGER)) || 'b' AS t FROM range(1, 1114112) AS r(x) "
    letters += "WHERE x NOT BETWEEN 55296 AND 57343"
    known = {"t": of_type("VARCHAR").clipped(F(3), F(3)).but(null=False)}
    for name in ("upper(t)", "lower(t)", "reverse(t)", "trim(t)", "left(t, 2)", "right(t, 9)"):
        for size in ("length", "strlen"):
            text = f"{size}({name})"
            answers = db.execute(f"SELECT DISTINCT {text} FROM ({letters})").fetchall()
            holds(text, known, iter(answers))


FLOATS = ("-1e300", "-1.5", "-0.1", "-0.0", "0.0", "0.1", "0.3", "1e-300", "2.5", "1e300")
SPECIAL = (*FLOATS, "'nan'", "'infinity'", "'-infinity'")
CLAMPS = """
CASE WHEN x < 0 THEN 0 WHEN x > 0.1 THEN 0.1 ELSE x END|CASE WHEN x > 1 THEN 1 ELSE x END
least(greatest(x, 0), 0.3)|CASE WHEN isnan(x) THEN 0 ELSE greatest(x, 0) END|x + 0.1|x * 0.3
CASE WHEN x >= -0.1 AND x <= 0.3 THEN x * 3 + 0.1 END|abs(x)|round(x, 1)|coalesce(x, 1)|x / 0.3
pow(nullif(greatest(least(CASE WHEN isnan(x) THEN NULL ELSE x END, 1), -5e-324), -5e-324), 0.5)
CAST(CASE WHEN x < -3 THEN -3 WHEN x > 3 THEN 3 ELSE x END AS INTEGER)|x - x
"""


@pytest.mark.parametrize("text", texts(CLAMPS))
@pytest.mark.parametrize("type_", ["DOUBLE", "REAL"])
def test_clamps_of_floats(db: duckdb.DuckDBPyConnection, text: str, type_: str) -> None:
    points = [p for p in SPECIAL if type_ == "DOUBLE" or "300" not in p]
    listed = ", ".join(f"(CAST({p} AS {type_}))" for p in (*points, "NULL"))
    query = f"SELECT x, {text} FROM (VALUES {listed}) AS t(x)"
    holds(text, {"x": of_type(type_)}, iter(db.execute(query).fetchall()))
    inside = [p for p in FLOATS if abs(float(p)) < 3]
    listed = ", ".join(f"(CAST({p} AS {type_}))" for p in inside)
    query = f"SELECT x, {text} FROM (VALUES {listed}) AS t(x)"
    known = {"x": of_type(type_).clipped(F(-3, 2), F(5, 2)).but(null=False)}
    holds(text, known, iter(db.execute(query).fetchall()))


def test_what_was_found_is_forgotten_when_more_gets_known() -> None:
    column = ("column", 1)
    doubled = ("call", "+", False, column, column)
    world = World({column: of_type("INTEGER")})
    below = assumed(("<", column, ("literal", "INTEGER", "3")), world)
    assert below is not None
    assert value(doubled, world).high == 2 * (2**31 - 1)
    assert value(doubled, below).high == 4 and value(doubled, below) is value(doubled, below)
    below[column] = value(("literal", "INTEGER", "1"), below)
    assert (value(doubled, below).low, value(doubled, below).high) == (2, 2)
    assert value(doubled, world).high == 2 * (2**31 - 1)


@pytest.mark.parametrize(
    ("high", "never"), [(None, False), (Fraction(0), True), (Fraction(7), True)]
)
def test_nan_is_beyond_whatever_ends(high: Fraction | None, never: bool) -> None:
    """Which is how DuckDB orders it: what is at most a number is not NaN."""
    told = called("isnan", [Value(F(-1), high, False, "float")])
    assert told is not None and (told.high == 0) == never and not told.null
    sql = "SELECT count(*) FROM (VALUES ('nan'::DOUBLE), (7), ('inf')) AS t(x) WHERE x <= 7"
    assert duckdb.sql(f"{sql} AND isnan(x)").fetchall() == [(0,)]


def test_of_a_rest_that_may_be_a_decimal_or_a_float_nothing_is_said() -> None:
    """As a float it would be less than the float 0.29 here, and the floor 28: it is 29."""
    text = "CASE WHEN y % 3 <= 0.29 THEN floor(y % 3 * 100) END"
    found = value(*read(text, {"y": of_type("DECIMAL(9,4)")}))
    assert duckdb.sql(f"SELECT {text} FROM (SELECT CAST(0.29 AS DECIMAL(9,4)) AS y)").fetchall() \
        == [(29,)]  # fmt: skip
    assert found.high is None or found.high >= 29
