"""What Redshift's documentation says of a construct, by value: each with the page that says it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import duckdb
import pytest

import dpsql
from dpsql.front.parse import parse
from tests.dialects.shop import SCHEMA, compiled
from tests.dialects.test_values import POLICY, ROW

VALUES: dict[str, list[tuple[str, object]]] = {
    "AVG": [  # a BIGINT of integers; of a DECIMAL a DECIMAL
        ("(select avg(a) from o)", 2),
        ("(select avg(case when a = 1 then 10 else 30 end) from o)", 23),
        ("(select avg(a - 4) from o)", -2),
        ("(select avg(case when a = 1 then -10 else -30 end) from o)", -23),
        ("(select avg(a::float) / 4 from o)", 0.5),
        ("(select avg(a) / 4 from o)", 0),
        ("(select avg(m) from t)", 2.5),
    ],
    "AVG window function": [  # its example: 16 of 10, 10, 30
        (
            "(select max(r) from (select avg(case when a = 3 then 30 else 10 end) over () as r "
            "from o) as w)",
            16,
        ),
    ],
    "SUM": [  # a BIGINT of INTEGERs, a NUMERIC of BIGINTs
        ("(select sum(i) / 2 from t)", 3),
        ("(select sum(i::bigint) / 2 from t)", 3.5),
        ("(select sum(i::smallint) / 2 from t)", 3),
        ("(select sum(m) / 2 from t)", 1.25),
        ("(select sum(n) / 2 from (select count(*) as n from o group by a) as g)", 1.5),
    ],
    "Mathematical operator symbols": [
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("k / j", -3),
        ("7 / 2.0", 3.5),
        ("1.0 * i / j", 3.5),
        ("i % j", 1),
        ("k % j", -1),
        ("|/ 25.0", 5.0),
    ],
    "Date parts for date or timestamp functions": [
        ("extract(sec from timestamp '2009-09-21 11:10:03.189717')", 3),
        ("extract(dow from d)", 0),
        ("date_part(weekday, d)", 0),
        ("date_part('dayofweek', e)", 3),
        ("extract(yearday from e)", 31),
        ("extract(qtr from ts)", 4),
        ("extract(mons from ts)", 12),
        ("extract(m from ts)", 45),
        ("extract(hrs from ts)", 13),
        ("extract(month from ts) / 5", 2),  # an INTEGER
        ("date_part(month, ts) / 5", 2.4),  # a DOUBLE
    ],
    "DATE_PART_YEAR": [("date_part_year(ts::date)", 2024)],
    "DATEADD": [
        ("dateadd(month, 18, '2008-02-28')", "2009-08-28 00:00:00"),
        ("dateadd(hour, 1, '2008-02-28 23:30:00')", "2008-02-29 00:30:00"),
        ("dateadd(day, 1, '20080228')", "2008-02-29 00:00:00"),
        ("dateadd(day, 30, e)", "2024-03-01 00:00:00"),
        ("dateadd(m, 5, ts)", "2024-12-30 13:50:59"),
        ("dateadd('mon', -1, date '2024-03-31')", "2024-02-29 00:00:00"),
        ("dateadd(month, 1, date '2008-04-30')", "2008-05-30 00:00:00"),
        ("dateadd(w, j, e)", "2024-02-14 00:00:00"),
        ("dateadd(qtrs, 1, e)", "2024-04-30 00:00:00"),
    ],
    "ADD_MONTHS": [  # from the last day of a month to the last day
        ("add_months('2008-03-31', 1)", datetime(2008, 4, 30)),
        ("add_months('2008-04-30', 1)", datetime(2008, 5, 31)),
        ("add_months(date '2008-04-29', 1)", datetime(2008, 5, 29)),
        ("add_months(trunc(ts), 2)", datetime(2025, 2, 28)),
        ("add_months(d, -1)", datetime(2024, 2, 3)),
        ("trunc(add_months(e, 12))", date(2025, 1, 31)),
    ],
    "DATEDIFF": [  # boundaries that are crossed
        ("datediff(year, '2008-12-31', '2009-01-01')", 1),
        (
            "datediff(hour, timestamp '2009-01-01 08:30:00', timestamp '2009-01-01 10:00:00')",
            2,
        ),
        (
            "datediff(minutes, timestamp '2009-01-01 08:30:00', timestamp '2009-01-01 10:00:00')",
            90,
        ),
        ("datediff(s, timestamp '2009-01-01 08:30:00.9', timestamp '2009-01-01 08:30:01.1')", 1),
        ("datediff(hrs, d, ts)", 7261),
        ("datediff(day, e, d)", 32),
        ("datediff(d, ts, d)", -302),
        ("datediff(qtr, e, ts)", 3),
        ("datediff(mon, e, '2024-02-01')", 1),
        ("datediff(day, e, d) / 7", 4),
    ],
    "DATE_TRUNC": [  # to the most recent Monday
        ("date_trunc('week', d) = '2024-02-26'", True),
        ("date_trunc('month', ts) = '2024-12-01'", True),
    ],
    "TRUNC": [
        ("trunc(ts)", date(2024, 12, 30)),
        ("trunc(e)", date(2024, 1, 31)),
        ("trunc(date_trunc('month', ts))", date(2024, 12, 1)),
        ("trunc(m)", 2),
        ("trunc(y)", -2.0),
        ("trunc(111.16, 1)", 111.1),
    ],
    "LAST_DAY": [("last_day(d)", date(2024, 3, 31)), ("last_day(ts)", date(2024, 12, 31))],
    "GETDATE": [("getdate() > ts and sysdate > ts and trunc(getdate()) = current_date", True)],
    "Date, time, and timestamp literals": [
        ("cast('20080215' as date)", date(2008, 2, 15)),
        ("d > '20240302' and d < '20240304'", True),
        ("d + 7 > '20240309' and dateadd(day, 1, d) in ('20240303', '20240304')", True),
        ("trunc(ts) between '20241230' and '20241230'", True),
        ("d > '2024-03-02' and d < '2024-03-04'", True),
    ],
    "Interval literals": [
        ("e + interval '52 weeks'", "2025-01-29 00:00:00"),
        ("d + 30", date(2024, 4, 2)),
        ("d - e", 32),
    ],
    "Datetime format strings": [
        ("to_char(ts, 'YYYY-MM-DD HH24:MI:SS')", "2024-12-30 13:45:59"),
        ("to_char(d, 'Mon')", "Mar"),
        ("to_char(ts, 'IYYY-IW')", "2025-01"),
        ("to_char(d, 'DY')", "SUN"),
        ("to_date('2024/12/31', 'YYYY/MM/DD')", date(2024, 12, 31)),
    ],
    "NVL and COALESCE": [("nvl(z, i)", 7), ("coalesce(q, s)", " ab ")],
    "NVL2": [("nvl2(z, 1, 2)", 2), ("nvl2(i, 'a', 'b')", "a"), ("nvl2(z + 1, i, j)", 2)],
    "DECODE": [  # of which NULL is NULL
        ("decode(i, 6, 'a', 7, 'b')", "b"),
        ("decode(z, 1, 'a', null, 'b', 'c')", "b"),
        ("decode(i, 1, 'a', null, 'b', 'c')", "c"),
        ("decode(i, 1, 'a')", None),
        ("decode(k, -7, 1, 0)", 1),
        ("decode(k, -7, 'a ', 0, 'b', 'c')", "a "),
        ("decode(d, '20240303', 1, 0)", 1),
    ],
    "GREATEST and LEAST": [("least(i, z)", 7), ("greatest(z, z)", None)],
    "CONCAT": [("concat(q, 'x')", None), ("concat('a', 'b')", "ab"), ("q || 'x'", None)],
    "LEN": [("len(s)", 4), ("length('caf\u00e9')", 4)],
    "CHARINDEX": [("charindex('fish', 'dogfish')", 4), ("charindex('a', 'dogfish')", 0)],
    "STRPOS": [("strpos('dogfish', 'fish')", 4), ("position('b' in s)", 3)],
    "BTRIM": [
        ("btrim('xyzaxyzbxyzcxyz', 'xyz')", "axyzbxyzc"),
        ("btrim(s)", "ab"),
        ("trim(s)", "ab"),
        ("rtrim(s)", " ab"),
        ("ltrim('xyabc', 'yx')", "abc"),
    ],
    "SUBSTRING": [("substring('caterpillar', 6, 4)", "pill"), ("left('abc', 2)", "ab")],
    "SPLIT_PART": [
        ("split_part('abc$def$ghi', '$', 2)", "def"),
        ("split_part('abc$def$ghi', '$', 4)", ""),
    ],
    "FLOOR": [("floor(28.05)", 28), ("floor(k) / 2", -3), ("ceiling(28.05)", 29)],
    "ROUND": [("round(28.05)", 28), ("round(28.05, 1)", 28.1), ("round(i) / 2", 3)],
    "enable_numeric_rounding": [
        ("cast(round(m) as int)", 3),
        ("cast(trunc(m, 0) as int)", 2),
        ("m::decimal(10, 5)", 2.5),
        ("cast(i as decimal) / 2", 3.5),
    ],
    "LOG": [("log(100)", 2.0), ("ln(1)", 0.0), ("power(i, 2) / 2", 24.5), ("sign(k)", -1)],
    "MEDIAN": [
        ("(select median(a) from o)", 2.0),
        ("(select percentile_cont(0.25) within group (order by a) from o)", 1.5),
        ("(select approximate percentile_disc(0.5) within group (order by a) from o)", 1),
    ],
    "LISTAGG": [  # without a delimiter none is there
        ("(select listagg(a::varchar(20), '-') within group (order by a desc) from o)", "3-1"),
        ("(select listagg(a::varchar(20)) within group (order by a) from o)", "13"),
    ],
    "STDDEV_SAMP": [("(select stddev_samp(i) from t)", None), ("(select var_pop(i) from t)", 0.0)],
    "LIKE": [("'a' like 'A'", False), ("'a' ilike 'A'", True)],
    "Null condition": [("z isnull", True), ("i notnull", True)],
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
    ("page", "text", "value"), [(p, *pair) for p, pairs in VALUES.items() for pair in pairs]
)
def test_values(db: dpsql.Database, page: str, text: str, value: object) -> None:
    found = db.run(f"SELECT {text} AS v FROM t", 1, dialect="redshift").rows[0][0]
    if isinstance(value, str) and not isinstance(found, str):
        found = str(found)
    if isinstance(value, float):
        assert float(str(found)) == value
    else:
        assert found == value
        assert isinstance(value, bool) == isinstance(found, bool)


HELPS = [
    (
        "SELECT COUNT(*) FROM orders WHERE NVL(rating, 0) > 1 AND ISNULL(rating, 0) > 1",
        "use NVL(a, b) or COALESCE(a, b)",
    ),
    (
        "SELECT SUM(MONTHS_BETWEEN(ordered_on, GETDATE())) AS m FROM orders",
        "write DATEDIFF(month, a, b), the months that begin between",
    ),
    (
        "SELECT COUNT(*) FROM orders WHERE CONVERT_TIMEZONE('UTC', 'CET', ordered_on) > GETDATE()",
        "write DATEADD(hour, n, x), with the hours between them",
    ),
    (
        "SELECT COUNT(*) FROM orders WHERE DATEADD(mm, 1, ordered_on) > GETDATE()",
        "the parts are year, quarter, month or mon, week, day, hour, minute or m, second",
    ),
    (
        "SELECT COUNT(*) FROM orders WHERE DATEADD(day, shipping, ordered_on) > GETDATE()",
        "write CAST(FLOOR(x) AS INT)",
    ),
    (
        "SELECT COUNT(*) FROM orders WHERE ADD_MONTHS(GETDATE(), 1) > ordered_on",
        "write ADD_MONTHS(CAST(x AS DATE), n); DATEADD goes from 30 April to 30 May",
    ),
    (
        "SELECT SUM(CAST(shipping AS INT)) FROM orders",
        "write CAST(ROUND(x) AS …), or TRUNC(x, 0) for ROUND",
    ),
    (
        "SELECT SUM(shipping::decimal(8, 1)) FROM orders",
        "write CAST(ROUND(x, 1) AS …), or TRUNC(x, 1) for ROUND",
    ),
    ("SELECT SUM(ROUND(trust, 1)) FROM customers", "write FLOOR(x * 100 + 0.5) / 100"),
    (
        "SELECT COUNT(*) FROM orders WHERE channel IN ('web', 'shop ')",
        "leave the blank out, and compare RTRIM(x)",
    ),
    (
        "SELECT EXTRACT(week FROM ordered_on) AS w, COUNT(*) FROM orders GROUP BY 1",
        "use TO_CHAR(x, 'IW')",
    ),
    (
        "SELECT DATE_PART(s, ordered_on) AS w, COUNT(*) FROM orders GROUP BY 1",
        "write EXTRACT(second FROM x)",
    ),
    (
        "SELECT SUM(EXTRACT(day FROM GETDATE() - ordered_on)) FROM orders",
        "use DATEDIFF(day, a, b)",
    ),
    (
        "SELECT CAST(ordered_on AS VARCHAR) AS d, COUNT(*) FROM orders GROUP BY 1",
        "write TO_CHAR(x, 'YYYY-MM-DD')",
    ),
    (
        "SELECT COUNT(*) AS n INTO t FROM orders",
        "leave INTO out: what is answered is not kept in a table",
    ),
    (
        "SELECT COUNT(*) FROM orders AS o, customers AS c WHERE o.customer_id = c.customer_id(+)",
        "write LEFT JOIN … ON …",
    ),
    (
        "SELECT SUM(DECODE(rating, order_id, 1, 0)) FROM orders",
        "write CASE WHEN a = b OR (a IS NULL AND b IS NULL) THEN …",
    ),
    (
        "SELECT AVG(s) FROM (SELECT SUM(order_id) AS s FROM orders GROUP BY customer_id) AS t",
        "write AVG(CAST(x AS FLOAT))",
    ),
    (
        "SELECT gift, AVG(n) OVER () FROM (SELECT gift, COUNT(*) AS n FROM orders GROUP BY gift) "
        "AS t",
        "write AVG(CAST(x AS FLOAT))",
    ),
    (
        "SELECT TRUNC(x) AS d, COUNT(*) FROM (SELECT COALESCE(ordered_on, GETDATE()) AS x "
        "FROM orders) AS t GROUP BY 1",
        "write CAST(x AS DATE) of a moment, or TRUNC(x, 0) of a number",
    ),
    ("SELECT COUNT(*) FROM customers WHERE email ~ 'a'", "write LIKE"),
]


@pytest.mark.parametrize(("text", "help"), HELPS)
def test_what_to_write_instead(text: str, help: str) -> None:
    with pytest.raises(dpsql.Rejected) as caught:
        compiled(text, "redshift")
    assert [(d.code, d.help) for d in caught.value.diagnostics] == [("DP104", help)]
    assert caught.value.span is not None


INSTEAD = [
    "SELECT COUNT(*) FROM orders WHERE DATEADD(mon, CAST(FLOOR(shipping) AS INT), ordered_on) > "
    "GETDATE()",
    "SELECT SUM(CAST(ROUND(shipping) AS INT)), SUM(TRUNC(shipping, 1)::decimal(8, 1)) FROM orders",
    "SELECT SUM(FLOOR(trust * 100 + 0.5) / 100) FROM customers",
    "SELECT COUNT(*) FROM orders WHERE RTRIM(channel) IN ('web', 'shop')",
    "SELECT TO_CHAR(ordered_on, 'IW') AS w, COUNT(*) FROM orders GROUP BY 1",
    "SELECT AVG(CAST(s AS FLOAT)) FROM (SELECT SUM(order_id) AS s FROM orders GROUP BY "
    "customer_id) AS t",
]


@pytest.mark.parametrize("text", INSTEAD)
def test_what_is_said_instead_is_read(text: str) -> None:
    parse(text, "redshift", SCHEMA.types())


def test_a_column_that_there_is_not() -> None:
    with pytest.raises(dpsql.Rejected, match="no column shiping") as caught:
        compiled("SELECT SUM(TRUNC(shiping)) FROM orders", "redshift")
    assert (caught.value.code, caught.value.help) == ("DP202", "did you mean shipping?")
