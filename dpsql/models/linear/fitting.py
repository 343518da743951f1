"""To fit a model: one query, and arithmetic on its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsql.core.calibrate.options import Wishes
from dpsql.models.columns import Supervised, released, supervised
from dpsql.models.estimates import Estimate
from dpsql.models.linear import notes
from dpsql.models.linear.cross_products import Sums, statement, sums_of
from dpsql.models.linear.fitted import LinearModel, LinearModels
from dpsql.models.linear.least_squares import Hold, Moments, Solved, hold, solved
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.linear.units import Units, units
from dpsql.models.model_queries import Asked, inner
from dpsql.models.noise_law import of_answer
from dpsql.models.querying import asked
from dpsql.models.spread import RUNS, half_width, sampled, seeded
from dpsql.models.wanted import USUAL, How
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer

Array = NDArray[np.float64]

NO_SAMPLING = "too few rows for a sampling error, or noise hides what the model leaves"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a model is asked for.

    Attributes:
        model: what is wanted.
        columns: what is public of the relation.
        sums: what is added up.
        sql: the query.
        wishes: how it is asked.
    """

    model: LinearRegression
    columns: Supervised
    sums: Sums
    sql: str
    wishes: Wishes

    @property
    def keys(self) -> int:
        """How many columns of the answer are keys."""
        return len(self.model.by)

    @property
    def units(self) -> Units:
        """Between z and the columns."""
        return units(self.columns, intercept=self.model.intercept)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what is fitted."""
        first = (notes.INTERCEPT,) if self.model.intercept else ()
        return (*first, *(term.name for term in self.columns.terms))


def plan(db: Asked, sql: str, model: LinearRegression, how: How = USUAL) -> Plan:
    """The query for a model. No private row is read.

    Raises:
        Rejected, InvalidArgument: see `columns_of`.
    """
    relation = inner(sql)
    columns = supervised(db, relation, model.target, model)
    sums = sums_of(columns)
    wishes: Wishes = {**how.wishes, "weights": sums.weights}
    return Plan(model, columns, sums, statement(relation, columns, sums, model.by), wishes)


def fit(
    db: Asked,
    sql: str,
    model: LinearRegression,
    how: How,
) -> LinearModel | LinearModels:
    """See `Database.fit`."""
    made = plan(db, sql, model, how)
    answer = asked(db, inner(sql), made.sql, how, made.wishes)
    groups = dict(_groups(made, answer))
    return LinearModels(model, groups, answer, made.columns) if model.by else groups[()]


def _groups(made: Plan, answer: Answer) -> Iterator[tuple[tuple[Any, ...], LinearModel]]:
    law = of_answer(answer, made.keys)
    values = [[float(v or 0) for v in row[made.keys :]] for row in answer.rows]
    drawn = law.drawn(RUNS, seeded(values, law.scales.tolist()))
    noise = moments(made.sums, drawn)
    at = hold(made.units.seen(noise).gram)
    said = tuple(always(answer.explanation))
    for row, own in zip(answer.rows, values, strict=True):
        key = tuple(row[: made.keys])
        yield key, _fitted(made, key, np.array(own), noise, at, said, answer)


def moments(sums: Sums, columns: Array) -> Moments:
    """G, C and Σw² of the columns of a row, or of each of several."""
    return Moments(
        np.tensordot(columns, sums.gram, 1),
        columns @ sums.cross,
        columns @ sums.square,
    )


def _fitted(
    made: Plan,
    key: tuple[Any, ...],
    values: Array,
    noise: Moments,
    at: Hold,
    said: Sequence[str],
    answer: Answer,
) -> LinearModel:
    between, found = made.units, moments(made.sums, values)
    rows, drawn_rows = float(found.gram[0, 0]), noise.gram[:, 0, 0]
    penalty = (made.model.ridge or 0.0) * between.penalty
    one = solved(between.seen(found), rows, between.seen(noise), at, penalty)
    every = _estimates(one, between)
    eps = float(answer.explanation.cost.eps)
    two = [term.two for term in made.columns.terms]
    counted = Estimate(rows, half_width(drawn_rows))
    needed = notes.enough(at, between.features, two, eps)
    hidden = notes.hidden(one.hidden, made.parameters, counted, needed, eps)
    free = [NO_SAMPLING] if one.sampling is None else []
    quality = _quality(one, found, noise, float(made.columns.target.half))
    names = [term.name for term in made.columns.terms]
    return LinearModel(
        model=made.model,
        key=key,
        intercept=every[0] if made.model.intercept else None,
        coefficients=dict(zip(names, every[1:] if made.model.intercept else every, strict=True)),
        rows=counted,
        r2=quality[0],
        rmse=quality[1],
        notes=(*hidden, *free, *said),
        answer=answer,
        _columns=made.columns,
    )


def _estimates(one: Solved, between: Units) -> list[Estimate]:
    linear = between.coefficients
    values = linear @ one.theta
    values[0] += between.constant
    spread = one.spread @ linear.T
    errors: list[float | None] = [None] * len(values)
    if one.sampling is not None:
        errors = [sampled(v) for v in np.diag(linear @ one.sampling @ linear.T)]
    return [
        Estimate(float(value), half_width(off), error)
        for value, off, error in zip(values, spread.T, errors, strict=True)
    ]


def _quality(
    one: Solved, found: Moments, noise: Moments, half: float
) -> tuple[Estimate | None, Estimate | None]:
    """R² and the root of the mean square that is left, with their noise to first order."""
    rows, total = float(found.gram[0, 0]), float(found.cross[0])
    if rows <= 0 or one.left <= 0:
        return None, None
    mean, left = total / rows, one.left
    root = half * (left / rows) ** 0.5
    moved = (one.left_spread - left / rows * noise.gram[:, 0, 0]) * half**2 / (2 * root * rows)
    rmse = Estimate(root, half_width(moved))
    varied = float(found.square) - mean * total
    off = noise.square - 2 * mean * noise.cross[:, 0] + mean**2 * noise.gram[:, 0, 0]
    if varied <= half_width(off) or varied < left:
        return None, rmse
    spread = -one.left_spread / varied + left / varied**2 * off
    return Estimate(1 - left / varied, half_width(spread)), rmse


def always(explained: Explanation) -> Iterator[str]:
    """What is to be known of the models of all groups."""
    setting = released(explained).releases[0].setting
    if setting.rows is not None and setting.rows > 1:
        yield (
            f"a unit has up to {setting.rows} rows, which count as independent in sampling errors: "
            "these are larger where rows of one unit are alike"
        )
