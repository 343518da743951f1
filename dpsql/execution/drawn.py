"""An output column at many values of the noise: its formulas, and the expression over them.

What is computed is what `trace.slope` has derivatives of. A value is lost where a count is below 1
or a divisor changes its sign: then the number may be anything. It is NaN where it would be NULL.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import add

from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref
from dpsql.core.release.draws import Draws
from dpsql.core.release.formulas import Formula, Linear, Moments, Quotient, Term
from dpsql.core.release.second_moments import assembled
from dpsql.core.release.trace import TRANSPARENT


@dataclass(frozen=True, slots=True)
class Drawn:
    """A row at many values of its noise; the first is the noisy one itself.

    Attributes:
        measures: in lattice steps.
        formulas: the aggregates, by their columns' ids.
        constants: the values of other columns, by their ids.
        lost: the draws that may be anything, filled by and by.
    """

    measures: Mapping[int, Draws]
    formulas: Mapping[int, Formula]
    constants: Mapping[int, object]
    lost: set[int] = field(default_factory=set)

    def of(self, expr: Expr) -> Draws | None:
        """An expression; None where it is not modelled."""
        if isinstance(expr, Literal):
            return self._constant(expr.value)
        if isinstance(expr, Ref):
            i = expr.column.id
            if i in self.formulas:
                return self._aggregate(self.formulas[i])
            return self._constant(self.constants.get(i))
        if isinstance(expr, Case):
            guard = isinstance(expr.default, Literal) and expr.default.value is None
            return self.of(expr.branches[0][1]) if guard and len(expr.branches) == 1 else None
        return self._call(expr)

    def _constant(self, value: object) -> Draws | None:
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal):
            return None
        return Draws([float(value)] * self._size)

    @property
    def _size(self) -> int:
        return len(next(iter(self.measures.values())).values)

    def _call(self, expr: Call) -> Draws | None:
        if expr.function in TRANSPARENT or expr.function == "coalesce":
            return self.of(expr.args[0])
        args = [found for found in map(self.of, expr.args) if found is not None]
        if len(args) < len(expr.args):
            return None
        match expr.function, args:
            case "add", [a, b]:
                return a + b
            case "sub", [a, b]:
                return a - b
            case "mul", [a, b]:
                return a * b
            case "div", [a, b]:
                sign = b.values[0]
                self.lost.update(i for i, v in enumerate(b.values) if v * sign <= 0)
                return a / b
            case "sqrt", [a]:
                return a.deviation()
            case ("abs" | "ln" | "exp") as name, [a]:
                return Draws([_FUNCTIONS[name](v) for v in a.values])
        return None

    def _aggregate(self, formula: Formula) -> Draws | None:
        if isinstance(formula, Linear):
            return self._sum(formula.terms).plus(float(formula.constant))
        if isinstance(formula, Quotient):
            n = self._count(formula.denominator, formula.count)
            return (self._sum(formula.numerator) / n).plus(float(formula.centre))
        if isinstance(formula, Moments):
            return assembled(formula, self._count(formula.count, formula.public), self._sum)
        return None

    def _sum(self, terms: tuple[Term, ...]) -> Draws:
        return reduce(add, map(self._read, terms)) if terms else Draws([0.0] * self._size)

    def _read(self, term: Term) -> Draws:
        measure = self.measures[term.measure]
        return measure if term.weight == 1 else measure.times(float(term.weight))

    def _count(self, terms: tuple[Term, ...], public: int) -> Draws:
        """The number of values: 1 where the noisy one is below, and lost where a drawn one is."""
        if not terms:
            return Draws([float(max(1, public))] * self._size)
        found = self._sum(terms)
        if min(found.values) >= 1:
            return found
        first, *others = found.values
        self.lost.update(i for i, v in enumerate(others, 1) if v < 1)
        return Draws([max(1.0, first), *(v if v >= 1 else math.nan for v in others)])


def _ln(value: float) -> float:
    return math.log(value) if value > 0 else math.nan


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


_FUNCTIONS: Mapping[str, Callable[[float], float]] = {"abs": abs, "ln": _ln, "exp": _exp}
