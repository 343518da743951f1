"""Randomized answers are debiased: counts, sums and averages speak of the truths.

    SELECT COUNT(*) FROM survey WHERE smokes AND age > 30       first coin 1/2, second coin 1/2
    Project(1.5 * y - 0.5 * n; Aggregate(y := COUNT(*) of reported TRUE, n := of reported FALSE;
                                         Filter(age > 30; Scan(survey))))

Each COUNT, SUM or AVG that depends on a randomized column is replaced by aggregates of the reported
rows, class by class, and by arithmetic on these (`shape.reported` has the formula and why it is
unbiased). So what is released of private rows are ordinary counts and sums of stored values, by
their ordinary rules; debiasing is post-processing, and no guarantee rests on it.

A report is not the person's answer. So a randomized column can stand nowhere else: not in the
output, in a join's condition, in ORDER BY, in a window, in DISTINCT, in MIN and MAX; and rows that
are chosen by it can only be aggregated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, conjunction, walk
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Named,
    OneRow,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
    each,
    expressions,
    inputs,
    nodes,
    with_inputs,
)
from dpsql.core.shape.coins import Coins, coins_of
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.reported import Reported, reported_by
from dpsql.errors import Rejected, Span
from dpsql.front.resolve.debiased import Debiased, rejected
from dpsql.front.resolve.fresh_copy import fresh_copy

MAX_COLUMNS = 3
"""Randomized columns that one aggregate may read: each has three kinds of rows."""


def debias(plan: Plan, ids: Ids) -> tuple[Plan, Coins]:
    """The bound plan with aggregates of randomized columns debiased, and what of it is random.

    Raises:
        Rejected: DP406 for any other use of a randomized column.
    """
    if not any(isinstance(n, Scan) and n.table.randomized for n in each(plan)):
        return plan, Coins()
    made = _Debiaser(ids)
    result = made.plan(plan)
    for column in result.columns:
        if column.id in made.tainted:
            message = f"{made.tainted[column.id]} is a randomized answer"
            raise rejected(_output_span(result, column), message)
    choice = made.choice(result)
    if choice is not None:
        raise _chosen(choice)
    return result, made.coins


def _chosen(expr: Expr) -> Rejected:
    message = "rows would be chosen by a randomized answer, which is not the person's own"
    return rejected(expr.span, message)


def _output_span(plan: Plan, column: Column) -> Span | None:
    for node in nodes(plan):
        if isinstance(node, Project):
            return next((e.span for c, e in node.items if c.id == column.id), None)
    return None


@dataclass(slots=True)
class _Debiaser:
    """One pass over a plan.

    Attributes:
        reported: the columns of Scans that hold randomized answers, by id.
        tainted: the columns whose values depend on one, and the name of that one.
        named: the WITH queries so far, by the identity of the query, which is kept alive.
        coins: the columns of aggregates that depend on coins.
    """

    ids: Ids
    reported: dict[int, Reported] = field(default_factory=dict)
    tainted: dict[int, str] = field(default_factory=dict)
    named: dict[int, tuple[Plan, Plan]] = field(default_factory=dict)
    coins: Coins = field(default_factory=Coins)

    def plan(self, plan: Plan) -> Plan:
        """The plan, debiased."""
        if isinstance(plan, Scan):
            found = reported_by(plan)
            self.reported |= {r.column.id: r for r in found}
            self.tainted |= {r.column.id: r.cell[1] for r in found}
            return plan
        if isinstance(plan, Named):
            return self._named(plan)
        plan = with_inputs(plan, tuple(self.plan(child) for child in inputs(plan)))
        if isinstance(plan, Aggregate):
            return self._aggregate(plan)
        if isinstance(plan, Filter):
            return plan
        if isinstance(plan, Project):
            self._define(plan.items)
            return plan
        read = next((e for e in expressions(plan) if self._depends(e)), None)
        if read is not None:
            raise self._used(read)
        plan, waiting = self._lifted(plan)
        self._spread(plan)
        for predicate in waiting:
            plan = Filter(plan, predicate)
        return plan

    def _lifted(self, plan: Plan) -> tuple[Plan, list[Expr]]:
        """The node without conditions on randomized columns below it, where these can wait: what a
        subquery or a LEFT JOIN adds to a row of the left side depends on that row alone.

        Raises:
            Rejected: DP406 where they cannot.
        """
        waiting: list[Expr] = []
        if isinstance(plan, Apply) or (isinstance(plan, Join) and plan.kind == "left"):
            left, right = inputs(plan)
            while isinstance(left, Filter) and self.choice(left) is not None:
                waiting.append(left.predicate)
                left = left.input
            plan = with_inputs(plan, (left, right))
        seen = _seen_through(plan)
        for child in inputs(plan):
            choice = self.choice(child)
            if choice is not None and not any(child is other for other in seen):
                raise _chosen(choice)
        return plan, waiting[::-1]

    def choice(self, plan: Plan) -> Expr | None:
        """A condition on randomized columns that the rows of a debiased plan depend on."""
        if isinstance(plan, Filter) and self._depends(plan.predicate):
            return plan.predicate
        found = (self.choice(child) for child in _seen_through(plan))
        return next((e for e in found if e is not None), None)

    def _spread(self, plan: Plan) -> None:
        """Columns that a node makes of tainted ones, and answers that become others' NULLs."""
        if isinstance(plan, Union):
            for branch in plan.branches:
                self._define((c, Ref(b)) for c, b in zip(plan.columns, branch.columns, strict=True))
        if isinstance(plan, Apply):
            if plan.column is not None and plan.kind == "scalar":
                self._define([(plan.column, Ref(plan.subquery.columns[0]))])
            elif plan.kind == "left":
                self._forget(plan.subquery)
        if isinstance(plan, Join) and plan.kind in ("left", "full"):
            self._forget(plan.right)
            if plan.kind == "full":
                self._forget(plan.left)

    def _forget(self, plan: Plan) -> None:
        """An outer join adds rows of NULLs: what they hold is no answer."""
        for column in plan.columns:
            self.reported.pop(column.id, None)

    def _define(self, items: Iterable[tuple[Column, Expr]]) -> None:
        for column, expr in items:
            for found in columns_of(expr) & self.tainted.keys():
                self.tainted[column.id] = self.tainted[found]

    def _depends(self, expr: Expr) -> bool:
        return not self.tainted.keys().isdisjoint(columns_of(expr))

    def _used(self, expr: Expr) -> Rejected:
        refs = (e for e in walk(expr) if isinstance(e, Ref) and e.column.id in self.tainted)
        ref = next(refs)
        message = f"{self.tainted[ref.column.id]} is a randomized answer"
        return rejected(ref.span or expr.span, message)

    # --- WITH ---

    def _named(self, plan: Named) -> Plan:
        """One that passes randomized answers on is written out: each use has its own columns."""
        key = id(plan.query)
        if key not in self.named:
            self.named[key] = plan.query, self.plan(plan.query)
        query = self.named[key][1]
        passed = any(c.id in self.tainted for c in query.columns)
        if not passed and self.choice(query) is None:
            return replace(plan, query=query)
        if any(isinstance(node, Aggregate) for node in each(plan.query)):
            message = "a WITH query with aggregates passes on randomized answers"
            raise rejected(plan.span, message, "write the aggregates in a WITH query of their own")
        copy, new = fresh_copy(plan.query, lambda c: self.ids.column(c.name, c.type))
        made = self.plan(copy)
        items = tuple(
            (column, Ref(new.get(old.id, old)))
            for column, old in zip(plan.columns, plan.query.columns, strict=True)
        )
        self._define(items)
        return Project(made, items)

    # --- aggregates ---

    def _aggregate(self, plan: Aggregate) -> Plan:
        block = flatten(plan.input)
        calls = tuple((c, call.mapped(block.inline)) for c, call in plan.calls)
        keys = tuple((c, block.inline(e)) for c, e in plan.keys)
        filters = tuple(t for t in block.terms if self._depends(t))
        ours = [(c, e) for c, e in keys if self._depends(e)]
        read = [e for _, call in calls for e in call.arguments]
        if not filters and not ours and not any(map(self._depends, read)):
            return plan
        if ours and not calls:
            raise rejected(ours[0][1].span, "which randomized answers occur says nothing")
        rows = self._rows(block, filters)
        others = tuple((c, e) for c, e in keys if not self._depends(e))
        here = {c.id for c in rows.columns}

        def columns_in(exprs: Iterable[Expr], span: Span | None) -> tuple[Reported, ...]:
            return self._columns_in(exprs, here, span)

        made = Debiased(plan, rows, others, tuple(ours), filters, columns_in, self.ids)
        result = made.result(calls)
        self.coins |= coins_of(made.parts, self.reported, block)
        return result

    def _rows(self, block: Block, filters: tuple[Expr, ...]) -> Plan:
        """The block again, without the conditions that became part of the aggregates."""
        rows: Plan | None = None
        for source in block.sources:
            rows = source if rows is None else Join(rows, source, None)
        rows = OneRow() if rows is None else rows
        for mark in block.marks:
            rows = Join(rows, mark.right, mark.condition, mark.span, "mark", mark.column)
        condition = conjunction([t for t in block.terms if t not in filters])
        return rows if condition is None else Filter(rows, condition)

    def _columns_in(
        self, exprs: Iterable[Expr], here: set[int], span: Span | None
    ) -> tuple[Reported, ...]:
        """The randomized columns that these read; `here` are those of the rows.

        Raises:
            Rejected: DP406 where one is out of reach, read twice or one too many.
        """
        refs = {e.column.id: e for expr in exprs for e in walk(expr) if isinstance(e, Ref)}
        found: dict[tuple[str, str], Reported] = {}
        for number, ref in refs.items():
            if number not in self.tainted:
                continue
            column = self.reported.get(number)
            if column is None or number not in here:
                message = f"{self.tainted[number]} is a randomized answer of other rows than these"
                help = "aggregate its table itself: no UNION, outer join or query around between"
                raise rejected(ref.span or span, message, help)
            if column.cell in found:
                message = f"{self.tainted[number]} is read twice: one row's answer has one coin"
                raise rejected(ref.span or span, message, "use each randomized column once")
            found[column.cell] = column
        if len(found) > MAX_COLUMNS:
            message = f"more than {MAX_COLUMNS} randomized columns in one aggregate"
            raise rejected(span, message, "use fewer of them")
        return tuple(found.values())


def _seen_through(plan: Plan) -> tuple[Plan, ...]:
    """The inputs that `flatten` sees, so that an aggregate above finds their conditions."""
    if isinstance(plan, Filter | Project | Sort):
        return (plan.input,)
    if isinstance(plan, Join) and plan.kind == "inner":
        return plan.left, plan.right
    return (plan.left,) if isinstance(plan, Join) and plan.kind == "mark" else ()
