"""What stands around an expression while it is bound: the query it is in, which outer names it may
use, and where its subqueries and window functions go.

    SELECT x, (SELECT MAX(y) FROM s) FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k)

The EXISTS becomes an Apply under the Filter of WHERE, the scalar subquery one under the Project.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from sqlglot import exp

from dpsql.core.plan.expr import Column, Expr, columns_of
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Apply, OneRow, Plan, Window, WindowCall, each, expressions
from dpsql.types import BIGINT

Outer = Callable[[exp.Column], Expr | None]
"""What a name means in the queries around this one; None where nothing."""


class BoundQuery(Protocol):
    """A bound query: its plan and its columns' names."""

    @property
    def plan(self) -> Plan:
        """The plan."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""


Inner = Callable[[exp.Expr, Outer], BoundQuery]
"""Binds a query inside an expression, which may use the names that the Outer knows."""


@dataclass(slots=True)
class Place:
    """One stage of a SELECT: below its GROUP BY, or above.

    Attributes:
        ids: new columns.
        inner: binds subqueries; None where none may stand.
        outer: names of the queries around the SELECT.
        windows: whether window functions may stand here.
        named: the WINDOW clause's definitions, by folded name.
    """

    ids: Ids
    inner: Inner | None = None
    outer: Outer | None = None
    windows: bool = False
    named: dict[str, exp.Window] = field(default_factory=dict)
    _applies: list[Apply] = field(default_factory=list)
    _calls: dict[WindowCall, Column] = field(default_factory=dict)
    _ranks: dict[WindowCall, Column] = field(default_factory=dict)

    def attach(self, apply: Apply) -> None:
        """Add a subquery; its `input` is put in by `wrapped`."""
        self._applies.append(apply)

    def window(self, call: WindowCall, column: Column) -> Column:
        """The column of a window function; equal ones have one."""
        return self._calls.setdefault(call, column)

    def rank(self, call: WindowCall) -> Column:
        """The column of a window function that other ones read; equal ones have one."""
        return self._ranks.setdefault(call, self.ids.column(call.function, BIGINT))

    @property
    def has_windows(self) -> bool:
        """Whether any window function was bound."""
        return bool(self._calls)

    def read(self) -> frozenset[int]:
        """The columns that the subqueries read which were attached since the last call of `taken`;
        their own among them.
        """
        found: set[int] = set()
        for apply in self._applies:
            for node in each(apply.subquery):
                for expr in expressions(node):
                    found |= columns_of(expr)
            found |= frozenset() if apply.condition is None else columns_of(apply.condition)
        return frozenset(found)

    def taken(self) -> Callable[[Plan], Plan] | None:
        """What puts the subqueries that were attached since the last call above a plan; or None."""
        if not self._applies:
            return None
        applies = tuple(self._applies)
        self._applies.clear()

        def above(plan: Plan) -> Plan:
            for apply in applies:
                plan = replace(apply, input=plan)
            return plan

        return above

    def wrapped(self, plan: Plan) -> Plan:
        """The plan with the subqueries that were attached since the last call."""
        above = self.taken()
        return plan if above is None else above(plan)

    def windowed(self, plan: Plan) -> Plan:
        """The plan with the window functions."""
        if not self._calls:
            return plan
        if self._ranks:
            plan = Window(plan, tuple((column, call) for call, column in self._ranks.items()))
        calls = tuple((column, call) for call, column in self._calls.items())
        spans = [call.span for call in self._calls if call.span is not None]
        return Window(plan, calls, spans[0] if spans else None)


NOTHING = OneRow()
"""The input of an Apply that is not attached yet."""
