"""What each command of `dpsql` does that has no file of its own."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import dpsql
from dpsql import demo as shop
from dpsql.cli import exits, query
from dpsql.cli.claim_words import claim
from dpsql.codes import CODES, page
from dpsql.errors import InvalidArgument, PolicyError
from dpsql.platform.engine.postgres_data import database
from dpsql.platform.engine.proposals import Look
from dpsql.platform.engine.urls import is_server, is_spark, shown
from dpsql.platform.policy import SCHEMA_FILE, Catalog, draft, json_schema
from dpsql.platform.policy.by_name import by_name
from dpsql.platform.policy.files import read
from dpsql.platform.policy.guess import candidates
from dpsql.platform.policy.imports import from_csvw, from_smartnoise
from dpsql.platform.policy.loader import MAX_BYTES
from dpsql.report.explanation import Explanation
from dpsql.report.result.formats import FORMATS
from dpsql.session.connect import opened
from dpsql.session.for_owners import registered, show
from dpsql.session.noisy_look import noisy_draft
from dpsql.visible import one_line, visible

MOST_ASKED, MOST_LEFT_OUT = 9, 20


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


def _of_server(url: str) -> str:
    """A name for its data; a URL of Spark's has a token in it, and no database."""
    return "spark" if is_spark(url) else database(url)


def init(arguments: Namespace) -> int:
    """A first policy."""
    if arguments.eps is not None and arguments.read_data:
        raise InvalidArgument("--read-data is without noise, and --eps with it: give one of them")
    server = is_server(arguments.data)
    if server and arguments.eps is not None:
        raise InvalidArgument("--eps charges a ledger beside the data; a server has none beside it")
    own = Path(_of_server(arguments.data) if server else arguments.data).resolve()
    file = Path(arguments.output or own.with_suffix(".yaml").name)
    if (
        arguments.eps is not None
        and file.exists()
        and not (arguments.output == "-" or arguments.force)
    ):
        raise _there_already(file)  # before anything is charged
    engine = opened(arguments.data, rows=arguments.read_data)
    try:
        catalog = engine.catalog()
        unit = arguments.unit or _asked(catalog)
        with engine.snapshot() as snapshot:
            look = Look(engine, snapshot, engine.texts) if arguments.read_data else None
            text = draft(catalog, unit, look=look)
        tell_left_out(engine.left_out)
    finally:
        engine.close()
    if arguments.eps is not None:
        text = noisy_draft(Path(arguments.data), catalog, unit, arguments.eps)
    if arguments.output == "-":
        print(text, end="")
        return exits.OK
    schema = file.with_name(SCHEMA_FILE)
    try:
        with file.open("w" if arguments.force else "x", encoding="utf-8") as stream:
            stream.write(text)
        schema.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")
    except FileExistsError:
        raise _there_already(file) from None
    except OSError as error:
        raise PolicyError(f"cannot be written: {error.strerror}", file=str(file)) from None
    print(f"wrote {file} and {schema}; check every line of {file}, then:", file=sys.stderr)
    print(f"  dpsql verify {shown(arguments.data)} --policy {file}", file=sys.stderr)
    return exits.OK


def _there_already(file: Path) -> PolicyError:
    return PolicyError("is there already; --force overwrites it", file=str(file))


def _terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _asked(catalog: Catalog) -> str | None:
    """Who is to be protected, as the owner says on a terminal; None for the best guess."""
    if not _terminal():
        return None
    found = candidates(by_name(catalog.called(), None)[0])[:MOST_ASKED]
    print("Who is to be protected?", file=sys.stderr)
    for number, one in enumerate(found, 1):
        print(f"  {number}  {one_line(one.text)}", file=sys.stderr)
    question = "A number, or a table.column, or a table of which each row is one [1]: "
    print(question, end="", file=sys.stderr, flush=True)
    try:
        said = input().strip() or "1"
    except EOFError:
        raise KeyboardInterrupt from None
    known = said.isdecimal() and 1 <= int(said) <= len(found)
    return found[int(said) - 1].text if known else said


def tell_left_out(names: Sequence[str]) -> None:
    """Tell the owner which files of a folder are not read."""
    for name in names[:MOST_LEFT_OUT]:
        print(f"left out: {visible(name)}", file=sys.stderr)
    if len(names) > MOST_LEFT_OUT:
        print(f"left out: {len(names) - MOST_LEFT_OUT:,} more files", file=sys.stderr)


def verify(arguments: Namespace) -> int:
    """Every claim of the policy and whether it holds."""
    report = dpsql.verify(arguments.data, arguments.policy, ledger=arguments.ledger)
    tell_left_out(report.left_out)
    for finding in report.findings:
        state = "cuts " if finding.role == "cut" else "FAILS" if finding.rows else "holds"
        print(f"{state}  {claim(report.schema, finding)}")
    cuts = sum(1 for f in report.findings if f.role == "cut")
    claims, failed = len(report.findings) - cuts, len(report.false)
    print(f"{claims - failed} of {claims} claims hold" + (f"; {cuts} cuts" if cuts else ""))
    if report.unrecorded is not None:
        print(f"not recorded: {report.unrecorded}")
    elif failed or cuts:
        print("recorded: what holds is proof while the data stays as it is, the rest is enforced")
        words = f"{shown(arguments.data)} --policy {arguments.policy}"
        print(f"dpsql prepare {words} --into FOLDER writes a")
        print("copy in which all is proven")
    else:
        print("recorded: claims that hold are proof while the data stays as it is")
    return exits.POLICY if failed else exits.OK


def check(arguments: Namespace) -> int:
    """What is odd about a policy."""
    found = dpsql.check(Path(arguments.policy_file), arguments.data)
    query.show(found, arguments.format)
    return exits.OK if found.clean else exits.POLICY


def _imported(file: Path, unit: str | None) -> str:
    """A draft from CSVW, which is JSON, or from metadata of SmartNoise SQL, which are YAML."""
    try:
        text = read(file, MAX_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise PolicyError(f"cannot be read: {reason}", file=str(file)) from None
    if text.lstrip().startswith(("{", "[")):
        return from_csvw(text, unit, str(file))
    return from_smartnoise(text, str(file))


def policy(arguments: Namespace) -> int:
    """A policy to be looked at, as a record for a registry, or from what other tools say."""
    file = Path(arguments.policy_file)
    if arguments.action == "import":
        print(_imported(file, arguments.unit), end="")
        return exits.OK
    if arguments.action == "export":
        print(registered(file, arguments.data), end="")
        return exits.OK
    found = show(file, arguments.data)
    if arguments.format == "mermaid":
        print(found.to_mermaid(), end="")
    else:
        query.show(found, arguments.format)
    return exits.OK


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
