"""Parameters with their errors, and what every fitted model is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpsql.core.account.amount import ZERO
from dpsql.errors import InvalidArgument
from dpsql.report.figures import QueryCost
from dpsql.report.forms import Documented, Plain, plain
from dpsql.report.result import Answer
from dpsql.types import Scalar

S = TypeVar("S", covariant=True)


@dataclass(frozen=True, slots=True)
class Estimate(Plain):
    """A number with its errors, in its own unit.

    Attributes:
        value: with noise.
        noise: the 95 % half-width of the noise: how far it is from the number that the same rows
            give without noise; None where it is not known.
        sampling: that of the sampling error: how far that number is from the one of all that the
            rows were drawn from; None where it is not known.
    """

    value: float
    noise: float | None
    sampling: float | None = None

    @property
    def low(self) -> float | None:
        """The lower end of the 95 % interval for both errors."""
        return None if self.both is None else self.value - self.both

    @property
    def high(self) -> float | None:
        """The upper end of the 95 % interval for both errors."""
        return None if self.both is None else self.value + self.both

    @property
    def both(self) -> float | None:
        """The half-width for both: they are independent, so their squares add up."""
        if self.noise is None or self.sampling is None:
            return None
        return float(np.hypot(self.noise, self.sampling))


class Fitted(Documented):
    """What is made of answers, which are no part of its plain data."""

    __slots__ = ()

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        every = [f.name for f in fields(self)]  # type: ignore[arg-type]
        named = [name for name in every if name[0] != "_" and not name.startswith("answer")]
        return {name: plain(_keyed(getattr(self, name))) for name in named}

    def __repr__(self) -> str:
        return str(self)


class Scored(Fitted, Generic[S]):
    """What can be scored; S is what `Database.score` gives for it."""

    __slots__ = ()


def together(answers: Sequence[Answer]) -> QueryCost:
    """What several answers cost, that were asked for one after the other."""
    return QueryCost(sum((answer.cost.exact for answer in answers), ZERO))


def column_of(frame: Any, name: str) -> NDArray[Any]:
    """A column of a frame, or of a mapping.

    Raises:
        InvalidArgument: it has none.
    """
    try:
        return np.asarray(frame[name])
    except (KeyError, IndexError, TypeError, ValueError):
        pass
    raise InvalidArgument(f"the rows have no column {name}")


def where(values: NDArray[Any], value: Scalar | None) -> NDArray[np.bool_]:
    """In which rows a column has a value. A day is compared with moments as their midnight; what
    cannot say whether it is equal, such as pandas' NA, is not.
    """
    if values.dtype.kind == "M" and isinstance(value, date):
        return np.asarray(values == np.datetime64(value), dtype=bool)
    if values.dtype.kind == "O":
        equal = (one == value for one in values)
        told = (isinstance(one, bool | np.bool_) and bool(one) for one in equal)
        return np.fromiter(told, bool, len(values))
    return np.asarray(values == value, dtype=bool)


def numbers_of(frame: Any, name: str) -> NDArray[np.float64]:
    """A column of numbers of a frame, or of a mapping; what is missing is NaN.

    Raises:
        InvalidArgument: it has none, or some of its values are no numbers.
    """
    values = column_of(frame, name)
    with suppress(ValueError, TypeError):
        return values.astype(np.float64)
    raise InvalidArgument(f"the column {name} has values that are no numbers")


def _keyed(value: object) -> object:
    """A key as plain data has it."""
    usual = str | int | float | Plain | None
    if isinstance(value, tuple):
        return [part if isinstance(part, usual | Plain) else str(part) for part in value]
    if isinstance(value, Mapping):
        return {", ".join(map(str, k)) if isinstance(k, tuple) else k: v for k, v in value.items()}
    return value
