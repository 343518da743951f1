"""What a model would cost, and how far off it would be, before a private row is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real

from dpsql.core.account.amount import ZERO, Cost
from dpsql.errors import InvalidArgument
from dpsql.models import documents
from dpsql.models.columns import released
from dpsql.models.noise_law import planned, weights
from dpsql.models.spread import CONFIDENCE, RUNS, half_width, seeded
from dpsql.models.wanted import Specification
from dpsql.report.document import Document
from dpsql.report.explanation import Explanation
from dpsql.report.figures import QueryCost
from dpsql.report.forms import Documented, Plain


@dataclass(frozen=True, slots=True)
class Statistic(Plain):
    """A sum that a model is made of.

    Attributes:
        name: of the column.
        sensitivity: how far one unit can move it in one group.
        noise: its 95 % half-width.
    """

    name: str
    sensitivity: float
    noise: float


@dataclass(frozen=True, slots=True)
class FitStep(Plain):
    """A query of a fit.

    Attributes:
        name: what it is for.
        sql: as it is asked; of a step that needs an earlier answer, as it is asked for some answer:
            another has other constants in it, and about as much noise or less.
        statistics: the sums.
        times: how often it is asked.
        explanation: why it is private.
    """

    name: str
    sql: str
    statistics: tuple[Statistic, ...]
    times: int
    explanation: Explanation = field(compare=False)

    def to_dict(self) -> dict[str, object]:
        """As plain data, without the explanation, which has its own."""
        sums = [one.to_dict() for one in self.statistics]
        return {"name": self.name, "sql": self.sql, "statistics": sums, "times": self.times}


@dataclass(frozen=True, slots=True, repr=False)
class FitExplanation(Documented):
    """A model, before any private row is read. All of it is public.

    Attributes:
        model: what is wanted.
        title: the same in a few words, such as "a linear model of income".
        steps: the queries.
        expected: with a number of rows: the 95 % half-width of the noise of each parameter, in a
            group of so many, where each feature is spread evenly over its range, and neither these
            nor the target have to do with one another. Features that vary less, or go together,
            have wider ones, in proportion to what is left of them.
        notes: what is to be known of it.
        work: about how many products of numbers a tree is made of, where the answers are told.
    """

    model: Specification[object]
    title: str
    steps: tuple[FitStep, ...]
    expected: Mapping[str, float]
    notes: tuple[str, ...]
    work: int = 0

    @property
    def sql(self) -> str:
        """The first query."""
        return self.steps[0].sql

    @property
    def explanation(self) -> Explanation:
        """Why the first query is private."""
        return self.steps[0].explanation

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """The sums of the first query."""
        return self.steps[0].statistics

    @property
    def cost(self) -> QueryCost:
        """What `fit` charges, where the same was not fitted before."""
        whole = ZERO
        for step in self.steps:
            one = step.explanation.cost.exact
            whole += Cost(one.eps * Fraction(step.times), one.delta * Fraction(step.times))
        return QueryCost(whole)

    def _document(self) -> Document:
        return documents.before(self)

    def __repr__(self) -> str:
        return str(self)


def step(
    name: str, sql: str, explained: Explanation, sums: Sequence[str], keys: int = 0, times: int = 1
) -> FitStep:
    """A query of linear sums, as a step.

    A sum that is a measurement is as that is explained; of what is made of several, a unit moves it
    by what it moves these, at most.

    Args:
        name: what it is for.
        sql: of it.
        explained: why it is private.
        sums: the columns after the keys.
        keys: how many of these there are.
        times: how often it is asked.
    """
    (point,) = released(explained).releases
    steps = [float(measure.sensitivity.linf) for measure in point.measures]
    moved = [sum(abs(w) * steps[m] for m, w in column.items()) for column in weights(explained)]
    law = planned(explained, keys)
    drawn = law.drawn(RUNS, seeded(sql, law.scales.tolist()))
    exact = {one.name: one.interval(CONFIDENCE) for one in explained.computed}
    exact |= {one.name: one.interval(CONFIDENCE) for one in explained.releases}
    found = tuple(
        Statistic(title, own, exact[title] if title in exact else half_width(off))
        for title, own, off in zip(sums, moved[keys:], drawn.T, strict=True)
    )
    return FitStep(name, sql, found, times, explained)


def checked_size(size: float | None) -> float | None:
    """A public guess of the number of rows.

    Raises:
        InvalidArgument: it is none.
    """
    number = isinstance(size, Real) and not isinstance(size, bool)
    if size is not None and not (number and 0 < size < 1e18):
        raise InvalidArgument("size is a number of rows, above 0")
    return None if size is None else float(size)
