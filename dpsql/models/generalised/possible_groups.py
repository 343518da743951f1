"""Groups that a step may have, before any is known: for a text that stands for it."""

from __future__ import annotations

from datetime import date, datetime
from itertools import product

from dpsql.models.columns import released
from dpsql.models.generalised.newton_sums import Key
from dpsql.report.explanation import Explanation
from dpsql.types import Type

FLOATS = (0.5, float("nan"), float("inf"))
TEMPORAL = {"DATE": date(2000, 1, 1), "TIMESTAMP": datetime(2000, 1, 1, 12, 30, 0, 5)}


def possible(first: Explanation, keys: int) -> list[Key]:
    """All groups, where they are listed; else some, with a value of each key's type, and NULL.

    Args:
        first: the first query of a fit.
        keys: how many of its columns are keys.
    """
    query = released(first)
    assert query.trace is not None
    listed = {key.column.id: key.values for key in query.releases[0].domain.listed}
    of = [getattr(shown, "column", None) for shown in query.trace.outputs[:keys]]
    values = [
        listed.get(column.id if column else -1) or _some(shown.type)
        for column, shown in zip(of, query.trace.outputs, strict=False)
    ]
    return list(product(*values))


def _some(kind: Type) -> Key:
    if kind.is_float:
        return (*FLOATS, None)
    if kind.is_boolean:
        return (False, True, None)
    if kind.is_numeric:
        return (1, None)
    if kind.is_temporal:
        return (TEMPORAL.get(kind.name, TEMPORAL["TIMESTAMP"]), None)
    return (kind.values[0] if kind.values else "x", None)
