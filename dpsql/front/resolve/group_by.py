"""GROUP BY: private where its keys determine the unit, else a release point."""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.grouping import homes
from dpsql.core.infer.keys import equalities, plain_column
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.tracking import kind_of
from dpsql.core.infer.unit import scan_anchors
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, null_unless
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Plan,
    Project,
    Released,
    Scan,
    nodes,
    with_inputs,
)
from dpsql.core.release import best, several
from dpsql.core.release.release import Release, release
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.normal import Normaliser
from dpsql.errors import Diagnostic, Rejected
from dpsql.front.resolve.chosen_groups import chosen
from dpsql.front.resolve.computed_keys import with_computed, without_computed
from dpsql.front.resolve.debiased import refuse_per_unit
from dpsql.front.resolve.first_of_unit import with_rows
from dpsql.front.resolve.fixed_factors import with_factors, without_factors
from dpsql.front.resolve.fixed_keys import with_fixed, without_fixed
from dpsql.front.resolve.fixed_values import without_values
from dpsql.front.resolve.state import Resolution
from dpsql.front.resolve.sure_rows import among_sure, is_null, sure_groups, sure_keys
from dpsql.types import BOOLEAN


def grouped(state: Resolution, plan: Aggregate) -> Plan:
    """An aggregate whose input is resolved: as it is, per unit, or released."""
    if plan.per_unit:
        return plan
    if kind_of(plan.input) is not Kind.TRACKED:
        _check_counted(state, plan)
        return plan
    if plan.keys and determines_unit(state, plan):
        refuse_per_unit(plan)
        return with_rows(plan, state.ids, rows_of_group(state, plan))
    if (factors := without_factors(state, plan)) is not None:
        return with_factors(state, plan, grouped(state, factors.plan), factors)
    if (valued := without_values(plan)) is not None:
        made = grouped(state, valued)
        here = {c.id: c for c in made.columns}  # of the types that their releases have
        return Project(made, tuple((here[c.id], Ref(here[c.id])) for c in plan.columns))
    bare, computed = without_computed(plan)
    if computed:
        return with_computed(state, plan, grouped(state, bare), computed)
    bare, fixed = without_fixed(state, plan)
    if fixed:
        return with_fixed(state, plan, grouped(state, bare), fixed)
    counted = bool(plan.keys and state.counted & {c.id for c in plan.columns})
    sure = sure_groups(state, plan) if counted else None
    if sure is not None:
        return _of_sure_rows(state, plan, sure)
    name = state.new_name()
    point = state.problems.attempt(lambda: _release(state, plan, name, counted=counted))
    made = _placed(state, plan, name, point)
    return made if point is None else chosen(state, plan, made, point.domain)


def _of_sure_rows(state: Resolution, plan: Aggregate, sure: Plan) -> Plan:
    """The groups of public rows that are surely there. Whether one has a private row is asked for
    what is NULL without one, and for nothing else.
    """
    if not plan.calls:
        return sure_keys(state, plan.keys, sure)
    own = {c.id: state.ids.column(c.name, c.type) for c, f in plan.calls if is_null(f, sure)}
    calls = tuple((own.get(c.id, c), call) for c, call in plan.calls)
    asked, name = replace(plan, calls=calls), state.new_name()
    point = state.problems.attempt(lambda: _release(state, asked, name, counted=bool(own)))
    if point is None:
        return _placed(state, plan, name, None)
    if not own:
        return among_sure(state, _placed(state, plan, name, point), plan.keys, sure, point.domain)
    state.releases.append(point)
    groups = among_sure(state, point.node, plan.keys, sure, point.domain)
    made = {c.id: Ref(c) for c in point.node.columns}
    present = [made[c.id] for c in point.node.columns[len(plan.columns) :]]
    items: list[tuple[Column, Expr]] = []
    for column in plan.columns:
        value: Expr = made[own.get(column.id, column).id]
        if present and column.id in own:
            value = null_unless(present[0], value)
        items.append((state.typed(column, value), value))
    return Project(groups, tuple(items))


def best_group(state: Resolution, plan: Aggregate) -> Plan | None:
    """An ARG_MAX over groups: told alone where they are of private rows and can be scored; None
    for other aggregates.
    """
    asked = None if state.schema.kinds else best.question(plan)
    if asked is None:
        return None
    groups = state.renewed(replace(asked.groups, input=state.plan(asked.groups.input)))
    assert isinstance(groups, Aggregate)
    released = kind_of(groups.input) is Kind.TRACKED and not determines_unit(state, groups)
    alone = told_alone(state, plan, replace(asked, groups=groups)) if released else None
    if alone is not None:
        return alone
    result = grouped(state, groups)
    for node in reversed(asked.above):
        result = state.renewed(with_inputs(node, (result,)))
    renewed = state.renewed(with_inputs(plan, (result,)))
    assert isinstance(renewed, Aggregate)
    return grouped(state, renewed)


