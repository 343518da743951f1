"""What is made of all groups, measured of their rows.

    of SELECT k, COUNT(*) AS n, SUM(x) AS s, MAX(x) AS m FROM t GROUP BY k
    COUNT(*)             COUNT(DISTINCT k)          SUM(n)   COUNT(*)
    COUNT(f(k))          the same where f(k) is     SUM(s)   SUM(x)
    COUNT(DISTINCT f(k)) COUNT(DISTINCT f(k))       AVG(n)   COUNT(*) / COUNT(DISTINCT k)
                                                    MAX(m)   MAX(x)

Claim: the answers are the same. Why: rows of one group have one k; the groups' counts and sums add
up to those of all their rows, and the greatest of their greatest is that of all. A sum is NULL for
a group without any value, which counts no more than it is averaged. `SUM(CASE WHEN g(k) THEN n
END)` is that of the rows of which g(k) is true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.told_apart import told_apart
from dpsql.core.plan.expr import (
    Case,
    Column,
    Expr,
    Literal,
    Ref,
    columns_of,
    conjunction,
    null_unless,
    substitute,
)
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, AggregateCall
from dpsql.types import BIGINT, BOOLEAN


@dataclass(frozen=True, slots=True)
class Made:
    """An aggregate of groups, of their rows.

    Attributes:
        calls: what is measured.
        value: the aggregate, made of these.
        listed: whether it is no worse than that of groups that are listed, however many there are.
    """

    calls: tuple[tuple[Column, AggregateCall], ...]
    value: Expr
    listed: bool


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of rows.

    Attributes:
        inner: the aggregate that makes them.
        free: its keys, as expressions over the rows; without those that the outer keys fix.
        can_be_null: whether a key can be NULL, as far as its owner says.
        ids: new columns.
    """

    inner: Aggregate
    free: tuple[Expr, ...]
    can_be_null: Callable[[Expr], bool]
    ids: Ids

    def made(self, column: Column, call: AggregateCall, argument: Expr | None) -> Made | None:
        """An aggregate of the groups; None where the rows do not tell it.

        Args:
            column: what it is called.
            call: the aggregate.
            argument: its argument, over the columns of `inner`.
        """
        if not _plain(call):
            return None
        keys: Mapping[int, Expr] = {c.id: e for c, e in self.inner.keys}
        if argument is None or columns_of(argument) <= keys.keys():
            return self._of_keys(column, call, argument and substitute(argument, keys))
        mask, value = _masked(argument)
        of = next((f for c, f in self.inner.calls if value == Ref(c)), None)
        if of is None or call.distinct or not _plain(of):
            return None
        if not all(columns_of(term) <= keys.keys() for term in mask):
            return None
        return self._of_call(column, call, of, [substitute(term, keys) for term in mask])

    def _of_keys(self, column: Column, call: AggregateCall, value: Expr | None) -> Made | None:
        if call.function != "count":
            return None
        if call.distinct:
            return self._one(column, call, replace(call, argument=value))
        return self._count(column, call, value)

    def _of_call(
        self, column: Column, call: AggregateCall, of: AggregateCall, mask: list[Expr]
    ) -> Made | None:
        rows = of.argument
        if mask:
            rows = _where(mask, Literal(True, BOOLEAN) if rows is None else rows)
        added = replace(of, argument=rows, span=call.span)
        number = _where(mask, Literal(True, BOOLEAN)) if mask else None
        if of.function != "count":
            number = rows
        if call.function == "count":
            return self._count(column, call, number, listed=False)
        same = call.function == of.function and call.function in ("min", "max")
        if same or (call.function == "sum" and _adds(of)):
            return self._one(column, call, added, listed=False)
        if call.function != "avg" or not _adds(of):
            return None
        total = self._one(self.ids.column("total", column.type), call, added, listed=False)
        groups = self._count(self.ids.column("groups", BIGINT), call, number)
        if groups is None:
            return None
        value = make("div", (total.value, groups.value), call.span)
        return Made((*total.calls, *groups.calls), coerce(value, column.type), listed=False)

    def _count(
        self, column: Column, call: AggregateCall, value: Expr | None, *, listed: bool = True
    ) -> Made | None:
        """How many groups there are where a value is not NULL; None where there is one at most."""
        if not self.free:
            return None
        if self.free == (value,):
            keys: Expr = self.free[0]
        elif len(self.free) == 1 and not self.can_be_null(self.free[0]):
            keys = self.free[0]
        else:
            keys = told_apart(self.free)
        if value is not None and self.free != (value,):
            mask, inner = _masked(value)
            known = isinstance(inner, Literal) and inner.value is not None
            there = mask if known else [_not_null(value)]
            keys = _where(there, keys) if there else keys
        counted = AggregateCall("count", keys, call.span, distinct=True)
        return self._one(column, call, counted, listed=listed)

    def _one(
        self, column: Column, call: AggregateCall, asked: AggregateCall, *, listed: bool = True
    ) -> Made:
        """One aggregate of rows, which is that of the groups."""
        if asked.function == "count" and column.type != BIGINT:
            column = self.ids.column(column.name, BIGINT)
        return Made(((column, asked),), Ref(column, call.span), listed)


def _plain(call: AggregateCall) -> bool:
    """Whether it is of all its rows, in any order."""
    return call == AggregateCall(call.function, call.argument, distinct=call.distinct)


def _adds(call: AggregateCall) -> bool:
    return call.function in ("count", "sum") and not call.distinct


def _masked(expr: Expr) -> tuple[list[Expr], Expr]:
    """CASE WHEN c THEN x END as c and x, as an aggregate with FILTER reads it."""
    terms: list[Expr] = []
    while isinstance(expr, Case) and len(expr.branches) == 1:
        if not isinstance(expr.default, Literal) or expr.default.value is not None:
            break
        ((term, expr),) = expr.branches
        terms.append(term)
    return terms, expr


def _not_null(value: Expr) -> Expr:
    return make("not", (make("is_null", (value,), None),), None)


def _where(terms: list[Expr], value: Expr) -> Expr:
    condition = conjunction(terms)
    return value if condition is None else null_unless(condition, value)
