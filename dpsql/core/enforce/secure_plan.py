"""Make every expression of a private plan total, and enforce the claims that it uses.

An expression is made total from what its columns can be *before* any predicate applies: the engine
may evaluate predicates in any order, one below a join that another predicate restricts, and
expressions of a subquery inside predicates around it. Securing may change an expression's type (a
product that needs a wider one): every reference above gets the new one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dpsql.core.enforce.per_unit import secure_groups, secure_windows
from dpsql.core.enforce.secure import secure
from dpsql.core.enforce.sure_order import settled
from dpsql.core.functions.aggregates import result_type
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import common_numeric
from dpsql.core.infer.properties import Properties, derive
from dpsql.core.infer.ranges import Environment, infer
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Call, Column, Expr, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Plan,
    Project,
    Union,
    Window,
    WindowCall,
    defined,
    inputs,
    map_expressions,
    with_inputs,
)
from dpsql.core.schema import Schema
from dpsql.core.shape.retype import retyped
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import Type

BETWEEN = frozenset({"median", "quantile_cont"})
"""Aggregates whose value may lie between two of their argument's."""

PASSING = frozenset({"lag", "lead", "first_value", "last_value"})
"""Window functions whose value is one of their argument's."""


def _check_identity(plan: Plan) -> None:
    """Refuse intervals as columns of private rows that are grouped, sorted out or laid together.

    One month equals 30 days to DuckDB, so MIN, DISTINCT and GROUP BY keep either, as the order of
    rows has it, and functions tell them apart. Other equal values are the same to all functions.
    """
    if not isinstance(plan, Project | Aggregate | Window | Union):
        return
    columns = plan.columns if isinstance(plan, Window) else defined(plan)
    found = [c for c in columns if c.type.name == "INTERVAL"]
    if found and kind_of(plan) is Kind.TRACKED:
        message = f"{found[0].name} is an interval, which cannot be a column of private rows here"
        span = None if isinstance(plan, Project) else plan.span
        help = "use its months or days: EXTRACT(month FROM …)"
        raise Rejected(Diagnostic("DP307", message, span, help))


def _in_calendar(value: Expr, function: str, proven: Environment) -> Expr:
    """What a median is of: moments within the years 1 to 9999. Between an infinite one, or one at
    the end of its type, and another the engine finds none, and fails.
    """
    if function not in BETWEEN or not value.type.is_temporal or infer(value, proven).bounded:
        return value
    return Call("in_calendar", (value,), value.type, value.span)


def _between(plan: Plan, proven: Environment) -> Plan:
    """The node with such arguments."""
    if isinstance(plan, Aggregate):
        filtered = next((a for _, a in plan.calls if a.where is not None), None)
        if filtered is not None and kind_of(plan) is Kind.PUBLIC:
            message = f"FILTER of {filtered.function} of public rows, beside private ones"
            help = "filter them in a subquery: FROM (SELECT … WHERE …)"
            raise Rejected(Diagnostic("DP204", message, filtered.span, help))
        calls = tuple(
            (c, a)
            if a.argument is None
            else (c, replace(a, argument=_in_calendar(a.argument, a.function, proven)))
            for c, a in plan.calls
        )
        return replace(plan, calls=calls)
    if isinstance(plan, Window):
        skipping = next((call for _, call in plan.calls if call.without_nulls), None)
        if skipping is not None and kind_of(plan) is Kind.PUBLIC:
            message = f"{skipping.function} with IGNORE NULLS, of public rows beside private ones"
            help = "filter them in a subquery: FROM (SELECT … WHERE x IS NOT NULL)"
            raise Rejected(Diagnostic("DP204", message, skipping.span, help))

        def safe(call: WindowCall) -> WindowCall:
            made = (_in_calendar(a, call.function, proven) for a in call.arguments)
            return replace(call, arguments=tuple(made))

        return replace(plan, calls=tuple((c, safe(w)) for c, w in plan.calls))
    return plan


def _window(column: Column, call: WindowCall) -> tuple[Column, Type, WindowCall]:
    """A window function of arguments whose types may have changed, and its type now."""
    if not call.arguments:
        return column, column.type, call
    first, *others = call.arguments
    if call.function not in PASSING:
        return column, result_type(call.function, first.type, column.type), call
    if len(others) == 2:  # LAG and LEAD with a default
        others[1] = coerce(others[1], first.type)
    return column, first.type, replace(call, arguments=(first, *others))


