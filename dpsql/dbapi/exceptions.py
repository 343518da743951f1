"""The exceptions of PEP 249, and which of them each of dpsql's own becomes.

Warning                     is never raised
Error
├── InterfaceError          the module is used wrongly: a closed cursor, nothing to fetch
└── DatabaseError
    ├── DataError           a parameter that no literal can stand for
    ├── OperationalError    the budget, the policy, the ledger or the engine says no
    ├── IntegrityError      is never raised: nothing is written
    ├── InternalError       dpsql itself failed; details are in the owner's log only
    ├── ProgrammingError    the query is not accepted
    └── NotSupportedError   nor would a query like it; or there is no such thing here
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dpsql import errors
from dpsql.errors import DpsqlError, Rejected, UnknownDialect
from dpsql.execution import boundary

T = TypeVar("T")


class Warning(Exception):  # noqa: A001, N818  (the name that PEP 249 wants)
    """An important warning."""


class Error(Exception):
    """Every error of this module.

    Attributes:
        code: of the first problem of a query that is not accepted, such as ``DP402``; else None.
    """

    def __init__(self, message: str = "", code: str | None = None) -> None:
        self.code = code
        super().__init__(message)


class InterfaceError(Error):
    """The module is used wrongly."""


class DatabaseError(Error):
    """The query, the data or the budget."""


class DataError(DatabaseError):
    """A parameter that no literal can stand for."""


class OperationalError(DatabaseError):
    """The budget, the policy, the ledger or the engine says no."""


class IntegrityError(DatabaseError):
    """Is never raised: nothing is written."""


class InternalError(DatabaseError):
    """dpsql itself failed; the owner's log has the details."""


class ProgrammingError(DatabaseError):
    """The query is not accepted; nothing was charged."""


class NotSupportedError(DatabaseError):
    """A construct or a function that dpsql does not have; nothing was charged."""


_NOT_MODELLED = {"DP104", "DP105", "DP106", "DP204", "DP206"}


def guarded(work: Callable[[], T]) -> T:
    """The result of `work`; its errors become those of PEP 249.

    Raises:
        Error: with neither cause nor context, which could show what the engine saw.
    """
    problem: Error
    try:
        return work()
    except DpsqlError as error:
        problem = _translated(error)
    except Exception as error:
        problem = InternalError(str(boundary.internal(error)))
    raise problem  # outside of the except blocks: `from None` would still leave a __context__


def _translated(error: DpsqlError) -> Error:
    if isinstance(error, Rejected):
        kind = NotSupportedError if error.code in _NOT_MODELLED else ProgrammingError
        return kind(str(error), error.code)
    kinds: dict[type[DpsqlError], type[Error]] = {
        UnknownDialect: NotSupportedError,
        errors.InternalError: InternalError,
        errors.InvalidArgument: InterfaceError,
    }
    found = (kind for own, kind in kinds.items() if isinstance(error, own))
    return next(found, OperationalError)(str(error))
