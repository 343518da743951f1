"""Many small databases, of which a PostgreSQL server computes what is asked of private rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import duckdb

from dpsql.core.schema import Schema
from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import mentioned, read
from dpsql.platform.engine.far.operators import Operator, Unsupported, types
from dpsql.platform.engine.far.postgres import Postgres
from dpsql.platform.engine.far.postgres_language import POSTGRES
from dpsql.platform.engine.far.server_sql import Given, Language, printed
from tests.support.databases import Database
from tests.support.store import Store

_NUMBERS = count()


class PostgresStore(Store):
    """Its tables are there as well, as rows that were lent."""

    def __init__(self, schema: Schema, postgres: Postgres, language: Language = POSTGRES) -> None:
        super().__init__(schema)
        self._postgres, self._language = postgres, language
        self._private = {t.name for t in schema.tables.values() if t.private}
        self._lent: dict[str, str] = {}

    def fill(self, worlds: Sequence[Database]) -> None:
        """Replace all contents, on the server, too."""
        super().fill(worlds)
        for low, table in self.schema.tables.items():
            listed = self.connection.execute(f'DESCRIBE "{table.name}"').fetchall()
            for name, kind, *_ in listed:
                if kind in ("DATE", "TIMESTAMP"):  # of ages that PostgreSQL has not
                    ages = f"NOT \"{name}\" BETWEEN '4000-01-01 (BC)' AND '290000-01-01'"
                    where = f'isfinite("{name}") AND {ages}'
                    self.connection.execute(
                        f'UPDATE "{table.name}" SET "{name}" = NULL WHERE {where}'
                    )
            items = ", ".join(
                f'"{name}"' if _is_sent(kind) else f'CAST("{name}" AS VARCHAR) AS "{name}"'
                for name, kind, *_ in listed
            )
            rows = self.connection.sql(f'SELECT {items} FROM "{table.name}"')
            if low in self._lent:
                self._postgres._open().execute(f"DROP TABLE {self._lent[low].split(' ')[0]}")
            made = self._postgres.publish(f"t{next(_NUMBERS)}", rows.to_arrow_table())
            self._lent[low] = made
            self._postgres._lent.clear()

    def plan(self, sql: str) -> Operator | None:
        """What the server is asked; None where only public rows are read."""
        [(plan,)] = self.connection.execute(PLAN, {"sql": sql}).fetchall()
        found = {path[-1] for path in mentioned(str(plan))}
        return read(str(plan)) if found & self._private else None

    def lacks(self, sql: str) -> str | None:
        """What the server's language has not."""
        try:
            plan = self.plan(sql)
            if plan is not None:
                printed(plan, self._language, lambda path: path[-1], {})
        except Unsupported as missing:
            return missing.what
        return None

    def bind(self, sql: str) -> None:
        """Have the server analyse a statement."""
        plan = self.plan(sql)
        if plan is not None:
            self._postgres.begin(None)
            try:
                self._postgres.bind(self._printed(plan, {}))
            finally:
                self._postgres.end()

    def _printed(self, plan: Operator, given: Given) -> str:
        return printed(plan, self._language, lambda path: self._lent[path[-1].lower()], given)

    def there(self, plan: Operator, given: Given) -> list[tuple[Any, ...]]:
        """The server's rows."""
        said = self._printed(plan, given)
        self._postgres.begin(None)
        try:
            arrow = self._postgres.run(said)
        finally:
            self._postgres.end()
        items = ", ".join(f"CAST(c{i} AS {kind}) AS c{i}" for i, kind in enumerate(types(plan)))
        with duckdb.connect(":memory:") as scratch:
            scratch.register("cells", arrow)
            return scratch.execute(f"SELECT {items} FROM cells").fetchall()

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> list[tuple[object, ...]]:
        """The rows of a query, with values for its named parameters."""
        given = {n: v for n, v in (parameters or {}).items() if isinstance(v, list)}
        plan = self.plan(sql)
        return super().rows(sql, parameters) if plan is None else self.there(plan, given)


def _is_sent(kind: str) -> bool:
    other = kind.startswith(("ENUM", "INTERVAL", "TIME ", "UUID", "STRUCT")) or kind == "TIME"
    return not other and "[" not in kind
