"""Groups without rows are no groups: where what is made from groups would count them, those that
seem to have none are left out first.

    SELECT AVG(n), COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k)

A release gives a number for each group that is publicly possible, since which of them have a row is
private; SQL gives those that have one. An answer that lists the groups shows them all, and a sum of
counts or sums is none the worse for those that add 0, nor are the first few of a list by counts, or
by sums of what is not negative, the greatest first. Whatever else is made from groups, and what a
LIMIT leaves of them, takes those whose noisy count of rows is larger than noise alone makes it: at
most one of all groups is expected to be there by noise. With less noise the groups are SQL's. The
count is that of COUNT(*) where the query asks for it, and has a part of ε of its own where it does
not. Groups that surely have a row (`sure_rows`) are not tested.

Nothing of this bears on privacy: it is one more count, and post-processing of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from dpsql.core.functions.aggregates import COUNTS
from dpsql.core.infer.keys import constants
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, columns_of
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
    Union,
    Window,
    WindowCall,
    inputs,
)
from dpsql.core.shape.flatten import flatten

ADDING = COUNTS | {"sum"}
"""Aggregates that are 0 for a group without rows."""


def counted_groups(plan: Plan) -> frozenset[int]:
    """The ids of the columns of groups that are left out where they seem to have no row.

    Args:
        plan: a query as it is bound.
    """
    uses = _Uses()
    uses.collect(plan, False)
    return frozenset(uses.found)


@dataclass(slots=True)
class _Uses:
    """How groups are used. All is kept by node: a WITH query that is used several times is one,
    and what is looked at anew for each use would double with each that uses another twice.
    """

    found: set[int] = field(default_factory=set)
    _seen: set[tuple[int, bool]] = field(default_factory=set)
    _private: dict[int, bool] = field(default_factory=dict)
    _known: dict[int, frozenset[int]] = field(default_factory=dict)
    _sums: dict[tuple[int, int], bool] = field(default_factory=dict)

    def collect(self, plan: Plan, counted: bool) -> None:
        """Note the groups below; `counted` says that what is made of `plan` is no list."""
        if (id(plan), counted) in self._seen:
            return
        self._seen.add((id(plan), counted))
        match plan:
            case Aggregate():
                if counted and plan.keys:
                    self.found |= {c.id for c in plan.columns}
                read = frozenset().union(*(columns_of(e) for _, e in plan.keys))
                noisy = bool(read & self.numbers(plan.input))
                # Groups of groups without rows are such groups, too.
                more = (counted and bool(plan.keys)) or noisy
                neutral = all(self._neutral(plan, call) for _, call in plan.calls)
                self.collect(plan.input, more or not neutral)
            case Window():
                shares = all(self._shares(plan.input, call) for _, call in plan.calls)
                self.collect(plan.input, counted or not shares)
            case Join():
                both = self.private(plan.left) and self.private(plan.right)
                both = both or plan.kind == "full"
                self.collect(plan.left, counted or both)
                self.collect(plan.right, counted or both or plan.mark is not None)
            case Limit():
                self.collect(plan.input, counted or not self._first_most(plan))
            case Apply():
                self.collect(plan.input, counted)
                self.collect(plan.subquery, True)  # a scalar of no group is NULL
            case Scan() | OneRow() | Released() | Filter() | Project() | Named() | Union() | Sort():
                for below in inputs(plan):
                    self.collect(below, counted)

    def private(self, plan: Plan) -> bool:
        """Whether rows are private, or made from private ones."""
        if id(plan) not in self._private:
            own = isinstance(plan, Scan) and plan.table.private
            self._private[id(plan)] = own or any(map(self.private, inputs(plan)))
        return self._private[id(plan)]

    def numbers(self, plan: Plan) -> frozenset[int]:
        """The columns that are made of aggregates."""
        if id(plan) not in self._known:
            self._known[id(plan)] = self._numbers(plan)
        return self._known[id(plan)]

    def _numbers(self, plan: Plan) -> frozenset[int]:
        below = [self.numbers(part) for part in inputs(plan)]
        match plan:
            case Aggregate():
                return frozenset(c.id for c, _ in plan.calls)
            case Project():
                return frozenset(c.id for c, e in plan.items if columns_of(e) & below[0])
            case Union() | Named():
                parts = list(zip(inputs(plan), below, strict=True))
                return frozenset(
                    column.id
                    for place, column in enumerate(plan.columns)
                    if any(part.columns[place].id in known for part, known in parts)
                )
            case Scan() | OneRow() | Released() | Filter() | Join() | Apply() | Window() | Sort():
                return frozenset().union(*below)
            case Limit():
                return below[0]

    def _first_most(self, limit: Limit) -> bool:
        """Whether the first few rows are asked for, by a count or a sum that is not negative, the
        greatest first: then groups without rows are not among them, where there are as many others.
        """
        plan = limit.input
        while isinstance(plan, Project):
            plan = plan.input
        if limit.offset or not isinstance(plan, Sort):
            return False
        first = plan.keys[0]
        return first.descending and not first.nulls_first and self._grows(plan.input, first.expr)

    def _grows(self, plan: Plan, expr: Expr) -> bool:
        """Whether it is a count, or a sum of what is not negative, of the groups below."""
        if not isinstance(expr, Ref):
            return False
        match plan:
            case Filter() | Sort():
                return self._grows(plan.input, expr)
            case Project():
                made = next((e for c, e in plan.items if c.id == expr.column.id), None)
                return made is not None and self._grows(plan.input, made)
            case Union() | Named():
                place = [c.id for c in plan.columns].index(expr.column.id)
                return all(self._grows(part, Ref(part.columns[place])) for part in inputs(plan))
            case Aggregate():
                call = next((call for c, call in plan.calls if c.id == expr.column.id), None)
                if call is None or call.function not in ADDING:
                    return False
                return call.function != "sum" or (
                    call.argument is not None and _not_negative(plan.input, call.argument)
                )
            case Scan() | OneRow() | Released() | Join() | Apply() | Window() | Limit():
                return False

    def _neutral(self, plan: Aggregate, call: AggregateCall) -> bool:
        """Whether groups that add 0 make no difference."""
        if call.distinct or call.second is not None or call.argument is None:
            return False
        if call.function == "sum" and self._adds(plan.input, call.argument):
            return True
        return call.function in ("sum", "max", "min", "avg") and _of_one(plan, call.argument)

    def _shares(self, plan: Plan, call: WindowCall) -> bool:
        """Whether it is a sum of all rows of a partition, of all until one, or of those of some
        values around its own: as in a share of a total, a total that runs, and one of seven days.
        Of such rows there is one, itself: the sum of none would be NULL, and not 0.
        """
        (argument,) = call.arguments if len(call.arguments) == 1 else (None,)
        frame = call.frame
        running = frame is not None and frame.start[0] is None and frame.end[1] == "current"
        own = frame is None or (frame.start[1] != "following" and frame.end[1] != "preceding")
        return (
            call.function == "sum"
            and own
            and (frame is None or frame.unit != "rows" or running)
            and argument is not None
            and (self._adds(plan, argument))
        )

    def _adds(self, plan: Plan, expr: Expr) -> bool:
        """Whether an expression is 0 or NULL for a group without rows: of counts and sums."""
        match expr:
            case Ref():
                key = id(plan), expr.column.id
                if key not in self._sums:
                    self._sums[key] = self._is_sum(plan, expr.column)
                return self._sums[key]
            case Literal():
                return not expr.value
            case Case():
                read = frozenset().union(*(columns_of(c) for c, _ in expr.branches))
                values = (*(v for _, v in expr.branches), expr.default)
                return not read & self.numbers(plan) and all(self._adds(plan, v) for v in values)
            case Call(function="add" | "sub"):
                return all(self._adds(plan, arg) for arg in expr.args)
            case Call(function="mul"):
                return any(self._adds(plan, arg) for arg in expr.args)
            case Call(function="coerce" | "cast" | "div" | "neg" | "round"):
                return self._adds(plan, expr.args[0])
            case Call():
                return False

    def _is_sum(self, plan: Plan, column: Column) -> bool:
        match plan:
            case Filter() | Sort() | Limit():
                return self._adds(plan.input, Ref(column))
            case Window():
                own = {c.id for c, _ in plan.calls}
                return column.id not in own and self._adds(plan.input, Ref(column))
            case Project():
                return self._adds(plan.input, next(e for c, e in plan.items if c.id == column.id))
            case Aggregate():
                call = next((call for c, call in plan.calls if c.id == column.id), None)
                return call is not None and call.function in ADDING
            case Join():
                side = plan.left if column.id in {c.id for c in plan.left.columns} else plan.right
                known = {c.id for c in side.columns}
                return column.id in known and self._adds(side, Ref(column))
            case Union() | Named():
                place = [c.id for c in plan.columns].index(column.id)
                return all(self._adds(part, Ref(part.columns[place])) for part in inputs(plan))
            case Scan() | OneRow() | Released() | Apply():
                return False


def _not_negative(plan: Plan, expr: Expr) -> bool:
    """Whether the policy's bounds say so of an expression over a plan's rows."""
    match expr:
        case Literal():
            return isinstance(expr.value, int | Fraction) and expr.value >= 0
        case Call(function="add" | "mul" | "coalesce"):
            return all(_not_negative(plan, arg) for arg in expr.args)
        case Call(function="coerce"):
            return _not_negative(plan, expr.args[0])
        case Case():
            values = (*(v for _, v in expr.branches), expr.default)
            return all(_not_negative(plan, v) for v in values)
        case Ref():
            return _is_bounded(plan, expr.column)
        case Call():
            return False


def _is_bounded(plan: Plan, column: Column) -> bool:
    match plan:
        case Scan():
            place = [c.id for c in plan.columns].index(column.id)
            declared = plan.table.column(plan.fields[place])
            low = None if declared is None or declared.bounds is None else declared.bounds[0]
            return isinstance(low, int | Fraction) and low >= 0
        case Filter() | Sort() | Limit():
            return _is_bounded(plan.input, column)
        case Project():
            made = next(e for c, e in plan.items if c.id == column.id)
            return _not_negative(plan.input, made)
        case Join() | Apply():
            sides = [p for p in inputs(plan) if column.id in {c.id for c in p.columns}]
            return len(sides) == 1 and _is_bounded(sides[0], column)
        case Union() | Named():
            place = [c.id for c in plan.columns].index(column.id)
            return all(_is_bounded(part, part.columns[place]) for part in inputs(plan))
        case OneRow() | Released() | Aggregate() | Window():
            return False


def _of_one(plan: Aggregate, argument: Expr) -> bool:
    """Whether it is of one group alone, as a column of a PIVOT is: all its keys are told."""
    block = flatten(plan.input)
    if len(block.sources) != 1 or not isinstance(block.sources[0], Aggregate):
        return False
    told = {e.column.id for _, key in plan.keys if isinstance(e := block.inline(key), Ref)}
    value = block.inline(argument)
    if isinstance(value, Case) and len(value.branches) == 1:
        told |= constants(value.branches[0][0])
    return {c.id for c, _ in block.sources[0].keys} <= told
