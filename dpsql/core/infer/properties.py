"""The properties of every node of a plan, bottom up: one dataclass, one traversal.

What each property means stands in the file of its name: `unit`, `keys`, `multiplicity`, `ranges`.
The rules of joins are in `joins`, those of grouping, UNION ALL and windows in `grouping`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from dpsql.core.infer.evidence import Evidence
from dpsql.core.infer.keys import (
    Keys,
    closure,
    constants,
    fixing,
    plain_column,
    reduced,
)
from dpsql.core.infer.multiplicity import (
    ONE,
    UNBOUNDED,
    Bound,
    Parts,
    PerValue,
    anchored_rows,
    scan_per_value,
    scan_rows,
)
from dpsql.core.infer.ranges import Environment, each_inferred, each_narrowed, infer
from dpsql.core.infer.unit import UNIT, Anchors, scan_anchors
from dpsql.core.plan.expr import Column, Expr, Literal, columns_of, conjuncts
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Apply,
    Filter,
    Join,
    Limit,
    Named,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    Union,
    Window,
    inputs,
)
from dpsql.core.plan.values import Values, of_type
from dpsql.core.schema import Column as SchemaColumn
from dpsql.core.schema import Schema, Table
from dpsql.types import BOOLEAN

MAX_VALUES = 1_000_000
"""Of a key's column; more are no bound worth having."""


@dataclass(frozen=True, slots=True)
class Properties:
    """What is known of a node's rows.

    Attributes:
        kind: PUBLIC or TRACKED.
        columns: the ids of its columns.
        proven: what each column can be, on any database.
        claimed: what each column is declared to be; the rewritten query enforces it where used.
        expected: as `claimed`, but NULL only where the owner has declared NULLs, and as long as a
            text can be where he has said nothing: for group keys, and for what is worth summing.
        anchors: see `unit`.
        home: the anchored columns that tell every row's unit, see `unit`.
        rows: rows per unit, see `multiplicity`.
        rows_why: how `rows` was found; None where rows are of no unit.
        per_value: see `multiplicity`.
        keys: sets of columns that are unique in fact, see `keys`.
        determined: columns that have one value per unit, or of public rows one in all, see `keys`.
        table_rows: for public tables, the declared number of rows.
        complete: every unit of every database has exactly one row here (`replace` only).
        owned: no row without a unit can occur.
        parts: what the rows were joined of, see `multiplicity`.
    """

    kind: Kind
    columns: frozenset[int]
    proven: Environment
    claimed: Environment
    expected: Environment
    anchors: Anchors
    home: frozenset[int]
    rows: Bound
    rows_why: Evidence | None
    per_value: PerValue
    keys: Keys
    determined: frozenset[int]
    table_rows: int | None
    complete: bool
    owned: bool
    parts: Parts = field(default_factory=dict)

    @property
    def with_nulls(self) -> Environment:
        """As `expected`, but NULL wherever it is claimed: for what is made of a column, and may be
        a value where that is NULL, as COALESCE(x, 'none') and COUNT(x) are.
        """
        made: dict[int, Values] = {}
        for column, own in self.expected.items():
            known = self.claimed[column]
            like = own.but(nullable=known.nullable)
            made[column] = known if like == known else like  # the same is inferred of once
        return made

    def told_by(self, items: Iterable[tuple[Column, Expr]]) -> Parts:
        """The parts of rows that are computed from these, which one value of a unit may enter."""
        items = tuple(items)
        found: dict[frozenset[int], Bound] = {}
        for part, most in self.parts.items():
            known = part | self.determined
            made = frozenset(c.id for c, e in items if columns_of(e) <= known)
            found[made] = most.least(found[made]) if made in found else most
        return found


def analyze(plan: Plan, schema: Schema, *, narrowing: bool = True) -> Properties:
    """The properties of a resolved plan.

    Args:
        plan: without release points below it.
        schema: what is public.
        narrowing: whether predicates narrow ranges. Without it the ranges hold for every row that
            an expression may be evaluated on, wherever the engine moves it.

    Raises:
        Rejected: DP402 and DP403 for joins that cannot be bounded, DP405 for windows across units.
    """
    kept, key = _kept.get({}), (id(plan), id(schema), narrowing)
    if key not in kept:
        below = tuple(analyze(child, schema, narrowing=narrowing) for child in inputs(plan))
        kept[key] = plan, schema, derive(plan, below, schema, narrowing=narrowing)
    return kept[key][-1]


