"""The data sets of a server: opened once, and bound by what their principals may spend."""

from __future__ import annotations

import threading

from dpsql.core.account.account import Cap
from dpsql.platform.ledger.sql_ledger import SqlLedger
from dpsql.serve.config import ServerConfig
from dpsql.serve.principals import Principals
from dpsql.session.connect import connect
from dpsql.session.database import Database


class DataSet:
    """A data set that is served: open, under the caps of its policy and of the principals."""

    def __init__(self, name: str, db: Database) -> None:
        self.name, self.db = name, db
        self._declared = db.budget.account
        self._lock = threading.Lock()

    def bind(self, principals: Principals) -> None:
        """Let the caps of principals hold beside the policy's.

        Each is that of a group of one: one in an analyst's own name would take the place of the
        policy's "*".
        """
        with self._lock:  # or caps that were read earlier could be bound later
            found = principals.caps(self.name, self._declared.total.delta)
            caps = (Cap(cap.name, cap.most, frozenset({cap.name})) for cap in found)
            ledger, wanted = self.db._ledger, (*self._declared.caps, *caps)
            if isinstance(ledger, SqlLedger) and ledger.account.caps != wanted:
                ledger.bind(wanted)


def opened(config: ServerConfig) -> dict[str, Database]:
    """The databases of a configuration.

    Raises:
        PolicyError, EngineError: one cannot be opened; none is then.
    """
    found: dict[str, Database] = {}
    try:
        for name, part in config.data.items():
            found[name] = connect(
                part.data,
                part.policy,
                ledger=part.ledger,
                version=part.version,
                workers=part.workers,
                threads=part.threads,
                memory_limit=part.memory_limit,
                temp_directory=part.temp_directory,
                in_place=part.in_place,
            )
    except BaseException:
        for db in found.values():
            db.close()
        raise
    return found