def told_alone(state: Resolution, plan: Aggregate, asked: best.Question) -> Plan | None:
    """The best of groups of resolved private rows; None where they cannot be scored."""
    scored = best.scored(plan, asked)
    if scored is None:
        return None
    name = state.new_name()
    point = state.problems.attempt(lambda: best.best(plan, scored, state.schema, state.ids, name))
    return _placed(state, plan, name, point)


def _release(state: Resolution, plan: Aggregate, name: str, *, counted: bool) -> Release:
    if state.schema.kinds:
        return several.released(plan, state.schema, state.ids, name)
    return release(
        plan,
        state.schema,
        state.ids,
        name,
        thresholds=state.thresholds,
        clipping=state.clipping,
        present=state.ids.column("present", BOOLEAN) if counted else None,
    )


def _placed(state: Resolution, plan: Aggregate, name: str, point: Release | None) -> Plan:
    """The leaf in the place of an aggregate; if it was rejected, one to go on with."""
    if point is None:
        key = frozenset(c.id for c, _ in plan.keys)
        fields = tuple(f"c{c.id}" for c in plan.columns)
        return Released(name, plan.columns, fields, (key,), 1)
    state.releases.append(point)
    before = {c.id: c for c in plan.columns}
    for column in point.node.columns:
        if column.id in before and column.type != before[column.id].type:
            state.current[column.id] = Ref(column)
    present = [c for c in point.node.columns if c.id not in before]
    if not present:
        return point.node
    there = Filter(point.node, Ref(present[0]))
    return Project(there, tuple((c, Ref(c)) for c in point.node.columns if c.id in before))


def _check_counted(state: Resolution, plan: Aggregate) -> None:
    """The distinct values of a private column come out as the public list of them, the ones
    that do not occur too: a number that is made from how many there are would be of the list.
    Private groups come out without those of few units: a total of a grouping set would too.
    """
    bare = {p.table for p in state.releases if not p.measures and not p.picks}
    read = {node.name for node in nodes(plan.input) if isinstance(node, Released)}
    hidden = {p.table for p in state.releases if p.domain.private}
    if plan.totals and hidden & read:
        message = "groups of few units are not shown, and the totals would be without them"
        help = "ask for the totals in a query of their own: … UNION ALL SELECT … GROUP BY …"
        raise Rejected(Diagnostic("DP405", message, plan.span, help))
    if plan.calls and bare & read:
        message = "which values occur is private: this would count all that the policy lists"
        help = "aggregate the rows themselves"
        raise Rejected(Diagnostic("DP405", message, plan.calls[0][1].span, help))


def determines_unit(state: Resolution, plan: Aggregate) -> bool:
    """Whether each group of resolved rows is of one unit."""
    if state.schema.kinds:
        return False  # of one kind, perhaps, and its groups would be of several of another
    block = flatten(plan.input)
    keys = tuple(block.inline(e) for _, e in plan.keys)
    if not _may_be_home(state, block, keys):
        return False
    return bool(homes(keys, _analysed(state, block, keys)))


def rows_of_group(state: Resolution, plan: Aggregate) -> int | None:
    """How many rows a group of one unit has, as far as that is declared; None where it is not, or
    no call hangs on it.
    """
    if all(call.function != "string_agg" for _, call in plan.calls):
        return None
    block = flatten(plan.input)
    keys = tuple(block.inline(e) for _, e in plan.keys)
    below = _analysed(state, block, keys)
    of_key = (below.per_value[c] for c in homes(keys, below) if c in below.per_value)
    return below.rows.least(*of_key).claimed


def _analysed(state: Resolution, block: Block, keys: tuple[Expr, ...]) -> Properties:
    """What is known of the rows of a block, as far as the keys read them."""
    read = frozenset().union(*(columns_of(e) for e in keys))
    return analyze(Normaliser(state.schema, state.ids).tree(block, read), state.schema)


def _may_be_home(state: Resolution, block: Block, keys: tuple[Expr, ...]) -> bool:
    """Whether a key is worth a look: a home is an anchored column of a table, or equal to one;
    of other sources each column may be one.
    """
    found: set[int] = set()
    for source in block.sources:
        if isinstance(source, Scan):
            found |= scan_anchors(source, state.schema).keys()
        else:
            found |= {c.id for c in source.columns}
    pairs = equalities(block.terms)
    while True:
        equal = {c for pair in pairs if found & set(pair) for c in pair} - found
        if not equal:
            return any(plain_column(key) in found for key in keys)
        found |= equal
