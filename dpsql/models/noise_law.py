"""The law of the noise of an answer's columns: independent noises, and how much of each is in each
column. Two columns may hold the same noise: such as a count, and a sum that is taken around a
middle. All of it is public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.plan.expr import Ref
from dpsql.core.release.formulas import Linear
from dpsql.errors import InvalidArgument
from dpsql.execution.summed import Summed
from dpsql.execution.widths import terms
from dpsql.models.columns import is_public, released
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Law:
    """The noise of columns.

    Attributes:
        kinds: "laplace" or "gaussian", of each noise.
        scales: of each noise: b of P(z) ∝ exp(−|z|/b), σ of a Gaussian one.
        parts: how much of each noise (second) is in each column (first).
    """

    kinds: tuple[str, ...]
    scales: Array
    parts: Array

    def deviation(self, column: int) -> float:
        """The standard deviation of a column's noise."""
        two = np.array([2.0 if kind == "laplace" else 1.0 for kind in self.kinds])
        return float(np.sqrt(np.sum(two * (self.parts[column] * self.scales) ** 2)))

    def drawn(self, runs: int, random: np.random.Generator) -> Array:
        """Noise of all columns, a row a run. Discrete noise is drawn as the continuous one that it
        is near to: what is computed of it does not lie on its lattice.
        """
        found = np.empty((runs, len(self.kinds)))
        for place, (kind, scale) in enumerate(zip(self.kinds, self.scales, strict=True)):
            draw = random.normal if kind == "gaussian" else random.laplace
            found[:, place] = draw(0.0, scale, runs)
        return found @ self.parts.T


def planned(explained: Explanation, skip: int) -> Law:
    """The noise that a query will get; of its columns after the first `skip`, which are keys.

    Raises:
        InvalidArgument: see `released`; or noise that only the run tells.
    """
    query = released(explained)
    (point,) = query.planned
    noises = [(noise, 1.0) for noise in point.noise]
    return _law(weights(explained)[skip:], noises)


def of_answer(answer: Answer, skip: int) -> Law:
    """The noise that an answer got; of a stored answer, that of the numbers it is made from; of
    public rows none.

    Raises:
        InvalidArgument: see `released`.
    """
    if is_public(answer.explanation):
        return _law([{}] * (len(answer.columns) - skip), ())
    accuracy = answer.accuracy
    assert accuracy is not None
    noises = [(noise, float(part)) for noise, part in accuracy.noises]
    return _law(weights(answer.explanation)[skip:], noises)


def weights(explained: Explanation) -> list[Mapping[int, float]]:
    """Of each column how much of each measure it is; nothing of keys."""
    query = released(explained)
    assert query.trace is not None
    made = {o.column.id: o.formula for release in query.releases for o in release.outputs}
    found: list[Mapping[int, float]] = []
    for shown in query.trace.outputs:
        formula = made.get(shown.column.id) if isinstance(shown, Ref) else None
        parts = formula.terms if isinstance(formula, Linear) else ()
        found.append({term.measure: float(term.weight) for term in parts})
    return found


def _law(
    columns: Sequence[Mapping[int, float]],
    noises: Sequence[tuple[Noise | Summed | AdaptiveLaplace, float]],
) -> Law:
    kinds: list[str] = []
    scales: list[float] = []
    parts: list[list[float]] = []
    for measure, (noise, part) in enumerate(noises):
        own = [column.get(measure, 0.0) * part for column in columns]
        if isinstance(noise, AdaptiveLaplace):
            raise InvalidArgument("how much noise there is would be known after the run only")
        for one in terms(noise):
            if one.scale and any(own):
                kinds.append(one.kind)
                scales.append(float(one.scale))
                parts.append(own)
    made = np.array(parts).T if parts else np.zeros((len(columns), 0))
    return Law(tuple(kinds), np.array(scales), made)
