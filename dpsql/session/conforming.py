"""A conforming copy of data: the files of what `conform` makes, and the record of its claims."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any

import duckdb

from dpsql.core.schema import Schema, Table, View
from dpsql.errors import InternalError, PolicyError, Rejected
from dpsql.front.named import definitions
from dpsql.platform.engine import duckdb_open, sandbox
from dpsql.platform.engine.claim_checks import holds, verify
from dpsql.platform.engine.conform import Conformer, Cut, fanouts, leads_to, order
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.far.engine import FarEngine
from dpsql.platform.engine.fingerprint import combined, name_digest
from dpsql.platform.engine.guard import guarded, quietly, refused
from dpsql.platform.engine.recipe import Recipe
from dpsql.platform.engine.resources import Resources
from dpsql.platform.engine.sql_text import dotted, text
from dpsql.platform.engine.sql_text import name as quoted
from dpsql.platform.ledger.opening import open_ledger
from dpsql.platform.policy import (
    Policy,
    Verification,
    claims_digest,
    key_claims,
    key_name,
    length_claims,
    null_claims,
    resolve,
    valid,
)
from dpsql.platform.policy.catalog import Catalog, CatalogColumn
from dpsql.session import copies
from dpsql.session.appended import STAGED, Appended, Contents, added
from dpsql.session.beside import RECORD, sidecar
from dpsql.session.copies import Copy, manifest
from dpsql.session.policies import account
from dpsql.session.recheck import OpeningChecks
from dpsql.session.units_in_time import sources_with_units, whose, with_units

Told = Callable[[str, int, int], None]
"""Told of a table, how many of its rows are done, and how many there are."""

OFTEN = 0.2
"""Seconds between two looks at how far a statement is."""

HOW = 2
"""Another number where `Conformer` makes another row of the same one."""

COPY, BEFORE, SOURCE = "dpsql_copy", "dpsql_before", "dpsql_source"


def conforming_copy(
    engine: DuckDBEngine,
    policy: Policy,
    folder: Path,
    *,
    resources: Resources,
    ledger: str,
    refresh: bool,
    told: Told | None,
) -> tuple[Cut, ...]:
    """Write the copy of data into a folder; what became of each private table.

    Args:
        engine: of the data.
        policy: whose claims shall hold.
        folder: of the copy; made where it is not there.
        resources: what the work may use.
        ledger: the path of the data's ledger; empty where it is no file.
        refresh: whether tables are taken over from the copy that is there where their own files,
            and those of the tables that they lead to, are as they were.
        told: of the progress, if anybody wants to be.

    Raises:
        PolicyError: the copy cannot be made; one that was there is as it was.
        EngineError: the data cannot be read, or memory or disk ran out; or the ledger cannot.
        LedgerTampered: the ledger is not what it was.
        KeyboardInterrupt: Ctrl-C.
    """
    if policy.units:
        raise policy.error("a copy is made of data with one kind of unit", "units")
    if isinstance(engine, FarEngine):
        with closing(engine.copied(resources.allowed)) as here:
            return conforming_copy(
                *(here, policy, folder),
                resources=resources,
                ledger=ledger,
                refresh=refresh,
                told=told,
            )
    with copies.part(folder) as part:
        schema, rules = wanted(policy, bare(engine.catalog(), policy)), _rules(policy)
        if ledger:  # so that it is there, and is the copy's, before the copy is
            open_ledger(ledger, account(policy, schema, ledger))
        before = manifest(folder) if refresh else None
        salt = secrets.token_hex(16) if before is None else before.salt
        sources, files = _sources(engine, schema, before)
        kept, new = frozenset[str](), dict[str, set[str]]()
        same = before is not None and before.rules == rules
        if before is not None and same and _as_made(folder, before, policy, resources):
            kept = _unchanged(schema, sources, before)
            new = {} if policy.time is not None else added(schema, files, before)
        if before is not None and len(kept) == len(schema.tables):
            copies.publish(folder, replace(before, ledger=ledger, files=files))
            return ()
        with ExitStack() as opened:
            work = opened.enter_context(_Work.at(engine, resources))
            opened.enter_context(work.attached(COPY, part))
            if (kept or new) and before is not None:
                opened.enter_context(work.attached(BEFORE, folder / before.file, " (READ_ONLY)"))
            tell = told or (lambda *_: None)
            cuts = _tables(work, engine, schema, policy, salt, kept, new, tell)
            engine.opened.check()
        made = copies.named(part)
        try:
            _add_views(made, schema)
            record = _checked(made, policy, resources)
            record.save(sidecar(made, RECORD))
            unit = policy.unit if policy.time is not None else ""
            copy = Copy(made.name, record.version, ledger, salt, rules, sources, unit)
            copies.publish(folder, replace(copy, owners=whose(policy), files=files))
        except BaseException:
            for left in (made, sidecar(made, RECORD)):
                left.unlink(missing_ok=True)
            raise
        return cuts


def wanted(policy: Policy, catalog: Catalog | None) -> Schema:
    """What a copy shall be like: with the keys that are facts, and those of `own_keys`."""
    schema = resolve(policy, catalog, None)
    keys = frozenset(key_name(low, key) for low, key in own_keys(policy, schema).items())
    return resolve(policy, catalog, Verification("", claims_digest(policy), keys=keys))


def own_keys(policy: Policy, schema: Schema) -> dict[str, tuple[str, ...]]:
    """The declared keys that are made true of a copy though nothing leads there, by tables.

    Those that hold what says whose a row is: no two units share one, so that it is told by the
    rows of a unit alone which of them stays. Where units are in time, two of them may.
    """
    return {
        low: key
        for low, key in key_claims(policy).items()
        if (table := schema.table(low)) is not None and table.private and not table.key
        if policy.time is None and table.owner is not None
        if table.owner.lower() in map(str.lower, key)
    }


def bare(catalog: Catalog, policy: Policy) -> Catalog:
    """What the database of a copy will know: columns and types. It enforces nothing."""
    tables = []
    for table in catalog.tables:
        columns = tuple(CatalogColumn(c.name, c.type) for c in table.columns)
        tables.append(replace(table, columns=columns, keys=(), foreign_keys=(), wide_keys=()))
    made = replace(catalog, tables=tuple(tables))
    return made if policy.time is None else with_units(made, policy, policy.time)


def _rules(policy: Policy) -> str:
    """A digest of all that tells what a copy has of a row, beside the row and the salt."""
    things = {name.lower(): dict(table.one_unit) for name, table in policy.tables.items()}
    text = json.dumps(
        [duckdb.__version__, HOW, claims_digest(policy), whose(policy), things, policy.views],
        sort_keys=True,
    )
    return sha256(text.encode()).hexdigest()


def _as_made(folder: Path, copy: Copy, policy: Policy, resources: Resources) -> bool:
    """Whether a copy is what it was when its claims were made true."""
    file = folder / copy.file
    with suppress(PolicyError), closing(duckdb_open.open_file(file, resources.allowed)) as engine:
        same = engine.version() == copy.version
        return same and valid(Verification.load(sidecar(file, RECORD)), policy, copy.version)
    return False


class _Work:
    """A connection on which the data can be read and the copy written.

    Args:
        recipe: of files that are attached there, under other names: their own may be taken.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, recipe: Recipe | None = None) -> None:
        self._connection = connection
        self._main = recipe is not None and recipe.database is not None
        named = () if recipe is None else recipe.attached
        self._others = {name: f"{SOURCE}_{place}" for place, (name, _) in enumerate(named)}
        self._passed = 0

    @classmethod
    @contextmanager
    def at(cls, engine: DuckDBEngine, resources: Resources) -> Iterator[_Work]:
        """On the owner's own database; or on another one that has the same files."""
        recipe, spill = engine.recipe, resources.allowed.spill
        if recipe is None and not engine.in_memory:
            work = cls(engine.cursor())
        else:
            made = duckdb.connect(":memory:", config=sandbox.config(resources.allowed))
            work = cls(made, recipe)
        try:
            if recipe is None:
                engine.lend(work._connection)
            else:
                sandbox.no_bar(work._connection)
                if spill is not None:
                    work.do(f"SET max_temp_directory_size = '{spill.size}B'")
                for statement in recipe.create:
                    work.do(statement)
                if recipe.database is not None:
                    work.do(f"ATTACH {text(recipe.database)} AS {SOURCE} (READ_ONLY)")
                for name, file in recipe.attached:
                    work.do(f"ATTACH {text(file)} AS {work._others[name]} (READ_ONLY)")
            sandbox.builtins_only(work._connection)
            sandbox.counted(work._connection)
            yield work
        finally:
            quietly(work._connection.close, "close")

    def source(self, target: tuple[str, ...]) -> str:
        """SQL of a table of the data."""
        here = self._others.get(target[0], SOURCE) if self._main else target[0]
        return dotted((here, *target[1:]))

    def do(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of one statement."""
        connection = self._connection
        return guarded(
            lambda: connection.execute(sql).fetchall(),
            "prepare",
            connection.interrupt,
            public=True,  # of the owner's own data, to the owner
        )

    def some(self, engine: DuckDBEngine, low: str, files: Collection[str]) -> str:
        """SQL of the rows of a table that are in some of its files, by digests of their names."""
        assert engine.parts is not None
        names = {n for n, _, _ in engine.sources[low].stamps if name_digest(n) in files}
        called = f"dpsql_new {low}"
        self.do("SET search_path = 'memory.main'")  # in which nobody has macros
        engine.parts.view(self._connection, low, names, called)
        sandbox.builtins_only(self._connection)
        return dotted(("memory", "main", called))

    @contextmanager
    def attached(self, alias: str, file: Path, how: str = "") -> Iterator[None]:
        """With a file as a database; closed and on disk afterwards."""
        self.do(f"ATTACH {text(str(file))} AS {alias}{how}")
        try:
            yield
        except BaseException:
            quietly(lambda: self._connection.execute(f"DETACH {alias}"), "detach")
            file.unlink(missing_ok=True) if not how else None
            raise
        self.do(f"DETACH {alias}")

    def passed(self) -> None:
        """A statement has gone through the table that is watched."""
        self._passed += 1

    @contextmanager
    def watched(self, table: str, rows: int, passes: int, told: Told) -> Iterator[None]:
        """Tell how far a table is, which so many statements go through."""
        ended, self._passed = Event(), 0

        def watch() -> None:
            most = 0.0  # of a short statement in between more is done than of the next pass
            while not ended.wait(OFTEN):
                now = min(max(self._connection.query_progress(), 0.0) / 100, 1.0)
                most = max(most, min((self._passed + now) / passes, 1.0))
                told(table, int(rows * most), rows)

        thread = Thread(target=watch, name="dpsql-prepare", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
        told(table, rows, rows)


def _tables(
    work: _Work,
    engine: DuckDBEngine,
    schema: Schema,
    policy: Policy,
    salt: str,
    kept: frozenset[str],
    new: Mapping[str, set[str]],
    told: Told,
) -> tuple[Cut, ...]:
    source = {low: work.source(engine.target(t.name)) for low, t in schema.tables.items()}
    if policy.time is not None:
        source |= sources_with_units(source, policy.time)
    copy = {low: dotted((COPY, *_place(t))) for low, t in schema.tables.items()}
    for made in {_place(one)[0] for one in schema.every} - {"main"}:
        work.do(f"CREATE SCHEMA {dotted((COPY, made))}")
    conformer = Conformer(
        do=work.do,
        schema=schema,
        source=source,
        copy=copy,
        named={low: _named(policy, t) for low, t in schema.tables.items()},
        not_null=_not_null(schema),
        lengths=length_claims(policy),
        salt=salt,
        passed=work.passed,
    )
    grown, units = None, None
    if new:
        before = {low: dotted((BEFORE, *_place(t))) for low, t in schema.tables.items()}
        grown = Appended(
            do=work.do,
            schema=schema,
            source=source,
            new={low: work.some(engine, low, names) for low, names in new.items()},
            before=before,
            kept=kept,
            columns={t.name.lower(): conformer.columns(t) for t in order(schema)},
        )
        work.do(f"ATTACH ':memory:' AS {STAGED}")
        units = grown.apart()
    if grown is not None and units is not None:
        conformer = replace(conformer, source={**source, **grown.rows}, copy=grown.made)
    cuts = []
    public = [table for table in schema.tables.values() if not table.private]
    for table in [*order(schema), *public]:
        low = table.name.lower()
        if low in kept:
            work.do(f"CREATE TABLE {copy[low]} AS FROM {dotted((BEFORE, *_place(table)))}")
            continue
        [[rows]] = work.do(f"SELECT count(*) FROM {conformer.source[low]}")
        passes = conformer.passes(table) if table.private else 1
        with work.watched(table.name, rows, passes, told):
            if table.private:
                cuts.append(replace(conformer.private(table), of=units))
                if grown is not None and units is not None:
                    grown.joined(table, copy[low])
            else:
                work.do(f"CREATE TABLE {copy[low]} AS FROM {source[low]}")
    return tuple(cuts)


def _place(one: Table | View) -> tuple[str, str]:
    """Schema and name in a copy, such that the policy's name means what it does in the source; of
    warehouse.clinic.visits the schema is "warehouse.clinic".
    """
    own = one.path[2]
    return one.name[: -len(own) - 1] or "main", own


def _add_views(file: Path, schema: Schema) -> None:
    """The views of the policy, over the tables of a copy."""
    places = {one.name: _place(one) for one in schema.every}
    problem, found = "", list[tuple[str, tuple[str, ...], str]]()
    try:
        found = [*definitions(schema, places, dotted)]
    except Rejected as rejected:
        problem = rejected.message
    if problem:
        raise PolicyError(f"a view is not read: {problem}")
    with closing(duckdb.connect(str(file), config=sandbox.config())) as connection:
        sandbox.lock(connection)  # DuckDB looks at what a definition reads
        for view, columns, query in found:
            names = f" ({', '.join(map(quoted, columns))})" if columns else ""
            made = f"CREATE VIEW {dotted(places[view])}{names} AS {query}"
            refused(
                partial(connection.execute, made),
                f"the view {view} cannot be made over the copy, which has the columns that the "
                "policy names; the owner's log has the details",
            )


def _not_null(schema: Schema) -> frozenset[str]:
    """The columns that are claimed to have no NULL, those of keys, too: lower-case table.column."""
    every = ((table, column) for table in schema.tables.values() for column in table.columns)
    said = ((t, c) for t, c in every if c.declared_nullable is False)
    return frozenset(f"{table.name}.{column.name}".lower() for table, column in said)


def _named(policy: Policy, table: Table) -> frozenset[str]:
    """The columns that the policy names, in lower case."""
    found = policy.table(table.name)
    assert found is not None
    things = [c for columns in table.one_unit.values() for c in columns]
    owner = [] if table.owner is None else [table.owner]
    return frozenset(c.lower() for c in [*found[1].columns, *found[1].key, *things, *owner])


def _checked(file: Path, policy: Policy, resources: Resources) -> Verification:
    """The record of a copy, each of whose claims is counted once more.

    Raises:
        PolicyError: it could not be opened, such as for a declared number of rows.
    """
    with closing(duckdb_open.open_file(file, resources.allowed)) as engine:
        schema = resolve(policy, engine.catalog(), None)
        with engine.snapshot() as snapshot:
            OpeningChecks(engine, policy, schema).facts(snapshot)
        # A cut is a claim like others here: it is true of the copy of all data.
        keys = own_keys(policy, schema)
        report = verify(engine, schema, null_claims(policy), length_claims(policy), keys)
        version = engine.version()
    made = fanouts(schema)
    private = {
        f"{low}.{c.name.lower()}"
        for low, t in schema.tables.items()
        if t.private
        for c in t.columns
    }
    # What rows of several units share is no claim of the copy, whether it holds or not.
    known = [
        f
        for f in report.findings
        if f.column not in private or f.kind != "fanout" or f.column in made
    ]
    private |= {key_name(low, key) for low, key in keys.items()}
    if any(f.rows and f.kind != "one_unit" and f.column in private for f in known):
        raise InternalError("a claim is not true of the copy that was made for it")
    if version is None:
        raise InternalError("the version of the copy cannot be told")
    return holds(replace(report, findings=tuple(known)), version, claims_digest(policy))


def _sources(
    engine: DuckDBEngine, schema: Schema, before: Copy | None
) -> tuple[dict[str, str], dict[str, Contents]]:
    """A digest of the files of each table; of a database, the one of its file for all of them. And
    of those that are read in place, each file's own.
    """
    if engine.recipe is not None and engine.recipe.database is not None:
        version = engine.version()
        return ({} if version is None else dict.fromkeys(schema.tables, version)), {}
    known = {} if before is None else before.files
    here = {low: engine.sources[low] for low in schema.tables if low in engine.sources}
    each = {low: files.contents(known.get(low)) for low, files in here.items()}
    in_place = frozenset() if engine.parts is None else engine.parts.in_place
    digests = {low: combined(contents) for low, contents in each.items()}
    return digests, {low: contents for low, contents in each.items() if low in in_place}


def _unchanged(schema: Schema, sources: dict[str, str], before: Copy) -> frozenset[str]:
    """The tables that are as they were, with all that their rows lead to."""
    kept: set[str] = set()
    public = [table for table in schema.tables.values() if not table.private]
    for table in [*order(schema), *public]:
        low = table.name.lower()
        same = low in sources and sources[low] == before.sources.get(low)
        if same and leads_to(schema, table) <= kept:
            kept.add(low)
    return frozenset(kept)
