"""What conditions say of an expression: exact ends, of that expression alone."""

from __future__ import annotations

import operator
from itertools import product

import pytest

from dpsql.core.functions.build import make
from dpsql.core.infer.ranges import infer
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.values import Values, of_type
from dpsql.core.shape.said import bounded, said_of, spoken_of
from dpsql.types import INTEGER

X, Y = (Ref(Column(i, name, INTEGER)) for i, name in enumerate("xy"))
SUM = make("add", (X, Y), None)
ENV = {0: of_type(INTEGER), 1: Values(0, 3, False)}
TESTS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


def compared(name: str, expr: Expr, value: int) -> Expr:
    return make(name, (expr, Literal(value, INTEGER)), None)


@pytest.mark.parametrize(("low", "high"), [*product(("gt", "ge"), ("lt", "le"))])
def test_the_ends_are_those_of_the_values_that_pass(low: str, high: str) -> None:
    terms = (compared(low, SUM, -5), compared(high, SUM, 9))
    passing = [n for n in range(-20, 20) if TESTS[low](n, -5) and TESTS[high](n, 9)]
    said = said_of(SUM, terms)
    assert (said.low, said.high) == (min(passing), max(passing))
    found = infer(bounded(SUM, terms, ENV), ENV)
    assert (found.low, found.high) == (min(passing), max(passing))


def test_of_another_expression_nothing_is_said() -> None:
    other = make("sub", (X, Y), None)
    terms = (compared("le", other, 9), make("le", (SUM, Y), None))
    assert bounded(SUM, terms, ENV) == SUM
    assert not spoken_of(other, (compared("le", SUM, 9),))


def test_ends_that_are_known_are_not_written() -> None:
    env = {**ENV, 0: Values(0, 5, False)}
    assert bounded(SUM, (compared("ge", SUM, 0), compared("le", SUM, 8)), env) == SUM
    made = bounded(SUM, (compared("ge", SUM, 1), compared("le", SUM, 8)), env)
    assert isinstance(made, Call) and made.function == "greatest"


def test_where_it_may_be_null_no_end_is_written() -> None:
    """LEAST and GREATEST would make the end of NULL."""
    either = make("or", (make("is_null", (SUM,), None), compared("lt", SUM, 9)), None)
    assert said_of(SUM, (either,)).nullable
    assert bounded(SUM, (either,), ENV) == SUM
    assert bounded(SUM, (compared("lt", SUM, 9),), ENV) != SUM
