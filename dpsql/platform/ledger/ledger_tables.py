"""What a store holds: accounts, the names they go by, their lines, and the answers beside them.

Every value is a whole number or a text; amounts are texts of exact fractions. Rows are only ever
added; each database also forbids by triggers that one is changed or deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

FORMAT = 4
"""Of the tables and of what their columns mean. Format 1 had neither hashes nor accounts. Format 2
had each text in its line, and no events; in format 3 a request's key was the account's, and not
each analyst's own. Those two are brought up when they are opened, and their lines stay."""

BEFORE = (2, 3)
"""The formats that can be brought up."""

_metadata = MetaData()
_Whole = BigInteger().with_variant(Integer(), "sqlite")  # STRICT tables know no BIGINT


def _table(
    name: str, *columns: Column[int] | Column[str] | UniqueConstraint, since: int = 2
) -> Table:
    return Table(name, _metadata, *columns, sqlite_strict=True, info={"since": since})


def _whole(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, _Whole, primary_key=key, autoincrement=False, nullable=False)


def _text(name: str, *, key: bool = False, empty: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=empty)


account = _table(
    "account",
    _whole("id", key=True),
    _text("uuid"),
    _text("identity"),
    _text("accountant"),
    _text("period", empty=True),
    _text("created"),
)
"""An account as it was made. Its digest is what the first line's `before` is."""

identity = _table(
    "identity",
    _text("identity", key=True),
    _whole("account"),
    _whole("number"),
)
"""Each data set's account, and the number of the line that said so; 0 as the account was made."""

charge = _table(
    "charge",
    _whole("account", key=True),
    _whole("number", key=True),
    _text("kind"),
    _text("time"),
    _text("clock"),
    _text("sql"),
    _text("releases"),
    _text("analyst"),
    _text("request"),
    _whole("batch"),
    _text("version"),
    _text("note"),
    _text("accountant"),
    _text("period", empty=True),
    _text("since"),
    _text("until", empty=True),
    _text("loss"),
    _text("spent"),
    _text("spent_by"),
    _text("lost"),
    _text("sealed"),
    _text("before"),
    _text("hash"),
)
"""The lines; see `lines.StoredLine`."""

seal = _table(
    "seal",
    _whole("account", key=True),
    _whole("place", key=True),
    _whole("number"),
    _text("hash"),
    UniqueConstraint("account", "number"),
)
"""That a line's answer was stored: the chain of answers, apart from that of lines."""

answer = _table(
    "answer",
    _whole("account", key=True),
    _whole("number", key=True),
    _whole("place", key=True),
    _text("key"),
    _text("family"),
    _text("digest"),
    _text("body"),
)
"""The stored answers."""

words = _table(
    "words",
    _whole("account", key=True),
    _text("digest", key=True),
    _text("body"),
    since=3,
)
"""The texts of lines that are long, each once; see `stored_texts`."""

TABLES = (account, identity, charge, seal, answer, words)

NOTED = ("failed", "interrupted", "unlocked", "resumed")
"""Kinds of lines: see `EVENTS`."""

EVENTS = f"kind IN {NOTED}"
"""Of lines: what is known of how earlier ones ended, and what the owner made of that."""

PENDING = "kind IN ('charge', 'resumed') AND note <> ''"
"""Of lines: those that an answer is due to."""


def _index(name: str, *columns: Column[int] | Column[str], only: str = "", since: int = 2) -> Index:
    where = text(only) if only else None
    unique = name == "charge_request_of"
    made = Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)
    made.info["since"] = since
    return made


_HIS = (charge.c.account, charge.c.analyst)

INDEXES = (
    _index("charge_analyst", *_HIS, charge.c.number),
    _index("charge_accepted", charge.c.account, charge.c.number, only="kind = 'acknowledged'"),
    _index("answer_key", answer.c.account, answer.c.key, answer.c.number),
    _index(
        "answer_family", answer.c.account, answer.c.family, answer.c.number, only="family <> ''"
    ),
    _index("charge_event", *_HIS, charge.c.number, only=EVENTS, since=3),
    _index("charge_pending", *_HIS, charge.c.number, only=PENDING, since=3),
    _index("charge_request_of", *_HIS, charge.c.request, only="request <> ''", since=4),
)


def statements(
    dialect: Dialect, kept: Callable[[Table], Iterable[str]], before: int = 0
) -> list[str]:
    """What makes the tables and their indexes; or brings a format before up to this one, without a
    change of any row that was there.

    Args:
        dialect: of the database.
        kept: what lets no row of a table be changed or deleted.
        before: the format; 0 for none.
    """
    tables = [table for table in TABLES if table.info["since"] > before]
    indexes = [index for index in INDEXES if index.info["since"] > before]
    made: list[ExecutableDDLElement] = [*map(CreateTable, tables), *map(CreateIndex, indexes)]
    return [
        *(["DROP INDEX charge_request"] if before else []),
        *(str(element.compile(dialect=dialect)) for element in made),
        *(statement for table in tables for statement in kept(table)),
    ]
