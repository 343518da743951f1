"""Group keys that are computed of other keys: they are no keys, and computed of what is released.

    SELECT lv, sv, lv + sv, COUNT(*) FROM t GROUP BY 1, 2, 3

Claim: the groups are the same, and combinations that no row can have are not listed. Why: rows with
equal keys have equal values of what is computed of them alone. Of floats 0.0 equals -0.0, of which
something else may be computed; a key of these is not taken. Nor is a text of texts: how long those
are that public tables have may be known to nobody, and they are listed together (`key_parts`).
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, substitute
from dpsql.core.plan.nodes import Aggregate, Plan, Project
from dpsql.core.shape.among_public import written_once
from dpsql.core.shape.flatten import flatten
from dpsql.core.shape.retype import retyped
from dpsql.front.resolve.state import Resolution

Keys = tuple[tuple[Column, Expr], ...]


def without_computed(plan: Aggregate) -> tuple[Aggregate, Keys]:
    """The aggregate without such keys, and these, over the columns of the others."""
    if plan.totals:
        return plan, ()
    block = flatten(plan.input)
    inlined = [(c, block.inline(e)) for c, e in plan.keys]
    plain: dict[int, Expr] = {}
    for column, e in inlined:
        if isinstance(e, Ref) and written_once(e.type):
            plain.setdefault(e.column.id, Ref(column))
    computed = {
        c: substitute(e, plain)
        for c, e in inlined
        if not isinstance(e, Ref) and columns_of(e) and columns_of(e) <= plain.keys()
        if not (e.type.is_string and any(plain[i].type.is_string for i in columns_of(e)))
    }
    kept = tuple(k for k in plan.keys if k[0] not in computed)
    return replace(plan, keys=kept), tuple(computed.items())


def with_computed(state: Resolution, plan: Aggregate, released: Plan, computed: Keys) -> Project:
    """What is released of `plan` without those keys, with them, of the types that these have."""
    here: dict[int, Expr] = {c.id: Ref(c) for c in released.columns}
    values = here | {c.id: retyped(e, here) for c, e in computed}
    return Project(
        released, tuple((state.typed(c, values[c.id]), values[c.id]) for c in plan.columns)
    )
