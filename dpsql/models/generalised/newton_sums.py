"""The sums of a Newton step at coefficients θ, as columns of one query; and what is made of them.

With z as in `linear.sums`, r = y − μ and v = μ', a step needs g = Σ r·z and H = Σ v·z·zᵀ. With u of
the terms in the place of z each entry is linear in the columns:

    n, Σr, Σr·u, Σv·u, Σv·u·v'   as they are
    Σv − most/2                  for v in [0, most]: a row adds half as much as to Σv
    Σv·u² − most·half²/2         likewise
    nothing for v·u²             where x is at an end always: it is half²·Σv
    nothing for v·u·u'           of two values of one text: −Σv·u/2 − Σv·u'/2 − Σv/4

What counts most. A step is off by the noise of g, and by that of H times the step, which is small
at the end. So sums of r are given `GRADIENT` times the weight (`benchmarks/models_logistic.py` has
what other weights do).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpsql.models.columns import Supervised
from dpsql.models.generalised.exponential_families import Family
from dpsql.models.linear.cross_products import rounded
from dpsql.models.literals import constant, double, exact, quoted
from dpsql.models.terms import Term
from dpsql.types import Scalar

Array = NDArray[np.float64]
Key = tuple[Scalar | float | None, ...]
"""Of a group: a value of each column that is a key."""

GRADIENT = 16.0
"""How much the accuracy of the gradient matters beside that of the curvature."""


@dataclass(frozen=True, slots=True)
class StepSums:
    """The statistics of a step.

    Attributes:
        names: of the columns.
        sql: what each adds up, over r, v and the terms x1, x2, …
        weights: how much the accuracy of a column matters, where that is not 1.
        gradient, curvature: what each column adds to g and H.
    """

    names: tuple[str, ...]
    sql: tuple[str, ...]
    weights: Mapping[str, float]
    gradient: Array
    curvature: Array


def step_sums(columns: Supervised, family: Family) -> StepSums:
    """The statistics for some columns."""
    made = _Made(columns.terms, family.steepest)
    wide = len(columns.terms) + 1
    gradient = np.zeros((len(made.names), wide))
    curvature = np.zeros((len(made.names), wide, wide))
    for place, parts in made.first.items():
        for number, part in parts:
            gradient[number, place] += part
    for (i, j), parts in made.second.items():
        for number, part in parts:
            curvature[number, i, j] += part
            if i != j:
                curvature[number, j, i] += part
    weights = dict.fromkeys(made.of_gradient, GRADIENT)
    return StepSums(tuple(made.names), tuple(made.sql), weights, gradient, curvature)


_Parts = list[tuple[int, float]]


class _Made:
    """The columns so far, and the entries that they are parts of; the intercept's place is 0."""

    def __init__(self, terms: tuple[Term, ...], most: Fraction) -> None:
        self.terms, self.most = terms, most
        self.names: list[str] = []
        self.sql: list[str] = []
        self.of_gradient: list[str] = []
        self.first: dict[int, _Parts] = {}
        self.second: dict[tuple[int, int], _Parts] = {}
        self.rows = self._column("n", "COUNT(*)")
        for place in range(len(terms) + 1):
            name = terms[place - 1].name if place else "intercept"
            number = self._column(
                f"gradient {name}", "SUM(r)" if not place else f"SUM(r * x{place})"
            )
            self.first[place] = [(number, 1 / self._half(place))]
            self.of_gradient.append(self.names[number])
        middle = rounded(most / 2)
        number = self._column("curvature", f"SUM(v - {exact(middle)})")
        self.second[0, 0] = [(number, 1.0), (self.rows, float(middle))]
        for place in range(1, len(terms) + 1):
            number = self._column(f"curvature {terms[place - 1].name}", f"SUM(v * x{place})")
            self.second[0, place] = [(number, 1 / self._half(place))]
        for i in range(1, len(terms) + 1):
            for j in range(i, len(terms) + 1):
                self.second[i, j] = self._square(i) if i == j else self._product(i, j)

    def _half(self, place: int) -> float:
        return float(self.terms[place - 1].half) if place else 1.0

    def _square(self, i: int) -> _Parts:
        term = self.terms[i - 1]
        if term.two:
            return self.second[0, 0]
        middle = rounded(self.most * term.half**2 / 2)
        sql = f"SUM(v * ABS(x{i}) * ABS(x{i}) - {exact(middle)})"
        number = self._column(f"curvature {term.name} * {term.name}", sql)
        scale = 1 / float(term.half**2)
        return [(number, scale), (self.rows, float(middle) * scale)]

    def _product(self, i: int, j: int) -> _Parts:
        first, second = self.terms[i - 1], self.terms[j - 1]
        if first.level is not None and first.column == second.column:
            # In z: z·z' = −z − z' − 1, as one of both is −1 at least.
            alone = [(n, -part) for place in (i, j) for n, part in self.second[0, place]]
            return [*alone, *((n, -part) for n, part in self.second[0, 0])]
        name = f"curvature {first.name} * {second.name}"
        number = self._column(name, f"SUM(v * x{i} * x{j})")
        return [(number, 1 / float(first.half * second.half))]

    def _column(self, name: str, sql: str) -> int:
        taken = {known.lower() for known in self.names}
        while name.lower() in taken:
            name += "_"
        self.names.append(name)
        self.sql.append(sql)
        return len(self.names) - 1


