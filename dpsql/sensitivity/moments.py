"""VAR, STDDEV, COVAR, CORR and REGR_*: arithmetic on sums of u, u² and u·v, u = x - c centred.

    n, Σu              as for AVG, and shared with it
    Σ(u² - h²/2)       h half the width of the range of x
    Σu·v               for functions of two variables; only rows that have both count

Claim: with x in [c - h, c + h] a row adds at most h²/2 to the sum of centred squares, and at most
h·h' to the sum of products. Why: u² is in [0, h²] and u·v in [-h·h', h·h'], by whole numbers: x is
X steps, U = 2X - (low + high) is in [-w, w], w the number of steps of the range, so that 2U² - w²
is in [-w², w²] and U·V in [-w·w', w·w']. Plain squares around 0 would move by max(a², b²) instead:
the variance is the same wherever the origin is.

The moments are put together at noisy values and kept where they can lie: 0 <= VAR <= h² (Popoviciu
1935), |COVAR| <= h·h', |CORR| <= 1 (Cauchy, Schwarz). All of it is post-processing.

What has no value is NULL: VAR_SAMP, STDDEV_SAMP and COVAR_SAMP where the noisy number of values is
below 2, CORR, REGR_R2, REGR_SLOPE and REGR_INTERCEPT where the noisy variance that they divide by
is 0 or less. Fewer than one value count as one.

Sharing. Functions of two variables see pairs without NULL: their sums of u and u² are shared with
AVG(x) and VAR(x) just where the other variable is never NULL, for else they are sums of other rows.
All functions of two variables share the number of their pairs and, of each two variables, the sum
of products. A variable with itself has no product: COVAR(x, x) is VAR(x).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.plan.expr import Call, Expr, Literal
from dpsql.plan.values import Values
from dpsql.rewrite.lattice import OnLattice
from dpsql.sensitivity.formulas import Axis, Moments, Term
from dpsql.sensitivity.measures import Argument, Measurements
from dpsql.types import BIGINT

SQUARED_Y = frozenset({"corr", "regr_r2"})
CROSSED = frozenset({"covar_pop", "covar_samp", "corr", "regr_slope", "regr_intercept", "regr_r2"})


def spread(measurements: Measurements, function: str, index: int) -> Moments:
    """The formula of a function of one variable: var_pop, var_samp, stddev_pop, stddev_samp."""
    axis = _axis(measurements, index, squared=True)
    count, public = _count(measurements, index)
    return Moments(function, count, public, axis, None, None)


def pair(measurements: Measurements, function: str, y: int, x: int) -> Moments:
    """The formula of a function of two variables, f(y, x)."""
    arguments = measurements.arguments
    first = _axis(measurements, y, squared=y == x or function in SQUARED_Y)
    second = _axis(measurements, x, squared=y == x or not function.startswith("covar"))
    count, public = _count(measurements, min(y, x, key=lambda i: (arguments[i].masked, i)))
    if y == x:
        return Moments(function, count, public, first, second, None)
    cross = _product(arguments[min(y, x)], arguments[max(y, x)])
    measure = measurements.total(measurements.derived(cross))
    term = Term(measure, measurements.measures[measure].unit)
    return Moments(function, count, public, first, second, term)


def _count(measurements: Measurements, index: int) -> tuple[Term | None, int]:
    public = measurements.setting.public_rows
    if public is not None and not measurements.arguments[index].counted_apart:
        return None, public
    return Term(measurements.count(index), Fraction(1)), 0


def _axis(measurements: Measurements, index: int, *, squared: bool) -> Axis:
    argument = measurements.arguments[index]
    lattice = argument.lattice
    assert lattice is not None
    centred = measurements.centred(index)
    total = Term(centred, measurements.measures[centred].unit)
    square = None
    if squared:
        measure = measurements.total(measurements.derived(_square(argument)))
        square = Term(measure, measurements.measures[measure].unit)
    low, high = lattice.low * lattice.step, lattice.high * lattice.step
    return Axis(total, square, (low + high) / 2, (high - low) / 2)


def _around_middle(lattice: OnLattice) -> Expr:
    """U = 2X - (low + high), in half steps."""
    doubled = Call("mul", (Literal(2, BIGINT), lattice.expr), BIGINT)
    return Call("sub", (doubled, Literal(lattice.low + lattice.high, BIGINT)), BIGINT)


def _square(x: Argument) -> Argument:
    """2U² - w², in steps of step²/8."""
    lattice = x.lattice
    assert lattice is not None
    most = (lattice.high - lattice.low) ** 2
    u = _around_middle(lattice)
    doubled = Call("mul", (Literal(2, BIGINT), Call("mul", (u, u), BIGINT)), BIGINT)
    expr = Call("sub", (doubled, Literal(most, BIGINT)), BIGINT)
    return _made(x, expr, f"({x.text} - middle)²", most, lattice.step**2 / 8)


def _product(y: Argument, x: Argument) -> Argument:
    """U·V, in steps of step·step'/4."""
    ours, theirs = y.lattice, x.lattice
    assert ours is not None and theirs is not None
    most = (ours.high - ours.low) * (theirs.high - theirs.low)
    expr = Call("mul", (_around_middle(ours), _around_middle(theirs)), BIGINT)
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


