"""Numbers for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from dpsql.core.account.amount import Cost

Number = int | float

_UP = Context(prec=4, rounding=ROUND_CEILING)
_DOWN = Context(prec=4, rounding=ROUND_FLOOR)


@dataclass(frozen=True, slots=True)
class QueryCost:
    """What a query costs.

    Attributes:
        eps, delta: as floats, for reading.
        exact: as fractions, as the ledger charges them.
    """

    exact: Cost

    @property
    def eps(self) -> float:
        """ε."""
        return float(self.exact.eps)

    @property
    def delta(self) -> float:
        """δ."""
        return float(self.exact.delta)

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {"eps": self.eps, "delta": self.delta}

    def __str__(self) -> str:
        return str(self.exact)


def float_up(exact: Fraction) -> float:
    """The least float, or nearly so, that is not below it."""
    found = float(exact)
    return found if Fraction(found) >= exact else math.nextafter(found, math.inf)


def figure(number: Number | None) -> str:
    """A number for reading: four significant digits, and no exponent where it can be helped."""
    if number is None:
        return "?"
    if isinstance(number, int) or abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.4g}"


def most(amount: Fraction) -> str:
    """An amount of privacy of at most this: four significant digits, rounded up."""
    return _shown(amount, _UP)


def least(amount: Fraction) -> str:
    """An amount of privacy of at least this: four significant digits, rounded down."""
    return _shown(amount, _DOWN)


def _shown(amount: Fraction, context: Context) -> str:
    number = context.divide(Decimal(amount.numerator), Decimal(amount.denominator))
    if not number:
        return "0"
    if number.adjusted() < -4:
        mantissa = number.scaleb(-number.adjusted()).normalize()
        return f"{mantissa:f}e{number.adjusted()}"
    return f"{number:,f}".rstrip("0").rstrip(".") if "." in f"{number:f}" else f"{number:,f}"
