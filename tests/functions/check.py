"""What must be true of every secured expression."""

from __future__ import annotations

import math
from typing import Any

from dpsql.core.enforce.secure import secure, total
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Expr, walk
from tests.functions.engine import CONNECTION, Table, inside


def show(table: Table, expr: Expr) -> str:
    """For a failing test."""
    kinds = ", ".join(f"c{c.id} {c.type} {table.proven[c.id]}" for c in table.columns)
    return f"{table.sql(expr)}\n  over {kinds}"


def check(table: Table, expr: Expr, *, value: bool) -> tuple[Expr, list[Any]]:
    """Secure the expression, run it, and compare type and values with what was inferred."""
    safe = secure(expr, table.proven, table.claimed, value=value)
    table.create()
    values = infer(safe, table.proven)
    ((found, kind),) = table.evaluate(safe)
    label = show(table, safe)
    if safe.type.name != "ENUM":
        assert kind == str(safe.type), f"{kind} is not {safe.type}: {label}"
    for row, result in zip(table.rows, found, strict=True):
        cells = ", ".join(c.sql for c in row)
        assert inside(result, values, safe.type), f"{result} not in {values}: {label}\n  {cells}"
    assert total(safe, table.proven) == safe, f"not stable: {label}"
    return safe, found


def again(table: Table, safe: Expr, found: list[Any]) -> None:
    """The same in a second run, and with more threads."""
    for threads in (4, 1):
        CONNECTION.execute(f"SET threads = {threads}")
        ((repeated, _),) = table.evaluate(safe)
        assert all(same(a, b) for a, b in zip(found, repeated, strict=True)), show(table, safe)


def same(a: Any, b: Any) -> bool:
    """Equality in which NaN is itself."""
    both = isinstance(a, float) and isinstance(b, float)
    return bool(a == b) or (both and math.isnan(a) and math.isnan(b))


def clamps(expr: Expr) -> bool:
    """Whether a claim is enforced somewhere."""
    return any(getattr(node, "function", "") in ("clamp", "cut") for node in walk(expr))