Kept = dict[tuple[int, int, bool], tuple[Plan, Schema, Properties]]

_kept: ContextVar[Kept] = ContextVar("kept")


@contextmanager
def each_once() -> Iterator[None]:
    """Within it no node is analysed twice: it is known by its identity, and is kept as long, since
    another might get that otherwise.
    """
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def derive(
    plan: Plan, below: tuple[Properties, ...], schema: Schema, *, narrowing: bool = True
) -> Properties:
    """The properties of one node, from those of its inputs."""
    from dpsql.core.infer import grouping, joins

    match plan:
        case Scan():
            return _scan(plan, schema)
        case OneRow():
            return _one_row()
        case Released():
            return _released(plan)
        case Filter():
            return _filter(plan, below[0], schema, narrowing)
        case Project():
            return _project(plan, below[0])
        case Join():
            return joins.join(plan, below[0], below[1], narrowing)
        case Union():
            return grouping.union(plan, below)
        case Aggregate():
            return grouping.aggregate(plan, below[0], schema)
        case Window():
            return grouping.window(plan, below[0])
        case Sort():
            return below[0]
        case Limit():
            return _limit(plan, below[0])
        case Apply() | Named():
            raise AssertionError(f"{type(plan).__name__} is resolved before it is analysed")
        case _:
            assert_never(plan)


def _one_row() -> Properties:
    return Properties(
        kind=Kind.PUBLIC,
        columns=frozenset(),
        proven={},
        claimed={},
        expected={},
        anchors={},
        home=frozenset(),
        rows=ONE,
        rows_why=None,
        per_value={},
        keys=(frozenset(),),
        determined=frozenset(),
        table_rows=1,
        complete=False,
        owned=True,
    )


def _scan(plan: Scan, schema: Schema) -> Properties:
    table = plan.table
    declared = [table.column(field) for field in plan.fields]
    pairs = [(c.id, d) for c, d in zip(plan.columns, declared, strict=True) if d is not None]
    ids = frozenset(c.id for c in plan.columns)
    by_name = {field.lower(): c.id for field, c in zip(plan.fields, plan.columns, strict=True)}
    key = frozenset(by_name[k.lower()] for k in table.key)
    rows, why = scan_rows(plan, schema) if table.private else (ONE, None)
    complete = _complete(table, schema)
    anchors = scan_anchors(plan, schema)
    determined = frozenset(c for c, anchor in anchors.items() if anchor == UNIT)
    return Properties(
        kind=Kind.TRACKED if table.private else Kind.PUBLIC,
        columns=ids,
        proven={i: proven_values(d) for i, d in pairs},
        claimed={i: claimed_values(d) for i, d in pairs},
        expected={i: _expected_values(d) for i, d in pairs},
        anchors=anchors,
        home=_homes(table, by_name, anchors),
        rows=rows,
        rows_why=why,
        per_value=scan_per_value(plan),
        keys=(key,) if key else (),
        determined=ids if table.private and rows.proven == 1 else determined,
        table_rows=None if table.private else table.rows,
        complete=complete,
        owned=not table.private or table.owner is None or table.owner_proven,
    )


def _homes(table: Table, by_name: Mapping[str, int], anchors: Anchors) -> frozenset[int]:
    """The owner column: where it is NULL the row belongs to nobody. And anchored columns that are
    never NULL in fact; of others the NULL rows may be of several units.
    """
    owner = None if table.owner is None else by_name.get(table.owner.lower())
    key = {by_name[k.lower()] for k in table.key}
    solid = {
        by_name[c.name.lower()]
        for c in table.columns
        if not c.nullable and c.name.lower() in by_name
    }
    return frozenset(c for c in anchors if c == owner or c in key or c in solid)


def _complete(table: Table, schema: Schema) -> bool:
    """The unit's own table, one row a unit, under `replace` with a public number of units."""
    own = table.name.lower() == schema.unit_table.lower()
    key = tuple(k.lower() for k in table.key)
    one_row = schema.unit_column is None or key == (schema.unit_column.lower(),)
    return own and one_row and schema.neighbours == "replace" and table.rows is not None


