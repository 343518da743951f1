"""Expressions that DuckDB and a server are asked for, over all values of their arguments' types."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, zip_longest

import duckdb
import pyarrow as pa

from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import read
from dpsql.platform.engine.far.operators import (
    AggregateCall,
    Call,
    Operator,
    Unsupported,
    WindowCall,
    types,
)
from dpsql.platform.engine.far.server_sql import printed
from dpsql.platform.engine.far.spark_language import SPARK
from dpsql.types import HUGEINT, Type
from tests.support import spark
from tests.support.edges import rows

_fresh = count()


@dataclass(frozen=True)
class Asked:
    """An expression of columns x0, x1, … of a table, as both are asked.

    Attributes:
        sql: DuckDB's.
        names: the functions that were printed.
    """

    sql: str
    kinds: tuple[str, ...]
    names: frozenset[str]


@cache
def database() -> duckdb.DuckDBPyConnection:
    """Has the tables; nothing is computed early, so that an error is a row's own."""
    made = duckdb.connect()
    made.execute("SET disabled_optimizers = 'expression_rewriter,statistics_propagation'")
    return made


@cache
def table(kinds: tuple[str, ...]) -> str:
    """All combinations of values of these types: columns `id`, `x0`, `x1`, …"""
    name = f"t{next(_fresh)}"
    parts = ", ".join(rows(k).replace("AS t(x)", f"AS t{i}(x{i})") for i, k in enumerate(kinds))
    database().execute(
        f"CREATE TABLE {name} AS SELECT CAST(row_number() OVER () AS INTEGER) AS id, * FROM {parts}"
    )
    return name


def asked(template: str, kinds: tuple[str, ...]) -> Asked | None:
    """With a template's `{0}`, `{1}`, …; None where DuckDB or the language has it not."""
    sql = template.format(*(f"x{i}" for i in range(len(kinds))))
    names = names_in(f"SELECT {sql} AS v FROM {table(kinds)}")
    return Asked(sql, kinds, names) if names is not _NONE else None


def _plan(sql: str) -> Operator:
    [(found,)] = database().execute(PLAN, {"sql": sql}).fetchall()
    return read(str(found))


_NONE = frozenset[str]()


def names_in(sql: str) -> frozenset[str]:
    """The functions of a statement, `f()` for aggregates, `f over` for windows; none where DuckDB
    or the language has it not.
    """
    seen = {"SELECT"}

    def call(node: Call, args: Sequence[str]) -> str:
        seen.add(node.name)
        return SPARK.call(node, args)

    def aggregate(node: AggregateCall, args: Sequence[str]) -> str:
        seen.add(f"{node.name}()")
        return SPARK.aggregate(node, args)

    def window(node: WindowCall, args: Sequence[str]) -> str:
        seen.add(f"{node.name} over")
        return SPARK.window(node, args)

    noting = replace(SPARK, call=call, aggregate=aggregate, window=window)
    try:
        printed(_plan(sql), noting, ".".join, {})
    except Unsupported:
        return _NONE
    return frozenset(seen)


def said(sql: str) -> bool:
    """Whether the language has it."""
    return names_in(sql) is not _NONE


def written(sql: str) -> str:
    """What the server is asked, without the texts in it.

    Raises:
        Unsupported: the language has it not.
    """
    found = printed(_plan(sql), SPARK, ".".join, {})
    return re.sub(r"'(?:[^'\\]|\\.)*'", "''", found, flags=re.DOTALL)


def hashed(sql: str) -> dict[int, int]:
    """The server's rows of two numbers."""
    found = printed(_plan(sql), SPARK, lambda path: path[-1], {})
    return {row["c0"]: int(row["c1"]) for row in spark.session().sql(found).toArrow().to_pylist()}


def differences(cases: Iterable[Asked], *, known: bool = False) -> Iterator[str]:
    """What the server has otherwise than DuckDB, where DuckDB has a value.

    Args:
        known: of arguments that are never NULL, which engines may think more of; and grouped by the
            values, whose types must be what they are said to be then.
    """
    together = defaultdict[str, list[Asked]](list)
    for case in cases:
        together[without(table(case.kinds), _failing(case), known)].append(case)
    for source, same in together.items():
        if _different([case.sql for case in same], source, known):
            for case in same:
                found = _different([case.sql], source, known)
                if found:
                    yield f"{case.sql} of {', '.join(case.kinds)}: {found}"


