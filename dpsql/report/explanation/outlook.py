"""What a ledger charges for a query, by its accountant, and what is left then."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpsql.core.account.account import Account
from dpsql.core.account.accountants import fits, more, remaining
from dpsql.core.account.amount import Cost
from dpsql.core.account.conversion import divergence_for
from dpsql.core.account.loss import ORDERS, Loss
from dpsql.report.figures import QueryCost, most
from dpsql.report.forms import Plain


@dataclass(frozen=True, slots=True)
class Outlook(Plain):
    """What a ledger would do.

    Attributes:
        accountant: its rule.
        charge: what it would charge, in the rule's own terms.
        fits: whether it would do so: that much is left, also for who asks.
        left: what is left afterwards; what is left now, where it does not fit.
        more: how many more such queries fit afterwards; None for any number.
        refused: why who asks would be refused what the account has, by a cap or a least ε; None
            where that is not so.
    """

    accountant: str
    charge: str
    fits: bool
    left: QueryCost
    more: int | None
    refused: str | None = None


def outlook(account: Account, spent: Loss, each: Loss, refused: str | None = None) -> Outlook:
    """What a charge of `each` is to an account of which `spent` is gone.

    Args:
        account: that would be charged.
        spent: of it.
        each: what would be charged.
        refused: why who asks would be refused, where that is known; see `Ledger.refusal`.
    """
    kind, total, step = account.accountant, account.total, each.rounded_up()
    enough = fits(kind, total, spent + step)
    granted = enough and refused is None
    after = spent + step if granted else spent
    return Outlook(
        accountant=kind,
        charge=charge(account, each),
        fits=granted,
        left=QueryCost(remaining(kind, total, after)),
        more=more(kind, total, after, step),
        refused=refused if enough else None,
    )


def charge(account: Account, each: Loss) -> str:
    """What is charged, in the terms of the account's accountant."""
    kind, slack = account.accountant, f", δ = {most(each.slack)}" if each.slack else ""
    if kind == "zcdp":
        return f"ρ = {most(each.rho)}{slack}"
    if kind == "rdp":
        order, divergence = _usual(account.total, each)
        return f"a divergence of {most(divergence)} at α = {most(order)}{slack}"
    return str(each.cost)


def _usual(total: Cost, each: Loss) -> tuple[Fraction, Fraction]:
    """The order by which most such queries fit, and the divergence there."""
    part = total.delta / 2 / len(ORDERS)

    def used(pair: tuple[Fraction, Fraction]) -> tuple[bool, Fraction]:
        limit = divergence_for(pair[0], total.eps, part) if 0 < part < 1 else Fraction(0)
        return not limit, pair[1] / limit if limit else Fraction(0)

    return min(zip(ORDERS, each.renyi, strict=True), key=used)
