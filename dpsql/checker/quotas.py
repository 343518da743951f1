"""Units that are cut down to a quota: what the columns of such steps mean.

A private relation with a *tally* has rows of which each stands for `size` rows, a number that is
not negative; with an input x, `count` of them have a value, from 0 to size, and `sum` is one of
count numbers (or size numbers) in the interval of x. So it is where rows were grouped by their unit
and others, with n = COUNT(*), c = COUNT(x), s = SUM(x). The steps that follow make new numbers of
these, for which the same is shown here:

size     n' = (C·R + h) // T - ((C - n)·R + h) // T, C the sizes up to the row, T all of the unit's
         Claim: n' >= 0, and a unit's add up to R at most. Why: C - n is the C of the row before, so
         that they telescope to (T·R + h) // T - h // T, which is R for 0 <= h < T; h must be the
         same in all rows of the unit. Or n where T <= R, which is then what all of them add up to;
         or LEAST(n, R), of which each is R at most.
count    c' = (E·n' + g) // n - (F·n' + g) // n, E = F + c, 0 <= g < n; or c·n' // n
         Claim: 0 <= c' <= n'. Why: c <= n. Claim: where E and F run through the counts of inputs of
         which no row has two, these c' add up to n' at most. Why: F to E are parts of 0 to n.
sum      s' = (s·m' ± g) // m, away from 0, 0 <= g < m, for m = n or c, m' = n' or c'
         Claim: s' is between m'·low and m'·high, if s is between m·low and m·high. Why: |s| is
         between m·a and m·b for whole a and b; so |s'| = (|s|·m' + g) // m is between m'·a and
         m'·b, as (m·b·m' + g) // m = b·m'. The engine's // rounds towards 0 (which is tested).
         Or s itself where m' = m.
Numbers with digits after the point are counted in steps of the last one.

over     Units with more than R rows: GROUP BY unit HAVING COUNT(*) > R. All others have R at most.
label    What rows of a left join with these, by the unit, have of that side: the unit itself, or
         NULL in all its rows. Grouped by it, and not by the unit, a row where it is NULL is of all
         the other units: *mixed*. Each is taken for as many rows as there are of groups by the unit
         too, of which it has the sums of sizes, counts and sums. Claim: what is made of it is the
         same, as long as these are added up, by what groups have in common. Why: sums of sums.
all      CASE WHEN label IS NULL THEN x ELSE y END, x a size, count or sum of mixed rows: it is one
         of each unit, which has R rows at most where it is x; elsewhere a row is one unit's. All
         else that is made of such an x, and windows, which are by the label, says nothing of rows
         without one: it is read in such a y alone. No size is 0 there: WHERE size > 0 drops none.
place    ROW_NUMBER() OVER (PARTITION BY a, b …) <= k leaves k rows for each a, b.
weight   A unit in d rows weighs W // d in each: W together. Or a whole number w with w·w·d <= W²,
         which is tested in the statement: its square adds up to W² at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpsql.checker.proof import Refused, Step
from dpsql.checker.relation import Relation, least
from dpsql.checker.tree import Expr, Meaning, columns, conjuncts, expression, fields, parsed
from dpsql.checker.values import WHOLE, scale

SIZE = (
    "CASE WHEN total <= r THEN n ELSE CAST((CAST(upto AS INT128) * r + h) // total "
    "- ((CAST(upto AS INT128) - n) * r + h) // total AS BIGINT) END"
)
FIRST = "CAST((e * n + g) // m AS BIGINT)"
NEXT = "CAST((e * n + g) // m - (f * n + g) // m AS BIGINT)"
DOWN = "CAST(CAST(c AS INT128) * n // m AS BIGINT)"
SUM = "(CAST(s AS INT128) * n + CASE WHEN s < 0 THEN - g ELSE g END) // m"
SAME = "CASE WHEN n = m THEN s ELSE rest END"
THRESHOLD = "CASE WHEN m <= t[b + 1] THEN b WHEN m <= t[b + 2] THEN b + 1 ELSE last END"
SORTS = ("size", "count", "sum")
ALL = "CASE WHEN u IS NULL THEN x ELSE y END"
OFFER = "ARRAY_TO_STRING([LPAD(HEX(v), 16, '0') FOR v IN LIST_SORT(c)], '')"
WEIGHT = "w // d"
ROOTED = (
    "CASE WHEN CAST(x AS INT128) * CAST(x AS INT128) * d <= w "
    "THEN CAST(CAST(x AS INT128) AS BIGINT) ELSE 0 END"
)


@lru_cache(maxsize=64)
def template(text: str) -> Expr:
    """A form of an expression: its names stand for parts."""
    ((item,),) = fields(parsed(f"SELECT {text}") | {"from_table": None}, "select_list")
    return expression(item, lambda _: ())


def matched(text: str, expr: Expr) -> dict[str, Expr] | None:
    """What the names of a form stand for in an expression; None where it is of another."""
    found: dict[str, Expr] = {}
    return found if _matches(template(text), expr, found) else None


def told(
    text: str, expr: Expr, made: Relation, **wanted: str
) -> tuple[dict[str, Expr], dict[str, Any]] | None:
    """What the names of a form stand for, and what is wanted of them: "number", one that is not
    negative, or a column's meaning; None where the expression is of another form.
    """
    if (found := matched(text, expr)) is None:
        return None
    known: dict[str, Any] = {}
    for name, of in wanted.items():
        known[name] = number(found[name]) if of == "number" else made.means(found[name])
        if of != "number" and known[name][:1] != (of,):
            return None
        if of == "number" and (known[name] is None or known[name] < 0):
            return None
    return found, known


def _matches(form: object, expr: object, found: dict[str, Expr]) -> bool:
    if isinstance(form, tuple) and isinstance(expr, tuple):
        if form and form[0] == "name" and form != expr:
            return found.setdefault(form[1][0], expr) == expr
        return len(form) == len(expr) and all(
            _matches(f, e, found) for f, e in zip(form, expr, strict=True)
        )
    return form == expr


def number(expr: Expr) -> int | None:
    """The whole number that is written down, maybe CAST to a type of whole numbers."""
    if expr[0] == "cast" and expr[1] in WHOLE:
        return number(expr[3])
    if expr[:3] == ("call", "-", False) and len(expr) == 4:
        return None if (found := number(expr[3])) is None else -found
    return int(expr[2]) if expr[:2] == ("literal", "INTEGER") else None


def below(expr: Expr) -> Expr | None:
    """What a hash is taken modulo of: m of CAST(hash(…) % CAST(m AS UBIGINT) AS BIGINT)."""
    if expr[0] != "cast" or expr[1] != "BIGINT" or expr[3][:3] != ("call", "%", False):
        return None
    hashed, size = expr[3][3:]
    if hashed[:2] != ("call", "hash") or size[:3] != ("cast", "UBIGINT", False):
        return None
    inner: Expr = size[3]
    return inner


def meant(
    items: Sequence[tuple[str, int, Expr]], made: Relation
) -> tuple[dict[int, Meaning], Relation]:
    """What the columns of a projection mean, and the relation with the tally that they have.

    Raises:
        Refused: what is kept of mixed rows is not all of them; see above.
    """
    if made.mixed is None:
        return _meant(items, made)
    forms = {n: _all(e, made) for _, n, e in items}
    found, after = _meant([(name, n, forms[n][0]) for name, n, _ in items], made)
    junk = {n for _, n, e in items if e != ("column", n) and columns(e) & made.mixed}
    for own in junk & found.keys():
        (_, x, most), (sort, *of), tally = forms[own], found[own], after.tally
        if sort == "size" and tally is not None and x == ("size",):
            of_one = [None if n is None else max(n, most) for n in (tally.total, tally.cell)]
            after = replace(after, tally=replace(tally, total=of_one[0], cell=of_one[1]))
        elif sort in SORTS and (sort == "size" or x[:2] != (f"{sort} before", of[0])):
            raise Refused("of rows of several units not all is kept")
        elif sort not in (*SORTS, "below", "prefix", "unit total"):
            del found[own]
    return found, replace(after, mixed=made.mixed | junk)


def _all(expr: Expr, made: Relation) -> tuple[Expr, Meaning, int]:
    """What a row of one unit keeps, what rows of several ones have instead, and how many rows each
    of these has; of what is no such CASE, itself and nothing.
    """
    form = matched(ALL, expr) or {}
    label, x = (made.means(form[name]) if form else () for name in "ux")
    if label[:1] != ("label",) or not x:
        return expr, (), 0
    return form["y"], x, label[1]


def _meant(
    items: Sequence[tuple[str, int, Expr]], made: Relation
) -> tuple[dict[int, Meaning], Relation]:
    found: dict[int, Meaning] = {}
    tally = made.tally
    for _, own, expr in items:
        if expr == ("column", own):
            continue
        if below(expr) is not None:
            found[own] = ("below", below(expr), columns(expr) <= made.fixed)
        elif tally is not None and (size := _size(expr, made)) is not None:
            found[own] = ("size",)
            tally = replace(tally, total=size[0], cell=size[1])
        elif (shared := _share(expr, made) or _clip(expr, made)) is not None:
            found[own] = shared
        elif expr[0] == "cast" and expr[3][0] == "column" and expr[1] in ("BIGINT", "INT128"):
            meaning = made.means(expr[3])
            if meaning[:1] in (("prefix",), ("unit total",), ("place",), ("norm",)):
                found[own] = meaning
        elif expr[0] in ("case", "call", "cast"):
            found[own] = ("case" if expr[0] == "case" else "made", expr)
    if tally is not None and tally is not made.tally:  # rows stand for fewer now
        sizes, means = (*SORTS, "line"), made.meaning.items()
        old = {n: (f"{m[0]} before", *m[1:]) if m[0] in sizes else m for n, m in means}
        total, cell = tally.total, tally.cell
        text = f"at most {cell} in each row" if total is None else f"at most {total} together"
        step = Step("quota", f"sizes of a unit: {text}", (made.step,))
        return _once({**old, **found}), replace(made, tally=tally, step=step)
    for _, own, expr in items:
        if tally is not None and expr != ("column", own):
            every = replace(made, meaning={**made.meaning, **found})
            line = _line(expr, made)
            kept = _count(expr, every) or _sum(expr, every) or (line and ("line", line))
            found |= {own: kept} if kept is not None else {}
    return _once({**made.meaning, **found}), made


def _once(meaning: dict[int, Meaning]) -> dict[int, Meaning]:
    """Of each size, count and sum there is one, and one before: it is clear which is of which."""
    sorts = [m[: 1 + (m[0][:4] != "size")] for m in meaning.values() if m[0].split()[0] in SORTS]
    if len({*sorts}) < len(sorts):
        raise Refused("a size, count or sum is cut down twice")
    return meaning


def _size(expr: Expr, made: Relation) -> tuple[int | None, int | None] | None:
    """Of a new size: the most that a unit's add up to, and the most of one row."""
    if (least_of := told("LEAST(n, r)", expr, made, n="size", r="number")) is not None:
        most: int = least_of[1]["r"]
        return (most if made.rows == 1 else None), most
    wanted = {"r": "number", "upto": "prefix", "total": "unit total", "n": "size", "h": "below"}
    found = told(SIZE, expr, made, **wanted)
    if found is None:
        return None
    form, known = found
    quota, upto = known["r"], known["upto"]
    good = upto[1] != "" and known["total"] == ("unit total", *upto[1:])
    return (quota, quota) if good and known["h"] == ("below", form["total"], True) else None


