"""What is known of joined rows.

Inner joins: see `unit`, `keys`, `multiplicity`. The others, for a left row l:

left       l with each match, or once with NULLs. It belongs to l's unit: of two private sides the
           condition makes the units equal. R(u) <= min(L(u)·max(1, f), L(u)·max(1, R'(u)),
           L(u) + R'(u)·f'), R' the right side's rows and f, f' the fan-outs: each left row gives
           max(1, matches) rows, its matches are among the unit's own R'(u), and the matched rows
           are bounded as those of the inner join. The right side's columns can be
           NULL, so they are no homes any more; equality on them still implies equal units, since
           NULL is equal to nothing. They are determined where all matches of a unit's rows are the
           same: the right side is met at most once, under a condition that reads determined
           columns only.
mark       l once, and whether there is a match. With the same unit on both sides, or a public right
           side, the mark is a function of the unit's own rows. For IS NOT DISTINCT FROM this holds
           where the left column is a home: if it is NULL, the left row belongs to nobody.
matched    the inner join.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.infer.evidence import Evidence
from dpsql.core.infer.keys import (
    closure,
    compared,
    constants,
    covers,
    equalities,
    equated,
    exact,
    fixing,
    joined_keys,
    same_terms,
)
from dpsql.core.infer.missing import missing_equality, unknown_fan_out
from dpsql.core.infer.multiplicity import ONE, Bound, Parts, fan_out
from dpsql.core.infer.properties import Properties
from dpsql.core.infer.ranges import Environment, each_narrowed
from dpsql.core.infer.unit import Anchor, same_unit
from dpsql.core.plan.expr import columns_of, conjuncts
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Join
from dpsql.core.plan.values import of_constant, union
from dpsql.errors import Diagnostic, Rejected

Pairs = list[tuple[int, int]]


def join(plan: Join, left: Properties, right: Properties, narrowing: bool) -> Properties:
    """The properties of a join of any kind.

    Raises:
        Rejected: DP402 and DP403.
    """
    if plan.kind == "mark":
        return _mark(plan, left, right)
    if plan.kind == "left":
        return _left(plan, left, right, narrowing)
    if plan.kind == "full":
        return _full(left, right)
    return _inner(plan, left, right, narrowing)


def _inner(plan: Join, left: Properties, right: Properties, narrowing: bool) -> Properties:
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    pairs = oriented(equalities(terms), left, right)
    left_columns = compared(terms, left.columns, right.columns)
    right_columns = compared(terms, right.columns, left.columns)
    left_once, right_once = covers(left_columns, left.keys), covers(right_columns, right.keys)
    left_fan = fan_out(left_columns, left_once, left.per_value, left.table_rows)
    right_fan = fan_out(right_columns, right_once, right.per_value, right.table_rows)
    rows, why = _rows(
        plan, left, right, pairs, (left_columns, left_fan), (right_columns, right_fan)
    )
    kind = Kind.TRACKED if Kind.TRACKED in (left.kind, right.kind) else Kind.PUBLIC
    fixed = constants(plan.condition) if plan.condition is not None else frozenset()
    sides = [(left.columns, left.keys), (right.columns, right.keys)]
    fixed_pairs = oriented(fixing(terms), left, right)
    determined = left.determined | right.determined | (fixed & (left.columns | right.columns))
    determined |= compared(exact(terms), left.columns | right.columns, determined)
    per_value = {c: b * right_fan for c, b in left.per_value.items()}
    per_value |= {c: b * left_fan for c, b in right.per_value.items()}

    known: list[Environment] = [
        {**left.proven, **right.proven},
        {**left.claimed, **right.claimed},
        {**left.expected, **right.expected},
    ]
    if plan.condition is not None and narrowing:
        known = each_narrowed(plan.condition, known)
    return Properties(
        kind=kind,
        columns=left.columns | right.columns,
        proven=known[0],
        claimed=known[1],
        expected=known[2],
        anchors=_equated(left, right, pairs),
        home=_homes(left, right, pairs),
        rows=rows,
        rows_why=why,
        per_value=per_value,
        keys=equated(joined_keys(left.keys, right.keys, left_once, right_once), fixed_pairs),
        determined=closure(determined, sides, fixed_pairs),
        table_rows=_product(left.table_rows, right.table_rows),
        complete=False,
        # Of two tracked sides with equal units, one without NULL or dangling owners is enough.
        owned=left.owned or right.owned
        if left.kind is right.kind is Kind.TRACKED
        else left.owned and right.owned,
        parts={**_parts(left), **_parts(right)},
    )


def _parts(side: Properties) -> Parts:
    """What the rows of a side of a join were joined of, and they as a whole."""
    return {**side.parts, side.columns: side.rows} if side.kind is Kind.TRACKED else {}


def _homes(left: Properties, right: Properties, pairs: Pairs) -> frozenset[int]:
    """The homes of both sides, and what equals one: it is never NULL here."""
    homes = set(left.home | right.home)
    for _ in pairs:  # so often, at most, one is equal to what is equal to one
        for a, b in pairs:
            if a in homes or b in homes:
                homes |= {a, b}
    return frozenset(homes)


def _left(plan: Join, left: Properties, right: Properties, narrowing: bool) -> Properties:
    """LEFT JOIN; a public left side with a private right one is a `matched` join by now."""
    if left.kind is Kind.PUBLIC and right.kind is Kind.TRACKED:
        raise AssertionError("a public left side is matched, not preserved")
    inner = _inner(plan, left, right, narrowing)
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    right_columns = compared(terms, right.columns, left.columns)
    right_once = covers(right_columns, right.keys)
    right_fan = fan_out(right_columns, right_once, right.per_value, right.table_rows)
    fan = Bound(_at_least_one(right_fan.claimed), _at_least_one(right_fan.proven))
    rows = left.rows * fan
    if right.kind is Kind.TRACKED:
        own = Bound(_at_least_one(right.rows.claimed), _at_least_one(right.rows.proven))
        rows = rows.least(left.rows * own, left.rows + inner.rows)
    read = frozenset().union(*(columns_of(t) for t in terms)) & left.columns
    fixed = right.columns if right_once and read <= left.determined else frozenset()
    nulls = {part: n + ONE for part, n in _parts(right).items()}  # where there is no match

    def known(own: Environment, joined: Environment) -> Environment:
        """The left side's ranges are not narrowed: its rows all stay."""
        return {**own, **{c: v for c, v in _nullable(joined).items() if c in right.columns}}

    return replace(
        inner,
        kind=left.kind,
        anchors={**right.anchors, **left.anchors},
        home=left.home,
        rows=rows if left.kind is Kind.TRACKED else ONE,
        rows_why=inner.rows_why if left.kind is Kind.TRACKED else None,
        per_value={c: b * fan for c, b in left.per_value.items()}
        | {c: b for c, b in inner.per_value.items() if c in right.columns},
        keys=joined_keys(left.keys, right.keys, False, right_once),
        determined=left.determined | fixed if left.kind is Kind.TRACKED else frozenset(),
        table_rows=left.table_rows if right_once else None,
        complete=left.complete and right_once,
        owned=left.owned,
        parts={**_parts(left), **nulls},
        proven=known(left.proven, inner.proven),
        claimed=known(left.claimed, inner.claimed),
        expected=known(left.expected, inner.expected),
    )


