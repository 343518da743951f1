"""What each analyst may still spend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpsql.core.account import accountants
from dpsql.core.account.account import OTHERS, Account, Cap
from dpsql.core.account.loss import NOTHING, Loss, total
from dpsql.platform.ledger.ledger import Charge
from dpsql.report.figures import QueryCost
from dpsql.report.forms import Plain


@dataclass(frozen=True, slots=True)
class CapState(Plain):
    """A cap, and how much of it is used in the present window.

    Attributes:
        name: of the analyst or the group; "*" for whoever has no cap of his own.
        analyst: whose share of "*" this is; None where the cap is not shared out, and for what
            anybody else who is not listed has.
        members: of a group.
        most: what may be spent.
        spent: what is, by the account's rule.
        left: the largest further charge that the cap allows.
    """

    name: str
    analyst: str | None
    members: tuple[str, ...]
    most: QueryCost
    spent: QueryCost
    left: QueryCost


def states(account: Account, lines: Sequence[Charge]) -> Iterator[CapState]:
    """Every cap in the owner's order; "*" once for each analyst who used it, and once more.

    Args:
        account: what the owner decided.
        lines: those of the present window, oldest first.
    """
    lost, own = _shares(lines)
    named = {cap.name for cap in account.caps if not cap.members}
    for cap in account.caps:
        if cap.members:
            used = total(own.get(name, NOTHING) for name in sorted(cap.members))
            yield _state(account, cap, None, lost + used)
        elif cap.name == OTHERS:
            for name in sorted(own.keys() - named):
                yield _state(account, cap, name, lost + own[name])
            yield _state(account, cap, None, lost)
        else:
            yield _state(account, cap, None, lost + own.get(cap.name, NOTHING))


def binding(account: Account, found: Sequence[CapState], analyst: str) -> tuple[CapState, ...]:
    """Those that bind an analyst; his own share of "*", if he used it.

    Args:
        account: what the owner decided.
        found: the state of every cap.
        analyst: "" for nobody in particular.
    """
    names = {cap.name for cap in account.caps_of(analyst)}
    mine = [state for state in found if state.name in names]
    share = analyst if any(state.analyst == analyst for state in mine) else None
    return tuple(state for state in mine if state.name != OTHERS or state.analyst == share)


def _shares(lines: Sequence[Charge]) -> tuple[Loss, dict[str, Loss]]:
    """(what was lost and counts for everybody, what each analyst spent himself).

    As the ledger decides: a line's `spent_by` is both together, up to that line.
    """
    lost, own = NOTHING, dict[str, Loss]()
    for line in lines:
        if line.kind == "acknowledged":
            lost = lost + line.loss
        elif line.kind == "charge":
            own[line.entry.analyst] = line.spent_by - lost
    return lost, own


def _state(account: Account, cap: Cap, analyst: str | None, used: Loss) -> CapState:
    kind = account.accountant
    return CapState(
        name=cap.name,
        analyst=analyst,
        members=tuple(sorted(cap.members)),
        most=QueryCost(cap.most),
        spent=QueryCost(accountants.guarantee(kind, cap.most, used)),
        left=QueryCost(accountants.remaining(kind, cap.most, used)),
    )
