"""Which measurements each output column is made of."""

from __future__ import annotations

from collections.abc import Mapping

from dpsql.compile import ReleasedQuery
from dpsql.plan.expr import columns_of
from dpsql.sensitivity.formulas import Picked, terms


def measurements(query: ReleasedQuery) -> Mapping[str, tuple[int, ...]]:
    """By the name of the output column, in small letters, the places of its measurements in the
    explanation; nothing where it is not modelled how the noise reaches the output.
    """
    if query.trace is None or len(query.releases) != 1:
        return {}
    (point,) = query.releases
    made: dict[str, tuple[int, ...]] = {}
    for name, expr in zip(query.names, query.trace.outputs, strict=True):
        read = columns_of(expr)
        used: set[int] = set()
        for output in point.outputs:
            if output.column.id in read:
                formula = output.formula
                used |= {term.measure for term in terms(formula)}
                if isinstance(formula, Picked):
                    used.add(len(point.measures) + formula.pick)
        if used:
            made.setdefault(name.lower(), tuple(sorted(used)))
    return made