def _line(expr: Expr, made: Relation) -> tuple[tuple[Meaning, int], ...] | None:
    """The sizes, counts and sums, each times a number, that an expression adds up."""
    if expr[:3] == ("call", "+", False):
        first, more = _line(expr[3], made), _line(expr[4], made)
        return None if first is None or more is None else (*first, *more)
    if expr[:3] != ("call", "*", False) or (times := number(expr[3])) is None:
        return None
    of = made.means(expr[4])
    return ((of, times),) if of[:1] in (("size",), ("count",), ("sum",)) else None


def _end(expr: Expr, made: Relation) -> Meaning | None:
    """The inputs of which an end is the sum of counts: CAST(c AS INT128) + …"""
    if expr[:3] == ("cast", "INT128", False):
        inner = made.means(expr[3])
        return (inner[1],) if inner[:1] == ("count before",) else None
    if expr[:3] == ("call", "+", False):
        before, last = _end(expr[3], made), _end(expr[4], made)
        return None if before is None or last is None else (*before, *last)
    return None


def _count(expr: Expr, made: Relation) -> Meaning | None:
    """A count of what is kept: of which input, after which others, by which hash."""
    sizes = {"n": "size", "m": "size before"}
    if (down := told(DOWN, expr, made, c="count before", **sizes)) is not None:
        return ("count", down[1]["c"][1], "down")
    found = told(NEXT, expr, made, **sizes) or told(FIRST, expr, made, **sizes)
    if found is None or below(found[0]["g"]) != found[0]["m"]:
        return None
    form = found[0]
    chain = _end(form["e"], made)
    start = _end(form["f"], made) if "f" in form else ()
    return ("count", chain[-1], chain, form["g"]) if chain and chain[:-1] == start else None


