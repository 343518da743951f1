"""Two kinds of statement with an answer of their own: clipped sums, and what units offer.

clips   A unit has v in each of its rows, and m, the sum of |v| over all of them. It gets the number b
        of a threshold that m does not pass, or one that no threshold has; it is counted once, at b.
        What it adds at b to the first sum is its v, m at most in L1; what it adds to the second is
        v·Q // m for each of its rows, rounded towards 0: Q at most.
offers  A row of a unit and group has the hashes of the values there; of a unit there are as many as
        rows that the groups are made of. A unit's number is in the order of a function of the unit
        alone, so that others only shift it.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.checker.facts import Clip, Clips, Facts, Offers
from dpsql.checker.proof import Refused, Step
from dpsql.checker.quotas import matched, number
from dpsql.checker.relation import UNIT, Relation
from dpsql.checker.select import Answer
from dpsql.checker.tree import Expr, columns

COUNT = "CAST(COUNT(*) AS INT128)"
PARTS = "SUM(v * q // m)"


def clips(answers: Sequence[Answer], claim: Clips, facts: Facts) -> Step:
    """The proof for a statement of clipped sums.

    Raises:
        Refused: it does not follow.
    """
    steps: list[Step] = []
    seen: list[tuple[int, bool]] = []
    known = {c.number: c for c in claim.clips}
    if any(c.units < facts.units for c in claim.clips):
        raise Refused("neighbours differ in more units than is claimed")
    for answer in answers:
        if not answer.rows.owned or not answer.rows.private or answer.windows:
            raise Refused("rows of nobody may be counted")
        which = number(answer.items[0])
        if which is None or which not in known:
            raise Refused("a clipped sum that nobody asked for")
        units = matched(COUNT, answer.items[2]) is not None
        check = _units if units else _parts
        steps.append(check(answer, known[which], claim.keys))
        seen.append((which, units))
    if len(set(seen)) != len(seen):
        raise Refused("a unit may be counted twice")
    return Step("clips", f"{len(known)} numbers, each clipped at one of several thresholds", tuple(steps))


def _meaning(expr: Expr, rows: Relation) -> tuple[object, ...]:
    return rows.meaning.get(expr[1], ()) if expr[0] == "column" else ()


def _units(answer: Answer, clip: Clip, keys: int) -> Step:
    rows, b = answer.rows, answer.items[1]
    if answer.keys != (b,) or _meaning(b, rows)[-1:] != (clip.thresholds,) or rows.rows != 1:
        raise Refused("units are not counted once, at a threshold that they do not pass")
    return Step("clip", "a unit is counted once, at a threshold that it does not pass", (rows.step,))


def _parts(answer: Answer, clip: Clip, keys: int) -> Step:
    rows, b = answer.rows, answer.items[1]
    shown = answer.items[4:]
    if set(answer.keys) != {b, *shown} or len(shown) != keys:
        raise Refused("clipped sums are grouped by other columns than are shown")
    form = matched(PARTS, answer.items[3])
    if form is None or answer.items[2] != ("call", "sum", False, form["v"]):
        raise Refused("what is added up is not what is clipped")
    threshold, norm = _meaning(b, rows), _meaning(form["m"], rows)
    name = [n for _, n, c in rows.names if form["v"] == ("column", c)]
    good = (
        threshold == ("threshold", *norm[1:], clip.thresholds)
        and norm[:1] == ("norm",)
        and norm[1] == rows.part_of != ""
        and name == [norm[2]]
        and sum(n == norm[2] for _, n, _ in rows.names) == 1
        and number(form["q"]) == clip.parts
        and rows.known[form["v"]].kind == "whole"
    )
    if not good:
        raise Refused("a unit may add more than its threshold")
    return Step("clip", f"v adds up to m, and v·{clip.parts} // m to {clip.parts}", (rows.step,))


def offers(answer: Answer, claim: Offers, facts: Facts) -> Step:
    """The proof for a statement of what units offer.

    Raises:
        Refused: it does not follow.
    """
    rows, items = answer.rows, answer.items
    if not rows.private or not rows.owned or answer.keys or len(items) != claim.keys + 3:
        raise Refused("what is offered is not of units")
    *shown, offered, order, place = items
    if claim.units < facts.units:
        raise Refused("neighbours differ in more units than is claimed")
    numbers = frozenset(e[1] for e in shown if e[0] == "column")
    unit = {c for c in rows.homes if rows.anchors[c] == UNIT}
    if _meaning(offered, rows) != ("offer",) or rows.tally is None or len(numbers) != len(shown):
        raise Refused("what is offered is no list of hashes")
    if not any(n <= 1 and of <= numbers | unit for of, n in rows.per.items()):
        raise Refused("a unit may have several rows in a group")
    if rows.tally.total is None or rows.tally.total > claim.most:
        raise Refused(f"a unit may have {rows.tally.total} values, {claim.most} are claimed")
    if order[:4] != ("window", "dense_rank", (), ()) or not all(columns(e) <= unit for _, e in order[4]):
        raise Refused("the order of units may depend on others")
    told = {e[1] for _, e in order[4] if e[0] == "column"}
    parts = [e[1] for e in place[3] if e[0] == "column"]
    if place[:2] != ("window", "row_number") or not told & unit or not set(parts) & unit:
        raise Refused("a unit's number may be another's")
    return Step("offers", f"{rows.tally.total} values of a unit at most", (rows.step,))
