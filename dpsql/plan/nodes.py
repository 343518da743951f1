"""Plan nodes: relational algebra over plan columns. Frozen; a pass makes new ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dpsql.errors import Span
from dpsql.plan.expr import Column, Expr
from dpsql.policy.schema import Table


@dataclass(frozen=True, slots=True)
class Scan:
    """The rows of a declared table. `fields[i]` is the table's column that `columns[i]` reads."""

    table: Table
    columns: tuple[Column, ...]
    fields: tuple[str, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OneRow:
    """One row without columns: SELECT without FROM."""

    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """The rows for which the predicate is TRUE (not NULL)."""

    input: Plan
    predicate: Expr

    @property
    def columns(self) -> tuple[Column, ...]:
        """Those of the input."""
        return self.input.columns


@dataclass(frozen=True, slots=True)
class Project:
    """One output column per expression."""

    input: Plan
    items: tuple[tuple[Column, Expr], ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The defined columns."""
        return tuple(column for column, _ in self.items)


@dataclass(frozen=True, slots=True)
class Join:
    """The inner join; `condition` None is the cross product."""

    left: Plan
    right: Plan
    condition: Expr | None
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The left side's, then the right side's."""
        return self.left.columns + self.right.columns


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """COUNT(*) has no argument."""

    function: str
    argument: Expr | None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One row per group; without keys exactly one row."""

    input: Plan
    keys: tuple[tuple[Column, Expr], ...]
    calls: tuple[tuple[Column, AggregateCall], ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The keys, then the aggregates."""
        return tuple(c for c, _ in self.keys) + tuple(c for c, _ in self.calls)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One term of ORDER BY."""

    expr: Expr
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Sort:
    """Rows in an order."""

    input: Plan
    keys: tuple[SortKey, ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Those of the input."""
        return self.input.columns


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` rows (None: all) after the first `offset`."""

    input: Plan
    count: int | None
    offset: int
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Those of the input."""
        return self.input.columns


@dataclass(frozen=True, slots=True)
class Distinct:
    """Rows without duplicates."""

    input: Plan
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Those of the input."""
        return self.input.columns


@dataclass(frozen=True, slots=True)
class Released:
    """The noisy answer of one release: what an Aggregate over private rows becomes."""

    name: str
    columns: tuple[Column, ...]


Plan = Scan | OneRow | Filter | Project | Join | Aggregate | Sort | Limit | Distinct | Released


def inputs(plan: Plan) -> tuple[Plan, ...]:
    """The direct inputs, in order."""
    if isinstance(plan, Join):
        return plan.left, plan.right
    if isinstance(plan, Scan | OneRow | Released):
        return ()
    return (plan.input,)


def with_inputs(plan: Plan, new: tuple[Plan, ...]) -> Plan:
    """The same node over other inputs."""
    if isinstance(plan, Join):
        return replace(plan, left=new[0], right=new[1])
    if isinstance(plan, Scan | OneRow | Released):
        return plan
    return replace(plan, input=new[0])


def nodes(plan: Plan) -> Iterator[Plan]:
    """Every node, the root first."""
    stack = [plan]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(inputs(node)))


def expressions(plan: Plan) -> tuple[Expr, ...]:
    """The expressions that the node itself evaluates over its input's columns."""
    if isinstance(plan, Filter):
        return (plan.predicate,)
    if isinstance(plan, Project):
        return tuple(e for _, e in plan.items)
    if isinstance(plan, Join):
        return () if plan.condition is None else (plan.condition,)
    if isinstance(plan, Aggregate):
        arguments = (call.argument for _, call in plan.calls)
        return tuple(e for _, e in plan.keys) + tuple(a for a in arguments if a is not None)
    if isinstance(plan, Sort):
        return tuple(key.expr for key in plan.keys)
    return ()
