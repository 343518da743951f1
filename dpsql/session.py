"""A database under a policy: opens it, and runs the stages of a query in order."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Unpack

import duckdb

from dpsql.accounting.amount import Cost, parse_delta, parse_eps, round_down
from dpsql.accounting.ledger import Ledger
from dpsql.accounting.memory_ledger import MemoryLedger
from dpsql.accounting.sqlite_ledger import SqliteLedger
from dpsql.compile import Compiled, compile_query, engine_sql
from dpsql.engine.checks import Report, holds, is_readable, key_holds, rows_hold, verify
from dpsql.engine.duckdb_engine import DuckDBEngine
from dpsql.engine.protocol import Engine, Snapshot
from dpsql.engine.scratch_pool import ScratchPool
from dpsql.errors import InvalidBudget
from dpsql.execution.run import engine_source, execute
from dpsql.explaining import explanation
from dpsql.explanation import Explanation, QueryCost
from dpsql.options import Options, Wishes, options
from dpsql.policy import (
    Policy,
    Verification,
    claims_digest,
    key_checks,
    null_claims,
    resolve,
    row_checks,
    valid,
)
from dpsql.policy.schema import Schema
from dpsql.prepared import Prepared, PreparedQueries, prepared
from dpsql.result import Answer
from dpsql.target import Target, smallest
from dpsql.types import Type

PolicyLike = Policy | Mapping[str, object] | str | os.PathLike[str]
"""A policy, its content as a mapping, its YAML text (of several lines), or its file."""

Data = str | os.PathLike[str] | duckdb.DuckDBPyConnection
Amount = object
"""An ε or δ as a caller may write it: int, float, Decimal or Fraction; see `parse_eps`."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent, what was and what is left; as floats, and exactly (`.exact`)."""

    total: QueryCost
    spent: QueryCost
    remaining: QueryCost

    def __str__(self) -> str:
        return f"{self.remaining} left of {self.total}"