def _sum(expr: Expr, made: Relation) -> Meaning | None:
    """A sum of what is kept: of which input, and of how many numbers."""
    if (form := matched(SAME, expr)) is not None and (rest := _sum(form["rest"], made)):
        now = ("size",) if rest[2] == "size" else ("count", rest[1])
        n, m, s = (made.means(form[e]) for e in "nms")
        same = n[: len(now)] == now and m[: len(now)] == (f"{now[0]} before", *now[1:])
        return rest if same and s == ("sum before", rest[1], "own") else None
    found = _decimal(expr)
    digits, inner = found or (0, expr)
    parts = matched(SUM, inner)
    if parts is None or below(parts["g"]) != (size := parts["m"]):
        return None
    if size[:3] != ("call", "nullif", False) or number(size[4]) != 0:
        return None
    s = parts["s"]
    if found is not None:
        whole: Expr = s[3] if s[:3] == ("cast", "INT128", False) else ()
        if whole[:3] != ("call", "*", False) or number(whole[4]) != 10**digits:
            return None
        s = whole[3]
    before, now, then = (made.means(e) for e in (s, parts["n"], size[3]))
    if before[:1] != ("sum before",) or before[2] != "own" or made.tally is None:
        return None
    _, of = made.tally.inputs[before[1]]
    ends = of.low, of.high
    if any(e is None or (e * 10**digits).denominator != 1 for e in ends):
        return None
    if now[:1] == ("size",) and then[:1] == ("size before",):
        return ("sum", before[1], "size", digits, parts["g"][3][3])
    if now[:2] == ("count", before[1]) and then[:2] == ("count before", before[1]):
        return ("sum", before[1], "count", digits, parts["g"][3][3])
    return None


