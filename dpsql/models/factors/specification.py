"""What matrix factorisation is wanted: names of columns, and public numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from dpsql.errors import InvalidArgument
from dpsql.models.wanted import Specification, check_amount, check_names, check_whole
from dpsql.types import Scalar

if TYPE_CHECKING:
    from dpsql.models.factors.fitted import FactorModel

    _Base = Specification[FactorModel]
else:
    _Base = Specification


@dataclass(frozen=True, slots=True)
class MatrixFactorization(_Base):
    """rating ≈ bias of the item + user's factors · item's factors, to be fitted by `Database.fit`.

    Attributes:
        user: the column of who rates; it is the policy's unit, or leads to it.
        item: the column of what is rated: whole numbers, texts or dates.
        rating: a number with bounds, or a truth.
        rank: how many factors, 1 to 3.
        rounds: how often users' and items' factors are found in turn after a first look, 1 to 10.
        ridge: how many ratings that say nothing stand beside a user's own, above 0: the penalty on
            their factors, where the mean square of the items' is 1.
        reach: how large a user's factor is at most where items' are found, as a part of half the
            distance of the rating's bounds, above 0 and up to 1. Less is less noise.
        levels: ratings are rounded to so many values, evenly from the least to the greatest, 2 to
            20: such as 5 for stars from 1 to 5. Fewer are less noise.
        items: which items there are: a public query of one column, or a list; None for the values
            that the column is declared to have.

    Raises:
        InvalidArgument: names that are none, or twice; numbers that are none, or out of range.
    """

    user: str
    item: str
    rating: str
    rank: int = 2
    rounds: int = 2
    ridge: float = 3.0
    reach: float = 0.15
    levels: int = 5
    items: str | tuple[Scalar, ...] | None = None
    features: tuple[str, ...] = field(init=False, repr=False, default=())
    by: tuple[str, ...] = field(init=False, repr=False, default=())
    categorical: tuple[str, ...] = field(init=False, repr=False, default=())

    def __init__(
        self,
        user: str,
        item: str,
        rating: str,
        *,
        rank: int = 2,
        rounds: int = 2,
        ridge: float = 3.0,
        reach: float = 0.15,
        levels: int = 5,
        items: str | Sequence[Scalar] | None = None,
    ) -> None:
        listed = items if items is None or isinstance(items, str) else tuple(items)
        given = (
            user,
            item,
            rating,
            rank,
            rounds,
            ridge,
            reach,
            levels,
            listed,
            (),
            (user, item),
            (),
        )
        for one, value in zip(fields(self), given, strict=True):
            object.__setattr__(self, one.name, value)
        self._check()

    def _check(self) -> None:
        check_names((self.user, self.item, self.rating), (self.rating,))
        check_whole("rank", self.rank, 1, 3)
        check_whole("rounds", self.rounds, 1, 10)
        check_whole("levels", self.levels, 2, 20)
        check_amount("ridge", self.ridge)
        check_amount("reach", self.reach)
        if self.ridge < 1e-3:
            raise InvalidArgument("ridge is at least 0.001: users with few ratings need one")
        if not 0.01 <= self.reach <= 1:
            raise InvalidArgument("reach is a part of the rating's range, from 0.01 to 1")
