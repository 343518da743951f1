"""COUNT, SUM, AVG, VAR and STDDEV of DISTINCT values.

Claim: when a unit comes or goes, the set of values of a group changes by values that this unit has
there and nobody else has: at most one for each pair (group, value) among its rows. So the vector of
counts moves as a sum of such pairs, each 0 or 1, and the vector of sums as one of x or 0 each. A
unit has at most R pairs, R its rows; at most one a group where x is a function of the unit, as in
COUNT(DISTINCT unit), whose sensitivity is 1 therefore; at most V a group where x has V values.

Where these may be many, values are matched with units (`execution.matching`), each of which counts
for few. Where not, and none of this holds by itself, a unit's pairs are cut to R of them, chosen by
a hash of the pair and the unit: which ones it keeps does not depend on anybody else's rows (see
`enforce.pairs`).

Spreads need Σ(x - c)² over the values, and two values as far from c have one square. Claim: counted
from the least value a that x can have they have two, and the sum around the middle c = a + h
follows: Σ(x - c)² = Σ(x - a)² - 2h Σ(x - a) + n h². Why: x - a is no less than 0, where squares
rise; so with X the steps of x, A the first and w the width in steps, Q = 2(X - A)² - w² has as
many values as X, each in [-w², w²]. A pair (group, value) adds 0 or Q, as in any SUM(DISTINCT …).
A unit of more pairs than its quota keeps other values for Q than for X: an answer that is a bit
off, as a sample is, and no less private.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.core.release.formulas import Axis, Linear, Moments, Quotient, Term
from dpsql.core.release.measures import Argument, Measurements
from dpsql.types import BIGINT


def count(measurements: Measurements, index: int) -> Linear:
    """The formula of COUNT(DISTINCT x)."""
    return Linear((measurements.distinct(index),), Fraction(0))


def total(measurements: Measurements, index: int) -> Linear:
    """The formula of SUM(DISTINCT x)."""
    return Linear((measurements.distinct_total(index),), Fraction(0))


def average(measurements: Measurements, index: int) -> Quotient:
    """The formula of AVG(DISTINCT x): the sum over the count, kept in the range of x."""
    lattice = measurements.arguments[index].lattice
    assert lattice is not None
    numerator, denominator = total(measurements, index).terms, count(measurements, index).terms
    low, high = lattice.low * lattice.step, lattice.high * lattice.step
    return Quotient(numerator, denominator, 0, Fraction(0), low, high)


def spread(measurements: Measurements, function: str, index: int) -> Moments:
    """The formula of VAR(DISTINCT x) and the like; values that one step holds are one."""
    argument = measurements.arguments[index]
    lattice = argument.lattice
    assert lattice is not None
    width = lattice.high - lattice.low
    scale = argument.expr.type.scale or 0
    if not argument.expr.type.is_exact or lattice.step != Fraction(1, 10**scale):
        steps = _derived(argument, lattice.expr, (lattice.low, lattice.high), lattice.step)
        index = measurements.derived(steps)
        measurements.averaged.add(index)
    shifted = _called("sub", lattice.expr, lattice.low)
    expr = _called("sub", _called("mul", Call("mul", (shifted, shifted), BIGINT), 2), width**2)
    ends = (-(width**2), width**2)
    squares = replace(
        _derived(argument, expr, ends, lattice.step**2 / 2), text=f"({argument.text} - least)²"
    )
    n, sum_of = measurements.distinct(index), measurements.distinct_total(index)
    square = measurements.distinct_total(measurements.derived(squares))
    low, half = lattice.low * lattice.step, width * lattice.step / 2
    # Σ(u² - h²/2), u = x - c: Q's part, the sum's, and what is left for each value.
    each = 2 * half**2 + 2 * half * low + half**2 / 2
    terms = (square, Term(sum_of.measure, -2 * half * sum_of.weight), Term(n.measure, each))
    total = (sum_of, Term(n.measure, -(low + half)))
    return Moments(function, (n,), 0, Axis(total, terms, low + half, half), None, ())


def _called(function: str, value: Expr, constant: int) -> Expr:
    return Call(function, (value, Literal(constant, BIGINT)), BIGINT)


def _derived(x: Argument, expr: Expr, ends: tuple[int, int], step: Fraction) -> Argument:
    return replace(
        x,
        expr=expr,
        lattice=OnLattice(expr, step, *ends),
        values=Values(*ends, x.nullable),
        options=None,
        of_unit=False,
        owned=False,
        listed=None,
    )
