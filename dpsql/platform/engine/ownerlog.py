"""The owner's log: engine errors with their text, which may show values of private rows.

Nothing is written unless the owner asks for a file, and nothing reaches the root logger.
"""

from __future__ import annotations

import logging
import os
import secrets
import traceback
from pathlib import Path

FRAMES = 40
"""The innermost of a stack, which a report shows."""

_log = logging.getLogger("dpsql.owner")
_log.propagate = False  # an analyst's handlers on the root logger must not see it
_log.setLevel(logging.INFO)
if not _log.handlers:
    _log.addHandler(logging.NullHandler())  # or logging.lastResort would print to stderr


def record(what: str, error: BaseException) -> None:
    """Note for the owner that `what` failed with `error`."""
    # The text, not exc_info: a record must not keep the exception and its frames alive.
    _log.error("%s: %s: %s", what, type(error).__name__, error)


def wanted() -> bool:
    """Whether anybody keeps the log."""
    return any(not isinstance(handler, logging.NullHandler) for handler in _log.handlers)


def note(text: str) -> None:
    """Note something else for the owner."""
    _log.error("%s", text)


def report(error: BaseException) -> str:
    """Note a bug of ours for the owner: where it is and what it says, without any variable.

    Returns:
        The number of the report, by which it can be found; it says nothing of what happened.
    """
    number = secrets.token_hex(4)
    # Made here: a record must not keep the exception and its frames alive.
    told = traceback.TracebackException.from_exception(error, limit=-FRAMES, capture_locals=False)
    _log.error("internal error, report %s:\n%s", number, "".join(told.format()).rstrip())
    return number


def to_file(path: str | os.PathLike[str]) -> logging.Handler:
    """Append the log to a file that only its owner may read; returns the handler.

    Raises:
        OSError: the file cannot be opened or its mode cannot be set.
    """
    place = Path(path)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.fchmod(descriptor, 0o600)  # also where the file was there before
    finally:
        os.close(descriptor)
    handler = logging.FileHandler(place, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    _log.addHandler(handler)
    return handler
