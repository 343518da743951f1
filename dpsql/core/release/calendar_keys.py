"""Group keys of days and moments that are told apart: NULL beyond the years 1 to 9999.

Claim: no two groups of the engine are one here. Why: Python has no other days, and the infinite one
is the last day there, so that two groups would be one, in which a unit counts twice. Where a key
cannot be beyond these years, neither in the rows nor in the public list, it stays as it is; in both
it is then the same expression, so that a row is in the group that its value is listed as.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.domain import Domain, PublicKeys
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Call, Column, Expr
from dpsql.core.schema import Schema

Keys = tuple[tuple[Column, Expr], ...]


def in_calendar(
    keys: Keys, domain: Domain, properties: Properties, schema: Schema
) -> tuple[Keys, Domain]:
    """The keys, and the lists of the domain; keys that the policy lists are none of these.

    Args:
        keys: of the rows, secured.
        domain: of the groups.
        properties: of the rows.
        schema: what is declared of public tables.
    """
    wide = {c for part in domain.public for c in _beyond(part, schema)}
    unlisted = {*domain.private, *(c for part in domain.public for c in part.columns)}
    wide |= {c for c, e in keys if c in unlisted and _is_beyond(e, properties)}
    if not wide:
        return keys, domain
    lists = (
        replace(p, plan=replace(p.plan, items=_told(p.plan.items, wide))) for p in domain.public
    )
    return _told(keys, wide), replace(domain, public=tuple(lists))


def _beyond(part: PublicKeys, schema: Schema) -> list[Column]:
    days = [(c, e) for c, e in part.plan.items if e.type.is_temporal]
    return [c for c, e in days if _is_beyond(e, analyze(part.plan.input, schema))]


def _is_beyond(key: Expr, properties: Properties) -> bool:
    return key.type.is_temporal and not infer(key, properties.proven).bounded


def _told(keys: Keys, wide: set[Column]) -> Keys:
    return tuple((c, _or_null(e) if c in wide else e) for c, e in keys)


def _or_null(key: Expr) -> Expr:
    return Call("in_calendar", (key,), key.type, key.span)