def statement(
    sql: str,
    columns: Supervised,
    family: Family,
    sums: StepSums,
    by: tuple[str, ...],
    at: Mapping[Key, Array],
) -> str:
    """The query: a row of sums, or one for each group.

    Args:
        sql: the analyst's.
        columns, family, sums: what is added up.
        by: keys.
        at: θ of z, the intercept's first, by group; rows of others have θ = 0.
    """
    target = columns.target
    y = f"({target.centred}) + {double(target.centre)}"
    inner = [f"{term.centred} AS x{place}" for place, term in enumerate(columns.terms, 1)]
    keys = [f"{quoted(name)} AS k{place}" for place, name in enumerate(by)]
    kept = "".join(f"k{place}, " for place in range(len(by)))
    xs = "".join(f", x{place}" for place in range(1, len(columns.terms) + 1))
    eta = _eta(columns, at)
    clamped = f"LEAST(GREATEST({eta}, {double(family.low)}), {double(family.high)})"
    shown = [f"k{place} AS {quoted(name)}" for place, name in enumerate(by)]
    made = [f"{s} AS {quoted(name)}" for s, name in zip(sums.sql, sums.names, strict=True)]
    grouped = "\nGROUP BY " + ", ".join(f"k{place}" for place in range(len(by))) if by else ""
    return (
        f"SELECT {', '.join((*shown, *made))}\n"
        f"FROM (SELECT {kept}y - m AS r, {family.slope_sql('m')} AS v{xs}\n"
        f"FROM (SELECT {kept}y, {family.mean_sql('eta')} AS m{xs}\n"
        f"FROM (SELECT {kept}y, {clamped} AS eta{xs}\n"
        f"FROM (SELECT {', '.join((*keys, f'{y} AS y', *inner))} FROM (\n{sql}\n) AS r\n"
        f"WHERE {' AND '.join(columns.conditions)}) AS terms) AS scored) AS expected) AS residuals"
        f"{grouped}"
    )


def _eta(columns: Supervised, at: Mapping[Key, Array]) -> str:
    """η over x1, x2, …, which are not divided by their halves."""
    halves = [1.0, *(float(term.half) for term in columns.terms)]

    def line(theta: Array) -> str:
        first, *others = (t / half for t, half in zip(theta.tolist(), halves, strict=True))
        parts = [f"{double(b)} * x{place}" for place, b in enumerate(others, 1)]
        return " + ".join((double(first), *parts))

    if list(at) == [()]:
        return line(at[()])
    groups = [
        (" AND ".join(_is(place, value) for place, value in enumerate(key)), line(theta))
        for key, theta in at.items()
    ]
    return "CASE " + " ".join(f"WHEN {own} THEN {sql}" for own, sql in groups) + " ELSE 0e0 END"


def _is(place: int, value: Scalar | float | None) -> str:
    return f"k{place} IS NULL" if value is None else f"k{place} = {constant(value)}"
