"""A line of the ledger as it is stored, and the hash that chains it to all lines before it.

Claim: who changes, drops, adds or swaps lines changes the hash of the last one. Why: each hash is
SHA-256 of the line's other columns, the hash of the line before among them, and no two different
lists of columns have the same text. So a hash that was noted elsewhere vouches for all lines up to
it; a chain whose last hash nobody noted can be made anew by whoever can write the file, which is
why there is a witness.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from dpsql.core.account.account import Accountant
from dpsql.core.account.loss import Loss
from dpsql.platform.ledger import ledger_tables
from dpsql.platform.ledger.ledger import Charge, Entry, Kind

COLUMNS = tuple(column.name for column in ledger_tables.charge.columns)
"""The names of what `StoredLine.row` holds, after the account."""

EMPTY = f"0:{sha256(b'').hexdigest()}"
"""`StoredLine.sealed` before any answer is stored."""


@dataclass(frozen=True, slots=True)
class StoredLine:
    """One row, in the order of its columns.

    Attributes:
        number: greater than that of every line before it; by one, but after damage.
        kind: what it says; see `ledger.Charge`.
        time: when it was asked for, by the clock of the process that asked.
        clock: the same, but never before the line before: the ledger's own time.
        sql, releases, analyst, request, batch, version: see `ledger.Entry`; long texts are
            elsewhere, see `stored_texts`.
        note: a JSON text: what the owner decided; which line an event is of; of a charge, whose it
            is (see `holder`), which is not shown.
        accountant, period: by which rule the lines after it add up, and how long a window is.
        since, until: its window; a window without an end is everything.
        loss: what it was charged.
        spent: everything spent in its window, this line included.
        spent_by: the same of its analyst, with all of `lost`.
        lost: how much of `spent` is known to have been spent by lines that are gone.
        sealed: the newest stored answer at that time: its place and hash.
        before: the hash of the line before; of the account if there is none; of all that there was
            where the owner accepted damage.
        hash: of all the above.
    """

    number: int
    kind: Kind
    time: datetime
    clock: datetime
    sql: str
    releases: str
    analyst: str
    request: str
    batch: bool
    version: str
    note: str
    accountant: Accountant
    period: timedelta | None
    since: datetime
    until: datetime | None
    loss: Loss
    spent: Loss
    spent_by: Loss
    lost: Loss
    sealed: str
    before: str
    hash: str = ""

    def row(self, account: int) -> tuple[Any, ...]:
        """The values of `COLUMNS`."""
        losses = (self.loss, self.spent, self.spent_by, self.lost)
        texts = {id(one): one.text() for one in {id(one): one for one in losses}.values()}
        return (
            *(account, self.number, self.kind, self.time.isoformat(), moment_text(self.clock)),
            *(self.sql, self.releases, self.analyst, self.request, int(self.batch), self.version),
            *(self.note, self.accountant, period_text(self.period)),
            *(moment_text(self.since), None if self.until is None else moment_text(self.until)),
            *(texts[id(one)] for one in losses),
            *(self.sealed, self.before, self.hash),
        )

    @classmethod
    def read(cls, row: Sequence[Any]) -> StoredLine:
        """What a row says; whether its hash is right is not asked.

        Raises:
            ValueError: it is no line.
        """
        value = dict(zip(COLUMNS[1:], row[1:], strict=True))
        until = value["until"]
        value |= {name: datetime.fromisoformat(value[name]) for name in ("time", "clock", "since")}
        value["until"] = None if until is None else datetime.fromisoformat(until)
        value |= {name: loss_of(value[name]) for name in ("loss", "spent", "spent_by", "lost")}
        value |= {"batch": bool(value["batch"]), "period": period_of(value["period"])}
        return cls(**value)

    @property
    def _shown_note(self) -> str:
        """Neither whose process it was, nor how far a query came before it failed."""
        if self.kind not in ("failed", "interrupted", "resumed"):
            return "" if self.kind == "charge" else self.note
        try:
            return json.dumps({"line": int(json.loads(self.note)["line"])})
        except (ValueError, TypeError, KeyError):
            return ""

    def charge(self, answered: bool, stored: Mapping[str, str]) -> Charge:
        """What the ledger shows of it.

        Args:
            answered: whether its answer is stored.
            stored: the texts that are not in their lines.
        """
        return Charge(
            self.number,
            Entry(
                stored.get(self.sql, self.sql),
                stored.get(self.releases, self.releases),
                self.time,
                self.analyst,
                self.request,
                self.batch,
                self.version,
            ),
            self.loss,
            self.spent,
            self.spent_by,
            None if self.until is None else self.since,
            self.kind,
            answered,
            self.hash,
            self._shown_note,
            self.until,
        )


def digest(values: Sequence[Any]) -> str:
    """SHA-256 of whole numbers, texts, lists of them and None, written in one way only."""
    return sha256(json.dumps(values, separators=(",", ":")).encode()).hexdigest()


def intact(row: Sequence[Any]) -> bool:
    """Whether a row has the hash that it says."""
    return bool(row[-1] == digest(list(row[1:-1])))


def period_text(period: timedelta | None) -> str | None:
    """A length of time, in microseconds."""
    return None if period is None else str(period // timedelta(microseconds=1))


def period_of(text: str | None) -> timedelta | None:
    """What `period_text` wrote."""
    return None if text is None else timedelta(microseconds=int(text))


@lru_cache(maxsize=256)
def loss_of(text: str) -> Loss:
    """What `Loss.text` wrote."""
    return Loss.parse(text)


def moment_text(time: datetime) -> str:
    """A moment, so that later ones are greater texts."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")
