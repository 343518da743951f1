"""Weights of a row that are never negative and add up to one whole: then all of them together move
by that whole for each row.

A weight is made of whole numbers with +, -, * and // by a constant: a polynomial in *leaves*. A
leaf is another expression with its interval, or such a division of a polynomial in one leaf. It is
NULL where an expression below it is, so weights of the same leaves are NULL in the same rows; and
in all rows where a leaf has no value.

Claim: a polynomial in leaves of two variables x and y is nowhere negative if it is P(y)·Q(x), with
P and Q of one sign each, the same one. A polynomial has such a form if its coefficients, as a
matrix of powers of y and powers of x, have rank one. One variable: a polynomial of degree two at
most is least and greatest at an end of its interval or where its slope is 0; c·r + d with r = p //
k is so at the ends of p, as // never turns an order round; r - s is never negative if p >= q for r
= p // k and s = q // k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import trunc

from dpsql.checker.proof import Refused
from dpsql.checker.scalars import value
from dpsql.checker.tree import Expr, Meaning
from dpsql.checker.values import WHOLE, Value

Poly = Mapping[tuple[int, ...], Fraction]
"""Coefficients of products of leaves, by their numbers, ascending."""


class Leaves:
    """Reads polynomials of one statement's rows."""

    def __init__(self, known: Mapping[Expr, Value], meaning: Mapping[int, Meaning]) -> None:
        self._known, self._meaning = known, meaning
        self._numbers: dict[Expr, int] = {}
        self._ends: list[tuple[Fraction, Fraction]] = []
        self._divided: dict[int, tuple[Poly, Fraction]] = {}
        self._never: set[int] = set()

    def poly(self, expr: Expr) -> tuple[Poly, frozenset[int]]:
        """The polynomial, and the leaves that it is written with, undivided ones.

        Raises:
            Refused: a leaf is no whole number, or has no ends.
        """
        if expr[0] == "column" and self._meaning.get(expr[1], ())[:1] == ("made",):
            made: Expr = self._meaning[expr[1]][1]
            return self.poly(made)
        inner: Expr = expr[3] if expr[0] == "cast" and expr[1] in WHOLE and not expr[2] else expr
        if inner[:2] == ("literal", "INTEGER"):
            return {(): Fraction(inner[2])}, frozenset()
        if expr[0] == "call" and not expr[2] and len(expr) == 5 and expr[1] in ("+", "-", "*"):
            with suppress(Refused):  # but a difference of dates is a leaf
                (a, read), (b, more) = self.poly(expr[3]), self.poly(expr[4])
                sign = 1 if expr[1] == "+" else -1
                return _product(a, b) if expr[1] == "*" else added(a, b, sign), read | more
        if expr[:3] == ("call", "//", False):
            (a, read), (b, _) = self.poly(expr[3]), self.poly(expr[4])
            by = b.get((), Fraction(0))
            if set(b) - {()} or by <= 0 or len(read) != 1:
                raise Refused("a weight is divided by more than a constant")
            low, high = (Fraction(trunc(end / by)) for end in self._range(a))
            found = self._leaf(("//", tuple(sorted(a.items())), by), low, high)
            self._divided[found] = (a, by)
            return {(found,): Fraction(1)}, read
        ends = value(expr, self._known)
        if ends.kind != "whole" or ends.low is None or ends.high is None:
            raise Refused("a weight is made of what is no whole number, or has no ends")
        found = self._leaf(expr, ends.low, ends.high)
        self._never |= {found} if ends.count == 0 else set()
        return {(found,): Fraction(1)}, frozenset({found})

    def _leaf(self, of: Expr, low: Fraction, high: Fraction) -> int:
        found = self._numbers.setdefault(of, len(self._ends))
        self._ends += [(low, high)] * (found == len(self._ends))
        return found

    def _base(self, leaf: int) -> int:
        """The variable of a leaf."""
        if leaf not in self._divided:
            return leaf
        return next(part for of in self._divided[leaf][0] for part in of)

    def positive(self, poly: Poly) -> bool:
        """Whether it is never negative, by the claim above."""
        bases = sorted({self._base(leaf) for of in poly for leaf in of})
        if self._never.intersection(bases):
            return True  # it is NULL
        rows: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {}
        for of, number in poly.items():
            mine = tuple(leaf for leaf in of if self._base(leaf) == bases[0])
            other = tuple(leaf for leaf in of if self._base(leaf) != bases[0])
            rows.setdefault(mine, {})[other] = number
        if len(bases) != 2:
            return len(bases) < 2 and (not poly or self._sign(poly) > 0)
        q = next(iter(rows.values()))
        one = next(iter(q))
        p = {of: row.get(one, Fraction(0)) / q[one] for of, row in rows.items()}
        if any(added(row, q, -p[of]) for of, row in rows.items()):
            return False  # not of rank one
        return self._sign(p) * self._sign(q) > 0

    def _sign(self, poly: Poly) -> int:
        """1 where it is never negative, -1 where never positive, 0 where neither is known."""
        with suppress(Refused):
            low, high = self._range(poly)
            return 1 if low >= 0 else -1 if high <= 0 else 0
        return 0

    def _range(self, poly: Poly) -> tuple[Fraction, Fraction]:
        leaves = sorted({leaf for of in poly for leaf in of})
        if not leaves:
            return poly.get((), Fraction(0)), poly.get((), Fraction(0))
        if len(leaves) == 2 and all(leaf in self._divided for leaf in leaves):
            (p, k), (q, k_) = (self._divided[leaf] for leaf in leaves)
            a = poly.get((leaves[0],), Fraction(0))
            if set(poly) == {(leaf,) for leaf in leaves} and poly[(leaves[1],)] == -a and k == k_:
                low, high = self._range(added(p, q, -1))
                if low >= 0 or high <= 0:  # of the same sign, maybe 0
                    far = max(abs(low), abs(high)) * abs(a)
                    return (Fraction(0), far) if (low >= 0) == (a > 0) else (-far, Fraction(0))
        (leaf,) = leaves if len(leaves) == 1 else (None,)
        if leaf is None or any(len(of) > 2 for of in poly):
            raise Refused("a weight is of a form that is not followed")
        c, b, a = (poly.get((leaf,) * n, Fraction(0)) for n in range(3))
        ends = list(self._ends[leaf])
        if a and ends[0] < -b / (2 * a) < ends[1]:
            ends.append(-b / (2 * a))
        found = [a * x * x + b * x + c for x in ends]
        return min(found), max(found)