class Database:
    """Data, a policy and a ledger. Made by `connect`; a context manager.

    Attributes:
        schema: the policy, merged with what the engine enforces and what was verified.
        verified: whether a verification record of this version of the data is in force.
    """

    def __init__(
        self,
        engine: Engine,
        policy: Policy,
        ledger: Ledger,
        record: Verification | None = None,
        record_path: Path | None = None,
    ) -> None:
        self._engine, self._policy, self._ledger = engine, policy, ledger
        self._scratches = ScratchPool()
        self._prepared = PreparedQueries()
        self._record_path = record_path
        catalog = engine.catalog()
        self.schema: Schema = resolve(policy, catalog, record)
        self.verified = record is not None
        _check_usable(engine, self.schema, policy)
        self._checks = OpeningChecks(engine, policy)
        with engine.snapshot() as snapshot:
            self._checks.facts(snapshot)

    def explain(
        self, sql: str, eps: Amount = 1, delta: Amount = None, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """What a query would release and cost, without reading a row and without a charge.

        Args:
            sql: one SELECT.
            eps: the ε of the whole query.
            delta: the δ of the whole query: for private group keys and Gaussian noise. By default
                that part of the policy's δ which ε is of its ε; it is charged where it is used.
            wishes: noise, clipping, weights, dialect; see `dpsql.options.Wishes`.

        Raises:
            Rejected: the query is not accepted.
            InvalidBudget: an ε or δ that is none.
            UnknownDialect: a dialect that is none.
        """
        return self._prepare(sql, eps, delta, wishes).explanation

    def calibrate(
        self,
        sql: str,
        error: float,
        confidence: float = 0.95,
        *,
        size: Mapping[str, float] | float | None = None,
        delta: Amount = None,
        **wishes: Unpack[Wishes],
    ) -> float:
        """The smallest ε with which no count or sum of a query is off by more than `error`.

        Nothing is read, and nothing is charged.

        Args:
            sql: one SELECT.
            error: the half-width that each noisy column may have, in the column's unit; with
                `size`, as a part of it.
            confidence: of the half-width.
            size: a public guess of the columns' sizes, one for all or by column.
            delta, wishes: see `explain`.

        Returns:
            ε, within a part in a thousand of the smallest; 0 for a public query.

        Raises:
            Rejected: the query is not accepted.
            NotCalibrated: how far a column is off depends on the data, or no ε is enough.
            InvalidBudget: a δ that is none.
            ValueError: an error, a confidence or a size that is none.
        """
        target = Target(error, confidence, size)

        def compiled(eps: Fraction) -> Compiled:
            options, dialect = self._options(eps, delta, wishes)
            return compile_query(sql, self.schema, eps, dialect, options)

        exact = smallest(compiled, target)
        found = float(exact)
        return found if Fraction(found) >= exact else math.nextafter(found, math.inf)

    def run(self, sql: str, eps: Amount, delta: Amount = None, **wishes: Unpack[Wishes]) -> Answer:
        """Answer a query with noise, and charge the ledger.

        Args:
            sql: one SELECT.
            eps: the ε of the whole query; not used by a query over public tables.
            delta, wishes: see `explain`.

        Raises:
            Rejected: the query is not accepted; nothing was charged.
            InvalidBudget: an ε or δ that is none; nothing was charged.
            UnknownDialect: a dialect that is none; nothing was charged.
            BudgetExceeded: it costs more than is left; nothing was charged.
            PolicyError: an open connection changed. Where a table is defined otherwise, or settings
                or macros give queries another meaning, nothing was charged; where a key is none
                any more, which the rows tell, the charge stays.
            EngineError: the engine failed; the charge stays.
        """
        query = self._prepare(sql, eps, delta, wishes)
        explained = query.explanation
        description: list[object] = [
            {k: v for k, v in r.to_dict().items() if k != "reasons"} for r in explained.releases
        ]
        recheck = None if self._engine.stable else self._checks
        rows = execute(
            query.compiled,
            query.statements,
            self._engine,
            self._ledger,
            self._scratches,
            description,
            recheck,
        )
        return Answer(
            columns=rows.columns,
            rows=tuple(rows.rows),
            intervals=tuple(rows.intervals),
            types=rows.types,
            cost=explained.cost,
            explanation=explained,
        )

    @property
    def budget(self) -> Budget:
        """What may be spent, what was, and what is left."""
        ledger = self._ledger
        return Budget(*map(QueryCost, (ledger.total, ledger.spent, ledger.remaining)))

    @property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """The declared tables and their columns."""
        return {t.name: tuple(c.name for c in t.columns) for t in self.schema.tables.values()}

    def verify(self) -> Report:
        """Check every claim of the policy on the data, for the owner; record that all hold.

        The record is kept beside the data and is in force from the next `connect` on, as long as
        the data's version and the policy's claims stay. Nothing is recorded where a claim does not
        hold (which of them do would show in the SQL of an explanation), or for data whose version
        cannot be told.
        """
        before = self._engine.version()
        report = verify(self._engine, self.schema, null_claims(self._policy))
        after = self._engine.version()
        known = before is not None and before == after
        if before is not None and known and report.clean and self._record_path is not None:
            holds(report, before, claims_digest(self._policy)).save(self._record_path)
        return report

    def close(self) -> None:
        """Give the data back."""
        self._scratches.close()
        self._engine.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<dpsql database: {', '.join(self.tables)}>"

    def _options(self, eps: Fraction, delta: Amount, wishes: Wishes) -> tuple[Options, str]:
        return options(usual_delta(eps, delta, self.schema), **wishes)

    def _prepare(self, sql: str, eps: Amount, delta: Amount, wishes: Wishes) -> Prepared:
        problem: InvalidBudget | None = None
        try:
            exact = parse_eps(eps)
            chosen, dialect = self._options(exact, delta, wishes)
        except InvalidBudget as error:
            problem = InvalidBudget(f"{error}; {self._ledger.remaining} is left")
        if problem is not None:
            raise problem
        source = engine_source(self._engine)

        def make() -> Prepared:
            compiled = compile_query(sql, self.schema, exact, dialect, chosen)
            explained = explanation(compiled, lambda: engine_sql(compiled, source))
            return prepared(compiled, explained, source)

        return self._prepared.get((sql, exact, dialect, chosen), make)


def explain(
    sql: str,
    eps: Amount,
    policy: PolicyLike,
    delta: Amount = None,
    **wishes: Unpack[Wishes],
) -> Explanation:
    """What a query would release and cost under a policy, with no data at all.

    Raises:
        Rejected, InvalidBudget, PolicyError, UnknownDialect.
    """
    loaded = load_policy(policy)
    schema, exact = resolve(loaded, None, None), parse_eps(eps)
    chosen, dialect = options(usual_delta(exact, delta, schema), **wishes)
    compiled = compile_query(sql, schema, exact, dialect, chosen)
    return explanation(compiled, lambda: engine_sql(compiled))


def usual_delta(eps: Fraction, delta: Amount, schema: Schema) -> Fraction:
    """The δ that is meant: where none is given, that part of the policy's which ε is of its ε."""
    if delta is not None:
        return parse_delta(delta)
    return round_down(min(eps / schema.eps, Fraction(1)) * schema.delta)


def connect(
    data: Data,
    policy: PolicyLike,
    *,
    ledger: Ledger | str | os.PathLike[str] | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
) -> Database:
    """Open data under a policy.

    Args:
        data: a DuckDB file, a folder of Parquet or CSV files, or an open DuckDB connection.
        policy: the policy, or its YAML file, its YAML text, or its content as a mapping.
        ledger: where spending is kept: a ledger, or the path of a SQLite file. By default a file
            beside the data; in memory for a connection to an in-memory database.
        threads, memory_limit: for DuckDB.

    Raises:
        PolicyError: the policy is wrong, or is not true of the data where it has to be: keys on
            unit paths that are not unique, a declared number of rows that is not the number.
        EngineError: the ledger cannot be opened.
    """
    loaded = load_policy(policy)
    total = Cost(loaded.budget.eps, loaded.budget.delta)
    if isinstance(data, duckdb.DuckDBPyConnection):
        engine = DuckDBEngine.from_connection(data)
        beside = None
    else:
        beside = Path(data)
        if beside.is_dir():
            engine = DuckDBEngine.open_folder(
                beside, _types(loaded), threads=threads, memory_limit=memory_limit
            )
        else:
            engine = DuckDBEngine.open_file(beside, threads=threads, memory_limit=memory_limit)
    try:
        if beside is not None and beside.is_dir():
            _check_readable(engine, loaded)
        record_path = None if beside is None else sidecar(beside, "verified.json")
        record = _record(engine, loaded, record_path)
        kept = ledger if not isinstance(ledger, str | os.PathLike) else None
        if kept is None:
            kept = _ledger(ledger, beside or _file_of(data), total)
        return Database(engine, loaded, kept, record, record_path)
    except BaseException:
        engine.close()
        raise


def load_policy(policy: PolicyLike) -> Policy:
    """The policy that is meant.

    Raises:
        PolicyError: it cannot be read, or is none.
    """
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Mapping):
        return Policy.from_mapping(policy)
    if isinstance(policy, str) and "\n" in policy:
        return Policy.parse(policy)
    return Policy.load(Path(policy))


