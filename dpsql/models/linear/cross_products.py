"""The sums that a linear model is made of, as columns of one query; and what is made of them.

With z = (x − centre)/half of each term, z₀ = 1, and w of the target likewise, least squares needs
G = Σ z·zᵀ, C = Σ w·z and Σ w². Each entry is linear in the columns, so noise on these is noise on
G and C by the same rule:

    n, Σu, Σu·v           as they are
    Σu² − half²/2         for u in [−half, half]: a row adds half as much as to Σu². It is written
                          |u|·|u|, of which the least is known to be 0
    nothing for u²        where x is at an end always: it is n·half²
    nothing for u·v       of two values of one text: x is 1 in one of them at most, so that
                          u·v = −u/2 − v/2 − 1/4

What counts most. A coefficient is off by the noise of C, and by that of G times the coefficients,
which mostly are below 1/2 here. So sums with the target are given `TARGET` times the weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Supervised
from dpsql.models.literals import exact, quoted
from dpsql.models.terms import HALF, Term

Array = NDArray[np.float64]

TARGET = 4.0
"""How much the accuracy of sums with the target matters beside that of others."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The statistics of a model.

    Attributes:
        names: of the columns.
        sql: what each adds up, over the terms x0 (the target), x1, …
        weights: how much the accuracy of a column matters, where that is not 1.
        gram, cross, square: what each column adds to G, C and Σw².
    """

    names: tuple[str, ...]
    sql: tuple[str, ...]
    weights: dict[str, float]
    gram: Array
    cross: Array
    square: Array


def sums_of(columns: Supervised, *, square: bool = True) -> Sums:
    """The statistics for some columns; Σw² only where the square is wanted."""
    made = _Made((columns.target, *columns.terms))
    wide = len(made.terms)
    for i in range(1, wide):
        made.moment(0, i)
        made.weights[made.names[-1]] = TARGET
    for i in range(1, wide):
        for j in range(i, wide):
            made.moment(i, j)
    if square:
        made.moment(0, 0)
    size = len(made.names)
    every = np.zeros((size, wide + 1, wide + 1))
    for (i, j), parts in made.entries.items():
        for number, part in parts:
            every[number, i, j] += part
            if i != j:
                every[number, j, i] += part
    # The places of `every` are: the target, the terms, and last the 1 of the intercept.
    order = [wide, *range(1, wide)]
    return Sums(
        tuple(made.names),
        tuple(made.sql),
        made.weights,
        every[:, order][:, :, order],
        every[:, order, 0],
        every[:, 0, 0],
    )


class _Made:
    """The columns so far, and the entries that they are parts of."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.names: list[str] = []
        self.sql: list[str] = []
        self.weights: dict[str, float] = {}
        self.entries: dict[tuple[int, int], list[tuple[int, float]]] = {}
        self.rows = self._column("n", "COUNT(*)")
        last = len(terms)
        self.entries[last, last] = [(self.rows, 1.0)]
        self.alone: list[int] = []
        for place, term in enumerate(terms):
            self.alone.append(self._column(term.name, f"SUM(x{place})"))
            self.entries[place, last] = [(self.alone[place], 1 / float(term.half))]
            if place == 0:
                self.weights[self.names[-1]] = TARGET

    def moment(self, i: int, j: int) -> None:
        """The sum of z·z' of two terms, or of one."""
        first, second = self.terms[i], self.terms[j]
        scale = 1 / float(first.half * second.half)
        if i == j:
            self.entries[i, i] = self._square(i, first, scale)
        elif first.level is not None and first.column == second.column:
            alone = [(self.alone[place], -scale / 2) for place in (i, j)]
            self.entries[i, j] = [*alone, (self.rows, -scale / 4)]
        else:
            number = self._column(f"{first.name} * {second.name}", f"SUM(x{i} * x{j})")
            self.entries[i, j] = [(number, scale)]

    def _square(self, i: int, term: Term, scale: float) -> list[tuple[int, float]]:
        if term.two:
            return [(self.rows, float(term.half**2) * scale)]
        middle = rounded(term.half**2 * HALF)
        sql = f"SUM(ABS(x{i}) * ABS(x{i}) - {exact(middle)})"
        number = self._column(f"{term.name} * {term.name}", sql)
        return [(number, scale), (self.rows, float(middle) * scale)]

    def _column(self, name: str, sql: str) -> int:
        taken = {known.lower() for known in self.names}
        while name.lower() in taken:
            name += "_"
        self.names.append(name)
        self.sql.append(sql)
        return len(self.names) - 1


def rounded(value: Fraction) -> Fraction:
    """About that number, in six digits: a constant that is short in SQL."""
    power = Fraction(10) ** (len(str(int(value))) - 6 if value >= 1 else -6)
    power = min(power, Fraction(1))
    while value and value / power < 1000 and power > Fraction(1, 10**15):
        power /= 10
    return round(value / power) * power


def statement(sql: str, columns: Supervised, sums: Sums, by: Sequence[str]) -> str:
    """The query: a row of sums, or one for each group."""
    terms = (columns.target, *columns.terms)
    inner = [f"{term.centred} AS x{place}" for place, term in enumerate(terms)]
    keys = [f"{quoted(name)} AS k{place}" for place, name in enumerate(by)]
    shown = [f"k{place} AS {quoted(name)}" for place, name in enumerate(by)]
    made = [f"{s} AS {quoted(name)}" for s, name in zip(sums.sql, sums.names, strict=True)]
    grouped = "\nGROUP BY " + ", ".join(f"k{place}" for place in range(len(by))) if by else ""
    return (
        f"SELECT {', '.join((*shown, *made))}\n"
        f"FROM (SELECT {', '.join((*keys, *inner))} FROM (\n{sql}\n) AS r\n"
        f"WHERE {' AND '.join(columns.conditions)}) AS terms{grouped}"
    )
