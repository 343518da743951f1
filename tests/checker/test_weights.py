"""Weights that are said to be nowhere negative are so, at each point of their variables' ranges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

from dpsql.checker.partition import Leaves
from dpsql.checker.tree import Expr
from dpsql.checker.values import Value

X: Expr = ("column", 1)
Y: Expr = ("column", 2)
RANGES = {X: (-1, 2), Y: (0, 3)}


def whole(value: int) -> Expr:
    return ("literal", "INTEGER", str(value))


def call(name: str, a: Expr, b: Expr) -> Expr:
    return ("call", name, False, a, b)


def at(expr: Expr, x: int, y: int) -> int:
    if expr in (X, Y):
        return x if expr == X else y
    if expr[0] == "literal":
        return int(expr[2])
    a, b = at(expr[3], x, y), at(expr[4], x, y)
    return {"+": a + b, "-": a - b, "*": a * b}[expr[1]]


def test_positive_is_nowhere_negative() -> None:
    """Of all products of two factors, of one variable or of both, some of which have no sign."""
    known = {
        e: Value(Fraction(low), Fraction(high), False, "whole") for e, (low, high) in RANGES.items()
    }
    found = {True: 0, False: 0}
    ends = range(-2, 5)
    factors = [call("-", v, whole(c)) for v in (X, Y) for c in ends]
    factors += [call("-", whole(c), v) for v in (X, Y) for c in ends]
    points = list(product(*(range(low, high + 1) for low, high in RANGES.values())))
    for a, b in product(factors, factors):
        weight = call("*", a, b)
        leaves = Leaves(known, {})
        poly, _ = leaves.poly(weight)
        truly = all(at(weight, x, y) >= 0 for x, y in points)
        said = leaves.positive(poly)
        assert truly or not said, weight
        found[said] += 1
    assert found[True] > 150 and found[False] > 300


def test_a_weight_of_no_value_is_null() -> None:
    """Whatever is made of it; a number beside it is what it is."""
    nothing = Value(Fraction(0), Fraction(0), True, "whole", frozenset())
    leaves = Leaves({X: nothing, Y: replace(nothing, among=None)}, {})
    said = {e: leaves.positive(leaves.poly(call("-", e, whole(5)))[0]) for e in (X, Y, whole(2))}
    assert said == {X: True, Y: False, whole(2): False}
