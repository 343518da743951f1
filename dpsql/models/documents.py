"""Models as documents, which are drawn as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said
from dpsql.report.explanation.sentences import ledger as said
from dpsql.report.figures import figure, marked

if TYPE_CHECKING:
    from dpsql.models.estimates import Estimate
    from dpsql.models.forecasts import FitExplanation

HEADS = (
    ColumnHead("coefficient", number=True),
    ColumnHead("sampling", number=True),
    ColumnHead("from", number=True),
    ColumnHead("to", number=True),
)


Terms = Sequence[tuple[str, "Estimate"]]


class Group(NamedTuple):
    """A model of several.

    Attributes:
        name: of its group.
        terms: its parameters.
        quality: how good it is, in a line.
        notes: what is to be known of it.
    """

    name: str
    terms: Terms
    quality: str
    notes: Sequence[str]


def regression(title: str, terms: Terms, quality: str, notes: Sequence[str], last: str) -> Document:
    """A model as a table of its parameters."""
    table = Listing(
        (ColumnHead("term"), *HEADS), tuple((name, *cells(made)) for name, made in terms)
    )
    told = [Said(note, aside=True) for note in notes]
    end = Said(f"({last}; ± is noise, from and to are for noise and sampling)")
    return Document(title, (table, Said(quality), *told, end))


def regressions(title: str, by: Sequence[str], groups: Sequence[Group], cost: object) -> Document:
    """One for each group."""
    rows: list[tuple[Cell | str, ...]] = []
    told: list[Said] = []
    for one in groups:
        rows += [(one.name, term, *cells(made)) for term, made in one.terms]
        told.append(Said(f"{one.name}: {one.quality}"))
        told += [Said(f"{one.name}: {note}", aside=True) for note in one.notes]
    heads = (ColumnHead(", ".join(by)), ColumnHead("term"), *HEADS)
    last = Said(f"({len(groups)} models, {cost})")
    return Document(title, (Listing(heads, tuple(rows)), *told, last))


def before(found: FitExplanation) -> Document:
    """What is known before a row is read."""
    parts: list[Said | Listing] = []
    for step in found.steps:
        many = f"{len(step.statistics)} sums"
        if len(found.steps) > 1 or step.times > 1:
            often = "once" if step.times == 1 else f"{step.times} times"
            parts.append(Said(f"{step.name}, {often}: {many}, {step.explanation.cost} each"))
        rows = tuple(
            (one.name, figure(one.sensitivity), f"± {figure(one.noise)}") for one in step.statistics
        )
        heads = ("one unit moves it by", "noise, 95 %")
        wide = tuple(ColumnHead(head, number=True) for head in heads)
        parts.append(Listing(("sum", *wide), rows))
    several = f"{sum(step.times for step in found.steps)} queries"
    parts.insert(0, Said(f"{found.title}: {several if len(parts) > 1 else many}, {found.cost}"))
    for note in found.notes:
        parts.append(Said(note))
    if found.expected:
        each = tuple((term, f"± {figure(half)}") for term, half in found.expected.items())
        parts.append(Listing(("term", ColumnHead("noise, 95 %", number=True)), each))
    ledger = found.explanation.ledger
    if ledger is not None and sum(step.times for step in found.steps) == 1:
        parts.append(Said(said(ledger, "model", "models")))
    return Document(found.title[0].upper() + found.title[1:], tuple(parts))


def cells(made: Estimate | None) -> tuple[Cell | str, ...]:
    """A parameter under `HEADS`."""
    assert made is not None
    wide = made.both if made.both is not None else made.noise
    sampling = "?" if made.sampling is None else f"± {_rounded(made.sampling, made.sampling)}"
    ends = ["?" if end is None else _rounded(end, wide) for end in (made.low, made.high)]
    return (Cell(made.value, made.noise, noisy=True), sampling, *ends)


def _rounded(value: float, width: float | None) -> str:
    """A number to the place to which its half-width is shown."""
    return marked(value, width, False)[0]


def shown(made: Estimate) -> str:
    """A number with its ±."""
    return "".join(marked(made.value, made.noise, True))