def _decimal(expr: Expr) -> tuple[int, Expr] | None:
    """The digits, and x, of CAST(CAST(x AS DECIMAL(38, 0)) * CAST('0.01' AS …) AS DECIMAL(…))."""
    digits = scale(expr[1]) if expr[0] == "cast" and not expr[2] else None
    if digits is None or expr[3][:3] != ("call", "*", False):
        return None
    whole, step = expr[3][3:]
    if whole[:3] != ("cast", "DECIMAL(38,0)", False) or step[:1] != ("cast",):
        return None
    if scale(step[1]) != digits or step[3][:2] != ("literal", "STRING"):
        return None
    return (digits, whole[3]) if Fraction(step[3][2]) == Fraction(1, 10**digits) else None


def _share(expr: Expr, made: Relation) -> Meaning | None:
    """What a unit weighs in each of its rows: of which query, how much in all, in which norm."""
    for text, norm in ((WEIGHT, 1), (ROOTED, 2)):  # of ROOTED, w is W²
        found = told(text, expr, made, w="number", d="size")
        if found is not None and len(found[1]["d"]) > 1:
            return ("share", found[1]["d"][1], found[1]["w"], norm)
    return None


def _clip(expr: Expr, made: Relation) -> Meaning | None:
    """A list of thresholds, the number of one that a unit does not pass, what a unit offers."""
    if expr[:2] == ("cast", "INT128[]") and expr[3][:2] == ("call", "list_value"):
        numbers = tuple(number(e) for e in expr[3][3:])
        return ("list", numbers) if None not in numbers else None
    found = told(THRESHOLD, expr, made, m="norm", t="list", last="number")
    if found is not None:
        form, known = found
        low, thresholds = made.known[form["b"]].low, known["t"][1]
        if low is not None and low >= 0 and known["last"] == len(thresholds):
            return ("threshold", *known["m"][1:], thresholds)
    return ("offer",) if told(OFFER, expr, made, c="hashes") else None