def _nullable(env: Environment) -> Environment:
    return {c: v.but(nullable=True) for c, v in env.items()}


def _at_least_one(value: int | None) -> int | None:
    return None if value is None else max(1, value)


def _full(left: Properties, right: Properties) -> Properties:
    """FULL JOIN, which is left only between public sides."""
    assert left.kind is right.kind is Kind.PUBLIC
    return replace(
        left,
        columns=left.columns | right.columns,
        per_value={},
        keys=(),
        determined=frozenset(),
        table_rows=None,
        proven=_nullable({**left.proven, **right.proven}),
        claimed=_nullable({**left.claimed, **right.claimed}),
        expected=_nullable({**left.expected, **right.expected}),
    )


def _mark(plan: Join, left: Properties, right: Properties) -> Properties:
    assert plan.mark is not None
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    if right.kind is Kind.TRACKED:
        if left.kind is Kind.PUBLIC:
            raise _existence(plan)
        pairs = oriented(equalities(terms), left, right)
        pairs += [p for p in oriented(same_terms(terms), left, right) if p[0] in left.home]
        if not same_unit(left.anchors, right.anchors, pairs):
            raise _across_units(plan, left, right)
    found = union([of_constant(True), of_constant(False)])
    mark = {plan.mark.id: found}
    read = frozenset().union(*(columns_of(t) for t in terms)) & left.columns
    fixed = frozenset([plan.mark.id]) if terms and read <= left.determined else frozenset()
    return replace(
        left,
        columns=left.columns | {plan.mark.id},
        proven={**left.proven, **mark},
        claimed={**left.claimed, **mark},
        expected={**left.expected, **mark},
        determined=left.determined | fixed if left.kind is Kind.TRACKED else frozenset(),
    )


