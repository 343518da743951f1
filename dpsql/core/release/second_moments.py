"""VAR, STDDEV, COVAR, CORR and REGR_*: arithmetic on sums of u, u² and u·v, u = x - c centred.

    n, Σu              as for AVG, and shared with it
    Σ(u² - h²/2)       h half the width of the range of x
    Σu·v               for functions of two variables; only rows that have both count

REGR_COUNT, REGR_AVGX and REGR_AVGY are COUNT and AVG of the same rows. REGR_SXX, REGR_SYY and
REGR_SXY are n times a variance or covariance of them.

Claim: with x in [c - h, c + h] a row adds at most h²/2 to the sum of centred squares, and at most
h·h' to the sum of products. Why: u² is in [0, h²] and u·v in [-h·h', h·h'], by whole numbers: x is
X steps, U = 2X - (low + high) is in [-w, w], w the number of steps of the range, so that 2U² - w²
is in [-w², w²] and U·V in [-w·w', w·w']. Plain squares around 0 would move by max(a², b²) instead:
the variance is the same wherever the origin is.

Apart, each of these takes a part of ε. Mostly they are said better, all together, by weights that
add up to one, of which they are linear combinations then: see `partition`.

The moments are put together at noisy values and kept where they can lie: 0 <= VAR <= h² (Popoviciu
1935), |COVAR| <= h·h', |CORR| <= 1 (Cauchy, Schwarz). All of it is post-processing.

What has no value is NULL: VAR_SAMP, STDDEV_SAMP and COVAR_SAMP where the noisy number of values is
below 2, CORR, REGR_R2, REGR_SLOPE and REGR_INTERCEPT where the noisy variance that they divide by
is 0 or less. Fewer than one value count as one, of which REGR_SXX is 0.

Sharing. Functions of two variables see pairs without NULL: their sums of u and u² are shared with
AVG(x) and VAR(x) just where the other variable is never NULL, for else they are sums of other rows.
All functions of two variables share the number of their pairs, which is counted of one of the two,
and, of each two variables, the sum of products. A variable with itself has no product: COVAR(x, x)
is VAR(x).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Generic, TypeVar

from dpsql.core.enforce.lattice import OnLattice, around_middle
from dpsql.core.plan.expr import Call, Expr, Literal
from dpsql.core.plan.values import Values
from dpsql.core.release import sums
from dpsql.core.release.formulas import Axis, Linear, Moments, Quotient, Term
from dpsql.core.release.measures import Argument, Measurements
from dpsql.core.release.slope import Number, Slope
from dpsql.types import BIGINT

_OF_ONE = {"regr_avgy": 0, "regr_avgx": 1, "regr_syy": 0, "regr_sxx": 1}
"""Functions of (y, x) that say something of one of the two, where both are known."""

_UNSQUARED = frozenset({"covar_pop", "covar_samp", "regr_sxy"})
_SQUARED_Y = frozenset({"corr", "regr_r2"})
_TOTALS = frozenset({"regr_sxx", "regr_syy", "regr_sxy"})
"""What is not over the number of values."""


def spread(measurements: Measurements, function: str, index: int) -> Moments:
    """The formula of a function of one variable: var_pop, …, regr_sxx and regr_syy."""
    axis = _axis(measurements, index, squared=True)
    count, public = _count(measurements, index)
    return Moments(function, count, public, axis, None, ())


def pair(measurements: Measurements, function: str, y: int, x: int) -> Linear | Quotient | Moments:
    """The formula of a function of two variables, f(y, x)."""
    if function == "regr_count":
        return sums.count(measurements, y)
    if function in _OF_ONE:
        one = (y, x)[_OF_ONE[function]]
        if function.startswith("regr_avg"):
            return sums.average(measurements, one)
        return spread(measurements, function, one)
    arguments = measurements.arguments
    first = _axis(measurements, y, squared=y == x or function in _SQUARED_Y)
    second = _axis(measurements, x, squared=y == x or function not in _UNSQUARED)
    count, public = _count(measurements, y)
    if y == x:
        return Moments(function, count, public, first, second, ())
    cross = _product(arguments[min(y, x)], arguments[max(y, x)])
    product = measurements.total(measurements.derived(cross))
    return Moments(function, count, public, first, second, (product,))


def _count(measurements: Measurements, index: int) -> tuple[tuple[Term, ...], int]:
    public = measurements.setting.public_rows
    if public is not None and not measurements.arguments[index].counted_apart:
        return (), public
    return (measurements.count(index),), 0


def _axis(measurements: Measurements, index: int, *, squared: bool) -> Axis:
    argument = measurements.arguments[index]
    lattice = argument.lattice
    assert lattice is not None
    total = (measurements.centred(index),)
    square: tuple[Term, ...] = ()
    if squared:
        most = (lattice.high - lattice.low) ** 2
        usual = Fraction(-3 * most, 8)  # u is 1/4 ± 1/2 of half the range
        square = (measurements.total(measurements.derived(squared_of(argument)), usual),)
    low, high = lattice.low * lattice.step, lattice.high * lattice.step
    return Axis(total, square, (low + high) / 2, (high - low) / 2)


def squared_of(x: Argument) -> Argument:
    """2U² - w², in steps of step²/8."""
    lattice = x.lattice
    assert lattice is not None
    most = (lattice.high - lattice.low) ** 2
    u = around_middle(lattice)
    doubled = Call("mul", (Literal(2, BIGINT), Call("mul", (u, u), BIGINT)), BIGINT)
    expr = Call("sub", (doubled, Literal(most, BIGINT)), BIGINT)
    return _made(x, expr, f"({x.text} - middle)²", most, lattice.step**2 / 8)


def _product(y: Argument, x: Argument) -> Argument:
    """U·V, in steps of step·step'/4."""
    ours, theirs = y.lattice, x.lattice
    assert ours is not None and theirs is not None
    most = (ours.high - ours.low) * (theirs.high - theirs.low)
    expr = Call("mul", (around_middle(ours), around_middle(theirs)), BIGINT)
    made = _made(
        y, expr, f"({y.text} - middle)·({x.text} - middle)", most, ours.step * theirs.step / 4
    )
    return replace(made, nullable=y.nullable or x.nullable)


