"""The ledger, on any database: reserve, keep the answer, look back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from json import dumps
from logging import NullHandler, getLogger
from time import monotonic, sleep

from dpsql.core.account import accountants
from dpsql.core.account.account import Account, Accountant, Cap
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import Loss, approximate
from dpsql.errors import (
    BudgetExceeded,
    DpsqlError,
    EngineError,
    InvalidArgument,
    InvalidBudget,
    RateExceeded,
    RequestExists,
)
from dpsql.platform.ledger import (
    accounts,
    admission,
    conduct,
    failures,
    holder,
    resumption,
    selects,
    stored_answers,
    stored_texts,
)
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.journal import Journal
from dpsql.platform.ledger.ledger import (
    ELSEWHERE,
    LONGEST,
    WAIT,
    Charge,
    Entry,
    Kind,
    Stored,
    tampered,
)
from dpsql.platform.ledger.lines import StoredLine, period_text
from dpsql.platform.ledger.store import Store
from dpsql.platform.ledger.verify import last_accepted, line_at, read, readable
from dpsql.platform.ledger.witness import Witness, content_place

_LOG = getLogger("dpsql.owner")
"""The owner's log; see `engine.ownerlog`. An analyst's handlers must not see it."""
_LOG.propagate = False
_LOG.addHandler(NullHandler())  # or logging.lastResort would print to stderr


class SqlLedger(Journal):
    """An account in a store, made if there is none; see `ledger.Ledger`.

    Args:
        store: where it is.
        account: what the owner decided; a bare cost is a total and nothing else.
        witness: the second place; None for an account that lives no longer than its process.
        rule: whether the account must be one that adds up by `account.accountant`.

    Raises:
        LedgerTampered: it is not what it was.
        EngineError: it cannot be opened, or adds up by another rule.
        InvalidBudget: the account is none.
    """

    def __init__(
        self,
        store: Store,
        account: Account | Cost,
        witness: Witness | None = None,
        *,
        rule: bool = True,
    ) -> None:
        super().__init__(store, account, witness)
        self._data = ("", "")
        self._paid: dict[int, int] = {}
        if rule:
            _check_rule(self._account, self._opened)
        if self._opened.period != self._account.window:
            self._note("window", period_text(self._account.window))

    @property
    def account(self) -> Account:
        """See `Ledger`."""
        return self._account

    @property
    def total(self) -> Cost:
        """See `Ledger`."""
        return self._account.total

    @property
    def loss(self) -> Loss:
        """See `Ledger`."""
        return self._read(lambda _, head: head.at(datetime.now(UTC)).spent)

    @property
    def spent(self) -> Cost:
        """See `Ledger`."""
        return self.loss.cost

    @property
    def remaining(self) -> Cost:
        """See `Ledger`."""
        return accountants.remaining(self._account.accountant, self.total, self.loss)

    def reserve(self, loss: Loss | Cost, entry: Entry, *, wait: float = WAIT) -> int:
        """See `Ledger`.

        Raises:
            LedgerTampered: it is not what it was, or the data were charged for elsewhere.
        """
        asked = loss if isinstance(loss, Cost) else loss.cost
        exact = (approximate(loss) if isinstance(loss, Cost) else loss).rounded_up()
        if max(len(entry.analyst), len(entry.request)) > LONGEST:
            raise InvalidArgument(f"an analyst's name and a key have {LONGEST} characters at most")
        admission.check_size(self._account, entry, asked)

        def work(connection: Connection, head: Head) -> StoredLine | None:
            opened = self._account.failures is not None
            past = conduct.of(connection, self._made, head, entry.analyst, opened=opened)
            busy.append(failures.check(past, self._made, self._account, entry.analyst))
            if busy[-1]:
                return None
            _check_rule(self._account, head)
            if head.period != self._account.window:
                raise EngineError("the ledger has other windows by now; open it again; refused")
            latest = partial(accounts.latest, connection, self._made, head)
            period = self._account.window
            found = resumption.unfinished(connection, past, self._made, self._account, entry, exact)
            of = {"of": self._made[0], "analyst": entry.analyst, "key": entry.request}
            same = connection.execute(selects.REQUEST, of).first() if entry.request else None
            if found is not None:
                earlier, paid = found
                note = dumps({"by": holder.mine(), "line": earlier.number})
                known = replace(entry, request="") if same is not None else entry
                line = self._following(
                    connection, head, known, kind="resumed", note=note, period=period
                )
                mine = same is None or same.number == paid.number
                if mine and line.since == paid.since:
                    admission.check_rate(connection, self._made[0], self._account, line)
                    taken.append(paid.number)
                    return line
            if same is not None:
                raise RequestExists(
                    "a request with this key was charged before; it has no answer to give again"
                )
            note = dumps({"by": holder.mine()})
            made = partial(admission.following, head, entry, latest=latest, period=period)
            line = made(exact, note=note)
            more = max(map(len, entry.then), default=0)
            admission.check_rate(connection, self._made[0], self._account, line, more)
            admission.check(self._account, line, asked, latest)
            admission.check_ways(
                self._account, entry, asked, latest, lambda later: made(exact + later)
            )
            return line

        taken: list[int] = []
        busy: list[str] = []
        begun: list[StoredLine] = []
        if entry.data:
            self._check_data(entry.data, entry.epoch)
        until, pause = monotonic() + wait, 0.002
        try:
            while (line := self._append(work, begun)) is None:
                if monotonic() + pause > until:
                    raise RateExceeded(busy[-1])
                sleep(pause)
                pause = min(1.5 * pause, 0.2)
            if taken:
                self._paid[line.number] = taken[-1]
            return line.number
        except BaseException as error:
            # Ctrl-C, mostly. Whether it came before COMMIT cannot be told from here.
            if not isinstance(error, Exception):
                error.__traceback__ = None  # its frames may hold locks, of a `with` it came into
            for one in begun:
                self._withdraw(one)
            raise

    def refusal(
        self, losses: Sequence[Loss], analyst: str, least: Fraction = Fraction(0)
    ) -> str | None:
        """See `Ledger`."""
        first, *rest = losses
        ways = (tuple(rest),) if rest else ()
        entry = Entry("", analyst=analyst, batch=True, then=ways, least=least)
        asked, exact = first.cost, first.rounded_up()

        def work(connection: Connection, head: Head) -> None:
            latest = partial(accounts.latest, connection, self._made, head)
            period = self._account.window
            made = partial(admission.following, head, entry, latest=latest, period=period)
            admission.check(self._account, made(exact), asked, latest)
            admission.check_ways(
                self._account, entry, asked, latest, lambda later: made(exact + later)
            )

        try:
            admission.check_size(self._account, entry, asked)
            self._read(work)
        except (BudgetExceeded, InvalidBudget) as refused:
            return str(refused)
        return None

    def paid_by(self, number: int) -> int:
        """See `Ledger`."""
        return self._paid.pop(number, number)

    def commit(self, number: int, answers: tuple[Stored, ...]) -> None:
        """See `Ledger`. What is longer than `stored_answers.KEPT` is not kept: no error."""
        if sum(len(one.body) for one in answers) > stored_answers.KEPT:
            answers = ()
        for one in answers:
            _check_texts(one.key, one.family)

        def work(connection: Connection) -> None:
            head = accounts.head(connection, self._made, seen, lock=True)
            stored_answers.keep(connection, self._made[0], head, number, answers)

        with self._held():
            seen = self._seen_so_far()
            self._store.write(work)
        holder.end(self._made[1], number)

    def failed(self, number: int, *, interrupted: bool = False, drawn: bool = True) -> None:
        """See `Ledger`."""
        # First: if nothing can be noted, it is a query of a process that does not run it any more.
        holder.end(self._made[1], number)

        def work(connection: Connection, head: Head) -> StoredLine | None:
            of = {"of": self._made[0], "line": number}
            if connection.execute(selects.SEAL_OF, of).first() is not None:
                return None  # it has its answer: whoever waited for it was stopped later
            line = line_at(connection, self._made[0], number)
            if line is None:
                return None
            kind: Kind = "interrupted" if interrupted else "failed"
            return self._event(connection, head, kind, line.analyst, line=number, drawn=drawn)

        self._append(work)

    def _withdraw(self, line: StoredLine) -> None:
        """Note that a charge that may have been made came to nothing: it tells nothing, since
        nobody was told that it was made, and nothing was read for it.
        """

        def work(connection: Connection, head: Head) -> StoredLine | None:
            there = {"of": self._made[0], "line": line.number}
            found = connection.execute(selects.HASH, there).scalar()
            if found in (None, line.hash):  # or it is another's, who runs
                holder.end(self._made[1], line.number)
            if found != line.hash:
                return None
            said = {"line": line.number, "drawn": False}
            return self._event(connection, head, "interrupted", line.analyst, **said)

        try:
            self._append(work)
        except BaseException as problem:  # then it counts as one that failed
            holder.end(self._made[1], line.number)
            if not isinstance(problem, DpsqlError):
                raise  # a second Ctrl-C

    def unlock(self, analyst: str) -> int:
        """The owner has looked at an analyst's failures; returns how many there were.

        Raises:
            EngineError: the ledger failed.
        """
        found = 0

        def work(connection: Connection, head: Head) -> StoredLine:
            nonlocal found
            past = conduct.of(connection, self._made, head, analyst)
            found, _ = failures.count(past, self._made, self._account.longest)
            return self._event(connection, head, "unlocked", analyst, failures=found)

        self._append(work)
        return found

    def failures(self) -> dict[str, int]:
        """See `Ledger`."""
        longest = self._account.longest
        return self._read(lambda c, head: failures.every(c, self._made, head, longest))

    def _check_data(self, data: str, epoch: str) -> None:
        """Refuse data that another ledger was charged for; remember that this one is.

        Raises:
            LedgerTampered: another ledger was; the owner may accept that.
            EngineError: the second place cannot be read or written.
        """
        if self._witness is None or (data, epoch) == self._data:
            return
        place, uuid = content_place(data, self._account.identity), self._made[1]
        known = self._witness.account_at(place)
        if known is None:
            self._witness.put(place, uuid)
        elif known != uuid:
            raise tampered(ELSEWHERE)
        if self._witness.changed_within(uuid, epoch, data):
            _LOG.warning(
                "the data changed within the epoch %r: answers that are given again are of older "
                "data until budget.epoch in the policy is another one",
                epoch,
            )
        self._data = data, epoch

    def answers(self, number: int) -> tuple[Stored, ...]:
        """See `Ledger`."""

        def work(connection: Connection, _: Head) -> tuple[Stored, ...]:
            found = stored_answers.of_line(connection, self._made[0], number)
            line = None if found else line_at(connection, self._made[0], number)
            if line is None:
                return found
            return stored_answers.of_line(connection, self._made[0], self._last(connection, line))

        return self._read(work)

    def _last(self, connection: Connection, line: StoredLine) -> int:
        """The line that finished what a line began, or is to: itself, if none took it up."""
        number = line.number
        for kind, note in conduct.events(connection, self._made[0], line.analyst, number):
            if kind == "resumed" and note.get("line") == number:
                number = int(note["number"])
        return number

    def find(self, *, key: str = "", family: str = "") -> tuple[Stored, ...]:
        """See `Ledger`."""
        return self._read(lambda c, _: stored_answers.search(c, self._made[0], key, family))

    def request(self, key: str, analyst: str = "") -> Charge | None:
        """See `Ledger`."""

        def work(connection: Connection, _: Head) -> Charge | None:
            of = {"of": self._made[0], "analyst": analyst, "key": key}
            row = connection.execute(selects.REQUEST, of).first()
            line = None if row is None else readable(row)
            if line is None:
                return None
            last = self._last(connection, line)
            answered = bool(stored_answers.of_line(connection, self._made[0], last))
            stored = stored_texts.of(connection, self._made[0], line.sql, line.releases)
            return line.charge(answered, stored)

        return self._read(work) if key else None

    def entries(self) -> tuple[Charge, ...]:
        """See `Ledger`; without those that the owner accepted and nobody can read."""

        def work(connection: Connection, _: Head) -> tuple[Charge, ...]:
            of = {"of": self._made[0], "line": 0}
            answered = set(connection.execute(selects.ANSWERED, of).scalars())
            accepted = last_accepted(connection, self._made[0])
            after = 0 if accepted is None else accepted[1]
            rows = connection.execute(selects.LINES, of)
            lines = (read(row) if row.number >= after else readable(row) for row in rows)
            stored = stored_texts.every(connection, self._made[0])
            return tuple(
                line.charge(line.number in answered, stored) for line in lines if line is not None
            )

        return self._read(work)

    def change_accountant(self, kind: Accountant) -> None:
        """From now on losses add up by another rule; what was spent is kept by every rule.

        An owner's act, and a line of the ledger. Does nothing if that is the rule.

        Raises:
            InvalidBudget: the total is none by that rule.
            EngineError: the ledger failed.
        """
        accountants.check(kind, self.total)
        if self._read(lambda _, head: head.accountant) != kind:
            self._note("accountant", kind)
        self._account = replace(self._account, accountant=kind)

    def bind(self, caps: Iterable[Cap]) -> None:
        """From now on these caps bind analysts, and no others; what was spent is known as before.

        An owner's act of this process alone: caps are no part of the ledger.
        """
        self._account = replace(self._account, caps=tuple(caps))


def _check_rule(account: Account, head: Head) -> None:
    if account.accountant != head.accountant:
        raise EngineError(
            f"the ledger adds up by {head.accountant}, not {account.accountant}; the owner may "
            f"change that: dpsql budget DATA accountant {account.accountant}; refused"
        )


def _check_texts(*texts: str) -> None:
    if any(len(text) > LONGEST for text in texts):
        raise EngineError(f"the ledger keeps names and keys of {LONGEST} characters; refused")
