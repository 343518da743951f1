"""How many rows there are, and how many satisfy a condition, or two, or have a value, and which:
from sums over rows that no two of these share.

    COUNT(*), COUNT_IF(paid)                apart: each takes a part of ε
    rows with paid, rows without            together: both take all of one part
    COUNT(*) is their sum
    COUNT(*), COUNT_IF(a), COUNT_IF(b)      rows with both, with a alone, with b alone, with neither
    COUNT(*), AVG(x)                        rows with x near the least, near the greatest, without x
    COUNT(*), SUM(x)                        the same where NULL is 0

These are weights of a row, 0 or 1, that add up to 1 whatever the row is: x and 1 - x, and with two
conditions the products of those of both; see `partition`, whose claim and proof they have, with
W = 1. Where no row satisfies both (see `exclusive`), rows with a and rows with b are weights by
themselves: a·b + a·(1 - b) and (1 - a)·b. That the count of b is the second of these, and no more,
rests on that; what one unit adds to the weights does not.

What it is good for. Apart, COUNT(*) and a count of some rows have half of ε each: noise of scale
2·R/ε. Together each weight has R/ε, so that the part is off by half as much, and the sum of both by
0.7 of that. Which way it is done, `choosing` finds.

A count of what is not NULL is one of a condition, and so is the sum of what is 0 or 1. Of an x in
[a, b] that may be NULL, k is whether it is not, and z how far above a it is, any number where it is
NULL: k·(w - z), k·z and (1 - k)·w, w = b - a, add up to w. The sum around the middle is half of the
second less the first; without the third one, it is what `together` has. Of a sum alone a NULL is 0:
b - x and x - a, with a <= 0 <= b, add up to w, and the sum is the second and a times the count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

from dpsql.core.enforce.lattice import MAX_STEPS, OnLattice, on_grid
from dpsql.core.functions.build import make
from dpsql.core.infer.exclusive import counted, exclusive, nulled, region
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref, columns_of, conjuncts
from dpsql.core.plan.values import Values
from dpsql.core.release.formulas import Linear, Output, Quotient
from dpsql.core.release.joint import Joint, alike, read_elsewhere
from dpsql.core.release.labels import unclamped
from dpsql.core.release.measures import Argument, Kind, Measure, Setting
from dpsql.core.release.partition import parts_of_whole
from dpsql.types import BIGINT

_EXCLUDING = (Fraction(1), Fraction(1), Fraction(-1))
"""What makes each count as large as it is where they are compared apart: all rows are in each."""

MOST = 3
"""Counts of some rows, of which each is tried with that of all, and two of them together."""


def subsets(
    measures: Sequence[Measure],
    outputs: Sequence[Output],
    arguments: Sequence[Argument],
    setting: Setting,
    units: int | None,
) -> tuple[tuple[Joint, ...], tuple[Argument, ...]]:
    """Whether counts can be taken from such weights, and the arguments with what these add up at
    the end; the arguments are those of `partitions`.
    """
    taken = read_elsewhere(outputs) | ({units} if units is not None else set())
    rows = next((n for n, m in enumerate(measures) if m.kind is Kind.ROWS and n not in taken), None)
    shown = _shown(outputs) - taken
    some = [n for n, m in enumerate(measures) if n in shown and _counts(m, arguments)]
    every, found = list(arguments), list[Joint]()
    if rows is not None and len(some) <= MOST:
        for chosen in [some] * (len(some) == 2) + [[n] for n in some]:
            joint = _joint(rows, chosen, measures, every, setting)
            found += [] if joint is None else [joint]
    for number, measure in enumerate(measures):
        if rows in shown and number not in taken and measure.kind in (Kind.CENTRED, Kind.SUM):
            assert rows is not None
            made = _of_known if measure.kind is Kind.CENTRED else _of_sum
            joint = made(rows, number, measures, every, setting)
            found += [] if joint is None else [joint]
    return tuple(found), tuple(every)


def _shown(outputs: Sequence[Output]) -> set[int]:
    """The measures that are asked for themselves: how many values an average is of is no count that
    is shown.
    """
    found: set[int] = set()
    for formula in (o.formula for o in outputs):
        if isinstance(formula, Linear | Quotient):
            terms = formula.terms if isinstance(formula, Linear) else formula.numerator
            found |= {term.measure for term in terms}
    return found


def _joint(
    rows: int,
    some: Sequence[int],
    measures: Sequence[Measure],
    arguments: list[Argument],
    setting: Setting,
) -> Joint | None:
    """The counts of all and of some rows, from weights; `arguments` gets what these add up."""
    if not alike([measures[n] for n in (rows, *some)], setting):
        return None
    variables = [_indicator(measures[n], arguments) for n in some]
    exclude = len(some) == 2 and _exclude(*(_condition(measures[n], arguments) for n in some))
    weights, said = _weights([v.expr for v in variables], exclude=exclude)
    ends = [_end(variables[0], expr, 1) for expr in accumulate(weights, _sum)]
    parts = parts_of_whole(
        measures[rows].contribution,
        whole=1,
        first=len(arguments),
        usual=_EXCLUDING if exclude else [Fraction(all(of)) for of in said],
        near=[_near([measures[n] for n in some], of) for of in said],
        setting=setting,
    )
    if parts is None:
        return None
    arguments += ends[:-1]
    made = {n: tuple(_steps(measures[n], of[i]) for of in said) for i, n in enumerate(some)}
    made[rows] = (Fraction(1),) * len(said)
    return Joint(rows, parts, made)


def _of_known(
    rows: int,
    centred: int,
    measures: Sequence[Measure],
    arguments: list[Argument],
    setting: Setting,
) -> Joint | None:
    """The counts of all rows and of those with a value, and the sum of these around the middle."""
    measure = measures[centred]
    assert measure.input is not None
    argument = arguments[measure.input]
    of, lattice = argument.counted, argument.lattice
    values = (Kind.VALUES, measure.input if of is None else of)
    count = next((n for n, m in enumerate(measures) if (m.kind, m.input) == values), None)
    if count is None or lattice is None or not argument.counted_apart:
        return None
    if not alike([measures[n] for n in (rows, count, centred)], setting):
        return None
    found = _either_way(argument, lattice.low, lattice.low, lattice.high)
    if found is None:
        return None
    below, above = found
    whole, known = lattice.high - lattice.low, _one_if(counted(argument.expr))
    unknown = _sum(_times(_not(known), below), _times(_not(known), above))
    weights = _times(known, below), _times(known, above), unknown
    ends = list(accumulate(weights, _sum))[:-1]
    parts = parts_of_whole(
        measures[rows].contribution,
        whole=whole,
        first=len(arguments),
        usual=[Fraction(3, 8), Fraction(5, 8), Fraction(0)],  # as in `importance`
        near=[*(((measure.input, end * lattice.step),) for end in (lattice.low, lattice.high)), ()],
        setting=setting,
    )
    if parts is None:
        return None
    arguments += [_end(argument, end, whole) for end in ends]
    one, half = Fraction(1, whole), Fraction(1 if measure.centre % 2 else Fraction(1, 2))
    made = {rows: (one, one, one), count: (one, one, Fraction(0))}
    return Joint(rows, parts, made | {centred: (-half, half, Fraction(0))})


def _of_sum(
    rows: int,
    number: int,
    measures: Sequence[Measure],
    arguments: list[Argument],
    setting: Setting,
) -> Joint | None:
    """The count of all rows and the sum of values, to which rows without one add 0."""
    measure = measures[number]
    assert measure.input is not None
    argument = arguments[measure.input]
    low, high = measure.contribution.low, measure.contribution.high
    if argument.lattice is None or not alike([measures[n] for n in (rows, number)], setting):
        return None
    found = _either_way(argument, 0, low, high)
    if found is None:
        return None
    whole, step = high - low, argument.lattice.step
    middle = Fraction(low + high, 2) if 4 * abs(low + high) > whole else Fraction(whole, 8)
    parts = parts_of_whole(
        measures[rows].contribution,
        whole=whole,
        first=len(arguments),
        usual=[(high - middle) / whole, (middle - low) / whole],  # as in `importance`
        near=[((measure.input, end * step),) for end in (low, high)],
        setting=setting,
    )
    if parts is None:
        return None
    arguments.append(_end(argument, found[0], whole))
    one, least = Fraction(1, whole), Fraction(low, whole)
    return Joint(rows, parts, {rows: (one, one), number: (least, least + 1)})


def _either_way(argument: Argument, default: int, low: int, high: int) -> tuple[Expr, Expr] | None:
    """How many steps a value, or the default for NULL, is below `high`, and above `low`; None where
    a DECIMAL is on other steps than a whole number of them, or there is one step at most.
    """
    lattice = argument.lattice
    assert lattice is not None
    steps = on_grid(argument.expr, argument.values, 2 * MAX_STEPS)  # a DECIMAL is in no steps
    same = (steps.low, steps.high, steps.step) == (lattice.low, lattice.high, lattice.step)
    exact = argument.expr.type.is_integer or _plain(argument.expr)
    if not (same and exact) or high - low <= 1:
        return None
    value = make("coalesce", (steps.expr, Literal(default, BIGINT)), None)
    below = Call("sub", (Literal(high, BIGINT), value), BIGINT)
    return below, Call("sub", (value, Literal(low, BIGINT)), BIGINT)


def _plain(expr: Expr) -> bool:
    """Whether it is a column, or nothing: what else is no whole number may be a step beyond its
    ends where it is rounded to steps.
    """
    if isinstance(expr, Case):
        parts = (*(value for _, value in expr.branches), expr.default)
        return all(_plain(p) or isinstance(p, Literal) for p in parts)
    return isinstance(unclamped(expr), Ref)


def _counts(measure: Measure, arguments: Sequence[Argument]) -> bool:
    """Whether a measure says of how many rows something is so: each adds 0 or 1, or as much around
    the middle.
    """
    if measure.input is None or measure.constant is not None:
        return False
    argument = arguments[measure.input]
    if measure.kind is Kind.VALUES:
        return bool(columns_of(argument.expr))  # or it is NULL
    lattice = argument.lattice
    if lattice is None or not argument.expr.type.is_integer:
        return False
    if (lattice.low, lattice.high) != (0, 1):
        return False
    return measure.kind is Kind.SUM or (measure.kind is Kind.CENTRED and not argument.nullable)


def _condition(measure: Measure, arguments: Sequence[Argument]) -> Expr:
    """What is so."""
    assert measure.input is not None
    return counted(nulled(arguments[measure.input].expr))


def _exclude(one: Expr, other: Expr) -> bool:
    """Whether no row satisfies both conditions."""
    a, b = (region(tuple(conjuncts(c))) for c in (one, other))
    return a is not None and b is not None and exclusive(a, b)


def _indicator(measure: Measure, arguments: Sequence[Argument]) -> Argument:
    """1 for each row that counts, 0 for others."""
    assert measure.input is not None
    argument = arguments[measure.input]
    if measure.kind is Kind.VALUES:
        expr = _one_if(counted(argument.expr))
    else:
        assert argument.lattice is not None
        expr = argument.lattice.expr
        if argument.nullable:
            expr = make("coalesce", (expr, Literal(0, expr.type)), None)
    return _end(argument, expr, 1)


def _end(like: Argument, expr: Expr, whole: int) -> Argument:
    """What weights add up to, in [0, `whole`], and never NULL."""
    return replace(
        like,
        expr=expr,
        lattice=OnLattice(expr, Fraction(1), 0, whole),
        nullable=False,
        counted_apart=False,
        values=Values(0, whole),
        options=None,
        of_unit=False,
        owned=False,
        listed=None,
        counted=None,
    )


def _steps(measure: Measure, on: int | None) -> Fraction:
    """What a row adds to a measure, in its steps."""
    return Fraction(2 * bool(on) - 1 if measure.kind is Kind.CENTRED else bool(on))


def _near(some: Sequence[Measure], of: Sequence[int | None]) -> list[tuple[int, Fraction]]:
    """The arguments of the conditions that are said of a weight's rows, and whether they hold."""
    every = ((m.input, on) for m, on in zip(some, of, strict=True))
    return [(i, Fraction(on)) for i, on in every if i is not None and on is not None]


def _one_if(condition: Expr) -> Expr:
    return Case(((condition, Literal(1, BIGINT)),), Literal(0, BIGINT), BIGINT)


def _weights(
    variables: Sequence[Expr], *, exclude: bool
) -> tuple[list[Expr], list[tuple[int | None, ...]]]:
    """The weights, and of each whether a row that has it satisfies the conditions; None where that
    is no matter.
    """
    x, *more = variables
    if not more:
        return [x, _not(x)], [(1,), (0,)]
    (y,) = more
    both, alone, other, none = (_times(a, b) for a in (x, _not(x)) for b in (y, _not(y)))
    if exclude:
        return [_sum(both, alone), other, none], [(1, None), (None, 1), (0, 0)]
    return [both, alone, other, none], [(1, 1), (1, 0), (0, 1), (0, 0)]


def _not(x: Expr) -> Expr:
    return Call("sub", (Literal(1, BIGINT), x), BIGINT)


def _times(a: Expr, b: Expr) -> Expr:
    return Call("mul", (a, b), BIGINT)


def _sum(a: Expr, b: Expr) -> Expr:
    return Call("add", (a, b), BIGINT)
