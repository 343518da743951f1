"""Group keys that released or public rows fix: they are no keys of what is released, and joined to
it.

    SELECT t.k, g.a, COUNT(*) FROM t JOIN g ON g.k = t.k GROUP BY t.k, g.a      -- g is released
    SELECT n.k, g.a, n.c FROM (SELECT t.k, COUNT(*) AS c … GROUP BY t.k) AS n JOIN g ON g.k = n.k

Claim: the groups are the same, and where g.a could have many values those that it does not have are
not listed. Why: the other keys fix a key of g, and so the row, and with it what is computed of its
columns and of those keys; as a join of noisy rows it is post-processing. The private rows stay
joined to g, so that no other rows count than before.

Of public tables it is done where the keys that fix the row have few values, as a condition
(`WHERE t.k IN (1, 2)`) or the policy says: then a unit is in no more groups than there are of
these, where g.a could have any values (`release.in_groups`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpsql.core.functions.build import make
from dpsql.core.infer.keys import equalities
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Column, Expr, Ref, columns_of, conjunction
from dpsql.core.plan.nodes import Aggregate, Join, Plan, Project, Released, Scan
from dpsql.core.shape.flatten import Block, flatten
from dpsql.core.shape.retype import retyped
from dpsql.errors import Rejected
from dpsql.front.resolve.fixed_values import equal_to, public_key
from dpsql.front.resolve.fresh_copy import fresh_copy
from dpsql.front.resolve.state import Resolution

Keys = tuple[tuple[Column, Expr], ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Keys that a source of released rows, or a public table, fixes.

    Attributes:
        source: the released rows, or the table.
        ties: a column of it, and the group key that is equal to it.
        kept: group keys that are columns, by these.
        keys: the group keys that are computed of its columns, and perhaps of those.
    """

    source: Released | Scan
    ties: tuple[tuple[Column, Column], ...]
    kept: Mapping[int, Column]
    keys: Keys


def without_fixed(state: Resolution, plan: Aggregate) -> tuple[Aggregate, tuple[Fixed, ...]]:
    """The aggregate without such keys, and these."""
    block = flatten(plan.input)
    keys = tuple((c, block.inline(e)) for c, e in plan.keys)
    found: list[Fixed] = []
    for source in block.sources:
        feed = isinstance(source, Released) and source.name in state.feeds
        if not isinstance(source, Released | Scan) or not (feed or public_key(source)):
            continue
        fixed = _fixed(source, keys, block)
        if fixed is not None and (feed or _few(state, plan, [g for _, g in fixed.ties])):
            found.append(fixed)
            keys = tuple(k for k in keys if k not in fixed.keys)
    left = {c.id for c, _ in keys}
    return replace(plan, keys=tuple(k for k in plan.keys if k[0].id in left)), tuple(found)


def _few(state: Resolution, plan: Aggregate, ties: list[Column]) -> bool:
    """Whether it is known which values these keys can have."""
    try:
        known = analyze(plan.input, state.schema).expected
    except Rejected:  # and so it is where the groups are released
        return False
    return all(infer(e, known).finite is not None for c, e in plan.keys if c in ties)


def _fixed(source: Released | Scan, keys: Keys, block: Block) -> Fixed | None:
    own = {c.id: c for c in source.columns}
    equal = _equal(block)
    kept = {e.column.id: c for c, e in keys if isinstance(e, Ref) and e.column.id not in own}
    ties = {y: kept[x] for x, y in equal if x in kept and y in own}
    computed = [(c, e) for c, e in keys if not isinstance(e, Ref)]
    ties |= {y: c for c, e in computed for y in equal_to(e, block) if y in own}
    ties = {e.column.id: c for c, e in keys if isinstance(e, Ref) and e.column.id in own} | ties
    unique = (public_key(source),) if isinstance(source, Scan) else source.keys
    key = next((k for k in unique if k <= ties.keys()), None)
    if key is None:
        return None
    known, by = own.keys() | kept.keys(), {ties[i] for i in key}
    of = ((k, columns_of(k[1])) for k in keys if k[0] not in by)
    made = tuple(k for k, read in of if read & own.keys() and read <= known)
    return (
        Fixed(source, tuple((own[i], ties[i]) for i in sorted(key)), kept, made) if made else None
    )


def _equal(block: Block) -> set[tuple[int, int]]:
    """The columns that conditions equate, also by way of others."""
    found = {(x, y) for a, b in equalities(block.terms) for x, y in ((a, b), (b, a))}
    while more := {(x, z) for x, y in found for a, z in found if y == a and x != z} - found:
        found |= more
    return found


def with_fixed(
    state: Resolution, plan: Aggregate, released: Plan, found: tuple[Fixed, ...]
) -> Plan:
    """What is released of `plan` without the keys that were found, with them."""
    values: dict[int, Expr] = {c.id: Ref(c) for c in released.columns}
    for fixed in reversed(found):  # a key that another was fixed by may be of one found later
        source = fixed.source
        feed = state.feeds[source.name] if isinstance(source, Released) else None
        of: Plan = source if feed is None else feed.plan
        copy, names = fresh_copy(of, lambda c: state.ids.column(c.name, c.type))
        pairs = zip(source.columns, of.columns if feed is None else feed.columns, strict=True)
        here: dict[int, Expr] = {c.id: Ref(names[old.id]) for c, old in pairs}
        here |= {i: values[c.id] for i, c in fixed.kept.items()}
        terms = [make("eq", (values[g.id], here[c.id]), None) for c, g in fixed.ties]
        released = Join(released, copy, conjunction(terms), plan.span)
        values |= {c.id: retyped(e, here) for c, e in fixed.keys}
    return Project(
        released, tuple((state.typed(c, values[c.id]), values[c.id]) for c in plan.columns)
    )
