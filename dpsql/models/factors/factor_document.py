"""Fitted factors as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said

if TYPE_CHECKING:
    from dpsql.models.factors.fitted import FactorModel

NO_HALVES = (
    "± is noise; factors have none, since they may be turned together, and the noise of earlier "
    "rounds is in them: seen is which part of what varies is not the noise of the last one"
)
SHOWN = 20
"""So many items are shown: those with the most ratings."""


def model(found: FactorModel) -> Document:
    """One model."""
    middle = float(found._columns.target.centre)
    most = sorted(range(len(found.items)), key=lambda place: -found.ratings[place])[:SHOWN]
    rows: list[tuple[Cell | str, ...]] = []
    for place in most:
        made = [f"{found.biases[place] + middle:.2f}"]
        made += [f"{value:.2f}" for value in found.factors[place]]
        made += [f"{found.seen[place]:.0%}"]
        count = Cell(float(found.ratings[place]), found.noise, noisy=True)
        rows.append((str(found.items[place]), count, *made))
    names = ["ratings", "bias", *(f"factor {i + 1}" for i in range(found.model.rank)), "seen"]
    heads = (ColumnHead(found.model.item), *(ColumnHead(name, number=True) for name in names))
    left = len(found.items) - len(most)
    parts: list[Said | Listing] = [Listing(heads, tuple(rows))]
    parts += [Said(f"and {left} items with fewer ratings")] if left else []
    parts += [Said(note, aside=True) for note in found.notes]
    parts.append(
        Said(f"({found.model.rating} of {len(found.items)} items, {found.cost}; {NO_HALVES})")
    )
    return Document(f"Factors of {found.model.item}", tuple(parts))
