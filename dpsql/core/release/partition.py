"""Weights of a row by where its values lie, that add up to 1: moments of one or two variables from
the sums of these instead of from measures apart.

    x in [a, b], u = 2·(x - a)/(b - a) - 1 in [-1, 1], r = 3/4
    (u - r)², 2·(1 - u²), (u + r)²      each over 2·(1 + r²)      of x
    (1 - u)/2, (1 + u)/2                                          of x where no square is needed
    every product of one of y and one of x                        of two variables

They are parts of a row: no one is negative, and all of a row's add up to 1, whatever its values.
So they are members of one family, and each takes all of one part of ε where the number of values,
the sum, the sum of squares and the sum of products took parts of their own. All of these are linear
in the sums of the weights: 1, u and u², and of two variables also v, v² and u·v, are linear
combinations of the weights.

With r = 1 the weights of x are Bernstein's polynomials of degree 2. Smaller r make the variance of
central values more exact, and that of values at an end less: with 3/4 the variance of uniform
values is off by four fifths of what it is with 1, and that of values at an end by 1.03 times as
much. Products of the weights of two variables are better than fewer weights that say the same: six
that say all six moments make CORR off by 1.1 to 1.4 times as much.

Steps. Weights are whole numbers of W steps. With x at X steps of low … high, U = 2X - low - high
and w = high - low they are (4U - 3w)², 32·(w² - U²) and (4U + 3w)², which add up to W = 50·w²; or
high - X and X - low, with W = w. Of a product the weights of each variable are rounded first where
W were above 2^48: to 2^24 steps or fewer, and in a way that keeps the whole. What the engine adds
up are the *ends*: the sum of the first weight, of the first two, and so on; the last one is W
itself, and is counted.

Claim. The sums of all weights move together by s·T·W in L1, T the bound on a unit's rows and s = 2
under `replace`, else 1, and by √(s·T·W·L) in L2, L = T·W. Why: a row's ends ascend from 0 to W, for
each of them is the one before plus a number that is not negative: squares, and w² - U² as |U| <= w;
(c + D/2) // D ascends with c, and so do the products. All ends are NULL in the same rows. Where a
unit is cut down to n' of n rows of a cell, the sum s of each end becomes f(s) = ⌊(s·n' + g)/n⌋,
with one g, 0 <= g < n, for all (see `enforce.quota_sql`): f ascends, f(0) = 0 and f(n·W) = n'·W.
So what a unit adds to the sums of the weights in a group is never negative, and n'·W in all. For
L2 see `shared`, by Hölder.

Sources: Hardt and Talwar, "On the geometry of differential privacy" (STOC 2010), for answers of one
noise whose norm fits the queries; Aldà and Rubinstein, "The Bernstein mechanism" (AAAI 2017).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, pairwise, product

from dpsql.core.enforce.lattice import OnLattice, around_middle
from dpsql.core.plan.expr import Call, Expr, Literal, walk
from dpsql.core.plan.values import Values
from dpsql.core.release.arguments import imputed
from dpsql.core.release.bound import Contribution
from dpsql.core.release.formulas import Axis, Moments, Output
from dpsql.core.release.joint import Joint, alike, read_elsewhere
from dpsql.core.release.measures import APART, Argument, Kind, Measure, Setting, attained
from dpsql.types import BIGINT

ROOT = Fraction(3, 4)
"""r: where the weights of the ends vanish."""

FINEST = 2**48
"""Steps of a row that has two variables: noise of 2^13 times as many still fits 64 bits."""

USUAL = ((Fraction(3, 4), Fraction(1, 2)), (Fraction(-1, 4), Fraction(1, 2)))
"""u, and how often, where measurements are compared: it has the moments of `importance`."""

USUAL_PAIRS = (
    (Fraction(3, 4), Fraction(3, 4), Fraction(7, 16)),
    (Fraction(3, 4), Fraction(-1, 4), Fraction(1, 16)),
    (Fraction(-1, 4), Fraction(3, 4), Fraction(1, 16)),
    (Fraction(-1, 4), Fraction(-1, 4), Fraction(7, 16)),
)
"""The same of (u, v): their mean product is 1/4."""

LARGEST = 2**12
"""Nodes of all weights of a release: each has its values several times, so that long expressions
would become texts many times as long.
"""

Powers = Mapping[tuple[int, int], tuple[Fraction, ...]]
"""Of U^i·V^j how much each weight stands for, as a part of the whole."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a row.

    Attributes:
        ends: the sum of the first weight, of the first two, …; without the last, which is `whole`.
        whole: W.
        powers: what the weights say.
        usual: what a row adds to each where measurements are compared, as a part of the whole.
        places: where each variable lies where a weight is largest.
    """

    ends: tuple[Expr, ...]
    whole: int
    powers: Powers
    usual: tuple[Fraction, ...]
    places: tuple[tuple[Fraction, ...], ...]


def one(lattice: OnLattice, *, squared: bool) -> Weights:
    """The weights of one variable.

    Args:
        lattice: of its values; its range is no single point.
        squared: whether its squares are needed.
    """
    x, w = lattice.expr, lattice.high - lattice.low
    low, high = lattice.low * lattice.step, lattice.high * lattice.step
    if not squared:
        powers: Powers = {(0, 0): (_ONE, _ONE), (1, 0): (Fraction(-w), Fraction(w))}
        ends: tuple[Expr, ...] = (_call("sub", _number(lattice.high), x),)
        return Weights(ends, w, powers, _usual(_HALVES), ((low,), (high,)))
    p, q = ROOT.numerator, ROOT.denominator
    u, whole = around_middle(lattice), 2 * (p * p + q * q) * w * w
    below, above = (
        _call(sign, _call("mul", _number(q), u), _number(p * w)) for sign in ("sub", "add")
    )
    slope = Fraction(whole, 4 * p * q * w)
    powers = {
        (0, 0): (_ONE, _ONE, _ONE),
        (1, 0): (-slope, Fraction(0), slope),
        (2, 0): (Fraction(w * w), w * w - Fraction(whole, 2 * q * q), Fraction(w * w)),
    }
    ends = _call("mul", below, below), _call("sub", _number(whole), _call("mul", above, above))
    places = (low,), ((low + high) / 2,), (high,)
    return Weights(ends, whole, powers, _usual(_SQUARES), places)


def two(y: Weights, x: Weights) -> Weights:
    """The weights of two variables: the products of theirs."""
    y, x = _rounded(y, _share(y, x)), _rounded(x, _share(x, y))
    ends: list[Expr] = []
    before: Expr | None = None
    for upto in (*y.ends, _number(y.whole)):
        own = upto if before is None else _call("sub", upto, before)
        inside = [_call("mul", own, end) for end in x.ends]
        if before is not None:
            start = _call("mul", before, _number(x.whole))
            inside = [_call("add", start, part) for part in inside]
        # All of x, but nothing where x is NULL: every end is of the same rows.
        least, rest = x.ends[0], _call("sub", _number(x.whole), x.ends[0])
        all_of = _call("add", _call("mul", upto, least), _call("mul", upto, rest))
        ends += [*inside, all_of]
        before = upto
    powers = {
        (i, j): tuple(a * b for a, b in product(y.powers[i, 0], x.powers[j, 0]))
        for (i, _), (j, _) in product(y.powers, x.powers)
    }
    shapes = (_HALVES if len(v.places) == len(_HALVES) else _SQUARES for v in (y, x))
    usual = tuple(
        sum((part * f(u) * g(v) for u, v, part in USUAL_PAIRS), Fraction(0))
        for f, g in product(*shapes)
    )
    places = tuple((*a, *b) for a, b in product(y.places, x.places))
    return Weights(tuple(ends[:-1]), y.whole * x.whole, powers, usual, places)


def _share(own: Weights, other: Weights) -> int:
    """How many steps a variable's weights may have, of the `FINEST` of both."""
    return max(math.isqrt(FINEST), FINEST // other.whole)


def _rounded(weights: Weights, most: int) -> Weights:
    """The weights in `most` steps or fewer."""
    part = -(-weights.whole // most)
    if part == 1:
        return weights
    half = _number(part // 2)
    ends = (_call("intdiv", _call("add", end, half), _number(part)) for end in weights.ends)
    return replace(weights, ends=tuple(ends), whole=(weights.whole + part // 2) // part)


_ONE = Fraction(1)

Shape = Callable[[Fraction], Fraction]

_HALVES: tuple[Shape, ...] = (lambda u: (1 - u) / 2, lambda u: (1 + u) / 2)
_SQUARES: tuple[Shape, ...] = (
    lambda u: (u - ROOT) ** 2 / (2 + 2 * ROOT**2),
    lambda u: (1 - u * u) / (1 + ROOT**2),
    lambda u: (u + ROOT) ** 2 / (2 + 2 * ROOT**2),
)
"""The weights as functions of u."""


def _usual(shapes: tuple[Shape, ...]) -> tuple[Fraction, ...]:
    return tuple(sum((part * f(u) for u, part in USUAL), Fraction(0)) for f in shapes)


def _number(value: int) -> Expr:
    return Literal(value, BIGINT)


def _call(name: str, first: Expr, second: Expr) -> Expr:
    return Call(name, (first, second), BIGINT)


# --- which measures they take the places of ------------------------------------------------------


def partitions(
    measures: Sequence[Measure],
    outputs: Sequence[Output],
    arguments: Sequence[Argument],
    setting: Setting,
    units: int | None,
) -> tuple[tuple[Joint, ...], tuple[Argument, ...]]:
    """Which moments can be taken from weights, and the arguments with what these add up at the end.

    Args:
        measures: of a release.
        outputs: what is made of them.
        arguments: what they aggregate.
        setting: of the release.
        units: the measure that counts the units of private groups, if there is one.
    """
    taken = read_elsewhere(outputs) | ({units} if units is not None else set())
    every, found, room = list(arguments), list[Joint](), LARGEST
    for wanted in _wanted(outputs):
        moments = wanted.moments
        if not alike([measures[m] for m in moments], setting) or moments.keys() & taken:
            continue
        if any(measures[m].kind in APART for m in moments):
            continue  # of distinct values, of which no row adds a part by itself
        inputs = (measures[t].input for t in wanted.totals)
        own_inputs = tuple(i for i in inputs if i is not None)
        variables = [every[i] for i in own_inputs]
        made = _made(wanted, variables)
        if made is None:
            continue
        weights, own = made
        size = sum(sum(1 for _ in islice(walk(end.expr), room + 1)) for end in own)
        if size > room:
            continue
        room -= size
        first = len(every)
        every += own
        parts = parts_of_whole(
            measures[wanted.totals[0]].contribution,
            whole=weights.whole,
            first=first,
            usual=weights.usual,
            near=[tuple(zip(own_inputs, places, strict=True)) for places in weights.places],
            setting=setting,
        )
        if parts is None:
            every = every[:first]
            continue
        lattices = (v.lattice for v in variables)
        widths = [lattice.high - lattice.low for lattice in lattices if lattice is not None]
        found.append(
            Joint(
                count=wanted.count,
                measures=parts,
                alone=True,
                made={
                    m: _weights_of(measures[m], power, weights, widths)
                    for m, power in moments.items()
                },
            )
        )
    return tuple(found), tuple(every)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Moments that are measured of the same rows.

    Attributes:
        count: the measure of how many rows they are.
        totals: of each variable, the measure of its centred sum.
        squares: of each variable, that of its squares, if there is one.
        cross: of two variables, that of their product.
    """

    count: int
    totals: tuple[int, ...]
    squares: tuple[int | None, ...]
    cross: int | None

    @property
    def moments(self) -> dict[int, tuple[int, int]]:
        """The powers of the variables that each measure is the sum of."""
        found = {self.count: (0, 0)}
        for place, (total, square) in enumerate(zip(self.totals, self.squares, strict=True)):
            found[total] = (1, 0) if place == 0 else (0, 1)
            if square is not None:
                found[square] = (2, 0) if place == 0 else (0, 2)
        return found if self.cross is None else {**found, self.cross: (1, 1)}


def _wanted(outputs: Sequence[Output]) -> Iterator[_Wanted]:
    """What functions of moments read, each variable or two of them once."""
    squares: dict[tuple[int, int], int] = {}
    crosses: dict[tuple[int, int], tuple[int, int]] = {}
    for formula in (o.formula for o in outputs):
        if not isinstance(formula, Moments) or not formula.count:
            continue
        count = formula.count[0].measure
        axes = [axis for axis in (formula.y, formula.x) if axis is not None]
        for axis in axes:
            if axis.square:
                squares[count, _total(axis)] = axis.square[0].measure
        if formula.cross:
            first, second = sorted(map(_total, axes))
            crosses[count, formula.cross[0].measure] = first, second
    for (count, cross), totals in crosses.items():
        yield _Wanted(count, totals, tuple(squares.get((count, t)) for t in totals), cross)
    for (count, total), square in squares.items():
        yield _Wanted(count, (total,), (square,), None)


def _total(axis: Axis) -> int:
    return axis.total[0].measure


def _made(
    wanted: _Wanted, variables: Sequence[Argument]
) -> tuple[Weights, tuple[Argument, ...]] | None:
    """The weights, and their ends as arguments; None where a variable has one value."""
    found: list[Weights] = []
    nullable = False
    for variable, square in zip(variables, wanted.squares, strict=True):
        lattice = variable.lattice
        assert lattice is not None
        if lattice.low == lattice.high:
            return None
        if variable.nullable and variable.counted_apart:
            nullable = True
        elif variable.nullable:  # a NULL counts, as the middle
            lattice = replace(lattice, expr=imputed(lattice))
        found.append(one(lattice, squared=square is not None))
    weights = found[0] if len(found) == 1 else two(*found)
    own = tuple(_end(variables[0], end, weights.whole, nullable=nullable) for end in weights.ends)
    return weights, own


def _end(like: Argument, expr: Expr, whole: int, *, nullable: bool) -> Argument:
    return replace(
        like,
        expr=expr,
        lattice=OnLattice(expr, Fraction(1), 0, whole),
        nullable=nullable,
        counted_apart=nullable,
        values=Values(0, whole, nullable),
        options=None,
        of_unit=False,
        owned=False,
        listed=None,
    )


def parts_of_whole(
    like: Contribution,
    *,
    whole: int,
    first: int,
    usual: Sequence[Fraction],
    near: Sequence[Sequence[tuple[int, Fraction]]],
    setting: Setting,
) -> tuple[Measure, ...] | None:
    """The sums of weights; None where a bound of one by itself is not one of all.

    Args:
        like: what a unit can add to a count of the same rows.
        whole: what the weights of a row add up to.
        first: the number of the first end among the arguments.
        usual: what a row adds to each where measurements are compared, as a part of the whole.
        near: of each, where it is largest.
        setting: of the release.
    """
    contribution = replace(like, low=0, high=whole)
    moved = attained(contribution, setting)
    if moved is None:
        return None
    bounds = [None, *range(first, first + len(usual) - 1), None]
    return tuple(
        Measure(
            kind=Kind.PART,
            input=start if end is None else end,
            unit=Fraction(1, whole),
            centre=0,
            contribution=contribution,
            sensitivity=moved,
            constant=None,
            family=-first,
            between=(start, end),
            near=tuple(places),
            usual=whole * part,
        )
        for (start, end), part, places in zip(pairwise(bounds), usual, near, strict=True)
    )


def _weights_of(
    measure: Measure, power: tuple[int, int], weights: Weights, widths: Sequence[int]
) -> tuple[Fraction, ...]:
    """A measure, in its steps, by the steps of the weights."""
    found = weights.powers[power]
    if measure.kind is Kind.CENTRED and measure.centre % 2 == 0:
        found = tuple(part / 2 for part in found)  # U is in half steps
    if 2 in power:
        w, counted = widths[power.index(2)], weights.powers[0, 0]
        found = tuple(2 * part - w * w * one for part, one in zip(found, counted, strict=True))
    return tuple(part / weights.whole for part in found)
