"""The statements of each call, made once: their parameters are named, and SQLAlchemy remembers how
they are written.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    bindparam,
    exists,
    insert,
    literal_column,
    select,
)

from dpsql.platform.ledger.ledger_tables import EVENTS as _EVENTS
from dpsql.platform.ledger.ledger_tables import PENDING as _PENDING
from dpsql.platform.ledger.ledger_tables import account, answer, charge, identity, seal

_OF: BindParameter[int] = bindparam("of")
_NUMBER: BindParameter[int] = bindparam("line")

ACCOUNT = select(account).where(account.c.id == _OF)
"""An account by its id."""

ACCOUNT_LOCKED = ACCOUNT.with_for_update()
"""The same, and nobody else may go on from its newest line until the transaction ends."""

_named = select(identity.c.account).where(identity.c.identity == bindparam("name"))

NAMED = select(account).where(account.c.id == _named.scalar_subquery())
"""The account of a data set."""

_LINES = select(charge).where(charge.c.account == _OF)
_NEWEST = charge.c.number.desc()

LAST = _LINES.order_by(_NEWEST).limit(1)
"""The newest line."""

LAST_OF = _LINES.where(charge.c.analyst == bindparam("analyst")).order_by(_NEWEST).limit(1)
"""The newest line of an analyst."""

# What partial indexes say is a literal here too: of a parameter it could not be told beforehand.
_EMPTY: ColumnClause[str] = literal_column("''")

# Without a type: a Boolean is written "(…) = 1", which no partial index says.
_event: ColumnClause[Any] = literal_column(f"({_EVENTS})")
_pending: ColumnClause[Any] = literal_column(f"({_PENDING})")
_HIS = (charge.c.account == _OF, charge.c.analyst == bindparam("analyst"))

EVENTS = (
    select(charge.c.number, charge.c.kind, charge.c.note)
    .where(*_HIS, _event, charge.c.number > _NUMBER)
    .order_by(charge.c.number)
)
"""What is noted of an analyst's charges after a line, oldest first."""

OPEN = select(charge.c.number, charge.c.note, charge.c.clock).where(
    *_HIS,
    _pending,
    charge.c.number > _NUMBER,
    ~exists().where(seal.c.account == charge.c.account, seal.c.number == charge.c.number),
)
"""An analyst's charges after a line that have no answer."""

NTH = (
    select(charge.c.clock)
    .where(*_HIS, _pending)
    .order_by(_NEWEST)
    .offset(bindparam("skip"))
    .limit(1)
)
"""When an analyst was charged the time before the last, or so many before that."""

ANALYSTS = (
    select(charge.c.analyst)
    .where(charge.c.account == _OF, _pending)
    .distinct()
    .order_by(charge.c.analyst)
)
"""Who was charged, by name."""

ACCEPTED = (
    _LINES.where(charge.c.kind == literal_column("'acknowledged'")).order_by(_NEWEST).limit(1)
)
"""The last line by which the owner accepted damage."""

LINES = _LINES.where(charge.c.number > _NUMBER).order_by(charge.c.number)
"""The lines after one, oldest first."""

SOME = LINES.limit(1000)
"""The next thousand of them."""

REQUEST = _LINES.where(
    charge.c.analyst == bindparam("analyst"),
    charge.c.request == bindparam("key"),
    charge.c.request != _EMPTY,
)
"""The line with the key of an analyst's request."""

_ONE = (charge.c.account == _OF, charge.c.number == _NUMBER)

ONE = select(charge).where(*_ONE)
"""A line."""

HASH = select(charge.c.hash).where(*_ONE)
"""Of a line."""

ADD = insert(charge)

_SEALS = select(seal.c.place, seal.c.hash).where(seal.c.account == _OF)

LAST_SEAL = _SEALS.order_by(seal.c.place.desc()).limit(1)
"""The newest stored answer."""

SEAL_OF = _SEALS.where(seal.c.number == _NUMBER)
"""That of a line."""

ANSWERED = select(answer.c.number).where(answer.c.account == _OF).distinct()
"""The lines whose answers are stored."""

ADD_SEAL = insert(seal)
ADD_ANSWER = insert(answer)

_ANSWERS = select(answer).where(answer.c.account == _OF)
_LATEST = (answer.c.number.desc(), answer.c.place)

ANSWER_OF = _ANSWERS.where(answer.c.number == _NUMBER).order_by(answer.c.place)
"""A line's answer."""

MANY = 100
"""Stored answers that are looked through, at most: whoever pays for the same again and again must
not make the next query slow."""

ANSWER_BY_KEY = _ANSWERS.where(answer.c.key == bindparam("key")).order_by(*_LATEST).limit(MANY)
"""The latest stored answers with a key, the latest first."""

ANSWER_BY_FAMILY = (
    _ANSWERS.where(answer.c.family == bindparam("family"), answer.c.family != _EMPTY)
    .order_by(*_LATEST)
    .limit(MANY)
)
"""The latest stored answers of a family, the latest first."""
