"""The other rows of what a better method could gain, ours beside that method written out here.

    python benchmarks/accuracy.py --only gaussian | clip | totals

*gaussian*: σ of several numbers, beside zero-concentrated privacy and the σ that continuous noise
would need (Balle and Wang 2018), which no noise can be far below. *clip*: sums of few units whose
clip is found in the data, beside one draw of the exponential mechanism at half of ε with the prior
τ⁻² (McSherry and Talwar 2007; Amin et al. 2019) and nothing else. *totals*: the standard errors of
the cells and the total of a ROLLUP, from the cells and asked for directly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from dpsql.core.noise.gaussian import joint
from dpsql.core.noise.laplace import DiscreteLaplace

Totals = np.ndarray[tuple[int], np.dtype[np.int64]]
Answers = Callable[[Totals], Iterator[float]]
EPS = Fraction(4, 5)


def gaussian() -> None:
    print("| ε | δ | L2² of the vectors | σ of the first | zCDP / ours | ours / continuous |")
    print("|---|---|---|---|---|---|")
    for eps in (Fraction(1, 10), Fraction(1), Fraction(4)):
        for digits in (6, 10):
            delta = Fraction(1, 10**digits)
            for squares in ((1, 1), (20,), (20, 20, 20), (1, 10**6)):
                (ours, *_), event = joint(squares, eps, delta)
                (zcdp, *_), _ = joint(squares, eps, delta, shared=True)
                mu = continuous(float(eps), float(delta))
                ratio = math.sqrt(2 * float(event.rho)) / mu
                print(
                    f"| {float(eps):g} | 1e-{digits} | {', '.join(f'{s:,}' for s in squares)} | "
                    f"{ours.scale:.3f} | {zcdp.scale / ours.scale:.4f} | {1 / ratio:.4f} |"
                )


def continuous(eps: float, delta: float) -> float:
    """The largest μ with δ_μ(ε) ≤ δ."""
    low, high = 0.0, 100.0
    for _ in range(100):
        mu = (low + high) / 2
        near, far = (math.erfc((eps / mu + s * mu / 2) / math.sqrt(2)) / 2 for s in (-1, 1))
        low, high = (mu, high) if near - math.exp(eps) * far <= delta else (low, mu)
    return low


def clip(ours: Answers, draws: int, samples: int, seed: int) -> None:
    """Mean errors in percent of lognormal sums; `ours` yields answers for the totals of units."""
    print("| units | spread | ours: mean | one draw: mean | ours / one draw |")
    print("|---|---|---|---|---|")
    for units in (100, 300, 1000):
        for spread in (1.0, 2.0):
            mine, theirs = [], []
            for sample in range(samples):
                generator = np.random.default_rng([seed, units, int(spread), sample])
                normal = generator.standard_normal(units)
                totals = np.ceil(2**14 * np.exp(spread * normal)).astype(np.int64)
                true = float(totals.sum())
                mine += [abs(value / true - 1) for value in ours(totals)]
                theirs += list(np.abs(one_draw(totals, draws, generator) / true - 1))
            a, b = 100 * float(np.mean(mine)), 100 * float(np.mean(theirs))
            print(f"| {units:,} | {spread:g} | {a:.1f} % | {b:.1f} % | {a / b:.2f} |", flush=True)


def one_draw(
    totals: Totals, draws: int, generator: np.random.Generator
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Half of ε draws τ from the powers of 2 with P ∝ τ⁻²·exp(−ε′·max(0, #above − 1/ε′)), the
    other half is for the noise.
    """
    half = float(EPS) / 2
    clips = 2.0 ** np.arange(0, 41)
    above = np.array([(totals > tau).sum() for tau in clips])
    logs = -half * np.maximum(0, above - 1 / half) - 2 * np.log(clips)
    weight = np.exp(logs - logs.max())
    place = generator.choice(len(clips), draws, p=weight / weight.sum())
    sums = np.array([np.minimum(totals, tau).sum() for tau in clips])
    return sums[place] + generator.laplace(0, clips[place] / half)


def totals() -> None:
    """Of a count where one unit is in one cell, with a total over all of them. ε is all for the
    cells, in halves, or shared so that no standard error is much above what it would be alone.
    """
    print("| cells | way | cell | total | cell: of the least | total: of the least |")
    print("|---|---|---|---|---|---|")
    for cells in (2, 6, 12, 48, 100, 1000):
        ways = {"summed": (cell := error(EPS), math.sqrt(cells) * cell)}
        for part in (Fraction(1, 2), Fraction(1, 5), Fraction(1, 10)):
            own, direct = error(EPS * (1 - part)), error(EPS * part)
            # The cells say something of the total, too: both by the inverses of their variances.
            both = 1 / math.sqrt(1 / (cells * own**2) + 1 / direct**2)
            # And the total of the cells, where they are made to add up to it.
            fitted = own * math.sqrt(1 - (1 - both**2 / (cells * own**2)) / cells)
            ways[f"{float(part):g} of ε direct, combined"] = (fitted, both)
        for way, (one, total) in ways.items():
            least = error(EPS)
            print(
                f"| {cells:,} | {way} | {one:.2f} | {total:.2f} | "
                f"{one / least:.2f} | {total / least:.2f} |"
            )


def error(eps: Fraction) -> float:
    """The standard deviation of a count's noise."""
    return math.sqrt(DiscreteLaplace.calibrate(1, eps).variance)
