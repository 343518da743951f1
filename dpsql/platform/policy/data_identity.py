"""Which data set a budget is for: the same, whatever its tables are called.

The account in a ledger is found by this digest. It is made of the neighbour relation, of the period
of units in time, and of the shape of ownership: which private tables lead to the unit, and through
which others. Whoever renames tables, columns or views, or declares other bounds, or opens the data
again, gets the same account and no new budget. Whoever adds a private table gets another digest; a
ledger that has an account already then refuses until the owner says that it goes on.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import get_args

from dpsql.core.schema import Neighbours, Schema

_FORMAT = 1
PERIODS = ("day", "week", "month", "quarter", "year")
"""Of units in time."""


def identity(schema: Schema, account: str | None, period: str | None = None) -> str:
    """The digest of a data set, in hexadecimal.

    Args:
        schema: the policy, merged with the catalog's references.
        account: the owner's own name for it, which then stands in the place of the shape.
        period: of units in time; None where units have all of their rows.
    """
    shapes = sorted(_shape(kind) for kind in schema.kinds) or _shape(schema)
    what: dict[str, object] = {"name": account} if account is not None else {"shape": shapes}
    if period is not None:
        what["period"] = period
    content = {"format": _FORMAT, "neighbours": schema.neighbours, **what}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def rivals(schema: Schema, account: str | None, period: str | None = None) -> tuple[str, ...]:
    """The digests that a data set with that name would have with other neighbours.

    A name says which data set it is; who its neighbours are, and for how long a unit is one, says
    what is promised of it. So a ledger that has an account under one of these has an account of
    this data set, and another promise was made there: the owner must say that its budget goes on.
    """
    if account is None:
        return ()
    own = identity(schema, account, period)
    every = (
        identity(replace(schema, neighbours=other), account, length)
        for other in get_args(Neighbours)
        for length in (None, *PERIODS)
    )
    return tuple(other for other in every if other != own)


def _shape(schema: Schema) -> str:
    """The tree of the owner references with the unit as its root, without names and in an order
    that does not depend on them."""
    children: dict[str, list[str]] = {}
    for table in schema.tables.values():
        if table.private:
            reference = schema.next_owner(table)
            parent = "" if reference is None else reference.table.lower()
            children.setdefault(parent, []).append(table.name.lower())

    def drawn(name: str) -> str:
        return "(" + "".join(sorted(map(drawn, children.get(name, ())))) + ")"

    return drawn("")
