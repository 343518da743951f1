"""Group keys over public tables that the other keys determine, as aggregates.

    SELECT DISTINCT p.id, p.name FROM products p JOIN …     GROUP BY p.id, with MIN(p.name)

Claim: the groups are the same, and what was a key is in each of them the same value. Why: the other
keys fix, through equal columns, the key of a table and so its row, as `closure` has it. Where
private rows are joined to p.id each of them meets one group then. Privacy does not rest on it: the
keys that are left are unique in what is printed.
"""

from __future__ import annotations

from dpsql.core.infer.keys import closure, constants, equalities
from dpsql.core.infer.properties import analyze
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, conjuncts
from dpsql.core.plan.nodes import AggregateCall, Filter, Join, Plan
from dpsql.core.schema import Schema

Keys = tuple[tuple[Column, Expr], ...]
Calls = tuple[tuple[Column, AggregateCall], ...]
Sides = list[tuple[frozenset[int], tuple[frozenset[int], ...]]]


def independent(plan: Plan, keys: Keys, schema: Schema) -> tuple[Keys, Calls]:
    """The keys that the others do not determine, and those that they do, as aggregates.

    Args:
        plan: public rows, in normal form.
        keys: the group keys over them.
        schema: what is public.
    """
    if len(keys) < 2:
        return keys, ()
    sides, terms = Sides(), list[Expr]()
    _taken_apart(plan, sides, terms, schema)
    fixed = frozenset[int]().union(*(constants(t) for t in terms))
    kept, gone = keys, Calls()
    for key in keys[::-1]:  # the first of those that determine each other stays
        others = tuple(k for k in kept if k is not key)
        known = fixed.union(e.column.id for _, e in others if isinstance(e, Ref))
        read = columns_of(key[1])
        if others and read and read <= closure(known, sides, equalities(terms)):
            kept, gone = others, ((key[0], AggregateCall("min", key[1])), *gone)
    return kept, gone


def _taken_apart(plan: Plan, sides: Sides, terms: list[Expr], schema: Schema) -> None:
    """What is joined, each with its columns and keys, under which conditions."""
    if isinstance(plan, Filter):
        terms += conjuncts(plan.predicate)
        _taken_apart(plan.input, sides, terms, schema)
    elif isinstance(plan, Join) and plan.kind == "inner":
        terms += [] if plan.condition is None else conjuncts(plan.condition)
        _taken_apart(plan.left, sides, terms, schema)
        _taken_apart(plan.right, sides, terms, schema)
    else:
        found = analyze(plan, schema)
        sides.append((found.columns, found.keys))
