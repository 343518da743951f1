"""The shell: it runs statements, one after the other, and holds what lasts between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from dpsql.repl import commands, runs, telling
from dpsql.repl.command import Quit, UsageError
from dpsql.repl.output import Outlet
from dpsql.repl.pending import Opening
from dpsql.repl.saved import Saved
from dpsql.repl.settings import ShellSettings, query_folder
from dpsql.repl.splitting import Statement, split
from dpsql.repl.telling import Failure
from dpsql.report.result import Answer
from dpsql.session.database import Database

DEEPEST = 16
"""How many texts may be in each other, as files are by `\\i`."""


class Shell:
    r"""What a session holds, and what runs its statements.

    Attributes:
        opening: the database, which may not be open yet.
        settings: what holds for the next query; a command replaces it.
        output: where text goes.
        interactive: whether a person is at a terminal.
        saved: the queries of `\save`.
        query: the last query that was typed, run or not, without its `;`; None before the first.
        answer: the last answer; None before the first.
        answered: the query that it answers, as `query` had it.
        prefill: what the next prompt begins with; a terminal takes it and sets None.
        ask: puts a question to the person at the terminal, before each charge if they wish so.
        failure: why the session cannot go on; None as long as it can.
    """

    def __init__(
        self,
        opening: Opening,
        settings: ShellSettings | None = None,
        output: Outlet | None = None,
        *,
        interactive: bool = False,
        saved: Saved | None = None,
    ) -> None:
        self.opening = opening
        self.settings = settings or ShellSettings()
        self.output = output or Outlet()
        self.interactive = interactive
        self.saved: Saved = saved or Saved(query_folder())
        self.query: str | None = None
        self.answer: Answer | None = None
        self.answered: str | None = None
        self.prefill: str | None = None
        self.ask: Callable[[str], bool] = lambda _: True
        self.failure: Exception | None = None
        self._files: list[Path] = []
        self._depth = 0
        self._key: str | None = None

    @property
    def database(self) -> Database:
        """The database; waits until it is open.

        Raises:
            PolicyError, LedgerTampered, EngineError: it cannot be opened; see `connect`.
        """
        return self.opening.wait()

    def write(self, text: str, whole: int = 0) -> None:
        r"""Put out what was asked for: on the terminal, in its pager, or in the file of `\o`.

        So many lines, from the first, are whole however narrow the terminal is.
        """
        self.output.write(text, paged=self.interactive and self.settings.pager, whole=whole)

    def say(self, text: str) -> None:
        """A remark, which is no part of what was asked for."""
        self.output.say(text)

    def run(self, sql: str, eps: Fraction | None = None) -> None:
        """Answer a query at the settings, and write the answer.

        Args:
            sql: one SELECT.
            eps: instead of the settings' ε.

        Raises:
            DpsqlError: see `Database.run`.
        """
        settings = self.settings if eps is None else replace(self.settings, eps=eps)
        database = self.database
        if self.interactive and settings.confirm:
            question = runs.question(database, sql, settings)
            if question is not None and not self.ask(question):
                self.say("not run; nothing was charged")
                return
        self._key = runs.new_key()
        run = runs.run(database, sql, settings, self._key)
        self.answer, self.answered = run.answer, self.query
        self.write(run.text, run.whole)
        self.say(run.note)

    def execute(self, statement: Statement) -> None:
        """Run a query or a command.

        Raises:
            Quit: it was the command to leave.
            UsageError: no such command, or a wrong use of it.
            DpsqlError: see `Database.run`.
            Failure: a statement of a file that it names failed.
        """
        self._key = None
        if statement.query:
            self.query = statement.written
        if not statement.command:
            self.run(statement.query, statement.eps)
            return
        command = commands.find(statement.command)
        if command.alone and statement.query:
            raise UsageError(f"{command.name} has nothing to do with a query; end that with ;")
        command.run(self, statement.argument)

    def play(self, text: str, source: str = "") -> None:
        """Run the statements of a text, up to the first that fails.

        Args:
            text: queries and commands.
            source: the name of its file, for errors; "" for none.

        Raises:
            Failure: what stopped it.
            Quit: it said so.
            UsageError: too many texts are in each other.
            BrokenPipeError: whoever read stdout has gone.
        """
        if self._depth == DEEPEST:
            raise UsageError(f"{source}: more than {DEEPEST} files in each other")
        statements, problem = split(text, self.settings.dialect, source), None
        self._depth += 1
        try:
            while problem is None:
                statement = None
                try:
                    statement = next(statements, None)
                    if statement is None:
                        return
                    self.execute(statement)
                except (Failure, Quit, BrokenPipeError):
                    raise
                except Exception as error:
                    runs.note_charge(error, self.opening.ready, self._key)
                    found = None if self.opening.failure is error else statement
                    problem = telling.failure(error, found, text, source)
        finally:
            self._depth -= 1
        raise problem

    def include(self, name: str) -> None:
        """Run the statements of a file, named as the file that is being run would name it.

        Raises:
            UsageError: it cannot be read, or files are too deep in each other.
            Failure: a statement failed.
        """
        place = Path(name)
        try:
            place = place.expanduser()
            place = self._files[-1].parent / place if self._files else place
            text = place.read_text(encoding="utf-8-sig")
        except (OSError, ValueError, RuntimeError) as error:  # the last: ~ of nobody
            other = "no UTF-8 text" if isinstance(error, ValueError) else "no such user"
            reason = getattr(error, "strerror", None) or other
            raise UsageError(f"cannot read {place}: {reason}") from None
        self._files.append(place)
        try:
            self.play(text, str(place))
        except Quit:
            pass
        finally:
            self._files.pop()

    def execute_text(self, text: str) -> bool:
        """Run what a person typed; errors are told, and Ctrl-C with what was charged.

        Returns:
            False where the session ends.
        """
        try:
            self.play(text)
        except Quit:
            return False
        except Failure as failure:
            self.output.complain(failure.words)
            if failure.error is self.opening.failure:
                self.failure = failure.error
        except KeyboardInterrupt:
            self.interrupted()
        return self.failure is None

    def interrupted(self, prefix: str = "") -> None:
        """Say what was charged for the statement that Ctrl-C stopped."""

        def tell() -> None:
            paid = runs.charged(self.opening.ready, self._key)
            self.output.complain(f"{prefix}interrupted; {paid}")

        runs.undisturbed(tell)

    def close(self) -> None:
        """Give back the database and the files.

        Raises:
            UsageError: the last lines of a file cannot be written.
        """
        self.opening.close()
        self.output.close()
