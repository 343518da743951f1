"""Which functions a server has that computes: found by asking its language for each of them.

A function of columns and constants of every type that it takes (`signatures`) is made total, as it
is in a query, printed for DuckDB and bound by it; its plan is what the language is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache

import duckdb
from sqlglot import exp

from dpsql.core.emit.plans import scalar
from dpsql.core.enforce.secure import total
from dpsql.core.functions import Function
from dpsql.core.plan.expr import Call, Column, Literal, Ref
from dpsql.core.plan.values import of_type
from dpsql.errors import Rejected
from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import read
from dpsql.platform.engine.far.operators import Operator, Unsupported
from dpsql.platform.engine.far.postgres_language import POSTGRES
from dpsql.platform.engine.far.server_sql import Language, printed
from dpsql.platform.engine.far.spark_language import SPARK
from dpsql.types import BIGINT, DATE, TIMESTAMP
from tools.reference import signatures

ENGINES = (SPARK, POSTGRES)

NOTE = """\
On a server that computes, [Spark](../how-to/spark.md) or [PostgreSQL in
place](../how-to/postgresql.md#in-place), private rows can be asked for what has *yes* there, and
for what has *in part* with some of the types or constants that it takes. Of public tables, and of
released numbers, all of it can be asked."""

LENGTH = 100
"""The characters of a column's texts, as a policy declares them."""

MOST = 30
"""So many ways are asked of a function, with the fewest arguments first."""


def of(function: Function) -> str:
    """Whether Spark, and PostgreSQL, have it: cells of a table."""
    plans = [plan for plan, _ in zip(_plans(function), range(MOST), strict=False)]
    return " | ".join(_word([_has(e, plan) for plan in plans]) for e in ENGINES)


def _word(has: list[bool]) -> str:
    if not any(has):
        return ""
    return "yes" if all(has) else "in part"


def _has(language: Language, plan: Operator | None) -> bool:
    try:
        return plan is not None and bool(printed(plan, language, ".".join, {}))
    except Unsupported:
        return False


@cache
def _database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def _plans(function: Function) -> Iterator[Operator | None]:
    """Of each way to write it; None where that cannot be read as a server's."""
    seen = set[str]()
    for call, columns in (*_intervals(function), *signatures.bound(function)):
        names = {c.id: exp.column(f"x{c.id}_{c.type}".lower()) for c in columns}
        with suppress(IndexError, Rejected):  # fewer arguments than SQL writes, or no constant
            safe = total(call, {c.id: of_type(c.type).but(length=LENGTH) for c in columns})
            value = scalar(safe, names).sql(dialect="duckdb")
            sql = f"SELECT {value} AS v FROM {_table(tuple((c.id, str(c.type)) for c in columns))}"
            if sql not in seen:
                seen.add(sql)
                [(found,)] = _database().execute(PLAN, {"sql": sql}).fetchall()
                yield _read(str(found))


def _intervals(function: Function) -> Iterator[tuple[Call, tuple[Column, ...]]]:
    """A moment and months, days and microseconds, which are more than `signatures` tries."""
    for kind in (DATE, TIMESTAMP) if function.name == "plus_interval" else ():
        moment = Column(0, "moment", kind)
        for by in ((3, 0, 0), (0, 3, 0), (0, 0, 3)):
            given = (Ref(moment), *(Literal(n, BIGINT) for n in by))
            yield Call(function.name, *function.bind(given)), (moment,)


def _read(found: str) -> Operator | None:
    with suppress(Unsupported):
        return read(found)
    return None


@cache
def _table(columns: tuple[tuple[int, str], ...]) -> str:
    named = {f"x{place}_{kind}".lower(): kind for place, kind in columns}
    table = "_".join(["t", *named])
    listed = ", ".join(f"{name} {kind}" for name, kind in named.items())
    _database().execute(f"CREATE TABLE {table} ({listed})")
    return table
