"""A block as a left-deep tree of inner joins in which each new table is tied to those before it.

    FROM lineitem, customer, orders WHERE l_orderkey = o_orderkey AND c_custkey = o_custkey
    ((lineitem JOIN orders ON l_orderkey = o_orderkey) JOIN customer ON c_custkey = o_custkey)

The order of FROM decides among equals. Inner joins commute and associate, so the rows are the same;
the engine chooses its own order again. A term stands at the first place where its columns are.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.analyze.keys import equalities
from dpsql.analyze.unit import Anchor, scan_anchors
from dpsql.errors import Diagnostic, Rejected
from dpsql.plan.expr import Expr, columns_of, conjunction
from dpsql.plan.nodes import Filter, Join, OneRow, Plan, Scan
from dpsql.policy.schema import Schema
from dpsql.rewrite.flatten import Block, factor

MAX_TERMS = 500
"""Conditions of one block: the time of the engine's planner grows faster than their square."""


def join_tree(block: Block, schema: Schema, used: frozenset[int]) -> Plan:
    """The block as a plan without projections.

    Args:
        block: scans under a conjunction.
        schema: says which columns lead to the unit.
        used: the columns that are read above it; others are left out of the scans.
    """
    terms = list(dict.fromkeys(part for term in block.terms for part in factor(term)))
    if len(terms) > MAX_TERMS:
        message = f"more than {MAX_TERMS} conditions joined by AND"
        help = "x NOT IN (…) takes many constants in one"
        raise Rejected(Diagnostic("DP103", message, terms[MAX_TERMS].span, help))
    used = used.union(*map(columns_of, terms))
    scans = [_pruned(scan, used) for scan in block.scans]
    order = _order(scans, equalities(terms), schema)
    available: frozenset[int] = frozenset()
    plan: Plan = OneRow()
    for position, scan in enumerate(order):
        own = frozenset(c.id for c in scan.columns)
        local = [t for t in terms if columns_of(t) <= own and columns_of(t)]
        side: Plan = _filtered(scan, local)
        available |= own
        placed = set(local)
        terms = [t for t in terms if t not in placed]
        if position == 0:
            plan = side
            continue
        ready = [t for t in terms if columns_of(t) <= available and columns_of(t)]
        placed = set(ready)
        terms = [t for t in terms if t not in placed]
        plan = Join(plan, side, conjunction(ready), scan.span)
    return _filtered(plan, terms)  # constants, such as WHERE FALSE


def _pruned(scan: Scan, used: frozenset[int]) -> Scan:
    """The scan with the columns that are used, and those that its key and its unit need."""
    needed = {name.lower() for name in (*scan.table.key, scan.table.owner or "")}
    kept = [
        (column, name)
        for column, name in zip(scan.columns, scan.fields, strict=True)
        if column.id in used or name.lower() in needed
    ]
    return replace(scan, columns=tuple(c for c, _ in kept), fields=tuple(n for _, n in kept))


def _filtered(plan: Plan, terms: list[Expr]) -> Plan:
    predicate = conjunction(terms)
    return plan if predicate is None else Filter(plan, predicate)


def _order(scans: list[Scan], pairs: list[tuple[int, int]], schema: Schema) -> list[Scan]:
    order = scans[:1]
    rest = scans[1:]
    while rest:
        best = min(rest, key=lambda s: (_distance(order, s, pairs, schema), rest.index(s)))
        order.append(best)
        rest.remove(best)
    return order


def _distance(placed: list[Scan], scan: Scan, pairs: list[tuple[int, int]], schema: Schema) -> int:
    """0: tied by a key or by the unit; 1: tied by some equality; 2: tied, across units; 3: not."""
    before = {c.id for s in placed for c in s.columns}
    own = {c.id for c in scan.columns}
    ties = [(a, b) for a, b in pairs if a in before and b in own]
    ties += [(b, a) for a, b in pairs if b in before and a in own]
    if not ties:
        return 3
    if scan.table.private and any(s.table.private for s in placed):
        anchors: dict[int, Anchor] = {}
        for s in [*placed, scan]:
            anchors.update(scan_anchors(s, schema))
        same = any(a in anchors and anchors[a] == anchors.get(b) for a, b in ties)
        return 0 if same else 2
    names = {scan.fields[[c.id for c in scan.columns].index(b)].lower() for _, b in ties}
    covered = bool(scan.table.key) and {k.lower() for k in scan.table.key} <= names
    return 0 if covered else 1
