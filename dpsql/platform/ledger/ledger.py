"""The account of a data set: what may be spent, what was, and the one way to spend.

`Ledger.reserve` is called before the engine is asked for anything. When it returns, the charge is
durable; it is never refunded, whatever happens next. When it raises, the query must not run.
`Ledger.commit` keeps the noisy answer beside the charge, so that it can be given again for free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Literal, Protocol

from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import Loss
from dpsql.errors import LedgerTampered

Kind = Literal[
    "charge",
    "acknowledged",
    "accountant",
    "window",
    "failed",
    "interrupted",
    "unlocked",
    "resumed",
]
"""What a line of the ledger is; see `Charge.kind`."""


LONGEST = 500
"""The most characters of an analyst's name, a request's key, or an answer's: they are indexed."""

WAIT = 30.0
"""Seconds that a charge waits for other queries of the same analyst to end."""


ELSEWHERE = "another ledger was charged for this data, under another name or place"
"""Where data were renamed or copied, and their ledger was not."""


def tampered(what: str) -> LedgerTampered:
    """The error that says what is wrong, and what the owner can do."""
    return LedgerTampered(
        f"the ledger is damaged: {what}; "
        "the owner may accept that: dpsql budget DATA acknowledge; refused"
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """Why a charge is made: functions of the query and the policy, never of the data.

    Attributes:
        sql: the canonical query text.
        releases: a JSON text that describes the releases (sensitivities, mechanism, ε, δ, ρ).
        time: when it was asked for (UTC). Only windows depend on it, and never on one that is
            earlier than an earlier line's.
        analyst: who asks; "" for nobody in particular.
        request: a key that the caller chose, so that a retry is not a second charge; "" for none.
            Of the analyst: another's with the same key is another request.
        batch: whether all its releases were declared beforehand, as accountant "pld" needs.
        version: of dpsql.
        data: the digest of their contents, "" for none; for the second place alone, never stored
            in the ledger, where it would tell who reads it whether the data changed.
        epoch: in which the answer will be given again; likewise.
        then: how it may go on: of each way the losses that are to follow. What does not fit with
            all of any one of them is refused now, and not when some of it was charged. They are
            not charged, and not stored.
        least: the least ε of a charge of this analyst, where the account's is not more; likewise.
    """

    sql: str
    releases: str = "[]"
    time: datetime = field(default_factory=lambda: datetime.now(UTC))
    analyst: str = ""
    request: str = ""
    batch: bool = False
    version: str = ""
    data: str = ""
    epoch: str = ""
    then: tuple[tuple[Loss, ...], ...] = ()
    least: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of the ledger.

    Attributes:
        number: 1, 2, 3, …; without gaps, but for lines that were lost and acknowledged.
        entry: what was asked.
        loss: what it was charged.
        spent: everything spent so far in its window, this line included.
        spent_by: the same of its analyst alone.
        window, until: when its window began, and ends; None without windows.
        kind: "charge"; "acknowledged" where the owner accepted damage (what had been lost is its
            loss); "accountant" where the owner chose another accountant; "window" where the owner
            chose another length of windows, or none; "failed" or "interrupted" where a charged
            query ended without an answer; "unlocked" where the owner looked at an analyst's
            failures; "resumed" where an earlier charge was taken up.
        answered: whether its answer is stored.
        hash: of this line and, through the line before it, of all before it.
        note: a JSON text: what the owner decided; "" for a charge.
    """

    number: int
    entry: Entry
    loss: Loss
    spent: Loss
    spent_by: Loss
    window: datetime | None = None
    kind: Kind = "charge"
    answered: bool = False
    hash: str = ""
    note: str = ""
    until: datetime | None = None

    @property
    def cost(self) -> Cost:
        """(ε, δ) of the charge by itself."""
        return self.loss.cost


@dataclass(frozen=True, slots=True)
class Stored:
    """A release's noisy answer, kept for later.

    Attributes:
        key: what it answers: the same for the same release of the same version of the data.
        family: what it can be post-processed into: the same for all releases that count the same
            rows; "" where nothing but the same release can use it.
        body: a JSON text; noisy, never exact.
        number: of the line that paid for it; 0 before it is stored.
        place: which of the releases of that line it is, from 0.
    """

    key: str
    family: str
    body: str = field(repr=False)
    number: int = 0
    place: int = 0


class Ledger(Protocol):
    """An account that charges exactly, and only while the total lasts."""

    @property
    def account(self) -> Account:
        """What the owner decided."""

    @property
    def total(self) -> Cost:
        """What the policy allows altogether."""

    @property
    def loss(self) -> Loss:
        """What was charged so far in the present window, by every way of adding up.

        Raises EngineError if it cannot be read.
        """

    @property
    def spent(self) -> Cost:
        """`loss.cost`. Raises EngineError if it cannot be read."""

    @property
    def remaining(self) -> Cost:
        """The largest further charge that would be granted; see `accountants.remaining`.

        Raises EngineError if it cannot be read.
        """

    def reserve(self, loss: Loss | Cost, entry: Entry, *, wait: float = WAIT) -> int:
        """Charge, durably, and return the number of the line. A cost is `loss.approximate` of it.

        Where the same analyst's same query was charged, and ended before any noise was drawn, that
        charge is taken up: the line costs nothing. See `resumption`, and `paid_by`.

        Args:
            loss: of the query.
            entry: why.
            wait: seconds to wait while as many of the analyst's queries run as may fail; see
                `failures`.

        Raises:
            BudgetExceeded: more than is left of the total, or of a cap of the analyst, with what is
                to follow or without; nothing was charged.
            InvalidBudget: less than the owner allows; nothing was charged.
            RateExceeded: too soon, or too many at once; nothing was charged.
            AnalystLocked: too many charged queries of the analyst failed; nothing was charged.
            RequestExists: a charge with that request key is there already; nothing was charged.
            EngineError: the ledger failed; the query must not run. The charge may stand.
        """

    def refusal(
        self, losses: Sequence[Loss], analyst: str, least: Fraction = Fraction(0)
    ) -> str | None:
        """What `reserve` would say of a charge for its amount; None where it would be made, if
        nobody else is charged meanwhile. Nothing is charged.

        Args:
            losses: of the query, and of those that are to follow it.
            analyst: whose caps hold.
            least: see `Entry`.

        Raises:
            EngineError: it cannot be read.
        """

    def paid_by(self, number: int) -> int:
        """Which charge pays for a line that `reserve` made just now: itself, or an earlier one that
        it takes up.
        """

    def commit(self, number: int, answers: tuple[Stored, ...]) -> None:
        """Keep the answer of a line that `reserve` made; at most once a line. Without answers: note
        that the query came to its end.

        Raises:
            EngineError: it was not kept, and must not be shown; the charge stays.
        """

    def failed(self, number: int, *, interrupted: bool = False, drawn: bool = True) -> None:
        """Note that a charged query ended without an answer; its line gets none any more.

        Args:
            number: of its line.
            interrupted: whether whoever asked stopped it; then it does not lock him.
            drawn: whether noise may have been drawn.

        Raises:
            EngineError: the ledger failed; the line counts as one whose process is over.
        """

    def failures(self) -> Mapping[str, int]:
        """How many charged queries failed since the owner looked, by analyst, where there are any.

        Raises EngineError if they cannot be read.
        """

    def answers(self, number: int) -> tuple[Stored, ...]:
        """What is stored with a line, by place. Raises EngineError if it cannot be read."""

    def find(self, *, key: str = "", family: str = "") -> tuple[Stored, ...]:
        """Stored answers with that key, or of that family, the latest first.

        Raises EngineError if they cannot be read.
        """

    def request(self, key: str, analyst: str = "") -> Charge | None:
        """The charge that an analyst made with that request key: keys are each analyst's own.

        Raises EngineError if it cannot be read.
        """

    def entries(self) -> tuple[Charge, ...]:
        """Every line, oldest first. Raises EngineError if they cannot be read."""
