"""The ledger, on any database: reserve, keep the answer, look back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from json import dumps
from logging import NullHandler, getLogger
from time import monotonic, sleep
from typing import Any, Literal, TypeVar

from sqlalchemy.engine import Connection

from dpsql.accounting import (
    accountants,
    accounts,
    failures,
    flooding,
    granting,
    history,
    holder,
    queries,
    resuming,
    windows,
)
from dpsql.accounting import answers as stored_answers
from dpsql.accounting import texts as stored_texts
from dpsql.accounting.account import Account, Accountant
from dpsql.accounting.amount import Cost
from dpsql.accounting.damage import ELSEWHERE, tampered
from dpsql.accounting.granting import Head
from dpsql.accounting.ledger import WAIT, Charge, Entry, Kind, Stored
from dpsql.accounting.lines import Line, period_text
from dpsql.accounting.loss import NOTHING, Loss, approximate
from dpsql.accounting.store import Store
from dpsql.accounting.verify import last_accepted, read, readable
from dpsql.accounting.witness import Seen, Witness
from dpsql.errors import DpsqlError, EngineError, RateExceeded, RequestExists

T = TypeVar("T")
L = TypeVar("L", Line, Line | None)

_LOG = getLogger("dpsql.owner")
"""The owner's log; see `engine.ownerlog`. An analyst's handlers must not see it."""
_LOG.propagate = False
_LOG.addHandler(NullHandler())  # or logging.lastResort would print to stderr

LONGEST = 500
"""The most characters of an analyst's name, a request's key, or an answer's: they are indexed."""


