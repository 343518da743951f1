"""The statements by which an account is made, or all of it is verified: when a ledger is opened.
They are made once, as those of each call are.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, Select, Table, bindparam, func, insert, literal_column, select

from dpsql.platform.ledger.ledger_tables import account, answer, charge, identity, seal

_OF: BindParameter[int] = bindparam("of")
_NUMBER: BindParameter[int] = bindparam("line")

ACCOUNT_NUMBER = select(identity.c.account).where(identity.c.identity == bindparam("name"))
"""The id of a data set's account, though its row may be gone."""

ACCOUNTS = select(account).order_by(account.c.id)
"""All of a store."""

LAST_ACCOUNT = select(func.max(account.c.id))
ADD_ACCOUNT = insert(account)
ADD_IDENTITY = insert(identity)

NAMES = select(identity.c.identity, identity.c.number).where(
    identity.c.account == _OF, identity.c.number >= _NUMBER
)
"""The data sets of an account, from a line on."""

BEFORE = (
    select(charge)
    .where(charge.c.account == _OF, charge.c.number <= _NUMBER)
    .order_by(charge.c.number)
)
"""The lines up to one, oldest first."""

ACKNOWLEDGED = select(charge.c.number, charge.c.note).where(
    charge.c.account == _OF,
    charge.c.kind == literal_column("'acknowledged'"),
    charge.c.number >= _NUMBER,
)
"""The lines by which the owner accepted something, from one on."""

LAST_PLACE = select(func.coalesce(func.max(seal.c.place), 0)).where(seal.c.account == _OF)
"""That of the newest stored answer; 0 if there is none."""

SEALS = select(seal).where(seal.c.account == _OF, seal.c.number > _NUMBER).order_by(seal.c.place)
"""Those of the lines after one."""

SEALED = (
    select(answer.c.number, answer.c.place, answer.c.key, answer.c.family, answer.c.digest)
    .where(answer.c.account == _OF, answer.c.number > _NUMBER)
    .order_by(answer.c.number, answer.c.place)
)
"""What is sealed of the stored answers of the lines after one."""

_ORDERS = {
    identity: (identity.c.identity,),
    charge: (charge.c.number,),
    seal: (seal.c.place,),
    answer: (answer.c.number, answer.c.place),
}


def _rows(table: Table) -> Select[Any]:
    return select(*(column for column in table.columns if column.name != "body"))


STATE = (
    _rows(account).where(account.c.id == _OF),
    *(
        _rows(table).where(table.c.account == _OF, table.c.number < _NUMBER).order_by(*order)
        for table, order in _ORDERS.items()
    ),
)
"""All that an account has before a line, but for the texts of answers."""


def _number(table: Table) -> Select[Any]:
    return select(table.c.number).where(table.c.account == _OF).limit(1)


NOWHERE = tuple(
    _number(table).where(table.c.number < (0 if table is identity else 1)) for table in _ORDERS
)
"""A row of each table with a number at which nobody looks."""

ANSWERED = tuple(_number(table).where(table.c.number == _NUMBER) for table in (seal, answer))
"""Whether a line has an answer."""
