"""What PostgreSQL is asked to compute is DuckDB's: each entry of its language, over the ends of
each type, as columns and as constants. Where DuckDB itself fails, dpsql asks nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import duckdb
import pytest

from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.about import ABOUT
from dpsql.platform.engine.far.bound_plan import read
from dpsql.platform.engine.far.operators import (
    AggregateCall,
    Call,
    Constant,
    Expr,
    Operator,
    Rows,
    Unsupported,
    WindowCall,
    below,
    types,
)
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.platform.engine.far.postgres_language import CALLS, POSTGRES
from dpsql.platform.engine.far.server_sql import MOST, printed
from dpsql.types import VARCHAR, Type
from tests.support.effort import some_of_each

WHOLE = ["0", "1", "-1", "2", "-3", "7", "10"]
VALUES = {
    "BOOLEAN": ["true", "false"],
    "TINYINT": [*WHOLE, "127", "-128"],
    "SMALLINT": [*WHOLE, "32767", "-32768"],
    "INTEGER": [*WHOLE, "2147483647", "-2147483648"],
    "BIGINT": [*WHOLE, "9223372036854775807", "-9223372036854775808", "9007199254740993"],
    "UBIGINT": ["0", "1", "7", "18446744073709551615", "9223372036854775808"],
    "HUGEINT": [
        *WHOLE,
        *("99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"),
        *("18446744073709551616", "-18446744073709551617", "-18446744073709551615"),
        *("9007199254740993", "-9007199254740993", "27670116110564327423", "-9223372036854775809"),
    ],
    "DECIMAL(4,1)": ["0", "0.1", "-0.5", "0.5", "1.5", "-2.5", "999.9", "-999.9"],
    "DECIMAL(10,2)": ["0", "0.01", "-0.05", "0.5", "1.50", "99999999.99", "-99999999.99", "2.25"],
    "DECIMAL(18,4)": ["0", "0.0001", "-12345.6789", "99999999999999.9999", "90071992547409.9301"],
    "DECIMAL(38,2)": ["0", "0.01", "999999999999999999999999999999999999.99", "-7.77"],
    "DOUBLE": [
        *("0", "-0.0", "1", "-1", "0.5", "-0.5", "1.5", "2.5", "-2.5", "3", "0.1"),
        *("0.49999999999999994", "4503599627370495.5", "4503599627370497.5", "9007199254740993"),
        *("1e300", "-1e300", "1e-300", "-1e-300", "1e-200", "1e200", "1e150", "1e-150"),
        *("1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "-5e-324"),
        *("2.2250738585072014e-308", "1.1125369292536007e-308", "8.98846567431158e307"),
        *("9.9792015476736e291", "1.4916681462400413e-154", "1.4916681462400412e-154"),
        *("3.314e-162", "1.4916681462400416e-162", "2.2227587494850775e-162"),
        *("2.2227587494850774e-162", "1.8446744073709552e19", "-9.223372036854776e18"),
        *("2147483646.5", "127.4", "1e37", "-3e37", "inf", "-inf", "nan"),
    ],
    "VARCHAR": [
        *("", "a", "A", "b", "ab", "ä", "Z", "é", "e\u0301", "z", "日本語", "😀x", "a%b", "a_b"),
        *("\\", "a\\", "a\\b", "%", "_", "100%", "null", "NULL", "a ", " a", "a\nb", "'", '"'),
    ],
    "DATE": [
        *("2024-02-29", "1970-01-01", "0001-01-01", "9999-12-31", "0001-12-31 (BC)", "infinity"),
        *("-infinity", "0044-03-15 (BC)", "10000-01-01", "2000-12-31", "2021-01-03", "1900-02-28"),
    ],
    "TIMESTAMP": [
        *("2024-02-29 23:59:59.999999", "1970-01-01 00:00:00", "0001-01-01 00:00:00", "infinity"),
        *("-infinity", "0044-03-15 (BC) 12:00:00", "9999-12-31 23:59:59.999999"),
        *("1969-12-31 23:59:59.5", "2021-01-03 10:30:00", "2020-12-31 00:00:01"),
    ],
}
"""Of each type, as DuckDB writes them; NULL is among them always."""

INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UBIGINT", "HUGEINT")
DECIMALS = ("DECIMAL(4,1)", "DECIMAL(10,2)", "DECIMAL(18,4)", "DECIMAL(38,2)")
EVERY = tuple(VALUES)


def cases() -> Iterator[tuple[str, tuple[str, ...]]]:
    """An expression of the columns a, b, …, and their types."""
    for kind in EVERY:
        for sign in ("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"):
            yield f"a {sign} b", (kind, kind)
        yield "greatest(a, b)", (kind, kind)
        yield "least(a, b)", (kind, kind)
        yield "coalesce(a, b)", (kind, kind)
        yield "CASE WHEN a = b THEN a ELSE b END", (kind, kind)
        yield "a IN (b, NULL)", (kind, kind)
    for kind in (*INTEGERS, *DECIMALS, "DOUBLE"):
        for sign in "+-*":
            yield f"a {sign} b", (kind, kind)
        if kind != "UBIGINT":
            yield "-a", (kind,)
            yield "abs(a)", (kind,)
    for kind in INTEGERS:
        yield "a // b", (kind, kind)
        yield "a % b", (kind, kind)
        yield "CAST(a AS DOUBLE)", (kind,)
        yield "CAST(a AS VARCHAR)", (kind,)
        yield "CAST(a AS BOOLEAN)", (kind,)
        for other in (*INTEGERS, *DECIMALS):
            yield f"CAST(a AS {other})", (kind,)
    for kind in DECIMALS:
        yield "a % b", (kind, kind)
        yield "CAST(a AS VARCHAR)", (kind,)
        for other in (*INTEGERS, *DECIMALS):
            yield f"CAST(a AS {other})", (kind,)
    for kind in DECIMALS[:3]:
        yield "CAST(a AS DOUBLE)", (kind,)
    yield "a * b", ("DECIMAL(4,1)", "DECIMAL(10,2)")
    for kind in ("TINYINT", "INTEGER", "BIGINT", "HUGEINT", "DOUBLE", "DECIMAL(4,1)"):
        yield f"CAST(a AS {kind})", ("BOOLEAN",)
    for kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"):
        yield f"CAST(a AS {kind})", ("DOUBLE",)
    yield "a / b", ("DOUBLE", "DOUBLE")
    for name in ("isnan", "isinf", "isfinite", "round", "ceil", "floor", "trunc", "sign", "sqrt"):
        yield f"{name}(a)", ("DOUBLE",)
    yield "round((a * b) + a)", ("DOUBLE", "DOUBLE")
    yield "(a + b) / (a - b) * (a / b)", ("DOUBLE", "DOUBLE")
    yield "strlen(a)", ("VARCHAR",)
    yield "unicode(a)", ("VARCHAR",)
    yield "bit_length(a)", ("VARCHAR",)
    yield "CAST(a AS VARCHAR)", ("BOOLEAN",)
    yield "length(a)", ("VARCHAR",)
    for start, size in ((1, 0), (1, 1), (2, 1), (2, 100), (5, 3)):
        yield f"substring(a, {start}, {size})", ("VARCHAR",)
        yield f"left(a, {size})", ("VARCHAR",)
        yield f"right(a, {size})", ("VARCHAR",)
    yield "substring(a, 2)", ("VARCHAR",)
    yield "a || b", ("VARCHAR", "VARCHAR")
    for name in ("contains", "starts_with", "prefix"):
        yield f"{name}(a, b)", ("VARCHAR", "VARCHAR")
    yield "a LIKE b", ("VARCHAR", "VARCHAR")
    yield "a NOT LIKE b", ("VARCHAR", "VARCHAR")
    yield "suffix(a, b)", ("VARCHAR", "VARCHAR")
    yield "strpos(a, b)", ("VARCHAR", "VARCHAR")
    yield "replace(a, b, 'xy')", ("VARCHAR", "VARCHAR")
    for kind in ("DATE", "TIMESTAMP"):
        parts = ("year", "month", "day", "quarter", "dayofyear", "week", "isoyear", "isodow")
        more = ("dayofweek", "yearweek", "decade", "century", "millennium", "era")
        yield "CAST(a AS VARCHAR)", (kind,)
        for name in (*parts, *more, "monthname", "dayname"):
            yield f"{name}(a)", (kind,)
        less = ("millisecond", "microsecond")
        for part in ("year", "quarter", "month", "day", "hour", "minute", "second", *less):
            yield f"date_diff('{part}', a, b)", (kind, kind)
    for name in ("hour", "minute", "second", "millisecond", "microsecond"):
        yield f"{name}(a)", ("TIMESTAMP",)
    yield "TRY_CAST(a AS TIMESTAMP)", ("DATE",)
    for kind in DECIMALS:
        for name in ("round", "ceil", "floor", "trunc"):
            yield f"{name}(a)", (kind,)
    yield "CASE WHEN a >= '1900-01-01' AND a < '2025-01-01' THEN a + b END", ("DATE", "TINYINT")
    yield "CASE WHEN isfinite(a) AND isfinite(b) THEN a - b END", ("DATE", "DATE")
    yield "CAST(a AS TIMESTAMP)", ("DATE",)
    yield "CAST(a AS DATE)", ("TIMESTAMP",)
    for part in ("second", "minute", "hour", "day", "week", "month", "quarter", "year"):
        yield f"date_trunc('{part}', a)", ("TIMESTAMP",)
    for span in ("1 DAY", "3 MONTH", "-1 MONTH", "36 MONTH", "7200 SECOND", "-14 DAY"):
        between = "a >= '1900-01-01' AND a <= '2025-01-01'"
        number, unit = span.split()
        yield f"CASE WHEN {between} THEN a + INTERVAL '{number}' {unit} END", ("TIMESTAMP",)
    for name in ("to_days", "to_months"):
        yield (
            f"CASE WHEN a >= '1900-01-01' AND a <= '2025-01-01' THEN a + {name}(b::INTEGER) END",
            ("TIMESTAMP", "TINYINT"),
        )


class Both:
    """The same tables in both."""

    def __init__(self, url: str) -> None:
        self.duckdb = duckdb.connect(":memory:", config={})
        self.postgres = Postgres(url, "server", {})
        self.lent: dict[str, str] = {}
        self.seen: set[str] = set()

    def table(self, kinds: tuple[str, ...]) -> str:
        """All combinations of values of these types, with a number."""
        name = "t_" + "_".join(
            k.split("(")[0] + "".join(c for c in k if c.isdigit()) for k in kinds
        )
        if name in self.lent:
            return name
        names = "abcd"[: len(kinds)]
        rows = list(product(*([None, *VALUES[kind]] for kind in kinds)))
        listed = ", ".join(
            f"CAST(unnest(?::VARCHAR[]) AS {kind}) AS {n}"
            for n, kind in zip(names, kinds, strict=True)
        )
        numbers = f"CAST(unnest(range({len(rows)})) AS INTEGER) AS i"
        columns = [list(column) for column in zip(*rows, strict=True)]
        self.duckdb.execute(f"CREATE TABLE {name} AS SELECT {numbers}, {listed}", columns)
        self.lend(name)
        return name

    def lend(self, name: str) -> None:
        rows = self.duckdb.sql(f"FROM {name}").to_arrow_table()
        self.lent[name] = self.postgres.publish(name, rows)

    def plan(self, sql: str) -> Operator:
        [(found,)] = self.duckdb.execute(PLAN, {"sql": sql}).fetchall()
        plan = read(str(found))
        self.seen |= set(names(plan))
        return plan

    def there(self, sql: str) -> list[tuple[Any, ...]]:
        """What PostgreSQL makes of it, as it comes back."""
        plan = self.plan(sql)
        said = printed(plan, POSTGRES, lambda path: self.lent[path[-1]], {})
        self.postgres.begin(None)
        try:
            arrow = self.postgres.run(said)
        finally:
            self.postgres.end()
        kinds = enumerate(types(plan))
        items = ", ".join(f"CAST(c{i} AS {kind}) AS c{i}" for i, kind in kinds)
        with duckdb.connect(":memory:") as scratch:
            scratch.register("cells", arrow)
            return shown(scratch.execute(f"SELECT {items} FROM cells").fetchall())

    def here(self, sql: str) -> list[tuple[Any, ...]]:
        """What DuckDB makes of it."""
        return shown(self.duckdb.execute(sql).fetchall())

    def possible(self, expression: str, table: str) -> str:
        """The numbers of the rows of which DuckDB has a value."""
        try:
            self.duckdb.execute(f"SELECT {expression} FROM {table}").fetchall()
            return "TRUE"
        except duckdb.Error:
            pass
        has = f"SELECT i FROM {table} WHERE TRY(({expression}) IS NULL) IS NOT NULL"
        good = [str(i) for (i,) in self.duckdb.execute(has).fetchall()]
        return f"i IN ({', '.join(good)})"


def shown(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """In an order, with zeros and NaNs told apart."""
    return sorted(tuple(map(repr, row)) for row in rows)


def names(plan: Operator) -> Iterator[str]:
    """The functions in a plan."""
    for field in ("conditions", "items", "keys"):
        for expr in getattr(plan, field, ()):
            yield from called(expr)
    for part in below(plan):
        yield from names(part)


def called(expr: Expr | AggregateCall | WindowCall) -> Iterator[str]:
    """Those of an expression."""
    if isinstance(expr, Call | AggregateCall | WindowCall):
        yield expr.name
        for arg in expr.args:
            yield from called(arg)


@pytest.fixture(scope="module")
def both(server: str) -> Iterator[Both]:
    made = Both(server.format("postgres"))
    yield made
    made.postgres.close()


@pytest.mark.parametrize("part", range(4))
@pytest.mark.one_in(2)
def test_each_entry_is_duckdbs(part: int, both: Both) -> None:
    wrong = []
    for expression, kinds in some_of_each(cases(), "{0[0]}".format, 2)[part::4]:
        table = both.table(kinds)
        where = both.possible(expression, table)
        sql = f"SELECT i, {expression} AS x FROM {table} WHERE {where}"
        here, there = both.here(sql), both.there(sql)
        if here != there:
            some = [(h, t) for h, t in zip(here, there, strict=True) if h != t]
            wrong.append((expression, kinds, len(some), some[:4]))
    assert wrong == []


def test_no_entry_is_left_out(both: Both) -> None:
    for expression, kinds in cases():
        both.plan(f"SELECT {expression} FROM {both.table(kinds)}")
    assert CALLS.keys() - both.seen == {"hash", ABOUT}  # which are other functions


def is_written(value: str) -> bool:
    """Whether it may stand in a statement: no infinity, no day of another age. Of -0.0 DuckDB's
    optimizer makes 0.0; no statement has it.
    """
    return value not in ("inf", "-inf", "nan", "infinity", "-infinity", "-0.0") and not (
        "(BC)" in value or value.startswith("10000-")
    )


def constants(expression: str, kinds: tuple[str, ...]) -> Iterator[list[str]]:
    """The expression with constants in the place of some columns, so many at once as one SELECT
    may have."""
    replaced = ["b"] if len(kinds) == 2 else ["a"]
    for places in {tuple(replaced), tuple("ab"[: len(kinds)])}:
        each = [[None, *filter(is_written, VALUES[kinds["ab".index(p)]])] for p in places]
        every = []
        for chosen in product(*each):
            said = expression
            for place, value in zip(places, chosen, strict=True):
                kind = kinds["ab".index(place)]
                text = "NULL" if value is None else "'" + value.replace("'", "''") + "'"
                text = str(value) if kind == "BOOLEAN" and value else text
                said = re.sub(rf"(?<![\w']){place}(?![\w'])", f"CAST({text} AS {kind})", said)
            every.append(said)
        yield from (every[n : n + 400] for n in range(0, len(every), 400))


@pytest.mark.parametrize("part", range(4))
@pytest.mark.one_in(2)
def test_of_constants_too(part: int, both: Both) -> None:
    """A server computes what it can before anything else, also what a condition guards."""
    wrong = []
    for expression, kinds in some_of_each(cases(), "{0[1]}".format, 1)[part::4]:
        table = both.table(kinds[:1])
        for group in constants(expression, kinds):
            listed = ", ".join(f"{said} AS x{n}" for n, said in enumerate(group))
            sql = f"SELECT i, {listed} FROM {table}"
            try:
                here, there = both.here(sql), both.there(sql)
            except (duckdb.Error, Unsupported):
                continue  # it fails for one of them, or makes an infinity of what is bound
            if here != there:
                wrong.append((expression, kinds))
    assert wrong == []


@pytest.mark.parametrize("kind", EVERY)
def test_hashes_are_numbers_of_values(kind: str, both: Both) -> None:
    """Of 0 to 2^64 - 1, the same for equal values, and for others another one."""
    table = both.table((kind, kind))
    sql = f"SELECT i, hash(a, b, 'x') AS h, hash(a) AS g FROM {table}"
    found = {int(i): (int(h), int(g)) for i, h, g in both.there(sql)}
    assert all(0 <= n < 2**64 for both_ in found.values() for n in both_)
    rows = both.there(f"SELECT (a IS NOT DISTINCT FROM b) = (hash(a) = hash(b)) FROM {table}")
    assert set(rows) == {("True",)}
    [[count]] = both.here(f"SELECT count(DISTINCT a) FROM {table}")
    different = int(count) + 1  # NULL is one as well
    assert len({h for h, _ in found.values()}) == different**2


AGGREGATES = ("count(*)", "count(a)", "count(DISTINCT a)", "min(a)", "max(a)")


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.one_in(3)
def test_aggregates_are_duckdbs(kind: str, both: Both) -> None:
    table = both.table((kind,))
    every = AGGREGATES[:3] if kind == "DOUBLE" else AGGREGATES
    if kind in (*INTEGERS, *DECIMALS) and kind not in ("HUGEINT", "DECIMAL(38,2)", "UBIGINT"):
        every += ("sum(a)", "sum(DISTINCT a)")
    if kind == "BOOLEAN":
        every += ("bool_and(a)", "bool_or(a)")
    for where in ("TRUE", "i < 2", "i < 1", "FALSE"):
        sql = f"SELECT {', '.join(every)} FROM {table} WHERE {where}"
        assert both.here(sql) == both.there(sql), sql
    two = both.table((kind, kind))
    for sql in (
        f"SELECT a, count(*), count(b) FROM {two} GROUP BY a",
        f"SELECT DISTINCT a FROM {two}",
        f"SELECT a FROM {two} UNION SELECT b FROM {two}",
        f"SELECT x.i FROM {table} x JOIN {table} y ON x.a = y.a",
        f"SELECT x.i, y.i FROM {table} x JOIN {table} y ON x.a IS NOT DISTINCT FROM y.a",
        f"SELECT x.i, y.i FROM {table} x LEFT JOIN {table} y ON x.a IS NOT DISTINCT FROM y.a "
        "AND x.i < y.i",
        f"SELECT i FROM {two} WHERE a IN (SELECT b FROM {two} WHERE i % 3 = 0)",
        f"SELECT i FROM {two} WHERE a NOT IN (SELECT b FROM {two} WHERE b > a)",
        f"SELECT i, a IN (SELECT a FROM {table} WHERE i % 3 = 0) FROM {two}",
        f"SELECT i FROM {two} ANTI JOIN {table} AS o ON {two}.a = o.a AND o.i > 3",
    ):
        assert _alike(both.here(sql)) == _alike(both.there(sql)), sql


def _alike(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """0.0 and -0.0 are one group, which has either name."""
    return sorted(tuple("0.0" if cell == "-0.0" else cell for cell in row) for row in rows)


@pytest.mark.parametrize("kind", [k for k in EVERY if k != "DOUBLE"])
@pytest.mark.one_in(3)
def test_windows_are_duckdbs(kind: str, both: Both) -> None:
    two = both.table((kind, kind))
    for order in ("a, i", "a DESC, i", "a NULLS FIRST, i", "a DESC NULLS LAST, i DESC"):
        over = f"OVER (PARTITION BY b ORDER BY {order})"
        items = ("row_number()", "rank()", "sum(i)", "first_value(a)")
        sql = f"SELECT i, {', '.join(f'{item} {over}' for item in items)} FROM {two}"
        assert both.here(sql) == both.there(sql)
    sql = f"SELECT b, row_number() OVER (PARTITION BY b), rank() OVER () FROM {two}"
    assert _alike(both.here(sql)) == _alike(both.there(sql))
    extremes = "" if kind == "BOOLEAN" else f", min(a) {over}, max(a) OVER (PARTITION BY b)"
    sql = f"""SELECT i, dense_rank() OVER (ORDER BY b), count(a) OVER (ORDER BY a), sum(i) OVER (
      PARTITION BY a ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW){extremes}
      FROM {two}"""
    assert both.here(sql) == both.there(sql)


def test_many_released_rows_are_taken(both: Both) -> None:
    """As many as there may be, of which some have no value."""
    kinds = (Type("BIGINT"), VARCHAR, Type("DOUBLE"))
    rows = [
        (Constant(n, kinds[0]), Constant(f"x{n}", VARCHAR), Constant(None, kinds[2]))
        for n in range(MOST)
    ]
    said = printed(Rows(tuple(rows), kinds), POSTGRES, lambda path: path[-1], {})
    both.postgres.begin(None)
    try:
        assert both.postgres.run(said).num_rows == MOST
    finally:
        both.postgres.end()
