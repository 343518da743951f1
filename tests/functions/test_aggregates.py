"""Every aggregate as the binder and the printer have it: of the type and the value that DuckDB
gives the text itself, over columns of every type, with NULL, NaN and the ends of types in the rows.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import pytest

from dpsql.core.emit.plans import nested
from dpsql.core.emit.plans import table as sql_table
from dpsql.core.functions.aggregates import result_type
from dpsql.core.plan.nodes import Aggregate, AggregateCall, nodes
from dpsql.errors import Rejected
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from dpsql.platform.policy import Policy, resolve
from dpsql.types import Type

COLUMNS = {
    "i1": ("TINYINT", "-128", "127", "3", "3"),
    "i2": ("SMALLINT", "-32768", "5", "4", "4"),
    "i4": ("INTEGER", "-7", "2147483647", "2", "2"),
    "i8": ("BIGINT", "-9", "9007199254740993", "1", "1"),
    "i16": ("HUGEINT", "-2", "20", "3", "3"),
    "u1": ("UTINYINT", "0", "255", "3", "3"),
    "u2": ("USMALLINT", "0", "65535", "3", "3"),
    "u4": ("UINTEGER", "0", "4294967295", "3", "3"),
    "u8": ("UBIGINT", "0", "18446744073709551615", "3", "3"),
    "d4": ("DECIMAL(4,1)", "-999.9", "0.2", "0.5", "0.5"),
    "d9": ("DECIMAL(9,2)", "-1.25", "3.5", "0.1", "0.1"),
    "d18": ("DECIMAL(18,3)", "-1.125", "2.5", "0.001", "0.001"),
    "d38": ("DECIMAL(38,6)", "-1", "12345678901234567890", "0.5", "0.5"),
    "f": ("FLOAT", "-1.5", "3e30", "0.1", "0.1"),
    "g": ("DOUBLE", "-1.5", "'NaN'", "0.1", "0.1"),
    "day": ("DATE", "'2020-02-29'", "'2024-01-01'", "'2021-01-01'", "'2021-01-01'"),
    "moment": ("TIMESTAMP", "'2020-02-29'", "'2024-01-01 10:00'", "'2021-01-01'", "'2021-01-01'"),
    "b": ("BOOLEAN", "true", "false", "true", "true"),
    "s": ("VARCHAR", "'z'", "''", "'é'", "'é'"),
    "e": ("ENUM('z', 'a', 'm')", "'z'", "'m'", "'a'", "'a'"),
}
"""Each with values of its type; NULL is added, and one value twice, so that MODE has no ties."""

LISTED = "".join(f'      {c}: {{type: "{v[0]}"}}\n' for c, v in COLUMNS.items())
SCHEMA = resolve(
    Policy.parse(
        "unit: people.id\nbudget: {eps: 1}\ntables:\n"
        "  people: {access: private, key: [id], columns: {id: {type: INTEGER}}}\n"
        "  t:\n    access: public\n    columns:\n" + LISTED
    ),
    None,
    None,
)

NUMBERS = [c for c, v in COLUMNS.items() if v[0] not in ("DATE", "TIMESTAMP") and c not in "bse"]
CONTINUOUS = [*NUMBERS, "day", "moment"]

ONE = {
    "COUNT({x})": COLUMNS,
    "COUNT(DISTINCT {x})": COLUMNS,
    "SUM({x})": NUMBERS,
    "AVG({x})": NUMBERS,
    "SUM(DISTINCT {x})": NUMBERS,
    "MIN({x})": COLUMNS,
    "MAX(DISTINCT {x})": COLUMNS,
    "BOOL_AND({x})": "b",
    "BOOL_OR(DISTINCT {x})": "b",
    "MEDIAN({x})": COLUMNS,
    "STDDEV({x})": NUMBERS,
    "STDDEV_SAMP({x})": NUMBERS,
    "STDDEV_POP({x})": NUMBERS,
    "VARIANCE({x})": NUMBERS,
    "VAR_SAMP({x})": NUMBERS,
    "VAR_POP({x})": NUMBERS,
    "QUANTILE({x}, 0.3)": COLUMNS,
    "QUANTILE({x}, [0.3])": COLUMNS,
    "QUANTILE_CONT({x}, 0.3)": CONTINUOUS,
    "QUANTILE_CONT({x}, [0.25, 1, 0, 2e-1])": CONTINUOUS,
    "QUANTILE_DISC({x}, 1)": COLUMNS,
    "QUANTILE_DISC({x}, [0.75, 0.25])": COLUMNS,
    "PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY {x})": CONTINUOUS,
    "PERCENTILE_CONT([0.3, 0.6]) WITHIN GROUP (ORDER BY {x} NULLS FIRST)": CONTINUOUS,
    "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY {x} DESC)": ["i4", "d18", "f"],
    "PERCENTILE_DISC(0.3) WITHIN GROUP (ORDER BY {x})": COLUMNS,
    "MODE({x})": COLUMNS,
    "MODE() WITHIN GROUP (ORDER BY {x})": COLUMNS,
    "HISTOGRAM({x})": [c for c in COLUMNS if c != "g"],  # NaN is no dict key that compares
    "ARG_MAX({x}, i4)": COLUMNS,
    "ARG_MIN({x}, day)": COLUMNS,
    "MAX_BY(s, {x})": COLUMNS,
    "MIN_BY(e, {x})": COLUMNS,
    **{
        f"{f}({{x}}, i2)": [c for c in NUMBERS if c not in ("f", "g", "u8")]
        for f in (*("COVAR_SAMP", "COVAR_POP", "CORR", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2"),)
    },
    "HISTOGRAM({x}, [3, 1, 3])": [c for c in NUMBERS if c != "g"],
    "HISTOGRAM({x}, [0.5, 1e0])": ["i1", "i4", "u8", "d4", "d9", "d18", "d38", "f"],
    "HISTOGRAM({x}, [1.5, 3e39])": ["i2", "f"],
    "HISTOGRAM({x}, [-1.5, 300])": ["i1", "u4", "u8", "i16", "d9", "f"],
    "HISTOGRAM({x}, [TIMESTAMP '2021-01-01 10:00'])": ["day", "moment"],
    "HISTOGRAM({x}, ['2021-01-01', DATE '2020-06-01'])": ["day", "moment"],
    "HISTOGRAM({x}, [TIMESTAMP '2021-01-01'])": ["day", "moment"],
}
CASES = [(call.format(x=c), c) for call, columns in ONE.items() for c in columns]
NO_WINDOWS = ("DISTINCT", "WITHIN GROUP", "[", "MODE", "HISTOGRAM")
WINDOWS = [case for case in CASES if not any(part in case[0] for part in NO_WINDOWS)]


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(":memory:", config={"threads": "1"})
    listed = ", ".join(f"{c} {v[0]}" for c, v in COLUMNS.items())
    made.execute(f"CREATE TABLE t ({listed})")
    for row in zip(*(v[1:] for v in COLUMNS.values()), strict=True):
        made.execute(f"INSERT INTO t VALUES ({', '.join(row)})")
    made.execute("INSERT INTO t DEFAULT VALUES")
    return made


def printed(text: str) -> tuple[str, Type]:
    """The statement as it is printed from the plan, and the type of its first column."""
    found, _ = bind(parse(text), SCHEMA)
    sql = nested(found.plan, lambda t: sql_table(t.name)).sql(dialect="duckdb")
    return sql, found.plan.columns[0].type


def call_of(text: str) -> AggregateCall:
    found, _ = bind(parse(f"SELECT {text} FROM t"), SCHEMA)
    (aggregate,) = (n for n in nodes(found.plan) if isinstance(n, Aggregate))
    ((_, call),) = aggregate.calls
    return call


def answer(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[str, Any]:
    """The type and the value of the only cell."""
    result = connection.execute(sql)
    row = result.fetchone()
    assert row is not None
    return str(result.description[0][1]), row[0]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-12)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and bool(a == b)


@pytest.mark.parametrize(("call", "column"), CASES)
def test_type_and_value(connection: duckdb.DuckDBPyConnection, call: str, column: str) -> None:
    for where in ("", f" FILTER (WHERE {column} IS NOT NULL)", " FILTER (WHERE i4 = 2)"):
        text = f"SELECT {call}{where} AS x FROM t"
        sql, kind = printed(text)
        wanted, value = answer(connection, text)
        made, found = answer(connection, sql)
        assert (str(kind), made) == (wanted, wanted), text
        assert same(found, value), (text, found, value)


@pytest.mark.parametrize(("call", "column"), WINDOWS)
def test_type_and_value_as_a_window(
    connection: duckdb.DuckDBPyConnection, call: str, column: str
) -> None:
    """What may have OVER is DuckDB's, the fraction of a quantile and a FILTER, too."""
    for where in ("", " FILTER (WHERE i4 = 2)"):
        text = f"SELECT {call}{where} OVER () AS x FROM t"
        sql, kind = printed(text)
        wanted, value = answer(connection, text)
        made, found = answer(connection, sql)
        assert (str(kind), made) == (wanted, wanted), text
        assert same(found, value), (text, found, value)