class SqlLedger:
    """An account in a store, made if there is none; see `ledger.Ledger`.

    All of it is verified when it is opened; each later call verifies the newest line, and that the
    line that this process or the witness has seen is still there.

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
        self._account = account if isinstance(account, Account) else Account(account)
        windows.check(self._account.window)
        self._store, self._witness = store, witness
        self._made, head = accounts.opened(store, self._account, witness)
        self._seen = accounts.seen_of(head)
        self._data = ("", "")
        self._paid: dict[int, int] = {}
        if rule:
            _check_rule(self._account, head)
        if head.period != self._account.window:
            self._note("window", {"window": period_text(self._account.window)})

    @property
    def account(self) -> Account:
        """What the owner decided."""
        return self._account

    @property
    def total(self) -> Cost:
        """What the policy allows altogether."""
        return self._account.total

    @property
    def loss(self) -> Loss:
        """What was charged so far in the present window, by every process."""
        return self._read(lambda _, head: head.at(datetime.now(UTC)).spent)

    @property
    def spent(self) -> Cost:
        """`loss.cost`."""
        return self.loss.cost

    @property
    def remaining(self) -> Cost:
        """The largest further charge that would be granted."""
        return accountants.remaining(self._account.accountant, self.total, self.loss)

    def reserve(self, loss: Loss | Cost, entry: Entry, *, wait: float = WAIT) -> int:
        """Charge, durably, and return the number of the line. A cost is `loss.approximate` of it.

        Where the same analyst's same query was charged, and ended before any noise was drawn, that
        charge is taken up: the line costs nothing. See `resuming`, and `paid_by`.

        Args:
            loss: of the query.
            entry: why.
            wait: seconds to wait while as many of the analyst's queries run as may fail.

        Raises:
            BudgetExceeded: more than is left of the total, or of a cap of the analyst; nothing was
                charged.
            InvalidBudget: less than the owner allows; nothing was charged.
            RateExceeded: too soon, or too many at once; nothing was charged.
            AnalystLocked: too many charged queries of the analyst failed; nothing was charged.
            RequestExists: a charge with that request key is there already; nothing was charged.
            LedgerTampered: it is not what it was, or the data were charged for elsewhere.
            EngineError: the ledger failed; the query must not run. The charge may stand.
        """
        asked = loss if isinstance(loss, Cost) else loss.cost
        exact = (approximate(loss) if isinstance(loss, Cost) else loss).rounded_up()
        _check_texts(entry.analyst, entry.request)
        flooding.check_size(self._account, asked)

        def work(connection: Connection, head: Head) -> Line | None:
            opened = self._account.failures is not None
            past = history.of(connection, self._made, entry.analyst, opened=opened)
            busy.append(failures.check(past, self._made, self._account, entry.analyst))
            if busy[-1]:
                return None
            _check_rule(self._account, head)
            if head.period != self._account.window:
                raise EngineError("the ledger has other windows by now; open it again; refused")
            latest = partial(accounts.latest, connection, self._made)
            period = self._account.window
            found = resuming.unfinished(connection, past, self._made, self._account, entry, exact)
            of = {"of": self._made[0], "analyst": entry.analyst, "key": entry.request}
            same = connection.execute(queries.REQUEST, of).first() if entry.request else None
            if found is not None:
                earlier, paid = found
                note = dumps({"by": holder.mine(), "line": earlier.number})
                known = replace(entry, request="") if same is not None else entry
                line = granting.following(
                    head, known, NOTHING, latest, kind="resumed", note=note, period=period
                )
                mine = same is None or same.number == paid.number
                if mine and line.since == paid.since:
                    flooding.check_rate(connection, self._made[0], self._account, line)
                    taken.append(paid.number)
                    return line
            if same is not None:
                raise RequestExists(
                    "a request with this key was charged before; it has no answer to give again"
                )
            note = dumps({"by": holder.mine()})
            line = granting.following(head, entry, exact, latest, note=note, period=period)
            flooding.check_rate(connection, self._made[0], self._account, line)
            granting.check(self._account, line, asked, latest)
            return line

        taken: list[int] = []
        busy: list[str] = []
        begun: list[Line] = []
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

    def paid_by(self, number: int) -> int:
        """Which charge pays for a line that `reserve` made just now: itself, or an earlier one that
        it takes up.
        """
        return self._paid.pop(number, number)

    def commit(self, number: int, answers: tuple[Stored, ...]) -> None:
        """Keep the answer of a line that `reserve` made; at most once a line. Without answers: note
        that the query came to its end.

        An answer of more than `answers.KEPT` characters is not kept, which is no error.

        Raises:
            EngineError: it was not kept, and must not be shown; the charge stays.
        """
        if sum(len(one.body) for one in answers) > stored_answers.KEPT:
            answers = ()
        for one in answers:
            _check_texts(one.key, one.family)

        def work(connection: Connection) -> None:
            accounts.head(connection, self._made, seen, lock=True)
            stored_answers.keep(connection, self._made[0], number, answers)

        with self._held():
            seen = self._seen_so_far()
            self._store.write(work)
        holder.end(self._made[1], number)

    def failed(self, number: int, *, interrupted: bool = False, drawn: bool = True) -> None:
        """Note that a charged query ended without an answer; its line gets none any more.

        Args:
            number: of its line.
            interrupted: whether whoever asked stopped it; then it does not lock him.
            drawn: whether noise may have been drawn.

        Raises:
            EngineError: the ledger failed; the line counts as one whose process is over.
        """
        # First: if nothing can be noted, it is a query of a process that does not run it any more.
        holder.end(self._made[1], number)

        def work(connection: Connection, head: Head) -> Line | None:
            of = {"of": self._made[0], "line": number}
            if connection.execute(queries.SEAL_OF, of).first() is not None:
                return None  # it has its answer: whoever waited for it was stopped later
            row = connection.execute(queries.ONE, of).first()
            line = None if row is None else readable(row)
            if line is None:
                return None
            note = dumps({"line": number, "drawn": drawn})
            kind: Kind = "interrupted" if interrupted else "failed"
            return self._event(connection, head, kind, line.analyst, note)

        self._append(work)

    def _withdraw(self, line: Line) -> None:
        """Note that a charge that may have been made came to nothing: it tells nothing, since
        nobody was told that it was made, and nothing was read for it.
        """

        def work(connection: Connection, head: Head) -> Line | None:
            there = {"of": self._made[0], "line": line.number}
            found = connection.execute(queries.HASH, there).scalar()
            if found in (None, line.hash):  # or it is another's, who runs
                holder.end(self._made[1], line.number)
            if found != line.hash:
                return None
            note = dumps({"line": line.number, "drawn": False})
            return self._event(connection, head, "interrupted", line.analyst, note)

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

        def work(connection: Connection, head: Head) -> Line:
            nonlocal found
            past = history.of(connection, self._made, analyst)
            found, _ = failures.count(past, self._made, self._account.longest)
            note = dumps({"failures": found})
            return self._event(connection, head, "unlocked", analyst, note)

        self._append(work)
        return found

    def failures(self) -> dict[str, int]:
        """How many charged queries failed since the owner looked, by analyst, where there are any.

        Raises EngineError if they cannot be read.
        """
        longest = self._account.longest
        return self._read(lambda c, _: failures.every(c, self._made, longest))

    def _check_data(self, data: str, epoch: str) -> None:
        """Refuse data that another ledger was charged for; remember that this one is.

        Raises:
            LedgerTampered: another ledger was; the owner may accept that.
            EngineError: the second place cannot be read or written.
        """
        if self._witness is None or (data, epoch) == self._data:
            return
        identity, uuid = self._account.identity, self._made[1]
        known = self._witness.charged_for(data, identity)
        if known is None:
            self._witness.put_data(data, identity, uuid)
        elif known != uuid:
            raise tampered(ELSEWHERE)
        if self._witness.changed_within(uuid, epoch, data):
            _LOG.warning(
                "the data changed within the epoch %r: answers that are given again are of older "
                "data until budget.epoch in the policy is another one",
                epoch,
            )
        self._data = data, epoch

    def _event(
        self, connection: Connection, head: Head, kind: Kind, analyst: str, note: str
    ) -> Line:
        """A line about earlier ones, which costs nothing."""
        latest = partial(accounts.latest, connection, self._made)
        entry = Entry("", analyst=analyst)
        return granting.following(
            head, entry, NOTHING, latest, kind=kind, note=note, period=head.period
        )

    def answers(self, number: int) -> tuple[Stored, ...]:
        """What is stored with a line, by place. Raises EngineError if it cannot be read."""

        def work(connection: Connection, _: Head) -> tuple[Stored, ...]:
            found = stored_answers.of_line(connection, self._made[0], number)
            row = connection.execute(queries.ONE, {"of": self._made[0], "line": number}).first()
            line = None if found or row is None else readable(row)
            if line is None:
                return found
            return stored_answers.of_line(connection, self._made[0], self._last(connection, line))

        return self._read(work)

    def _last(self, connection: Connection, line: Line) -> int:
        """The line that finished what a line began, or is to: itself, if none took it up."""
        number = line.number
        for kind, note in history.events(connection, self._made[0], line.analyst, number):
            if kind == "resumed" and note.get("line") == number:
                number = int(note["number"])
        return number

    def find(self, *, key: str = "", family: str = "") -> tuple[Stored, ...]:
        """Stored answers with that key, or of that family, the latest first.

        Raises EngineError if they cannot be read.
        """
        return self._read(lambda c, _: stored_answers.search(c, self._made[0], key, family))

    def request(self, key: str, analyst: str = "") -> Charge | None:
        """The charge that an analyst made with that request key. Raises EngineError if it cannot be
        read.
        """

        def work(connection: Connection, _: Head) -> Charge | None:
            of = {"of": self._made[0], "analyst": analyst, "key": key}
            row = connection.execute(queries.REQUEST, of).first()
            line = None if row is None else readable(row)
            if line is None:
                return None
            last = self._last(connection, line)
            answered = bool(stored_answers.of_line(connection, self._made[0], last))
            stored = stored_texts.of(connection, self._made[0], line.sql, line.releases)
            return line.charge(answered, stored)

        return self._read(work) if key else None

    def entries(self) -> tuple[Charge, ...]:
        """Every line, oldest first; without those that the owner accepted and nobody can read.

        Raises EngineError if they cannot be read.
        """

        def work(connection: Connection, _: Head) -> tuple[Charge, ...]:
            of = {"of": self._made[0], "line": 0}
            answered = set(connection.execute(queries.ANSWERED, of).scalars())
            accepted = last_accepted(connection, self._made[0])
            after = 0 if accepted is None else accepted[1]
            rows = connection.execute(queries.LINES, of)
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
            self._note("accountant", {"accountant": kind})
        self._account = replace(self._account, accountant=kind)

    def _note(self, kind: Literal["accountant", "window"], decided: dict[str, Any]) -> None:
        """A line that says what the owner decided."""

        def work(connection: Connection, head: Head) -> Line:
            latest = partial(accounts.latest, connection, self._made)
            period = self._account.window if kind == "window" else head.period
            rule = decided.get("accountant")
            rest: dict[str, Any] = {"period": period, "accountant": rule, "note": dumps(decided)}
            return granting.following(head, Entry(""), NOTHING, latest, kind=kind, **rest)

        self._append(work)

    def _append(self, made: Callable[[Connection, Head], L], begun: list[Line] | None = None) -> L:
        """A line more, durably, in the ledger and then in the second place; or none.

        Args:
            made: the line after that one.
            begun: gets the line before it is committed, where this process runs a query for it.
        """

        def work(connection: Connection) -> L:
            head = accounts.head(connection, self._made, seen, lock=True)
            place, hashed = stored_answers.newest(connection, self._made[0])
            line = made(connection, replace(head, sealed=f"{place}:{hashed}"))
            if line is None:
                return line
            stored_texts.keep(connection, self._made[0], line.sql, line.releases)
            sql, releases = map(stored_texts.reference, (line.sql, line.releases))
            line = replace(line, sql=sql, releases=releases).hashed()
            accounts.add(connection, queries.ADD, [line.row(self._made[0])])
            there = {"of": self._made[0], "line": line.number}
            if connection.execute(queries.HASH, there).scalar() != line.hash:
                raise EngineError("the ledger does not keep its lines; refused")
            if begun is not None:
                begun.append(line)
                holder.begin(self._made[1], line.number)
            return line

        # The second place first: if it cannot be had, nothing is charged.
        with self._held():
            seen: list[Seen] = self._seen_so_far()
            line = self._store.write(work)
            if line is not None:
                self._remember(Head.of(line))
        return line

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Nobody else on this machine writes meanwhile; a state that was verified, and what is
        written now, is one as well (see `witness`).
        """
        if self._witness is None:
            yield
            return
        with self._witness.held(self._made[1]):
            state = self._store.state()
            verified = bool(state) and self._witness.verified(self._made[1]) == state
            yield
            if verified and (after := self._store.state()) not in ("", state):
                self._witness.put_verified(self._made[1], after)

    def _read(self, work: Callable[[Connection, Head], T]) -> T:
        seen = self._seen_so_far()
        return self._store.read(lambda c: work(c, accounts.head(c, self._made, seen)))

    def _seen_so_far(self) -> list[Seen]:
        """What the ledger must have; asked before the ledger is."""
        if self._witness is None:
            return [self._seen]
        other = self._witness.seen(self._made[1])
        return [self._seen] if other in (None, self._seen) else [self._seen, other]

    def _remember(self, head: Head) -> None:
        self._seen = accounts.seen_of(head)
        if self._witness is None:
            return
        newer = self._witness.advance(self._made[1], self._seen, held=True)
        if newer is not None:  # another process was quicker; or another copy was charged
            self._store.read(lambda c: accounts.head(c, self._made, [newer]))


def _check_rule(account: Account, head: Head) -> None:
    if account.accountant != head.accountant:
        raise EngineError(
            f"the ledger adds up by {head.accountant}, not {account.accountant}; the owner may "
            f"change that: dpsql budget DATA accountant {account.accountant}; refused"
        )


def _check_texts(*texts: str) -> None:
    if any(len(text) > LONGEST for text in texts):
        raise EngineError(f"the ledger keeps names and keys of {LONGEST} characters; refused")
