"""Drop rows of groups outside the public domain.

    GROUP BY segment, with the declared values A and B
    … WHERE segment IN ('A', 'B')

Claim: after it, each key of every row has a value that is listed. Why: the condition is TRUE for
these alone; it is left out only where the key's proven values lie among them already. So the groups
that rows are in are the domain's and, of keys that are listed together (`infer.in_common`), other
combinations: these are not asked for, and what bounds the groups of a unit counts them, too
(`Domain.product`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dpsql.core.enforce.secure import secure, total
from dpsql.core.functions.build import make
from dpsql.core.functions.moments import starts, unit_of
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.temporal import TRUNCATIONS
from dpsql.core.infer.domain import Domain
from dpsql.core.infer.in_common import ListedKey
from dpsql.core.infer.narrower import among, between
from dpsql.core.infer.properties import Properties
from dpsql.core.infer.ranges import Environment, infer
from dpsql.core.plan.expr import Call, Column, Expr, Ref
from dpsql.core.plan.values import enumerate_interval
from dpsql.types import Scalar

Keys = tuple[tuple[Column, Expr], ...]


def tested_keys(
    keys: Keys,
    plain: Keys,
    domain: Domain,
    properties: Properties,
    unfiltered: tuple[Environment, Environment],
) -> Keys:
    """The keys as the engine computes them. One that is tested for membership stands in a predicate
    beside the query's own, and the engine may evaluate those in any order, even below a join: so
    it must be total without them.

    Args:
        keys: secured under the query's predicates.
        plain: the same before that.
        domain: which of them are tested.
        properties: of the rows that are grouped.
        unfiltered: what their columns can be before any predicate.
    """
    tested = {k.column.id for k in domain.listed if _membership(k, properties) is not None}
    originals = {column.id: expr for column, expr in plain}

    def everywhere(column: Column) -> Expr:
        expr = secure(originals[column.id], *unfiltered, value=False)
        # Perhaps of a wider type now; back to the one that the groups are of.
        same = expr.type == column.type
        return expr if same else total(coerce(expr, column.type), unfiltered[0])

    return tuple((c, everywhere(c) if c.id in tested else e) for c, e in keys)


def members(domain: Domain, properties: Properties) -> tuple[Expr, ...]:
    """The conditions that drop rows of groups outside the domain, where such could occur at all."""
    tests = (_membership(key, properties) for key in domain.listed)
    return tuple(test for test in tests if test is not None)


def _membership(key: ListedKey, properties: Properties) -> Expr | None:
    """The condition that a group's key is in the domain; None where it always is."""
    fact = infer(key.expr, properties.proven)
    real = [v for v in key.values if v is not None]
    has_null = len(real) < len(key.values)
    known = enumerate_interval(fact, key.expr.type)
    inside = known is not None and set(known) <= set(real)
    # That conditions contradict each other, so that NULL is left, only we know: it is tested.
    alone = has_null and not known
    if inside and not alone and (has_null or not fact.nullable):
        return None
    column = Ref(key.column)
    ends = real[:1] + real[-1:]
    test = between(column, *ends) if _every_start(key.expr, real) else among(column, real)
    if has_null:
        null = make("is_null", (column,), None)
        test = make("or", (test, null), None) if real else null
    return total(test, {key.column.id: fact})


def _every_start(expr: Expr, values: Sequence[Scalar]) -> bool:
    """Whether an expression has no values between the first and the last of these but these: it is
    the start of an hour, say, and these are all hours.
    """
    if not (isinstance(expr, Call) and expr.function == "date_trunc" and len(values) > MANY):
        return False
    low, high = values[0], values[-1]
    if not (isinstance(low, datetime) and isinstance(high, datetime)):
        return False
    unit = unit_of(expr.args[0], TRUNCATIONS)
    return starts(unit, low, high, len(values) + 1) == tuple(values)


MANY = 100
"""So many values are no longer listed."""
