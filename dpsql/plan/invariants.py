"""What holds of every plan, checked between passes. A violation is a bug of dpsql's own."""

from __future__ import annotations

from dpsql.plan.expr import Ref, walk
from dpsql.plan.nodes import Aggregate, Plan, Project, Scan, expressions, inputs, nodes


class InvariantError(AssertionError):
    """A pass made a plan that is not one; nothing was read and nothing is released."""


def check(plan: Plan) -> Plan:
    """Return the plan if it is well formed.

    1. An expression reads only columns that its node's inputs produce.
    2. A column is produced once: no two nodes define the same id, so a reference has one meaning.

    Raises:
        InvariantError: otherwise.
    """
    defined: set[int] = set()
    for node in nodes(plan):
        visible = {column.id: column.type for child in inputs(node) for column in child.columns}
        for expr in expressions(node):
            for part in walk(expr):
                if isinstance(part, Ref) and visible.get(part.column.id) != part.column.type:
                    raise InvariantError(f"{type(node).__name__} reads {part.column} out of scope")
        if isinstance(node, Scan):
            new = [c.id for c in node.columns]
        elif isinstance(node, Project):
            new = [c.id for c, _ in node.items]
        elif isinstance(node, Aggregate):
            new = [c.id for c in node.columns]
        else:
            new = []
        if len(set(new)) != len(new) or defined & set(new):
            raise InvariantError(f"{type(node).__name__} defines a column twice")
        defined |= set(new)
    return plan
