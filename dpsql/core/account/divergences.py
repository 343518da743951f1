"""ρ and the Rényi divergences of single mechanisms, rounded up.

Let P and P′ be the outputs on neighbours, D_α their Rényi divergence of order α > 1, E_α =
exp((α − 1)·D_α), and D₁ the relative entropy. All bounds hold for both directions.

Discrete Laplace noise P(z) ∝ a^|z|, a = exp(−r), of one number that moves by an integer d ≥ 0, with
ε = d·r and q = a^(2α−1). By summing the three geometric series z < 0, 0 ≤ z ≤ d, z > d:
    E_α = (1 − B)·e^((α−1)ε) + B·e^(−αε),   B = (a − q)/((1 + a)(1 − q)) in [0, ½),
    D₁ = ε − (1 − e^(−ε))·2ra/(1 − a²).

Claim 1. A vector whose numbers move by d₁, d₂, … costs at most what one number costs that moves by
Σ|dᵢ|. Why: D_α is symmetric in d and, as the logarithm of a sum of exponentials of linear functions
of d, convex, and it is 0 at 0; so are ε and D₁. A convex f with f(0) = 0 has Σ f(dᵢ) ≤ f(Σ dᵢ).
Claim 2. Members k whose vectors move by vₖ, where Σ |vₖ|₁/Δₖ ≤ 1, cost at most max fₖ(Δₖ) together,
each of these functions f by itself. Why: fₖ(|vₖ|₁) ≤ (|vₖ|₁/Δₖ)·fₖ(Δₖ).

Claim 3. D_α ≤ α·D₁: the noise is D₁-zCDP, and no less. Why: with x = α − ½ and t = x·r,
    e^(ε/2)·E_α = cosh(dt) + τ·cosh(t)·sinh(dt)/sinh(t) = T_d(y) + τ·y·U_{d−1}(y) at y = cosh t,
with Chebyshev's polynomials and τ = tanh(r/2). At y = cos(kπ/d), k = 0 … d, it has the sign
(−1)^k (U is 0 there for 0 < k < d, and y·U has the sign of T at both ends), so all its d zeros are
cosines. It is a product of factors cosh t − cos θ = (1 − cos θ)·∏ₙ (1 + t²/(θ + 2πn)²), whose
logarithms are concave in t², hence ln E_α in x². A concave function is below its tangent, which at
x² = ¼, where α = 1, is 0 and has the slope D₁ (dx² = 2x·dα). So (α − 1)·D_α ≤ (x² − ¼)·D₁ =
α(α − 1)·D₁.
Claims 1 and 2 hold for D₁ as well, which is convex in d.

Claim 4. What is ε-private, whatever it is, costs at most what the discrete Laplace noise does with
d = 1 and r = ε, which is randomized response: every such pair P, P′ is a function of that one's
output. Source: Kairouz, Oh, Viswanath, "The composition theorem for differential privacy", ICML
2015, theorem 2.4. Its D₁ is ε·tanh(ε/2) ≤ ε²/2.

Claim 5. What is of bounded range ε (``noise.exponential``) is ε²/8-zCDP. Why: let L = ln P/P′,
in an interval of length ε, and K(α) = ln E_P′[exp(αL)] = (α − 1)·D_α. K″ is the variance of L under
some distribution, at most ε²/4 (Popoviciu), and K(0) = K(1) = 0. So K(α) − α(α − 1)·ε²/8 is concave
with zeros at 0 and 1, and not positive beyond. It is ε-private too.
Source: Cesar, Rogers, "Bounding, concentrating, and truncating", ALT 2021, lemma 3.4.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from dpsql.core.account.loss import ORDERS
from dpsql.core.account.normal_law import fraction, up

# Differences such as a - q and 1 - a² lose as many digits as r has zeros, and powers four more, so
# that of p digits the results are off by 10^(7 − p)/r + ε·10^(1 − p) at most: less than is added.
_CONTEXT = Context(prec=150, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_ROUNDING = Decimal("1e-100")
_LEAST = Fraction(1, 10**40)

# For the rates of nearly all queries, in a fifth of the time.
_SHORT = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_SHORT_ROUNDING = Decimal("1e-44")
_SHORT_LEAST, _SHORT_MOST = Fraction(1, 10**8), 10**12


class Divergences(NamedTuple):
    """Upper bounds.

    Attributes:
        rho: of D_α/α over all α > 1.
        renyi: of D_α at each of `ORDERS`.
    """

    rho: Fraction
    renyi: tuple[Fraction, ...]


@lru_cache(maxsize=4096)
def laplace(rate: Fraction, l1: int) -> Divergences:
    """Of discrete Laplace noise on a vector of that L1 sensitivity.

    Args:
        rate: r = 1/scale, per lattice unit, > 0, exact.
        l1: in lattice units, ≥ 0.
    """
    eps = rate * l1
    simple = [min(eps, eps**2 / 2), *(min(eps, order * eps**2 / 2) for order in ORDERS)]
    if not eps or rate < _LEAST:
        return Divergences(simple[0], tuple(simple[1:]))
    short = rate >= _SHORT_LEAST and eps <= _SHORT_MOST
    rounding = _SHORT_ROUNDING if short else _ROUNDING
    with localcontext(_SHORT if short else _CONTEXT):
        r, e = fraction(rate), fraction(eps)
        a, kept = (-r).exp(), (-e).exp()
        found = [up(e - (1 - kept) * 2 * r * a / (1 - a * a) + rounding)]
        for order in ORDERS:
            twice = int(2 * order - 1)  # every order is a multiple of a half
            q = a**twice
            b = (a - q) / ((1 + a) * (1 - q))
            log = (1 - b * (1 - kept**twice)).ln()
            found.append(up(e + log / fraction(order - 1) + rounding))
    rho, *renyi = map(min, found, simple)
    return Divergences(rho, tuple(renyi))


def pure(eps: Fraction) -> Divergences:
    """Of anything that is ε-private; `eps` ≥ 0, exact."""
    return laplace(eps, 1)


def bounded_range(eps: Fraction) -> Divergences:
    """Of anything of bounded range ε; `eps` ≥ 0, exact."""
    rho, renyi = pure(eps)
    eighth = eps**2 / 8
    lower = (min(order * eighth, d) for order, d in zip(ORDERS, renyi, strict=True))
    return Divergences(min(rho, eighth), tuple(lower))


def gaussian(rho: Fraction) -> Divergences:
    """Of Gaussian noise: α·ρ, by theorem A of ``gaussian_loss``; `rho` ≥ 0, exact."""
    return Divergences(rho, tuple(order * rho for order in ORDERS))
