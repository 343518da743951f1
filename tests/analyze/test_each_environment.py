"""Ranges under several environments at once are those under each."""

from __future__ import annotations

from fractions import Fraction

from dpsql.core.functions.build import make
from dpsql.core.infer.ranges import each_inferred, each_narrowed, infer, narrow
from dpsql.core.plan.expr import Column, Expr, Literal, Ref
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT

X, Y = Ref(Column(1, "x", BIGINT)), Ref(Column(2, "y", BIGINT))
WIDE, SMALL = Values(Fraction(-9), Fraction(9)), Values(Fraction(0), Fraction(3), False)
ENVIRONMENTS = (
    {1: WIDE, 2: SMALL},
    {1: WIDE, 2: WIDE},  # the same x
    {1: SMALL, 2: SMALL},  # the same y
    {1: WIDE, 2: SMALL},
)


def number(value: int) -> Expr:
    return Literal(value, BIGINT)


def test_narrowed_as_one_by_one() -> None:
    below = make("lt", (X, number(5)), None)
    equal = make("eq", (X, Y), None)
    other = make("or", (make("gt", (Y, number(1)), None), make("lt", (X, number(0)), None)), None)
    for terms in ((below,), (equal,), (below, other), (equal, below, other)):
        predicate = terms[0] if len(terms) == 1 else make("and", terms, None)
        alone = [narrow(predicate, env) for env in ENVIRONMENTS]
        assert each_narrowed(predicate, ENVIRONMENTS) == alone
        assert len(set(map(str, alone))) > 1


def test_inferred_as_one_by_one() -> None:
    for expr in (X, make("add", (X, number(1)), None), make("mul", (X, Y), None), number(7)):
        alone = [infer(expr, env) for env in ENVIRONMENTS]
        assert list(map(str, each_inferred(expr, ENVIRONMENTS))) == list(map(str, alone))
