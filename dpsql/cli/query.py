"""Which database and which query a command line means."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from dpsql import default
from dpsql.cli import ledgers
from dpsql.core.account.account import Account
from dpsql.core.account.amount import Cost
from dpsql.core.calibrate.options import Wishes
from dpsql.errors import EngineError
from dpsql.execution.target import written
from dpsql.platform.engine.urls import is_served, is_server, shown
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.policy import Policy
from dpsql.report.forms import Documented
from dpsql.session import costs
from dpsql.session.beside import ledger_beside
from dpsql.session.connect import connect
from dpsql.session.database import Database


def data_and_text(arguments: Namespace) -> tuple[str | None, str]:
    """The data, if it is named, and the query's text."""
    words = list(arguments.words)
    if arguments.file is not None:
        if len(words) > 1:
            arguments.parser.error("the query is given twice: as an argument and with -f")
        return (words[0] if words else None), read(arguments, arguments.file)
    if len(words) > 2:
        arguments.parser.error("too many arguments; quote the query as one")
    if len(words) == 2:
        return words[0], words[1] if words[1] != "-" else read(arguments, "-")
    if words and words[0] != "-" and not _is_there(words[0]):
        return None, words[0]
    data = words[0] if words and words[0] != "-" else None
    if not words and sys.stdin.isatty():
        arguments.parser.error("no query: give it as an argument, with -f FILE, or on stdin")
    return data, read(arguments, "-")


def _is_there(word: str) -> bool:
    try:
        return is_server(word) or is_served(word) or Path(word).exists()
    except (OSError, ValueError):  # a query is longer than a name may be
        return False


def read(arguments: Namespace, name: str) -> str:
    """The text of a file, or of stdin for -; leaves with a usage error if there is none."""
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
    if is_served(data):
        if arguments.policy is not None:
            arguments.parser.error(f"{shown(str(data))} has its policy: leave out --policy")
        return
    if data is not None and arguments.policy is None:
        name = shown(data)
        arguments.parser.error(
            f"{name} needs its policy: --policy FILE; dpsql init {name} drafts one"
        )


@contextmanager
def opened(arguments: Namespace, data: str | None) -> Iterator[Database]:
    """The database to run on; closed afterwards, unless it is the default one."""
    check(arguments, data)
    if data is None and arguments.policy is not None:
        arguments.parser.error("--policy needs DATA, a file or folder that is there")
    policy, chosen = arguments.policy, arguments.ledger is not None or bool(arguments.analyst)
    if data is None and chosen:
        data, policy = ledgers.default_names(arguments)
    if data is None:
        yield default.current()
        return
    with connected(arguments, data, policy) as db:
        yield db


def connected(arguments: Namespace, data: str, policy: str | None) -> Database:
    """The data; where its ledger is refused, the owner is told what to type."""
    problem: EngineError | None = None
    if policy is None:
        return connect(data, ledger=arguments.ledger, analyst=arguments.analyst or "")
    try:
        return connect(
            data,
            policy,
            ledger=arguments.ledger,
            analyst=arguments.analyst,
            in_place=arguments.in_place,
        )
    except EngineError as error:
        problem = ledgers.told(error, data, policy, arguments.ledger)
    raise problem


def uncharged(data: str, policy: str, *, in_place: bool = False) -> Database:
    """The data with a ledger that is thrown away, for what is free."""
    loaded = Policy.load(policy)
    total = Cost(loaded.budget.eps, loaded.budget.delta)
    return connect(data, loaded, ledger=open_ledger(None, Account(total)), in_place=in_place)


def priced(arguments: Namespace, data: str) -> Database:
    """The data with its ledger, if there is one: none is made for what is free."""
    if is_served(data):
        return connect(data)
    if arguments.ledger is None and is_server(data):
        return uncharged(data, arguments.policy, in_place=arguments.in_place)
    where = arguments.ledger or ledger_beside(Path(data))
    if "://" in str(where) or os.path.exists(where):  # False for what no path can be
        return connect(data, arguments.policy, ledger=where, in_place=arguments.in_place)
    return uncharged(data, arguments.policy, in_place=arguments.in_place)


def sizes(arguments: Namespace) -> Mapping[str, float] | float | None:
    """Those of --size."""
    return accuracy(arguments, "1")[1]


def accuracy(
    arguments: Namespace, within: str | None = None
) -> tuple[float, Mapping[str, float] | float | None]:
    """The error of --within, or another, and the sizes of --size: by column, or one for all."""
    parts = [part.rpartition("=") for part in arguments.size]
    try:
        return written(within or arguments.within, [(name, size) for name, _, size in parts])
    except ValueError as problem:
        arguments.parser.error(f"{'' if within else '--within and '}--size: {problem}")
    raise AssertionError("error() does not return")


def wishes(arguments: Namespace) -> Wishes:
    """How the query is to be answered."""
    return Wishes(noise=arguments.noise, clipping=arguments.clipping, dialect=arguments.dialect)


def run_options(arguments: Namespace) -> dict[str, Any]:
    """The same, and what there is to choose where a query is charged."""
    names = ("fresh", "idempotency_key", "timeout")
    return {**wishes(arguments), **{name: getattr(arguments, name) for name in names}}


def free(
    what: Literal["explain", "estimate"],
    arguments: Namespace,
    data: str | None,
    of: Any,
    **more: Any,
) -> Any:
    """What is told for free: with the data, by a policy alone, or of the default database."""
    check(arguments, data)
    given = {"eps": arguments.eps, "delta": arguments.delta, **wishes(arguments), **more}
    if data is not None:
        with priced(arguments, data) as db:
            return getattr(db, what)(of, **given)
    if arguments.policy is not None:
        return getattr(costs, what)(of, policy=arguments.policy, **given)
    return getattr(default.current(), what)(of, **given)


def show(found: Documented, form: str) -> None:
    """As text, JSON or HTML."""
    if form == "html":
        print(found.to_html(), end="")
    else:
        print(found.to_json() if form == "json" else found)
