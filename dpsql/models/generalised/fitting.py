"""To fit a regression with a curved mean: a query for the start, and one for each Newton step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpsql.models.estimates import Estimate
from dpsql.models.generalised.fitted import (
    Curved,
    LogisticModel,
    LogisticModels,
    PoissonModel,
    PoissonModels,
)
from dpsql.models.generalised.path import State, goes_on, started, stepped
from dpsql.models.generalised.plan import Plan, plan
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear import notes
from dpsql.models.linear.fitting import always, moments
from dpsql.models.model_queries import Asked
from dpsql.models.noise_law import of_answer
from dpsql.models.querying import asked
from dpsql.models.spread import RUNS, half_width, sampled, seeded
from dpsql.models.wanted import How, joined
from dpsql.report.result import Answer

Array = NDArray[np.float64]
Key = tuple[Any, ...]

NO_SAMPLING = "noise hides how much the rows say, so that there is no sampling error"
STILL_MOVING = 3.0
"""A fit has not ended where its last step is so many times what noise makes of one."""


def fit(
    db: Asked, sql: str, model: LogisticRegression | PoissonRegression, how: How
) -> Curved | LogisticModels | PoissonModels:
    """See `Database.fit`."""
    made = plan(db, sql, model, how)
    answers = [asked(db, made.relation, made.first_sql, made.at_first, made.first_wishes)]
    groups = dict(_started(made, answers[0]))

    def step(own: How) -> dict[Key, State]:
        sql = made.step_sql({key: state.theta for key, state in groups.items()})
        answers.append(asked(db, made.relation, sql, own, made.step_wishes))
        return _stepped(made, groups, answers[-1])

    early = list(made.early)
    while early and groups and goes_on(made, list(groups.values())):
        groups |= step(early.pop())
    if groups:  # or there is nobody to ask of
        groups |= step(joined([*early, made.last]))
    told = tuple(answers)
    fitted = {key: _fitted(made, key, state, told) for key, state in groups.items()}
    if not model.by:
        return fitted[()]
    several = LogisticModels if isinstance(model, LogisticRegression) else PoissonModels
    return several(model, fitted, told, made.columns)  # type: ignore[arg-type]


def _values(made: Plan, answer: Answer) -> Iterator[tuple[Key, Array]]:
    wide = len(made.model.by)
    for row in answer.rows:
        yield tuple(row[:wide]), np.array([float(value or 0) for value in row[wide:]])


def _drawn(made: Plan, answer: Answer) -> Array:
    """Draws of the noise of an answer's columns."""
    law = of_answer(answer, len(made.model.by))
    told = [values.tolist() for _, values in _values(made, answer)]
    return law.drawn(RUNS, seeded(told, law.scales.tolist()))


def _started(made: Plan, answer: Answer) -> Iterator[tuple[Key, State]]:
    noise = moments(made.first, _drawn(made, answer))
    for key, values in _values(made, answer):
        yield key, started(made, moments(made.first, values), noise)


def _stepped(made: Plan, groups: dict[Key, State], answer: Answer) -> dict[Key, State]:
    """The groups after a step; a group that is not told stays where it is."""
    drawn = _drawn(made, answer)
    noise = (drawn @ made.later.gradient, np.tensordot(drawn, made.later.curvature, 1))
    found: dict[Key, State] = {}
    for key, values in _values(made, answer):
        if key not in groups:
            continue
        gradient = values @ made.later.gradient
        curvature = np.tensordot(values, made.later.curvature, 1)
        found[key] = stepped(made, groups[key], gradient, curvature, noise)
    return found


def _fitted(made: Plan, key: Key, state: State, answers: tuple[Answer, ...]) -> Curved:
    kind = LogisticModel if isinstance(made.model, LogisticRegression) else PoissonModel
    values = made.back @ state.theta
    estimates = _estimates(made, state, values)
    said = (*_notes(made, state, answers), *always(answers[0].explanation))
    names = [term.name for term in made.columns.terms]
    return kind(
        model=made.model,  # type: ignore[arg-type]
        key=key,
        intercept=estimates[0],
        coefficients=dict(zip(names, estimates[1:], strict=True)),
        rows=state.rows,
        notes=said,
        answers=answers,
        _columns=made.columns,
    )


def _estimates(made: Plan, state: State, values: Array) -> list[Estimate]:
    if state.step is None:
        return [Estimate(float(value), None) for value in values]
    spread = state.step.spread @ made.back.T
    errors: list[float | None] = [None] * len(values)
    if _counted(state):
        sampling = made.back @ state.step.inverse @ made.back.T
        errors = [sampled(variance) for variance in np.diag(sampling)]
    return [
        Estimate(float(value), half_width(off) * state.step.wider, error)
        for value, off, error in zip(values, spread.T, errors, strict=True)
    ]


def _counted(state: State) -> bool:
    assert state.rows.noise is not None
    return state.rows.value > state.rows.noise


def _notes(made: Plan, state: State, answers: tuple[Answer, ...]) -> Iterator[str]:
    step = state.step
    if step is None:
        yield "later queries did not tell this group: what is here is where the fit starts"
        return
    eps = sum(float(answer.explanation.cost.eps) for answer in answers)
    two = [term.two for term in made.columns.terms]
    needed = notes.enough(step.at, np.eye(made.size), two, eps) / step.slope
    yield from notes.hidden(step.hidden, made.names, state.rows, needed, eps)
    if not _counted(state):
        yield NO_SAMPLING
    if not step.hidden and step.moved > STILL_MOVING * max(step.usual, 0.01):
        yield (
            f"the last step still moved predictions by about {step.moved:.2g} before they are "
            "turned into means: the fit has not ended; more steps, or a ridge, would do"
        )
