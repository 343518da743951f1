"""Write a FULL JOIN of private rows as a LEFT JOIN, and the right rows without a match.

    a FULL JOIN b ON c
    a LEFT JOIN b ON c   UNION ALL   SELECT NULL, b.* FROM b WHERE NOT EXISTS (a with c)

Claim: these are the same rows. Why: a row of the FULL JOIN is a pair that fulfils c, or a row of
one side that no row of the other fulfils c with, beside NULLs; the LEFT JOIN has the pairs and the
left rows, the second branch the right ones.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Filter, Join, Plan, Project, Union
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.types import BOOLEAN


def written_out(plan: Join, columns: tuple[Column, ...], ids: Ids) -> Plan:
    """The union.

    Args:
        plan: the FULL JOIN.
        columns: its columns, in the order in which they are known above.
        ids: new columns.
    """
    left = replace(plan, kind="left")
    copy, own = fresh_copy(plan, lambda c: ids.column(c.name, c.type))
    assert isinstance(copy, Join)
    mark = ids.column("found", BOOLEAN)
    alone = Filter(
        Join(copy.right, copy.left, copy.condition, plan.span, "mark", mark),
        Call("not", (Ref(mark),), BOOLEAN, plan.span),
    )
    ours = {c.id for c in plan.left.columns}
    items: list[tuple[Column, Expr]] = []
    for c in columns:
        value: Expr = Literal(None, c.type) if c.id in ours else Ref(own[c.id])
        items.append((ids.column(c.name, c.type), value))
    inner = tuple((ids.column(c.name, c.type), Ref(c)) for c in columns)
    branches = (Project(left, inner), Project(alone, tuple(items)))
    # The columns keep the ids by which they are known above; those below get new ones.
    renamed = fresh_copy(branches[0], lambda c: ids.column(c.name, c.type))[0]
    return Union((renamed, branches[1]), columns, plan.span)
