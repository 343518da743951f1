"""`dpsql repl`: a shell for a person, or statements of a script."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from typing import Literal

from dpsql import default
from dpsql.cli import exits, ledgers, query
from dpsql.errors import DpsqlError
from dpsql.repl.command import Quit, UsageError
from dpsql.repl.pending import Opening
from dpsql.repl.settings import ShellSettings, config_file, load
from dpsql.repl.shell import Shell
from dpsql.repl.telling import Failure


@dataclass(frozen=True, slots=True)
class Source:
    """Statements to run.

    Attributes:
        kind: "text", or a "file".
        word: the text, or the file's name.
        name: of the text, in errors.
    """

    kind: Literal["text", "file"]
    word: str
    name: str = ""


def repl(arguments: Namespace) -> int:
    """Statements from a terminal, or from -c, -f and stdin."""
    sources = [_read(arguments, source) for source in arguments.sources]
    interactive = not sources and sys.stdin.isatty() and sys.stdout.isatty()
    if interactive and not _libraries():
        return exits.USAGE
    settings, problem = _settings(arguments)
    if problem is not None:
        unused = "; it is not used, and each charge is asked for" if interactive else ""
        print(f"dpsql: {problem}{unused}", file=sys.stderr)
        if not interactive:
            return exits.USAGE
    shell = Shell(_opening(arguments, interactive), settings, interactive=interactive)
    if interactive:
        from dpsql.repl.terminal import interact

        shell.opening.begin()
        interact(shell)
        stopped: BaseException | None = shell.failure
    else:
        stopped = _script(shell, sources or [_read(arguments, Source("file", "-"))])
    try:
        shell.close()
    except UsageError as error:  # the last lines of a file of answers
        print(f"dpsql: {error}", file=sys.stderr)
        stopped = stopped or error
    return exits.OK if stopped is None else _code(stopped)


def _script(shell: Shell, sources: Iterable[Source]) -> BaseException | None:
    """Run all statements, up to the first error: what stopped it, already told. Answers go to
    stdout, all else to stderr.
    """
    for source in sources:
        problem: Exception | None = None
        try:
            if source.kind == "file":
                shell.include(source.word)
            else:
                shell.play(source.word, source.name)
        except Quit:
            pass
        except KeyboardInterrupt as pressed:
            shell.interrupted("dpsql: ")
            return pressed
        except Failure as failure:
            problem = failure.error
            shell.output.complain(f"dpsql: {failure.words}")
        except UsageError as error:  # the file cannot be read
            problem = error
            shell.output.complain(f"dpsql: {error}")
        if problem is not None:
            return problem
    return None


def _read(arguments: Namespace, source: Source) -> Source:
    """What is on stdin, for the file -; all else is read when its turn comes."""
    if source != Source("file", "-"):
        return source
    return Source("text", query.read(arguments, "-"), "stdin")


def _libraries() -> bool:
    """Whether what a terminal needs is there; says what is missing."""
    missing = [name for name in ("prompt_toolkit", "rich") if find_spec(name) is None]
    if missing:
        print(
            f'dpsql: the shell needs {" and ".join(missing)}: pip install "dpsql[repl]"; '
            "statements of -c, -f and stdin do not",
            file=sys.stderr,
        )
    return not missing


def _settings(arguments: Namespace) -> tuple[ShellSettings, UsageError | None]:
    """What the user's file says, and then the arguments; and what is wrong with the file."""
    found, problem = ShellSettings(), None
    if arguments.config:
        try:
            found = load(config_file())
        except UsageError as error:
            found, problem = replace(found, confirm=True), error
    given = {field.name: getattr(arguments, field.name, None) for field in fields(ShellSettings)}
    return replace(found, **{k: v for k, v in given.items() if v is not None}), problem


def _opening(arguments: Namespace, interactive: bool) -> Opening:
    data, policy = arguments.data, arguments.policy
    query.check(arguments, data)
    if data is None and policy is not None:
        arguments.parser.error("--policy needs DATA, a file or folder that is there")
    if data is None and (arguments.ledger is not None or arguments.analyst):
        data, policy = ledgers.default_names(arguments)
    if data is not None:
        return Opening(lambda: query.connected(arguments, data, policy), data)
    named = default.named()
    which = "the embedded demo" if named is None else named[2]
    if interactive:
        return Opening(lambda: default.find()[0], which)
    return Opening(default.current, which, lent=True)


def _code(stopped: BaseException) -> int:
    """The exit code of what stopped a script."""
    if isinstance(stopped, KeyboardInterrupt):
        return exits.INTERRUPTED
    if isinstance(stopped, UsageError):
        return exits.USAGE
    return exits.of(stopped) if isinstance(stopped, DpsqlError) else exits.INTERNAL
