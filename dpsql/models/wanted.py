"""What is wanted of a model: names of columns, and public numbers; and how it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction
from numbers import Real
from typing import Generic, TypeVar

from dpsql.core.account.amount import decimal_text, parse_delta, parse_eps
from dpsql.core.calibrate.options import Amount, Noise, Question, Wishes
from dpsql.errors import InvalidArgument, InvalidBudget

F = TypeVar("F", covariant=True)

FINEST = Fraction(1, 10**9)
"""Shares of an ε are whole multiples of it, rounded down."""


MOST = 1e12
"""No ridge of more than so much leaves anything; and products of it are finite."""


class Specification(Generic[F]):
    """A model that is wanted; F is what `Database.fit` gives for it.

    Attributes:
        features: the columns x.
        by: columns: for each of their values a model is fitted.
        categorical: which features are texts, though they are numbers.
    """

    __slots__ = ()
    features: tuple[str, ...]
    by: tuple[str, ...]
    categorical: tuple[str, ...]


class TooLittle(InvalidBudget):
    """An ε of which the share of a query is none."""


@dataclass(frozen=True, slots=True)
class How:
    """How a model is asked for.

    Attributes:
        eps, delta: of all of it.
        noise: "laplace", "gaussian", or "auto" for the more accurate one.
        fresh: whether new noise is drawn, and paid for, even where a stored answer would do.
    """

    eps: Amount = 1
    delta: Amount = None
    noise: Noise = "auto"
    fresh: bool = False

    @property
    def wishes(self) -> Wishes:
        """Those of each query: bounds are the policy's, or inferred."""
        return {"noise": self.noise, "clipping": "declared"}

    def question(self, sql: str, wishes: Wishes | None = None) -> Question:
        """A query that is asked so; with other wishes, where these are given."""
        return Question(sql, self.eps, self.delta, self.wishes if wishes is None else wishes)

    def shared(self, parts: Sequence[float]) -> tuple[How, ...]:
        """For queries that are asked one after the other, each with its share of ε and δ.

        Claim: together they are within ε and δ. Why: basic composition holds for queries that are
        chosen by what was answered before (Dwork, McSherry, Nissim and Smith 2006), and shares are
        rounded down; what that leaves of ε is added to the first.

        Args:
            parts: how much each gets, in proportion.

        Raises:
            InvalidBudget: an ε or δ that is none.
            TooLittle: a share of it is too small to be one.
        """
        whole = sum(map(Fraction, parts), Fraction(0))
        eps = parse_eps(self.eps)
        given = None if self.delta is None else parse_delta(self.delta)
        shares = [eps * Fraction(part) / whole // FINEST * FINEST for part in parts]
        if not all(shares):
            told = decimal_text(eps)
            raise TooLittle(f"ε = {told} is too small to be shared by {len(parts)} queries")
        shares[0] += eps // FINEST * FINEST - sum(shares)  # what rounding leaves
        made = []
        for part, share in zip(parts, shares, strict=True):
            own = None if given is None else _down(given * Fraction(part) / whole)
            made.append(replace(self, eps=_decimal(share), delta=own))
        return tuple(made)


USUAL = How()


def joined(parts: Sequence[How]) -> How:
    """Several shares as one."""
    first, *others = parts
    for part in others:
        delta = None if first.delta is None else first.delta + part.delta  # type: ignore[operator]
        first = replace(first, eps=first.eps + part.eps, delta=delta)  # type: ignore[operator]
    return first


def names(given: Sequence[str]) -> tuple[str, ...]:
    """Columns that are given as a list.

    Raises:
        InvalidArgument: they are not.
    """
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InvalidArgument("several columns are given as a list of their names")
    return tuple(given)


def check_names(
    used: Sequence[str], features: Sequence[str], categorical: Iterable[str] = ()
) -> None:
    """Refuse names that are none, or twice.

    Args:
        used: all columns, each in its place.
        features: those of them that are features.
        categorical: which features count as texts.

    Raises:
        InvalidArgument: see above.
    """
    if not all(isinstance(name, str) and name for name in (*used, *categorical)):
        raise InvalidArgument("columns are given by their names")
    if not features:
        raise InvalidArgument("a model needs a feature, such as features=['age']")
    low = [name.lower() for name in used]
    twice = next((name for name in used if low.count(name.lower()) > 1), None)
    if twice is not None:
        raise InvalidArgument(f"{twice} is named twice: as target, feature or in by")
    known = {name.lower() for name in features}
    other = next((name for name in categorical if name.lower() not in known), None)
    if other is not None:
        raise InvalidArgument(f"{other} is categorical, but no feature")


def check_whole(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is no whole number in a range.

    Raises:
        InvalidArgument: see above.
    """
    if not (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
        raise InvalidArgument(f"{name} is a whole number from {least} to {most}")


def check_amount(name: str, value: object) -> None:
    """Refuse what is no number from 0 to `MOST`.

    Raises:
        InvalidArgument: see above.
    """
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not (number and 0 <= value <= MOST):  # type: ignore[operator]
        raise InvalidArgument(f"{name} is a number from 0 to {MOST:.0e}")


def _decimal(exact: Fraction) -> Decimal:
    """A multiple of `FINEST` as a number that any client can send."""
    with localcontext(prec=60):  # a caller's own may be of few digits
        return (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal("1e-9"))


def _down(delta: Fraction) -> Decimal:
    """About that δ, in 17 digits, and not more."""
    with localcontext(prec=60):
        exact = Decimal(delta.numerator) / Decimal(delta.denominator)
        if not exact:
            return Decimal(0)
        return exact.quantize(Decimal((0, (1,), exact.adjusted() - 16)), rounding=ROUND_DOWN)
