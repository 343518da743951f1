"""Drawn databases, and their conforming copies, as the tests of neighbours know databases."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import duckdb

from dpsql.platform.engine.conform import Conformer, fanouts, order
from dpsql.platform.policy import key_name, length_claims, null_claims, resolve
from dpsql.session.conforming import own_keys, wanted
from tests.support.databases import Database, looked_up
from tests.support.filled import fill
from tests.support.policies import Loaded, load

SALT = "5eed"


@lru_cache(maxsize=64)
def proven(policy: str) -> Loaded:
    """A policy with the record of a copy: all claims but how many rows of several units share, and
    keys that say nothing of whose a row is.
    """
    loaded = load(f"{policy} verified")
    assert loaded.record is not None
    public = {low for low, table in loaded.schema.tables.items() if not table.private}
    made = fanouts(loaded.schema)
    kept = {f for f in loaded.record.fanouts if f in made or f.partition(".")[0] in public}
    own = own_keys(loaded.policy, load(policy).schema)
    keys = frozenset(key_name(table, key) for table, key in own.items())
    record = replace(loaded.record, fanouts=frozenset(kept), keys=keys)
    return replace(loaded, record=record, schema=resolve(loaded.policy, None, record))


class Copier:
    """Makes copies of small databases of one policy, one after the other."""

    def __init__(self, policy: str) -> None:
        self.loaded = load(policy)
        self.schema = wanted(self.loaded.policy, None)
        self.connection = duckdb.connect(":memory:", config={"threads": "1"})
        for table in self.schema.tables.values():
            columns = ", ".join(f'"{c.name}" {c.type}' for c in table.stored)
            self.connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
        self.connection.execute("ATTACH ':memory:' AS copied")

    def copy(self, database: Database, salt: str = SALT) -> Database:
        """The copy of a database, with its public tables as they are."""
        tables = self.schema.tables
        self._do("BEGIN")
        for low, table in tables.items():
            self._do(f'DELETE FROM "{table.name}"')
            own = [row[: len(table.stored)] for row in database[low]]
            fill(self.connection, f'"{table.name}"', own)
        self._do("COMMIT")
        passed: list[None] = []
        conformer = Conformer(
            do=self._do,
            schema=self.schema,
            source={low: f'memory.main."{t.name}"' for low, t in tables.items()},
            copy={low: f'copied.main."{t.name}"' for low, t in tables.items()},
            named={low: frozenset(c.name.lower() for c in t.columns) for low, t in tables.items()},
            not_null=null_claims(self.loaded.policy),
            lengths=length_claims(self.loaded.policy),
            salt=salt,
            passed=lambda: passed.append(None),
        )
        made = {low: database[low] for low, table in tables.items() if not table.private}
        try:
            for table in order(self.schema):
                before = len(passed)
                conformer.private(table)
                assert len(passed) - before == conformer.passes(table)
            for table in order(self.schema):
                items = ", ".join(f'CAST("{c.name}" AS VARCHAR)' for c in table.stored)
                rows = self._do(f'SELECT {items} FROM copied.main."{table.name}"')
                if (found := table.lookup) is not None:  # the owner stands last, and is no data's
                    there = made[found.table.name.lower()]
                    rows = [tuple(looked_up(table, [*row, None], there)) for row in rows]
                made[table.name.lower()] = tuple(rows)
        finally:
            for table in order(self.schema):
                self._do(f'DROP TABLE IF EXISTS copied.main."{table.name}"')
        return made

    def _do(self, sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
        return found
