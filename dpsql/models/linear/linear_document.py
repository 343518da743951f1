"""A linear model as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.models.documents import Group, regression, regressions, shown
from dpsql.models.estimates import Estimate
from dpsql.report.document import Document, Said

if TYPE_CHECKING:
    from dpsql.models.linear.fitted import LinearModel, LinearModels
    from dpsql.models.linear.scoring import Score


def model(found: LinearModel) -> Document:
    """One model."""
    target = found.model.target
    last = f"{target}, {found.cost}"
    title = f"A linear model of {target}"
    return regression(title, _terms(found), _quality(found), found.notes, last)


def models(found: LinearModels) -> Document:
    """One for each group."""
    groups = [
        Group(", ".join(map(str, key)), _terms(one), _quality(one), one.notes)
        for key, one in found.groups.items()
    ]
    title = f"Linear models of {found.model.target}"
    return regressions(title, found.model.by, groups, found.cost)


def score(found: Score) -> Document:
    """How good a model is."""
    made = (("R²", found.r2), ("RMSE", found.rmse))
    parts = [f"rows {shown(found.rows)}"]
    parts += [f"{n} {'lost in noise' if e is None else shown(e)}" for n, e in made]
    return Document("A score", (Said(f"{', '.join(parts)} ({found.cost})"),))


def _quality(found: LinearModel) -> str:
    parts = [f"rows {shown(found.rows)}"]
    for name, made in (("R²", found.r2), ("RMSE", found.rmse)):
        parts.append(f"{name} {'lost in noise' if made is None else shown(made)}")
    return ", ".join(parts)


def _terms(found: LinearModel) -> list[tuple[str, Estimate]]:
    first = [("intercept", found.intercept)] if found.intercept is not None else []
    return [*first, *found.coefficients.items()]
