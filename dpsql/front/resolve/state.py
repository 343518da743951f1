"""What is known while a plan is resolved, and the rules by which it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpsql.core.enforce.secure_plan import Securer
from dpsql.core.plan.expr import Call, Column, Expr, Ref, children, rebuild
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.invariants import check
from dpsql.core.plan.nodes import Plan, inputs, map_expressions, nodes, with_inputs
from dpsql.core.release.feed import Feed
from dpsql.core.release.release import Release
from dpsql.core.schema import Schema
from dpsql.core.shape.retype import retyped
from dpsql.errors import Diagnostic, Problems, Rejected, Span
from dpsql.types import HUGEINT

MAX_NODES = 3_000
"""How large a plan may become once each use of a WITH query is a copy: `a AS (… FROM b, b), b AS
(… FROM c, c)` doubles with each line.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """How one kind of node is resolved.

    Attributes:
        name: of the rule.
        node: which nodes it is for.
        apply: the node, resolved; None where it is for another rule. What is below it is resolved
            already where `inputs_first`; else the rule does that, in an order of its own.
        inputs_first: see `apply`.
    """

    name: str
    node: type[Plan]
    apply: Callable[[Resolution, Any], Plan | None]
    inputs_first: bool = True


@dataclass(slots=True)
class Resolution:
    """A query that is being resolved.

    Attributes:
        schema: what is public.
        ids: new columns.
        rules: the first that takes a node resolves it; one that none takes stays as it is.
        thresholds: whether there is a δ, so that group keys may be private.
        clipping: where the data says how much a unit may add, see `calibrate.options`.
        uses: how often each WITH query is used, by its identity.
        counted: columns of groups that are left out where they seem to be empty, see `presence`.
        releases: those so far, in order.
        feeds: what releases read of those before them, by name.
        named: WITH queries by their identity: each as it was written, and resolved.
        current: columns whose types are those of their releases now.
        single: queries over public tables that must have one row at most, and where they stand.
        of_all_rows: columns of private rows that are totals of them all, see `totals`.
        copied: nodes that were written out more than once.
        problems: of all release points, so that all are told.
    """

    schema: Schema
    ids: Ids
    rules: tuple[Rule, ...]
    thresholds: bool = False
    clipping: str = "auto"
    counted: frozenset[int] = frozenset()
    uses: Mapping[int, int] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    feeds: dict[str, Feed] = field(default_factory=dict)
    named: dict[int, tuple[Plan, Plan]] = field(default_factory=dict)
    current: dict[int, Expr] = field(default_factory=dict)
    single: list[tuple[Plan, Span | None]] = field(default_factory=list)
    of_all_rows: set[int] = field(default_factory=set)
    copied: int = 0
    problems: Problems = field(default_factory=Problems)

    def plan(self, plan: Plan) -> Plan:
        """The resolved plan."""
        found = self._by(plan, inputs_first=False)
        if found is not None:
            return found
        return self.above(
            self.renewed(with_inputs(plan, tuple(self.plan(c) for c in inputs(plan))))
        )

    def above(self, plan: Plan) -> Plan:
        """The resolved plan of a node whose inputs are resolved."""
        return self._by(plan, inputs_first=True) or plan

    def _by(self, plan: Plan, *, inputs_first: bool) -> Plan | None:
        for rule in self.rules:
            if rule.inputs_first is inputs_first and isinstance(plan, rule.node):
                found = rule.apply(self, plan)
                if found is not None:
                    return found
        return None

    def finished(self, plan: Plan) -> Plan:
        """A plan over releases with every function total, and types as they are now.

        How far a noisy number is out nobody knows beforehand, so that a cast of one that does not
        fit gives NULL.
        """
        return check(Securer(self.schema, self.ids).plan(_trying(plan))[0])

    def renewed(self, plan: Plan) -> Plan:
        """The node with columns of the types that their releases have."""
        if not self.current:
            return plan
        return map_expressions(plan, lambda e: retyped(e, self.current))

    def typed(self, column: Column, value: Expr) -> Column:
        """The column, of the type that its value has now; what reads it is renewed."""
        if value.type == column.type:
            return column
        column = replace(column, type=value.type)
        self.current[column.id] = Ref(column)
        return column

    def count_copy(self, plan: Plan, message: str, span: Span | None) -> None:
        """Note that a plan is written out once more.

        Raises:
            Rejected: DP103, where that is too often.
        """
        self.copied += sum(1 for _ in nodes(plan))
        if self.copied > MAX_NODES:
            raise Rejected(Diagnostic("DP103", message, span))

    def new_name(self) -> str:
        """What the next release is called in post-processing, where public tables are, too."""
        name = f"r{len(self.releases) + 1}"
        while name in self.schema.tables:
            name += "_"
        return name


def _trying(plan: Plan) -> Plan:
    """The plan with TRY_CAST for each CAST, and around products that are divided as whole numbers:
    100 times a sum of 128 bits is a DOUBLE then, since nobody knows how far a noisy sum is out.
    """
    plan = with_inputs(plan, tuple(_trying(child) for child in inputs(plan)))
    return map_expressions(plan, _tried)


def _tried(expr: Expr) -> Expr:
    expr = rebuild(expr, tuple(_tried(child) for child in children(expr)))
    if isinstance(expr, Call) and expr.function == "cast":
        return replace(expr, function="try_cast")
    if isinstance(expr, Call) and expr.function == "intdiv":
        return replace(expr, args=tuple(map(_whole, expr.args)))
    return expr


def _whole(value: Expr) -> Expr:
    product = isinstance(value, Call) and value.function == "mul" and value.type == HUGEINT
    return Call("try_cast", (value,), HUGEINT, value.span) if product else value
