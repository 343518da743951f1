"""What is known of groups, of UNION ALL, and of window functions.

A grouped plan stays private where its keys determine the unit: a key is a home, so that all rows of
a group that belong to anybody belong to one unit, and the group with them. One unit then has at
most as many groups as rows, and as combinations of the values of the keys; one group if the unit
determines all keys; and if the home is the only key, at most as many as the table at which it is
anchored has rows for a unit. A group has at most as many rows as the unit, or as share the value of
the home.

Ranges, for g rows in a group with values in [a, b]; of public rows g is how many the table has:
    COUNT(*) in [1, g]; COUNT(x) in [0, g], and at least 1 where x is never NULL
    SUM(x)   in [min(a, g·a), max(b, g·b)]; NULL only where x can be NULL in every row
    AVG(x)   in [a, b] (rounded outward), MIN and MAX too

UNION ALL: a unit's rows add up. A column is a home where it is one in every branch. It keeps an
anchor that it has in every branch where it can be other than NULL: as on the NULL-extended side of
an outer join, NULL is equal to nothing, so that no equality says anything of such a row.

Window functions over partitions that a home is part of read rows of one unit only. No two rows of a
partition have the same ROW_NUMBER, so that with the partition's columns it is a key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dpsql.core.infer.evidence import Evidence
from dpsql.core.infer.keys import Keys, plain_column
from dpsql.core.infer.multiplicity import ONE, Bound, anchored_rows, combinations
from dpsql.core.infer.properties import Properties, as_expected, rows_in_group
from dpsql.core.infer.ranges import Environment, as_said, infer
from dpsql.core.infer.unit import UNIT, Anchor
from dpsql.core.plan.expr import Column, Expr, Literal, columns_of
from dpsql.core.plan.invariants import InvariantError
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    AggregateCall,
    OneRow,
    Project,
    Released,
    Scan,
    Union,
    Window,
    WindowCall,
    nodes,
)
from dpsql.core.plan.values import Values, of_type, outward
from dpsql.core.plan.values import union as either
from dpsql.core.schema import Schema
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import Type


def homes(keys: tuple[Expr, ...], below: Properties) -> frozenset[int]:
    """The homes among the keys."""
    plain = (plain_column(key) for key in keys)
    return frozenset(c for c in plain if c is not None and c in below.home)


def aggregate(plan: Aggregate, below: Properties, schema: Schema) -> Properties:
    """The properties of groups; private rows stay such where each group is of one unit.

    Claim: a group of tracked rows with a home among its keys has rows of one unit. Why: the home's
    value tells the unit, and all rows of a group have the same one.

    Raises:
        InvariantError: tracked rows are grouped by no home: that is a release point, and none of a
            private plan.
    """
    tracked = below.kind is Kind.TRACKED
    plain = {c.id: plain_column(e) for c, e in plan.keys}
    found = homes(tuple(e for _, e in plan.keys), below)
    if tracked != plan.per_unit or (tracked and not found):
        raise InvariantError("groups that stay private are of one unit each")
    group = _group_rows(plan, found, below, schema) if tracked else _public_rows(below)
    rows = _groups(plan, below, found, schema) if tracked else ONE
    columns = frozenset(c.id for c in plan.columns)
    key = frozenset(c.id for c, _ in plan.keys)
    determined = frozenset(c.id for c, e in plan.keys if columns_of(e) <= below.determined)
    if rows.proven == 1:
        determined = columns

    def known(env: Environment, most: int | None) -> Environment:
        keys = {c.id: infer(e, env) for c, e in plan.keys}
        calls = {
            c.id: _call(call, c.type, env, _added(c, tracked, most), bool(plan.keys))
            for c, call in plan.calls
        }
        return {**keys, **calls}

    def expected(env: Environment) -> Environment:
        columns, most = plan.input.columns, group.claimed
        worth = _worth_adding(plan.calls, env, columns, most, bool(plan.keys), tracked)
        return {**known(env, most), **worth}

    source = {new: old for new, old in plain.items() if old is not None}
    return replace(
        below,
        columns=columns,
        proven=known(below.proven, group.proven),
        claimed=known(below.claimed, group.claimed),
        expected=as_expected(*map(expected, (below.expected, below.with_nulls))),
        anchors={n: below.anchors[o] for n, o in source.items() if o in below.anchors},
        home=frozenset(n for n, o in source.items() if o in found),
        rows=rows,
        rows_why=_groups_why(rows, below) if tracked else None,
        per_value=dict.fromkeys(key, ONE) if len(key) == 1 else {},
        keys=(key,),
        determined=determined if tracked else frozenset(),
        # Each group of public rows has a row.
        table_rows=below.table_rows if plan.keys and not tracked else None if plan.keys else 1,
        complete=False,
        parts=below.told_by(plan.keys),
    )


def _public_rows(below: Properties) -> Bound:
    """The rows of a group or a window of public rows: all that there are."""
    return Bound(below.table_rows, below.table_rows)


def _added(column: Column, tracked: bool, most: int | None) -> int | None:
    """How many rows an aggregate is of. Of public ones it is not said of a sum of floats: as the
    engine adds them, each rounded anew, it may be beyond what so many of the greatest are.
    """
    return most if tracked or not column.type.is_float else None


def _group_rows(plan: Aggregate, found: frozenset[int], below: Properties, schema: Schema) -> Bound:
    of_key = rows_in_group(plan.input, (e for _, e in plan.keys), below, schema)
    return of_key.least(*(below.per_value[c] for c in found if c in below.per_value))


def _groups(plan: Aggregate, below: Properties, found: frozenset[int], schema: Schema) -> Bound:
    used = frozenset().union(*(columns_of(e) for _, e in plan.keys))
    if used <= below.determined:
        return ONE
    options = [below.rows, combinations(used - below.determined, below.parts)]
    if used <= found and len(found) == 1:
        options += [anchored_rows(below.anchors[c], schema) for c in found]
    return below.rows.least(*options)


def _groups_why(rows: Bound, below: Properties) -> Evidence:
    if rows == ONE:
        return Evidence("one group")
    return Evidence("groups", (rows, below.rows_why))


def _worth_adding(
    calls: Iterable[tuple[Column, AggregateCall | WindowCall]],
    env: Environment,
    columns: tuple[Column, ...],
    most: int | None,
    grouped: bool,
    tracked: bool,
) -> Environment:
    """Sums and means of a unit's rows, and what is chosen among them, as far as somebody has said
    what that is of.
    """
    said = as_said(env, columns)
    found: dict[int, Values] = {}
    for column, call in calls:
        if call.function in ("sum", "avg", "min", "max"):
            plain = AggregateCall(call.function, call.arguments[0])
            rows = _added(column, tracked, most)
            found[column.id] = _call(plain, column.type, said, rows, grouped)
    return found


def _call(
    call: AggregateCall, kind: Type, env: Environment, most: int | None, grouped: bool
) -> Values:
    """What an aggregate over at most `most` rows can be; a group has at least one row."""
    least = 1 if grouped else 0
    if call.function == "count":
        if call.argument is not None and infer(call.argument, env).nullable:
            least = 0
        return _whole(least, most, kind)
    assert call.argument is not None
    x = infer(call.argument, env)
    nullable = x.nullable or not grouped
    if call.function in ("min", "max"):
        return x.but(nullable=nullable)
    if call.function in ("bool_and", "bool_or"):
        return Values(nullable=nullable, finite=(False, True))
    if call.function == "avg" and x.bounded:  # of moments it is one, and not rounded to a DOUBLE
        low, high = outward(x.low, x.high) if kind.is_float else (x.low, x.high)
        return Values(low, high, nullable)
    if call.function == "sum" and x.bounded and most is not None:
        low, high = min(x.low, x.low * most), max(x.high, x.high * most)
        if call.distinct or kind.is_float:
            low, high = min(low, x.low), max(high, x.high)
        if kind.is_float:
            low, high = outward(low, high)
        return Values(low, high, nullable)
    if call.function in ("avg", "sum"):
        return of_type(kind, nullable=nullable)
    # Others are NULL of too few rows as well: the spread of one row, for one.
    return of_type(kind)


def _whole(low: int, high: int | None, kind: Type) -> Values:
    if high is None:
        limits = kind.limits()
        assert limits is not None
        return Values(low, limits[1], False)
    return Values(low, max(low, high), False)


def union(plan: Union, below: tuple[Properties, ...]) -> Properties:
    """The properties of UNION ALL.

    Raises:
        Rejected: DP402 for public rows among private ones.
    """
    kinds = {b.kind for b in below}
    if len(kinds) > 1:
        public = [b for b, p in zip(plan.branches, below, strict=True) if p.kind is Kind.PUBLIC]
        names = {n.table.name for b in public for n in nodes(b) if isinstance(n, Scan)}
        released = any(isinstance(n, Released) for b in public for n in nodes(b))
        what = "numbers over several units" if released else "constants"
        what = f"rows of {min(names)}" if names else what
        message = f"{what} among rows of individuals belong to no unit"
        help = "aggregate the private rows first"
        if names:
            help += f": SELECT k, COUNT(*) … GROUP BY k UNION ALL SELECT k, 1 FROM {min(names)}"
        raise Rejected(Diagnostic("DP402", message, plan.span, help))
    places = [tuple(c.id for c in branch.columns) for branch in plan.branches]
    columns = [c.id for c in plan.columns]

    def position(i: int) -> list[tuple[Properties, int]]:
        return [(b, p[i]) for b, p in zip(below, places, strict=True)]

    anchors: dict[int, Anchor] = {}
    home: set[int] = set()
    per_value: dict[int, Bound] = {}
    for i, column in enumerate(columns):
        here = position(i)
        found = {b.anchors.get(c) for b, c in here if b.proven[c].finite != ()}
        (one,) = found if len(found) == 1 else (None,)
        if one is not None:
            anchors[column] = one
            if all(c in b.home for b, c in here):
                home.add(column)
        if all(c in b.per_value for b, c in here):
            per_value[column] = _sum([b.per_value[c] for b, c in here])

    def known(name: str) -> dict[int, Values]:
        return {
            column: either([getattr(b, name)[c] for b, c in position(i)])
            for i, column in enumerate(columns)
        }

    tracked = below[0].kind is Kind.TRACKED
    sizes = [b.table_rows for b in below]
    return replace(
        below[0],
        columns=frozenset(columns),
        proven=known("proven"),
        claimed=known("claimed"),
        expected=known("expected"),
        anchors=anchors,
        home=frozenset(home),
        rows=_sum([b.rows for b in below]) if tracked else ONE,
        rows_why=Evidence("sum", tuple(b.rows_why for b in below)) if tracked else None,
        per_value=per_value,
        keys=_listed(plan),
        determined=frozenset(c for c, a in anchors.items() if a == UNIT and c in home),
        table_rows=None if None in sizes else sum(s for s in sizes if s is not None),
        complete=False,
        owned=all(b.owned for b in below),
        parts={},
    )


def _listed(plan: Union) -> Keys:
    """The columns of VALUES in which no two rows have the same constant: texts or whole numbers,
    for which different constants are different values.
    """
    rows = [b for b in plan.branches if isinstance(b, Project) and isinstance(b.input, OneRow)]
    found: list[frozenset[int]] = []
    for position, column in enumerate(plan.columns):
        cells = [row.items[position][1] for row in rows]
        constants = {c.value for c in cells if isinstance(c, Literal) and c.value is not None}
        plain = column.type.is_integer or column.type.name == "VARCHAR"
        if plain and len(constants) == len(plan.branches):
            found.append(frozenset({column.id}))
    return tuple(found)


def _sum(bounds: list[Bound]) -> Bound:
    total = bounds[0]
    for bound in bounds[1:]:
        total = total + bound
    return total


RANKS = frozenset({"row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile"})
"""Places in an order, from which quantiles are made by hand."""


def window(plan: Window, below: Properties) -> Properties:
    """The properties of rows with window functions.

    Raises:
        Rejected: DP405 for a partition that could hold rows of several units.
    """
    tracked = below.kind is Kind.TRACKED
    for _, call in plan.calls:
        found = homes(call.partition, below)
        if tracked and not found:
            message = "a window over rows of several units: each row would depend on other units"
            help = "PARTITION BY the unit, or a key that leads to it"
            if call.clause:
                message = f"{call.clause} of rows of several units, of which it would choose some"
                help = call.help
            elif call.function == "ntile":
                help += "; or NTILE by one number or date, of up to 100 parts"
            elif call.help or call.function in RANKS:
                how = call.help or "write QUANTILE_DISC(x, 0.25) or MEDIAN(x)"
                help += f"; for a quantile {how}"
            raise Rejected(Diagnostic("DP405", message, call.span or plan.span, help))
    most = below.rows if tracked else _public_rows(below)

    def known(env: Environment, rows: int | None) -> Environment:
        calls = {
            c.id: _window(call, c.type, env, _added(c, tracked, rows)) for c, call in plan.calls
        }
        return {**env, **calls}

    def expected(env: Environment) -> Environment:
        columns = plan.input.columns
        worth = _worth_adding(plan.calls, env, columns, most.claimed, False, tracked)
        return {**known(env, most.claimed), **worth}

    columns = below.columns | {c.id for c, _ in plan.calls}
    return replace(
        below,
        columns=columns,
        proven=known(below.proven, most.proven),
        claimed=known(below.claimed, most.claimed),
        expected=as_expected(*map(expected, (below.expected, below.with_nulls))),
        determined=columns if tracked and below.rows.proven == 1 else below.determined,
        keys=(*below.keys, *_numbered(plan)),
    )


def _numbered(plan: Window) -> Keys:
    """The partition of each ROW_NUMBER, and the number."""
    found: list[frozenset[int]] = []
    for column, call in plan.calls:
        partition = [plain_column(e) for e in call.partition]
        if call.function == "row_number" and None not in partition:
            found.append(frozenset(c for c in partition if c is not None) | {column.id})
    return tuple(found)


def _window(call: WindowCall, kind: Type, env: Environment, most: int | None) -> Values:
    name = call.function
    if name in ("row_number", "rank", "dense_rank"):
        return _whole(1, most, kind)
    if name == "ntile":
        (parts,) = call.arguments
        top: Any = infer(parts, env).high
        return Values(1, top, False)
    if name in ("percent_rank", "cume_dist"):
        return Values(0, 1, False)
    if name in ("lag", "lead"):
        value = infer(call.arguments[0], env)
        if len(call.arguments) < 3:
            return value.but(nullable=True)
        return either([value, infer(call.arguments[2], env)])
    if name in ("first_value", "last_value"):
        return infer(call.arguments[0], env).but(nullable=True)
    argument = call.arguments[0]
    # A frame may be empty, so the aggregate may be of no row.
    return _call(AggregateCall(name, argument), kind, env, most, grouped=False)
