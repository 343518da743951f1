"""Groups whose keys are private: a key comes out when enough units are behind it.

Mechanism. A group *exists* if at least m units have a row in it (m = 1, or the owner's minimum;
what has fewer is dropped before anything else). Each group that exists gets its number of units
plus independent discrete Laplace noise of a scale s; the pair (key, noisy number) is output if the
noisy number is at least the threshold T.

Claim. Let one unit be in at most k groups. Under add_remove the output, keys and numbers, is
(k/s, δ)-differentially private with δ = 1 − (1 − p)^k, p = P(m + Z ≥ T). Under replace it is so
with 2k in the place of k. With discrete Gaussian noise it is (ε, δ + δ′)-private, where that noise
on numbers of which at most k (2k) move, each by 1, is (ε, δ′)-private.

Why. Let D and D′ be neighbours, C the groups that exist in both, N and N′ those that exist in D
only and in D′ only. The number of units of a group differs by at most 1, and in at most L groups:
L = k under add_remove; L = 2k under replace, k for each of the two units (where both are in one
group, its number is the same). So a group of N or N′ has exactly m units where it exists, and
comes out with probability p. Let E be the event that no group of N comes out, and E′ that none of
N′ does: P(E) = (1 − p)^|N|, and both are independent of what C does. Write c(S) and c′(S) for the
probabilities that the output over C alone is in S. It is computed from numbers that differ by 1 in
at most L − |N| − |N′| groups, so that c(S) ≤ e^(L/s)·c′(S) (discrete Laplace; the threshold is
post-processing). Hence for each set S of outputs
    P(S) ≤ 1 − P(E) + P(E)·c(S)
         ≤ 1 − P(E) + P(E)·(1 − P(E′)) + P(E)·P(E′)·c(S)
         ≤ 1 − P(E)·P(E′) + e^(L/s)·P(E′)·c′(S)
         ≤ 1 − (1 − p)^(|N|+|N′|) + e^(L/s)·P′(S),
since P′(S) ≥ P(S and E′) on D′ = P(E′)·c′(S), and |N| + |N′| ≤ L.

With Gaussian noise c(S) ≤ e^ε·c′(S) + δ′, the numbers over C being moved by √k in L2 at most, or
√(2k); P(E)·P(E′)·δ′ ≤ δ′ is added. Its threshold grows with √k, not with k: it is the lower one
where a unit is in many groups.

A minimum m > 1 therefore raises T by m − 1. Where groups of fewer units are dropped, they never
come out. Where they are not, the claim holds as well (a new group has 1 ≤ m units, so that p is
less), and each comes out with a probability of less than p.

What else is released for the groups that came out is another release: it is asked for a list of
keys that is public by then, it must answer for each key of that list (0 plus noise where the group
does not exist), and its cost adds up.

Source: Korolova, Kenthapadi, Mishra, Ntoulas, "Releasing search queries and clicks privately", WWW
2009; Wilson et al., "Differentially private SQL with bounded user contribution", PETS 2020, for δ.
OpenDP's ``make_laplace_threshold`` takes k·p for δ. In 0.16 its p is P(m + Z > T), although what
it outputs is m + Z ≥ T: its map at T − 1 is the δ at T. The tests show both.
"""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

from dpsql.core.account import exposure
from dpsql.core.account.normal_law import fraction
from dpsql.core.noise.integer_noise import NoiseError

_CONTEXT = Context(prec=200, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_NEARLY = 1 - Decimal("1e-18")


def threshold(scale: float, l0: int, delta: Fraction, minimum: int = 1) -> int:
    """The least threshold on noisy numbers of units that keeps to `delta`.

    Args:
        scale: s, of the discrete Laplace noise on each number, finite and > 0.
        l0: in how many groups numbers differ between neighbours, ≥ 1: k groups a unit under
            add_remove, 2k under replace.
        delta: in (0, 1), exact.
        minimum: m ≥ 1, of units a group, public; the least number with which a group exists.

    Returns:
        The least T ≥ minimum with 1 − (1 − P(minimum + Z ≥ T))^l0 ≤ delta, proven; where that
        leaves less than the 18th digit of delta, one more.

    Raises:
        NoiseError: no noise, or no δ: private keys cannot be released.
        ValueError: `l0` or `minimum` is less than 1, or δ is 1 or more.
        TypeError: an argument is not exact.
    """
    _check(l0, delta, minimum)
    if not 0 < scale < math.inf or delta <= 0:
        raise NoiseError("private keys need noise and a δ")
    with localcontext(_CONTEXT):
        # p ≤ 1 − (1 − δ)^(1/l0) =: q  ⇔  above ≥ −s·ln(q·(1 + α))
        # A little less than δ: the 20 digits of a cost then suffice to prove it.
        q = 1 - ((1 - fraction(delta) * _NEARLY).ln() / l0).exp()
        s = Decimal(scale)
        above = max(0, math.ceil(-s * (q * (1 + (-1 / s).exp())).ln()))
    while exposure.delta(scale, l0, above) > delta:
        above += 1
    return minimum + above


def gaussian_threshold(scale: float, l0: int, delta: Fraction, minimum: int = 1) -> int:
    """A threshold on numbers with discrete Gaussian noise that keeps to `delta`: the least but for
    one or two, for which it is proven.

    Args:
        scale: σ of the noise on each number, finite and > 0.
        l0, delta, minimum: as those of `threshold`.

    Raises:
        NoiseError: no noise, or no δ: private keys cannot be released.
        ValueError: `l0` or `minimum` is less than 1, or δ is 1 or more.
        TypeError: an argument is not exact.
    """
    _check(l0, delta, minimum)
    q = _each(l0, delta)
    if not 0 < scale < math.inf or q <= 0:
        raise NoiseError("private keys need noise and a δ")
    above = max(1, math.floor(-NormalDist().inv_cdf(q) * scale))
    while exposure.gaussian_delta(scale, l0, above) > delta:
        above += 1
    return minimum + above


@lru_cache(maxsize=1_000)
def _each(l0: int, delta: Fraction) -> float:
    """About the δ of each group, of all of them together: 1 − (1 − delta)^(1/l0). One query asks
    for the same ones with every way to share its noise.
    """
    with localcontext(_CONTEXT):
        return float(1 - ((1 - fraction(delta)).ln() / l0).exp())


def _check(l0: int, delta: Fraction, minimum: int) -> None:
    if type(l0) is not int or type(minimum) is not int or type(delta) is not Fraction:
        raise TypeError("l0 and minimum must be ints and delta a Fraction")
    if l0 < 1 or minimum < 1 or delta >= 1:
        raise ValueError("l0 and minimum must be at least 1, and δ less than 1")
