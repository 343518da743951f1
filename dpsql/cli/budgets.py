"""`dpsql budget`: what the owner asks of the ledger, and tells it."""

from __future__ import annotations

import io
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from dpsql import default
from dpsql.cli import exits, ledgers, query
from dpsql.cli.ledgers import LedgerPlace
from dpsql.core.account.account import Accountant
from dpsql.core.account.loss import NOTHING
from dpsql.errors import EngineError, PolicyError
from dpsql.platform.engine.urls import is_served, shown
from dpsql.platform.ledger import opening
from dpsql.report import plaintext
from dpsql.report.budget import Budget, LedgerLine, account_document
from dpsql.report.document import Part

ACCOUNTANTS: tuple[str, ...] = get_args(Accountant)

HELP = """\
Actions:
  show             what is left, by which rule; the default
  history          the last charges: when, who, how much, for which query
  export           every charge, as CSV or JSON
  caps             what each analyst may spend and did
  plot             a picture, to the file of -o: PNG, SVG or PDF
  acknowledge      accept a ledger that was damaged, or brought back from a backup, as it is;
                   what is known to have been spent stays spent
  unlock           let an analyst ask again whose queries failed too often: --analyst NAME
  accountant KIND  from now on add up by another rule; what was spent stays spent

DATA is whatever is no action; write ./show for a file of that name."""


def budget(arguments: Namespace) -> int:
    """One action on one ledger."""
    data, action, more = _words(arguments)
    _check_options(arguments, action)
    if is_served(data) or (data is None and default.on_a_server()):
        if action in OWNERS:
            arguments.parser.error(f"{action} is done where the server's ledger is")
        with query.opened(arguments, data) as db:
            READERS[action](arguments, db.budget)
        return exits.OK
    if action in OWNERS:
        of = (arguments.analyst or "") if action == "unlock" else more
        OWNERS[action](_place(arguments, data), of)
        return exits.OK
    if data is None and arguments.policy is None and default.named() is None:
        READERS[action](arguments, default.current().budget)  # in memory
        return exits.OK
    place = _place(arguments, data)
    refused: EngineError | None = None
    try:
        state = Budget.of(opening.open_ledger(place.where, place.account))
    except EngineError as error:
        refused = ledgers.told(error, place.data, place.policy, place.ledger)
    if refused is not None:  # the owner may look at what is there all the same
        lines = opening.look(place.where, place.account)
        state = Budget(place.account, lines[-1].spent if lines else NOTHING, lambda: lines)
    READERS[action](arguments, state)
    if refused is not None:
        raise refused
    return exits.OK


def _words(arguments: Namespace) -> tuple[str | None, str, str]:
    """The data, if it is named, the action, and what follows it."""
    words = list(arguments.words)
    data = words.pop(0) if words and words[0] not in ACTIONS else None
    action = words.pop(0) if words else "show"
    if action not in ACTIONS:
        arguments.parser.error(f"no action {action!r}; the actions are {', '.join(ACTIONS)}")
    more = words.pop(0) if words and action == "accountant" else ""
    if words:
        arguments.parser.error(f"too many arguments: {' '.join(words)}")
    if action == "accountant" and more not in ACCOUNTANTS:
        arguments.parser.error(f"the accountants are {', '.join(ACCOUNTANTS)}")
    return data, action, more


def _check_options(arguments: Namespace, action: str) -> None:
    """An option that says nothing about the action is a mistake."""
    of = {
        "--limit": (arguments.limit, {"history"}),
        "--format": (arguments.format, {"export"}),
        "--output": (arguments.output, {"export", "plot"}),
        "--analyst": (arguments.analyst, {"unlock"}),
        "--force": (arguments.force or None, {"export", "plot"}),
    }
    for option, (given, actions) in of.items():
        if given is not None and action not in actions:
            arguments.parser.error(f"{option} is for {' and '.join(sorted(actions))}")
    if action == "plot" and arguments.output is None:
        arguments.parser.error("plot needs a file to write: -o FILE.png")


