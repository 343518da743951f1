"""Clusters as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.models.documents import shown
from dpsql.report.document import Cell, ColumnHead, Document, Listing, Said

if TYPE_CHECKING:
    from dpsql.models.clusters.fitted import KMeansModel
    from dpsql.models.clusters.scoring import ClusterScore


def model(found: KMeansModel) -> Document:
    """All clusters: a row each."""
    names = list(found.clusters[0].centre)
    heads = tuple(ColumnHead(name, number=True) for name in ("rows", *names))
    rows: list[tuple[Cell | str, ...]] = []
    for one in found.clusters:
        every = (one.size, *one.centre.values())
        cells = [Cell(made.value, made.noise, noisy=True) for made in every]
        rows.append((f"{one.number}", *cells))
    inertia = "lost in noise" if found.inertia is None else shown(found.inertia)
    parts = [Listing((ColumnHead("cluster"), *heads), tuple(rows))]
    said = [Said(f"inertia {inertia}, with each range as [−1, 1]")]
    said += [Said(note, aside=True) for note in found.notes]
    said.append(Said(f"({found.cost}; ± is noise)"))
    return Document(f"Clusters by {', '.join(found.model.features)}", (*parts, *said))


def score(found: ClusterScore) -> Document:
    """How near rows are to centres."""
    made = "lost in noise" if found.distance is None else shown(found.distance)
    rows = shown(found.rows)
    return Document("A score", (Said(f"rows {rows}, mean squared distance {made} ({found.cost})"),))
