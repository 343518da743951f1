"""Aggregates of what the group keys fix: they are that, as keys of their own.

    SELECT v.code, MIN(i.title), COUNT(*) FROM v JOIN icd i ON i.code = v.code GROUP BY v.code
    SELECT code, title, n FROM (SELECT v.code, i.title, COUNT(*) AS n … GROUP BY v.code, i.title)

Claim: the groups and the answers are the same, and of such a value nothing is measured. Why: all
rows of a group have equal keys, so they meet one row of a public table whose key these are equal
to, or the only row of released ones (`FROM orders, totals`), and MIN, MAX, ANY_VALUE, FIRST, LAST
and MODE of equal values are that value, and AVG is, as a DOUBLE. Of floats they are where there is
one row: 0.0 equals -0.0. Those of some rows alone (FILTER) are NULL where a group has none of
these, and stay.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.spec import coerce
from dpsql.core.infer.keys import Keys, closure, fixing, plain_column
from dpsql.core.plan.expr import Call, Expr, Ref, columns_of
from dpsql.core.plan.nodes import Aggregate, Plan, Released, Scan
from dpsql.core.shape.flatten import Block, flatten

Side = tuple[frozenset[int], Keys]

_ONE_OF_THEM = frozenset({"min", "max", "any_value", "first", "last", "mode", "avg"})


def without_values(plan: Aggregate) -> Aggregate | None:
    """The aggregate with keys instead of such calls; None where there is none."""
    asked = [pair for pair in plan.calls if pair[1].function in _ONE_OF_THEM]
    if not plan.keys or not asked or plan.totals:
        return None
    block = flatten(plan.input)
    own = [block.inline(e) for _, e in plan.keys]
    fixed = _fixed(block, own) | _plain(own)
    only = frozenset(c.id for source in block.sources if _one_row(source) for c in source.columns)
    keys = tuple(
        (column, coerce(call.argument, column.type) if call.function == "avg" else call.argument)
        for column, call in asked
        if call.argument is not None and call.where is None
        if _is_of(block.inline(call.argument), fixed, only)
    )
    made = {c.id for c, _ in keys}
    calls = tuple(pair for pair in plan.calls if pair[0].id not in made)
    return replace(plan, keys=(*plan.keys, *keys), calls=calls) if keys else None


def _plain(keys: list[Expr]) -> frozenset[int]:
    return frozenset(e.column.id for e in keys if isinstance(e, Ref) and not e.type.is_float)


def _is_of(argument: Expr, fixed: frozenset[int], only: frozenset[int]) -> bool:
    used = columns_of(argument)
    return bool(used) and used <= (only if argument.type.is_float else fixed)


def _one_row(source: Plan) -> bool:
    return isinstance(source, Released) and source.rows == 1


def _fixed(block: Block, keys: list[Expr]) -> frozenset[int]:
    """The columns of public tables, and of released rows, whose row the group keys fix."""
    own = {c for key in keys if (c := plain_column(key)) is not None}
    plain = frozenset(own.union(*(equal_to(key, block) for key in keys)))
    sides = [side for source in block.sources if (side := _side(source)) is not None]
    known = closure(plain, sides, fixing(block.terms))
    return known & frozenset(c for of, _ in sides for c in of)


def equal_to(key: Expr, block: Block) -> list[int]:
    """The columns that conditions say are equal to a key; no floats, of which 0.0 equals -0.0."""
    terms = (t.args for t in block.terms if isinstance(t, Call) and t.function == "eq")
    pairs = (pair for a, b in terms for pair in ((a, b), (b, a)))
    found = (plain_column(b) for a, b in pairs if a == key and not b.type.is_float)
    return [c for c in found if c is not None]


def _side(source: Plan) -> Side | None:
    """The columns of a public table, and its key; of released rows, and their keys."""
    if isinstance(source, Released):
        keys = (frozenset[int](),) if _one_row(source) else tuple(key for key in source.keys if key)
        return (frozenset(c.id for c in source.columns), keys) if keys else None
    key = public_key(source)
    return (frozenset(c.id for c in source.columns), (key,)) if key else None


def public_key(source: Plan) -> frozenset[int]:
    """The columns of a public table's key; none where it has none, or it is not read."""
    if not isinstance(source, Scan) or source.table.private or source.table.hidden:
        return frozenset()
    ids = {f.lower(): c.id for f, c in zip(source.fields, source.columns, strict=True)}
    key = frozenset(ids[k.lower()] for k in source.table.key if k.lower() in ids)
    return key if len(key) == len(source.table.key) else frozenset()
