"""What tree is wanted: names of columns, and public numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.models.wanted import Specification, check_names, check_whole, names
from dpsql.types import Scalar

if TYPE_CHECKING:
    from dpsql.models.trees.fitted import Tree

    _Base = Specification[Tree]
else:
    _Base = Specification

MOST_DEPTH, MOST_BINS, MOST_CLASSES = 8, 64, 50


@dataclass(frozen=True, slots=True)
class DecisionTree(_Base):
    """Questions one after the other, each of one feature, to be fitted by `Database.fit`.

    Attributes:
        target: what leaves say: the most frequent class, where it is a truth, a text, or has
            `classes`; else the mean of a number with bounds.
        features: what is asked about. A number needs bounds: it is compared with one of the edges
            of its bins. A text needs declared values: it is compared with one of them.
        depth: how many questions one after the other, at most: so many queries, and one more.
        bins: into how many even parts the bounds of a number are cut; whole numbers of which there
            are no more than that each have a bin of their own.
        categorical: which features, or the target, are texts, though they are numbers.
        classes: the values of the target, where they are not declared; other rows do not count.

    Raises:
        InvalidArgument: names that are none, or twice; numbers out of range.
    """

    target: str
    features: tuple[str, ...]
    depth: int = 3
    bins: int = 16
    categorical: tuple[str, ...] = ()
    classes: tuple[Scalar, ...] | None = None

    def __init__(
        self,
        target: str,
        features: Sequence[str],
        *,
        depth: int = 3,
        bins: int = 16,
        categorical: Sequence[str] = (),
        classes: Sequence[Scalar] | None = None,
    ) -> None:
        given = (target, names(features), depth, bins, names(categorical), _classes(classes))
        for field, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, field.name, value)
        used = (self.target, *self.features)
        check_names(used, self.features)
        check_names(used, used, self.categorical)
        check_whole("depth", depth, 1, MOST_DEPTH)
        check_whole("bins", bins, 2, MOST_BINS)

    @property
    def by(self) -> tuple[str, ...]:  # type: ignore[override]
        """None: a tree finds its groups itself."""
        return ()


def _classes(given: Sequence[Scalar] | None) -> tuple[Scalar, ...] | None:
    if given is None:
        return None
    usual = not isinstance(given, str) and isinstance(given, Sequence)
    if not (usual and all(isinstance(value, bool | int | str) for value in given)):
        raise InvalidArgument("classes are a list of whole numbers, of texts, or of truths")
    if not 2 <= len(set(given)) == len(given) <= MOST_CLASSES:
        raise InvalidArgument(f"classes are 2 to {MOST_CLASSES} different values")
    return tuple(given)