@dataclass(frozen=True, slots=True)
class Slope:
    """A number and its derivatives by the measures, carried through arithmetic (forward mode)."""

    value: float
    by: dict[int, float]

    def __add__(self, other: Slope) -> Slope:
        return self._with(other, self.value + other.value, 1.0, 1.0)

    def __sub__(self, other: Slope) -> Slope:
        return self._with(other, self.value - other.value, 1.0, -1.0)

    def __mul__(self, other: Slope) -> Slope:
        return self._with(other, self.value * other.value, other.value, self.value)

    def __truediv__(self, other: Slope) -> Slope:
        ratio = self.value / other.value
        return self._with(other, ratio, 1 / other.value, -ratio / other.value)

    def root(self) -> Slope:
        """The square root."""
        value = math.sqrt(self.value)
        rate = 0.5 / value if value else 0.0
        return Slope(value, {i: rate * d for i, d in self.by.items()})

    def inside(self, low: float, high: float) -> Slope:
        """The number kept in [low, high], with the same derivatives."""
        return Slope(min(max(self.value, low), high), self.by)

    def _with(self, other: Slope, value: float, mine: float, theirs: float) -> Slope:
        found = {i: mine * d for i, d in self.by.items()}
        for i, d in other.by.items():
            found[i] = found.get(i, 0.0) + theirs * d
        return Slope(value, found)


def evaluate(formula: Moments, noisy: list[int | Fraction]) -> Slope | None:
    """The value at noisy measures (in steps), with its derivatives per step; None for NULL."""
    sample = formula.function.endswith("_samp")
    n = _constant(max(1, formula.public))
    if formula.count is not None:
        n = Slope(float(max(1, noisy[formula.count.measure])), {formula.count.measure: 1.0})
    if sample and n.value < 2:
        return None
    y = _Moment(formula.y, n, noisy)
    if formula.x is None:
        found = y.variance()
        if sample:
            found = found * n / (n - _constant(1.0))
        return found.root() if formula.function.startswith("stddev") else found
    x = _Moment(formula.x, n, noisy)
    cross = y.variance() if formula.cross is None else _covariance(formula.cross, y, x)
    if formula.function.startswith("covar"):
        return cross * n / (n - _constant(1.0)) if sample else cross
    return _FUNCTIONS[formula.function](cross, y, x)


class _Moment:
    """The mean of u and the variance of one variable."""

    def __init__(self, axis: Axis, n: Slope, noisy: list[int | Fraction]) -> None:
        self.axis, self.n, self.noisy = axis, n, noisy
        half = float(axis.half)
        self.mean = (_read(axis.total, noisy) / n).inside(-half, half)

    def variance(self) -> Slope:
        """E u² - (E u)², in [0, h²]."""
        assert self.axis.square is not None
        most = float(self.axis.half) ** 2
        square = _read(self.axis.square, self.noisy) / self.n + _constant(most / 2)
        return (square - self.mean * self.mean).inside(0.0, most)

    def original(self) -> Slope:
        """The mean of x itself."""
        return self.mean + _constant(float(self.axis.centre))


def _covariance(product: Term, y: _Moment, x: _Moment) -> Slope:
    """E u·v - E u · E v, in [-h·h', h·h']."""
    limit = float(y.axis.half * x.axis.half)
    return (_read(product, y.noisy) / y.n - y.mean * x.mean).inside(-limit, limit)


def _correlation(cross: Slope, y: _Moment, x: _Moment) -> Slope | None:
    both = y.variance() * x.variance()
    return (cross / both.root()).inside(-1.0, 1.0) if both.value else None


def _slope(cross: Slope, y: _Moment, x: _Moment) -> Slope | None:
    below = x.variance()
    return cross / below if below.value else None


def _intercept(cross: Slope, y: _Moment, x: _Moment) -> Slope | None:
    slope = _slope(cross, y, x)
    return None if slope is None else y.original() - slope * x.original()


def _determination(cross: Slope, y: _Moment, x: _Moment) -> Slope | None:
    found = _correlation(cross, y, x)
    return None if found is None else found * found


_FUNCTIONS: dict[str, Callable[[Slope, _Moment, _Moment], Slope | None]] = {
    "corr": _correlation,
    "regr_slope": _slope,
    "regr_intercept": _intercept,
    "regr_r2": _determination,
}


def _constant(value: float) -> Slope:
    return Slope(float(value), {})


def _read(term: Term, noisy: list[int | Fraction]) -> Slope:
    return Slope(float(term.weight * noisy[term.measure]), {term.measure: float(term.weight)})


def widest(formula: Moments) -> float | None:
    """The most that the value can be off, where its range is public."""
    y = float(formula.y.half)
    if formula.function in ("var_pop", "stddev_pop"):
        return y**2 if formula.function == "var_pop" else y
    if formula.function == "corr":
        return 2.0
    if formula.function == "regr_r2":
        return 1.0
    if formula.function == "covar_pop" and formula.x is not None:
        return 2 * y * float(formula.x.half)
    return None