@lru_cache(maxsize=10_000)
def proven_values(column: SchemaColumn) -> Values:
    """What a column can be on any database: its type, and what is proven."""
    values = of_type(column.type, nullable=column.nullable)
    if column.max_length_proven:
        values = values.but(length=column.max_length)
    if column.bounds is not None and column.bounds_proven:
        values = _bounded(values, column)
    if column.values is not None and column.values_proven:
        values = _finite(values, column)
    return values


@lru_cache(maxsize=10_000)
def claimed_values(column: SchemaColumn) -> Values:
    """What a column is declared to be: where nothing is said of it, NULL can occur."""
    values = proven_values(column)
    if column.max_length is not None:
        values = values.but(length=column.max_length)
    if column.bounds is not None:
        values = _bounded(values, column)
    if column.values is not None:
        values = _finite(values, column)
    return values.but(nullable=values.nullable and column.declared_nullable is not False)


@lru_cache(maxsize=10_000)
def _expected_values(column: SchemaColumn) -> Values:
    values = claimed_values(column)
    if not column.max_length_said and not column.max_length_proven:
        values = values.but(length=None)
    return values.but(nullable=values.nullable and column.declared_nullable is True)


def _bounded(values: Values, column: SchemaColumn) -> Values:
    """The declared bounds, as the engine holds them: a DOUBLE bound is the nearest double."""
    assert column.bounds is not None
    low, high = column.bounds
    if (
        column.type.is_float
        and isinstance(low, int | Fraction)
        and isinstance(high, int | Fraction)
    ):
        low, high = Fraction(float(low)), Fraction(float(high))
    return values.but(low=low, high=high, nan=False, said=True)


def _finite(values: Values, column: SchemaColumn) -> Values:
    assert column.values is not None
    ordered = not (column.type.is_string or column.type.is_boolean)
    low = min(column.values) if ordered else None
    high = max(column.values) if ordered else None
    return values.but(low=low, high=high, finite=column.values, nan=False)


def _filter(plan: Filter, below: Properties, schema: Schema, narrowing: bool) -> Properties:
    fixed = constants(plan.predicate) & below.columns
    pairs = fixing(conjuncts(plan.predicate))
    determined = closure(below.determined | fixed, [(below.columns, below.keys)], pairs)
    known: list[Environment] = [below.proven, below.claimed, below.expected]
    if narrowing:
        known = each_narrowed(plan.predicate, known)
    below = replace(
        below,
        proven=known[0],
        claimed=known[1],
        expected=known[2],
        complete=False,
        keys=reduced(below.keys, fixed),
    )
    if below.kind is not Kind.TRACKED or not narrowing:
        return replace(below, determined=determined)
    rows, why = _by_key(plan, below, fixed, schema)
    shared = _shared(plan, below)
    return replace(below, determined=determined, rows=rows, rows_why=why, per_value=shared)


def rows_in_group(plan: Plan, keys: Iterable[Expr], known: Properties, schema: Schema) -> Bound:
    """How many rows one unit has in one group of a plan's rows.

    Claim: as many as where those keys are constants that are columns and never NULL; the others are
    left out, since a filter on fewer columns leaves more rows. A float is, too: its zeros are one
    group, and two values of a key.

    Args:
        plan: the rows.
        keys: what they are grouped by.
        known: its properties.
        schema: what is public.
    """
    plain = ((plain_column(e), infer(e, known.proven)) for e in keys if not e.type.is_float)
    fixed = frozenset(c for c, v in plain if c is not None and not v.nullable)
    filtered = Filter(plan, Literal(True, BOOLEAN))
    return _by_key(filtered, replace(known, keys=reduced(known.keys, fixed)), fixed, schema)[0]


