"""Rigorous bounds on probabilities from counts, for tests that fail wrongly with P ≤ 1e-6."""

from __future__ import annotations

import math


def _divergence(p: float, q: float) -> float:
    """KL(Bernoulli(p) ‖ Bernoulli(q)) in nats."""
    left = p * math.log(p / q) if p > 0 else 0.0
    right = (1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0.0
    return left + right


def limits(hits: int, n: int, error: float) -> tuple[float, float]:
    """Bounds on a probability, each wrong with P ≤ `error` (Chernoff, Hoeffding 1963)."""
    seen = hits / n
    allowed = math.log(1 / error) / n

    def edge(outer: float) -> float:
        inner, far = seen, outer
        for _ in range(60):
            middle = (inner + far) / 2
            if 0 < middle < 1 and _divergence(seen, middle) <= allowed:
                inner = middle
            else:
                far = middle
        return far

    return (0.0 if hits == 0 else edge(0.0)), (1.0 if hits == n else edge(1.0))


def proven_loss(left: list[int], right: list[int], threshold: int, error: float = 1e-6) -> float:
    """A lower bound on the privacy loss between two samples, wrong with P ≤ `error`.

    The event is "at most `threshold`", fixed before the draws.
    """
    low, _ = limits(sum(z <= threshold for z in left), len(left), error / 2)
    _, high = limits(sum(z <= threshold for z in right), len(right), error / 2)
    return math.log(low / high) if low > 0 else -math.inf


def proven_excess(
    left: list[int], right: list[int], threshold: int, eps: float, error: float = 1e-6
) -> float:
    """A lower bound on P(S) − e^ε·P′(S), which δ bounds, wrong with P ≤ `error`.

    S is "at most `threshold`", fixed before the draws.
    """
    low, _ = limits(sum(z <= threshold for z in left), len(left), error / 2)
    _, high = limits(sum(z <= threshold for z in right), len(right), error / 2)
    return low - math.exp(eps) * high
