"""ORDER BY where it is about the rows of one aggregate or window."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpsql.core.plan.expr import Expr
from dpsql.core.plan.nodes import SortKey
from dpsql.front.parse import only


def sort_keys(bind: Callable[[exp.Expr], Expr], clause: exp.Expr) -> tuple[SortKey, ...]:
    """The terms of an ORDER BY that stands in an aggregate or a window."""
    only(clause, "this", "expressions")
    keys: list[SortKey] = []
    for part in clause.expressions:
        only(part, "this", "desc", "nulls_first")
        descending, first = bool(part.args.get("desc")), bool(part.args.get("nulls_first"))
        keys.append(SortKey(bind(part.this), descending, first))
    return tuple(keys)
