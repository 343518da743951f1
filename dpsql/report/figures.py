"""Numbers and other values as text, for people: rounded, on one line, and not endless.

A noisy value is rounded by its half-width, after the usual rule of measurement (two significant
digits of the half-width, the value to the same place; GUM 7.2.6), but never left of the decimal
point: 12,345 ± 218 stays, since zeros there would look like digits that were measured. The data are
never rounded.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from dpsql.core.account.amount import Cost
from dpsql.visible import one_line

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


LONGEST = 1000
"""Characters of a value that a table shows: more than anybody reads, and a table of a thousand rows
stays below a few megabytes, however long one value is."""

ABOUT = "≈ "
"""Before a value that may hold noise of which no half-width is known."""

_SMALLEST = 12
"""Decimal places at most; beyond, numbers have an exponent."""


def marked(value: object, width: float | None, noisy: bool) -> tuple[str, str]:
    """A value and its half-width; the value marked where there may be noise that none tells."""
    text, reach = cell(value, width)
    if noisy and width == 0 and value is not None:
        # There is noise, and with that probability it is none.
        return (f"{value:,}" if isinstance(value, int) else text), " ± 0"
    about = noisy and width is None and value is not None
    return (ABOUT + text if about else text), reach


def cell(value: object, width: float | None) -> tuple[str, str]:
    """A value and its half-width (" ± 3", or "") as text; a noisy number is rounded for show."""
    if value is None:
        return "NULL", ""
    if isinstance(value, bool):
        return ("true" if value else "false"), ""
    if isinstance(value, datetime | time | timedelta) and width:
        return _moment(value, width)
    if not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        return str(value), ""
    if not width:
        return (f"{value:g}" if isinstance(value, float) else str(value)), ""
    # Two significant digits of the half-width, once rounded, are worth showing.
    places = max(0, 1 - int(f"{width:.1e}".partition("e")[2]))
    if isinstance(value, int):
        whole = places > _SMALLEST or width == int(width)
        return f"{value:,}", f" ± {width:,.0f}" if whole else f" ± {width:,.{places}f}"
    if places > _SMALLEST:
        return f"{value:.12g}", f" ± {width:.2g}"
    return f"{value:,.{places}f}", f" ± {width:,.{places}f}"


def _moment(value: datetime | time | timedelta, width: float) -> tuple[str, str]:
    """The same of a moment, a time of day or a time that passed; the half-width is in seconds."""
    places = min(max(0, 1 - int(f"{width:.1e}".partition("e")[2])), 6)
    step = 10 ** (6 - places)
    if isinstance(value, timedelta):
        value -= timedelta(microseconds=value.microseconds % step)
    else:
        value = value.replace(microsecond=value.microsecond // step * step)
    return str(value), f" ± {timedelta(seconds=round(width, places))}"


def shortened(text: str, most: int = LONGEST) -> str:
    """`text` on one line, of at most so many characters; what is cut off is said by "…"."""
    line = one_line(text[: most + 1])
    return line if len(line) <= most and len(text) <= most else line[: most - 1] + "…"
