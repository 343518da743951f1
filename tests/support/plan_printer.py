"""A plan as lines of text, for reviewers and for tests: every node with all that it does.

    aggregate by region: n = count(*)
      filter (amount > 5)
        scan orders (customer, region, amount)

A column is written by its name; columns of one name are told apart: amount, amount#2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    SortKey,
    Union,
    Window,
    WindowCall,
    inputs,
)

_SIGNS = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add": "+"}
_SIGNS |= {"sub": "-", "mul": "*", "and": "AND", "or": "OR"}


def drawn(plan: Plan, printer: Printer | None = None) -> list[str]:
    """The lines of a plan, the root first, two blanks for each step down.

    Args:
        plan: any plan.
        printer: of plans that read the same columns, so that they are called the same.
    """
    return list((printer or Printer()).lines(plan))


@dataclass(slots=True)
class Printer:
    """Names of columns, in the order in which they are met."""

    names: dict[int, str] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

    def lines(self, plan: Plan, depth: int = 0) -> Iterator[str]:
        """A node, and what is below it, whose columns are named first."""
        below = [line for child in inputs(plan) for line in self.lines(child, depth + 1)]
        yield "  " * depth + self._node(plan)
        yield from below

    def column(self, column: Column) -> str:
        """What a column is called."""
        if column.id not in self.names:
            number = self.taken[column.name] = self.taken.get(column.name, 0) + 1
            self.names[column.id] = column.name if number == 1 else f"{column.name}#{number}"
        return self.names[column.id]

    def expression(self, expr: Expr) -> str:
        """An expression in one line."""
        match expr:
            case Ref():
                return self.column(expr.column)
            case Literal():
                return _constant(expr)
            case Case():
                parts = [
                    f"{self.expression(test)} then {self.expression(value)}"
                    for test, value in expr.branches
                ]
                return f"case({'; '.join(parts)}; else {self.expression(expr.default)})"
            case Call(function, (first, second)) if function in _SIGNS:
                return f"({self.expression(first)} {_SIGNS[function]} {self.expression(second)})"
            case Call():
                return f"{expr.function}({', '.join(map(self.expression, expr.args))})"

    def _node(self, plan: Plan) -> str:
        match plan:
            case Scan():
                return f"scan {plan.table.name} ({self._columns(plan.columns)})"
            case Filter():
                return f"filter {self.expression(plan.predicate)}"
            case Project():
                return f"project {self._made((c, self.expression(e)) for c, e in plan.items)}"
            case Join():
                mark = "" if plan.mark is None else f" {self.column(plan.mark)}"
                return f"join {plan.kind}{mark} on {self._or_true(plan.condition)}"
            case Apply():
                made = "" if plan.column is None else f" {self.column(plan.column)}"
                return f"apply {plan.kind}{made} on {self._or_true(plan.condition)}"
            case Named():
                return f"with ({self._columns(plan.columns)})"
            case Union():
                return f"union ({self._columns(plan.columns)})"
            case Aggregate():
                kind = "aggregate per unit" if plan.per_unit else "aggregate"
                keys = self._made((c, self.expression(e)) for c, e in plan.keys)
                calls = self._made((c, self._call(call)) for c, call in plan.calls)
                return f"{kind}{f' by {keys}' if keys else ''}: {calls}".rstrip(": ")
            case Window():
                return f"window {self._made((c, self._window(w)) for c, w in plan.calls)}"
            case Sort():
                return f"sort {self._order(plan.keys)}"
            case Limit():
                return f"limit {plan.count} offset {plan.offset}"
            case Released():
                return f"released {plan.name} ({self._columns(plan.columns)})"
            case OneRow():
                return "one row"

    def _columns(self, columns: tuple[Column, ...]) -> str:
        return ", ".join(map(self.column, columns))

    def _made(self, made: Iterator[tuple[Column, str]]) -> str:
        """New columns and what they are; one that is passed on is its own name."""
        found = list(made)
        named = [(self.column(column), value) for column, value in found]
        return ", ".join(n if n == value else f"{n} = {value}" for n, value in named)

    def _or_true(self, condition: Expr | None) -> str:
        return "true" if condition is None else self.expression(condition)

    def _call(self, call: AggregateCall) -> str:
        pair = (e for e in (call.argument, call.second) if e is not None)
        given = [self.expression(e) for e in pair] or ["*"]
        given += [str(parameter) for parameter in call.parameters]
        ordered = f"; order {self._order(call.order)}" if call.order else ""
        where = "" if call.where is None else f" where {self.expression(call.where)}"
        inner = f"{'distinct ' * call.distinct}{', '.join(given)}{ordered}"
        return f"{call.function}({inner}){where}"

    def _window(self, call: WindowCall) -> str:
        by = ", ".join(map(self.expression, call.partition))
        over = [f"partition {by}"] if by else []
        over += [f"order {self._order(call.order)}"] if call.order else []
        if call.frame is not None:
            ends = (call.frame.start, call.frame.end)
            words = (d if n is None else f"{n} {d}" for n, d in ends)
            over.append(f"{call.frame.unit} {' to '.join(words)}")
        given = "distinct " * call.distinct + ", ".join(map(self.expression, call.arguments))
        given += f"; order {self._order(call.within)}" if call.within else ""
        given += " ignore nulls" * call.without_nulls
        return f"{call.function}({given}) over ({'; '.join(over)})"

    def _order(self, keys: tuple[SortKey, ...]) -> str:
        return ", ".join(
            f"{self.expression(k.expr)} {'desc' if k.descending else 'asc'} "
            f"nulls {'first' if k.nulls_first else 'last'}"
            for k in keys
        )


def _constant(literal: Literal) -> str:
    value = literal.value
    if value is None:
        return "NULL"
    if isinstance(value, Fraction):
        return str(value)
    return repr(value) if isinstance(value, str) else str(value).lower()