def sidecar(data: Path, suffix: str) -> Path:
    """A file of dpsql's own beside the data."""
    return data.resolve().with_name(f"{data.resolve().name}.dpsql-{suffix}")


def _ledger(path: object, beside: Path | None, total: Cost) -> Ledger:
    if isinstance(path, str | os.PathLike):
        return SqliteLedger(Path(path), total)
    if beside is None:
        return MemoryLedger(total)
    return SqliteLedger(sidecar(beside, "ledger"), total)


def _file_of(data: Data) -> Path | None:
    """The file behind an open connection, so that its ledger outlives the process; or None."""
    if not isinstance(data, duckdb.DuckDBPyConnection):
        return None
    sql = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
    found = data.cursor().execute(sql).fetchone()
    return Path(found[0]) if found is not None and found[0] else None


def _record(engine: Engine, policy: Policy, path: Path | None) -> Verification | None:
    """The verification record that is in force, or None."""
    if path is None:
        return None
    record = Verification.load(path)
    if record is None or not valid(record, policy, engine.version()):
        return None
    return record


def _types(policy: Policy) -> dict[str, dict[str, Type]]:
    return {
        name: {c: d.type for c, d in table.columns.items() if d.type is not None}
        for name, table in policy.tables.items()
    }


def _check_readable(engine: Engine, policy: Policy) -> None:
    """A Parquet file may hold texts that are no text; each query that reads one would fail."""
    for table in engine.catalog().tables:
        strings = [c.name for c in table.columns if c.type.is_string]
        if not is_readable(engine, table.name, strings):
            message = f"{table.name} holds strings that are not valid UTF-8"
            raise policy.error(message, "tables", table.name)


def _check_usable(engine: Engine, schema: Schema, policy: Policy) -> None:
    reasons = engine.unusable()
    for table in schema.tables.values():
        if table.name.lower() in reasons:
            raise policy.error(f"{table.name}: {reasons[table.name.lower()]}", "tables", table.name)


class OpeningChecks:
    """What must be true of the data, in fact: keys on unit paths, and declared numbers of rows; and
    that the tables are the ones whose constraints were read.

    Checked when the database is opened; and again in the snapshot of each query where the data can
    change while it is open, since a key that is none any more would break the sensitivities.
    """

    def __init__(self, engine: Engine, policy: Policy) -> None:
        catalog = engine.catalog()
        self._policy, self._engine = policy, engine
        self._keys = [(c, engine.target(c.table)) for c in key_checks(policy, catalog)]
        self._rows = [(c, engine.target(c.table)) for c in row_checks(policy, catalog)]

    def definitions(self, snapshot: Snapshot) -> None:
        """Raise PolicyError unless the tables are defined as they were; reads no row."""
        changed = self._engine.changed(snapshot)
        for name in self._policy.tables:
            if name.lower() in changed:
                message = f"{name} is not defined as it was when the database was opened; reopen it"
                raise self._policy.error(message, "tables", name)

    def facts(self, snapshot: Snapshot) -> None:
        """Raise PolicyError unless the keys are keys and the numbers of rows are true."""
        for key, target in self._keys:
            if not key_holds(snapshot, target, key.columns):
                columns = ", ".join(key.columns)
                raise self._policy.error(
                    f"{key.table}.{columns} is no key: it is not unique, or NULL in some row",
                    *("tables", key.table, "key"),
                )
        for rows, target in self._rows:
            if not rows_hold(snapshot, target, rows.rows):
                message = f"{rows.table} does not have the declared {rows.rows} rows"
                raise self._policy.error(message, "tables", rows.table, "rows")
