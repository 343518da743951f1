"""How many groups there are is how many different keys there are: it is measured as such.

    SELECT COUNT(*) FROM (SELECT DISTINCT email, city FROM t)         COUNT(DISTINCT (email, city))
    SELECT y, COUNT(*) FROM (SELECT x, y FROM t GROUP BY x, y) GROUP BY y
                                                             COUNT(DISTINCT x) … GROUP BY y

Released first and counted then, of groups that are listed only those would be counted that show
through their noise, and of private groups those of many units.

Claim: the answers are the same. Why: the groups are as many as there are different values of all
their keys, where NULL is a value like others (`told_apart`); a key that is fixed by the outer ones
adds none. Conditions on keys hold of the rows as of the groups.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.told_apart import told_apart
from dpsql.core.infer.kind import kind_of
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Expr, Ref, columns_of, conjunction, substitute
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    Filter,
    Named,
    Plan,
    Project,
    Sort,
    each,
    inputs,
    with_inputs,
)
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.normal import Normaliser
from dpsql.front.resolve.groups import determines_unit, grouped
from dpsql.front.resolve.state import Resolution
from dpsql.front.resolve.sure_rows import sure_groups


def distinct_rows(state: Resolution, plan: Aggregate) -> Plan | None:
    """A count of groups over private rows as a count of different values; None for what is none."""
    if state.schema.kinds:
        return None
    plan = replace(plan, input=_in_place(state, plan.input))
    block = _of_groups(plan)
    if block is None:
        return None
    (groups,) = block.sources
    assert isinstance(groups, Aggregate)
    inner = state.renewed(replace(groups, input=state.plan(groups.input)))
    assert isinstance(inner, Aggregate)
    counted = None
    released = kind_of(inner.input) is Kind.TRACKED and not determines_unit(state, inner)
    if released and sure_groups(state, inner) is None:
        counted = _counted(state, plan, block, inner)
    if counted is None:  # go on with what is resolved: twice it would be released twice
        return grouped(state, _above(state, plan, groups, grouped(state, inner)))
    return grouped(state, counted)


def _in_place(state: Resolution, plan: Plan) -> Plan:
    """A WITH query that is used once, where it is used."""
    if isinstance(plan, Named) and state.uses.get(id(plan.query)) == 1:
        items = tuple((c, Ref(q)) for c, q in zip(plan.columns, plan.query.columns, strict=True))
        return Project(_in_place(state, plan.query), items)
    if isinstance(plan, Project | Filter | Sort):
        return with_inputs(plan, (_in_place(state, plan.input),))
    return plan


def _above(state: Resolution, plan: Aggregate, groups: Aggregate, result: Plan) -> Aggregate:
    def renewed(node: Plan) -> Plan:
        if node is groups:
            return result
        return state.renewed(with_inputs(node, tuple(map(renewed, inputs(node)))))

    found = renewed(plan)
    assert isinstance(found, Aggregate)
    return found


def _counted(
    state: Resolution, plan: Aggregate, block: Block, inner: Aggregate
) -> Aggregate | None:
    """The count over the rows; None where the outer keys leave no key to count."""
    here = {c.id: e for c, e in inner.keys}
    keys = tuple((c, substitute(block.inline(e), here)) for c, e in plan.keys)
    fixed = {e for _, e in keys}
    free = [e for _, e in inner.keys if e not in fixed]
    if not free:
        return None
    said = conjunction([substitute(term, here) for term in block.terms])
    rows = inner.input if said is None else Filter(inner.input, said)
    value = (
        free[0] if len(free) == 1 and not may_be_null(state, rows, free[0]) else told_apart(free)
    )
    calls = tuple(
        (c, AggregateCall("count", value, call.span, distinct=True)) for c, call in plan.calls
    )
    return replace(plan, input=rows, keys=keys, calls=calls)


def _of_groups(plan: Aggregate) -> Block | None:
    """The groups that are counted, where nothing but their keys is read."""
    if not plan.calls or plan.totals:
        return None
    if any(c.function != "count" or c.argument is not None or c.distinct for _, c in plan.calls):
        return None
    block = flatten(plan.input)
    if len(block.sources) != 1 or block.marks:
        return None
    (groups,) = block.sources
    if not isinstance(groups, Aggregate) or not groups.keys or groups.per_unit or groups.totals:
        return None
    if any(isinstance(node, Aggregate) for node in each(groups.input)):
        return None  # these groups may be of groups themselves, and are resolved first
    known = {c.id for c, _ in groups.keys}
    read = [*block.terms, *(block.inline(e) for _, e in plan.keys)]
    return block if all(columns_of(e) <= known for e in read) else None


def may_be_null(state: Resolution, rows: Plan, key: Expr) -> bool:
    """Whether the owner has said that the key can be NULL: that would be one more group."""
    block = flatten(rows)
    expr = block.inline(key)
    tree = Normaliser(state.schema, state.ids).tree(block, columns_of(expr))
    return infer(expr, analyze(tree, state.schema).expected).nullable
