"""What the checker is told of a release: the policy's facts and what is claimed, as plain data.

The checker (`dpsql.checker`) shares no code with what makes the statements; this module is between
the two. It hands over facts that are proven, and the claims exactly as noise is scaled to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache

from sqlglot import exp

from dpsql.checker import facts as plain
from dpsql.checker.certificate import certify
from dpsql.checker.proof import Refused, Step, TooDeepError
from dpsql.checker.values import days
from dpsql.compile import Compiled, ReleasedQuery, plain_source, plan_sql
from dpsql.core.emit.plans import Source
from dpsql.core.enforce.asked_cells import Cells
from dpsql.core.enforce.cells_sql import feeds_of
from dpsql.core.enforce.clipped import Clipping
from dpsql.core.enforce.lattice import OnLattice
from dpsql.core.enforce.pairs import Pairs
from dpsql.core.enforce.truncation import Truncation
from dpsql.core.plan.nodes import Plan
from dpsql.core.release.arguments import weights_of
from dpsql.core.release.measures import APART, Kind, Measure
from dpsql.core.release.picks import Best
from dpsql.core.release.release import Release
from dpsql.core.release.statements import Statements, statements
from dpsql.core.schema import Column, Lookup, Schema, Table
from dpsql.errors import Diagnostic, Rejected, shallow
from dpsql.execution.cells import group_queries
from dpsql.execution.loaded import table_columns
from dpsql.types import Scalar


@lru_cache(maxsize=32)
def facts(schema: Schema, source: Source) -> plain.Facts:
    """The proven facts of a policy. A schema is equal to itself alone and never changes, so that
    the facts that are found by it are its own.
    """
    column = schema.unit_column
    return plain.Facts(
        tables=tuple(_table(t, source, schema) for t in schema.tables.values()),
        unit=(schema.unit_table.lower(), None if column is None else column.lower()),
        replace=schema.neighbours == "replace",
    )


def _table(table: Table, source: Source, schema: Schema) -> plain.Table:
    written = source(table)
    assert isinstance(written, exp.Table)
    path = tuple(p.name.lower() for p in written.parts)
    return plain.Table(
        path=path,
        name=table.name.lower(),
        private=table.private,
        columns={
            c.name.lower(): replace(_column(c), nullable=_nullable(c, table)) for c in table.columns
        },
        key=tuple(k.lower() for k in table.key),
        owner=None if table.owner is None else table.owner.lower(),
        owned=table.owner_proven,
        lookup=() if table.lookup is None else tuple(_found(table.lookup)),
        rows=table.rows,
    )


def _found(lookup: Lookup) -> Iterator[tuple[str, tuple[str, str]]]:
    for own, key in zip(lookup.columns, lookup.key, strict=True):
        yield own.lower(), (lookup.table.name.lower(), key.lower())


def _nullable(column: Column, table: Table) -> bool:
    """Whether the table itself may have a NULL, and not its rows that find an owner alone."""
    return column.nullable or (table.lookup is not None and column.name in table.lookup.columns)


def _column(column: Column) -> plain.Column:
    low, high = (None, None)
    if column.bounds is not None and column.bounds_proven:
        low, high = map(_number, column.bounds)
    values = column.values if column.values_proven else None
    if values is not None and column.bounds is None:
        numbers = [_number(v) for v in values]
        if numbers and None not in numbers:
            known = [n for n in numbers if n is not None]
            low, high = min(known), max(known)
    if values and all(isinstance(v, str) for v in values):
        sizes = [len(v) for v in values if isinstance(v, str)]
        low, high = Fraction(min(sizes)), Fraction(max(sizes))
    if column.max_length is not None and column.max_length_proven and high is None:
        high = Fraction(column.max_length)
    reference = column.references
    return plain.Column(
        name=column.name.lower(),
        type=_type(column),
        nullable=column.nullable,
        low=low,
        high=high,
        values=None if values is None else frozenset(map(_listed, values)),
        references=None
        if reference is None
        else (reference.table.lower(), reference.column.lower()),
        max_rows=column.max_rows if column.max_rows_proven else None,
    )


def _type(column: Column) -> str:
    kind = str(column.type).upper()
    return {"VARCHAR": "TEXT", "HUGEINT": "INT128"}.get(kind, kind)


def _number(value: Scalar) -> Fraction | None:
    """A number, or a date as a number of days; None of anything else."""
    if isinstance(value, bool | str):
        return None
    if isinstance(value, datetime):
        return days(value)
    if isinstance(value, date):
        return Fraction(value.toordinal())
    return Fraction(value) if isinstance(value, int | Fraction) else None


def _listed(value: Scalar) -> object:
    """A value as the checker lists it."""
    if isinstance(value, bool):
        return Fraction(value)
    number = _number(value)
    return number if number is not None else value if isinstance(value, str) else repr(value)


Fed = Mapping[str, plain.Feed]
"""How released rows are made, by their name."""


def claims(release: Release, statements: Statements, fed: Fed) -> list[plain.Claim]:
    """What is claimed of each statement of a release, in their order."""
    found: list[plain.Claim] = []
    if release.cells is not None and statements.cells is not None:
        found.append(_cells(release, release.cells, statements.cells, fed))
    if release.clipping is not None and statements.clipping is not None:
        found.append(_clipped(release, release.clipping, statements.clipping, fed))
    for (pairs, numbers), text in zip(release.pairs, statements.pairs, strict=True):
        found.append(_pairs(release, pairs, numbers, text, fed))
    picks = zip(release.picks, release.pick_labels, statements.picks, strict=True)
    for pick, label, text in picks:
        keys = len(pick.cells.keys)
        if isinstance(pick, Best):
            terms = _terms(pick.measure, pick.cells, _columns(pick.cells))
            measure = plain.Measure(label, terms, None, None, None, pick.linf, 0, pick.monotone)
        else:
            one = ((keys, Fraction(1)),)
            measure = plain.Measure(label, one, None, pick.moved, None, None, 0, pick.monotone)
        found.append(plain.Sums(text, keys, (measure,), feeds(pick.cells.plan, fed)))
    return found


def _clipped(release: Release, clipping: Clipping | Truncation, text: str, fed: Fed) -> plain.Claim:
    if isinstance(clipping, Truncation):
        moved = [release.measures[v.measure].sensitivity.l1 for v in clipping.values]
        groups = None if clipping.groups is None else min(moved)
        return plain.Edges(text, len(clipping.keys), groups, feeds(clipping.plan, fed))
    clips = tuple(
        plain.Clip(
            v.number,
            tuple(number for number, _ in v.measures),
            v.grid.thresholds,
            v.grid.cut,
            v.grid.width,
            min(release.measures[number].sensitivity.l1 for number, _ in v.measures),
        )
        for v in clipping.values
    )
    return plain.Clips(text, len(clipping.columns), clips, feeds(clipping.cells.plan, fed))


def feeds(plan: Plan, fed: Fed) -> tuple[plain.Feed, ...]:
    """The released rows that a plan reads."""
    return tuple(fed[node.name] for node in feeds_of(plan))


def _fed(query: ReleasedQuery) -> dict[str, plain.Feed]:
    tables: list[plain.Released] = []
    for number, release in enumerate(query.releases):
        columns = tuple((n, str(kind)) for n, kind in table_columns(query, number))
        keys = len(release.node.columns) - len(release.outputs)
        tables.append(plain.Released(release.table, columns, keys, release.domain.size))
    return {
        name: plain.Feed(name.lower(), plan_sql(feed.plan), tuple(tables))
        for name, feed in query.feeds.items()
    }


def _cells(release: Release, cells: Cells, text: str, fed: Fed) -> plain.Sums:
    measures: list[plain.Measure] = []
    columns = _columns(cells)
    for number, (measure, label) in enumerate(zip(release.measures, release.labels, strict=True)):
        if measure.constant is not None or (measure.kind in APART and number != release.units):
            continue
        if measure.kind in APART:
            if not cells.units:
                continue
            last = len(cells.keys) + len(cells.columns) - 1
            terms: tuple[tuple[int, Fraction], ...] = ((last, Fraction(1)),)
        else:
            terms = _terms(measure, cells, columns)
        measures.append(_measure(measure, label, terms))
    return plain.Sums(text, len(cells.keys), tuple(measures), feeds(cells.plan, fed))


def _measure(
    measure: Measure, label: str, terms: tuple[tuple[int, Fraction], ...]
) -> plain.Measure:
    s = measure.sensitivity
    return plain.Measure(label, terms, s.l0, s.l1, s.l2_squared, s.linf, measure.family)


def _columns(cells: Cells) -> dict[str, tuple[int, Fraction]]:
    """Where each column stands, and how many steps its 1 is."""
    steps = {f"s{i}": _in_steps(item.total) for i, item in enumerate(cells.inputs)}
    places = enumerate(cells.columns, len(cells.keys))
    return {name: (place, steps.get(name, Fraction(1))) for place, name in places}


def _terms(
    measure: Measure, cells: Cells, columns: Mapping[str, tuple[int, Fraction]]
) -> tuple[tuple[int, Fraction], ...]:
    """The columns that a measure is made of, in whole steps; see `execution.cells`."""
    made = ((*columns[name], n) for name, n in weights_of(measure, cells.inputs))
    return tuple((place, n * step) for place, step, n in made)


def _in_steps(lattice: OnLattice | None) -> Fraction:
    """How many steps a sum of 1 is."""
    decimal = lattice is not None and lattice.expr.type.is_decimal
    return 1 / lattice.step if lattice is not None and decimal else Fraction(1)


def _pairs(
    release: Release, pairs: Pairs, numbers: Sequence[int], text: str, fed: Fed
) -> plain.Claim:
    keys, read = len(pairs.keys), feeds(pairs.plan, fed)
    if pairs.capacities is not None:
        units = release.measures[numbers[0]].sensitivity.l1
        return plain.Offers(text, keys, pairs.capacities.top, units, read)
    measures: list[plain.Measure] = []
    for number in numbers:
        measure, label = release.measures[number], release.labels[number]
        second = measure.kind in (Kind.DISTINCT_SUM, Kind.WEIGHTS)
        step = _in_steps(pairs.total if measure.kind is Kind.DISTINCT_SUM else None)
        measures.append(_measure(measure, label, ((keys + second, step),)))
    return plain.Sums(text, keys, tuple(measures), read)


Proof = Callable[[plain.Claim, Schema, Source], Step]


def anew(claim: plain.Claim, schema: Schema, source: Source) -> Step:
    """The proof of a claim under a schema.

    Raises:
        Refused: the checker does not follow it.
    """
    return certify(claim, facts(schema, source))


@lru_cache(maxsize=64)
def once(claim: plain.Claim, schema: Schema, source: Source) -> Step:
    """The same, kept: no ε is in a claim, so that a query at another one makes it again."""
    return anew(claim, schema, source)


def proofs(
    compiled: Compiled,
    texts: Sequence[Statements],
    source: Source,
    proof: Proof = anew,
    *,
    groups: bool = True,
) -> tuple[Step, ...]:
    """The proof of every statement of a query that is run on private rows, or lists groups, for
    each kind of unit.

    Args:
        compiled: the query.
        texts: of each of its releases, the statements as they are run.
        source: how these write tables.
        proof: of one claim.
        groups: whether what lists groups is looked at, too.

    Raises:
        Refused: the checker does not follow one.
    """
    if not isinstance(compiled.query, ReleasedQuery):
        return ()
    schema = compiled.policy or compiled.schema
    fed = _fed(compiled.query)
    found: list[plain.Claim] = []
    for release, made in zip(compiled.query.releases, texts, strict=True):
        picked = (pick.domain for pick in release.picks if isinstance(pick, Best))
        domains = [release.domain, *picked]
        listing = (text for domain in domains for text in group_queries(domain, source))
        found += [plain.Listed(text) for text in listing] if groups else []
        told = claims(release, made, fed)
        if {claim.text for claim in told} != set(made.every):
            raise Refused("a statement of which nothing is claimed")
        found += told
    kinds = schema.kinds or (schema,)
    return tuple(proof(claim, kind, source) for claim in dict.fromkeys(found) for kind in kinds)


def certified(
    compiled: Compiled, texts: Sequence[Statements], source: Source, proof: Proof = anew
) -> tuple[Step, ...]:
    """The same, for who runs it; arguments as of `proofs`.

    Raises:
        Rejected: DP601, the checker does not follow; or a statement is too deeply nested for it.
    """

    def proven() -> tuple[Step, ...]:
        try:
            return proofs(compiled, texts, source, proof)
        except TooDeepError:
            raise RecursionError from None

    try:
        return shallow(proven, compiled.text)
    except Refused as refused:
        why = str(refused)
    message = f"dpsql's own checker does not follow its proof of this query: {why}"
    help = "this is a bug of dpsql, please report it; nothing was run, and nothing was charged"
    raise Rejected(Diagnostic("DP601", message, None, help))


def certificate(compiled: Compiled) -> str:
    """The proof as a tree of text, one rule a line.

    Raises:
        Rejected: DP601, the checker does not follow.
    """
    query = compiled.query
    if not isinstance(query, ReleasedQuery):
        return "public: no private row is read"
    texts = tuple(statements(release, plain_source) for release in query.releases)
    steps = certified(compiled, texts, plain_source)
    return "\n".join(line for step in steps for line in step.lines())


__all__ = ["Refused", "Step", "certificate", "certified", "claims", "facts", "once", "proofs"]
