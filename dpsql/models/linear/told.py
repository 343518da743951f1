"""A linear model as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.models.told import HEADS, cells, shown
from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said

if TYPE_CHECKING:
    from dpsql.models.linear.fitted import LinearModel, LinearModels
    from dpsql.models.linear.scoring import Score


def model(found: LinearModel) -> Document:
    """One model."""
    rows = [("intercept", found.intercept)] if found.intercept is not None else []
    rows += list(found.coefficients.items())
    table = Listing(
        (ColumnHead("term"), *HEADS), tuple((name, *cells(made)) for name, made in rows)
    )
    notes = [Said(note, aside=True) for note in found.notes]
    last = Said(f"({_target(found)}; ± is noise, from and to are for noise and sampling)")
    return Document(
        f"A linear model of {found.model.target}", (table, Said(_quality(found)), *notes, last)
    )


def models(found: LinearModels) -> Document:
    """One for each group."""
    rows: list[tuple[Cell | str, ...]] = []
    notes: list[Said] = []
    for key, one in found.groups.items():
        name = ", ".join(map(str, key))
        terms = [("intercept", one.intercept)] if one.intercept is not None else []
        for term, made in [*terms, *one.coefficients.items()]:
            rows.append((name, term, *cells(made)))
        notes += [Said(f"{name}: {_quality(one)}")]
        notes += [Said(f"{name}: {note}", aside=True) for note in one.notes]
    heads = (ColumnHead(", ".join(found.model.by)), ColumnHead("term"), *HEADS)
    last = Said(f"({len(found.groups)} models, {found.cost})")
    return Document(
        f"Linear models of {found.model.target}", (Listing(heads, tuple(rows)), *notes, last)
    )


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


def _target(found: LinearModel) -> str:
    return f"{found.model.target}, {found.cost}"