def told_apart(condition: Expr, before: Relation, after: Relation) -> Relation:
    """What a condition says of places, and of rows without a match."""
    per, sure, rows = dict(after.per), set(after.sure), after.rows
    units_of, mixed, step = after.units_of, after.mixed, after.step
    named = {c for c, m in before.meaning.items() if m[0] == "label" and not after.at(c).null}
    after = replace(after, homes=after.homes | named)  # it is the unit, and never NULL
    for column, meaning in before.meaning.items():
        known = after.at(column)
        if meaning[:1] == ("place",) and (most := known.options) is not None:
            of: frozenset[int] = meaning[1]
            per[of] = min(most, per.get(of, most))
            sure.add(of)
        if column in named:
            units_of, mixed = units_of | {(meaning[2], True)}, None
            for of in {of for of in after.per if of & after.units and of in sure}:
                also = of - after.units | {column}  # all units of a row are equal
                per[also] = min(after.per[of], per[also]) if also in sure else after.per[of]
                sure.add(also)
    for part in conjuncts(condition):
        some = part[0] == ">" and before.means(part[1]) == ("size",) and number(part[2]) == 0
        if mixed is not None and mixed & columns(part) and not some:
            raise Refused("rows of several units are told apart by what is added up in them")
        meaning = before.means(part[1]) if part[0] == "null" else ()
        if meaning[:1] == ("missing",):
            _, most, *left = meaning
            rows = least(rows, most)
            per |= dict(zip(left[::2], left[1::2], strict=True))
        elif meaning[:1] == ("label",):
            rows, units_of = least(rows, meaning[1]), units_of | {(meaning[2], False)}
            step = Step("label", f"other units than those with more than {meaning[1]}", (step,))
    after = replace(after, units_of=units_of, mixed=mixed, step=step)
    return replace(after, per=per, sure=frozenset(sure), rows=rows)


def positive(made: Relation) -> bool:
    """Whether each row stands for at least one."""
    sizes = [n for n, m in made.meaning.items() if m[:1] == ("size",)]
    return any((made.at(n).low or Fraction(0)) >= 1 for n in sizes)


def over(
    made: Relation, keys: list[tuple[int, Expr]], terms: list[Expr], after: Relation
) -> tuple[str, int] | None:
    """Of which rows the groups are the units that have more than a number of them."""
    if not made.origin or len(keys) != 1 or len(terms) != 1 or terms[0][0] != ">":
        return None
    ((own, key),), (_, count, size) = keys, terms[0]
    if key != ("column", own) or own not in made.units or (most := number(size) or 0) < 1:
        return None  # of more than none there are all, so that all others are nobody's
    return (made.origin, most) if after.means(count) == ("size", made.origin) else None


def added_up(made: Relation, keys: Sequence[Expr], items: Sequence[Expr]) -> None:
    """Whether of mixed rows sums alone are shown, by what groups have in common; see above.

    Raises:
        Refused: it is not so.
    """
    mixed = made.mixed or frozenset()
    sizes = {c for c in mixed if made.meaning.get(c, ("",))[0] in SORTS}
    sums = {("call", "sum", False, ("column", c)) for c in sizes}
    if any(columns(k) & mixed for k in keys) or any(i not in sums and i not in keys for i in items):
        raise Refused("more than sums is made of rows of several units")
