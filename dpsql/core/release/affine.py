"""Numbers that are another one times a number plus a number: their sums come from those of one.

    SELECT SUM(width), SUM(width + 1), …, SUM(width + 89)
        SUM(width) and COUNT(width) are measured; SUM(width + k) is SUM(width) + k·COUNT(width)

Claim. Let y = α·x + β of the same rows, α not 0, in exact arithmetic. Then y is NULL where x is,
and SUM(y) = α·SUM(x) + β·COUNT(x), AVG(y) = α·AVG(x) + β. So what is asked of y is post-processing
of two measurements of x. Why: + and - of whole numbers and DECIMALs are exact in the engine, and so
is * where its type holds all digits (else it is a DOUBLE, and no such y); NULL in, NULL out. An x
that is clamped is so in each y. If y were another number the answer would be off, and as private.

What it is good for. With h half the width of the range of y and c its middle, SUM(y) by itself is
noise for h + |c| with 1/n of ε, n the number of sums; from two measurements it is √(h² + c²) with
1/2 of ε. Under `add_remove` it is never worse with n >= 2; where units are replaced by others, a
sum by itself may move by no more than its range, and what is better is found (`families`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.core.plan.expr import Call, Case, Expr, Literal, null_unless
from dpsql.core.release.formulas import Formula, Linear, Quotient, Term
from dpsql.core.release.measures import Argument


@dataclass(frozen=True, slots=True)
class Affine:
    """`slope` times a number plus `offset`.

    Attributes:
        base: the number; None for none, where this is a constant.
        slope: 0 for a constant, and for nothing else.
        offset: what is added.
    """

    base: Expr | None
    slope: Fraction
    offset: Fraction

    def plus(self, other: Affine, sign: int) -> Affine | None:
        """The sum, or the difference; None where it is of two numbers, or of none that is left."""
        if None not in (self.base, other.base) and self.base != other.base:
            return None
        base = self.base if self.base is not None else other.base
        slope, offset = self.slope + sign * other.slope, self.offset + sign * other.offset
        return Affine(base, slope, offset) if base is None or slope else None

    def times(self, other: Affine) -> Affine | None:
        """The product with a constant that is not 0; None where there is none."""
        if self.base is None:
            return other.times(self) if other.base is not None else None
        if other.base is not None or not other.offset:
            return None
        return Affine(self.base, self.slope * other.offset, self.offset * other.offset)


def affine(expr: Expr) -> Affine:
    """An exact number as another one times a number plus a number; times 1 plus 0 at least."""
    return _affine(expr) or Affine(expr, Fraction(1), Fraction(0))


def _affine(expr: Expr) -> Affine | None:
    match expr:
        case Literal(value=int() | Fraction() as value, type=kind) if kind.is_exact:
            return Affine(None, Fraction(0), Fraction(value))
        case Call("cast", (inner,), kind) if kind.is_exact and inner.type.is_exact:
            whole = (kind.scale or 0) >= (inner.type.scale or 0)  # or it is rounded
            return affine(inner) if whole else None
        case Call("add" | "sub" | "mul" as name, (left, right), kind) if kind.is_exact:
            if name == "mul":
                return affine(left).times(affine(right))
            return affine(left).plus(affine(right), 1 if name == "add" else -1)
        case Case(((condition, value),), Literal(value=None)) if value.type.is_exact:
            found = affine(value)
            if found.base is not None:
                return replace(found, base=null_unless(condition, found.base))
    return None


@dataclass(frozen=True, slots=True)
class Made:
    """How an argument is made of another one.

    Attributes:
        of: the number of the other argument.
        slope: how often it is in it.
        offset: what is added.
    """

    of: int
    slope: Fraction
    offset: Fraction


def made_of_others(asked: Mapping[int, Expr], arguments: tuple[Argument, ...]) -> dict[int, Made]:
    """The arguments that are made of another one, and those that others are made of, of themselves.

    Args:
        asked: the numbers of arguments that are counted, summed or averaged, and what they are.
        arguments: all of them.
    """
    alike: dict[Expr, list[tuple[int, Affine]]] = {}
    for index, expr in asked.items():
        found = affine(expr)
        if expr.type.is_exact and found.base is not None:
            alike.setdefault(found.base, []).append((index, found))
    made: dict[int, Made] = {}
    for members in alike.values():
        summed = [member for member in members if _in_own_steps(arguments[member[0]])]
        if not summed:
            continue
        first, of = min(summed, key=lambda member: member[1].slope != 1 or member[1].offset != 0)
        for index, found in members:
            slope = found.slope / of.slope
            made[index] = Made(first, slope, found.offset - slope * of.offset)
    return made


def _in_own_steps(argument: Argument) -> bool:
    """Whether a number is summed as it is, not rounded to coarser steps than it has: they could be
    coarser than all that another one is made of.
    """
    if argument.lattice is None:
        return False
    return argument.lattice.step == Fraction(1, 10 ** (argument.expr.type.scale or 0))


def applied(how: Made, formula: Formula, count: Term | None) -> Formula:
    """The sum or the average of what is made of a number, from that of the number.

    Args:
        how: it is made.
        formula: of the number.
        count: how many of them there are; None where nothing is added to them.
    """
    if isinstance(formula, Linear):
        more = () if count is None else (replace(count, weight=count.weight * how.offset),)
        return Linear(_times(formula.terms, how.slope, *more), how.slope * formula.constant)
    assert isinstance(formula, Quotient)
    low, high = sorted(how.slope * end + how.offset for end in (formula.low, formula.high))
    return replace(
        formula,
        numerator=_times(formula.numerator, how.slope),
        centre=how.slope * formula.centre + how.offset,
        low=low,
        high=high,
    )


def _times(terms: tuple[Term, ...], slope: Fraction, *more: Term) -> tuple[Term, ...]:
    """So many times each, and some more; each measure once."""
    weights: dict[int, Fraction] = {}
    for term in (*(replace(t, weight=t.weight * slope) for t in terms), *more):
        weights[term.measure] = weights.get(term.measure, Fraction(0)) + term.weight
    return tuple(Term(measure, weight) for measure, weight in weights.items() if weight)
