"""The chain of lines that a ledger is: a line more, durably, in the store and in the second place.

Claim: no line is added to a ledger that is not the one which was verified. Why: all of it is
verified when it is opened; each later call verifies, under the lock of the account, the newest
line, and that the line that this process or the witness has seen is still there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from json import dumps
from typing import Any, Literal, TypeVar

from dpsql.core.account import windows
from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.core.account.loss import NOTHING
from dpsql.errors import EngineError
from dpsql.platform.ledger import accounts, admission, holder, selects, stored_answers, stored_texts
from dpsql.platform.ledger.admission import Head
from dpsql.platform.ledger.connection import Connection
from dpsql.platform.ledger.ledger import Entry, Kind
from dpsql.platform.ledger.lines import StoredLine
from dpsql.platform.ledger.store import Store
from dpsql.platform.ledger.witness import Seen, Witness

T = TypeVar("T")
L = TypeVar("L", StoredLine, StoredLine | None)


class Journal:
    """The lines of one account; see `sql_ledger.SqlLedger` for what they say.

    Args:
        store: where it is.
        account: what the owner decided; a bare cost is a total and nothing else.
        witness: the second place; None for an account that lives no longer than its process.

    Raises:
        LedgerTampered: it is not what it was.
        EngineError: it cannot be opened.
        InvalidBudget: the account is none.
    """

    def __init__(
        self, store: Store, account: Account | Cost, witness: Witness | None = None
    ) -> None:
        self._account = account if isinstance(account, Account) else Account(account)
        windows.check(self._account.window)
        self._store, self._witness = store, witness
        self._made, self._opened = accounts.opened(store, self._account, witness)
        self._seen = accounts.seen_of(self._opened)

    def _following(
        self, connection: Connection, head: Head, entry: Entry, **what: Any
    ) -> StoredLine:
        """A line that costs nothing; see `admission.following`."""
        latest = partial(accounts.latest, connection, self._made, head)
        return admission.following(head, entry, NOTHING, latest, **what)

    def _event(
        self, connection: Connection, head: Head, kind: Kind, analyst: str, **note: object
    ) -> StoredLine:
        """A line about earlier ones."""
        entry, said = Entry("", analyst=analyst), dumps(note)
        return self._following(connection, head, entry, kind=kind, note=said, period=head.period)

    def _note(self, kind: Literal["accountant", "window"], decided: str | None) -> None:
        """A line that says what the owner decided."""

        def work(connection: Connection, head: Head) -> StoredLine:
            changed = {"accountant": decided} if kind == "accountant" else {}
            rest = {"period": self._account.window if kind == "window" else head.period, **changed}
            note = dumps({kind: decided})
            return self._following(connection, head, Entry(""), kind=kind, note=note, **rest)

        self._append(work)

    def _append(
        self, made: Callable[[Connection, Head], L], begun: list[StoredLine] | None = None
    ) -> L:
        """A line more, durably, in the ledger and then in the second place; or none.

        Args:
            made: the line after that one.
            begun: gets the line before it is committed, where this process runs a query for it.
        """

        def work(connection: Connection) -> L:
            head = accounts.head(connection, self._made, seen, lock=True)
            place, hashed = stored_answers.newest(connection, self._made[0], head)
            line = made(connection, replace(head, sealed=f"{place}:{hashed}"))
            if line is None:
                return line
            stored_texts.keep(connection, self._made[0], line.sql, line.releases)
            sql, releases = map(stored_texts.reference, (line.sql, line.releases))
            line = replace(line, sql=sql, releases=releases)
            line = accounts.append(connection, self._made, line)
            there = {"of": self._made[0], "line": line.number}
            if connection.execute(selects.HASH, there).scalar() != line.hash:
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
