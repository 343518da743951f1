"""Exact confidence bounds on a probability (Clopper and Pearson 1934).

Claim. Let X be binomial(n, p). `at_least(X, n, α)` is above p with a probability of at most α, and
`at_most(X, n, α)` is below p with at most that. Why: the lower bound for k is the p at which
P(X ≥ k) = α; it is above the true p only for k with P(X ≥ k) < α. It is found by bisection, whose
lower end is given, and the tail is summed until what is left is less than a part in 10¹⁵ of it.
"""

from __future__ import annotations

import math

_HALVINGS = 60


def at_least(k: int, n: int, alpha: float) -> float:
    """A lower bound on the probability of what was seen `k` times of `n`.

    Raises:
        ValueError: there are no such numbers, or α is not between 0 and 1.
    """
    if not 0 <= k <= n or not 0 < alpha < 1:
        raise ValueError("0 <= k <= n and 0 < alpha < 1 are needed")
    if k == 0:
        return 0.0
    low, high = 0.0, k / n
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _tail(k, n, middle) < alpha:
            low = middle
        else:
            high = middle
    return low


def at_most(k: int, n: int, alpha: float) -> float:
    """An upper bound; see `at_least`."""
    return 1.0 - at_least(n - k, n, alpha)


def _tail(k: int, n: int, p: float) -> float:
    """P(X ≥ k), where k is not below n·p, so that the terms fall."""
    if p <= 0.0:
        return 0.0
    if p >= 1.0:
        return 1.0
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    log += k * math.log(p) + (n - k) * math.log1p(-p)
    odds, term, total = p / (1.0 - p), 1.0, 0.0
    for i in range(k, n + 1):
        total += term
        term *= (n - i) / (i + 1) * odds
        if term < 1e-17 * total:
            break
    return math.exp(min(log, 0.0)) * total * (1 + 1e-9)  # lgamma's rounding, on the safe side
