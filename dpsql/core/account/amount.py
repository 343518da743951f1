"""Exact amounts of privacy: what a caller's ε and δ mean, and how they add up.

Every amount is a `Fraction`. A float is read as the decimal that Python prints for it, so that
``0.1`` is one tenth and ten of them are one; its binary value is never used. What is not a usable
number is `InvalidBudget`, whose message says what is wrong and can be extended by what is left.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from numbers import Integral

from dpsql.errors import InvalidBudget

MIN_EPS = Fraction(1, 10**9)
"""The least ε of one query. Below it the noise would leave the range of the mechanisms."""

MAX_EPS = Fraction(10**6)
"""The greatest ε of one query, read at each call: tests that want no noise patch it to 10⁹."""

MIN_DELTA = Fraction(1, 10**60)
"""The least δ that is not 0."""

MAX_DENOMINATOR = 10**90
"""No ε or δ that means anything needs more; a longer one would only slow the ledger down."""

MAX_CHARACTERS = 200
"""A longer text is no amount; so none is slow to read."""

UNIT = Fraction(1, 10**60 * lcm(*range(1, 101)))
"""The ledger's grid. Decimals of up to 60 places, and p/q with q ≤ 100, are exactly on it."""


def read(text: str, name: str = "number") -> Decimal | Fraction:
    """An amount as people write it, such as 0.5, 1e-6 or 1/3: exactly, and shown as it was written.

    Args:
        text: of a command line, a shell, a file or a comment.
        name: what it is to be, for a message: "ε", "δ".

    Raises:
        InvalidBudget: it is no number. Whether it may be an ε is for `parse_eps` to say.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidBudget(f"{name} has too many digits")
    # Python reads 1_0, too, and digits of other scripts.
    with suppress(ValueError, ArithmeticError):
        if text.isascii() and "_" not in text:
            return Fraction(text) if "/" in text else Decimal(text.strip())
    raise InvalidBudget(f"{text!r} is no {name}; write a number such as 0.5 or 1/3")


def parse_eps(value: object) -> Fraction:
    """The ε that a caller means, exactly.

    Args:
        value: an int, float, Decimal or Fraction in [`MIN_EPS`, `MAX_EPS`]; a float stands for
            the decimal that ``repr`` shows.

    Raises:
        InvalidBudget: NaN, infinite, ≤ 0, too small, too large, a bool, a string, anything else.
    """
    eps = _exact("ε", value)
    if eps <= 0:
        raise InvalidBudget(f"ε must be positive, not {_shown(value)}")
    _within("ε", eps, MIN_EPS, MAX_EPS)
    return eps


def parse_delta(value: object) -> Fraction:
    """The δ that a caller means, exactly; None is 0.

    Args:
        value: None, or an int, float, Decimal or Fraction, 0 or in [`MIN_DELTA`, 1).

    Raises:
        InvalidBudget: NaN, infinite, negative, too small, 1 or more, a bool, a string, anything
            else.
    """
    if value is None:
        return Fraction(0)
    delta = _exact("δ", value)
    if not 0 <= delta < 1:
        raise InvalidBudget(f"δ must be at least 0 and below 1, not {_shown(value)}")
    if delta > 0:
        _within("δ", delta, MIN_DELTA, Fraction(1))
    return delta


def round_up(amount: Fraction) -> Fraction:
    """The least multiple of `UNIT` that is at least `amount`.

    Sums of such multiples keep a bounded denominator, whatever fractions the callers choose.
    """
    if UNIT.denominator % amount.denominator == 0:  # it is one
        return amount
    return Fraction(-(-amount // UNIT)) * UNIT


def round_down(amount: Fraction) -> Fraction:
    """The greatest multiple of `UNIT` that is at most `amount`; 0 where it is below `MIN_DELTA`."""
    found = Fraction(amount // UNIT) * UNIT
    return found if found >= MIN_DELTA else Fraction(0)


def decimal_text(amount: Fraction) -> str:
    """`amount` ≥ 0 as a decimal: ``0.5``, ``1e-6``; cut off after 12 digits with an ellipsis."""
    if amount == 0:
        return "0"
    digits, places = _leading_digits(amount)
    more = "" if digits * Fraction(10) ** -places == amount else "…"
    number = Decimal(digits).scaleb(-places)
    if number.adjusted() < -4 and not more:
        number = number.normalize()
        mantissa = number.scaleb(-number.adjusted())
        return f"{mantissa.normalize():f}e{number.adjusted()}"
    text = f"{number:f}"
    return text + more if more else (text.rstrip("0").rstrip(".") if "." in text else text)


@dataclass(frozen=True, slots=True)
class Cost:
    """What something costs, or what is left: exact, never negative.

    Attributes:
        eps: the ε of pure or approximate differential privacy.
        delta: the δ; sums of many may pass 1, where they promise nothing any more.

    Raises:
        InvalidBudget: a part that is no Fraction (a float carries no privacy) or is negative.
    """

    eps: Fraction
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name, part in (("ε", self.eps), ("δ", self.delta)):
            if type(part) is not Fraction:
                raise InvalidBudget(f"{name} must be exact, not a {type(part).__name__}")
            if part < 0:
                raise InvalidBudget(f"{name} must not be negative")

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.eps + other.eps, self.delta + other.delta)

    def __sub__(self, other: Cost) -> Cost:
        """What is left of this after `other`; never below zero in either part."""
        zero = Fraction(0)
        return Cost(max(zero, self.eps - other.eps), max(zero, self.delta - other.delta))

    def covers(self, other: Cost) -> bool:
        """Whether `other` fits into this, in both parts."""
        return other.eps <= self.eps and other.delta <= self.delta

    def rounded_up(self) -> Cost:
        """The same on the ledger's grid (`UNIT`), never less."""
        return Cost(round_up(self.eps), round_up(self.delta))

    def __str__(self) -> str:
        eps = f"ε = {decimal_text(self.eps)}"
        return f"{eps}, δ = {decimal_text(self.delta)}" if self.delta else eps


