"""By value: one public row, and what each system's documentation says of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

import duckdb
import pytest

import dpsql

ROW = """CREATE TABLE t AS SELECT 7 AS i, 2 AS j, -7 AS k, 2.5::DOUBLE AS x, -2.5::DOUBLE AS y,
    2.5::DECIMAL(4,2) AS m, NULL::INTEGER AS z, ' ab ' AS s, NULL::VARCHAR AS q,
    DATE '2024-03-03' AS d, DATE '2024-01-31' AS e, TIMESTAMP '2024-12-30 13:45:59' AS ts,
    [1, NULL, 2] AS v, NULL::INTEGER[] AS w"""
POLICY = """
unit: u.id
budget: {eps: 1}
tables:
  u: {access: private, key: [id]}
  t: {access: public}
  o: {access: public}
"""
VALUES: dict[str, list[tuple[str, object]]] = {
    "mysql": [
        ("i / j", 3.5),
        ("i div j", 3),
        ("k div j", -3),
        ("i % j", 1),
        ("k mod j", -1),
        ("(i > 3) || (z > 1)", True),
        ("concat(s, q)", None),
        ("ifnull(z, i)", 7),
        ("if(z > 1, 1, 2)", 2),
        ("greatest(i, z)", None),
        ("round(m, 0)", 3.0),
        ("round(-m, 0)", -3.0),
        ("weekday(d)", 6),
        ("dayofweek(d)", 1),
        ("weekofyear(ts)", 1),
        ("dayname(d)", "Sunday"),
        ("date_format(ts, '%Y-%m-%d %H:%i:%s')", "2024-12-30 13:45:59"),
        ("date_format(d, '%e %M %y, %W')", "3 March 24, Sunday"),
        ("date_format(ts, '%x-%v')", "2025-01"),
        ("date_format(ts, '%l:%i %p')", "1:45 PM"),
        ("date_add(e, interval 1 month)", "2024-02-29 00:00:00"),
        ("substring_index(s, 'a', 1)", " "),
        ("substring_index(s, 'a', -1)", "b "),
        ("substring_index(s, 'x', -1)", " ab "),
        ("e + interval 1 day", "2024-02-01 00:00:00"),
        ("datediff(d, e)", 32),
        ("last_day(e)", "2024-01-31"),
        ("trim(s)", "ab"),
        ("substring(upper(s), 2, 1)", "A"),
        ("z <=> null", True),
        ("date(ts) = '2024-12-30'", True),
        ("cast(m as signed)", 3),
        ("i / (j - 2)", None),
        ("i % (x - 2.5)", None),
        ("ln(k)", None),
        ("log(10, j - 2)", None),
        ("sqrt(k)", None),
        ("right('abc', 2)", "bc"),
        ("concat_ws('-', 'a', q, i)", "a-7"),
        ("field('b', 'a', 'b')", 2),
        ("adddate(e, 1)", "2024-02-01 00:00:00"),
        ("subdate(e, interval 1 month)", "2023-12-31 00:00:00"),
        ("timestampadd(hour, 3, '2024-01-31')", "2024-01-31 03:00:00"),
        ("'2024-01-31 10:00:00' + interval 1 month", "2024-02-29 10:00:00"),
        ("timestampdiff(month, e, '2024-02-29')", 0),
        ("timestamp('2024-01-31')", "2024-01-31 00:00:00"),
        ("str_to_date(concat(date_format(ts, '%Y-%m'), '-01'), '%Y-%m-%d')", "2024-12-01"),
        ("str_to_date(concat(yearweek(ts), ' Sunday'), '%X%V %W')", "2024-12-29"),
        ("adddate(date_format(ts, '%Y-01-01 00:00:00'), interval 0 second)", "2024-01-01 00:00:00"),
        ("makedate(year(ts), 1)", "2024-01-01"),
        ("timestamp(d)", "2024-03-03 00:00:00"),
        (
            "str_to_date('2024-01-31 10:20:30.000000', '%Y-%m-%d %H:%i:%s.%f')",
            "2024-01-31 10:20:30",
        ),
        ("from_unixtime(1704067200)", "2024-01-01 00:00:00"),
        ("unix_timestamp(ts) div 300 * 300", 1735566300),
        ("unix_timestamp(e)", 1706659200),
        ("ts < now(6)", True),
        ("timestampdiff(year, d, '2023-03-04')", 0),
        ("timestampdiff(day, ts, d)", -302),
        ("(select std(i) from t)", 0.0),
    ],
    "postgres": [
        ("i::numeric / j", 3.5),
        ("2 * i::numeric / j", 7.0),
        ("round(x::numeric, 0)", 3.0),  # half away from zero
        ("to_char(ts, 'YYYY-MM-DD HH24:MI:SS')", "2024-12-30 13:45:59"),
        ("to_char(d, 'YYYYMM')", "202403"),
        # Of PostgreSQL 15.
        ("to_char(date '2024-12-30', 'FMMonth YYYY')", "December 2024"),
        ("to_char(date '2024-12-30', 'FMDay')", "Monday"),
        ("to_char(date '2024-05-01', 'FMDAY-FMday')", "WEDNESDAY-wednesday"),
        ("to_char(d, 'Dy') || to_char(d, 'DY') || to_char(d, 'dy')", "SunSUNsun"),
        ("to_char(d, 'Mon') || to_char(d, 'MON') || to_char(d, 'mon')", "MarMARmar"),
        ("to_char(d, 'FMDD FMMM')", "3 3"),
        ("to_char(date '2024-12-30', 'IYYY-IW')", "2025-01"),
        ("to_char(date '2021-01-03', 'DDD FMDDD')", "003 3"),
        ("to_char(timestamp '2024-12-30 23:05:07', 'HH12:MI')", "11:05"),
        ("to_char(date '2024-05-01', '\"Q\"YYYY')", "Q2024"),
        ("extract(year from age(date '2024-02-29', date '2023-03-01'))", 0),
        ("extract(month from age(date '2024-03-01', date '2024-01-31'))", 1),
        ("extract(day from age(date '2024-03-01', date '2024-01-31'))", 1),
        ("extract(day from age(date '2023-03-01', date '2023-01-31'))", 1),
        ("timestamp '2024-01-31' + interval '1 month 2 days'", "2024-03-02 00:00:00"),
        ("timestamp '2024-01-31' + interval '2 days 1 month'", "2024-03-02 00:00:00"),
        ("timestamp '2024-03-31' - interval '1 month 2 days'", "2024-02-27 00:00:00"),
        ("interval '1 month 2 days' + timestamp '2024-01-31'", "2024-03-02 00:00:00"),
        ("date '2024-01-31' + interval '1 year 2 months -3 hours'", "2025-03-30 21:00:00"),
        ("date '2024-01-31' + interval '1 month' * i", "2024-08-31 00:00:00"),
        ("date '2024-01-31' + j * interval '1 week'", "2024-02-14 00:00:00"),
        ("(select count(*) from generate_series(1, 9, 4) as g where g > 1)", 2),
        ("(select sum(n) from generate_series(3, 1, -1) as g(n))", 6),
        (
            "(select max(g) from generate_series(timestamp '2024-01-31', "
            "timestamp '2024-06-30', interval '1 month') as g)",
            "2024-06-29 00:00:00",
        ),
        (
            "(select max(x::date) from generate_series(date '2024-01-01', date '2024-01-04', "
            "interval '2 days') as g(x))",
            "2024-01-03",
        ),
        ("extract(days from ts - e)", 334),
        (
            "to_timestamp('2024-01-31 10:20:30.000000', 'YYYY-MM-DD HH24:MI:SS.US')",
            "2024-01-31 10:20:30",
        ),
        ("to_timestamp(floor(extract(epoch from ts) / 300) * 300)", "2024-12-30 13:45:00"),
        ("timestamp with time zone '2024-01-31 01:30:00+02'", "2024-01-30 23:30:00"),
        ("ts = '2024-12-30T13:45:59Z'", True),
        ("date_bin('15 minutes', ts, timestamp '2001-01-01')", "2024-12-30 13:45:00"),
        ("date_bin('15 minutes', ts, timestamp '2001-01-01 00:05:00')", "2024-12-30 13:35:00"),
        ("time_bucket('86400.000s', ts)", "2024-12-30 00:00:00"),
        ("time_bucket('5m', ts)", "2024-12-30 13:45:00"),
        ("ts + (-29 || ' days')::interval", "2024-12-01 13:45:59"),
        ("ts - (2 || ' hour')::interval", "2024-12-30 11:45:59"),
        (
            "date_trunc('hour', ts) + interval '15 minutes' * floor(extract(minute from ts) / 15)",
            "2024-12-30 13:45:00",
        ),
        ("e + (-extract(dow from e) * interval '1 day')", "2024-01-28 00:00:00"),
        ("ts::date - extract(dow from ts)::int", "2024-12-29"),
        ("e + interval '1 month' * round(m)", "2024-04-30 00:00:00"),
        ("d > '20240302' and d < '20240304'", True),
        ("width_bucket(5.35, 0.024, 10.06, 5)", 3),
        ("width_bucket(m, 0, 1, 10)", 11),
        ("width_bucket(-m, 0, 1, 10)", 0),
        ("width_bucket(0.3, 0, 1, 10)", 4),
        ("width_bucket(0.35, 0, 0.7, 2)", 2),
        ("width_bucket(10, 10, 0, 5)", 1),
        ("width_bucket(0, 10, 0, 5)", 6),
        ("width_bucket(z, 0, 10, 5)", None),
        ("width_bucket(i, 0, 7, 7)", 8),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("i / j", 3),
        ("k / j", -3),
        ("t.m / t.j", 1.25),
        ("(select sum(i) / sum(j) from t)", 3),
        ("(select sum(i::bigint) / sum(j) from t)", 3.5),  # NUMERIC
        ("(select sum(length(s)) / 3 from t)", 1),  # a BIGINT of INTEGERs
        ("(select min(case when z is null then i end) / max(j) from t)", 3),
        ("i::int / j::int", 3),
        ("k::int / j::int", -3),
        ("7 / 2.0", 3.5),
        ("i % j", 1),
        ("k % j", -1),
        ("q || 'x'", None),
        ("concat(q, 'x')", "x"),
        ("least(i, z)", 7),
        ("extract(dow from d)", 0),  # Sunday
        ("extract(isodow from d)", 7),
        ("extract(week from ts)", 1),
        ("x::int", 2),  # half to even
        ("m::int", 3),  # half away from zero
        ("round(m, 0)", 3),
        ("e + interval '1 month' = date '2024-02-29'", True),
        ("date_trunc('week', d) = date '2024-02-26'", True),  # a Monday
        ("trim(s)", "ab"),
        ("substring(s from 2 for 1)", "a"),
        ("d - e", 32),
        ("'a' like 'A'", False),
        ("'a' ilike 'A'", True),
        ("(select sum(n.n) from unnest(array[1, 2, 3]) as n)", 6),
        ("q is not null", False),
        ("not i is not null", False),
        ("q not like 'x'", None),
        ("'a' not like 'A'", True),
        ("'a' not ilike 'A'", False),
        ("log(100.0)", 2.0),
        ("log(2, 8)", 3.0),
        ("power(i, 2)", 49.0),
        ("power(i, 2) / 2", 24.5),
        ("sign(k)", -1),
        ("trunc(y)", -2.0),
        ("position('b' in s)", 3),
        ("strpos(s, 'z')", 0),
        ("replace('aXaX', 'X', 'bc')", "abcabc"),
    ],
    "bigquery": [
        ("timestamp('2024-01-31 10:20:30')", "2024-01-31 10:20:30"),
        ("ts > timestamp '2024-12-30 14:45:58+01:00'", True),
        ("format_date('%Y/%m', d)", "2024/03"),
        ("format_datetime('%H:%M', ts)", "13:45"),
        ("is_nan(x)", False),
        ("is_inf(x)", False),
        ("is_nan(null)", None),
        ("safe.ln(0)", None),
        ("safe.sqrt(-1)", None),
        ("safe.substr('abc', 2)", "bc"),
        ("safe_cast(x as int64)", 3),
        ("safe_cast(x * 1e300 as int64)", None),
        ("7 / 2", 3.5),
        ("div(7, 2)", 3),
        ("(select sum(n) from unnest([1, 2, 3]) as n)", 6),
        ("log(8, 2)", 3.0),
        ("pow(i, 2)", 49.0),
        ("strpos(s, 'b')", 3),
        ("div(-7, 2)", -3),
        ("mod(k, j)", -1),
        ("safe_divide(i, 0)", None),
        ("concat(q, 'x')", None),
        ("least(i, z)", None),
        ("greatest(i, j)", 7),
        ("extract(dayofweek from d)", 1),  # Sunday
        ("extract(isoweek from ts)", 1),
        ("date_trunc(d, isoweek) = date '2024-02-26'", True),
        ("date_trunc(d, week(monday)) = date '2024-02-26'", True),
        ("date_trunc(d, week) = date '2024-03-03'", True),  # it is a Sunday
        ("date_trunc(e, week) = date '2024-01-28'", True),
        ("date_trunc(d, week(sunday)) = date '2024-03-03'", True),
        ("date_trunc(d, week(saturday)) = date '2024-03-02'", True),
        ("date_trunc(d, week(friday)) = date '2024-03-01'", True),
        ("date_trunc(d, week(thursday)) = date '2024-02-29'", True),
        ("date_trunc(d, week(wednesday)) = date '2024-02-28'", True),
        ("date_trunc(d, week(tuesday)) = date '2024-02-27'", True),
        ("datetime_trunc(ts, isoyear) = datetime '2024-12-30'", True),
        ("timestamp_trunc(ts, second) = datetime '2024-12-30 13:45:59'", True),
        ("timestamp_trunc(ts, hour, 'UTC') = datetime '2024-12-30 13:00:00'", True),
        ("array_length(v)", 3),
        ("array_length(w)", None),
        ("date_add(e, interval 1 month) = date '2024-02-29'", True),
        ("date_diff(d, e, day)", 32),
        ("cast(x as int64)", 3),
        ("cast(y as int64)", -3),
        ("round(y)", -3.0),
        ("substr('abc', 2)", "bc"),
        ("left('abc', 2)", "ab"),
        ("log(1)", 0.0),
        ("log(8, 2)", 3.0),
        ("power(x, 2.0)", 6.25),
        ("power(cast(i as float), 2)", 49.0),
        ("q is not null", False),
        ("if(z = 1, 'a', 'b')", "b"),
        ("cast(1.5 as numeric)", Decimal("1.5")),
    ],
    "snowflake": [
        ("datediff(hour, e, ts)", 8029),
        ("to_char(to_date(ts), 'YYYY-MM-DD')", "2024-12-30"),
        ("to_date(ts) = date '2024-12-30'", True),
        ("7 / 2", 3.5),
        ("div0(i, 0)", 0.0),
        ("div0(z, 0)", None),
        ("div0null(i, z)", 0.0),
        ("concat(q, 'x')", None),
        ("greatest(i, z)", None),
        ("least_ignore_nulls(i, z)", 7),
        ("dayofweekiso(d)", 7),
        ("weekiso(ts)", 1),
        ("dateadd(month, 1, e) = date '2024-02-29'", True),
        ("datediff(day, e, d)", 32),
        ("datediff(day, d, ts)", 302),
        ("x::int", 3),
        ("y::int", -3),
        ("1.5::number", 2),
        ("equal_null(z, z)", True),
        ("iff(z = 1, 'a', 'b')", "b"),
        ("date_trunc('month', ts) = '2024-12-01'", True),
        ("date_trunc('second', ts) = '2024-12-30 13:45:59'", True),
        ("array_size(v)", 3),
        ("'it''s'", "it's"),
    ],
    "spark": [
        ("to_date(ts)", "2024-12-30"),
        ("date_format(ts, 'yyyy-MM-dd HH:mm:ss')", "2024-12-30 13:45:59"),
        ("width_bucket(5.3, 0.2, 10.6, 5)", 3),
        ("width_bucket(-2.1, 1.3, 3.4, 3)", 0),
        ("width_bucket(8.1, 0.0, 5.7, 4)", 5),
        ("width_bucket(-0.9, 5.2, 0.5, 2)", 3),
        ("7 / 2", 3.5),
        ("7 div 2", 3),
        ("-7 div 2", -3),
        ("k % j", -1),
        ("concat(q, 'x')", None),
        ("least(i, z)", 7),
        ("dayofweek(d)", 1),  # Sunday
        ("weekofyear(ts)", 1),
        ("extract(dow_iso from d)", 7),
        ("cast(x as int)", 2),
        ("cast(y as int)", -2),
        ("int(2.9)", 2),
        ("round(2.5)", 3),
        ("date_add(e, 1) = date '2024-02-01'", True),
        ("add_months(e, 1) = date '2024-02-29'", True),
        ("add_months(ts, -10) = date '2024-02-29'", True),
        ("date_sub(e, 31) = date '2023-12-31'", True),
        ("datediff(d, e)", 32),
        ("e + interval 1 month = date '2024-02-29'", True),
        ("trunc(ts, 'MM') = date '2024-12-01'", True),
        ("z <=> null", True),
        ("substring('abc', 2, 1)", "b"),
        ("log(1)", 0.0),
        ("cast(1.5 as decimal)", 2),
    ],
    "tsql": [
        ("datediff(second, '2024-12-30', ts)", 49559),
        ("datediff(minute, ts, '2024-12-30T13:47:00')", 2),
        ("datediff(hour, 0, e)", 1087680),
        ("case when ts > cast('20241230 13:45:58' as datetime) then 1 else 0 end", 1),
        ("cast('2024-12-30T13:45:58' as datetime)", "2024-12-30 13:45:58"),
        ("convert(varchar(10), d, 120)", "2024-03-03"),
        ("convert(varchar(19), ts, 120)", "2024-12-30 13:45:59"),
        ("convert(varchar(30), d, 120)", "2024-03-03"),
        ("convert(varchar(7), ts, 111)", "2024/12"),
        ("convert(nvarchar(5), d, 101)", "03/03"),
        ("convert(varchar, ts, 104)", "30.12.2024"),
        ("convert(varchar(max), ts, 112)", "20241230"),
        ("cast(cast(1.0 as float) / 3 as varchar)", "0.333333"),
        ("cast(cast(123456789 as float) as varchar(13))", "1.23457e+008"),
        ("cast(cast(1 as float) / 100000 as varchar)", "1e-005"),
        ("cast(cast(-120000 as float) as varchar)", "-120000"),
        ("cast(sqrt(i - 7) as varchar)", "0"),
        ("cast(x as varchar)", "2.5"),
        ("cast(d as varchar)", "2024-03-03"),
        ("cast(cast(ts as date) as varchar(10))", "2024-12-30"),
        ("right(s, 2)", "b "),
        ("right(d, 2)", "03"),
        ("right(q, 2)", None),
        ("s + 'c' + s", " ab c ab "),
        ("s + q", None),
        ("cast(right(d, 2) + '4' as int)", 34),
        ("datename(month, d)", "March"),
        ("datename(weekday, d)", "Sunday"),
        ("datename(day, d)", "3"),
        ("datename(dy, d)", "63"),
        ("datename(quarter, d)", "1"),
        ("datename(yy, d)", "2024"),
        ("datename(hh, ts)", "13"),
        ("left(i, 1)", "7"),
        ("left(k, 1)", "-"),
        ("left(d, 7)", "2024-03"),
        ("left(upper(s), 2)", " A"),
        ("choose(j, 'a', 'b')", "b"),
        ("choose(i, 'a', 'b')", None),
        ("choose(z, 'a', 'b')", None),
        ("dateadd(month, datediff(month, 0, ts), 0)", datetime(2024, 12, 1)),
        ("dateadd(day, datediff(day, 0, ts), 0)", datetime(2024, 12, 30)),
        ("datediff(day, 0, d)", 45352),
        ("datediff(year, -1, d)", 125),
        ("dateadd(day, 1, 2)", datetime(1900, 1, 4)),
        ("try_cast(y as int)", -2),
        ("try_cast(x * 1000000 * 1000000 as int)", None),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 / 2.0", 3.5),
        ("k / j", -3),
        ("(select avg(a) from o)", 2),
        ("(select avg(a - 4) from o)", -2),
        ("(select avg(a + 1) / 2 from o)", 1),
        ("(select avg(a - 0.5) from o)", 1.5),
        ("7 % 2", 1),
        ("k % j", -1),
        ("concat(q, 'x')", "x"),
        ("least(i, z)", 7),
        ("datepart(iso_week, ts)", 1),
        ("datepart(dayofyear, d)", 63),
        ("datepart(quarter, d)", 1),
        ("datepart(mi, ts)", 45),
        ("dateadd(month, 1, e) ", "2024-02-29 00:00:00"),
        ("datediff(day, e, d)", 32),
        ("datediff(day, e, d) / 7", 4),
        ("cast(x as int)", 2),
        ("cast(y as int)", -2),
        ("convert(int, 2.9)", 2),
        ("cast(2.5 as decimal)", 3),
        ("log(1)", 0.0),
        ("ceiling(x)", 3.0),
        ("substring('abc', 2, 1)", "b"),
        ("isnull(z, 3)", 3),
        ("rtrim(s)", " ab"),
        ("datetrunc(month, ts)", "2024-12-01 00:00:00"),
    ],
}


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    data = duckdb.connect()
    data.execute("CREATE TABLE u (id INTEGER PRIMARY KEY)")
    data.execute(ROW)
    data.execute("CREATE TABLE o AS SELECT * FROM (VALUES (1), (NULL), (3)) AS v(a)")
    with dpsql.connect(data, POLICY) as made:
        yield made


@pytest.mark.parametrize(
    ("dialect", "text", "value"), [(d, *pair) for d, pairs in VALUES.items() for pair in pairs]
)
@pytest.mark.one_in(3)
def test_values(db: dpsql.Database, dialect: str, text: str, value: object) -> None:
    # Not all of them let a condition stand in SELECT; that makes no difference here.
    answer = db.run(f"SELECT {text} AS v FROM t", 1, dialect=dialect)
    found = answer.rows[0][0]
    if isinstance(value, str) and not isinstance(found, str):
        found = str(found)
    assert found == value
    assert isinstance(value, bool) == isinstance(found, bool)


@pytest.mark.parametrize(
    ("dialect", "ascending", "descending"),
    [
        ("duckdb", [1, 3, None], [3, 1, None]),
        ("postgres", [1, 3, None], [None, 3, 1]),  # NULL is the largest
        ("redshift", [1, 3, None], [None, 3, 1]),
        ("snowflake", [1, 3, None], [None, 3, 1]),
        ("bigquery", [None, 1, 3], [3, 1, None]),  # NULL is the smallest
        ("spark", [None, 1, 3], [3, 1, None]),
        ("mysql", [None, 1, 3], [3, 1, None]),
        ("tsql", [None, 1, 3], [3, 1, None]),
    ],
)
def test_where_null_is_sorted(
    db: dpsql.Database, dialect: str, ascending: list[object], descending: list[object]
) -> None:
    for order, wanted in (("", ascending), (" DESC", descending)):
        answer = db.run(f"SELECT a FROM o ORDER BY a{order}", 1, dialect=dialect)
        assert [row[0] for row in answer.rows] == wanted


@pytest.mark.parametrize("kind", ["DECIMAL(9,3)", "INTEGER", "DOUBLE"])
def test_width_bucket_is_exact_at_the_ends_of_its_parts(kind: str) -> None:
    data = duckdb.connect()
    data.execute(ROW)
    data.execute("CREATE TABLE u(id INTEGER)")
    step = Fraction(1, 1000) if kind.startswith("DECIMAL") else Fraction(1)
    cases = [(0, 10, 7), (-3, Fraction("4.7"), 11), (Fraction("0.1"), Fraction("0.4"), 3)]
    cases += [(Fraction("9.5"), Fraction("-0.5"), 100), (0, 49, 49)]
    for low, high, parts in cases:
        ends = [low + Fraction(k) * (high - low) / parts for k in range(-1, parts + 2)]
        found = {e // step * step + d * step for e in ends for d in (-1, 0, 1)}
        if kind == "DOUBLE":  # of which an end may be none; not so near that rounding counts
            found = {Fraction(k, 64) for e in ends for k in (e * 64 // 1, e * 64 // 1 + 1)}
            found = {
                x for x in found if all(x == e or abs(x - e) > Fraction(1, 10**9) for e in ends)
            }
        data.execute(f"CREATE OR REPLACE TABLE o(a {kind})")
        data.executemany("INSERT INTO o VALUES (?::DOUBLE)", [(float(x),) for x in found])
        session = dpsql.connect(data, policy=POLICY)
        text = f"SELECT a, WIDTH_BUCKET(a, {float(low)}, {float(high)}, {parts}) AS b FROM o"
        for value, bucket in session.run(text, 1, dialect="postgres").rows:
            x = Fraction(str(value)) if kind != "DOUBLE" else Fraction(value)
            share = (x - low) / (high - low)
            wanted = 0 if share < 0 else parts + 1 if share >= 1 else share * parts // 1 + 1
            assert bucket == wanted, (x, low, high, parts)
