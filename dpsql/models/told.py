"""A model as a document, which is drawn as text and as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said
from dpsql.report.explanation.sentences import ledger as said
from dpsql.report.figures import figure, marked

if TYPE_CHECKING:
    from dpsql.models.before import FitExplanation
    from dpsql.models.fitted import Estimate, LinearModel, LinearModels
    from dpsql.models.scoring import Score

HEADS = (
    ColumnHead("coefficient", number=True),
    ColumnHead("sampling", number=True),
    ColumnHead("from", number=True),
    ColumnHead("to", number=True),
)


def model(found: LinearModel) -> Document:
    """One model."""
    rows = [("intercept", found.intercept)] if found.intercept is not None else []
    rows += list(found.coefficients.items())
    table = Listing(
        (ColumnHead("term"), *HEADS), tuple((name, *_cells(made)) for name, made in rows)
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
            rows.append((name, term, *_cells(made)))
        notes += [Said(f"{name}: {_quality(one)}")]
        notes += [Said(f"{name}: {note}", aside=True) for note in one.notes]
    heads = (ColumnHead(", ".join(found.model.by)), ColumnHead("term"), *HEADS)
    last = Said(f"({len(found.groups)} models, {found.cost})")
    return Document(
        f"Linear models of {found.model.target}", (Listing(heads, tuple(rows)), *notes, last)
    )


def before(found: FitExplanation) -> Document:
    """What is known before a row is read."""
    heads = ("sum", "one unit moves it by", "noise, 95 %")
    rows = tuple(
        (one.name, figure(one.sensitivity), f"± {figure(one.noise)}") for one in found.statistics
    )
    table = Listing((heads[0], *(ColumnHead(head, number=True) for head in heads[1:])), rows)
    parts: list[Said | Listing] = [
        Said(f"a linear model of {found.model.target}: {len(rows)} sums, {found.cost}"),
        table,
    ]
    for note in found.notes:
        parts.append(Said(note))
    if found.expected:
        each = tuple((term, f"± {figure(half)}") for term, half in found.expected.items())
        parts.append(Listing(("term", ColumnHead("noise, 95 %", number=True)), each))
    ledger = found.explanation.ledger
    if ledger is not None:
        parts.append(Said(said(ledger, "model", "models")))
    return Document(f"A linear model of {found.model.target}", tuple(parts))


def score(found: Score) -> Document:
    """How good a model is."""
    made = (("R²", found.r2), ("RMSE", found.rmse))
    parts = [f"rows {_shown(found.rows)}"]
    parts += [f"{n} {'lost in noise' if e is None else _shown(e)}" for n, e in made]
    return Document("A score", (Said(f"{', '.join(parts)} ({found.cost})"),))


def _cells(made: Estimate | None) -> tuple[Cell | str, ...]:
    assert made is not None
    wide = made.both if made.both is not None else made.noise
    sampling = "?" if made.sampling is None else f"± {_rounded(made.sampling, made.sampling)}"
    ends = ["?" if end is None else _rounded(end, wide) for end in (made.low, made.high)]
    return (Cell(made.value, made.noise, noisy=True), sampling, *ends)


def _rounded(value: float, width: float | None) -> str:
    """A number to the place to which its half-width is shown."""
    return marked(value, width, False)[0]


def _quality(found: LinearModel) -> str:
    parts = [f"rows {_shown(found.rows)}"]
    for name, made in (("R²", found.r2), ("RMSE", found.rmse)):
        parts.append(f"{name} {'lost in noise' if made is None else _shown(made)}")
    return ", ".join(parts)


def _shown(made: Estimate) -> str:
    return "".join(marked(made.value, made.noise, True))


def _target(found: LinearModel) -> str:
    return f"{found.model.target}, {found.cost}"
