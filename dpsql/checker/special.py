"""Three kinds of statement with an answer of their own: clipped sums, what units offer, edges.

clips   A row of a unit and group has n and v, v', …: sums of what the rows below add to each. If of
        one such row what it adds to all v is at most w times what it adds to n, in absolute value,
        and that is never negative (or if there is one v, n itself), then |v| + |v'| + … <= w·|n|. A
        unit has m, the sum of |n| over its rows. It gets the number b of a threshold that m does
        not pass, or one that no threshold has; it is counted once, at b. What it adds at b to the
        first sums is its v, w·m at most together; what it adds to the second is v·Q // m for each
        of its rows, rounded towards 0: w·Q at most.
offers  A row of a unit and group has the hashes of the values there; of a unit there are as many as
        rows that the groups are made of. A unit's number is in the order of a function of the unit
        alone, so that others only shift it.
edges   Where a unit goes, the rows go that have it in a column that is a home, and no others. All
        else in the statement reads these rows alone. (That what is made of them moves by a
        threshold at most is the mechanism's own claim, and not proven here.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dpsql.checker.facts import Clip, Clips, Edges, Facts, Offers
from dpsql.checker.groups import own
from dpsql.checker.measures import Part, inputs_of, tallied, worlds
from dpsql.checker.proof import Refused, Step
from dpsql.checker.quotas import matched, number
from dpsql.checker.relation import Relation
from dpsql.checker.select import Reader, Select, windows
from dpsql.checker.tree import Meaning, Node, columns

COUNT = "CAST(COUNT(*) AS INT128)"
PARTS = "SUM(v * q // m)"


def clips(answers: Sequence[Select], claim: Clips, facts: Facts) -> Step:
    """The proof for a statement of clipped sums.

    Raises:
        Refused: it does not follow.
    """
    if not any(a.rows.private and a.rows.rows != 0 for a in answers):
        return Step("public", "no private row is read")
    steps: list[Step] = []
    if any(c.units < facts.units for c in claim.clips):
        raise Refused("neighbours differ in more units than is claimed")
    left = list(answers)
    for clip in claim.clips:
        mine = [a for a in left if number(a.items[0]) in clip.measures]
        left = [a for a in left if a not in mine]
        units = [a for a in mine if matched(COUNT, a.items[2]) is not None]
        sums = {number(a.items[0]): a for a in mine if a not in units}
        if len(units) != 1 or number(units[0].items[0]) != clip.number:
            raise Refused("units are not counted once")
        if len(sums) != len(mine) - 1 or set(sums) != set(clip.measures):
            raise Refused("a unit may be counted twice")
        for answer in mine:
            if not answer.rows.owned or not answer.rows.private or windows(answer.items):
                raise Refused("rows of nobody may be counted")
        steps.append(_units(units[0], clip))
        lines = [_parts(answer, clip, claim.keys) for answer in sums.values()]
        steps.append(_together(lines, list(sums.values()), clip))
    if left:
        raise Refused("a clipped sum that nobody asked for")
    return Step("clips", f"{len(claim.clips)} times sums, clipped at thresholds", tuple(steps))


def _units(answer: Select, clip: Clip) -> Step:
    rows, b = answer.rows, answer.items[1]
    told = answer.keys == (b,) and rows.means(b)[-1:] == (clip.thresholds,)
    if not told or rows.rows not in (0, 1):
        raise Refused("units are not counted once, at a threshold that they do not pass")
    text = "a unit is counted once, at a threshold that it does not pass"
    return Step("clip", text, (rows.step,))


def _parts(answer: Select, clip: Clip, keys: int) -> tuple[Meaning, Meaning]:
    """What n and v are of a clipped sum."""
    rows, b = answer.rows, answer.items[1]
    shown = answer.items[4:]
    if set(answer.keys) != {b, *shown} or len(shown) != keys:
        raise Refused("clipped sums are grouped by other columns than are shown")
    form = matched(PARTS, answer.items[3])
    if form is None or answer.items[2] != ("call", "sum", False, form["v"]):
        raise Refused("what is added up is not what is clipped")
    threshold, norm = rows.means(b), rows.means(form["m"])
    if (
        threshold != ("threshold", *norm[1:], clip.thresholds)
        or norm[:1] != ("norm",)
        or norm[1] != rows.part_of
        or not rows.part_of
        or number(form["q"]) != clip.parts
        or rows.known[form["v"]].kind != "whole"
    ):
        raise Refused("a unit may add more than its threshold")
    return norm[2], rows.means(form["v"])


def _together(
    lines: Sequence[tuple[Meaning, Meaning]], answers: Sequence[Select], clip: Clip
) -> Step:
    """Whether all sums add up to no more than the width times what is clipped."""
    size = lines[0][0]
    if size[:1] != ("line",) or any(n != size or v[:1] != ("line",) for n, v in lines):
        raise Refused("what is clipped is no sum of what rows add")
    below = tuple(a.rows.step for a in answers)
    if len(lines) == 1 and lines[0][1] == size:
        return Step("clip", f"it adds up to m, and its parts to {clip.parts}", below)
    tally = answers[0].rows.tally
    if tally is None or clip.width < 0:
        raise Refused("what is clipped is no sum of what rows add")
    every: list[list[Part]] = []
    for line in (size, *(v for _, v in lines)):
        terms: Sequence[tuple[Meaning, int]] = line[1]
        every.append([tallied(of, Fraction(times), tally) for of, times in terms])
    inputs = inputs_of([p for parts in every for p in parts])
    if len(inputs) != 1:
        raise Refused("what is clipped together is made of several inputs")
    for first, *others in worlds(every, inputs):
        if first < 0 or sum(map(abs, others)) > clip.width * first:
            raise Refused("sums add up to more than the width times what is clipped")
    return Step("clip", f"they add up to {clip.width}·m, and their parts as much", below)


def offers(answer: Select, claim: Offers, facts: Facts) -> Step:
    """The proof for a statement of what units offer.

    Raises:
        Refused: it does not follow.
    """
    rows, items = answer.rows, answer.items
    if not rows.private:  # of another kind of unit
        return Step("public", "no private row is read", (rows.step,))
    if not rows.owned or answer.keys or len(items) != claim.keys + 3:
        raise Refused("what is offered is not of units")
    *shown, offered, order, place = items
    if claim.units < facts.units:
        raise Refused("neighbours differ in more units than is claimed")
    numbers = frozenset(e[1] for e in shown if e[0] == "column")
    unit = rows.units
    cut = any(m[0] == "size before" for m in rows.meaning.values())  # and the lists are not
    if cut or rows.means(offered) != ("offer",) or rows.tally is None or len(numbers) != len(shown):
        raise Refused("what is offered is no list of hashes")
    if not any(n <= 1 and of <= numbers | unit for of, n in rows.per.items()):
        raise Refused("a unit may have several rows in a group")
    if rows.tally.total is None or rows.tally.total > claim.most:
        raise Refused(f"a unit may have {rows.tally.total} values, {claim.most} are claimed")
    if order[:4] != ("window", "dense_rank", (), ()) or any(columns(e) - unit for _, e in order[4]):
        raise Refused("the order of units may depend on others")
    told = {e[1] for _, e in order[4] if e[0] == "column"}
    parts = [e[1] for e in place[3] if e[0] == "column"]
    if place[:2] != ("window", "row_number") or not told & unit or not set(parts) & unit:
        raise Refused("a unit's number may be another's")
    return Step("offers", f"{rows.tally.total} values of a unit at most", (rows.step,))


def edges(node: Node, claim: Edges, facts: Facts) -> Step:
    """The proof for a statement of rows of two units.

    Raises:
        Refused: it does not follow.
    """
    entries = node["cte_map"]["map"]
    names = [(entry["key"].lower(),) for entry in entries]
    at = names.index(("rows",)) + 1
    first = [e for e in entries[at:] if set(_tables(e)) == {("rows",)}]
    rest = [e for e in entries[at:] if e not in first]
    reader, stages = Reader(facts, claim.feeds), set(names[: at - 1])
    known = reader.with_({"cte_map": {"map": [*entries[:at], *first]}}, {})
    parts = [{**branch, "cte_map": {}} for branch in reader.branches(node)]
    shown = [p for p in parts if not set(_tables(p)) <= stages or reader.answer(p, known)]
    if not set(_tables([rest, shown])) <= set(names[at:]):
        raise Refused("what is made of edges reads more than these")
    if not known["rows"].private:
        return Step("public", "no private row is read", (known["rows"].step,))
    steps: list[Step] = []
    for entry in first:
        rows = known[entry["key"].lower()]
        named = [c for _, _, c in rows.names]
        units = rows.units & set(named[:2])
        if not (units and rows.owned):
            raise Refused("edges do not have their unit")
        groups = own([("column", c) for c in named[2 : 2 + claim.keys]], rows)
        if claim.groups is not None and (groups is None or groups > claim.groups):
            raise Refused(f"a unit may be in {groups} groups, {claim.groups} are claimed")
        steps.append(Step("edges", f"in {groups or 'all'} groups, with their unit", (rows.step,)))
    return Step("truncated", f"{len(steps)} numbers of rows of two units", tuple(steps))


def listed(rows: Relation) -> Step:
    """The proof for a statement that lists groups.

    Raises:
        Refused: it reads private rows.
    """
    if rows.private:
        raise Refused("groups are listed from private rows")
    return Step("listed", "groups are listed, and no private row is read", (rows.step,))


def _tables(node: Any) -> Iterator[tuple[str, ...]]:
    """What is read anywhere in a tree."""
    if isinstance(node, list):
        for part in node:
            yield from _tables(part)
    elif isinstance(node, dict):
        if node.get("type") == "BASE_TABLE":
            path = (node.get(n) for n in ("catalog_name", "schema_name", "table_name"))
            yield tuple(p.lower() for p in path if p)
        elif node.get("type") == "TABLE_FUNCTION":
            raise Refused("a table function is not followed")
        for part in node.values():
            yield from _tables(part)
