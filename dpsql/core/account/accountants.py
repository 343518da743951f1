"""By which rule losses add up, and whether they are within a budget: exact, for adaptive queries.

Each rule is a *filter*: a query is asked only if the losses of all queries so far and its own are
within the rule's limits. It may be chosen, with its ε, after all answers so far were seen. Claim:
whatever is asked, all answers together are (ε, δ)-private, (ε, δ) being the account's total.

- `pure`: Σε ≤ ε, and no δ. `approx`: Σε ≤ ε and Σδ ≤ δ. Why: each query multiplies the odds of a
  transcript by exp(its ε) at most, and the limits hold for each transcript.
  Source: Rogers, Roth, Ullman, Vadhan, "Privacy odometers and filters", NeurIPS 2016, theorem 3.6.
- `pld`: the same limits, but a declared batch is charged by one composition of privacy loss
  distributions (``pld``), which is valid since all of it is fixed beforehand.
- `zcdp`: Σρ ≤ ρ(ε, δ/2), by theorem B of ``gaussian_loss``, and Σslack ≤ δ/2.
  Source: Whitehouse, Ramdas, Rogers, Wu, "Fully-adaptive composition in differential privacy", ICML
  2023 (theorem 1, a filter of approximate zCDP); Bun, Steinke, TCC 2016, for (ε, δ) from it.
- `rdp`: for some α of `ORDERS`, Σ D_α ≤ B_α, and Σslack ≤ δ/2. B_α is the divergence that proves
  (ε, δ_α) by ``conversion``, where the δ_α are fixed by the total and add up to δ/2: a half of that
  for the order that suits many small losses best, the other half in equal parts for all.

Why rdp may choose α by the end. Leave slack aside. Sums only grow, so an order within its limit at
the end was so all the time. Let Mα be the process that stops before its sum at α would pass B_α: it
is a Rényi filter at one fixed order, its divergence of order α is at most B_α (Feldman, Zrnic,
"Individual privacy accounting via a Rényi filter", NeurIPS 2021, theorem 4.3), and it is (ε, δ_α)-
private. Split a set E of transcripts by the first order that is within its limit at their end: on
E_α the process M and Mα are the same. Hence P(M ∈ E) = Σ P(Mα ∈ E_α) ≤ Σ (e^ε·P′(Mα ∈ E_α) + δ_α)
= e^ε·P′(M ∈ E) + δ/2.

Why slack adds. What has slack s is, on both neighbours, a mixture: (1 − s) of a part for which the
divergences hold, and s of anything. A transcript all of whose parts are good ones has the weight
w = ∏(1 − sᵢ) ≤ 1 of a process G without slack, w being a function of the transcript alone. So
P(M ∈ E) ≤ ∫_E w dG + Σs ≤ e^ε·∫_E w dG′ + δ/2 + Σs ≤ e^ε·P′(M ∈ E) + δ, as (ε, δ/2) of G holds for
weights in [0, 1] as well as for sets; and Σs ≤ δ/2 on each transcript bounds what is not good.

Of another rule, chosen later. The sums of all rules go on from the first line, so whoever looks at
the end only sees limits of the last rule, on all losses: where the rules and their order were fixed
beforehand, the claim is that of the last one. An owner who chooses a rule after seeing answers
chooses among them: split the transcripts by the rule at their end, as for the orders of rdp, and
all answers are (ε, Σδ)-private, a δ for each rule that was used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from dpsql.core.account.account import Accountant
from dpsql.core.account.amount import UNIT, ZERO, Cost
from dpsql.core.account.conversion import divergence_for, eps_of_divergence, eps_of_rho
from dpsql.core.account.gaussian_loss import rho_for
from dpsql.core.account.loss import FINE, ORDERS, Loss
from dpsql.errors import InvalidBudget

_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class _Limit:
    """One way to be within the budget: each of these sums is at most its limit."""

    parts: tuple[tuple[Fraction, Fraction], ...]
    """(limit, spent)."""

    @property
    def holds(self) -> bool:
        return all(spent <= most for most, spent in self.parts)


class _Rule(NamedTuple):
    """(α, δ_α, B_α)."""

    order: Fraction
    delta: Fraction
    most: Fraction


def check(kind: Accountant, total: Cost) -> None:
    """Refuse a total by which the rule could not decide.

    Raises:
        InvalidBudget: no ε, or no δ between 0 and 1 where the rule needs one.
    """
    if kind in ("zcdp", "rdp") and not _usable(total):
        raise InvalidBudget(f"the accountant {kind} needs a total with ε > 0 and 0 < δ < 1")


def fits(kind: Accountant, total: Cost, spent: Loss) -> bool:
    """Whether losses that add up to `spent` are within the total by that rule.

    Args:
        kind: the rule.
        total: the budget; one that `check` refuses has room for what is public only.
        spent: exact, all queries so far and the one that is asked for.
    """
    return any(limit.holds for limit in _limits(kind, total, spent))


def remaining(kind: Accountant, total: Cost, spent: Loss) -> Cost:
    """The largest (ε, δ) of which nothing else is known that still fits, rounded down.

    By pure, approx and pld it is total − spent. By zcdp and rdp it is that of one query whose loss
    is `loss.approximate` of it; a different noise may fit with more. Zero if nothing fits any more.
    """
    if not fits(kind, total, spent):
        return ZERO
    if kind == "pure":
        return Cost(total.eps - spent.cost.eps)
    if kind in ("approx", "pld"):
        return total - spent.cost
    delta = Fraction((total.delta / 2 - spent.slack) // UNIT) * UNIT
    if kind == "zcdp":
        return Cost(_root(2 * _left(_rho(total), spent.rho)), delta)
    ways = [
        (rule.order, _left(rule.most, used))
        for rule, used in zip(_rules(total), spent.renyi, strict=True)
    ]
    # min(ε, α·ε²/2) ≤ left, solved for ε.
    eps = max(max(left // UNIT * UNIT, _root(2 * left / order)) for order, left in ways)
    return Cost(eps, delta)


def more(kind: Accountant, total: Cost, spent: Loss, each: Loss) -> int | None:
    """How many more queries of the loss `each` fit after `spent`; None for any number.

    A ledger rounds each charge up (`Loss.rounded_up`), so `each` should be rounded up as well.
    """
    if not fits(kind, total, spent):
        return 0
    found = [
        _times(now, then)
        for now, then in zip(
            _limits(kind, total, spent), _limits(kind, total, spent + each), strict=True
        )
        if now.holds
    ]
    return None if None in found else max(n for n in found if n is not None)


def guarantee(kind: Accountant, total: Cost, spent: Loss) -> Cost:
    """The (ε, δ) that losses of `spent` satisfy by that rule, rounded up.

    ε is at the δ that the rule has for the conversion, of the total. It is a figure for people: it
    is exact for queries that were fixed beforehand. Of those chosen adaptively the total is what is
    guaranteed, and this says how much of it is used. Never above the total where `spent` fits.
    """
    if kind not in ("zcdp", "rdp"):
        return spent.cost
    check(kind, total)
    half = total.delta / 2
    if kind == "zcdp":
        converted, eps = spent.rho > 0, eps_of_rho(spent.rho, half)
    else:
        converted = any(spent.renyi)
        pairs = zip(_rules(total), spent.renyi, strict=True)
        eps = min(eps_of_divergence(rule.order, used, rule.delta) for rule, used in pairs)
    if fits(kind, total, spent):
        eps = min(eps, total.eps)
    # Even where ε is 0, the δ of the conversion is used.
    return Cost(eps, spent.slack + (half if converted else _ZERO)).rounded_up()


def _limits(kind: Accountant, total: Cost, spent: Loss) -> tuple[_Limit, ...]:
    """The ways to be within the budget; one is enough."""
    if kind in ("pure", "approx", "pld"):
        delta = _ZERO if kind == "pure" else total.delta
        return (_Limit(((total.eps, spent.cost.eps), (delta, spent.cost.delta))),)
    slack = (total.delta / 2, spent.slack)
    if kind == "zcdp":
        return (_Limit(((_rho(total), spent.rho), slack)),)
    pairs = zip(_rules(total), spent.renyi, strict=True)
    return tuple(_Limit(((rule.most, used), slack)) for rule, used in pairs)


def _usable(total: Cost) -> bool:
    return total.eps > 0 and 0 < total.delta < 1


def _rho(total: Cost) -> Fraction:
    return rho_for(total.eps, total.delta / 2) if _usable(total) else _ZERO


@lru_cache(maxsize=256)
def _rules(total: Cost) -> tuple[_Rule, ...]:
    """Of each order."""
    if not _usable(total):
        return tuple(_Rule(order, _ZERO, _ZERO) for order in ORDERS)
    half = total.delta / 4
    best = max(ORDERS, key=lambda order: divergence_for(order, total.eps, half) / order)
    rules = []
    for order in ORDERS:
        delta = half / len(ORDERS) + (half if order == best else 0)
        rules.append(_Rule(order, delta, divergence_for(order, total.eps, delta)))
    return tuple(rules)


def _times(now: _Limit, then: _Limit) -> int | None:
    """How often the step from `now` to `then` can be made within the limits."""
    steps = [
        (most - spent) // (after - spent)
        for (most, spent), (_, after) in zip(now.parts, then.parts, strict=True)
        if after > spent
    ]
    return min(steps) if steps else None


def _left(most: Fraction, used: Fraction) -> Fraction:
    """What is left, in whole steps of the ledger's grid of divergences."""
    return Fraction(max(_ZERO, most - used) * FINE // 1, FINE)


def _root(amount: Fraction) -> Fraction:
    """√amount on the ledger's grid of ε, rounded down, exactly."""
    return math.isqrt(amount / UNIT**2 // 1) * UNIT
