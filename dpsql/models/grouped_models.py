"""Models of which each is of a group of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpsql.models.estimates import Estimate, Scored, column_of, where
from dpsql.models.literals import constant, quoted
from dpsql.models.wanted import Specification

Array = NDArray[np.float64]


class _Model(Protocol):
    """A model of one group."""

    @property
    def coefficients(self) -> Mapping[str, Estimate]:
        """By term."""

    def to_sql(self) -> str:
        """What is expected of a row."""

    def predict(self, frame: Any) -> Array:
        """The same of the rows of a frame."""


M = TypeVar("M", bound=_Model, covariant=True)
Q = TypeVar("Q", covariant=True)


class Groups(Scored[Q], Generic[M, Q]):
    """A model for each group.

    Attributes:
        model: what was wanted.
        groups: the models, by their keys: tuples of the values of `by`.
    """

    __slots__ = ()
    model: Specification[object]
    groups: Mapping[tuple[Any, ...], M]

    def __len__(self) -> int:
        return len(self.groups)

    def __iter__(self) -> Iterator[M]:
        return iter(self.groups.values())

    def __getitem__(self, key: object) -> M:
        """The model of a group: by its value, or by a tuple of several.

        Raises:
            KeyError: there is no such group.
        """
        return self.groups[key if isinstance(key, tuple) else (key,)]

    @property
    def _named(self) -> list[tuple[str, Mapping[str, Estimate]]]:
        """The coefficients of each group, by its name."""
        return [(", ".join(map(str, key)), one.coefficients) for key, one in self.groups.items()]

    def to_sql(self) -> str:
        """What is expected of each row by its own group, as an expression of plain SQL; NULL for
        rows of others.
        """
        parts = []
        for key, found in self.groups.items():
            if any(value is None for value in key):
                continue
            pairs = zip(self.model.by, key, strict=True)
            own = " AND ".join(f"{quoted(name)} = {constant(value)}" for name, value in pairs)
            parts.append(f"WHEN {own} THEN {found.to_sql()}")
        return f"CASE {' '.join(parts)} END" if parts else "CAST(NULL AS DOUBLE)"

    def predict(self, frame: Any) -> Array:
        """What is expected of the rows of a frame; NaN for groups that are none.

        Raises:
            InvalidArgument: a column is missing.
        """
        keys = [column_of(frame, name) for name in self.model.by]
        made = np.full(len(keys[0]), np.nan)
        for key, found in self.groups.items():
            rows = np.logical_and.reduce([where(c, v) for c, v in zip(keys, key, strict=True)])
            made[rows] = found.predict(frame)[rows]
        return made