def _place(arguments: Namespace, data: str | None) -> LedgerPlace:
    """Where the ledger is."""
    if data is None and arguments.policy is not None:
        arguments.parser.error("--policy needs DATA, a file or folder that is there")
    if data is None:
        return ledgers.place(arguments, *ledgers.default_names(arguments))
    if arguments.policy is None:
        arguments.parser.error(f"{shown(data)} needs its policy: --policy FILE")
    return ledgers.place(arguments, data, arguments.policy)


def _history(arguments: Namespace, state: Budget) -> None:
    """The last lines."""
    limit, count = arguments.limit or account_document.LIMIT, len(state.history)
    _print(account_document.listing(state, limit))
    if count > limit:
        print(f"the last {limit:,} of {count:,} lines; --limit N", file=sys.stderr)


def _export(arguments: Namespace, state: Budget) -> None:
    """All lines, to a file or stdout."""
    content = f"{state.to_json()}\n" if arguments.format == "json" else state.to_csv()
    if arguments.output in (None, "-"):
        sys.stdout.write(content)
    else:
        _write(arguments, content.encode("utf-8", "backslashreplace"))


def _plot(arguments: Namespace, state: Budget) -> None:
    """The picture."""
    kind = Path(arguments.output).suffix.lower().removeprefix(".")
    if kind not in ("png", "svg", "pdf"):
        arguments.parser.error(f"{arguments.output} is no name of a PNG, SVG or PDF file")
    buffer = io.BytesIO()
    try:
        state.plot().savefig(buffer, format=kind)
    except ImportError as error:
        arguments.parser.error(str(error))
    _write(arguments, buffer.getvalue())


def _write(arguments: Namespace, content: bytes) -> None:
    """The file of -o; one that is there is kept, unless --force says otherwise."""
    file = Path(arguments.output)
    try:
        with file.open("wb" if arguments.force else "xb") as stream:
            stream.write(content)
    except FileExistsError:
        raise PolicyError("is there already; --force overwrites it", file=str(file)) from None
    except OSError as error:
        raise PolicyError(f"cannot be written: {error.strerror}", file=str(file)) from None
    print(f"wrote {file}", file=sys.stderr)


def _acknowledge(place: LedgerPlace, more: str) -> None:
    """Accept the ledger as it is."""
    line = opening.acknowledge(place.where, place.account, data=ledgers.digest(place))
    if line is None:
        print("the ledger is what it was; there is nothing to accept")
        return
    print(f"accepted, as line {line.number}: {LedgerLine(line).decision}")
    if line.loss != NOTHING:
        print(f"counted as spent: {line.cost}, which is known of but not in it")
    print(Budget.of(opening.open_ledger(place.where, place.account)))


def _unlock(place: LedgerPlace, analyst: str) -> None:
    """The owner has looked."""
    found = opening.open_ledger(place.where, place.account, rule=False).unlock(analyst)
    print(f"{analyst or 'whoever gives no name'} may ask again, after {found} failures")


def _accountant(place: LedgerPlace, kind: str) -> None:
    """From now on another rule; the policy's, so that both say the same."""
    if place.account.accountant != kind:
        message = f"says accountant: {place.account.accountant}; write {kind} in its budget first"
        raise PolicyError(message, file=place.policy)
    opening.open_ledger(place.where, place.account, rule=False).change_accountant(kind)
    print(f"accountant  {kind}")
    print(f"budget      {Budget.of(opening.open_ledger(place.where, place.account))}")


def _print(part: Part) -> None:
    for line in plaintext.lines(part):
        print(line)


READERS: dict[str, Callable[[Namespace, Budget], None]] = {
    "show": lambda _, state: _print(account_document.summary(state)),
    "history": _history,
    "export": _export,
    "caps": lambda _, state: _print(account_document.caps_listing(state)),
    "plot": _plot,
}
"""What reads a ledger."""

OWNERS: dict[str, Callable[[LedgerPlace, str], None]] = {
    "acknowledge": _acknowledge,
    "accountant": _accountant,
    "unlock": _unlock,
}
"""What the owner tells a ledger."""

ACTIONS = (*READERS, *OWNERS)
