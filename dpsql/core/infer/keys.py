"""Keys and what the unit determines.

A *key* of a node is a set of columns whose values no two of its rows share; only keys that are
unique in fact count. The *determined* columns are those that have one value per unit; of public
rows, those that have one value in all of them, and with it in all rows of an inner join.

Claims, for an inner join on a conjunction that implies the equalities P:
1. If P's right columns cover a key of the right side, each left row meets at most one right row;
   so the left side's keys stay keys (and the other way round). The union of a key of each side is
   always a key.
2. If the columns that P equates to a key of the other side are determined, so are all its columns:
   one value per unit of the key picks one row.
3. A column equated with what reads determined ones alone, or with a constant, is determined; but
   for floats that may be 0.0 and -0.0, which are equal and may be read in any order of rows.
4. What a row of one side has where `=` reads that side alone, is one value: so the row meets no
   more rows of the other side than share a value of the columns that it is compared with
   (`compared`), and with a key of them, one.
"""

from __future__ import annotations

from dpsql.core.plan.expr import Call, Expr, Literal, Ref, columns_of, conjuncts

Keys = tuple[frozenset[int], ...]

MAX_KEYS = 8


def plain_column(expr: Expr) -> int | None:
    """The column that an operand of `=` is, seen through casts under which different values stay
    different: widening of whole numbers, an ENUM's text.
    """
    while isinstance(expr, Call) and expr.function == "coerce":
        (inner,) = expr.args
        whole = inner.type.is_integer and expr.type.is_integer
        if not whole and not (inner.type.name == "ENUM" and expr.type.is_string):
            return None
        expr = inner
    return expr.column.id if isinstance(expr, Ref) else None


def one_to_one(expr: Expr) -> int | None:
    """The column of which an expression has another value for each value: x + 1, -x, x || 'a', and
    a whole number or a text as another type of these.
    """
    while isinstance(expr, Call):
        varying = [a for a in expr.args if not isinstance(a, Literal) or a.value is None]
        if len(varying) != 1 or expr.function not in ("coerce", "cast", *_ONE_TO_ONE):
            return None
        (inner,) = varying
        kinds = (inner.type, expr.type)
        if not all(k.is_integer or k.is_string for k in kinds) or (
            inner.type.is_string and expr.type.is_integer  # '1' and '01'
        ):
            return None
        expr = inner
    return expr.column.id if isinstance(expr, Ref) else None


_ONE_TO_ONE = ("add", "sub", "neg", "concat")


def equalities(terms: list[Expr] | tuple[Expr, ...]) -> list[tuple[int, int]]:
    """The pairs of columns that the terms of a conjunction equate."""
    pairs: list[tuple[int, int]] = []
    for term in terms:
        if isinstance(term, Call) and term.function == "eq":
            a, b = plain_column(term.args[0]), plain_column(term.args[1])
            if a is not None and b is not None:
                pairs.append((a, b))
    return pairs


def compared(
    terms: list[Expr] | tuple[Expr, ...], side: frozenset[int], other: frozenset[int]
) -> frozenset[int]:
    """The columns of a side that the terms equate with something of the other side, be it a column
    or computed of some: `days.day = orders.placed::DATE`. Claim 4.
    """
    return frozenset(
        column
        for term in terms
        if isinstance(term, Call) and term.function == "eq"
        for operand, found in (term.args, term.args[::-1])
        if (column := plain_column(operand)) in side and columns_of(found) <= other
        if column is not None
    )


def exact(terms: list[Expr] | tuple[Expr, ...]) -> list[Expr]:
    """The terms where one value on one side leaves one on the other: of floats they do not, as
    0.0 = -0.0.
    """
    return [t for t in terms if isinstance(t, Call) and not any(a.type.is_float for a in t.args)]


def fixing(terms: list[Expr] | tuple[Expr, ...]) -> list[tuple[int, int]]:
    """The pairs of `equalities` in exact terms."""
    return equalities(exact(terms))


def same_terms(terms: list[Expr] | tuple[Expr, ...]) -> list[tuple[int, int]]:
    """As `equalities`, of IS NOT DISTINCT FROM: equal, or both NULL."""
    pairs: list[tuple[int, int]] = []
    for term in terms:
        if isinstance(term, Call) and term.function == "is_not_distinct":
            a, b = plain_column(term.args[0]), plain_column(term.args[1])
            if a is not None and b is not None:
                pairs.append((a, b))
    return pairs


def constants(predicate: Expr) -> frozenset[int]:
    """The columns that a predicate fixes to a constant; none to a float's zeros, which are two."""
    fixed: set[int] = set()
    for term in conjuncts(predicate):
        if isinstance(term, Call) and term.function == "eq":
            for operand, other in (term.args, term.args[::-1]):
                column = plain_column(operand)
                zeros = operand.type.is_float and isinstance(other, Literal) and not other.value
                if column is not None and isinstance(other, Literal) and not zeros:
                    fixed.add(column)
    return frozenset(fixed)


def reduced(keys: Keys, fixed: frozenset[int]) -> Keys:
    """The keys of rows in which the columns `fixed` are constants, and what is left of the keys
    without those. Claim: that is a key too. Why: two rows with the same values there have the same
    values in the whole key, since the constants are the same in all rows.
    """
    return (*keys, *(key - fixed for key in keys if key & fixed))[:MAX_KEYS]


def equated(keys: Keys, pairs: list[tuple[int, int]]) -> Keys:
    """The keys, and those in which a column stands for another that is equal to it in all rows.
    Claim: these are keys too. Why: `pairs` are of `fixing`, so that rows with one value of a column
    have one value of what it stands for, and with that the same values in the whole key.
    """
    found = dict.fromkeys(keys)
    for a, b in pairs:
        for old, new in ((a, b), (b, a)):
            found |= dict.fromkeys(key - {old} | {new} for key in tuple(found) if old in key)
    return tuple(found)[:MAX_KEYS]


def covers(columns: frozenset[int], keys: Keys) -> bool:
    """Whether a key lies within `columns`."""
    return any(key <= columns for key in keys)


def joined_keys(left: Keys, right: Keys, left_once: bool, right_once: bool) -> Keys:
    """Claim 1. `right_once`: each left row meets at most one right row."""
    keys: list[frozenset[int]] = []
    if right_once:
        keys += left
    if left_once:
        keys += right
    if not keys:
        keys = [a | b for a in left for b in right]
    return tuple(keys[:MAX_KEYS])


def closure(
    determined: frozenset[int],
    sides: list[tuple[frozenset[int], Keys]],
    pairs: list[tuple[int, int]],
) -> frozenset[int]:
    """Claims 2 and 3 applied until nothing new follows. `sides`: columns and keys of each side."""
    known = set(determined)
    while True:
        before = len(known)
        for a, b in pairs:
            if a in known or b in known:
                known |= {a, b}
        for columns, keys in sides:
            if covers(frozenset(known) & columns, keys):
                known |= columns
        if len(known) == before:
            return frozenset(known)
