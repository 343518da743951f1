"""Tables of drawn rows in DuckDB, and exact readings of what expressions are there."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb

from dpsql.core.emit.plans import column as sql_column
from dpsql.core.emit.plans import scalar
from dpsql.core.plan.expr import Column, Expr
from dpsql.core.plan.values import Values, comparable, of_type
from dpsql.types import Type

CONNECTION = duckdb.connect(":memory:", config={"threads": "1"})


@dataclass(frozen=True)
class Cell:
    """A value as SQL text, and exactly; `exact` is None for NULL, a float for NaN and ±inf."""

    sql: str
    exact: Any

    @property
    def ordinary(self) -> bool:
        """A value that bounds can be made of."""
        return self.exact is not None and not isinstance(self.exact, float)


NULL = Cell("NULL", None)


@dataclass(frozen=True)
class Table:
    """Drawn columns: rows, what is proven and what is claimed of each."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    proven: Mapping[int, Values]
    claimed: Mapping[int, Values]

    def create(self) -> None:
        """The table `t` with an `id` in order."""
        names = ", ".join(f'"c{c.id}" {c.type}' for c in self.columns)
        CONNECTION.execute(f"CREATE OR REPLACE TEMP TABLE t (id INTEGER, {names})")
        lines = [
            f"({n}, " + ", ".join(cell.sql for cell in row) + ")" for n, row in enumerate(self.rows)
        ]
        CONNECTION.execute("INSERT INTO t VALUES " + ", ".join(lines))

    def one_zero(self) -> None:
        """Write 0.0 for each -0.0 in `t`: a secured expression does not tell them apart."""
        names = [f'"c{c.id}"' for c in self.columns if c.type.is_float]
        if names:
            zeros = ", ".join(f"CASE WHEN {n} = 0 THEN 0 ELSE {n} END AS {n}" for n in names)
            text = f"CREATE OR REPLACE TEMP TABLE t AS SELECT * REPLACE ({zeros}) FROM t"
            CONNECTION.execute(text)

    def sql(self, expr: Expr) -> str:
        """The expression over `t`."""
        names = {c.id: sql_column("t", f"c{c.id}") for c in self.columns}
        return scalar(expr, names).sql(dialect="duckdb")

    def evaluate(self, *exprs: Expr) -> list[tuple[list[Any], str]]:
        """For each expression its value in each row, and the engine's name of its type."""
        parts = []
        for number, expr in enumerate(exprs):
            text = self.sql(expr)
            shown = f"CAST({text} AS VARCHAR)" if expr.type.is_temporal else text
            parts += [f"{shown} AS v{number}", f"typeof({text}) AS y{number}"]
        rows = CONNECTION.execute(f"SELECT {', '.join(parts)} FROM t ORDER BY id").fetchall()
        return [
            ([exact(row[2 * n], expr.type) for row in rows], rows[0][2 * n + 1])
            for n, expr in enumerate(exprs)
        ]


_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9:.]+)?")


def exact(value: Any, kind: Type) -> Any:
    """An engine's value exactly; what no Python value stands for, as ±inf."""
    if isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(value) if math.isfinite(value) else value
    if kind.is_temporal and isinstance(value, str):
        if not _MOMENT.fullmatch(value):
            return -math.inf if value.startswith("-") or "BC" in value else math.inf
        return (
            datetime.fromisoformat(value) if kind.name == "TIMESTAMP" else date.fromisoformat(value)
        )
    return value


def inside(value: Any, values: Values, kind: Type) -> bool:
    """Whether an exact value is one that `values` admits."""
    if value is None:
        return values.nullable
    if isinstance(value, float):
        if math.isnan(value):
            return values.nan
        return (values.high if value > 0 else values.low) is None
    if values.finite is not None and value not in values.finite:
        return False
    if kind.is_string:
        return values.longest is None or len(value) <= values.longest
    if kind.is_boolean:
        return True
    key = comparable(value)
    return (values.low is None or comparable(values.low) <= key) and (
        values.high is None or key <= comparable(values.high)
    )


def hull(cells: Sequence[Cell], kind: Type, *, tight: bool) -> Values:
    """Values that hold the cells: all of the type, or (tight) no more than they need."""
    base = of_type(kind)
    null = any(c.exact is None for c in cells)
    nan = any(isinstance(c.exact, float) and math.isnan(c.exact) for c in cells)
    if not tight or kind.is_opaque:
        return base.but(nullable=True, nan=kind.is_float)
    if kind.is_boolean or kind.is_string:
        real = tuple(dict.fromkeys(c.exact for c in cells if c.exact is not None))
        return base.but(nullable=null, finite=real or base.finite)
    if any(isinstance(c.exact, float) and math.isinf(c.exact) for c in cells):
        return base.but(nullable=null, nan=nan)
    real = tuple(c.exact for c in cells if c.ordinary)
    if not real:
        return base.but(nullable=null, nan=nan)
    return Values(min(real), max(real), null, nan)
