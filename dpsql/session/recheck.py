"""What must be true of the data in fact, and is checked before anything rests on it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TypeVar

from dpsql.core.schema import Schema
from dpsql.errors import EngineError
from dpsql.platform.engine.claim_checks import is_readable, key_holds, rows_hold
from dpsql.platform.engine.guard import FAILED
from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.policy import Policy, key_checks, row_checks
from dpsql.platform.policy.places import Problem

T = TypeVar("T")


class OpeningChecks:
    """What must be true of the data, in fact: keys on unit paths, and declared numbers of rows; and
    that the tables are the ones whose constraints were read.

    Checked when the database is opened; and again in the snapshot of each query where the data can
    change while it is open, since a key that is none any more would break the sensitivities.
    """

    def __init__(self, engine: Engine, policy: Policy, schema: Schema) -> None:
        catalog = engine.catalog()
        self._paths = {t.path: ("tables", t.name) for t in schema.tables.values()}
        self._paths |= {view.path: ("views", view.name) for view in schema.views.values()}
        self._policy, self._engine = policy, engine
        self._keys = [(c, engine.target(c.table)) for c in key_checks(policy, catalog)]
        self._rows = [(c, engine.target(c.table)) for c in row_checks(policy, catalog)]

    def later(self) -> OpeningChecks:
        """What is to be checked in each query: not rows that stay as they were."""
        left = copy(self)
        left._keys = [(c, target) for c, target in self._keys if not self._engine.stays(target)]
        left._rows = [(c, target) for c, target in self._rows if not self._engine.stays(target)]
        return left

    def definitions(self, snapshot: Snapshot) -> None:
        """Raise PolicyError unless the tables are defined as they were; reads no row."""
        changed = self._engine.changed(snapshot, self._paths)
        for path, place in self._paths.items():
            if path in changed:
                message = "is not defined as it was when the database was opened; reopen it"
                raise self._policy.error(f"{place[1]} {message}", *place)

    def facts(self, snapshot: Snapshot) -> None:
        """Raise PolicyError unless the keys are keys and the numbers of rows are true."""
        wrong: list[Problem] = []
        for key, target in self._keys:
            if not key_holds(snapshot, target, key.columns):
                columns = ", ".join(key.columns)
                message = f"{key.table}.{columns} is no key: it is not unique, or NULL in some row"
                wrong.append(Problem(("tables", key.table, "key"), message))
        for rows, target in self._rows:
            if not rows_hold(snapshot, target, rows.rows):
                number = "1 row" if rows.rows == 1 else f"{rows.rows} rows"
                message = f"{rows.table} does not have the declared {number}"
                wrong.append(Problem(("tables", rows.table, "rows"), message))
        if wrong:
            raise self._policy.errors(wrong)


def check_readable(engine: Engine, policy: Policy) -> None:
    """Files may hold values that cannot be read; each query that reads one would fail."""
    for table in engine.catalog().called(policy.tables).tables:
        if not is_readable(engine, table.name, [c.name for c in table.columns]):
            message = f"{table.name} holds values that cannot be read, such as texts not in UTF-8"
            message += ", or its file is damaged; the owner's log has the details"
            raise policy.error(message, "tables", table.name)


def naming(engine: Engine, policy: Policy, work: Callable[[], T]) -> T:
    """The result of `work`, which reads all of the data for their owner. Where the engine fails, it
    is looked which table cannot be read: an error that names none helps nobody.

    Raises:
        PolicyError: a table cannot be read.
        EngineError: as `work` does, where that is not the reason.
    """
    failed: EngineError | None = None
    try:
        return work()
    except EngineError as error:
        failed = error.with_traceback(None)
    if str(failed) == FAILED and engine.takes is None:  # a server reads what it is asked in parts
        check_readable(engine, policy)
    raise failed