def _made(x: Argument, expr: Expr, text: str, most: int, step: Fraction) -> Argument:
    lattice = OnLattice(expr, step, -most, most)
    values = Values(-most, most, x.nullable)
    return replace(
        x, expr=expr, lattice=lattice, text=text, values=values, options=None, of_unit=False
    )


# --- values and derivatives ----------------------------------------------------------------------

N = TypeVar("N", bound=Number)


def evaluate(formula: Moments, noisy: list[int | Fraction]) -> Slope | None:
    """The value at noisy measures (in steps), with its derivatives per step; None for NULL."""

    def read(terms: tuple[Term, ...]) -> Slope:
        value = sum((term.weight * noisy[term.measure] for term in terms), Fraction(0))
        return Slope(float(value), {term.measure: float(term.weight) for term in terms})

    n = Slope(float(max(1, formula.public)), {})
    if formula.count:
        counted = read(formula.count)
        n = Slope(max(1.0, counted.value), counted.by)
    if formula.function.endswith("_samp") and n.value < 2:
        return None
    return assembled(formula, n, read)


def assembled(formula: Moments, n: N, read: Callable[[tuple[Term, ...]], N]) -> N | None:
    """The value, put together; None for NULL.

    Args:
        formula: how.
        n: the number of values.
        read: what a sum of terms is.
    """
    sample = formula.function.endswith("_samp")
    y = _Moment(formula.y, n, read)
    if formula.x is None:
        found = y.variance()
        if sample:
            found = found * n / n.plus(-1.0)
        if formula.function in _TOTALS:
            return found * n
        return found.deviation() if formula.function.startswith("stddev") else found
    x = _Moment(formula.x, n, read)
    cross = _covariance(formula.cross, y, x) if formula.cross else y.variance()
    if formula.function in _TOTALS:
        return cross * n
    if formula.function in _UNSQUARED:
        return cross * n / n.plus(-1.0) if sample else cross
    if formula.function == "regr_slope":
        return _slope(cross, x)
    if formula.function == "regr_intercept":
        slope = _slope(cross, x)
        return None if slope is None else y.original() - slope * x.original()
    found_or_none = _correlation(cross, y, x)
    if found_or_none is None or formula.function == "corr":
        return found_or_none
    return found_or_none * found_or_none


class _Moment(Generic[N]):
    """The mean of u and the variance of one variable."""

    def __init__(self, axis: Axis, n: N, read: Callable[[tuple[Term, ...]], N]) -> None:
        self.axis, self.n, self.read = axis, n, read
        half = float(axis.half)
        self.mean = (read(axis.total) / n).inside(-half, half)

    def variance(self) -> N:
        """E u² - (E u)², in [0, h²]."""
        assert self.axis.square
        most = float(self.axis.half) ** 2
        square = (self.read(self.axis.square) / self.n).plus(most / 2)
        return (square - self.mean * self.mean).inside(0.0, most)

    def original(self) -> N:
        """The mean of x itself."""
        return self.mean.plus(float(self.axis.centre))


def _covariance(product: tuple[Term, ...], y: _Moment[N], x: _Moment[N]) -> N:
    """E u·v - E u · E v, in [-h·h', h·h']."""
    limit = float(y.axis.half * x.axis.half)
    return (y.read(product) / y.n - y.mean * x.mean).inside(-limit, limit)


def _correlation(cross: N, y: _Moment[N], x: _Moment[N]) -> N | None:
    ours, theirs = y.variance().divisor(), x.variance().divisor()
    if ours is None or theirs is None:
        return None
    both = (ours * theirs).divisor()  # it may be too small for a float
    return None if both is None else (cross / both.root()).inside(-1.0, 1.0)


def _slope(cross: N, x: _Moment[N]) -> N | None:
    below = x.variance().divisor()
    return None if below is None else cross / below


def range_of(formula: Moments) -> tuple[float, float] | None:
    """Where the value is, where that is public. Of a sample n/(n − 1) is at most 2."""
    y = float(formula.y.half)
    function, _, of = formula.function.partition("_")
    times = 2 if of == "samp" else 1
    if function == "var":
        return 0.0, times * y**2
    if function == "stddev":
        return 0.0, math.sqrt(times) * y
    if function == "covar":
        most = times * y * float((formula.x or formula.y).half)
        return -most, most
    if function == "corr":
        return -1.0, 1.0
    return (0.0, 1.0) if formula.function == "regr_r2" else None


def widest(formula: Moments) -> float | None:
    """How wide that range is, where it is so however few the values are."""
    found = None if formula.function.endswith("_samp") else range_of(formula)
    return None if found is None else found[1] - found[0]