def added(a: Poly, b: Poly, times: Fraction | int) -> dict[tuple[int, ...], Fraction]:
    """a + times·b."""
    found = dict(a)
    for of, number in b.items():
        found[of] = found.get(of, Fraction(0)) + times * number
    return {of: number for of, number in found.items() if number}


def _product(a: Poly, b: Poly) -> Poly:
    found: dict[tuple[int, ...], Fraction] = {}
    for x, m in a.items():
        for y, n in b.items():
            of = tuple(sorted((*x, *y)))
            found[of] = found.get(of, Fraction(0)) + m * n
    return {of: number for of, number in found.items() if number}


Weights = Sequence[tuple[Fraction, Mapping[Expr, Fraction]]]
"""Each a constant, and expressions times numbers."""


def whole(
    weights: Weights, known: Mapping[Expr, Value], meaning: Mapping[int, Meaning]
) -> Fraction:
    """What weights add up to.

    Raises:
        Refused: it is not the same in every row, or one may be negative.
    """
    leaves = Leaves(known, meaning)
    total: Poly = {}
    written: set[frozenset[int]] = set()
    for constant, parts in weights:
        made: Poly = {(): constant} if constant else {}
        for expr, times in parts.items():
            poly, read = leaves.poly(expr)
            written.add(read)
            made = added(made, poly, times)
        if not leaves.positive(made):
            raise Refused("a weight may be negative")
        total = added(total, made, 1)
    if set(total) - {()} or len(written) != 1:
        raise Refused("weights do not add up to one whole in all rows")
    return total.get((), Fraction(0))
