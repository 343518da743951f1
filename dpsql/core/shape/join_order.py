"""A block as a left-deep tree of inner joins in which each new table is tied to those before it.

    FROM lineitem, customer, orders WHERE l_orderkey = o_orderkey AND c_custkey = o_custkey
    ((lineitem JOIN orders ON l_orderkey = o_orderkey) JOIN customer ON c_custkey = o_custkey)

The order of FROM decides among equals. Inner joins commute and associate, so the rows are the same;
the engine chooses its own order again. A term stands at the first place where its columns are.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.keys import compared, covers, equalities
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.unit import Anchor, same_unit
from dpsql.core.plan.expr import Expr, columns_of, conjunction
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Filter, Join, OneRow, Plan, Project, Released, Scan, filtered
from dpsql.core.schema import Schema
from dpsql.core.shape.flatten import Block, factor
from dpsql.errors import Diagnostic, Rejected

Terms = list[tuple[Expr, frozenset[int]]]
"""Conditions, each with the columns that it reads."""

MAX_TERMS = 500
"""Conditions of one block: the time of the engine's planner grows faster than their square."""


def join_tree(block: Block, schema: Schema, used: frozenset[int]) -> Plan:
    """The block as a plan without projections.

    Args:
        block: sources, marks and a conjunction.
        schema: says which columns lead to the unit.
        used: the columns that are read above it; others are left out of the scans.
    """
    terms = list(dict.fromkeys(part for term in block.terms for part in factor(term)))
    if len(terms) > MAX_TERMS:
        message = f"more than {MAX_TERMS} conditions joined by AND"
        help = "x NOT IN (…) takes many constants in one"
        raise Rejected(Diagnostic("DP103", message, terms[MAX_TERMS].span, help))
    left = [(term, columns_of(term)) for term in terms]
    used = used.union(*(read for _, read in left))
    marks = frozenset(m.column.id for m in block.marks)
    after = [t for t, read in left if read & marks]
    left = [(t, read) for t, read in left if not read & marks]
    sources = [_pruned(s, used) if isinstance(s, Scan) else s for s in block.sources]
    order = _order(sources, left, schema)
    available: frozenset[int] = frozenset()
    plan: Plan = OneRow()
    for position, source in enumerate(order):
        own = frozenset(c.id for c in source.columns)
        local, left = _placed(left, own)
        side: Plan = filtered(source, local)
        available |= own
        if position == 0:
            plan = side
            continue
        ready, left = _placed(left, available)
        span = None if isinstance(source, OneRow | Filter | Project | Released) else source.span
        plan = Join(plan, side, conjunction(ready), span)
    plan = filtered(plan, [t for t, _ in left])  # constants, such as WHERE FALSE
    for mark in block.marks:
        plan = Join(plan, mark.right, mark.condition, mark.span, "mark", mark.column)
    return filtered(plan, after)


def _placed(terms: Terms, available: frozenset[int]) -> tuple[list[Expr], Terms]:
    """The terms whose columns are all there, and the others."""
    here = [t for t, read in terms if read and read <= available]
    return here, [(t, read) for t, read in terms if not (read and read <= available)]


def _pruned(scan: Scan, used: frozenset[int]) -> Scan:
    """The scan with the columns that are used, and those that its key and its units need."""
    table = scan.table
    needed = {name.lower() for name in (*table.key, table.owner or "", *table.others)}
    kept = [
        (column, name)
        for column, name in zip(scan.columns, scan.fields, strict=True)
        if column.id in used or name.lower() in needed
    ]
    return replace(scan, columns=tuple(c for c, _ in kept), fields=tuple(n for _, n in kept))


def _order(sources: list[Plan], terms: Terms, schema: Schema) -> list[Plan]:
    if len(sources) < 2:
        return sources
    known = [(source, analyze(source, schema)) for source in sources]
    order, rest = known[:1], known[1:]
    while rest:
        distances = [_distance(order, properties, terms) for _, properties in rest]
        best = distances.index(min(distances))
        order.append(rest.pop(best))
    return [source for source, _ in order]


def _distance(placed: list[tuple[Plan, Properties]], own: Properties, every: Terms) -> int:
    """0: tied by a key or by the unit; 1: tied by some equality; 2: tied, across units; 3: not.
    One row, such as a scalar's, is tied to everything.
    """
    if own.table_rows == 1:
        return 0
    before = frozenset[int]().union(*(p.columns for _, p in placed))
    terms = [t for t, read in every if read & before and read & own.columns]
    met = compared(terms, own.columns, before)
    if not met and not compared(terms, before, own.columns):
        return 3
    if own.kind is Kind.TRACKED and any(p.kind is Kind.TRACKED for _, p in placed):
        anchors: dict[int, Anchor] = {}
        for _, properties in placed:
            anchors.update(properties.anchors)
        pairs = equalities(terms)
        return 0 if same_unit(anchors, own.anchors, pairs + [(b, a) for a, b in pairs]) else 2
    return 0 if covers(met, own.keys) else 1