def oriented(pairs: Pairs, left: Properties, right: Properties) -> Pairs:
    """Equal columns with the left side's first; those within one side are of no use here."""
    result: Pairs = []
    for a, b in pairs:
        if a in left.columns and b in right.columns:
            result.append((a, b))
        elif b in left.columns and a in right.columns:
            result.append((b, a))
    return result


def _equated(left: Properties, right: Properties, pairs: Pairs) -> dict[int, Anchor]:
    """What is anchored by itself, and by being equal to what is: o.sender = c.id AND o.payer = c.id
    say that payer is sender, whichever of them comes first.

    Claim: where the condition implies that a column has the value of an anchored one, it has its
    anchor, whatever lies between the two.
    Why: an anchor is a function from values to units, and in a row that joins all that is equated
    is one value, and no NULL.
    """
    found = {**left.anchors, **right.anchors}
    for _ in pairs:
        for one, other in (*pairs, *((b, a) for a, b in pairs)):
            if one in found:
                found.setdefault(other, found[one])
    return found


def _rows(
    plan: Join,
    left: Properties,
    right: Properties,
    pairs: Pairs,
    left_met: tuple[frozenset[int], Bound],
    right_met: tuple[frozenset[int], Bound],
) -> tuple[Bound, Evidence | None]:
    if left.kind is Kind.PUBLIC and right.kind is Kind.PUBLIC:
        return ONE, None
    if left.kind is Kind.TRACKED and right.kind is Kind.TRACKED:
        if not same_unit(left.anchors, right.anchors, pairs):
            raise _across_units(plan, left, right)
        options = (right.rows * left_met[1], left.rows * right.rows)
        rows = (left.rows * right_met[1]).least(*options)
        return rows, Evidence("both", (left.rows_why, right.rows_why))
    on_right = left.kind is Kind.TRACKED
    tracked, (equated, fan) = (left, right_met) if on_right else (right, left_met)
    if fan.claimed is None:
        raise unknown_fan_out(plan, plan.right if on_right else plan.left, equated)
    why = tracked.rows_why
    if fan.claimed != 1:
        why = Evidence("fan-out", (why, fan.claimed))
    return tracked.rows * fan, why


def _across_units(plan: Join, left: Properties, right: Properties) -> Rejected:
    message = "the joined rows could belong to two different units"
    if plan.mark is not None:
        message = "whether a row counts could depend on rows of other units"
    help = missing_equality(plan, left.anchors, right.anchors)
    return Rejected(Diagnostic("DP402", message, plan.span, help))


def _existence(plan: Join) -> Rejected:
    message = "whether private rows exist would be shown by which public rows there are"
    help = "count them: (SELECT COUNT(*) …) > 0"
    return Rejected(Diagnostic("DP402", message, plan.span, help))


def _product(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a * b
