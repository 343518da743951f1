"""The normal form of what is below a release point: blocks, whose sources have blocks of their own.

    block    inner joins of its sources, its marks, its remaining conditions
    source   a table; an outer join, a union, groups or windows over blocks; released or public rows

Every block keeps the columns that are used above it, and a *home*: a column from which the unit of
its rows is found. A UNION ALL whose branches have no home in the same place gets one: each branch
is joined along the policy's path to the unit's own column.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import wider_integer
from dpsql.core.infer.keys import plain_column
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.tracking import kind_of
from dpsql.core.infer.unit import best_home
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
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
    passes,
)
from dpsql.core.schema import Schema
from dpsql.core.shape.attach_unit import path_from
from dpsql.core.shape.dependent import independent
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.join_order import join_tree
from dpsql.core.shape.public_keys import with_public_keys
from dpsql.core.shape.said import bounded, spoken_of
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import Type

Used = frozenset[int]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """Brings plans to normal form."""

    schema: Schema
    ids: Ids

    def tree(self, block: Block, used: Used) -> Plan:
        """A block as a plan without projections over its sources.

        Args:
            block: from `flatten`.
            used: the columns of its sources and marks that are read above it.
        """
        read = used.union(
            *(columns_of(t) for t in block.terms),
            *(columns_of(m.condition) for m in block.marks if m.condition is not None),
        )
        sources = tuple(self._source(source, read) for source in block.sources)
        marks = tuple(
            replace(m, right=self.relation(m.right, _columns(m.condition), unit=False))
            for m in block.marks
        )
        block = replace(block, sources=sources, marks=marks)
        return join_tree(block, self.schema, read)

    def relation(self, plan: Plan, used: Used, *, unit: bool = True) -> Plan:
        """Any resolved plan in normal form, with at least the columns `used` under their own ids.

        Args:
            plan: resolved.
            used: which of its columns are read.
            unit: whether to keep a home of private rows.
        """
        block = flatten(plan)
        items = [(c, block.definitions[c.id]) for c in plan.columns if c.id in used]
        tree = self.tree(block, frozenset().union(*(columns_of(e) for _, e in items)))
        here = {c.id for c in tree.columns}
        if all(passes(c, e) and c.id in here for c, e in items):
            return tree
        properties = analyze(tree, self.schema)
        home = best_home(properties.home, properties.anchors) if unit else None
        kept = {e.column.id for _, e in items if isinstance(e, Ref)}
        if home is not None and home not in kept:
            column = next(c for c in tree.columns if c.id == home)
            items.append((column, Ref(column)))
        return Project(tree, tuple(items))

    def _source(self, plan: Plan, used: Used) -> Plan:
        match plan:
            case Join():
                read = used | _columns(plan.condition)
                left, right = (
                    self.relation(side, read & {c.id for c in side.columns})
                    for side in (plan.left, plan.right)
                )
                return replace(plan, left=left, right=right)
            case Aggregate():
                return self.aggregate(plan, used)
            case Window():
                calls = tuple((c, call) for c, call in plan.calls if c.id in used)
                plan = replace(plan, calls=calls)
                read = used.union(*(columns_of(e) for e in _window_expressions(plan)))
                below = self.relation(plan.input, read & {c.id for c in plan.input.columns})
                return replace(plan, input=below) if calls else below
            case Union():
                return self._union(plan, used)
            case Limit() if kind_of(plan) is Kind.TRACKED:
                what = "LIMIT over private rows"
                message = f"{what}: which rows it keeps depends on other units' rows"
                help = "aggregate first; ORDER BY and LIMIT may follow"
                raise Rejected(Diagnostic("DP405", message, plan.span, help))
            case Scan() | OneRow() | Released() | Filter() | Project() | Sort() | Limit():
                return plan
            case Apply() | Named():  # decorrelated and inlined before, or free of both
                return plan
            case _:
                assert_never(plan)

    def aggregate(self, plan: Aggregate, used: Used) -> Aggregate:
        """Groups over a block, with the aggregates that are used; in a release point, keys that
        public tables list become public.
        """
        block = flatten(plan.input)
        keys = tuple((c, block.inline(e)) for c, e in plan.keys)
        if not plan.per_unit and kind_of(plan.input) is Kind.TRACKED:
            block, keys = with_public_keys(block, keys, self.schema, self.ids)
        calls = tuple((c, call.mapped(block.inline)) for c, call in plan.calls if c.id in used)
        arguments = [argument for _, call in calls for argument in call.arguments]
        read = frozenset().union(*(columns_of(e) for e in [*(e for _, e in keys), *arguments]))
        tree = self.tree(block, read)
        if kind_of(tree) is Kind.PUBLIC:
            keys, dependent = independent(tree, keys, self.schema)
            calls += tuple((c, call) for c, call in dependent if c.id in used)
        own = {c.id for c, e in keys if plan.per_unit and plain_column(e) is None}
        valued = [e for _, call in calls for e in _valued(call)]
        if any(spoken_of(e, block.terms) for e in (*valued, *(e for c, e in keys if c.id in own))):
            env = analyze(tree, self.schema).expected

            def within(expr: Expr) -> Expr:
                return bounded(expr, block.terms, env)

            calls = tuple((c, k.mapped(within) if _valued(k) else k) for c, k in calls)
            keys = tuple((c, within(e) if c.id in own else e) for c, e in keys)
        return replace(plan, input=tree, keys=keys, calls=calls)

    # --- unions ---

    def _union(self, plan: Union, used: Used) -> Plan:
        places = [i for i, c in enumerate(plan.columns) if c.id in used]
        columns = tuple(plan.columns[i] for i in places)
        branches: list[Plan] = []
        for branch in plan.branches:
            wanted = tuple(branch.columns[i] for i in places)
            branches.append(self.relation(branch, frozenset(c.id for c in wanted)))
        known = [analyze(branch, self.schema) for branch in branches]
        rows = [tuple(branch.columns[i] for i in places) for branch in plan.branches]
        if {k.kind for k in known} != {Kind.TRACKED} or _shared_home(rows, known):
            exact = [_exactly(b, wanted) for b, wanted in zip(branches, rows, strict=True)]
            return replace(plan, branches=tuple(exact), columns=columns)
        made: list[Plan] = []
        for branch, wanted, properties in zip(branches, rows, known, strict=True):
            tree, unit = self._with_unit(branch, properties, plan)
            items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in wanted]
            items.append((self.ids.column(unit.name, unit.type), Ref(unit)))
            made.append(Project(tree, tuple(items)))
        kind = made[0].columns[-1].type
        for branch in made[1:]:
            other = branch.columns[-1].type
            if kind != other and not (kind.is_integer and other.is_integer):
                message = "the unit has different types in the branches of UNION ALL"
                raise Rejected(Diagnostic("DP402", message, plan.span))
            kind = kind if kind == other else wider_integer(kind, other)
        made = [self._last_as(branch, kind) for branch in made]
        extra = self.ids.column(made[0].columns[-1].name, kind)
        return replace(plan, branches=tuple(made), columns=(*columns, extra))

    def _last_as(self, branch: Plan, kind: Type) -> Plan:
        """The branch with its last column, the unit, widened."""
        *others, last = branch.columns
        if last.type == kind:
            return branch
        items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in others]
        items.append((self.ids.column(last.name, kind), coerce(Ref(last), kind)))
        return Project(branch, tuple(items))

    def _with_unit(self, branch: Plan, properties: Properties, plan: Union) -> tuple[Plan, Column]:
        """The branch joined to the tables that lead to its unit, and the unit's column."""
        home = best_home(properties.home, properties.anchors)
        if home is None:
            message = "the rows of UNION ALL have no column that leads to their unit"
            help = "select the unit, or a key that leads to it, in each branch"
            raise Rejected(Diagnostic("DP402", message, plan.span, help))
        column = next(c for c in branch.columns if c.id == home)
        path = path_from(column, properties.anchors[home], self.schema, self.ids)
        for step in path.steps:
            condition = make("eq", (Ref(step.column), Ref(step.key)), None)
            branch = Join(branch, step.scan, condition)
        return branch, path.unit


def _valued(call: AggregateCall) -> tuple[Expr, ...]:
    """The arguments whose values matter, and not only which of them there are."""
    return () if call.function == "count" or call.distinct else call.arguments


def _shared_home(rows: list[tuple[Column, ...]], known: list[Properties]) -> bool:
    """Whether some position is a home with one anchor in every branch."""
    for place in zip(*rows, strict=True):
        homes = [c.id in k.home for c, k in zip(place, known, strict=True)]
        anchors = {k.anchors.get(c.id) for c, k in zip(place, known, strict=True)}
        if all(homes) and len(anchors) == 1:
            return True
    return False


def _exactly(branch: Plan, wanted: tuple[Column, ...]) -> Plan:
    """The branch with these columns alone, in this order."""
    if branch.columns == wanted:
        return branch
    return Project(branch, tuple((c, Ref(c)) for c in wanted))


def _columns(expr: Expr | None) -> Used:
    return frozenset() if expr is None else columns_of(expr)


def _window_expressions(plan: Window) -> list[Expr]:
    return [
        e
        for _, call in plan.calls
        for e in (*call.arguments, *call.partition, *(k.expr for k in (*call.order, *call.within)))
    ]
