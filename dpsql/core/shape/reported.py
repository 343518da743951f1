"""What an aggregate over true answers is, in terms of the answers that were reported.

Let a row have a truth b and report r (see `schema.Randomized`), and let an aggregate add up
g(b, o) over rows, o being all other columns. For a reported r its unbiased stand-in is

    h(r, o) = w(r, TRUE)·g(TRUE, o) + w(r, FALSE)·g(FALSE, o)

and where r is NULL, which tells that b is NULL, g(NULL, o) itself.

Claim: over the coins, the sum of h over all rows has the sum of g over all rows as its mean.
Why: the mean of w(r, c) is 1 where b = c and else 0, so that of h is g(b, o); means add up. With
several randomized columns in g the weights are products: their coins are independent.
Source: Warner (JASA 1965); Chaudhuri & Mukerjee, Randomized Response (1988), §2, for the products.

So a sum over truths is a combination, with public weights, of sums over the rows of one *class*
each: those with the same reports. These are sums of the data as it is stored, and of no weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from dpsql.core.functions.build import make
from dpsql.core.plan.expr import Column, Expr, Literal, Ref, conjunction, conjuncts, null_unless
from dpsql.core.plan.nodes import AggregateCall, Plan, Scan
from dpsql.core.schema import Randomized
from dpsql.core.shape.specialise import Known, specialised, value_of
from dpsql.types import INTEGER, Scalar

Answers = tuple[bool | None, ...]
"""For each of several randomized columns what a row says, or what is true of it."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A column of randomized answers, as a Scan reads it.

    Attributes:
        column: of the plan.
        coins: how its answers came about.
        cell: table and column: two Scans of one row read the same answer, not two.
        nullable: whether a row may have none.
        grouped_null: whether rows without an answer are a group of private rows.
    """

    column: Column
    coins: Randomized
    cell: tuple[str, str]
    nullable: bool
    grouped_null: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A sum over the rows of one class that pass `filters`: of `value`, or how many there are.

    Attributes:
        function: "count" or "sum".
        columns: the randomized columns that make the class.
        answers: what its rows report.
        filters: conditions on other columns.
        value: over other columns; None to count rows.
    """

    function: str
    columns: tuple[Column, ...]
    answers: Answers
    filters: tuple[Expr, ...]
    value: Expr | None

    def call(self) -> AggregateCall:
        """The aggregate that the engine computes."""
        tests = [_says(c, a) for c, a in zip(self.columns, self.answers, strict=True)]
        condition = conjunction([*tests, *self.filters])
        value = Literal(1, INTEGER) if self.value is None else self.value
        if condition is not None:
            value = null_unless(condition, value)
        return AggregateCall(self.function, value)


def _says(column: Column, answer: bool | None) -> Expr:
    if answer is None:
        return make("is_null", (Ref(column),), None)
    return Ref(column) if answer else make("not", (Ref(column),), None)


def reported_by(plan: Plan) -> list[Reported]:
    """The randomized columns that a Scan reads; none for other nodes."""
    if not isinstance(plan, Scan):
        return []
    found: list[Reported] = []
    for column, name in zip(plan.columns, plan.fields, strict=True):
        said = plan.table.column(name)
        if said is not None and said.randomized is not None:
            cell = plan.table.name.lower(), said.name.lower()
            known = not said.nullable or said.declared_nullable is False
            asked = said.declared_nullable is True
            found.append(Reported(column, said.randomized, cell, not known, asked))
    return found


Combination = dict[Part, Fraction]
"""Parts and their weights."""


def combination(
    function: str,
    argument: Expr | None,
    filters: tuple[Expr, ...],
    columns: tuple[Reported, ...],
    group: tuple[tuple[Expr, ...], tuple[Scalar | None, ...]] = ((), ()),
) -> Combination:
    """The unbiased estimate of an aggregate over the truths.

    Args:
        function: "count" or "sum".
        argument: over any columns; None to count rows.
        filters: only rows are aggregated for which all of these are TRUE.
        columns: all randomized columns in argument, filters and keys.
        group: keys over `columns` alone, and the values that they are to have.
    """
    keys, wanted = group
    summands: dict[Answers, tuple[tuple[Expr, ...], Expr | None, Fraction] | None] = {}
    for truth in classes(columns):
        known = dict(zip((c.column for c in columns), truth, strict=True))
        if tuple(value_of(key, known) for key in keys) != wanted:
            summands[truth] = None
        else:
            summands[truth] = _summand(function, argument, filters, known)
    found: Combination = {}
    for reported in classes(columns):
        for truth, weight in _truths(columns, reported):
            summand = summands[truth]
            if summand is None:
                continue
            tests, value, factor = summand
            kind = "count" if value is None else function
            part = Part(kind, tuple(c.column for c in columns), reported, tests, value)
            found[part] = found.get(part, Fraction(0)) + weight * factor
    return {part: weight for part, weight in found.items() if weight}


def classes(columns: tuple[Reported, ...]) -> Iterator[Answers]:
    """What rows can report."""
    return product(*((True, False, None) if c.nullable else (True, False) for c in columns))


def _truths(columns: tuple[Reported, ...], reported: Answers) -> Iterator[tuple[Answers, Fraction]]:
    """The truths that a report speaks for, and its weight for each."""
    choices = [(None,) if r is None else (True, False) for r in reported]
    for truth in product(*choices):
        weight = Fraction(1)
        for column, r, b in zip(columns, reported, truth, strict=True):
            if r is not None and b is not None:
                weight *= column.coins.weight(r, b)
        yield truth, weight


def _summand(
    function: str, argument: Expr | None, filters: tuple[Expr, ...], known: Known
) -> tuple[tuple[Expr, ...], Expr | None, Fraction] | None:
    """g for one truth: its conditions, its value and a constant factor; None where it is 0."""
    tests: dict[Expr, None] = {}
    for condition in filters:
        for test in conjuncts(specialised(condition, known)):
            if isinstance(test, Literal):
                if test.value is not True:
                    return None
                continue
            tests[test] = None
    value = None if argument is None else specialised(argument, known)
    factor = Fraction(1)
    if isinstance(value, Literal):
        if value.value is None:
            return None
        if function == "sum":
            assert isinstance(value.value, int | Fraction)
            factor = Fraction(value.value)
        value = None
    return tuple(tests), value, factor
