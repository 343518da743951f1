"""Paths that somebody names, before the system is asked about them."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from dpsql.errors import InvalidArgument, PolicyError

_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)  # neither is on Windows


def named(path: object, what: str) -> Path:
    """The path.

    Args:
        path: a text or a path, as a caller may give it.
        what: it is of, for errors.

    Raises:
        InvalidArgument: it is neither.
        PolicyError: no file can have that name.
    """
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        kind = type(path).__qualname__  # and not what it shows: a frame shows its rows
        raise InvalidArgument(f"{what} is named by a text or a path, not by an object {kind}")
    reason = None if os.fspath(path) else "it has no name"  # of a variable that is not set, say
    try:
        os.stat(path or ".")
    except OSError as error:
        # Where the system knows no such file, whoever opens it says so in better words.
        missing = (None, errno.ENOENT, errno.ENOTDIR, errno.EACCES)
        reason = None if error.errno in missing else error.strerror
    except ValueError:  # a NUL, or half a surrogate pair
        reason = "it has a character that no path has"
    if reason is not None:
        raise PolicyError(f"{what} cannot be found: {reason}", file=f"{os.fspath(path)!s:.200}")
    return Path(path)


def read(path: str | os.PathLike[str], most: int) -> bytes:
    """The first bytes of a regular file: a pipe would be waited for, and a device has no end.

    Raises:
        OSError: it cannot be read, or is another kind of thing.
        ValueError: no path.
    """
    # A pipe without a writer is opened at once, rather than waited for.
    handle = os.open(path, os.O_RDONLY | _FLAGS)
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "Not a regular file")
        return stream.read(most)
