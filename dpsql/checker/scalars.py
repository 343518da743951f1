"""Expressions over rows: what they can be, and what a condition says of them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache

from dpsql.checker.functions import STEPS, STRICT, called
from dpsql.checker.proof import Refused
from dpsql.checker.tree import Expr, conjuncts, walk
from dpsql.checker.values import (
    ANY,
    NONE,
    NUMBERS,
    TRUTH,
    WHOLE,
    Value,
    cast,
    hull,
    never,
    of_literal,
    of_moment,
    of_type,
    one,
    outward,
    rounded,
    single,
)

Known = Mapping[Expr, Value]
"""What columns, and expressions that conditions speak of, can be."""

Among = frozenset[object] | None

MOMENTS = {"DATE": "date", "TIMESTAMP": "time"}
OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class World(dict[Expr, Value]):
    """What is known at one place, and what expressions were found to be there: a function of both
    alone. It is found by an expression's identity, as long as no more gets known.
    """

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.found: dict[int, tuple[Expr, Value]] = {}

    def __setitem__(self, expr: Expr, told: Value) -> None:
        if self.get(expr) != told:
            super().__setitem__(expr, told)
            self.found.clear()
        if expr[:2] == ("cast", "TEXT") and value(expr[3], self).kind == "text":  # the same text
            self[expr[3]] = told


def value(expr: Expr, known: Known) -> Value:
    """What an expression can be.

    Raises:
        Refused: a function that is not known.
    """
    before = known.found if isinstance(known, World) else {}
    if id(expr) in before:
        return before[id(expr)][1]
    found = _value(expr, known)
    told = known.get(expr)
    if told is not None and expr[0] != "column":
        among = fewer(found.among, told.among)
        found = found.clipped(told.low, told.high).but(found.null and told.null).of(among)
    if found.count == 0:  # then any interval holds all values
        found = replace(found, low=Fraction(0), high=Fraction(0))
    before[id(expr)] = expr, found  # with the expression, or another might get its identity
    return found


def fewer(a: Among, b: Among) -> Among:
    """The values that are in both lists; the shorter one where they cannot be compared."""
    if a is None or b is None:
        return b if a is None else a
    same = len({type(v) for v in a | b}) == 1 and all(type(v) in (str, Fraction) for v in a | b)
    return a & b if same else min(a, b, key=len)


def _value(expr: Expr, known: Known) -> Value:
    kind = expr[0]
    if kind == "column":
        if known[expr].kind == "list":
            raise Refused("a list of private rows is in no certain order")
        return known[expr]
    if kind == "literal":
        return of_literal(expr[1], expr[2])
    if kind == "cast":
        inner = expr[3]
        if inner[0] == "literal":
            return _literal(expr)
        below = value(inner, known)
        if expr[1] == "DATE" and (written := _written(inner, known)) is not None:
            return written
        return cast(below, expr[1], expr[2])
    if kind == "case":
        return _case(expr, known)
    if expr[:3] == ("call", "list_sort", False) and len(expr) == 4 and expr[3][0] == "column":
        return ANY
    if kind == "call":
        args = [value(a, known) for a in expr[3:]]
        found = called(expr[1], args)
        if expr[1] == "*" and expr[3] == expr[4] and found is not None:
            found = found.clipped(Fraction(0), None)  # a square
        if found is None or expr[2]:
            raise Refused(f"the function {expr[1]} is not known")
        return found
    if kind == "coalesce":
        args = [value(part, known) for part in expr[1:]]
        last = next((i for i, a in enumerate(args) if not a.null), len(args))
        rest = map(never, args[last + 1 :])
        return hull([*args[: last + 1], *rest]).but(all(a.null for a in args))
    if kind in ("null", "notnull", "exists", "is"):
        _below(expr, known)
        return TRUTH.but(null=False)
    if kind in ("=", "<>", "<", ">", "<=", ">=", "and", "or", "not", "in"):
        parts = _below(expr, known)
        nothing = kind in TURNED and any(p.count == 0 for p in parts)
        found = TRUTH.but(any(p.null for p in parts))
        return found.of(NONE) if nothing else found
    if kind == "at":
        _below(expr, known)
        return ANY
    if kind == "lambda":
        value(expr[2], {**known, expr[1]: ANY})
        return ANY
    if kind == "name":  # a lambda's own
        if expr in known:
            return known[expr]
        raise Refused(f"the column {'.'.join(expr[1])} is not known")
    raise Refused(f"{kind} is not followed here")


@lru_cache(maxsize=4096)
def _literal(expr: Expr) -> Value:
    """A constant of a type."""
    _, to, tried, inner = expr
    if inner[1] == "STRING" and to in MOMENTS:
        return of_moment(MOMENTS[to], inner[2])
    if inner[1] != "STRING":
        return cast(value(inner, {}), to, tried)
    if of_type(to).kind in NUMBERS:  # CAST('0.12' AS DECIMAL(2, 2))
        with suppress(ValueError, ArithmeticError):
            return cast(of_literal("NUMERIC", inner[2]), to, tried)
    return replace(of_type(to), null=tried, among=one(expr))


def _written(expr: Expr, known: Known) -> Value | None:
    """A date that is put together from numbers: CAST(y || '-' || m || '-' || d AS DATE)."""
    parts: list[Expr] = []
    while expr[:3] == ("call", "||", False):
        parts, expr = [expr[4], *parts], expr[3]
    parts = [expr, *parts]
    if len(parts) != 5 or {parts[1], parts[3]} != {("literal", "STRING", "-")}:
        return None
    numbers = [value(p[3], known) for p in parts[::2] if p[:2] == ("cast", "TEXT")]
    if len(numbers) != 3 or not all(n.bounded and n.kind == "whole" for n in numbers):
        return None
    y, m, d = (int(n.low or 0) for n in numbers)
    to_y, to_m, to_d = (int(n.high or 0) for n in numbers)
    if not (y >= 1 and to_y < 9999 and m >= 1 and to_m <= 12 and d >= 1):
        return None
    long = m not in {2, 4, 6, 9, 11}
    first = date(y, m, min(d, 28)).toordinal() + max(0, min(d, 31) - 28) * long
    last = date(to_y, to_m, 1).toordinal() + min(to_d, 31) - 1
    return Value(Fraction(first), Fraction(last), True, "date")


def _below(expr: Expr, known: Known) -> list[Value]:
    """Look through the parts: what is refused in them is refused here."""
    return [] if expr[0] == "exists" else [value(part, known) for part in expr[1:]]


def _case(expr: Expr, known: Known) -> Value:
    """A branch is taken where its condition is TRUE and no earlier one is."""
    found: list[Value] = []
    here = known if isinstance(known, World) else World(known)
    sure = False  # that one of these is taken
    for condition, then in expr[1]:
        value(condition, here)
        inside = None if sure else assumed(condition, here)
        found.append(never(value(then, here)) if inside is None else value(then, inside))
        sure = sure or (inside is not None and _holds(condition, here))
        here = failed(condition, here)
    last = value(expr[2], here)
    return hull([*found, never(last) if sure else last])


def _holds(condition: Expr, known: Known) -> bool:
    """Whether a condition is TRUE everywhere: its opposite nowhere, nor NULL."""
    if condition[0] in OPPOSITE:
        kind, left, right = OPPOSITE[condition[0]], *(value(e, known) for e in condition[1:])
        nowhere = _beyond(kind, left, right) or _beyond(TURNED[kind], right, left)
        return nowhere and not (left.null or right.null)
    if condition[0] == "not" and condition[1][0] == "null":
        condition = ("notnull", condition[1][1])
    return condition[0] == "notnull" and not value(condition[1], known).null


def _narrow(part: Expr, found: dict[Expr, Value]) -> None:
    kind = part[0]
    if kind in TURNED:
        left, right = part[1], part[2]
        _compare(kind, left, right, found)
        _compare(TURNED[kind], right, left, found)
        _other(left, (right,) if kind == "<>" else (), found)
        _not_null(right, found)
    elif kind == "in":
        options_of, tested = [value(e, found) for e in part[2:]], value(part[1], found)
        options = hull(options_of)
        known = [constant(e) for e in part[2:]]
        among = options.among if None in known else frozenset(k[1] for k in known if k is not None)
        kinds = {(e.kind == "float", e.type == "REAL") for e in (tested, *options_of)}
        if comparable(tested, options) and len(kinds) == 1:  # or some are rounded first
            tested = tested.clipped(options.low, options.high)
        read = options.kind == "text" and single(tested, tested)  # a text as one value
        if single(tested, options) or read:
            tested = tested.of(fewer(tested.among, among))
        found[part[1]] = tested
        _not_null(part[1], found)
    elif kind == "null":
        found[part[1]] = value(part[1], found).of(NONE)
    elif kind == "is" and part[2] == ("literal", "BOOLEAN", "true"):
        _narrow(part[1], found)
    elif kind == "not":
        _narrow_not(part[1], found)
    elif kind == "or":
        worlds = [w for p in part[1:] if (w := assumed(p, found)) is not None]
        for expr in set.intersection(*map(set, worlds)) if worlds else {part}:
            found[expr] = hull([w[expr] for w in worlds])
    elif kind in ("notnull", "column", "call"):
        _told(part, 1, found)


def _narrow_not(part: Expr, found: dict[Expr, Value]) -> None:
    if part[0] in OPPOSITE:
        _narrow((OPPOSITE[part[0]], *part[1:]), found)
    elif part[0] == "or":
        for inner in part[1:]:
            _narrow_not(inner, found)
    elif part[0] == "in":
        _other(part[1], part[2:], found)
    elif part[0] in ("null", "column", "call"):
        _told(part, 0, found)


def _told(part: Expr, truth: int, found: dict[Expr, Value]) -> None:
    """It is TRUE, or FALSE: what is tested is not NULL; nor is a condition, which is 1 or 0."""
    expr = part[1] if part[0] in ("null", "notnull") else part
    _not_null(expr, found)
    if expr is part and found[expr].type == "BOOLEAN":
        found[expr] = found[expr].clipped(Fraction(truth), Fraction(truth))


def _other(expr: Expr, others: tuple[Expr, ...], found: dict[Expr, Value]) -> None:
    """It is equal to none of these: so it is not one of them, as each value is equal to itself."""
    tested, known = value(expr, found), [(constant(e), value(e, found)) for e in others]
    no = {constant[1] for constant, of in known if constant and single(tested, of)}
    for _ in no if tested.kind == "whole" and tested.bounded else ():  # each may be an end then
        low, high = (end or Fraction(0) for end in (tested.low, tested.high))
        tested = tested.clipped(low + (low in no), high - (high in no))
    found[expr] = tested if tested.among is None else tested.of(tested.among - no)
    _not_null(expr, found)


def comparable(a: Value, b: Value) -> bool:
    """Whether their intervals are in the order that they are compared in."""
    return {a.kind, b.kind} <= NUMBERS or {a.kind, b.kind} <= {"date", "time"}


def _compare(kind: str, left: Expr, right: Expr, found: dict[Expr, Value]) -> None:
    """left against right: the interval of left, by that of right."""
    if left[0] == "literal" or kind == "<>":
        return
    mine, other = value(left, found), value(right, found)
    if kind == "=" and mine.kind == other.kind in ("text", "") and single(mine, other):
        found[left] = mine.of(fewer(mine.among, other.among))
    if not comparable(mine, other):
        return
    low = other.low if kind in ("=", ">", ">=") else None
    high = other.high if kind in ("=", "<", "<=") else None
    if mine.kind == "float" != other.kind:  # the other is rounded first
        low, high = rounded(low, high, short=mine.type == "REAL")
    elif other.type == "REAL" != mine.type and mine.kind != "float":
        return
    elif other.kind == "float" != mine.kind and not mine.small:
        low = None if low is None else outward(float(low), 0.0)[0]  # mine is
        high = None if high is None else outward(0.0, float(high))[1]
    step = min(STEPS.get(of.kind, Fraction(0)) for of in (mine, other))
    low = low + step if low is not None and kind == ">" else low
    high = high - step if high is not None and kind == "<" else high
    clipped = mine.clipped(low, high)
    if kind == "=" and single(mine, other):
        clipped = clipped.of(fewer(clipped.among, other.among))
    found[left] = clipped
    if left[0] == "cast" and (left[1] in WHOLE or left[1].startswith("DECIMAL")):
        inner = value(left[3], found)
        if inner.kind == "whole":  # the same number, or an error
            inner = inner.clipped(clipped.low, clipped.high)
            found[left[3]] = inner.of(fewer(inner.among, clipped.among))
    if left[:3] in (("call", "strlen", False), ("call", "length", False)):
        found[left[3]] = value(left[3], found).clipped(None, clipped.high)  # a character is a byte


def _not_null(expr: Expr, found: dict[Expr, Value]) -> None:
    """The expression is not NULL, nor what it is strictly made of; each is looked at once."""
    told = [(p, value(p, found).but(null=False)) for p in _solid(expr) if p[0] != "literal"]
    for part, known in told:
        found[part] = known


def _solid(expr: Expr) -> dict[Expr, None]:
    """What is not NULL where an expression is not: itself; what is cast, or goes into a function
    that is strict; and what all branches of a CASE need that are not NULL.
    """
    inner: list[dict[Expr, None]] = []
    if expr[0] == "cast" or (expr[0] == "call" and expr[1] in STRICT):
        inner = [_solid(part) for part in expr[3:]]
    if expr[0] == "case":
        branches = [_solid(e) for e in (*(e for _, e in expr[1]), expr[2]) if not _is_null(e)]
        inner = [{e: None for e in b if all(e in o for o in branches)} for b in branches[:1]]
    return {expr: None, **{e: None for part in inner for e in part}}


def failed(condition: Expr, known: Known) -> World:
    """What is known where a condition is not TRUE: it may be NULL, so that NULLs stay."""
    found = World(known)
    parts = condition[1:] if condition[0] == "or" else (condition,)
    for part in parts:
        if part[0] in OPPOSITE and part[0] != "=":
            for kind, left, right in (
                (OPPOSITE[part[0]], part[1], part[2]),
                (TURNED[OPPOSITE[part[0]]], part[2], part[1]),
            ):
                if not value(right, found).null and value(right, found).count == 1:
                    null = value(left, found).null
                    _compare(kind, left, right, found)
                    if left in found:
                        found[left] = found[left].but(null)
        elif part[0] == "null":
            _not_null(part[1], found)
    return found


def assumed(condition: Expr, known: Known) -> World | None:
    """What is known where a condition is TRUE; None where what its parts can be rules that out."""
    here = World(known)
    for part in conjuncts(condition):
        told = value(part, here)
        nowhere = part[0] == "null" and not value(part[1], here).null
        if nowhere or told.count == 0 or (told.kind == "" and told.high == 0):
            return None
        if part[0] in TURNED:
            left, right = value(part[1], here), value(part[2], here)
            if _beyond(part[0], left, right) or _beyond(TURNED[part[0]], right, left):
                return None
        _narrow(part, here)
    nothing = any(v.among == NONE and not v.null for v in here.values())
    return None if nothing else here


def _beyond(kind: str, a: Value, b: Value) -> bool:
    """Whether intervals rule out that a < b, a <= b, a = b."""
    if kind not in ("<", "<=", "=") or a.low is None or b.high is None or not comparable(a, b):
        return False
    rounded = (a.kind == "float") != (b.kind == "float")
    return not rounded and (a.low > b.high or (kind == "<" and a.low == b.high))


def exclusive(a: Expr, b: Expr, known: Known) -> bool:
    """Whether no row has both expressions not NULL: what they demand cannot all be TRUE."""
    return _impossible([*demands(a), *demands(b)], known)


def _impossible(terms: list[Expr], known: Known) -> bool:
    """Whether conditions cannot all be TRUE: two are opposites, or one leaves an expression no
    value that the others, and it is not NULL.
    """
    for i, term in enumerate(terms):
        if term[0] == "or":
            rest = terms[:i] + terms[i + 1 :]
            return all(_impossible([*conjuncts(part), *rest], known) for part in term[1:])
        if ("not", term) in terms or (OPPOSITE.get(term[0]), *term[1:]) in terms:
            return True
    return assumed(("and", *terms, *terms), known) is None


def not_zero(expr: Expr) -> Expr:
    """The expression with NULL instead of the 0 of CASE WHEN … ELSE 0 END: a sum is the same."""
    if expr[0] == "cast":
        return (*expr[:3], not_zero(expr[3]))
    if expr[0] == "case" and expr[2][:2] == ("literal", "INTEGER") and int(expr[2][2]) == 0:
        return ("case", expr[1], ("literal", "NULL_LITERAL", ""))
    return expr


def demands(expr: Expr) -> list[Expr]:
    """Conditions that are TRUE wherever the expression is not NULL."""
    if expr[0] == "case" and len(expr[1]) == 1 and _is_null(expr[2]):
        ((condition, then),) = expr[1]
        return [*conjuncts(condition), *demands(then)]
    if expr[0] == "cast":
        return demands(expr[3])
    if expr[0] == "call" and expr[1] in STRICT:
        return [d for a in expr[3:] for d in demands(a)]
    clamp = expr[0] == "case" and all(w[0] in TURNED and expr[2] in w[1:] for w, _ in expr[1])
    return demands(expr[2]) if clamp else []  # NULL where what it clamps is, compared first


def _is_null(expr: Expr) -> bool:
    return expr[:2] == ("literal", "NULL_LITERAL") or (expr[0] == "cast" and _is_null(expr[3]))


def constant(expr: Expr) -> tuple[str, object] | None:
    """A constant as it is compared: equal ones are the same."""
    if expr[0] == "literal" and expr[1] in ("STRING", "BOOLEAN"):
        text = expr[2] if expr[1] == "STRING" else Fraction(expr[2].lower() == "true")
        return ("text" if expr[1] == "STRING" else "truth"), text
    if expr[0] not in ("literal", "cast") or {"column", "name"} & {p[0] for p in walk(expr)}:
        return None
    found = value(expr, {})
    if found.kind and found.low is not None and found.low == found.high and not found.null:
        return "day" if found.kind in ("date", "time") else "number", found.low
    return None
