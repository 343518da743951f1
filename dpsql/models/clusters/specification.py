"""What clusters are wanted: names of columns, and public numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from dpsql.models.wanted import Specification, check_names, check_whole, names

if TYPE_CHECKING:
    from dpsql.models.clusters.fitted import KMeansModel

    _Base = Specification[KMeansModel]
else:
    _Base = Specification

MOST_CLUSTERS = 20
MOST_STEPS = 10


@dataclass(frozen=True, slots=True)
class KMeans(_Base):
    """Clusters of rows around centres, to be fitted by `Database.fit`.

    How near rows are is measured with each feature's range as [−1, 1]: narrow bounds make a feature
    count more.

    Attributes:
        features: the columns. Numbers need bounds, texts declared values: each value but the first
            gets a term of its own, which is at one end in its rows and at the other in others; so
            does a truth.
        clusters: how many.
        categorical: which features are texts, though they are numbers.
        steps: how many of Lloyd's steps are asked for. None for the usual: 1 after a grid; 2 where
            there are too many features for one.

    Raises:
        InvalidArgument: names that are none, or twice; numbers that are none.
    """

    features: tuple[str, ...]
    clusters: int = 4
    categorical: tuple[str, ...] = ()
    steps: int | None = None
    by: tuple[str, ...] = ()

    def __init__(
        self,
        features: Sequence[str],
        clusters: int = 4,
        *,
        categorical: Sequence[str] = (),
        steps: int | None = None,
    ) -> None:
        given = (names(features), clusters, names(categorical), steps, ())
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)
        check_names(self.features, self.features, self.categorical)
        check_whole("clusters", clusters, 2, MOST_CLUSTERS)
        if steps is not None:
            check_whole("steps", steps, 1, MOST_STEPS)
