"""A connection: a database, and what each query may cost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Unpack

from dpsql import default
from dpsql.core.account.amount import parse_delta, parse_eps
from dpsql.core.calibrate.options import Amount, Wishes, options
from dpsql.dbapi import exceptions
from dpsql.dbapi.cursor import Closed, Cursor
from dpsql.dbapi.exceptions import InterfaceError, NotSupportedError, guarded
from dpsql.dbapi.parameters import Parameter, filled
from dpsql.platform.engine.urls import is_served
from dpsql.platform.ledger.ledger import Ledger
from dpsql.report.result import Answer
from dpsql.session.connect import Data
from dpsql.session.connect import connect as opened
from dpsql.session.database import Database
from dpsql.session.policies import PolicyLike


def connect(
    data: Data | Database | None = None,
    policy: PolicyLike | None = None,
    *,
    eps: Amount,
    delta: Amount = None,
    token: str | None = None,
    ca: str | os.PathLike[str] | None = None,
    ledger: Ledger | str | os.PathLike[str] | None = None,
    analyst: str = "",
    version: str | None = None,
    in_place: bool = False,
    **wishes: Unpack[Wishes],
) -> Connection:
    """Open data under a policy, or of a dpsql server, to ask queries at `eps` each.

    Args:
        data: as `dpsql.connect` takes it, with a policy, or the URL of a dpsql server; or a
            `dpsql.Database`, which is not closed with the connection; or None for the default
            database of `dpsql.run`.
        policy: of data that is opened here.
        eps: the ε of each query, an int, float, Decimal or Fraction; not used by a query over
            public tables.
        delta: the δ of each query; by default that part of the policy's which ε is of its ε.
        token, ca: of a dpsql server; see `dpsql.connect`.
        ledger, analyst, version, in_place: of data that is opened here; see `dpsql.connect`.
        wishes: noise, clipping, weights, dialect; see `dpsql.core.calibrate.options.Wishes`.

    Raises:
        OperationalError: the data cannot be opened under the policy; an ε or δ that is none.
        InterfaceError: arguments that do not go together.
    """
    problem = _unfit(wishes)
    if problem is not None:
        raise InterfaceError(problem)
    if isinstance(data, Database | None):
        given = (policy, ledger, version, token, ca, analyst or None, in_place or None)
        if any(part is not None for part in given):
            raise InterfaceError(
                "policy, ledger, analyst, version, token, ca and in_place belong to data "
                "to be opened"
            )
        database = guarded(default.current) if data is None else data
        return Connection(database, eps, delta, wishes, owned=False)
    if policy is None and not is_served(data):
        raise InterfaceError("the data needs its policy")
    if not isinstance(analyst, str) or not isinstance(version, str | None):
        raise InterfaceError("an analyst and a version are texts")
    amounts = _eps(eps), _delta(delta)  # before anything is opened
    made = guarded(
        lambda: opened(
            *(data, policy),
            token=token,
            ca=ca,
            ledger=ledger,
            analyst=analyst,
            version=version,
            in_place=in_place,
        )
    )
    return Connection(made, *amounts, wishes, owned=True)


def _unfit(wishes: Wishes) -> str | None:
    """What is wrong with the wishes; with a δ, that Gaussian noise needs, as each query has it."""
    try:
        options(Fraction(1, 2), **wishes)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def _eps(eps: Amount) -> Fraction:
    return guarded(lambda: parse_eps(eps))


def _delta(delta: Amount) -> Fraction | None:
    return None if delta is None else guarded(lambda: parse_delta(delta))


class Connection(Closed):
    """Made by `connect`; a context manager that closes it.

    The exceptions of the module are attributes of it too, as PEP 249 proposes.
    """

    Warning = exceptions.Warning
    Error = exceptions.Error
    InterfaceError = exceptions.InterfaceError
    DatabaseError = exceptions.DatabaseError
    DataError = exceptions.DataError
    OperationalError = exceptions.OperationalError
    IntegrityError = exceptions.IntegrityError
    InternalError = exceptions.InternalError
    ProgrammingError = exceptions.ProgrammingError
    NotSupportedError = exceptions.NotSupportedError

    def __init__(
        self, database: Database, eps: Amount, delta: Amount, wishes: Wishes, *, owned: bool
    ) -> None:
        self._database, self._wishes, self._owned = database, wishes, owned
        self._closed = False
        self.eps, self.delta = _eps(eps), _delta(delta)

    @property
    def eps(self) -> Fraction:
        """The ε of each query from now on; set it to an int, float, Decimal or Fraction."""
        return self._eps

    @eps.setter
    def eps(self, eps: Amount) -> None:
        self._eps = _eps(eps)

    @property
    def delta(self) -> Fraction | None:
        """The δ of each query from now on; None for that part of the policy's which ε is."""
        return self._delta

    @delta.setter
    def delta(self, delta: Amount) -> None:
        self._delta = _delta(delta)

    @property
    def database(self) -> Database:
        """The database, to explain queries and to see the budget."""
        return self._database

    def cursor(self) -> Cursor:
        """A new cursor.

        Raises:
            InterfaceError: the connection is closed.
        """
        self._check()
        return Cursor(self)

    def execute(self, operation: str, parameters: Sequence[Parameter] = ()) -> Cursor:
        """`Cursor.execute` on a new cursor, which is returned."""
        return self.cursor().execute(operation, parameters)

    def commit(self) -> None:
        """Does nothing: a charge is durable before the data is read.

        Raises:
            InterfaceError: the connection is closed.
        """
        self._check()

    def rollback(self) -> None:
        """There is none.

        Raises:
            NotSupportedError: always.
        """
        raise NotSupportedError("there are no transactions: what was charged stays charged")

    def close(self) -> None:
        """Give the data back; whatever is called then raises InterfaceError."""
        if not self._closed and self._owned:
            guarded(self._database.close)
        self._closed = True

    def _check(self) -> None:
        if self._closed:
            raise InterfaceError("the connection is closed")

    def _run(self, operation: str, parameters: Sequence[Parameter]) -> Answer:
        text = filled(operation, parameters, self._wishes.get("dialect", "duckdb"))
        eps, delta, wishes = self._eps, self._delta, self._wishes
        return guarded(lambda: self._database.run(text, eps, delta, **wishes))

    def __repr__(self) -> str:
        return f"<dpsql DB-API connection to {self._database!r}>"