@pytest.mark.parametrize(("call", "column"), CASES)
def test_type_from_the_argument(call: str, column: str) -> None:
    """The type that is found again when an argument's type changes is the binder's."""
    found, _ = bind(parse(f"SELECT {call} FROM t"), SCHEMA)
    (aggregate,) = (n for n in nodes(found.plan) if isinstance(n, Aggregate))
    ((out, made),) = aggregate.calls
    assert made.argument is not None
    assert result_type(made.function, made.argument.type, out.type) == out.type


@pytest.mark.parametrize("column", CONTINUOUS)
def test_approximate_quantile(connection: duckdb.DuckDBPyConnection, column: str) -> None:
    """The type is APPROX_QUANTILE's, the value QUANTILE_DISC's."""
    for fractions in ("0.3", "[0.3, 0.6]"):
        text = f"SELECT APPROX_QUANTILE({column}, {fractions}) AS x FROM t"
        empty = f"SELECT typeof(APPROX_QUANTILE({column}, {fractions})) FROM t WHERE false"
        sql, kind = printed(text)
        made, found = answer(connection, sql)
        assert str(kind) == made == answer(connection, empty)[1]
        _, exact = answer(connection, f"SELECT QUANTILE_DISC({column}, {fractions}) FROM t")
        assert found == exact


