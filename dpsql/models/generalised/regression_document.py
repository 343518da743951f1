"""A logistic or Poisson regression as a document, and how good one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.models.documents import Group, regression, regressions, shown
from dpsql.models.estimates import Estimate
from dpsql.models.generalised.specification import LogisticRegression
from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said

if TYPE_CHECKING:
    from dpsql.models.generalised.fitted import Curved, LogisticModels, PoissonModels
    from dpsql.models.generalised.scoring import LogisticScore


def kind(model: object) -> str:
    """What a model is called."""
    return "logistic" if isinstance(model, LogisticRegression) else "Poisson"


def model(found: Curved) -> Document:
    """One model."""
    target = found.model.target
    title = f"A {kind(found.model)} regression of {target}"
    last = f"{target}, {found.cost}"
    return regression(title, _terms(found), f"rows {shown(found.rows)}", found.notes, last)


def models(found: LogisticModels | PoissonModels) -> Document:
    """One for each group."""
    groups = [
        Group(", ".join(map(str, key)), _terms(one), f"rows {shown(one.rows)}", one.notes)
        for key, one in found.groups.items()
    ]
    title = f"{kind(found.model).capitalize()} regressions of {found.model.target}"
    return regressions(title, found.model.by, groups, found.cost)


def score(found: LogisticScore) -> Document:
    """How good a logistic regression is."""
    parts = [f"rows {shown(found.rows)}"]
    made = (("AUC", found.auc), ("accuracy", found.accuracy), ("Brier score", found.brier))
    parts += [f"{name} {'lost in noise' if e is None else shown(e)}" for name, e in made]
    heads = (ColumnHead("is"), *(ColumnHead(f"guess {guess}", number=True) for guess in (0, 1)))
    rows: tuple[tuple[Cell | str, ...], ...] = tuple(
        (str(truth), *(_cell(found.confusion[truth, guess]) for guess in (0, 1)))
        for truth in (0, 1)
    )
    return Document("A score", (Said(f"{', '.join(parts)} ({found.cost})"), Listing(heads, rows)))


def _cell(made: Estimate) -> Cell:
    return Cell(made.value, made.noise, noisy=True)


def _terms(found: Curved) -> list[tuple[str, Estimate]]:
    return [("intercept", found.intercept), *found.coefficients.items()]