@dataclass(slots=True)
class Securer:
    """Secures one plan.

    Attributes:
        schema: what is public.
        ids: new columns.
        current: columns whose type has changed, by id.
    """

    schema: Schema
    ids: Ids
    current: dict[int, Expr] = field(default_factory=dict)

    def plan(self, plan: Plan) -> tuple[Plan, Properties]:
        """The plan made safe, and what its columns can be before any predicate."""
        below = [self.plan(child) for child in inputs(plan)]
        plan = with_inputs(plan, tuple(p for p, _ in below))
        known = tuple(k for _, k in below)
        proven = {c: v for k in known for c, v in k.proven.items()}
        claimed = {c: v for k in known for c, v in k.claimed.items()}
        made = self._node(plan, proven, claimed)
        if isinstance(made, Union):
            known = tuple(
                k if new is old else derive(new, (k,), self.schema, narrowing=False)
                for new, old, k in zip(made.branches, inputs(plan), known, strict=True)
            )
        if isinstance(made, Project) and not isinstance(plan, Project):
            inner = derive(made.input, known, self.schema, narrowing=False)
            return made, derive(made, (inner,), self.schema, narrowing=False)
        return made, derive(made, known, self.schema, narrowing=False)

    def renewed(self, expr: Expr) -> Expr:
        """The expression with columns as they are now."""
        return retyped(expr, self.current) if self.current else expr

    def _node(self, plan: Plan, proven: Environment, claimed: Environment) -> Plan:
        _check_identity(plan)

        def safe(expr: Expr) -> Expr:
            return secure(self.renewed(expr), proven, claimed, value=False)

        if isinstance(plan, Aggregate) and plan.per_unit:
            plan = replace(plan, keys=tuple((c, self.renewed(e)) for c, e in plan.keys))
            plan = map_expressions(plan, self.renewed)
            assert isinstance(plan, Aggregate)
            return self._retyped(secure_groups(plan, proven, claimed, self.ids, self._typed))
        if isinstance(plan, Window) and kind_of(plan) is Kind.TRACKED:
            plan = map_expressions(plan, self.renewed)
            assert isinstance(plan, Window)
            return self._retyped(secure_windows(plan, proven, claimed, self.ids, self._typed))
        if isinstance(plan, Union):
            return self._aligned(plan)
        # With types as they are now.
        made = _between(map_expressions(plan, safe), proven)
        return self._retyped(settled(made) if kind_of(made) is Kind.PUBLIC else made)

    def _retyped(self, plan: Plan) -> Plan:
        """The node whose columns have the types of the expressions that define them."""
        if isinstance(plan, Project):
            items = tuple((self._typed(c, e.type), e) for c, e in plan.items)
            return replace(plan, items=items)
        if isinstance(plan, Aggregate):
            keys = tuple((self._typed(c, e.type), e) for c, e in plan.keys)
            calls = tuple(
                (c, a)
                if a.argument is None
                else (self._typed(c, result_type(a.function, a.argument.type, c.type)), a)
                for c, a in plan.calls
            )
            return replace(plan, keys=keys, calls=calls)
        if isinstance(plan, Window):
            windows = tuple(_window(c, call) for c, call in plan.calls)
            return replace(plan, calls=tuple((self._typed(c, t), w) for c, t, w in windows))
        return plan

    def _typed(self, column: Column, kind: Type) -> Column:
        """The column with the type that it has now, which every reference above gets."""
        if column.type == kind:
            return column
        changed = replace(column, type=kind)
        self.current[column.id] = Ref(changed)
        return changed

    def _aligned(self, plan: Union) -> Plan:
        """Branches whose types have come apart are brought to one type again."""
        columns: list[Column] = []
        for i, column in enumerate(plan.columns):
            kinds = [branch.columns[i].type for branch in plan.branches]
            kind = kinds[0]
            for other in kinds[1:]:
                kind = kind if kind == other else common_numeric(kind, other)
            columns.append(self._typed(column, kind))
        branches = []
        for branch in plan.branches:
            if all(a.type == b.type for a, b in zip(branch.columns, columns, strict=True)):
                branches.append(branch)
                continue
            items = tuple(
                (self.ids.column(a.name, b.type), coerce(Ref(a), b.type))
                for a, b in zip(branch.columns, columns, strict=True)
            )
            branches.append(Project(branch, items))
        return replace(plan, branches=tuple(branches), columns=tuple(columns))