def _failing(case: Asked) -> tuple[int, ...]:
    """The rows for which DuckDB raises an error, or is beyond what a HUGEINT is said to be."""
    source = table(case.kinds)
    kind = types(_plan(f"SELECT {case.sql} AS v FROM {source}"))[0]
    fails = f"TRY(({case.sql}) IS NULL) IS NULL"
    if kind == HUGEINT:
        fails += f" OR abs(TRY({case.sql})::DOUBLE) >= 1e38"
    found = database().execute(f"SELECT id FROM {source} WHERE {fails} ORDER BY id").fetchall()
    return tuple(i for (i,) in found)


@cache
def without(name: str, ids: tuple[int, ...], known: bool) -> str:
    """A table without some rows, and without NULLs, here and there."""
    made = f"{name}_{next(_fresh)}"
    listed = ", ".join(map(str, (0, *ids)))
    places = database().execute(f"DESCRIBE {name}").fetchall()
    there = [f"{column} IS NOT NULL" for column, *_ in places if known]
    wanted = " AND ".join([f"id NOT IN ({listed})", *there])
    database().execute(f"CREATE TABLE {made} AS SELECT * FROM {name} WHERE {wanted}")
    lend(made, known=known)
    return made


def lend(name: str, *, known: bool = False) -> None:
    """A table of the database is the server's too; `known`: it has no NULL, and says so."""
    columns = database().execute(f"DESCRIBE {name}").fetchall()
    held = {"HUGEINT": "DECIMAL(38,0)", "UBIGINT": "DECIMAL(20,0)"}
    items = ", ".join(f"CAST({n} AS {held.get(k, k)}) AS {n}" for n, k, *_ in columns)
    rows = database().sql(f"SELECT {items} FROM {name}").to_arrow_table()
    if known:
        rows = rows.cast(pa.schema([field.with_nullable(False) for field in rows.schema]))
    spark.lend(name, rows)


def _different(items: Sequence[str], source: str, known: bool) -> str:
    listed = ", ".join(f"{item} AS v{i}" for i, item in enumerate(items))
    arguments = [n for n, *_ in database().execute(f"DESCRIBE {source}").fetchall()]
    sql = f"SELECT {', '.join(arguments)}, {listed} FROM {source}"
    if known:
        values = ", ".join([*arguments, *(f"v{i}" for i in range(len(items)))])
        sql = f"SELECT {values}, count(*) AS n FROM ({sql}) GROUP BY {values}"
    return different(sql, one_zero=known)


def different(sql: str, *, one_zero: bool = False) -> str:
    """The first row that the server has otherwise, or why it has none; empty if all are equal.

    Args:
        one_zero: of 0.0 and -0.0, which are equal, a group has either.
    """
    plan = _plan(sql)
    kinds = types(plan)
    try:
        said = printed(plan, SPARK, lambda path: path[-1], {})
        frame = spark.session().sql(said)
        own = [field.dataType.simpleString() for field in frame.schema.fields]
        rows = frame.toArrow()
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:400]}"
    wanted = [SPARK.type(kind).replace(" ", "").lower() for kind in kinds]
    if own != wanted:
        return f"the types are {own[-3:]} for {wanted[-3:]}"
    items = ", ".join(f"CAST(c{i} AS {kind}) AS c{i}" for i, kind in enumerate(kinds))
    scratch = database()
    scratch.register("rows_there", rows)
    there = _shown(f"SELECT {items} FROM rows_there", kinds, one_zero)
    here = _shown(sql, kinds, one_zero)
    scratch.unregister("rows_there")
    pairs = zip_longest(here, there)
    return next((f"{a} is there {b}" for a, b in pairs if a != b), "")


def _shown(sql: str, kinds: Sequence[Type], one_zero: bool) -> list[str]:
    """Rows, sorted; a DOUBLE by the digits that stand for it alone."""
    names = [f"c{i}" for i in range(len(kinds))]
    number = "{} + 0e0" if one_zero else "{}"
    items = [
        number.format(name) if kind.is_float else f"CAST({name} AS VARCHAR)"
        for name, kind in zip(names, kinds, strict=True)
    ]
    found = database().execute(f"SELECT {', '.join(items)} FROM ({sql}) AS s({', '.join(names)})")
    return sorted(map(repr, found.fetchall()))
