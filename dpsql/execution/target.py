"""The smallest ε with which a query is as accurate as is wanted, before anything is read.

The half-width of a count, a sum or a weighted sum of them is a function of the noise alone. It
never grows with ε, so the smallest ε is found by bisection: each step compiles the query. What
depends on the data (an average, a ratio, a quantile, a clip that is found when the query is run)
has no such width. Rows that noise selects, by HAVING or by ORDER BY with LIMIT, are shown with
wider half-widths than these, those of all groups that they are selected from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

from dpsql.compile import Compiled, ReleasedQuery
from dpsql.core.account.amount import MAX_EPS, MIN_EPS
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.core.plan.expr import Literal, Ref, columns_of
from dpsql.core.release.formulas import Linear
from dpsql.core.release.trace import slope
from dpsql.errors import InvalidArgument, NotCalibrated
from dpsql.execution.widths import grain, rounded, width
from dpsql.proven import PublicQuery

PRECISION = Fraction(1001, 1000)
"""How near the smallest ε is found: as a factor."""


WHAT = "an error, a confidence and a size"


@dataclass(frozen=True, slots=True)
class Target:
    """What is wanted.

    Attributes:
        error: the half-width that no noisy column may pass; relative to `size` where that is given.
        confidence: of the half-width.
        size: public guesses of the columns' sizes, by name or for all.
    """

    error: float
    confidence: float = 0.95
    size: Mapping[str, float] | float | None = None

    def __post_init__(self) -> None:
        given: list[object] = []
        if self.size is not None:
            given += self.size.values() if isinstance(self.size, Mapping) else [self.size]
        for number in (self.error, self.confidence, *given):
            if isinstance(number, bool) or not isinstance(number, Real):
                kind = type(number).__name__
                raise InvalidArgument(f"{WHAT} are numbers, not a {kind}")
            if not 0 < _float(number) < math.inf:
                raise InvalidArgument(f"{WHAT} must be positive and finite")
        if not 0 < self.confidence < 1:
            raise InvalidArgument("a confidence must be above 0 and below 1, such as 0.95")

    def check(self, columns: tuple[str, ...]) -> None:
        """Raise InvalidArgument where a size is given for what is none of the columns."""
        if isinstance(self.size, Mapping):
            known = {column.lower() for column in columns}
            for name in self.size:
                if name.lower() not in known:
                    message = f"a size is given for {name}, which is no column of the answer"
                    raise InvalidArgument(message)

    def allowed(self, column: str) -> float:
        """The half-width that the column may have."""
        if isinstance(self.size, Mapping):
            sizes = {name.lower(): size for name, size in self.size.items()}
            if column.lower() not in sizes:
                raise InvalidArgument(f"no size is given for {column}")
            return self.error * sizes[column.lower()]
        return self.error * (1 if self.size is None else self.size)


def written(
    error: str, sizes: Sequence[tuple[str, str]]
) -> tuple[float, Mapping[str, float] | float | None]:
    """The error and the sizes of a target, as people write them.

    Args:
        error: "100", or "1%" of the sizes.
        sizes: (column, size), or one with "" for all columns.

    Raises:
        ValueError: what is wrong.
    """
    part = error.endswith("%")
    number = _positive(error.removesuffix("%")) / (100 if part else 1)
    if part and not sizes:
        raise ValueError("a percentage needs a public guess of the size that it is of")
    found = {name: _positive(size) for name, size in sizes}
    if "" in found and len(sizes) > 1:
        raise ValueError("a size is given once for all columns, or for each by its name")
    return number, found.get("", found) if found else None


def _float(number: Real) -> float:
    try:
        return float(number)
    except (OverflowError, ValueError):  # more than a float can be; a signalling NaN
        return math.inf


def _positive(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if 0 < found < math.inf:
        return found
    raise ValueError(f"{text!r} is no error and no size: a number above 0 is")


def smallest(compiled: Callable[[Fraction], Compiled], target: Target) -> Fraction:
    """The least ε, up to a part in a thousand, that meets the target; 0 for a public query.

    Args:
        compiled: the query at an ε.
        target: what is wanted.

    Raises:
        Rejected: what `compiled` raises.
        NotCalibrated: a column whose width depends on the data, or no ε is enough.
        ValueError: a column without a size, or a size without a column.
    """
    first = compiled(Fraction(1))
    if isinstance(first.query, PublicQuery) or not first.query.releases:
        return Fraction(0)
    target.check(first.query.names)

    def meets(eps: Fraction) -> bool:
        found = widths(compiled(eps), target.confidence)
        return all(w <= target.allowed(name) for name, w in found.items())

    high = Fraction(1)
    while not meets(high):
        high *= 2
        if high > MAX_EPS:
            raise NotCalibrated("no ε makes the answer so accurate")
    low = high / 2
    while low >= MIN_EPS and meets(low):
        low, high = low / 2, low
    while high > low * PRECISION:
        middle = (low + high) / 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return max(high, MIN_EPS)


def widths(compiled: Compiled, confidence: float) -> dict[str, float]:
    """The half-width of every noisy column.

    Raises:
        NotCalibrated: a column whose width depends on the data.
    """
    query = compiled.query
    if isinstance(query, PublicQuery):
        return {}
    return {query.names[at]: width_of(query, at, confidence) for at in noisy(query)}


def noisy(query: ReleasedQuery) -> tuple[int, ...]:
    """The places of the noisy columns; where that is not known, of all of them."""
    if query.trace is None:
        return tuple(range(len(query.names)))
    return tuple(sorted(query.trace.noisy))


def width_of(query: ReleasedQuery, position: int, confidence: float) -> float:
    """The half-width of the noisy column at a place.

    Raises:
        NotCalibrated: it depends on the data.
    """
    traced = query.trace
    if traced is None or traced.across:
        raise NotCalibrated(
            "how far the answer is off is not known beforehand: it is computed further from noisy "
            "rows; calibrate the query that makes them"
        )
    (planned,) = query.planned
    release, noises = planned.release, planned.noise
    plain = [n for n in noises if not isinstance(n, AdaptiveLaplace)]
    name, expr = query.names[position], traced.outputs[position]
    weights: dict[int, float] = {}
    for output in release.outputs:
        if output.column.id not in columns_of(expr):
            continue
        rate = slope(expr, output.column.id)
        known = isinstance(rate, Literal) and isinstance(rate.value, int | Fraction)
        if not known or not isinstance(output.formula, Linear) or len(plain) < len(noises):
            raise _unknown(name)
        assert isinstance(rate, Literal) and isinstance(rate.value, int | Fraction)
        for term in output.formula.terms:
            before = weights.get(term.measure, 0.0)
            weights[term.measure] = before + float(rate.value * term.weight)
    half = width(weights, plain, confidence)
    if half is None:
        raise _unknown(name)
    own = [o for o in release.outputs if isinstance(expr, Ref) and o.column == expr.column]
    return rounded(half, grain(own[0])) if own else half


def _unknown(name: str) -> NotCalibrated:
    return NotCalibrated(
        f"how far {name} is off depends on the data; calibrate counts and sums whose bounds are "
        "declared"
    )
