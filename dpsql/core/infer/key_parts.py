"""Group keys that are computed of several public tables, or of one and of what has few values.

    GROUP BY regions.name || products.name              a product of two tables
    GROUP BY regions.name || people.segment             of a table and what `segment` can be
    GROUP BY regions.name || MONTH(orders.placed)       of a table and twelve months

Parts of which one key is computed are one part, the product of their values; what a key reads
beside is in it as a column with these values.

Claim: as of `public_parts`, for the parts together. Why: a row of the plan has a row in each part,
and of what is beside one of the values that it is proven to have; so it has one in the product.
Nothing private hangs on it: a list is made of public tables, the text and the policy, and a row
that it lacks is counted in a group that nobody asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from dpsql.core.infer.image import Options, above, image
from dpsql.core.infer.properties import Properties
from dpsql.core.infer.public_parts import public_parts
from dpsql.core.infer.ranges import Environment
from dpsql.core.plan.expr import Column, Expr, Literal, Ref, children, columns_of, walk
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import Aggregate, Join, OneRow, Plan, Project, Union

MAX_BESIDE = 1_000
"""Values that are put beside a public table's rows."""


@dataclass(frozen=True, slots=True)
class KeyPart:
    """Columns, and a public plan that has each combination of their values; and, where it is a
    product, what of: how many rows it makes is the product of theirs.
    """

    columns: frozenset[int]
    plan: Plan
    factors: tuple[Plan, ...] = ()


def parts_of_keys(
    plan: Plan, keys: tuple[Expr, ...], properties: Properties, ids: Ids
) -> tuple[list[KeyPart], tuple[Expr, ...]]:
    """The public parts of a plan, and the keys over their columns where they have them. A key of
    which few values are known anyway joins no parts.

    Args:
        plan: the rows.
        keys: the group keys.
        properties: of the rows.
        ids: for the columns of what is beside, and of what is joined.
    """
    parts, own = public_parts(plan), dict[Expr, Column]()
    public = frozenset[int]().union(*(columns for columns, _ in parts))
    tied: list[set[int]] = []
    for key in keys:
        met = {n for n, (columns, _) in enumerate(parts) if columns & columns_of(key)}
        beside = tuple(private_parts(key, public))
        if not met or len(met) + len(beside) == 1 or image(key, properties.expected) is not None:
            continue
        new = (part for part in beside if part not in own)
        listed = {part: listed_beside(part, properties.proven) for part in new}
        if None in listed.values():
            continue
        for part, options in listed.items():
            own[part] = ids.column("beside", part.type)
            parts.append((frozenset({own[part].id}), _rows(own[part], options or ())))
        theirs = {own[part].id for part in beside}
        met |= {n for n, (columns, _) in enumerate(parts) if columns & theirs}
        tied = [*(t for t in tied if not t & met), met.union(*(t for t in tied if t & met))]
    read = {n.column for key in keys for n in walk(key) if isinstance(n, Ref)}
    met = set[int]().union(*tied)
    found = [KeyPart(*part) for n, part in enumerate(parts) if n not in met]
    for together in tied:
        factors = tuple(_distinct(parts[n][1], read, own, ids) for n in sorted(together))
        product = reduce(lambda a, b: Join(a, b, None), factors)
        found.append(KeyPart(frozenset(c.id for c in product.columns), product, factors))
    return found, tuple(above(key, own) for key in keys)


def _distinct(plan: Plan, read: set[Column], own: dict[Expr, Column], ids: Ids) -> Plan:
    """The values of a part's columns that keys read, each once; `own` learns what they are called
    there. A table may have many rows of few values.
    """
    used = [c for c in plan.columns if c in read]
    if not used:
        return plan  # what is beside
    own |= {Ref(c): ids.column(c.name, c.type) for c in used}
    return Aggregate(plan, tuple((own[Ref(c)], Ref(c)) for c in used), ())


def private_parts(key: Expr, public: frozenset[int]) -> Iterator[Expr]:
    """The largest parts of a key that read columns, and none of the public ones."""
    used = columns_of(key)
    if used and not used & public:
        yield key
    elif used:
        for child in children(key):
            yield from private_parts(child, public)


def listed_beside(part: Expr, env: Environment) -> Options | None:
    """The values of a key's private part, where these are few enough."""
    found = image(part, env)
    return found if found and len(found) <= MAX_BESIDE else None


def _rows(column: Column, options: Options) -> Plan:
    rows = tuple(Project(OneRow(), ((column, Literal(v, column.type)),)) for v in options)
    return Union(rows, (column,))