@pytest.mark.parametrize("column", COLUMNS)
def test_approximate_count(connection: duckdb.DuckDBPyConnection, column: str) -> None:
    sql, kind = printed(f"SELECT APPROX_COUNT_DISTINCT({column}) FROM t")
    assert (str(kind), answer(connection, sql)) == ("BIGINT", ("BIGINT", 2 if column == "b" else 3))


def test_no_rows(connection: duckdb.DuckDBPyConnection) -> None:
    for call, _ in CASES:
        sql, kind = printed(f"SELECT {call} FROM t WHERE false")
        value = 0 if call.startswith("COUNT") else None
        assert answer(connection, sql) == (str(kind), value), call


def test_either_null_leaves_the_row_out(connection: duckdb.DuckDBPyConnection) -> None:
    """Claim of `aggregates`: a row in which either argument is NULL is as good as absent."""
    rows = "(VALUES (1, 1), (3, 2), (NULL, 9), (8, NULL), (NULL, NULL))"
    for call in ("COVAR_SAMP", "COVAR_POP", "CORR", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2"):
        both = f"SELECT {call}(y, x) FROM {rows} t(y, x)"
        present = f"{both} WHERE y IS NOT NULL AND x IS NOT NULL"
        assert answer(connection, both) == answer(connection, present)
    for call, best in (("ARG_MAX", 3), ("ARG_MIN", 1)):
        assert answer(connection, f"SELECT {call}(y, x) FROM {rows} t(y, x)")[1] == best


def test_least_of_equally_frequent(connection: duckdb.DuckDBPyConnection) -> None:
    sql, _ = printed("SELECT MODE(i4) FROM t WHERE i4 IN (-7, 2147483647)")
    assert answer(connection, sql)[1] == -7


def test_histogram_bins(connection: duckdb.DuckDBPyConnection) -> None:
    """The bins that `bind_quantile` says, and the one above them where there is something."""
    sql, _ = printed("SELECT HISTOGRAM(i4, [2, -7, 1]) FROM t")
    assert answer(connection, sql)[1] == {-7: 1, 1: 0, 2: 2, 2147483647: 1}
    sql, _ = printed("SELECT HISTOGRAM(i4, [2]) FROM t WHERE i4 < 9")
    assert answer(connection, sql)[1] == {2: 3}
    sql, _ = printed("SELECT HISTOGRAM(g, [0, 0.1]) FROM t")
    assert answer(connection, sql)[1] == {0: 2, 0.1: 2}  # NaN is in the first
    sql, _ = printed("SELECT HISTOGRAM(f, [0.1]) FROM t")
    (single,) = call_of("HISTOGRAM(f, [0.1])").parameters
    assert answer(connection, sql)[1] == {single: 3, math.inf: 1}
    sql, _ = printed("SELECT HISTOGRAM(d9, [0.1]) FROM t")
    assert answer(connection, sql)[1] == {0.1: 3, math.inf: 1}


def test_parameters() -> None:
    tenth, nine = Fraction(1, 10), Fraction(9, 10)
    assert call_of("QUANTILE_CONT(g, 0.1)").parameters == (tenth,)
    assert call_of("QUANTILE_CONT(g, 1e-1)").parameters == (tenth,)
    assert call_of("QUANTILE_DISC(g, [0.9, 0, 1])").parameters == (nine, 0, 1)
    descending = call_of("PERCENTILE_CONT([0.1, 0.9]) WITHIN GROUP (ORDER BY g DESC)")
    assert descending.parameters == (nine, tenth)
    assert call_of("HISTOGRAM(i4)").parameters == ()
    assert call_of("HISTOGRAM(i4, [3, 1, 3])").parameters == (1, 3)
    assert call_of("HISTOGRAM(g, [0.1])").parameters == (Fraction(0.1),)
    single = Fraction(13421773, 2**27)  # the FLOAT nearest to a tenth
    assert call_of("HISTOGRAM(f, [0.1])").parameters == (single,)
    call = call_of("ARG_MAX(s, i4)")
    assert [str(a.type) for a in call.arguments] == ["VARCHAR", "INTEGER"]


def test_a_list_of_one_is_a_list(connection: duckdb.DuckDBPyConnection) -> None:
    sql, _ = printed("SELECT QUANTILE_DISC(i4, 0.5), QUANTILE_DISC(i4, [0.5]) FROM t")
    assert connection.execute(sql).fetchall() == [(2, [2])]


def test_as_precise_as_written(connection: duckdb.DuckDBPyConnection) -> None:
    """0.29 · 100 is 29 exactly, and more than 28.999… as a product of DOUBLEs might be."""
    for text in ("0.29", "0.07", "0.58", "29e-2", "0.1234567890123456789012345678901234567"):
        sql, _ = printed(f"SELECT QUANTILE_DISC(i4, {text}) FROM t")
        assert answer(connection, sql) == answer(
            connection, f"SELECT QUANTILE_DISC(i4, {text}) FROM t"
        )


REJECTED = {
    "QUANTILE_CONT(i4, 1.5)": ("DP205", "1.5"),
    "QUANTILE_CONT(i4, -0.5)": ("DP205", "0.5"),
    "QUANTILE_CONT(i4, [0.5, 2])": ("DP205", "2"),
    "QUANTILE_CONT(i4, [])": ("DP205", None),
    "QUANTILE_CONT(i4, g)": ("DP205", "g"),
    "QUANTILE_CONT(i4, 1 / 4)": ("DP205", "1 / 4"),
    "QUANTILE_CONT(i4, NULL)": ("DP205", None),
    "QUANTILE_CONT(i4, '0.5')": ("DP205", "'0.5'"),
    "QUANTILE_CONT(i4)": ("DP205", None),
    "QUANTILE_CONT(i4, 0.5, 3)": ("DP205", "QUANTILE_CONT(i4, 0.5,"),
    "QUANTILE(MIN(i4, 3), [0.5, 1], 3)": ("DP205", "QUANTILE(MIN(i4, 3), [0.5, 1],"),
    "CORR(i4, i8, 3)": ("DP205", "CORR(i4, i8,"),
    "QUANTILE_CONT(s, 0.5)": ("DP205", "s"),
    "QUANTILE_CONT(b, 0.5)": ("DP205", "b"),
    "APPROX_QUANTILE(s, 0.5)": ("DP205", "s"),
    "PERCENTILE_CONT(0.5)": ("DP205", None),
    "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY i4 DESC)": ("DP104", "i4"),
    "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY i4, i8)": ("DP104", None),
    "PERCENTILE_CONT(i4, 0.5) WITHIN GROUP (ORDER BY i4)": ("DP104", None),
    "MODE() WITHIN GROUP (ORDER BY i4 DESC)": ("DP104", "i4"),
    "MODE()": ("DP205", None),
    "MODE(DISTINCT i4)": ("DP104", None),
    "MEDIAN(DISTINCT i4)": ("DP104", None),
    "QUANTILE_CONT(DISTINCT i4, 0.5)": ("DP104", None),
    "CORR(s, i4)": ("DP205", "s"),
    "CORR(i4, day)": ("DP205", "day"),
    "ARG_MAX(s, i4, 2)": ("DP104", None),
    "ARG_MAX(s, i4 ORDER BY i8)": ("DP104", None),
    "MAX(i4, 2)": ("DP104", "2"),
    "HISTOGRAM(s, ['a'])": ("DP205", None),
    "HISTOGRAM(i4, ['2020-01-01'])": ("DP205", "'2020-01-01'"),
    "HISTOGRAM(day, [5])": ("DP205", "5"),
    "HISTOGRAM(g, [DATE '2020-01-01'])": ("DP205", None),
    "HISTOGRAM(i4, [NULL])": ("DP205", None),
    "HISTOGRAM(i4, [i4])": ("DP205", "i4"),
    "HISTOGRAM(i4, [])": ("DP205", None),
    "HISTOGRAM(i4, i4)": ("DP205", "i4"),
    "HISTOGRAM(i4, [1], 2)": ("DP205", None),
    "APPROX_TOP_K(i4, 3)": ("DP204", None),
    "FIRST(DISTINCT i4)": ("DP104", None),
    "LIST(DISTINCT i4 ORDER BY i8)": ("DP104", None),
    "STRING_AGG(s, s)": ("DP205", "s"),
    "STRING_AGG(day)": ("DP205", None),
    "REGR_COUNT(s, i8)": ("DP205", "s"),
    "SKEWNESS(DISTINCT i4)": ("DP104", None),
    "BIT_AND(s)": ("DP205", "s"),
    "PRODUCT(i4, i8)": ("DP205", None),
    "QUANTILE_CONT(i4, [0.5]) OVER ()": ("DP104", None),
    "QUANTILE_CONT(i4, 1.5) OVER ()": ("DP205", "1.5"),
    "QUANTILE_CONT(s, 0.5) OVER ()": ("DP205", "s"),
    "HISTOGRAM(i4) OVER ()": ("DP104", None),
    "CORR(i4, s) OVER ()": ("DP205", "s"),
}


@pytest.mark.parametrize("call", REJECTED)
def test_rejected(call: str) -> None:
    text = f"SELECT {call} FROM t"
    code, place = REJECTED[call]
    with pytest.raises(Rejected) as caught:
        bind(parse(text), SCHEMA)
    (problem,) = caught.value.diagnostics
    assert problem.code == code
    assert problem.span is not None
    if place is not None:
        assert text[problem.span.start : problem.span.end] == place


def test_too_many_constants() -> None:
    many = ", ".join(map(str, range(1, 1002)))
    with pytest.raises(Rejected, match="more than 1,000"):
        call_of(f"HISTOGRAM(i4, [{many}])")


def test_scratch_decimal_quantile(connection: duckdb.DuckDBPyConnection) -> None:
    """Between two DECIMALs the digits are cut off: `aggregates._between`."""
    sql, _ = printed("SELECT QUANTILE_CONT(d9, 0.5) FROM t WHERE d9 IN (-1.25, 0.1) OR d9 = 3.5")
    assert answer(connection, sql) == ("DECIMAL(9,2)", Decimal("0.10"))
