"""`%dpsql` and `%%dpsql`. Ctrl-C says what was charged; a cell that fails shows the message, and
nothing of the inside of dpsql.
"""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand

from dpsql import default
from dpsql.core.calibrate.options import Clipping, Noise, Wishes
from dpsql.errors import DpsqlError
from dpsql.execution import boundary
from dpsql.notebook.magic_line import help_text, split
from dpsql.report.budget import Budget
from dpsql.report.explanation import Explanation, QueryCost
from dpsql.report.result import Answer
from dpsql.report.workloads import Estimate
from dpsql.session.connect import connect
from dpsql.session.database import Database
from dpsql.visible import one_line

T = TypeVar("T")


def told(work: Callable[[], T]) -> T:
    """The result of `work`; what it raises keeps no frames, cause or context, and is shown as text.

    Raises:
        UsageError: IPython's, as it is.
        DpsqlError: what `dpsql` raises; an InternalError for what nobody expected.
        KeyboardInterrupt: Ctrl-C.
    """
    problem: BaseException
    try:
        return work()
    except UsageError as error:
        problem = UsageError(one_line(str(error)))
    except DpsqlError as error:
        problem = error
    except KeyboardInterrupt as error:
        problem = KeyboardInterrupt(str(error) or "interrupted")
    except Exception as error:
        problem = boundary.internal(error)
    raise _bare(problem)


def _bare(problem: BaseException) -> BaseException:
    """`problem` as it is shown: IPython prints the frames, and in a mode the variables, of all that
    has no `_render_traceback_`.
    """
    problem.__cause__ = problem.__context__ = None
    text = f"{type(problem).__name__}: {problem}"
    shown = "\n".join(map(one_line, text.split("\n")))
    problem._render_traceback_ = lambda: [shown]  # type: ignore[attr-defined]
    return problem.with_traceback(None)


def run(
    database: Database,
    query: str,
    eps: int | Decimal | Fraction,
    delta: Decimal | Fraction | None,
    fresh: bool,
    wishes: Wishes,
) -> Answer:
    """The answer to a query; see `Database.run`.

    Raises:
        DpsqlError: what `Database.run` raises.
        KeyboardInterrupt: Ctrl-C; its text says what was charged.
    """
    key = f"notebook-{secrets.token_hex(16)}"
    try:
        return database.run(query, eps, delta, fresh=fresh, idempotency_key=key, **wishes)
    except KeyboardInterrupt:
        pass
    raise KeyboardInterrupt(f"the query was interrupted; {_charged(database, key)}")


def _charged(database: Database, key: str) -> str:
    """What a run with that key was charged: what the ledger has, whatever had been done."""
    try:
        line = database.charged(key)
    except DpsqlError:
        return "the ledger cannot be read: whether anything was charged is not known"
    return "nothing was charged" if line is None else f"{line.cost} was charged"


Result = Answer | Explanation | Estimate | Budget | Database | None


@dataclass(frozen=True, slots=True)
class MagicSettings:
    """What holds for queries that do not say otherwise; None where nothing was said."""

    eps: Decimal | Fraction | None = None
    delta: Decimal | Fraction | None = None
    noise: Noise | None = None
    clipping: Clipping | None = None
    dialect: str | None = None

    def given(self, arguments: Namespace) -> MagicSettings:
        """These, but for what the arguments say."""
        said = {f.name: getattr(arguments, f.name) for f in fields(self)}
        return replace(self, **{name: value for name, value in said.items() if value is not None})

    @property
    def wishes(self) -> Wishes:
        """How queries are to be answered."""
        return Wishes(
            noise=self.noise or "auto",
            clipping=self.clipping or "auto",
            dialect=self.dialect or "duckdb",
        )


