"""Fitted clusters: noisy centres, and what can be made of them anywhere, at no cost."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpsql.models.clusters import cluster_document
from dpsql.models.clusters.onnx_graph import onnx_graph
from dpsql.models.clusters.specification import KMeans
from dpsql.models.columns import Columns
from dpsql.models.estimate_picture import picture
from dpsql.models.estimates import Estimate, Scored, together
from dpsql.models.predictor import Predictor
from dpsql.report.document import Document
from dpsql.report.figures import QueryCost
from dpsql.report.forms import Plain
from dpsql.report.pictures import written
from dpsql.report.result import Answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from onnx import ModelProto
    from sklearn.pipeline import Pipeline

    from dpsql.models.clusters.scoring import ClusterScore

    _Base = Scored[ClusterScore]
else:
    _Base = Scored


@dataclass(frozen=True, slots=True)
class Cluster(Plain):
    """Rows that are nearest to a centre.

    Attributes:
        number: of it, from 0; what `predict` gives.
        centre: where it is, of each term in the column's unit: of a value of a text, its share.
            Its noise is that of the last step, and None where that was lost in noise.
        size: how many rows; negative where noise makes it so.
    """

    number: int
    centre: Mapping[str, Estimate]
    size: Estimate


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KMeansModel(_Base):
    """Clusters with noisy centres.

    Attributes:
        model: what was wanted.
        clusters: the largest first, as the grid has them.
        inertia: the sum over rows of the square of the distance to the nearest centre, with each
            feature's range as [−1, 1]; None where noise leaves nothing of it. The rows are in the
            clusters of the step before, and none counts as further off than any cell that is seen.
        notes: what is to be known of it.
        answers: of the queries that it is made of.
    """

    model: KMeans
    clusters: tuple[Cluster, ...]
    inertia: Estimate | None
    notes: tuple[str, ...]
    answers: tuple[Answer, ...] = field(compare=False)
    _columns: Columns = field(compare=False)
    _centres: NDArray[np.float64] = field(compare=False)
    _furthest: float = field(compare=False)

    def __len__(self) -> int:
        return len(self.clusters)

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self.clusters)

    def __getitem__(self, number: int) -> Cluster:
        return self.clusters[number]

    @property
    def centres(self) -> tuple[dict[str, float], ...]:
        """Where they are, by term."""
        return tuple({k: v.value for k, v in one.centre.items()} for one in self.clusters)

    @property
    def cost(self) -> QueryCost:
        """What the ledger was charged, for all queries together."""
        return together(self.answers)

    def to_sql(self) -> str:
        """The cluster's number as an expression of plain SQL over the columns: NULL where a column
        is NULL, or has a value that is not declared.
        """
        scores = [one.sql() for one in self._scores]
        cases = " ".join(f"WHEN {score} THEN {number}" for number, score in enumerate(scores))
        return f"CASE GREATEST({', '.join(scores)}) {cases} END"

    def predict(self, frame: Any) -> NDArray[np.int64]:
        """The clusters' numbers for the rows of a frame, or of a mapping of columns; −1 for rows
        that have none.

        Raises:
            InvalidArgument: a column is missing.
        """
        scores = np.column_stack([one.values(frame) for one in self._scores])
        return np.where(np.isnan(scores).any(axis=1), -1, scores.argmax(axis=1))

    @property
    def _scores(self) -> list[Predictor]:
        """c·z − |c|²/2 of each: the nearest centre has the largest."""
        terms = self._columns.terms
        halves = np.array([float(term.half) for term in terms])
        middles = np.array([float(term.centre) for term in terms])
        made = []
        for centre in self._centres:
            slopes = centre / halves
            names = (term.name for term in terms)
            found = dict(zip(names, slopes.tolist(), strict=True))
            made.append(
                Predictor(self._columns, float(-slopes @ middles - centre @ centre / 2), found)
            )
        return made

    def to_sklearn(self) -> Pipeline:
        """A scikit-learn Pipeline of a MinMaxScaler to [−1, 1] and a KMeans with these centres; its
        features are the terms, in the columns' units.

        Raises:
            ImportError: scikit-learn is missing (`pip install scikit-learn`).
        """
        from sklearn.cluster import KMeans as OfSklearn
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler

        terms = self._columns.terms
        ends = [
            [float(t.centre - t.half) for t in terms],
            [float(t.centre + t.half) for t in terms],
        ]
        scale = MinMaxScaler((-1, 1)).fit(np.array(ends))
        made = OfSklearn(len(self), init=self._centres, n_init=1, max_iter=1).fit(self._centres)
        made.cluster_centers_ = self._centres.copy()
        scale.feature_names_in_ = np.array([term.name for term in terms], dtype=object)
        return make_pipeline(scale, made)

    def to_onnx(self) -> ModelProto:
        """The same as an ONNX model: its input is a matrix of the terms, in the columns' units, its
        output `cluster`, the cluster's number; -1 of a row with NaN.

        Raises:
            ImportError: onnx is missing (`pip install onnx`).
        """
        return onnx_graph([term.name for term in self._columns.terms], self._scores)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: where the centres are, a panel for each term; without a bar where noise hides
        how far one is off.

        Args, Raises: see `LinearModel.plot`.
        """
        rows = [(f"cluster {one.number}", one.centre) for one in self.clusters]
        title = f"Clusters by {', '.join(self.model.features)}"
        return written(picture(rows, title, "centre"), path)

    def _document(self) -> Document:
        return cluster_document.model(self)
