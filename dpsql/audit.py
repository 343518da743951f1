"""For owners and reviewers: the exact measurements, and how far removing a unit really moves them.

What these functions return is private. They are not part of any query's answer and charge nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from dpsql.compile import Compiled, PublicQuery, ReleasedQuery, compile_query
from dpsql.engine.protocol import Snapshot
from dpsql.execution.cells import ExactCells, Key, read
from dpsql.execution.reading import (
    Fed,
    candidates,
    copy_table,
    engine_source,
    exact_feeds,
    public_groups,
)
from dpsql.explanation.explaining import explanation
from dpsql.explanation.measured import released_unit, shown
from dpsql.options import Options, usual_delta
from dpsql.plan.expr import Literal, Ref
from dpsql.policy.schema import Schema, Table
from dpsql.sensitivity import decode
from dpsql.sensitivity.decode import Noisy
from dpsql.sensitivity.formulas import Linear, Output, Quotient, Term
from dpsql.sensitivity.picks import Best, Pick
from dpsql.sensitivity.release import Release
from dpsql.session import Database
from dpsql.sql.emit import Source, column, literal
from dpsql.statements import statements

Vector = dict[Key, int]
"""By group: a measure in lattice steps. By group and point: the rows of a pick."""


@dataclass(frozen=True, slots=True)
class ExactMeasure:
    """One release's exact values: `values[g]` belongs to `groups[g]`, in the released unit. For a
    pick they are numbers of rows, and a group has the point of its grid at its end.
    """

    name: str
    groups: tuple[Key, ...]
    values: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """The largest change that one unit made, beside what was claimed.

    Attributes:
        name: of the release, or of the derived column.
        l0, l1, l2, linf: the largest changes observed, each on its own.
        claimed_l0, claimed_l1, claimed_l2, claimed_linf: the bounds; None for a sum that is clipped
            when the query is run, whose changes are those before the clip.
        released: True for a release, whose noise is calibrated to the claimed L1. False for an
            aggregate that is computed from several, such as AVG from a sum and a count: no noise
            is scaled to it, its bounds follow from theirs and from its range.
    """

    name: str
    l0: int
    l1: int | float
    l2: float
    linf: int | float
    claimed_l0: int | None
    claimed_l1: int | float | None
    claimed_l2: int | float | None
    claimed_linf: int | float | None
    released: bool = True

    @property
    def within(self) -> bool:
        """Whether no change is larger than was claimed."""
        pairs = (
            (self.l0, self.claimed_l0, 1.0),
            (self.l1, self.claimed_l1, 1.0),
            (self.l2, self.claimed_l2, 1 + 1e-12),
            (self.linf, self.claimed_linf, 1.0),
        )
        return all(claim is None or seen <= claim * slack for seen, claim, slack in pairs)


def exact(db: Database, sql: str) -> tuple[ExactMeasure, ...]:
    """The exact base measurements of a query, per release and group.

    Args:
        db: the database.
        sql: a query that is accepted. A public query has no measurements.

    Raises:
        Rejected, EngineError.
    """
    compiled = _compiled(db, sql)
    if isinstance(compiled.query, PublicQuery):
        return ()
    source = engine_source(db._engine)
    result: list[ExactMeasure] = []
    with db._engine.snapshot() as snapshot:
        feeds = _feeds(compiled.query, db, snapshot, source)
        vectors = _vectors(feeds, snapshot, source)
    for (name, release, number), vector in zip(_named(compiled), vectors, strict=True):
        unit, zero = Fraction(1), Fraction(0)
        if isinstance(number, int):
            unit, zero = released_unit(release, number), _zero(release, number)
        values = tuple(v * unit + zero for v in vector.values())
        result.append(ExactMeasure(name, tuple(vector), values))
    return tuple(result)


def sensitivity(db: Database, sql: str) -> tuple[Observed, ...]:
    """Remove each unit in turn (for `replace`, swap it for each other one) and measure again.

    One query per unit and release: for small data. The largest observed L0, L1, L2 and L∞ are
    given beside the claimed ones: first per release, in the order of `Explanation.releases` and in
    the released unit; then per derived aggregate (`Observed.released` is False), in its own unit.

    Raises:
        Rejected, EngineError.
        PolicyError: each row is a unit and the engine has no row numbers to remove one by.
    """
    compiled = _compiled(db, sql)
    if isinstance(compiled.query, PublicQuery):
        return ()
    whole = engine_source(db._engine)
    with db._engine.snapshot() as snapshot:
        units = _units(db, snapshot, whole)
        # What a release reads of another is released: the same for both neighbours.
        feeds = _feeds(compiled.query, db, snapshot, whole)
        base = _vectors(feeds, snapshot, whole)
        owned = [
            _difference(base, _vectors(feeds, snapshot, _without(unit, db, whole)))
            for unit in units
        ]
    changes = _changes(owned, db.schema)
    named = _named(compiled)
    releases = [
        _observed(name, release, number, [change[index] for change in changes])
        for index, (name, release, number) in enumerate(named)
    ]
    return (*releases, *_derived(compiled.query, base, changes))


def _compiled(db: Database, sql: str) -> Compiled:
    """The query at ε = 1, with the δ that it would be run with."""
    eps = Fraction(1)
    return compile_query(sql, db.schema, eps, options=Options(usual_delta(eps, None, db.schema)))


def _changes(owned: list[list[Vector]], schema: Schema) -> list[list[Vector]]:
    """For each neighbour, how far it moves each measure, given what each unit adds to it."""
    if schema.neighbours == "add_remove":
        return [[{k: -x for k, x in vector.items()} for vector in vectors] for vectors in owned]
    # Contributions add up, so swapping u for v moves the sum by what v adds less what u did.
    return [_difference(v, u) for u in owned for v in owned if u is not v]


def _named(compiled: Compiled) -> list[tuple[str, Release, int | Pick | Best]]:
    """Every measure and pick, in the order and by the names of `Explanation.releases`."""
    query = compiled.query
    assert isinstance(query, ReleasedQuery)
    names = [r.name for r in explanation(compiled, tuple).releases]
    places: list[tuple[Release, int | Pick | Best]] = [
        (p, n) for p in query.releases for n in (*range(len(p.measures)), *p.picks)
    ]
    return [(name, p, n) for name, (p, n) in zip(names, places, strict=True)]


def _zero(release: Release, number: int) -> Fraction:
    """What is shown where the measure is 0: the middle, for a release that is an average."""
    if released_unit(release, number) == release.measures[number].unit:
        return Fraction(0)
    formulas = [o.formula for o in release.outputs]
    return next(f.centre for f in formulas if isinstance(f, Quotient) and f.denominator is None)


Feeds = list[tuple[Release, Fed]]


def _feeds(query: ReleasedQuery, db: Database, snapshot: Snapshot, source: Source) -> Feeds:
    """What each release reads of those before it, as it would be without noise."""
    with db._scratches.take() as scratch:
        for table in query.tables:
            copy_table(scratch, table, db._engine, snapshot)
        found = exact_feeds(query, snapshot, source, scratch)
    return list(zip(query.releases, found, strict=True))


def _vectors(feeds: Feeds, snapshot: Snapshot, source: Source) -> list[Vector]:
    result: list[Vector] = []
    for release, fed in feeds:
        groups = public_groups(release, snapshot, source)
        rivals = candidates(release, snapshot, source)
        sql = statements(release, source)
        result += _owned_by(release, read(release, groups, snapshot, sql, fed, rivals))
    return result


def _owned_by(release: Release, exact: ExactCells) -> list[Vector]:
    """Each measure's vector, then each pick's."""
    groups = exact.groups
    found = [dict(zip(groups, values, strict=True)) for values in exact.values]
    for number, (pick, points) in enumerate(zip(release.picks, exact.points, strict=True)):
        if isinstance(pick, Best):
            found.append(exact.scores[number])
            continue
        of_groups = zip(groups, points, strict=True)
        found.append({(*g, place): n for g, rows in of_groups for place, n in rows.items()})
    for number, clips in exact.clips.items():
        # Unclipped, but for the greatest clip: what the query would measure if nothing were heavy.
        last = len(clips.value.grid.thresholds) - 1
        parts = clips.value.grid.parts(last)
        found[number] = {key: n // parts for key, n in clips.at(last).items()}
    return found


def _difference(a: list[Vector], b: list[Vector]) -> list[Vector]:
    return [
        {key: u.get(key, 0) - v.get(key, 0) for key in dict.fromkeys((*u, *v))}
        for u, v in zip(a, b, strict=True)
    ]


def _observed(
    name: str, release: Release, number: int | Pick | Best, changes: list[Vector]
) -> Observed:
    if isinstance(number, Best):
        step = number.measure.unit
        seen = _largest([[x * step for x in change.values()] for change in changes])
        most = shown(number.linf * step)
        return Observed(name, *seen, None, None, None, most)
    if isinstance(number, Pick):
        moved = [[Fraction(x) for x in change.values()] for change in changes]
        l0, l1, l2, linf = _largest(moved)
        most = number.moved
        return Observed(name, l0, l1, l2, linf, most, most, most, number.rows)
    unit, claimed = released_unit(release, number), release.measures[number].sensitivity
    if release.measures[number].adaptive:
        l0, l1, l2, linf = _largest([[x * unit for x in c.values()] for c in changes])
        return Observed(name, l0, l1, l2, linf, None, None, None, None)
    return Observed(
        name,
        *_largest([[x * unit for x in change.values()] for change in changes]),
        claimed_l0=claimed.l0,
        claimed_l1=shown(claimed.l1 * unit),
        claimed_l2=claimed.l2(unit),
        claimed_linf=shown(claimed.linf * unit),
    )


def _largest(
    changes: Sequence[Sequence[Fraction]],
) -> tuple[int, int | float, float, int | float]:
    """The largest L0, L1, L2 and L∞."""
    return (
        max((sum(1 for x in c if x) for c in changes), default=0),
        shown(max((sum(map(abs, c), Fraction(0)) for c in changes), default=Fraction(0))),
        max((math.sqrt(sum(x * x for x in c)) for c in changes), default=0.0),
        shown(max((abs(x) for c in changes for x in c), default=Fraction(0))),
    )


def _derived(
    query: ReleasedQuery, base: list[Vector], changes: list[list[Vector]]
) -> list[Observed]:
    """The aggregates that are computed from more than one number, in the order of the query."""
    result: list[Observed] = []
    start = 0
    for release in query.releases:
        end = start + len(release.measures)
        before = base[start:end]
        after = [[_added(x, y) for x, y in zip(before, c[start:end], strict=True)] for c in changes]
        for output in release.outputs:
            formula = output.formula
            if isinstance(formula, Linear | Quotient) and len(_parts(formula)) > 1:
                values = _values(formula, before)
                moved = [
                    [y - x for x, y in zip(values, _values(formula, vectors), strict=True)]
                    for vectors in after
                ]
                claims = _claims(formula, release)
                result.append(Observed(_column_name(query, output), *_largest(moved), *claims))
        start = end + len(release.picks)
    return [replace(found, released=False) for found in result]


def _parts(formula: Linear | Quotient) -> list[Term]:
    """The measures that an aggregate is made of."""
    if isinstance(formula, Linear):
        return list(formula.terms)
    return [formula.numerator, *([formula.denominator] if formula.denominator else [])]


def _values(formula: Linear | Quotient, vectors: list[Vector]) -> list[Fraction]:
    """The aggregate in every group."""
    groups = dict.fromkeys(key for vector in vectors for key in vector)
    return [decode.number(formula, Noisy([v.get(g, 0) for v in vectors])) for g in groups]


def _added(x: Vector, y: Vector) -> Vector:
    return {key: x.get(key, 0) + y.get(key, 0) for key in dict.fromkeys((*x, *y))}


def _claims(formula: Linear | Quotient, release: Release) -> tuple[int, float, float, float]:
    """L0, L1, L2 and L∞ of an aggregate of several measures.

    One unit changes all measures of a release in the same groups: those where it has rows. There
    a weighted sum moves by no more than its parts together, and an average by no more than its
    range is wide, since it is kept inside.
    """
    parts = [(release.measures[t.measure], abs(t.weight)) for t in _parts(formula)]
    l0 = max(measure.sensitivity.l0 for measure, _ in parts)
    if isinstance(formula, Quotient):
        width = formula.high - formula.low
        return l0, shown(l0 * width), math.sqrt(l0) * float(width), shown(width)
    return (
        l0,
        shown(sum((m.sensitivity.l1 * w for m, w in parts), Fraction(0))),
        sum(m.sensitivity.l2(w) for m, w in parts),
        shown(sum((m.sensitivity.linf * w for m, w in parts), Fraction(0))),
    )


def _column_name(query: ReleasedQuery, output: Output) -> str:
    """The name of the answer's column that shows the aggregate, else the aggregate's own."""
    if query.trace is not None:
        for expr, name in zip(query.trace.outputs, query.names, strict=True):
            if isinstance(expr, Ref) and expr.column == output.column:
                return name
    return output.column.name


# --- databases without one unit ------------------------------------------------------------------


def _units(db: Database, snapshot: Snapshot, source: Source) -> list[object]:
    """Every unit that owns a row somewhere."""
    schema = db.schema
    if schema.unit_column is None:
        table = schema.table(schema.unit_table)
        assert table is not None
        rows = exp.select("rowid").from_(source(table))
        return [r[0] for r in snapshot.rows(rows.sql(dialect="duckdb"))]
    found: dict[object, None] = {}
    for table in schema.tables.values():
        if table.private and table.owner is not None and schema.next_owner(table) is None:
            owner = column("t", table.owner)
            rows = exp.Select().from_(_as(source(table), "t")).select(owner).distinct()
            rows = rows.where(exp.Not(this=exp.Is(this=owner.copy(), expression=exp.Null())))
            found.update(dict.fromkeys(r[0] for r in snapshot.rows(rows.sql(dialect="duckdb"))))
    return list(found)


def _without(unit: object, db: Database, source: Source) -> Source:
    """Every private table without the rows of one unit."""

    def reduced(table: Table) -> exp.Expr:
        if not table.private:
            return source(table)
        keep = exp.Select().from_(_as(source(table), "t")).select(exp.Star())
        return keep.where(exp.Not(this=exp.Paren(this=_owned(unit, table, db, source)))).subquery()

    return reduced


def _owned(unit: object, table: Table, db: Database, source: Source) -> exp.Expr:
    """The condition that a row "t" belongs to the unit; never NULL."""
    if table.owner is None:
        assert isinstance(unit, int)
        return exp.EQ(this=exp.column("rowid", table="t"), expression=exp.Literal.number(unit))
    reference = db.schema.next_owner(table)
    owner = column("t", table.owner)
    if reference is None:
        return exp.NullSafeEQ(this=owner, expression=_constant(unit, table))
    upper = db.schema.table(reference.table)
    assert upper is not None
    inner = exp.Select().from_(_as(source(upper), "t")).select(column("t", reference.column))
    inner = inner.where(_owned(unit, upper, db, source))
    found = exp.In(this=owner, query=inner.subquery())
    return exp.Anonymous(this="coalesce", expressions=[found, exp.Boolean(this=False)])


def _constant(unit: object, table: Table) -> exp.Expr:
    assert table.owner is not None
    declared = table.column(table.owner)
    assert declared is not None
    value = Fraction(unit) if isinstance(unit, Decimal) else unit
    return literal(Literal(value, declared.type))  # type: ignore[arg-type]


def _as(item: exp.Expr, alias: str) -> exp.Expr:
    item = item.copy()
    item.set("alias", exp.TableAlias(this=exp.Identifier(this=alias, quoted=True)))
    return item
