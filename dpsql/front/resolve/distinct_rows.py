"""What is made of groups over private rows, and their rows tell as well, is made of these.

    SELECT COUNT(*) FROM (SELECT DISTINCT email, city FROM t)         COUNT(DISTINCT (email, city))
    SELECT y, COUNT(*) FROM (SELECT x, y FROM t GROUP BY x, y) GROUP BY y
                                                             COUNT(DISTINCT x) … GROUP BY y
    SELECT AVG(n) FROM (SELECT email, COUNT(*) AS n FROM t GROUP BY email)
                                                             COUNT(*) / COUNT(DISTINCT email)

Released first and counted then, of groups that are listed only those would be counted that show
through their noise, and of private groups those of many units. Sums of listed groups are better
than those of all rows where there are few groups and many rows, and stay. A WITH query that is used
elsewhere, too, is measured here by itself where its groups are private.

Claim: the answers are the same. Why: see `of_all_groups`. NULL is a value like others; a key that
is fixed by the outer ones tells no groups apart. Conditions on keys hold of the rows as of the
groups.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain

from dpsql.core.functions.spec import coerce
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.ranges import infer
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, conjunction, substitute
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Named,
    Plan,
    Project,
    Scan,
    Sort,
    Union,
    each,
    inputs,
    with_inputs,
)
from dpsql.core.release.release import analysed
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.normal import Normaliser
from dpsql.errors import Rejected
from dpsql.front.resolve.fixed_values import public_key
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.group_by import determines_unit, grouped
from dpsql.front.resolve.of_all_groups import Groups, Made
from dpsql.front.resolve.state import Resolution
from dpsql.front.resolve.sure_rows import sure_groups


def distinct_rows(state: Resolution, plan: Aggregate) -> Plan | None:
    """An aggregate of groups as one of their rows; None for what is none."""
    if state.schema.kinds:
        return None
    once = used_once(state, plan.input)
    read = _read(state, plan, once=True)
    if read is not None and not once:
        read = _read(state, plan, once=False)
    if read is None:
        return None
    plan, block, groups, joined = read
    inner = state.renewed(replace(groups, input=state.plan(groups.input)))
    assert isinstance(inner, Aggregate)
    counted: Plan | None = None
    released = kind_of(inner.input) is Kind.TRACKED and not determines_unit(state, inner)
    if released and sure_groups(state, inner) is None and (once or private_keys(state, inner)):
        counted = _counted(state, plan, block, inner)
    if counted is None and not joined and once:  # go on with what is resolved: not released twice
        return grouped(state, _above(state, plan, groups, grouped(state, inner)))
    return counted


def _read(
    state: Resolution, plan: Aggregate, *, once: bool
) -> tuple[Aggregate, Block, Aggregate, bool] | None:
    """An aggregate, over what it reads where that is used once, else over a copy; the groups that
    it reads, and whether these are joined with public rows; None where they do not tell it.
    """
    plan = replace(plan, input=in_place(state, plan.input, once=once))
    joined = _with_public(state, plan)
    plan = joined or plan
    block = _of_groups(plan)
    if block is None:
        return None
    (groups,) = block.sources
    assert isinstance(groups, Aggregate)
    every = tuple(Ref(c) for c, _ in groups.keys)
    if _made(Groups(groups, every, lambda _: True, state.ids), plan, block) is None:
        return None
    return plan, block, groups, joined is not None


def used_once(state: Resolution, plan: Plan) -> bool:
    """Whether what is read is read here alone."""
    if isinstance(plan, Named):
        return state.uses.get(id(plan.query)) == 1 and used_once(state, plan.query)
    return not isinstance(plan, Project | Filter | Sort) or used_once(state, plan.input)


def in_place(state: Resolution, plan: Plan, *, once: bool) -> Plan:
    """A WITH query where it is used; one that is used elsewhere, too, as a copy."""
    if isinstance(plan, Named):
        query, own = plan.query, {c.id: c for c in plan.query.columns}
        if not once:
            query, new = fresh_copy(query, lambda c: state.ids.column(c.name, c.type))
            own = {i: new.get(i, c) for i, c in own.items()}
        named = zip(plan.columns, plan.query.columns, strict=True)
        items = tuple((c, Ref(own[q.id])) for c, q in named)
        return Project(in_place(state, query, once=once), items)
    if isinstance(plan, Project | Filter | Sort):
        return with_inputs(plan, (in_place(state, plan.input, once=once),))
    return plan


def _with_public(state: Resolution, plan: Aggregate) -> Aggregate | None:
    """Groups that are joined with rows of public tables, each of which its key tells apart, as
    groups of the joined rows; None where there are none, or what is below is not rows of tables.
    """
    block = flatten(plan.input)
    groups = [s for s in block.sources if isinstance(s, Aggregate) and s.keys]
    others = [s for s in block.sources if s not in groups]
    if len(groups) != 1 or not others or block.marks or plan.totals or groups[0].totals:
        return None
    (inner,) = groups
    if not all(isinstance(n, Scan | Filter | Project | Sort) for n in each(inner.input)):
        return None
    arguments = [call.mapped(block.inline).arguments for _, call in plan.calls]
    read = [*block.terms, *(block.inline(e) for _, e in plan.keys), *chain(*arguments)]
    used = frozenset().union(*map(columns_of, read))
    rows, keys = inner.input, list(inner.keys)
    for source in others:
        one = isinstance(source, Aggregate) and not source.keys and not _private(source)
        if not (one or public_key(source)):
            return None
        copy, names = fresh_copy(source, lambda c: state.ids.column(c.name, c.type))
        told = used | public_key(source)
        keys += [(c, Ref(names[c.id])) for c in source.columns if c.id in told]
        rows = Join(rows, copy, None, plan.span)
    here = {c.id: e for c, e in keys}
    said = conjunction([substitute(term, here) for term in block.terms])
    if not all(columns_of(term) <= here.keys() for term in block.terms):
        return None
    rows = rows if said is None else Filter(rows, said)
    groups_of_joined = replace(inner, input=rows, keys=tuple(keys))
    return replace(
        plan,
        input=groups_of_joined,
        keys=tuple((c, block.inline(e)) for c, e in plan.keys),
        calls=tuple((c, call.mapped(block.inline)) for c, call in plan.calls),
    )


def _private(plan: Plan) -> bool:
    return any(isinstance(node, Scan) and node.table.private for node in each(plan))


def _is_mixed(plan: Plan) -> bool:
    """Whether it is a union of private rows and others."""
    return isinstance(plan, Union) and len({_private(branch) for branch in plan.branches}) > 1


def _above(state: Resolution, plan: Aggregate, groups: Aggregate, result: Plan) -> Aggregate:
    def renewed(node: Plan) -> Plan:
        if node is groups:
            return result
        return state.renewed(with_inputs(node, tuple(map(renewed, inputs(node)))))

    found = renewed(plan)
    assert isinstance(found, Aggregate)
    return found


def _counted(state: Resolution, plan: Aggregate, block: Block, inner: Aggregate) -> Plan | None:
    """What is made of the groups, of their rows; None where it cannot be, or not as well."""
    here = {c.id: e for c, e in inner.keys}
    keys = tuple((c, substitute(block.inline(e), here)) for c, e in plan.keys)
    fixed = {e for _, e in keys}
    said = conjunction([substitute(term, here) for term in block.terms])
    rows = inner.input if said is None else Filter(inner.input, said)
    free = tuple(e for _, e in inner.keys if e not in fixed)
    groups = Groups(inner, free, partial(may_be_null, state, rows), state.ids)
    made = _made(groups, plan, block)
    if made is None or not (all(m.listed for m in made) or private_keys(state, inner)):
        return None
    calls = dict(call for one in made for call in one.calls)
    result = grouped(state, replace(plan, input=rows, keys=keys, calls=tuple(calls.items())))
    values = [(c, one.value) for (c, _), one in zip(plan.calls, made, strict=True)]
    if all(value == Ref(column) for column, value in values):
        return result
    above = state.renewed(Project(result, (*((c, Ref(c)) for c, _ in keys), *values)))
    assert isinstance(above, Project)
    return replace(above, items=tuple((c, _of_type(c, e)) for c, e in above.items))


def _made(groups: Groups, plan: Aggregate, block: Block) -> list[Made] | None:
    found: list[Made] = []
    for column, call in plan.calls:
        argument = None if call.argument is None else block.inline(call.argument)
        made = groups.made(column, call, argument)
        if made is None:
            return None
        found.append(made)
    return found


def _of_type(column: Column, value: Expr) -> Expr:
    """The value as the query's column; one that was released as such is of its release's type."""
    return value if value == Ref(column) else coerce(value, column.type)


def private_keys(state: Resolution, groups: Aggregate) -> bool:
    """Whether of the groups only those of many units would be shown."""
    if not groups.keys:
        return False
    bare = replace(groups, calls=())
    try:
        found = analysed(bare, state.schema, state.ids, thresholds=True, clipping=state.clipping)
    except Rejected:
        return False
    return bool(found.domain.private)


def _of_groups(plan: Aggregate) -> Block | None:
    """The groups that something is made of; None where conditions read more than their keys."""
    if not plan.calls or plan.totals:
        return None
    block = flatten(plan.input)
    if len(block.sources) != 1 or block.marks:
        return None
    (groups,) = block.sources
    if not isinstance(groups, Aggregate) or not groups.keys or groups.per_unit or groups.totals:
        return None
    if any(isinstance(node, Aggregate) and _private(node) for node in each(groups.input)):
        return None  # these groups may be of groups themselves, and are resolved first
    if any(_is_mixed(node) for node in each(groups.input)):
        return None  # see `mixed_union`
    known = {c.id for c, _ in groups.keys}
    read = [*block.terms, *(block.inline(e) for _, e in plan.keys)]
    return block if all(columns_of(e) <= known for e in read) else None


def may_be_null(state: Resolution, rows: Plan, key: Expr) -> bool:
    """Whether the owner has said that the key can be NULL: that would be one more group."""
    block = flatten(rows)
    expr = block.inline(key)
    tree = Normaliser(state.schema, state.ids).tree(block, columns_of(expr))
    return infer(expr, analyze(tree, state.schema).expected).nullable
