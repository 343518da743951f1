"""What is known of a query before a private row is read: of one open database, and kept."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from threading import Lock

from dpsql.compile import Compiled, compile_query, engine_sql
from dpsql.core.account.amount import parse_eps
from dpsql.core.calibrate.options import Amount, Options, Wishes, options, usual_delta
from dpsql.core.schema import Schema
from dpsql.errors import EngineError, InvalidBudget, Rejected
from dpsql.execution.reading import named_source
from dpsql.execution.ready import Prepared, answerable, prepared
from dpsql.front.clock import instant
from dpsql.front.metadata import first_word
from dpsql.front.tokens import check_text
from dpsql.once import Once
from dpsql.platform.engine.empty import Empty
from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.ledger.ledger import Ledger
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.explanation import explanation
from dpsql.report.explanation.statement import rows_of
from dpsql.session.costs import compiled_at
from dpsql.session.modelling import Modelling, stated
from dpsql.session.public_bounds import compiled_with_facts
from dpsql.session.recheck import OpeningChecks

Key = tuple[str, Fraction, str, Options]

Known = tuple[Prepared, Explanation]
"""A query ready to run, and the same for people."""


class PreparedQueries:
    """The last queries that were prepared, by text, ε and dialect: whoever explains a query and
    then runs it pays for its analysis once. Safe for threads.

    What is kept is a function of the query's text, its dialect, ε, the schema and public tables,
    which do not change while a database is open; nothing of private rows is in it.
    """

    def __init__(self, limit: int = 64) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, Known] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Known], *, stable: bool) -> Known:
        """What is kept under `key`, or else what `make` makes; its errors are not kept, nor is what
        rests on facts of public tables that may change: those are not `stable`.
        """
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = make()
        if made[0].facts and not stable:
            return made
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        return made

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()


class Analysis:
    """Queries made ready: read, proven twice, priced, and kept.

    Attributes:
        schema: what is declared, enforced and proven.
        kept: the last queries.
    """

    def __init__(
        self, engine: Engine, schema: Schema, ledger: Ledger, checks: OpeningChecks
    ) -> None:
        self.schema, self.kept = schema, PreparedQueries()
        self._engine, self._ledger, self._checks = engine, ledger, checks
        self._process = os.getpid()
        self._source = named_source(engine, schema.tables.values())
        self._empty = Empty(
            {
                engine.target(table.name): [(c.name, c.type) for c in table.stored]
                for table in schema.tables.values()
            },
            engine.takes,
        )

    def close(self) -> None:
        """Give back the tables without rows, on which statements are bound."""
        self._empty.close()

    def ready(self, db: Modelling, sql: str, eps: Amount, delta: Amount, wishes: Wishes) -> Known:
        """A query ready to run, and the same for people.

        Args:
            db: whose it is, which the queries are asked of that a model is made of.
            sql, eps, delta, wishes: see `Database.explain`.

        Raises:
            Rejected, InvalidBudget, UnknownDialect, PolicyError, EngineError, InvalidArgument: see
                `Database.explain`.
        """
        if os.getpid() != self._process:  # a forked child has its locks as they were
            raise EngineError("the database was opened by another process; open it here again")
        check_text(sql)  # it is a key of what is kept, which a list cannot be
        problem: InvalidBudget | None = None
        try:
            exact = parse_eps(eps)
            chosen, dialect = options(usual_delta(exact, delta, self.schema), **wishes)
            chosen = replace(chosen, at=instant(sql))
        except InvalidBudget as error:
            problem = InvalidBudget(f"{error}; {self._ledger.remaining} is left")
        if problem is not None:
            raise problem

        def make() -> Known:
            word, query = first_word(sql)
            if word == "explain" and first_word(query)[0] != word:  # nor of itself, without end
                return self._told(db, sql, query, eps, delta, wishes)
            made = self._accepted(
                lambda schema: prepared(
                    compile_query(sql, schema, exact, dialect, chosen), self._source, self._empty
                ),
                sql,
                dialect,
            )
            again = partial(compiled_at, made.compiled.asked_of, sql, delta, wishes)
            return made, explanation(made.compiled, self._asked(made), again)

        key = (sql, exact, dialect, chosen)
        return self.kept.get(key, make, stable=self._engine.stable)

    def _told(
        self, db: Modelling, sql: str, query: str, eps: Amount, delta: Amount, wishes: Wishes
    ) -> Known:
        """The statement EXPLAIN, whose rows are what is known of a query."""
        problem: Rejected | None = None
        try:
            model = stated(query, wishes)
            if model is None:
                told = self.ready(db, query, eps, delta, wishes)[1]
            else:
                told = model.explained(db, eps, delta, wishes)
            return self.ready(db, rows_of(told), eps, delta, {})
        except Rejected as rejected:
            problem = rejected.at(sql)
        raise problem

    def _asked(self, made: Prepared) -> Once[tuple[str, ...]]:
        """What the engine is asked, in its own language. It holds nothing of the database, which an
        explanation outlives.
        """
        if self._engine.takes is None:
            return Once(engine_sql, made.compiled, self._source)
        made.bind()  # what can be said at all
        texts = engine_sql(made.compiled, self._source)
        return Once(tuple, tuple(map(self._engine.spoken, texts)))

    def first_proof(self, sql: str, delta: Amount, wishes: Wishes, eps: Fraction) -> Compiled:
        """The query at an ε as it is first proven, for an audit of that proof."""

        def at(schema: Schema) -> Prepared:  # with no text, of which the other proof is
            compiled = compiled_at(schema, sql, delta, wishes, eps)
            return Prepared(compiled, (), self._source, self._empty)

        return self._accepted(at, sql, wishes.get("dialect", "duckdb")).compiled

    def _accepted(self, at: Callable[[Schema], Prepared], sql: str, dialect: str) -> Prepared:
        """A query under the schema at which it is accepted, with what public tables say."""
        made = compiled_with_facts(at, sql, dialect, self.schema, self._engine, self._same)
        return answerable(made, at, self._engine, self._same)

    def _same(self, snapshot: Snapshot) -> None:
        """Raise PolicyError where a table is another one than when the database was opened."""
        if not self._engine.stable:
            self._checks.definitions(snapshot)
