"""Drop rows that meet a value of a public table that no private row is declared to have.

    customers JOIN segments ON segments.id = customers.segment, which is declared to be 1 or 2
    … WHERE segments.id IN (1, 2)

Claim: where the declarations are true of the data, no row is dropped. Why: the condition follows
from them and from those of the query. What for: the public list of groups has then no others, and
no row is counted in a group that is not output, whatever the data is. So it is of what a key is
computed of beside public columns (`infer.key_parts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from dpsql.core.infer.domain import with_nulls
from dpsql.core.infer.key_parts import listed_beside, private_parts
from dpsql.core.infer.narrower import narrower
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.public_parts import has_matched, public_parts
from dpsql.core.infer.ranges import infer, narrow
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Expr, Ref, columns_of, walk
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
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
    filtered,
    inputs,
    with_inputs,
)
from dpsql.core.schema import Schema


def as_declared(grouped: Aggregate, schema: Schema) -> Plan:
    """The rows of groups, where public tables list these, that have such values alone."""
    rows, keys = grouped.input, [e for _, e in grouped.keys]
    public = frozenset[int]().union(*(ids for ids, _ in public_parts(rows)))
    if not any(columns_of(e) & public for e in keys) or has_matched(rows):
        return rows
    rows = _root(rows, schema)
    mixed = [e for e in keys if columns_of(e) & public and columns_of(e) - public]
    return filtered(rows, _beside(mixed, public, analyze(rows, schema))) if mixed else rows


def _beside(keys: Sequence[Expr], public: frozenset[int], known: Properties) -> list[Expr]:
    """That what keys are computed of beside public columns has the values that are listed, or is
    NULL where the key may be a value for it.
    """
    found: list[Expr] = []
    proven = known.proven
    for key in keys:
        env = with_nulls(key, known)
        for part in private_parts(key, public):
            listed = listed_beside(part, env)
            every = dict.fromkeys((*(n for n in walk(part) if isinstance(n, Ref)), part))
            for expr in every if listed is not None else ():
                if listed_beside(part, proven) != listed:
                    terms = narrower(expr, infer(expr, env), infer(expr, proven))
                    found += terms
                    proven = reduce(lambda said, term: narrow(term, said), terms, proven)
    return found


def _root(plan: Plan, schema: Schema) -> Plan:
    """The condition is laid on what is joined and filtered together."""
    plan = _below(plan, schema)
    if kind_of(plan) is not Kind.TRACKED or not (parts := public_parts(plan)):
        return plan
    known = analyze(plan, schema)
    terms: list[Expr] = []
    for _, part in parts:
        listed = analyze(part, schema).expected
        for c in part.columns:
            if (said := known.expected.get(c.id)) is not None:
                found = narrower(Ref(c), said, listed[c.id])
                named = said.finite is not None or narrower(Ref(c), said, known.proven[c.id])
                terms += found if named else []
    if terms and isinstance(plan, Filter):
        return filtered(plan.input, [plan.predicate, *terms])
    return filtered(plan, terms)


def _below(plan: Plan, schema: Schema) -> Plan:
    if kind_of(plan) is not Kind.TRACKED:
        return plan
    match plan:
        case Filter() | Window():
            return with_inputs(plan, (_below(plan.input, schema),))
        case Join():
            side = _below if plan.kind == "inner" else _root
            right = plan.right if plan.kind == "mark" else side(plan.right, schema)
            return with_inputs(plan, (_below(plan.left, schema), right))
        case Project() | Aggregate() | Union() | Sort() | Limit() | Apply() | Named():
            return with_inputs(plan, tuple(_root(p, schema) for p in inputs(plan)))
        case Scan() | OneRow() | Released():
            return plan
