"""The schema, and what public tables say of themselves.

What an owner has not declared of a public table need not be guessed: it is looked up, but only for
a query that is not accepted without it, or with the noise of ten thousand years, or by a guess of
how many rows a unit's are compared with, so that a query's proof does not depend on what was asked
before. Nothing private is read.

    SELECT MIN(day) FROM visits     visits.day references days.day: one of the days that there are

What a private column leads to is looked up last. Claim: what that says of the column is a claim and
no more. Why: it is what the owner could have declared of it, and is enforced as that is: a row
whose value is not in the public table counts as the nearest number, or has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from sqlglot import exp

from dpsql.compile import ReleasedQuery
from dpsql.core.frozen import FrozenMap
from dpsql.core.infer.tracking import kind_of
from dpsql.core.infer.work import looks_further
from dpsql.core.plan.expr import Call, walk
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Join, Scan, nodes
from dpsql.core.release.statements import plans
from dpsql.core.schema import Column, Schema, Table
from dpsql.errors import Rejected
from dpsql.execution.ready import Prepared, few_public_rows
from dpsql.front.named import named
from dpsql.front.parse import every, parse
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.protocol import Engine, Snapshot
from dpsql.platform.engine.public_facts import ColumnFacts, TableFacts, measured

HELPED = frozenset({"DP301", "DP302", "DP306", "DP403", "DP501", "DP502"})
"""Rejections for want of a bound, which may be that of a public table."""

UNLISTED = frozenset({"DP301"})
"""Rejections for want of a list of values, which may be texts of a public table."""


def compiled_with_facts(
    at: Callable[[Schema], Prepared],
    sql: str,
    dialect: str,
    schema: Schema,
    engine: Engine,
    same: Callable[[Snapshot], None],
) -> Prepared:
    """A query as it is accepted, with what of public tables that rests on.

    Args:
        at: makes it of the query, under a schema.
        sql, dialect: its text.
        schema: what is declared and proven.
        engine: with the public tables.
        same: raises where a table is another one than when the database was opened: one that was
            public then may be a view of private rows by now.

    Raises:
        Rejected: it is not accepted, whatever public tables say.
        EngineError: the engine failed.
        PolicyError: a table is another one now.
    """

    def told(listed: bool, led: bool = False) -> Prepared | None:
        facts = public_facts(sql, dialect, schema, engine, same, listed=listed, led=led)
        if not facts:
            return None
        return replace(at(with_facts(schema, facts, led=led)), facts=facts).proven()

    problem: Rejected | None = None
    try:
        made = at(schema)
    except Rejected as rejected:
        problem = rejected
    else:
        if _guessed(made) and (counted := told(False)) is not None:
            return counted
        if wide := _endless(made):
            with suppress(Rejected):
                other = told(False)
                made = other if other is not None and _endless(other) < wide else made
        return made
    for codes, listed in ((HELPED, False), (UNLISTED, True)):
        if not any(d.code in codes for d in problem.diagnostics):
            break
        try:
            if (other := told(listed)) is not None:
                return other
            break
        except Rejected as rejected:
            # What the checker does not follow of such facts is as if they were not known.
            if any(d.code != "DP601" for d in rejected.diagnostics):
                problem = rejected
    if all(d.code in UNLISTED for d in problem.diagnostics):
        with suppress(Rejected):  # the owner may declare more than what is looked up
            if (other := told(listed=True, led=True)) is not None:
                return other
    if all(d.code == "DP502" for d in problem.diagnostics):
        with suppress(Rejected):  # of that way; the guess is told
            facts = public_facts(sql, dialect, schema, engine, same, listed=False)
            other = at(replace(with_facts(schema, facts), counted=True))
            if few_public_rows(other, engine, same):
                return replace(other, facts=facts).proven()
    raise problem


def _endless(made: Prepared) -> int:
    """How many moments are aggregated of which no more is known than that they are in the years 1
    to 9999.
    """
    if not isinstance(made.compiled.query, ReleasedQuery):
        return 0
    arguments = (a for r in made.compiled.query.releases for a in r.arguments)
    calls = (e for a in arguments for e in walk(a.expr) if isinstance(e, Call))
    return sum(c.function == "in_calendar" for c in calls)


def _guessed(made: Prepared) -> bool:
    """Whether the work of a unit is as bounded as a guess of how many rows a public table has: that
    private rows are compared with all of these, or may be, is no reason to reject.
    """
    if not isinstance(made.compiled.query, ReleasedQuery):
        return False
    found = (n for r in made.compiled.query.releases for p in plans(r) for n in nodes(p))
    marks = (n for n in found if isinstance(n, Join) and n.kind == "mark")
    compared = (n.right for n in marks if kind_of(n.right) is Kind.PUBLIC and looks_further(n))
    return any(isinstance(n, Scan) and n.table.rows is None for p in compared for n in nodes(p))


def public_facts(
    sql: str,
    dialect: str,
    schema: Schema,
    engine: Engine,
    same: Callable[[Snapshot], None],
    *,
    listed: bool,
    led: bool = False,
) -> tuple[TableFacts, ...]:
    """What is true of the public tables that a query names, as far as it names their columns; with
    their texts where these are to be listed. Where it is `led`, also of those that private columns
    of the query lead to; nothing where none does.

    Raises:
        EngineError: the engine failed.
        Rejected: the text is no query.
    """
    tree = parse(sql, dialect, schema.types())
    named(tree, schema)
    words = {node.name.lower() for node in every(tree, exp.Identifier)}
    names = {node.name.lower() for node in every(tree, exp.Table)}
    ends = _ends(schema, words, names) if led else {}
    if led and not ends:
        return ()
    found: list[TableFacts] = []
    with engine.snapshot(Deadline.after(schema.limits.seconds)) as snapshot:
        same(snapshot)
        for low, table in schema.tables.items():
            wanted = (words if low in names else set()) | ends.get(low, set())
            if (low in names or low in ends) and not (table.private or table.hidden):
                target = engine.target(table.name)
                found.append(measured(table, wanted, target, snapshot, listed=listed))
    return tuple(found)


def _ends(schema: Schema, words: set[str], names: set[str]) -> dict[str, set[str]]:
    """The columns of public tables that named columns of named private tables lead to, by their
    tables.
    """
    found: dict[str, set[str]] = {}
    for low, table in schema.tables.items():
        for column in table.columns if table.private and low in names else ():
            end = column.references
            if end is not None and column.name.lower() in words:
                found.setdefault(end.table.lower(), set()).add(end.column.lower())
    return {low: found[low] for low, table in schema.tables.items() if low in found}


@lru_cache(maxsize=32)
def with_facts(schema: Schema, facts: tuple[TableFacts, ...], *, led: bool = False) -> Schema:
    """The schema in which that is proven; what the owner has declared stays. It is one schema as
    long as the facts are the same, so that what is proven with it is kept. Where it is `led`, it is
    claimed of the private columns that lead there.
    """
    known = {fact.table.name.lower(): fact for fact in facts}
    tables = {low: _told(t, known[low]) if low in known else t for low, t in schema.tables.items()}
    if led:
        tables = {low: _led(t, known) if t.private else t for low, t in tables.items()}
    kinds = tuple(with_facts(kind, facts, led=led) for kind in schema.kinds)
    return replace(schema, tables=FrozenMap(tables), kinds=kinds)


def _led(table: Table, known: Mapping[str, TableFacts]) -> Table:
    """A private table of whose columns it is claimed that they have values of the public columns
    that they lead to.
    """
    columns = []
    for column in table.columns:
        end = column.references
        fact = None if end is None else known.get(end.table.lower())
        if end is not None and fact is not None and not (column.bounds or column.values):
            there, said = fact.table.column(end.column), fact.columns.get(end.column.lower())
            if there is None or there.type != column.type:
                said = None  # a moment is no day
            if said is not None and said.bounds is not None:
                column = replace(column, bounds=said.bounds, bounds_proven=False)
            elif said is not None and said.texts:
                column = replace(column, values=said.texts, values_proven=False)
        columns.append(column)
    return replace(table, columns=tuple(columns))


def _told(table: Table, facts: TableFacts) -> Table:
    columns = tuple(
        _column(c, facts.columns[c.name.lower()]) if c.name.lower() in facts.columns else c
        for c in table.columns
    )
    # One at least: that there is none now is no reason to think of none.
    return replace(table, columns=columns, rows=max(1, facts.rows))


def _column(column: Column, facts: ColumnFacts) -> Column:
    most = max(1, facts.most)
    made = replace(column, nullable=column.nullable and facts.nulls)
    if column.max_rows is None or most <= column.max_rows:
        made = replace(made, max_rows=most, max_rows_proven=True)
    if facts.bounds is not None and column.bounds is None:
        made = replace(made, bounds=facts.bounds, bounds_proven=True)
    if facts.longest is not None and facts.longest <= (column.max_length or facts.longest):
        made = replace(made, max_length=facts.longest, max_length_proven=True)
    if facts.texts is not None and column.values is None:
        made = replace(made, values=facts.texts, values_proven=True)
    return made
