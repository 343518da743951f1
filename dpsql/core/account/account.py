"""Whose budget it is, how large it is, and by which rule it is used up: what the owner decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Literal

from dpsql.core.account.amount import Cost

Accountant = Literal["pure", "approx", "zcdp", "rdp", "pld"]
"""How privacy losses add up; see `accountants`."""

OTHERS = "*"
"""The name of the cap that each analyst has who is named by no other cap of one analyst."""


@dataclass(frozen=True, slots=True)
class Cap:
    """What one analyst, or a group of analysts together, may spend of the total.

    Attributes:
        name: of the analyst or the group; `OTHERS` for each of all the others by themselves.
        most: by the account's accountant, like the total.
        members: of a group; empty for an analyst.
    """

    name: str
    most: Cost
    members: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `charges` charges of an analyst in any time of that length."""

    charges: int
    time: timedelta

    def __str__(self) -> str:
        return f"{self.charges} per {_NAMES.get(self.time, self.time)}"


_NAMES = {timedelta(minutes=1): "minute", timedelta(hours=1): "hour", timedelta(days=1): "day"}


@dataclass(frozen=True, slots=True)
class Account:
    """The budget of a data set.

    Attributes:
        total: the (ε, δ) that all answers together satisfy, per window if there are windows.
        accountant: the rule; fixed in the ledger when the account is made there.
        identity: says which data set it is; see `policy.data_identity`.
        caps: what analysts may spend of it.
        window: after so long the account is new again; None for never, the usual case.
        rivals: identities under which the same data set would be known if other promises were made
            of it; an account of that name must not be made anew beside one of these.
        min_eps: the least ε of a charge; a smaller one tells little and writes a line all the same.
        rate: how often an analyst may be charged; None for as often as he likes.
        failures: after so many charged queries that failed an analyst is locked; None for never.
        longest: a query that has no answer by then will have none.
    """

    total: Cost
    accountant: Accountant = "approx"
    identity: str = ""
    caps: tuple[Cap, ...] = ()
    window: timedelta | None = None
    rivals: tuple[str, ...] = ()
    min_eps: Fraction = Fraction(0)
    rate: Rate | None = None
    failures: int | None = None
    longest: timedelta = timedelta(minutes=10)

    def caps_of(self, analyst: str) -> tuple[Cap, ...]:
        """The caps that bind an analyst: his own or that of all others, and those of his groups."""
        own = [cap for cap in self.caps if cap.name == analyst and not cap.members]
        if not own:
            own = [cap for cap in self.caps if cap.name == OTHERS]
        return (*own, *(cap for cap in self.caps if analyst in cap.members))
