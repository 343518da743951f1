"""One aggregate over randomized columns: the parts that it needs, and its values made from them.

A GROUP BY over a randomized column has no groups of rows, since nobody knows which row belongs to
which; each group's values are estimated from all rows. So the aggregate is computed without that
key, and each of its rows is written once for each value of the key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

from dpsql.core.functions.aggregates import result_type
from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Case, Column, Expr, Literal, Ref, columns_of
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Filter,
    Join,
    OneRow,
    Plan,
    Project,
    Union,
    nodes,
)
from dpsql.core.shape.flatten import flatten
from dpsql.core.shape.reported import (
    Answers,
    Combination,
    Part,
    Reported,
    classes,
    combination,
    reported_by,
)
from dpsql.core.shape.specialise import Known, value_of
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.types import BIGINT, BOOLEAN, DOUBLE, INTEGER, Scalar, Type

LINEAR = frozenset({"count", "sum", "avg"})
"""The aggregates that add up rows: of these alone the coins cancel out on average."""

_HELP = "use it in COUNT, SUM and AVG, in WHERE below them, or in GROUP BY"

Group = tuple[Scalar | None, ...]
ColumnsIn = Callable[[Iterable[Expr], Span | None], tuple[Reported, ...]]


def rejected(span: Span | None, message: str, help: str = _HELP) -> Rejected:
    """DP406: a randomized answer where it cannot be debiased."""
    return Rejected(Diagnostic("DP406", message, span, help))


def refuse_per_unit(plan: Aggregate) -> None:
    """Refuse groups of one unit each over randomized columns: what is done with each unit's number
    next is no sum, so that the coins would not cancel out.

    Raises:
        Rejected: DP406.
    """
    if _reads_reports(plan):
        message = "randomized answers would be aggregated per unit first"
        raise rejected(plan.calls[0][1].span or plan.span, message, "aggregate the rows themselves")


def _reads_reports(plan: Aggregate) -> bool:
    ours = {column.column.id for n in nodes(plan.input) for column in reported_by(n)}
    block = flatten(plan.input)
    read = [e for _, call in plan.calls for e in call.arguments]
    read += [e for _, e in plan.keys]
    return any(columns_of(block.inline(e)) & ours for e in read)


@dataclass(slots=True)
class Debiased:
    """An aggregate whose rows, keys or conditions depend on randomized columns.

    Attributes:
        plan: as it was bound.
        rows: what it aggregates, without the conditions `filters`.
        others: its keys that no randomized column is in.
        ours: its keys over randomized columns.
        filters: the conditions on randomized columns.
        columns_in: the randomized columns that expressions read.
        ids: new columns.
        parts: the parts so far, with their columns.
        whole: the aggregates that no coin has a part in, with theirs.
    """

    plan: Aggregate
    rows: Plan
    others: tuple[tuple[Column, Expr], ...]
    ours: tuple[tuple[Column, Expr], ...]
    filters: tuple[Expr, ...]
    columns_in: ColumnsIn
    ids: Ids
    parts: dict[Part, Column] = field(default_factory=dict)
    whole: dict[AggregateCall, Column] = field(default_factory=dict)

    def result(self, calls: tuple[tuple[Column, AggregateCall], ...]) -> Plan:
        """The aggregate's columns, in its order.

        Args:
            calls: the aggregates over the columns of `rows`.
        """
        groups = self._groups()
        values = [
            (column, [self._value(column.type, call, group) for group in groups])
            for column, call in calls
        ]
        shown = [self._shown(group) for group in groups]
        made = [(c, part.call()) for part, c in self.parts.items()]
        made += [(c, call) for call, c in self.whole.items()]
        plan: Plan = Aggregate(self.rows, self.others, tuple(made), self.plan.span)
        items: dict[int, Expr] = {c.id: Ref(c) for c, _ in self.others}
        number = self.ids.column("answer", INTEGER)
        if self.ours:
            plan = Join(plan, self._numbered(number, len(groups)), None, self.plan.span)
        if any(not isinstance(test, Literal) for test in shown):
            plan = Filter(plan, _pick(number, shown))
        for i, (column, key) in enumerate(self.ours):
            items[column.id] = _pick(number, [Literal(g[i], key.type) for g in groups])
        items |= {column.id: _pick(number, found) for column, found in values}
        return Project(plan, tuple((c, items[c.id]) for c in self.plan.columns))

    def _numbered(self, number: Column, count: int) -> Plan:
        """A row for each group of the randomized keys."""
        rows: list[Plan] = []
        for i in range(count):
            own = self.ids.column(number.name, INTEGER)
            rows.append(Project(OneRow(), ((own, Literal(i, INTEGER)),)))
        return Union(tuple(rows), (number,), self.plan.span)

    # --- groups ---

    @property
    def _keys(self) -> tuple[Expr, ...]:
        return tuple(key for _, key in self.ours)

    def _keyed(self) -> tuple[Reported, ...]:
        """The randomized columns of the keys."""
        columns = self.columns_in(self._keys, self.plan.span)
        read = {c.column.id for c in columns}
        for key in self._keys:
            if columns_of(key) - read:
                message = "a key of a randomized answer and another column"
                raise rejected(key.span, message, "group by each of them on its own")
        return columns

    def _groups(self) -> list[Group]:
        """The values of the randomized keys; without such keys, one group.

        Rows without an answer make a group of private rows where the owner says that there are
        such, and one of public rows where there are some.
        """
        columns = self._keyed()
        private = kind_of(self.rows) is Kind.TRACKED
        found: dict[Group, None] = {}
        for answers in sorted(classes(columns), key=lambda a: a.count(None)):
            pairs = list(zip(columns, answers, strict=True))
            if private and any(a is None and not c.grouped_null for c, a in pairs):
                continue
            found[self._group(columns, answers)] = None
        return list(found)

    def _group(self, columns: tuple[Reported, ...], answers: Answers) -> Group:
        known = _known(columns, answers)
        try:
            return tuple(value_of(key, known) for key in self._keys)
        except LookupError:
            message = "a key over randomized answers must be a constant for each answer"
            raise rejected(self._keys[0].span, message) from None

    def _shown(self, group: Group) -> Expr:
        """Whether a group is output: one that no answer leads to, where public rows have none."""
        columns = self._keyed()
        if kind_of(self.rows) is Kind.TRACKED:
            return Literal(True, BOOLEAN)
        leading = [a for a in classes(columns) if self._group(columns, a) == group]
        if any(None not in answers for answers in leading):
            return Literal(True, BOOLEAN)
        silent = {tuple(a is None for a in answers) for answers in leading}
        same = [a for a in classes(columns) if tuple(x is None for x in a) in silent]
        plans = tuple(c.column for c in columns)
        rows = {Part("count", plans, a, (), None): Fraction(1) for a in same}
        return make("gt", (self._sum(rows, None), Literal(0, DOUBLE)), None)

    # --- values ---

    def _value(self, kind: Type, call: AggregateCall, group: Group) -> Expr:
        """The aggregate's value in one group."""
        exprs = (*call.arguments, *self.filters, *self._keys)
        columns = self.columns_in(exprs, call.span)
        if not columns:
            return self._plain(call, kind)
        if call.function not in LINEAR or call.distinct or call.second is not None:
            name = call.function.upper() + " of distinct values" * call.distinct
            message = f"{name} does not add up rows, so randomized answers cannot be debiased"
            raise rejected(call.span, message, "use COUNT, SUM or AVG")
        if call.function != "avg":
            return self._combined(call, columns, group)
        total = self._combined(replace(call, function="sum"), columns, group)
        count = self._combined(replace(call, function="count"), columns, group)
        count = make("nullif", (count, Literal(0, DOUBLE)), call.span)
        return make("div", (total, count), call.span)

    def _combined(self, call: AggregateCall, columns: tuple[Reported, ...], group: Group) -> Expr:
        keys = self._keys, group
        found = combination(call.function, call.argument, self.filters, columns, keys)
        same = _same(found, columns)
        if same is not None and not all(part in self.parts for part in found):
            whole = same.call()
            return coerce(self._plain(whole, _type(whole)), DOUBLE)
        return self._sum(found, call.span)

    def _plain(self, call: AggregateCall, kind: Type) -> Expr:
        """An aggregate that no coin has a part in, as it is."""
        if call not in self.whole:
            self.whole[call] = self.ids.column(call.function, kind)
        return Ref(self.whole[call], call.span)

    def _sum(self, found: Combination, span: Span | None) -> Expr:
        """Σ weight · part, as whole multiples over one denominator: exact while the parts are."""
        scale = lcm(*(weight.denominator for weight in found.values()))
        total: Expr | None = None
        for part, weight in found.items():
            if part not in self.parts:
                call = part.call()
                self.parts[part] = self.ids.column(call.function, _type(call))
            # No row of the class: nothing is added.
            column = Ref(self.parts[part], span)
            term = make("coalesce", (coerce(column, DOUBLE), Literal(0, DOUBLE)), span)
            if weight * scale != 1:
                term = make("mul", (Literal(weight * scale, DOUBLE), term), span)
            total = term if total is None else make("add", (total, term), span)
        if total is None:
            return Literal(0, DOUBLE, span)
        if scale == 1:
            return total
        return make("div", (total, Literal(Fraction(scale), DOUBLE)), span)


def _known(columns: tuple[Reported, ...], answers: Answers) -> Known:
    return dict(zip((c.column for c in columns), answers, strict=True))


def _type(call: AggregateCall) -> Type:
    assert call.argument is not None
    return result_type(call.function, call.argument.type, BIGINT)


def _same(found: Combination, columns: tuple[Reported, ...]) -> Part | None:
    """The one aggregate of all rows that the parts add up to, if they do."""
    every = list(classes(columns))
    kinds = {(part.function, part.filters, part.value) for part in found}
    if len(kinds) != 1 or len(found) != len(every) or any(w != 1 for w in found.values()):
        return None
    ((function, filters, value),) = kinds
    return Part(function, (), (), filters, value)


def _pick(number: Column, values: list[Expr]) -> Expr:
    """The value of the group with that number."""
    *others, last = values
    if not others:
        return last
    branches = tuple(
        (make("eq", (Ref(number), Literal(i, INTEGER)), None), value)
        for i, value in enumerate(others)
    )
    return Case(branches, last, last.type)
