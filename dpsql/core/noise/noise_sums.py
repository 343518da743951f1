"""The exact distribution of a sum of independent integer noises, each times a whole number.

A discrete Laplace noise is a forward and a backward geometric filter: p ← p·α + input, two passes
over the array, all terms positive, nothing cancels. The Gaussian noises of one stride are one: the
sum of noises of σ and τ is a discrete Gaussian of √(σ² + τ²) times a ripple in each mass of less
than 2·exp(−2π²σ²τ²/(σ² + τ²)), which is below 10⁻⁹ from σ = τ = 1.5 on; with a smaller one they are
convolved term by term. Chernoff's bound says how long the array must be, with
E exp(θZ) ≤ 1/(1 − θ²b²) for Laplace noise of scale b and exp(θ²σ²/2) for Gaussian noise (Canonne,
Kamath, Steinke, NeurIPS 2020, section 3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

_LOST = 1e-7
"""The part of 1 − confidence that may lie outside the array."""
_FUSED = 1.5
"""The σ from which Gaussian noises of one stride are taken together."""
_NEGLIGIBLE = 1e-14
"""A mass of Gaussian noise, as a part of the greatest, that is left out of a convolution."""

Strided = tuple[tuple[float, int], ...]
"""(scale in steps of the noise, by how many steps of the lattice it is multiplied) of each noise"""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of independent noises on one lattice."""

    laplace: Strided
    gaussian: Strided

    def fused(self) -> Sum:
        """The same with the Gaussian noises of each stride taken together, the widest first."""
        together: dict[int, float] = {}
        alone = []
        for sigma, stride in self.gaussian:
            if sigma < _FUSED:
                alone.append((sigma, stride))
            else:
                together[stride] = math.hypot(together.get(stride, 0.0), sigma)
        parts = [*((sigma, stride) for stride, sigma in together.items()), *alone]
        return Sum(self.laplace, tuple(sorted(parts, key=lambda p: p[0] * p[1], reverse=True)))

    def work(self, half: int) -> int:
        """About how many steps `masses` takes."""
        taps = sum(2 * _last(sigma) + 1 for sigma, _ in self.gaussian[1:])
        return (2 * half + 1) * (len(self.laplace) + bool(self.gaussian) + taps // 4)

    def reach(self, confidence: float) -> int:
        """Steps beyond which lies less than `_LOST` of what may lie beyond the half-width."""
        spreads = [scale * stride for scale, stride in self.laplace]
        sigma = math.hypot(*(scale * stride for scale, stride in self.gaussian))
        wanted = math.log(2 / (_LOST * (1 - confidence)))
        widest = max(spreads, default=0.0)
        free = math.sqrt(2 * wanted) / math.hypot(sigma, *(math.sqrt(2) * b for b in spreads))
        thetas = [part / widest for part in (0.1, 0.2, 0.35, 0.5, 0.7, 0.9)] if widest else [free]
        thetas += [free] if free * widest < 0.9 else []
        return math.ceil(
            min(
                (wanted + (t * sigma) ** 2 / 2 - sum(math.log1p(-((t * b) ** 2)) for b in spreads))
                / t
                for t in thetas
            )
        )

    def masses(self, half: int) -> list[float]:
        """P(S = n) for n = −half … half; what lies outside is lost, which `half` can make little.

        Only for a sum that is `fused`, or has at most one Gaussian noise of each stride.
        """
        row = [0.0] * (2 * half + 1)
        row[half] = 1.0
        if self.gaussian:
            (sigma, stride), *others = self.gaussian
            kernel = _kernel(sigma, min(half // stride, math.ceil(40 * sigma)))
            last = len(kernel) // 2
            row[half - last * stride : half + last * stride + 1 : stride] = kernel
            for sigma, stride in others:
                row = _convolved(row, _kernel(sigma, _last(sigma)), stride)
        for scale, stride in self.laplace:
            add_laplace(row, scale, stride)
        return row


def outermost(masses: list[float], confidence: float) -> tuple[int, float]:
    """(the half-width n in steps, the part of the two masses at ±n that is not needed)."""
    tail, n, allowed = 0.0, len(masses) // 2, 1 - confidence
    while n > 0 and tail + 2 * masses[-1] <= allowed:
        tail += 2 * masses.pop()
        n -= 1
    return n, (allowed - tail) / (masses[-1] if n == 0 else 2 * masses[-1])


def _last(sigma: float) -> int:
    """The last step of Gaussian noise that is not negligible."""
    return math.ceil(sigma * math.sqrt(-2 * math.log(_NEGLIGIBLE)))


def _kernel(sigma: float, last: int) -> list[float]:
    """The masses of Gaussian noise at −last … last, as parts of all of its masses."""
    side = []
    for z in range(1, max(last, _last(sigma)) + 1):
        ratio = z / sigma
        side.append(math.exp(-ratio * ratio / 2))
    whole = 1 + 2 * math.fsum(side)
    del side[last:]
    return [p / whole for p in (*reversed(side), 1.0, *side)]


def _convolved(row: list[float], kernel: list[float], stride: int) -> list[float]:
    margin = [0.0] * (len(kernel) // 2 * stride)
    padded = [*margin, *row, *margin]
    span = (len(kernel) - 1) * stride + 1
    return [sum(map(mul, kernel, padded[i : i + span : stride])) for i in range(len(row))]


def add_laplace(row: list[float], scale: float, stride: int) -> None:
    """Adds Laplace noise to `row`, in place."""
    alpha = math.exp(-1 / scale)
    gain = math.expm1(-1 / scale) ** 2

    def filtered(total: float, value: float) -> float:
        return alpha * total + value

    for first in range(min(stride, len(row))):
        forward = list(accumulate(row[first::stride], filtered))
        forward.reverse()
        backward = list(accumulate(forward, filtered))
        backward.reverse()
        row[first::stride] = [gain * value for value in backward]
