"""What holds of every plan, checked between passes. A violation is a bug of dpsql's own."""

from __future__ import annotations

from dpsql.core.plan.expr import Ref, walk
from dpsql.core.plan.nodes import Apply, Join, Named, Plan, Released, defined, expressions, inputs


class InvariantError(AssertionError):
    """A pass made a plan that is not one; nothing was read and nothing is released."""


def check(plan: Plan) -> Plan:
    """Return the plan if it is well formed.

    1. An expression reads only columns that its node's inputs produce; in the subquery of an Apply
       also those of the Apply's input.
    2. A column is produced once: no two nodes define the same id, so a reference has one meaning.
       A query that is named once is looked at once; its uses have columns of their own.

    Raises:
        InvariantError: otherwise.
    """
    _check(plan, {}, set(), set())
    return plan


Visible = dict[int, object]


def _check(plan: Plan, outer: Visible, known: set[int], named: set[int]) -> None:
    if isinstance(plan, Named):
        if id(plan.query) not in named:
            named.add(id(plan.query))
            _check(plan.query, outer, known, named)
    elif isinstance(plan, Apply):
        _check(plan.input, outer, known, named)
        inside = {**outer, **{c.id: c.type for c in plan.input.columns}}
        _check(plan.subquery, inside, known, named)
    else:
        for child in inputs(plan):
            _check(child, outer, known, named)
    visible = dict(outer)
    visible.update((c.id, c.type) for child in inputs(plan) for c in child.columns)
    for expr in expressions(plan):
        for part in walk(expr):
            if isinstance(part, Ref) and visible.get(part.column.id) != part.column.type:
                raise InvariantError(f"{type(plan).__name__} reads {part.column} out of scope")
    if isinstance(plan, Join) and (plan.kind == "mark") != (plan.mark is not None):
        raise InvariantError("a mark belongs to a mark join")
    new = [c.id for c in defined(plan)]
    # What was released may be read in several places; it is the same rows.
    if not isinstance(plan, Released) and (len(set(new)) != len(new) or known & set(new)):
        raise InvariantError(f"{type(plan).__name__} defines a column twice")
    known |= set(new)