ZERO = Cost(Fraction(0))
"""The cost of what is public."""


def _exact(name: str, value: object) -> Fraction:
    """`value` as a fraction, after what would be slow or meaningless to convert is refused."""
    if isinstance(value, bool) or not isinstance(value, Integral | float | Decimal | Fraction):
        raise InvalidBudget(f"{name} must be a number, not a {type(value).__name__}")
    if isinstance(value, Fraction):
        exact = value
    elif isinstance(value, Integral):
        exact = Fraction(int(value))
    else:
        # float.__repr__, since subclasses such as NumPy's print themselves differently.
        number = Decimal(float.__repr__(value)) if isinstance(value, float) else value
        if not number.is_finite():
            raise InvalidBudget(f"{name} must be finite, not {number}")
        # Before it becomes a fraction: Decimal("1e999999999") would fill the memory.
        if number and not (-400 < number.adjusted() < 400 and len(number.as_tuple().digits) <= 90):
            raise InvalidBudget(f"{name} is out of range")
        exact = Fraction(number)
    return exact


def _within(name: str, value: Fraction, least: Fraction, most: Fraction) -> None:
    if value < least:
        raise InvalidBudget(f"{name} is too small; the least is {decimal_text(least)}")
    if value > most:
        raise InvalidBudget(f"{name} is too large; the most is {decimal_text(most)}")
    if value.denominator > MAX_DENOMINATOR:
        raise InvalidBudget(f"{name} has too many digits")


def _shown(value: object) -> str:
    """A short text of a number, for a message."""
    text = str(value) if not isinstance(value, int) or abs(value) < 10**20 else "a huge integer"
    return text if len(text) <= 40 else f"{text[:40]}…"


def _leading_digits(amount: Fraction) -> tuple[int, int]:
    """(digits, places): amount ≈ digits · 10^−places, cut off, exact if 12 digits suffice."""
    whole = amount.numerator // amount.denominator
    if whole:
        places = max(0, 12 - len(str(whole)))
    else:
        # The inverse, rounded up, has as many digits as there are zeros before the first digit.
        zeros = len(str((amount.denominator - 1) // amount.numerator))
        places = zeros + 11
    return int(amount * 10**places), places
