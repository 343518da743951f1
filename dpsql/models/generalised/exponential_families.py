"""What is expected of y for a row's η = b₀ + Σ b·x, and how steep that is: of two families.

With canonical links the gradient of the log likelihood is Σ (y − μ(η))·x, and minus its second
derivative Σ μ'(η)·x·xᵀ (McCullagh and Nelder 1989, section 2.5). Both are sums of bounded numbers:
μ is clamped in the SQL to where y can be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpsql.errors import InvalidArgument
from dpsql.models.literals import double
from dpsql.models.terms import Term

Array = NDArray[np.float64]

FURTHEST = 30.0
"""|η| of a logistic regression beyond which μ is 0 or 1 for a DOUBLE's purposes."""

NEARLY_QUADRATIC = 0.0977
"""a for which log(1 + exp(−η)) + η/2 is nearest to a·η² + c in |η| ≤ 3, by least squares: the start
of a logistic regression of as many yes as no is the one of that loss (as Huggins, Adams and
Broderick, "PASS-GLM", NIPS 2017, have it for polynomials in general)."""


RAREST = 0.005
"""How rare a class is at most where a logistic regression starts."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """y in [0, 1], μ = 1/(1 + exp(−η))."""

    @property
    def low(self) -> float:
        """The least of η that counts."""
        return -FURTHEST

    @property
    def high(self) -> float:
        """The greatest."""
        return FURTHEST

    @property
    def steepest(self) -> Fraction:
        """The greatest of μ'."""
        return Fraction(1, 4)

    def mean(self, eta: Array) -> Array:
        """μ."""
        made: Array = 1 / (1 + np.exp(-np.clip(eta, self.low, self.high)))
        return made

    def slope(self, eta: Array) -> Array:
        """μ'."""
        mean = self.mean(eta)
        return mean * (1 - mean)

    def mean_sql(self, eta: str) -> str:
        """μ of a name that stands for η within `low` and `high`."""
        return f"1 / (1 + EXP(-{eta}))"

    def slope_sql(self, mean: str) -> str:
        """μ' of a name that stands for μ."""
        return f"LEAST({mean} * (1 - {mean}), 0.25)"

    def start(self, total: float, rows: float) -> tuple[float, float, float]:
        """(η₀, μ₀, s): the first coefficients are those of μ ≈ μ₀ + s·(η − η₀), around the mean as
        far as noise leaves one. s is μ' there, less what η's spread takes of it where it is high.

        Args:
            total: Σy, with noise.
            rows: how many, with noise.
        """
        mean = total / rows if rows > 0 else 0.5
        mean = min(max(mean, RAREST), 1 - RAREST)
        slope = mean * (1 - mean)
        return math.log(mean / (1 - mean)), mean, slope * (1 - (4 - 32 * NEARLY_QUADRATIC) * slope)


@dataclass(frozen=True, slots=True)
class Poisson:
    """y in [0, most], μ = exp(η), at most that.

    Attributes:
        most: the upper bound of y.
    """

    most: Fraction

    @property
    def low(self) -> float:
        """The least of η that counts: there μ is a millionth of the most."""
        return self.high - math.log(1e6)

    @property
    def high(self) -> float:
        """The greatest."""
        return math.log(self.most)

    @property
    def steepest(self) -> Fraction:
        """The greatest of μ'."""
        return self.most

    def mean(self, eta: Array) -> Array:
        """μ."""
        made: Array = np.exp(np.clip(eta, self.low, self.high))
        return made

    def slope(self, eta: Array) -> Array:
        """μ'."""
        return self.mean(eta)

    def mean_sql(self, eta: str) -> str:
        """μ of a name that stands for η within `low` and `high`."""
        return f"LEAST(EXP({eta}), {double(self.most)})"

    def slope_sql(self, mean: str) -> str:
        """μ' of a name that stands for μ."""
        return mean

    def start(self, total: float, rows: float) -> tuple[float, float, float]:
        """The same around the mean, as far as noise leaves one."""
        mean = total / rows if rows > 0 else 0.0
        mean = min(max(mean, float(self.most) / 1000), float(self.most))
        return math.log(mean), mean, mean


Family = Logistic | Poisson


def logistic(target: Term) -> Logistic:
    """Of a target.

    Raises:
        InvalidArgument: it is not within 0 and 1.
    """
    if target.centre - target.half < 0 or target.centre + target.half > 1:
        raise InvalidArgument(
            f"{target.name} is the target of a logistic regression: a truth, or a number with "
            "bounds within 0 and 1; write a condition, such as income > 50000 AS rich"
        )
    return Logistic()


def poisson(target: Term) -> Poisson:
    """Of a target.

    Raises:
        InvalidArgument: it may be below 0.
    """
    if target.centre - target.half < 0:
        raise InvalidArgument(
            f"{target.name} is the target of a Poisson regression: a number with bounds of which "
            "the lower is not below 0"
        )
    return Poisson(target.centre + target.half)
