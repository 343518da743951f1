"""Which database and which query a command line means."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpsql import default
from dpsql.accounting.amount import Cost
from dpsql.accounting.memory_ledger import MemoryLedger
from dpsql.options import Wishes
from dpsql.policy import Policy
from dpsql.session import Database, connect


def data_and_text(arguments: Namespace) -> tuple[str | None, str]:
    """The data, if it is named, and the query's text."""
    words = list(arguments.words)
    if arguments.file is not None:
        if len(words) > 1:
            arguments.parser.error("the query is given twice: as an argument and with -f")
        return (words[0] if words else None), _read(arguments, arguments.file)
    if len(words) > 2:
        arguments.parser.error("too many arguments; quote the query as one")
    if len(words) == 2:
        return words[0], words[1] if words[1] != "-" else _read(arguments, "-")
    if words and words[0] != "-" and not _is_there(words[0]):
        return None, words[0]
    data = words[0] if words and words[0] != "-" else None
    if not words and sys.stdin.isatty():
        arguments.parser.error("no query: give it as an argument, with -f FILE, or on stdin")
    return data, _read(arguments, "-")


def _is_there(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # a query is longer than a name may be
        return False


def _read(arguments: Namespace, name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.read()
        return Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        arguments.parser.error(f"cannot read the query from {name}: not UTF-8 text")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such file"
        arguments.parser.error(f"cannot read the query from {name}: {reason}")
    raise AssertionError("error() does not return")


def check(arguments: Namespace, data: str | None) -> None:
    """Data without a policy, or the other way round, would silently mean another database."""
    if data is not None and arguments.policy is None:
        arguments.parser.error(f"{data} needs its policy: --policy FILE")


@contextmanager
def opened(arguments: Namespace, data: str | None) -> Iterator[Database]:
    """The database to run on; closed afterwards, unless it is the default one."""
    check(arguments, data)
    if data is not None:
        with connect(data, arguments.policy) as db:
            yield db
    elif arguments.policy is not None:
        arguments.parser.error("--policy needs DATA, a file or folder that is there")
    else:
        yield default.current()


def uncharged(data: str, policy: str) -> Database:
    """The data with a ledger that is thrown away, for what is free."""
    loaded = Policy.load(policy)
    total = Cost(loaded.budget.eps, loaded.budget.delta)
    return connect(data, loaded, ledger=MemoryLedger(total))


def wishes(arguments: Namespace) -> Wishes:
    """How the query is to be answered."""
    return Wishes(noise=arguments.noise, clipping=arguments.clipping, dialect=arguments.dialect)