def _by_key(
    plan: Filter, below: Properties, fixed: frozenset[int], schema: Schema
) -> tuple[Bound, Evidence | None]:
    """A unit has no more rows than its rows can have values of a key; and how that was found."""
    rows, why = below.rows, below.rows_why
    for key in below.keys:
        count = ONE
        for column in plan.columns:
            if column.id in key - fixed - below.determined:
                count = count * _values_per_unit(column, below, schema)
        best = rows.least(count)
        if best.claimed != rows.claimed or (best != rows and best.proven == rows.claimed):
            names = ", ".join(c.name for c in plan.columns if c.id in key)
            rows, why = best, Evidence("values", (names,))
    return rows, why


def _shared(plan: Filter, below: Properties) -> PerValue:
    """Rows that share a value of a key's column are no more than the rest of the key has values."""
    found = dict(below.per_value)
    for key in below.keys:
        for column in key:
            count = ONE
            for other in plan.columns:
                if other.id in key and other.id != column:
                    known = below.claimed[other.id], below.proven[other.id]
                    count = count * Bound(*(_count(v, other) for v in known))
            found[column] = found.get(column, UNBOUNDED).least(count)
    return found


def _values_per_unit(column: Column, below: Properties, schema: Schema) -> Bound:
    """How many values a column has in one unit's rows; a home, no more than rows at its anchor."""
    found = Bound(_count(below.claimed[column.id], column), _count(below.proven[column.id], column))
    if column.id in below.home:
        return found.least(anchored_rows(below.anchors[column.id], schema))
    return found


def _count(values: Values, column: Column) -> int | None:
    """How many values there are, NULL counted. Where there is none no row is left, and 1 is said:
    noise of quantiles and thresholds is for one row at least.
    """
    known = None if values.finite is None else len(values.finite)
    if known is None and column.type.is_integer and values.bounded:
        known = math.floor(values.high) - math.ceil(values.low) + 1
    return None if known is None or known > MAX_VALUES else max(1, known + values.nullable)


def _project(plan: Project, below: Properties) -> Properties:
    """A plain column keeps what it has; a computed one has the range of its expression."""
    plain = {c.id: plain_column(e) for c, e in plan.items}
    back: dict[int, int] = {}
    for new, old in plain.items():
        if old is not None:
            back.setdefault(old, new)
    keys = tuple(frozenset(back[c] for c in key) for key in below.keys if key <= back.keys())
    found = {new: old for new, old in plain.items() if old is not None}
    fixed = frozenset(c.id for c, e in plan.items if columns_of(e) <= below.determined)
    environments = (below.proven, below.claimed, below.expected, below.with_nulls)
    known = [(c.id, each_inferred(e, environments)) for c, e in plan.items]
    proven, claimed, own, asked = ({c: of[i] for c, of in known} for i in range(4))
    return replace(
        below,
        columns=frozenset(c.id for c in plan.columns),
        proven=proven,
        claimed=claimed,
        expected=as_expected(own, asked),
        anchors={new: below.anchors[old] for new, old in found.items() if old in below.anchors},
        home=frozenset(new for new, old in found.items() if old in below.home),
        per_value={n: below.per_value[o] for n, o in found.items() if o in below.per_value},
        keys=keys,
        determined=fixed,
        parts=below.told_by(plan.items),
    )


def as_expected(own: Environment, asked: Environment) -> Environment:
    """What is made of `expected` columns: values for NULL among them, and NULL where it is so of
    what the owner has declared.

    Args:
        own: what is made of `Properties.expected`.
        asked: the same of `Properties.with_nulls`.
    """
    return {c: values.but(nullable=own[c].nullable) for c, values in asked.items()}


def _limit(plan: Limit, below: Properties) -> Properties:
    """Public rows, or released ones: LIMIT over private rows is refused before."""
    sizes = [n for n in (plan.count, below.table_rows) if n is not None]
    single = plan.count is not None and plan.count <= 1
    one: Keys = (frozenset(),) if single else ()
    return replace(below, table_rows=min(sizes, default=None), keys=(*one, *below.keys))


def _released(plan: Released) -> Properties:
    ranges = {c.id: plan.values.get(c.id, of_type(c.type)) for c in plan.columns}
    claimed = {**ranges, **plan.claims}
    return replace(
        _one_row(),
        columns=frozenset(ranges),
        proven=ranges,
        claimed=claimed,
        expected=claimed,
        keys=plan.keys,
        table_rows=plan.rows,
    )
