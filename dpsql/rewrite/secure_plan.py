"""Make every predicate of a plan total.

A predicate is made total from what its columns can be *before* any predicate applies: the engine
may evaluate predicates in any order, and one below a join that another predicate restricts.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.analyze.properties import analyze
from dpsql.analyze.ranges import Environment
from dpsql.plan.nodes import Filter, Join, Plan, Scan, nodes
from dpsql.plan.values import Values
from dpsql.policy.schema import Schema
from dpsql.rewrite.secure import secure


def secure_plan(plan: Plan, schema: Schema) -> Plan:
    """The plan with every predicate total and its claims enforced."""
    return _secure_node(plan, *unfiltered(plan, schema))


def unfiltered(plan: Plan, schema: Schema) -> tuple[Environment, Environment]:
    """What the columns of the plan's scans can be, proven and claimed, before any predicate."""
    proven: dict[int, Values] = {}
    claimed: dict[int, Values] = {}
    for node in nodes(plan):
        if isinstance(node, Scan):
            properties = analyze(node, schema)
            proven.update(properties.proven)
            claimed.update(properties.claimed)
    return proven, claimed


def _secure_node(plan: Plan, proven: Environment, claimed: Environment) -> Plan:
    if isinstance(plan, Filter):
        predicate = secure(plan.predicate, proven, claimed, value=False)
        return Filter(_secure_node(plan.input, proven, claimed), predicate)
    if isinstance(plan, Join):
        left, right = (_secure_node(p, proven, claimed) for p in (plan.left, plan.right))
        condition = plan.condition
        if condition is not None:
            condition = secure(condition, proven, claimed, value=False)
        return replace(plan, left=left, right=right, condition=condition)
    return plan
