"""What each command of `dpsql` does."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.util import find_spec
from pathlib import Path

from dpsql import demo as shop
from dpsql.cli import (
    audits,
    budgets,
    exits,
    interactive,
    preparation,
    query,
    randomization,
    workload_files,
)
from dpsql.cli.claim_words import claim
from dpsql.codes import CODES, page
from dpsql.errors import PolicyError
from dpsql.platform.engine import ownerlog
from dpsql.platform.policy import SCHEMA_FILE, draft, json_schema
from dpsql.report.explanation import Explanation
from dpsql.report.result.formats import FORMATS
from dpsql.session.connect import opened
from dpsql.visible import visible

Command = Callable[[Namespace], int]
MOST_LEFT_OUT = 20


def _logged(command: Command) -> Command:
    """`command`, with the owner's log in the file of --log."""

    @wraps(command)
    def wrapped(arguments: Namespace) -> int:
        if arguments.log is None:
            return command(arguments)
        try:
            ownerlog.to_file(arguments.log)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a file"
            arguments.parser.error(f"cannot write the log {arguments.log}: {reason}")
        return command(arguments)

    return wrapped


@_logged
def demo(arguments: Namespace) -> int:
    """A tour, or the demo's files."""
    if arguments.save is None:
        for line in shop.lines():
            print(line)
        return exits.OK
    data, policy = shop.save(arguments.save)
    print(f"wrote {data} and {policy}; try:")
    print(f"  dpsql run {data} --policy {policy} --eps 1 'SELECT COUNT(*) FROM orders'")
    return exits.OK


@_logged
def init(arguments: Namespace) -> int:
    """A first policy."""
    data = Path(arguments.data)
    engine = opened(data)
    try:
        text = draft(engine.catalog(), arguments.unit)
        tell_left_out(engine.left_out)
    finally:
        engine.close()
    if arguments.output == "-":
        print(text, end="")
        return exits.OK
    file = Path(arguments.output or data.resolve().with_suffix(".yaml").name)
    schema = file.with_name(SCHEMA_FILE)
    try:
        with file.open("w" if arguments.force else "x", encoding="utf-8") as stream:
            stream.write(text)
        schema.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")
    except FileExistsError:
        raise PolicyError("is there already; --force overwrites it", file=str(file)) from None
    except OSError as error:
        raise PolicyError(f"cannot be written: {error.strerror}", file=str(file)) from None
    print(f"wrote {file} and {schema}; check every line of {file}, then:", file=sys.stderr)
    print(f"  dpsql verify {arguments.data} --policy {file}", file=sys.stderr)
    return exits.OK


def tell_left_out(names: Sequence[str]) -> None:
    """Tell the owner which files of a folder are not read."""
    for name in names[:MOST_LEFT_OUT]:
        print(f"left out: {visible(name)}", file=sys.stderr)
    if len(names) > MOST_LEFT_OUT:
        print(f"left out: {len(names) - MOST_LEFT_OUT:,} more files", file=sys.stderr)


@_logged
def verify(arguments: Namespace) -> int:
    """Every claim of the policy and whether it holds."""
    with query.uncharged(arguments.data, arguments.policy) as db:
        report = db.verify()
        tell_left_out(db.left_out)
        for finding in report.findings:
            print(f"{'holds' if finding.rows == 0 else 'FAILS'}  {claim(db.schema, finding)}")
    failed = sum(1 for f in report.findings if f.rows)
    print(f"{len(report.findings) - failed} of {len(report.findings)} claims hold")
    if failed:
        print(f"dpsql prepare {arguments.data} --policy {arguments.policy} --into FOLDER writes a")
        print("copy in which all of them do")
    with query.uncharged(arguments.data, arguments.policy) as again:
        if again.verified:
            print("recorded: claims that hold are proof while the data stays as it is")
        else:
            print("not recorded: this data's version cannot be told")
    return exits.POLICY if failed else exits.OK


@_logged
def explain(arguments: Namespace) -> int:
    """What a query would release and cost."""
    data, text = query.data_and_text(arguments)
    found: Explanation = query.free("explain", arguments, data, text)
    if arguments.within is not None:
        error, size = query.accuracy(arguments)
        try:
            found = found.within(error, arguments.confidence, size=size)
        except ValueError as problem:
            arguments.parser.error(str(problem))
    query.show(found, arguments.format)
    for part in ("tree", "sql", "certificate"):
        if getattr(arguments, part) and arguments.format == "text":
            print(f"\n{getattr(found, part)}")
    return exits.OK


audit = _logged(audits.audit)
batch = _logged(workload_files.batch)
estimate = _logged(workload_files.estimate)
prepare = _logged(preparation.prepare)
randomize = _logged(randomization.randomize)
budget = _logged(budgets.budget)
repl = _logged(interactive.repl)


@_logged
def completion(arguments: Namespace) -> int:
    """A script that completes commands and options, for the shell that is named."""
    if find_spec("shtab") is None:
        print('dpsql: completion needs shtab: pip install "dpsql[repl]"', file=sys.stderr)
        return exits.USAGE
    import shtab

    print(shtab.complete(arguments.top, arguments.shell))
    return exits.OK


def help(arguments: Namespace) -> int:
    """The page of an error code, or the list of all codes."""
    if arguments.code is None:
        for code, meaning in CODES.items():
            print(f"{code}  {meaning}")
        return exits.OK
    code = arguments.code.upper()
    if code not in CODES:
        arguments.parser.error(f"no error code {arguments.code}; dpsql help lists them")
    print(page(code), end="")
    return exits.OK


@_logged
def run(arguments: Namespace) -> int:
    """The noisy answer."""
    data, text = query.data_and_text(arguments)
    with query.opened(arguments, data) as db:
        answer = db.run(text, arguments.eps, arguments.delta, **query.run_options(arguments))
        for line in FORMATS[arguments.format](answer, arguments.intervals):
            sys.stdout.write(line)
        sys.stdout.flush()
        print(f"cost {answer.cost}; {db.budget}", file=sys.stderr)
    return exits.OK
