"""Joins of relations.

inner   Two private sides must be equal in columns that are anchored at the same place: then a
        joined row is of the unit of both. One private side: the row is of its unit. Each row of a
        side meets at most f rows of the other: as many as there are with the same values of equal
        columns; of a public side at most all rows, of a private one at most all of the unit's. So u
        has at most L(u)·f rows, f of the right side, and at most R(u)·f, f of the left one.
left    The rows of the inner join, and each left row without a match. At most L(u)·max(1, f), and
        L(u) more than the inner join has; no match, where nothing meets the condition. A home of
        the right side is NULL where there is no match, so it is none any more.
parts   A joined row has the values of one row of each side: of all the columns of a private side
        u has no more combinations than rows there; where a left join finds none, NULLs besides.
label   Where the right side names the units with more than R of the rows among which the left
        ones are, each once, and is joined by the unit alone, rows without a match are of units with
        R rows at most.
whole   Rows of a table with those that lead on to their unit, table by table: all of them that are
        somebody's. Why: a row that finds none, or no unit there, is nobody's.
sizes   Of two sides with numbers of rows that theirs stand for, those of the left one stay such.
per     What is equal is not NULL and stands for what it is equal to: of a value it has one of that.
fixed   What is equal to a fixed column, or to what reads such alone, is fixed; and where fixed
        columns find one row of a side, all columns of that row are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dpsql.checker.facts import Facts
from dpsql.checker.proof import Refused, Step, at_most
from dpsql.checker.relation import Relation, least, plus, settled, times
from dpsql.checker.scalars import World, assumed, value
from dpsql.checker.tree import Expr, Meaning, columns, conjuncts, words
from dpsql.checker.values import WHOLE, tells

Pairs = Sequence[tuple[int, int]]
Per = dict[frozenset[int], tuple[int, bool]]
MANY_SETS = 24


def same_unit(left: Relation, right: Relation, pairs: Pairs) -> bool:
    """Whether equal columns imply equal units."""
    return any(a in left.anchors and left.anchors[a] == right.anchors.get(b) for a, b in pairs)


def fan(side: Relation, equal: frozenset[int]) -> int | None:
    """How many of its rows have the same values of equal columns."""
    most: int | None = least(side.rows, *(n for of, n in side.per.items() if of <= equal))
    return most


def by_unit(left: Relation, right: Relation, pairs: Pairs) -> bool:
    """Whether the sides are equal in homes that hold the unit."""
    return any(a in left.units and b in right.units for a, b in pairs)


def whole(parts: Sequence[Relation], terms: Sequence[Expr], made: Relation) -> str:
    """The table whose rows are all there that are somebody's; or "". What is no home of a table
    itself, and is by a condition, may be NULL in rows of somebody's that are gone for it.
    """
    (first, *steps), left = parts, list(terms)
    at = {c: first.anchors[c] for c in first.homes}
    for step in steps:
        keys = {(c, k) for c, k in step.anchors.items() if step.origin == f"{k[0]}:"}
        ways = ((t, *map(bare, t[1:], (made, made))) for t in left if t[0] == "=")
        on = [t for t, a, b in ways if a[0] == b[0] == "column" and (b[1], at.get(a[1])) in keys]
        if not on:
            return ""
        left.remove(on[0])
        at |= {c: step.anchors[c] for c in step.homes}
    mine = {("notnull", ("column", home)) for part in parts for home in part.homes}
    return first.origin if first.origin[-1:] == ":" and mine.issuperset(left) else ""


def meets(
    left: Relation, right: Relation, pairs: Pairs, terms: Sequence[Expr]
) -> tuple[int | None, int | None]:
    """How many rows of the left side a row of the right one meets, and the other way round."""
    one = frozenset(a for a, _ in pairs) | met(terms, left, right)
    other = frozenset(b for _, b in pairs) | met(terms, right, left)
    return fan(left, one), fan(right, other)


def met(terms: Sequence[Expr], side: Relation, other: Relation) -> frozenset[int]:
    """The columns of a side that conditions make equal to something of the other side; NULL equals
    nothing, and is not distinct from a column that is never NULL.
    """
    mine, others = side.every, other.every
    return frozenset(
        a[1]
        for t in terms
        if t[0] in ("=", "is")
        for of, b in (t[1:], t[:0:-1])
        if (a := of if of[0] == "column" else bare(of, side))[0] == "column" and a[1] in mine
        if columns(b) <= others and tells(side.known[a], value(b, other.known))
        if t[0] == "=" or not side.known[a].null
    )


def fixed_by(terms: Sequence[Expr], made: Relation) -> Relation:
    """Rows for which conditions are TRUE: what they make equal to fixed columns, or to a constant,
    is fixed, as a function of what is one value for the unit; and so is what is equal to that.
    """
    one = replace(made, known={("column", c): made.at(c) for c in made.fixed & made.every})
    more = made.fixed | met(terms, made, one) if made.private else made.fixed
    return made if more == made.fixed else fixed_by(terms, replace(made, fixed=more))


def looked_up(pairs: Pairs, sides: Sequence[Relation]) -> list[tuple[int, int]]:
    """Owners that are looked up, each with that of a row which is equal in all of its key: where
    that one is NULL, both rows are nobody's.
    """
    meaning = {c: m for side in sides for c, m in side.meaning.items()}
    keys = [(("column", a), meaning[b]) for a, b in pairs if meaning.get(b, ())[:1] == ("key",)]
    met = {(a, m[1]): m[2][1] for a, m in keys}
    looked = [(own, m[1:]) for own, m in meaning.items() if m[0] == "looked up"]
    found = [(own, {met.get(p) for p in zip(m[::2], m[1::2], strict=True)}) for own, m in looked]
    return [(own, one) for own, to in found if len(to) == 1 for one in to if one is not None]


def bare(expr: Expr, side: Relation) -> Expr:
    """The expression without casts that keep different values different; TRY_CAST makes NULLs."""
    if expr[:1] + expr[2:3] != ("cast", False) or (of := bare(expr[3], side))[0] != "column":
        return expr
    kind = side.known[of].kind if of in side.known else ""
    kept = kind == "whole" and (expr[1] in WHOLE or expr[1].startswith("DECIMAL"))
    return of if kept or (kind == "text" and expr[1] in ("TEXT", "VARCHAR")) else expr


def crossing(made: Sequence[Expr], left: Relation, right: Relation) -> list[tuple[int, int]]:
    """The columns that conditions make equal, one of each side."""
    found: list[tuple[int, int]] = []
    mine, others, known = left.every, right.every, {**left.known, **right.known}
    for a, b in ([bare(bare(e, left), right) for e in t[1:]] for t in made if t[0] == "="):
        if a[0] != "column" or b[0] != "column" or a not in known or b not in known:
            continue
        if tells(known[a], known[b]) and tells(known[b], known[a]):
            found += [(a[1], b[1])] if a[1] in mine and b[1] in others else []
            found += [(b[1], a[1])] if b[1] in mine and a[1] in others else []
    return found


def inner(
    left: Relation, right: Relation, pairs: Pairs, facts: Facts, terms: Sequence[Expr]
) -> Relation:
    """The inner join under equal columns; other conditions are filters above.

    Raises:
        Refused: the units of two private sides may differ.
    """
    if left.private and right.private and not same_unit(left, right, pairs):
        raise Refused("two private relations are joined, and nothing makes their units equal")
    private = left.private or right.private
    most_left, most_right = meets(left, right, pairs, terms)
    sides = [
        (s, n) for s, n in ((left, most_right), (right, most_left)) if s.private or not private
    ]
    rows = least(*(times(s.rows, n) for s, n in sides))
    per = _per(left, right, most_left, most_right, pairs)
    anchors = {**left.anchors, **right.anchors}
    homes = set(left.homes | right.homes)
    for a, b in (*pairs, *pairs):
        for x, y in ((a, b), (b, a)):
            if x in anchors:
                anchors.setdefault(y, anchors[x])
            if x in homes and anchors.get(y) == anchors[x]:
                homes.add(y)
    whole, none = by_unit(left, right, pairs), frozenset[str]()
    once = [most is not None and most <= 1 for most in (most_right, most_left)]
    kept = _kept(left, most_right)
    alone = left.tally is None and {m[0] for m in kept.values()} <= OF_UNITS
    how = ("of public rows", "with public rows", "of one unit each")[left.private + right.private]
    text = f"{how}; a row meets {at_most(most_right, 'rows')} on the right, "
    text += f"{at_most(most_left, 'rows')} on the left; {sides[0][0].bound(rows)}"
    made = Relation(
        private=private,
        names=left.names + right.names,
        known=World({**left.known, **right.known}),
        anchors=anchors,
        homes=frozenset(homes),
        owned=any(s.owned for s, _ in sides),
        rows=rows,
        per={of: n for of, (n, _) in per.items()},
        fixed=_closure(left, right, pairs, terms) if private else frozenset(),
        units_of=left.units_of | right.units_of | ({(right.origin, True)} if whole else set()),
        part_of=left.part_of if once[0] and whole else "",
        within=(left.within if once[0] else none) | (right.within if once[1] else none),
        meaning=kept | _kept(right, most_left if alone else None),
        tally=left.tally if once[0] else None,
        sure=frozenset(of for of, (_, solid) in per.items() if not solid),
        step=Step("join", text, (left.step, right.step)),
        parts=_parts(left) | _parts(right),
    )
    return settled(made, facts)


def _parts(side: Relation) -> dict[frozenset[int], int]:
    whole = {side.every: side.rows} if side.private and side.rows is not None else {}
    return {**side.parts, **whole}


def strong(side: Relation) -> list[tuple[frozenset[int], int]]:
    """The sets that say more than a part of them, and than the number of all rows."""
    few = {of: n for of, n in side.per.items() if side.rows is None or n < side.rows}
    return [(of, n) for of, n in few.items() if not any(s < of and few[s] <= n for s in few)]


def _per(a: Relation, b: Relation, one: int | None, other: int | None, pairs: Pairs) -> Per:
    sides, sure = ((a, other), (b, one)), a.sure | b.sure
    every = [(of, times(n, m), of not in sure) for s, m in sides for of, n in s.per.items()]
    if len(strong(a)) * len(strong(b)) <= MANY_SETS:
        every += [(x | y, n * m, True) for x, n in strong(a) for y, m in strong(b)]
    for x, y in (*pairs, *((y, x) for x, y in pairs)):
        new = [(of - {x} | {y}, n, solid) for of, n, solid in every if x in of]
        every += new if len(every) <= 4 * MANY_SETS else []
    found: Per = {}
    for of, most, solid in every:
        if most is not None and not (solid and of in sure):
            found[of] = min((most, solid), found.get(of, (most, solid)))
    return found


def _closure(
    left: Relation, right: Relation, pairs: Pairs, terms: Sequence[Expr]
) -> frozenset[int]:
    """The columns of which a unit has one value; see above."""
    sides, every = (left, right), replace(left, known={**left.known, **right.known}, private=True)
    public = [s.every for s in sides if not s.private and s.rows in (0, 1)]
    found = frozenset[int]().union(*(s.fixed for s in sides if s.private), *public)
    while True:
        before, found = found, fixed_by(terms, replace(every, fixed=found)).fixed
        found = found.union(*(p for p in map(frozenset, pairs) if found & p))
        keyed = [s for s in sides if any(n <= 1 and of <= found for of, n in s.per.items())]
        found = found.union(*(s.every for s in keyed))
        if found == before:
            return found


def left_join(left: Relation, right: Relation, condition: Expr, facts: Facts) -> Relation:
    """The left join.

    Raises:
        Refused: private rows are on the right of public ones, or are another unit's.
    """
    if right.private and not left.private:
        raise Refused("public rows are kept where no private row matches")
    terms = conjuncts(condition)
    pairs = crossing(terms, left, right)
    matched = inner(left, right, pairs, facts, terms)
    inside = assumed(condition, matched.known)
    known, others = inside or matched.known, right.every
    _, most = (0, 0) if inside is None else meets(left, right, pairs, terms)
    at_least = None if most is None else max(1, most)
    fixed = left.fixed if left.private else frozenset[int]()
    if at_least == 1 and left.private and columns(condition) - others <= fixed:
        fixed |= others
    rows = least(times(left.rows, at_least), plus(left.rows, matched.rows))
    per = {of: n * at_least for of, n in left.per.items()} if at_least is not None else {}
    per |= {of: n for of, n in matched.per.items() if of and of <= others}
    flat = [part for of, n in left.per.items() for part in (of, n)]
    text = f"a left row meets {at_most(most, 'rows')}; {left.bound(rows)}"
    labels: dict[int, Meaning] = {}
    if right.over and right.origin and by_unit(left, right, pairs) and condition[0] == "=":
        label = ("label", right.over[1], right.origin)
        labels = dict.fromkeys(right.units if right.over[0] in left.within else (), label)
    unnamed = {("column", c): right.at(c).but(null=True) for c in labels}
    unmatched = {e: v.but(null=True) for e, v in known.items() if e[0] == "column"}
    made = Relation(
        private=left.private,
        names=matched.names,
        known={**left.known, **{e: v for e, v in unmatched.items() if e[1] in others}, **unnamed},
        step=Step("left join", text, (left.step, right.step)),
        rows=rows,
        per=per,
        anchors={**right.anchors, **left.anchors},
        homes=left.homes,
        owned=left.owned,
        fixed=fixed,
        complete=left.complete and at_least == 1,
        units_of=left.units_of,
        part_of=left.part_of if at_least == 1 else "",
        within=left.within if at_least == 1 else frozenset(),
        # NULL where there is no match and nowhere else: then as many rows as on the left alone.
        meaning=_kept(left, at_least)
        | {c: ("missing", left.rows, *flat) for c in others if not right.at(c).null}
        | labels,
        sure=left.sure,
        parts=_parts(left) | {of: n + 1 for of, n in _parts(right).items()},
    )
    return settled(made, facts)


def full_join(left: Relation, right: Relation, condition: Expr) -> Relation:
    """The full join of public rows: all that is known is what its columns can be."""
    if left.private or right.private:
        raise Refused("a full join of private rows is not followed")
    known = {**left.known, **right.known}
    value(condition, known)
    step = Step("full join", "public rows, with a match or without", (left.step, right.step))
    kept = {e: v.but(null=True) for e, v in known.items() if e[0] == "column"}
    return Relation(False, left.names + right.names, kept, step)


def _kept(side: Relation, most: int | None) -> dict[int, Meaning]:
    """What columns mean, where rows of the side may come several times."""
    once = most is not None and most <= 1
    return {
        c: m for c, m in side.meaning.items() if (once and m[0] != "missing") or m[0] in OF_UNITS
    }


OF_UNITS = words("share norm threshold below list made case key") | {"unit total", "looked up"}
"""What is the same in all rows of a unit, or of the row alone."""


def classes(pairs: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Columns that are equal, each with the least number among them."""
    found: dict[int, int] = {}
    for pair in pairs:
        both = {found.setdefault(c, c) for c in pair}
        found |= {c: min(both) for c, of in found.items() if of in both}
    return found


def equal_columns(classes: dict[int, int], a: Relation, b: Relation) -> list[tuple[int, int]]:
    """The pairs of columns, one of each, that are in one class."""
    mine, others = (sorted(side.every & classes.keys()) for side in (a, b))
    return [(x, y) for x in mine for y in others if classes[x] == classes[y]]
