"""Plan nodes: relational algebra over plan columns. Frozen; a pass makes new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from dpsql.core.plan.expr import Column, Expr, Ref, conjunction
from dpsql.core.plan.values import Values
from dpsql.core.schema import Table
from dpsql.errors import Span
from dpsql.types import Scalar


@dataclass(frozen=True, slots=True)
class Scan:
    """The rows of a declared table. `fields[i]` is the table's column that `columns[i]` reads.

    `alias` is what the query calls the table; for people.
    """

    table: Table
    columns: tuple[Column, ...]
    fields: tuple[str, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    alias: str = field(default="", compare=False, repr=False)


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


JoinKind = Literal["inner", "left", "full", "mark", "matched"]


@dataclass(frozen=True, slots=True)
class Join:
    """A join of two relations; `condition` None is always true.

    `inner`, `left` and `full` are SQL's. A `mark` join has the left side's rows and one more
    column, `mark`: whether the condition is TRUE for some row of the right side. EXISTS, IN, ANY,
    ALL, SEMI JOIN and ANTI JOIN are all mark joins with a filter above. A `matched` join is the
    inner one that a public table LEFT JOIN private rows comes to: a public row without a match is
    no private row, but it still says which groups there are.
    """

    left: Plan
    right: Plan
    condition: Expr | None
    span: Span | None = field(default=None, compare=False, repr=False)
    kind: JoinKind = "inner"
    mark: Column | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The left side's, then the right side's or the mark."""
        if self.mark is not None:
            return (*self.left.columns, self.mark)
        return self.left.columns + self.right.columns


ApplyKind = Literal["inner", "left", "mark", "scalar"]


