"""A plan above releases with columns that tell its rows apart, whatever noise the numbers got.

What is computed of noisy rows can be computed again of others; `marked` says which row is which: a
row of a release by its number, a group by its keys, a row of a UNION by its branch besides. Rows of
public tables have no mark.
"""

from __future__ import annotations

from dpsql.core.functions.spec import coerce
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.ids import Ids
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
    inputs,
    with_inputs,
)
from dpsql.core.release.trace import ROW
from dpsql.types import BIGINT, VARCHAR


def marked(plan: Plan, ids: Ids) -> Plan:
    """The plan's columns, then its marks.

    Args:
        plan: what is above the releases.
        ids: new columns.
    """
    inner, marks = _marked(plan, ids)
    named = (*plan.columns, *marks)
    return Project(inner, tuple((ids.column(c.name, c.type), Ref(c)) for c in named))


def _marked(plan: Plan, ids: Ids) -> tuple[Plan, tuple[Column, ...]]:
    match plan:
        case Released():
            row = ids.column(ROW, BIGINT)
            return Released(plan.name, (*plan.columns, row), (*plan.fields, ROW)), (row,)
        case Aggregate():
            return plan, tuple(c for c, _ in plan.keys)
        case Union():
            return _union(plan, ids)
        case Join() if plan.mark is not None:
            left, marks = _marked(plan.left, ids)
            return with_inputs(plan, (left, plan.right)), marks
        case Filter() | Sort() | Limit() | Window() | Join():
            found = [_marked(child, ids) for child in inputs(plan)]
            below = with_inputs(plan, tuple(made for made, _ in found))
            return below, tuple(mark for _, marks in found for mark in marks)
        case Project():
            below, marks = _marked(plan.input, ids)
            mine = tuple((ids.column(m.name, m.type), Ref(m)) for m in marks)
            return Project(below, (*plan.items, *mine)), tuple(c for c, _ in mine)
        case Scan() | OneRow() | Apply() | Named():
            return plan, ()


def _union(plan: Union, ids: Ids) -> tuple[Plan, tuple[Column, ...]]:
    """The marks as texts, since those of one branch are no others' kind."""
    found = [_marked(branch, ids) for branch in plan.branches]
    most = max(len(marks) for _, marks in found)
    branches = []
    for number, (branch, (made, marks)) in enumerate(zip(plan.branches, found, strict=True)):
        texts: list[Expr] = [Call("cast", (Ref(m),), VARCHAR) for m in marks]
        texts += [coerce(Literal(None, VARCHAR), VARCHAR)] * (most - len(marks))
        items: list[tuple[Column, Expr]] = [(c, Ref(c)) for c in branch.columns]
        items += [(ids.column("mark", VARCHAR), e) for e in (Literal(str(number), VARCHAR), *texts)]
        branches.append(Project(made, tuple(items)))
    own = tuple(ids.column("mark", VARCHAR) for _ in range(most + 1))
    return Union(tuple(branches), (*plan.columns, *own), plan.span), own
