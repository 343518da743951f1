"""The command `dpsql`: where its log goes, what happens to errors, and nothing else.

The answer goes to stdout, all else to stderr. An error is its message, without a traceback, and an
exit code of its own (`dpsql.cli.exits`).
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from dpsql.cli import exits
from dpsql.cli.parser import parser
from dpsql.errors import DpsqlError
from dpsql.execution import boundary
from dpsql.platform.engine import ownerlog


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code.

    Args:
        argv: the arguments after the program's name; those of the process by default.

    Raises:
        SystemExit: with 2 for arguments that are none, with 0 for --help and --version.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = parser().parse_args(argv)
    try:
        with _ended():
            _log(arguments)
            code: int = arguments.command(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("dpsql: interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; closing stdout at exit would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.BROKEN_PIPE
    except DpsqlError as error:
        print(f"dpsql: {error}", file=sys.stderr)
        return exits.of(error)
    except Exception as error:
        print(f"dpsql: {boundary.internal(error)}", file=sys.stderr)
        return exits.INTERNAL


def _log(arguments: Namespace) -> None:
    """From now on, the owner's log is in the file of --log."""
    if arguments.log is None:
        return
    try:
        ownerlog.to_file(arguments.log)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file"
        arguments.parser.error(f"cannot write the log {arguments.log}: {reason}")


@contextmanager
def _ended() -> Iterator[None]:
    """Whoever ends the process ends the command first, and copies of private data go with it."""
    usual = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(_: int, __: FrameType | None) -> None:
    raise SystemExit(exits.TERMINATED)