@dataclass(frozen=True, slots=True)
class Apply:
    """A subquery as the text has it: evaluated for each row of `input`, whose columns it may read.

    `inner` and `left` are LATERAL joins; `mark` adds `column`, whether `condition` (over both) is
    TRUE for some row; `scalar` adds `column`, the one value of the one row, NULL where there is
    none. `resolve.decorrelate` makes joins of them.
    """

    input: Plan
    subquery: Plan
    kind: ApplyKind
    column: Column | None = None
    condition: Expr | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The input's, then the subquery's or the new column."""
        if self.column is not None:
            return (*self.input.columns, self.column)
        return self.input.columns + self.subquery.columns


@dataclass(frozen=True, slots=True)
class Named:
    """One use of a query that is named once and may be used several times: a WITH query.

    `columns[i]` is this use's own name for the i-th column of `query`, which all uses share.
    """

    query: Plan
    columns: tuple[Column, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Union:
    """UNION ALL: the rows of every branch, `columns[i]` being each branch's i-th column."""

    branches: tuple[Plan, ...]
    columns: tuple[Column, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One term of ORDER BY."""

    expr: Expr
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """COUNT(*) has no argument; `distinct` aggregates each value once.

    Attributes:
        second: the other column of CORR(y, x), ARG_MAX(key, by) and the like.
        parameters: constants: the fractions of a quantile, the upper ends of a histogram's bins,
            what stands between texts.
        order: of the rows, for what hangs on it; ties are broken by the argument.
        where: which rows count, for what sees NULLs; elsewhere the argument is NULL for others.
    """

    function: str
    argument: Expr | None
    span: Span | None = field(default=None, compare=False, repr=False)
    distinct: bool = False
    second: Expr | None = None
    parameters: tuple[Scalar, ...] = ()
    order: tuple[SortKey, ...] = ()
    where: Expr | None = None

    @property
    def arguments(self) -> tuple[Expr, ...]:
        """The expressions over the rows."""
        every = (self.argument, self.second, *(k.expr for k in self.order), self.where)
        return tuple(e for e in every if e is not None)

    def mapped(self, visit: Callable[[Expr], Expr]) -> AggregateCall:
        """The call with `visit` applied to its expressions."""
        if self.argument is None:
            return self
        second = None if self.second is None else visit(self.second)
        where = None if self.where is None else visit(self.where)
        order = tuple(replace(key, expr=visit(key.expr)) for key in self.order)
        argument = visit(self.argument)
        return replace(self, argument=argument, second=second, order=order, where=where)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One row per group; without keys exactly one row.

    `per_unit` says that the keys determine the privacy unit, so that each group's rows are of one
    unit and the groups stay private rows; `resolve.points` decides it. `totals` says that the
    rows are the groups of a finer grouping set, which stand for the rows that these are made of.
    """

    input: Plan
    keys: tuple[tuple[Column, Expr], ...]
    calls: tuple[tuple[Column, AggregateCall], ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    per_unit: bool = False
    totals: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        """The keys, then the aggregates."""
        return tuple(c for c, _ in self.keys) + tuple(c for c, _ in self.calls)


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a window: ROWS or RANGE between two ends.

    An end is (offset, direction): (None, "preceding") is UNBOUNDED PRECEDING, (0, "current") the
    current row. Where a RANGE has another offset, the one key of the order is a HUGEINT; or a date
    or timestamp of the calendar, and the offset in months.
    """

    unit: Literal["rows", "range", "months"]
    start: tuple[int | None, str]
    end: tuple[int | None, str]


USUAL = Frame("range", (None, "preceding"), (0, "current"))
"""What a window has where no frame is written."""

WHOLE = Frame("rows", (None, "preceding"), (None, "following"))
"""All of a partition."""


@dataclass(frozen=True, slots=True)
class WindowCall:
    """function(DISTINCT arguments ORDER BY within) OVER (PARTITION BY … ORDER BY … frame).

    `without_nulls` is IGNORE NULLS: of rows where the first argument is none. `help` is what to
    change where the call is rejected, if there is more to say than always. `clause` is what was
    written where that was no window.
    """

    function: str
    arguments: tuple[Expr, ...]
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    frame: Frame | None
    span: Span | None = field(default=None, compare=False, repr=False)
    distinct: bool = False
    within: tuple[SortKey, ...] = ()
    without_nulls: bool = False
    help: str = field(default="", compare=False, repr=False)
    clause: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Window:
    """The rows of the input with one more column per call."""

    input: Plan
    calls: tuple[tuple[Column, WindowCall], ...]
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The input's, then the calls'."""
        return self.input.columns + tuple(c for c, _ in self.calls)


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
class Released:
    """Rows that are computed from noisy answers: of one release, or of what was made from several.

    Attributes:
        name: what the table is called where it is read.
        columns: its columns.
        fields: what the table calls them.
        keys: sets of column ids of which no two rows share the values.
        rows: how many rows it has at most, where that is known.
        values: what its columns can be, where that is not what their type says.
        claims: ends of columns that a query over private rows enforces where it reads them.
    """

    name: str
    columns: tuple[Column, ...]
    fields: tuple[str, ...]
    keys: tuple[frozenset[int], ...] = ()
    rows: int | None = None
    values: Mapping[int, Values] = field(default_factory=dict, compare=False)
    claims: Mapping[int, Values] = field(default_factory=dict, compare=False)


Plan = (
    Scan
    | OneRow
    | Filter
    | Project
    | Join
    | Apply
    | Named
    | Union
    | Aggregate
    | Window
    | Sort
    | Limit
    | Released
)


def inputs(plan: Plan) -> tuple[Plan, ...]:
    """The direct inputs, in order."""
    match plan:
        case Filter() | Project() | Aggregate() | Window() | Sort() | Limit():
            return (plan.input,)
        case Join():
            return plan.left, plan.right
        case Apply():
            return plan.input, plan.subquery
        case Union():
            return plan.branches
        case Named():
            return (plan.query,)
        case Scan() | OneRow() | Released():
            return ()
        case _:
            assert_never(plan)


def with_inputs(plan: Plan, new: tuple[Plan, ...]) -> Plan:
    """The same node over other inputs."""
    if all(a is b for a, b in zip(new, inputs(plan), strict=True)):
        return plan
    match plan:
        case Filter() | Project() | Aggregate() | Window() | Sort() | Limit():
            return replace(plan, input=new[0])
        case Join():
            return replace(plan, left=new[0], right=new[1])
        case Apply():
            return replace(plan, input=new[0], subquery=new[1])
        case Union():
            return replace(plan, branches=new)
        case Named():
            return replace(plan, query=new[0])
        case Scan() | OneRow() | Released():
            return plan
        case _:
            assert_never(plan)


def each(plan: Plan) -> Iterator[Plan]:
    """Every node once, however often a WITH query is used: a tree may double with each use."""
    seen: set[int] = set()
    stack = [plan]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(inputs(node))


def nodes(plan: Plan) -> Iterator[Plan]:
    """Every node, the root first."""
    stack = [plan]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(inputs(node)))


def expressions(plan: Plan) -> tuple[Expr, ...]:
    """The expressions that the node itself evaluates over its input's columns."""
    match plan:
        case Filter():
            return (plan.predicate,)
        case Project():
            return tuple(e for _, e in plan.items)
        case Join() | Apply():
            return () if plan.condition is None else (plan.condition,)
        case Scan() | OneRow() | Released() | Named() | Union() | Limit():
            return ()
        case Aggregate() | Window() | Sort():
            return _visited(plan)
        case _:
            assert_never(plan)


def _visited(plan: Plan) -> tuple[Expr, ...]:
    found: list[Expr] = []

    def visit(expr: Expr) -> Expr:
        found.append(expr)
        return expr

    _mapped(plan, visit)
    return tuple(found)


def map_expressions(plan: Plan, visit: Callable[[Expr], Expr]) -> Plan:
    """The node with `visit` applied to each expression that it evaluates itself; the very node
    where that changes none, so that what was found of it stays known.
    """
    before = expressions(plan)
    after = [visit(expr) for expr in before]
    if all(new is old for new, old in zip(after, before, strict=True)):
        return plan
    rest = iter(after)
    return _mapped(plan, lambda _: next(rest))


def _mapped(plan: Plan, visit: Callable[[Expr], Expr]) -> Plan:
    match plan:
        case Filter():
            return replace(plan, predicate=visit(plan.predicate))
        case Project():
            return replace(plan, items=tuple((c, visit(e)) for c, e in plan.items))
        case Join() | Apply():
            condition = plan.condition
            return plan if condition is None else replace(plan, condition=visit(condition))
        case Aggregate():
            keys = tuple((c, visit(e)) for c, e in plan.keys)
            calls = tuple((c, call.mapped(visit)) for c, call in plan.calls)
            return replace(plan, keys=keys, calls=calls)
        case Window():
            return replace(plan, calls=tuple((c, _map_window(w, visit)) for c, w in plan.calls))
        case Sort():
            return replace(plan, keys=tuple(replace(k, expr=visit(k.expr)) for k in plan.keys))
        case Scan() | OneRow() | Released() | Named() | Union() | Limit():
            return plan
        case _:
            assert_never(plan)


def _map_window(call: WindowCall, visit: Callable[[Expr], Expr]) -> WindowCall:
    return replace(
        call,
        arguments=tuple(visit(a) for a in call.arguments),
        partition=tuple(visit(p) for p in call.partition),
        order=tuple(replace(k, expr=visit(k.expr)) for k in call.order),
        within=tuple(replace(k, expr=visit(k.expr)) for k in call.within),
    )


def defined(plan: Plan) -> tuple[Column, ...]:
    """The columns that the node itself makes; one that a Project passes on is not made there."""
    match plan:
        case Scan() | Named() | Union() | Released() | Aggregate():
            return plan.columns
        case Project():
            return tuple(c for c, e in plan.items if not passes(c, e))
        case Window():
            return tuple(c for c, _ in plan.calls)
        case Join():
            return () if plan.mark is None else (plan.mark,)
        case Apply():
            return () if plan.column is None else (plan.column,)
        case OneRow() | Filter() | Sort() | Limit():
            return ()
        case _:
            assert_never(plan)


def passes(column: Column, expr: Expr) -> bool:
    """Whether a Project's item is a column of its input under the same identity."""
    return isinstance(expr, Ref) and expr.column == column


def filtered(plan: Plan, terms: list[Expr]) -> Plan:
    """The rows that satisfy all terms."""
    predicate = conjunction(terms)
    return plan if predicate is None else Filter(plan, predicate)