@magics_class
class DpsqlMagics(Magics):
    """The magics of one shell."""

    shell: InteractiveShell

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._settings = MagicSettings()
        self._opened: Database | None = None

    @no_var_expand
    @line_cell_magic
    def dpsql(self, line: str, cell: str | None = None) -> Result:
        """Answer a query with noise, and charge the budget."""
        return told(lambda: self._done(line, cell))

    dpsql.__doc__ = help_text()

    def _done(self, line: str, cell: str | None) -> Result:
        arguments, query = split(line)
        if cell is not None:
            if query:
                raise UsageError(f"the query stands below the line %%dpsql, not on it: {query}")
            query = cell
        _check(arguments, query)
        if arguments.help:
            print(help_text())
            return None
        result = self._result(arguments, query)
        if arguments.out is not None:
            self.shell.user_ns[arguments.out] = result
        return result

    def _result(self, arguments: Namespace, query: str) -> Result:
        if not query:
            self._settings = self._settings.given(arguments)
            if arguments.connect is not None:
                return self._connected(arguments)
            return self._database(arguments).budget if arguments.budget else None
        settings, database = self._settings.given(arguments), self._database(arguments)
        eps = 1 if settings.eps is None else settings.eps
        delta, wishes = settings.delta, settings.wishes
        if arguments.estimate:
            return database.estimate(query, eps, delta, **wishes)
        if arguments.explain:
            return database.explain(query, eps, delta, **wishes)
        if settings.eps is None and database.explain(query, 1, delta, **wishes).kind != "public":
            raise UsageError("say what it may cost: --eps 0.5; or once for all, %dpsql --eps 0.5")
        return run(database, query, eps, delta, arguments.fresh, wishes)

    def _database(self, arguments: Namespace) -> Database:
        if arguments.db is None:
            return default.current()
        found = self.shell.user_ns.get(arguments.db)
        if not isinstance(found, Database):
            raise UsageError(f"--db: the variable {arguments.db} is no dpsql.Database")
        return found

    def _connected(self, arguments: Namespace) -> Database:
        """The data of --connect; what an earlier --connect opened is given back."""
        ledger, analyst = arguments.ledger, arguments.analyst or ""
        made = connect(arguments.connect, arguments.policy, ledger=ledger, analyst=analyst)
        default.use(made)
        if self._opened is not None:
            self._opened.close()
        self._opened = made
        return made


def _check(arguments: Namespace, query: str) -> None:
    """An option that says nothing about what is asked is a mistake."""
    connecting = arguments.connect is not None
    asks_one = arguments.explain or arguments.estimate or arguments.fresh
    chooses = not asks_one and MagicSettings().given(arguments) != MagicSettings()
    problem = None
    if query and (connecting or arguments.budget):
        problem = "--connect and --budget take no query"
    elif not (query or arguments.budget or arguments.help or connecting or chooses):
        problem = "there is no query"
    elif arguments.fresh and (arguments.explain or arguments.estimate):
        problem = "--fresh is for a query that is run"
    elif connecting and arguments.db is not None:
        problem = "--db names a database that is open"
    elif connecting and arguments.policy is None:
        problem = "--connect needs its policy: --policy FILE"
    elif not connecting and (arguments.policy or arguments.ledger or arguments.analyst):
        problem = "--policy, --ledger and --analyst are for --connect"
    if problem is not None:
        raise UsageError(f"{problem}; see %dpsql --help")


_AS_TEXT = (Explanation, Estimate, Budget, QueryCost)
"""What a terminal shows as `print` does; notebooks have HTML of them."""


def load(shell: Any) -> None:
    """Add the magics to a shell."""
    shell.register_magics(DpsqlMagics(shell))
    for kind in _AS_TEXT:
        shell.display_formatter.formatters["text/plain"].for_type(
            kind, lambda shown, printer, cycle: printer.text(str(shown))
        )


def unload(shell: Any) -> None:
    """Take them away again."""
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("dpsql", None)
    shell.magics_manager.registry.pop(DpsqlMagics.__name__, None)
    for shown in _AS_TEXT:
        shell.display_formatter.formatters["text/plain"].pop(shown, None)
