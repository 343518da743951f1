"""The properties of every node of a select-join plan, bottom up: one dataclass, one traversal.

What each property means and why its rule is right stands in the file of its name: `unit`, `keys`,
`multiplicity`, `ranges`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from dpsql.analyze.keys import Keys, closure, constants, covers, equalities, joined_keys
from dpsql.analyze.multiplicity import ONE, Bound, PerValue, fan_out, scan_per_value, scan_rows
from dpsql.analyze.ranges import Environment, narrow
from dpsql.analyze.unit import Anchor, Anchors, same_unit, scan_anchors
from dpsql.errors import Diagnostic, Rejected
from dpsql.plan.expr import conjuncts
from dpsql.plan.kind import Kind
from dpsql.plan.nodes import Filter, Join, OneRow, Plan, Scan
from dpsql.plan.values import Values, of_type
from dpsql.policy.schema import Column as SchemaColumn
from dpsql.policy.schema import Schema, Table


@dataclass(frozen=True, slots=True)
class Properties:
    """What is known of a node's rows.

    Attributes:
        kind: PUBLIC or TRACKED.
        columns: the ids of its columns.
        proven: what each column can be, on any database.
        claimed: what each column is declared to be; the rewritten query enforces it where used.
        expected: as `claimed`, and NULL only where the owner has declared NULLs; for group keys.
        anchors: see `unit`.
        rows: rows per unit, see `multiplicity`.
        rows_why: how `rows` was found, for people.
        per_value: see `multiplicity`.
        keys: sets of columns that are unique in fact, see `keys`.
        determined: columns that have one value per unit, see `keys`.
        table_rows: for public tables, the declared number of rows.
        complete: every unit of every database has exactly one row here (`replace` only).
        owned: no row without a unit can occur.
    """

    kind: Kind
    columns: frozenset[int]
    proven: Environment
    claimed: Environment
    expected: Environment
    anchors: Anchors
    rows: Bound
    rows_why: str
    per_value: PerValue
    keys: Keys
    determined: frozenset[int]
    table_rows: int | None
    complete: bool
    owned: bool


def analyze(plan: Plan, schema: Schema) -> Properties:
    """The properties of a plan of scans, filters and inner joins.

    Raises:
        Rejected: DP402 and DP403 for joins that cannot be bounded.
    """
    if isinstance(plan, Scan):
        return _scan(plan, schema)
    if isinstance(plan, OneRow):
        return _one_row()
    if isinstance(plan, Filter):
        return _filter(plan, analyze(plan.input, schema))
    if isinstance(plan, Join):
        return _join(plan, analyze(plan.left, schema), analyze(plan.right, schema))
    raise AssertionError(f"{type(plan).__name__} below a normalised aggregate")


def _one_row() -> Properties:
    return Properties(
        kind=Kind.PUBLIC,
        columns=frozenset(),
        proven={},
        claimed={},
        expected={},
        anchors={},
        rows=ONE,
        rows_why="",
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
    rows, why = scan_rows(plan, schema) if table.private else (ONE, "")
    complete = _complete(table, schema)
    return Properties(
        kind=Kind.TRACKED if table.private else Kind.PUBLIC,
        columns=ids,
        proven={i: proven_values(d) for i, d in pairs},
        claimed={i: claimed_values(d, unsaid=not complete) for i, d in pairs},
        expected={i: _expected_values(d) for i, d in pairs},
        anchors=scan_anchors(plan, schema),
        rows=rows,
        rows_why=why,
        per_value=scan_per_value(plan),
        keys=(key,) if key else (),
        determined=ids if table.private and rows.proven == 1 else frozenset(),
        table_rows=None if table.private else table.rows,
        complete=complete,
        owned=not table.private or table.owner is None or table.owner_proven,
    )


def _complete(table: Table, schema: Schema) -> bool:
    """The unit's own table, one row a unit, under `replace` with a public number of units."""
    own = table.name.lower() == schema.unit_table.lower()
    key = tuple(k.lower() for k in table.key)
    one_row = schema.unit_column is None or key == (schema.unit_column.lower(),)
    return own and one_row and schema.neighbours == "replace" and table.rows is not None


def proven_values(column: SchemaColumn) -> Values:
    """What a column can be on any database: its type, and what is proven."""
    values = of_type(column.type, nullable=column.nullable)
    if column.bounds is not None and column.bounds_proven:
        values = _bounded(values, column)
    if column.values is not None and column.values_proven:
        values = _finite(values, column)
    return values


def claimed_values(column: SchemaColumn, *, unsaid: bool = True) -> Values:
    """What a column is declared to be.

    Args:
        column: of the schema.
        unsaid: whether NULL can occur where the owner says nothing of it. Not so in a table whose
            number of rows is public under `replace`: an average there divides by that number.
    """
    values = proven_values(column)
    if column.bounds is not None:
        values = _bounded(values, column)
    if column.values is not None:
        values = _finite(values, column)
    declared = unsaid if column.declared_nullable is None else column.declared_nullable
    return values.but(nullable=values.nullable and declared)


def _expected_values(column: SchemaColumn) -> Values:
    values = claimed_values(column)
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
    return values.but(low=low, high=high, nan=False)


def _finite(values: Values, column: SchemaColumn) -> Values:
    assert column.values is not None
    ordered = not (column.type.is_string or column.type.is_boolean)
    low = min(column.values) if ordered else None
    high = max(column.values) if ordered else None
    return values.but(low=low, high=high, finite=column.values, nan=False)


def _filter(plan: Filter, below: Properties) -> Properties:
    fixed = constants(plan.predicate) & below.columns
    pairs = equalities(conjuncts(plan.predicate))
    determined = closure(below.determined | fixed, [(below.columns, below.keys)], pairs)
    return replace(
        below,
        proven=narrow(plan.predicate, below.proven),
        claimed=narrow(plan.predicate, below.claimed),
        expected=narrow(plan.predicate, below.expected),
        determined=determined if below.kind is Kind.TRACKED else below.determined,
        complete=False,
    )


def _join(plan: Join, left: Properties, right: Properties) -> Properties:
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    pairs = _oriented(equalities(terms), left, right)
    left_columns, right_columns = frozenset(a for a, _ in pairs), frozenset(b for _, b in pairs)
    left_once, right_once = covers(left_columns, left.keys), covers(right_columns, right.keys)
    left_fan = fan_out(left_columns, left_once, left.per_value, left.table_rows)
    right_fan = fan_out(right_columns, right_once, right.per_value, right.table_rows)
    rows, why = _rows(plan, left, right, pairs, left_fan, right_fan)
    kind = Kind.TRACKED if Kind.TRACKED in (left.kind, right.kind) else Kind.PUBLIC
    fixed = constants(plan.condition) if plan.condition is not None else frozenset()
    sides = [(left.columns, left.keys), (right.columns, right.keys)]
    determined = left.determined | right.determined | (fixed & (left.columns | right.columns))
    per_value = {c: b * right_fan for c, b in left.per_value.items()}
    per_value |= {c: b * left_fan for c, b in right.per_value.items()}
    condition = plan.condition
    proven, claimed = {**left.proven, **right.proven}, {**left.claimed, **right.claimed}
    expected = {**left.expected, **right.expected}
    return Properties(
        kind=kind,
        columns=left.columns | right.columns,
        proven=proven if condition is None else narrow(condition, proven),
        claimed=claimed if condition is None else narrow(condition, claimed),
        expected=expected if condition is None else narrow(condition, expected),
        anchors={**left.anchors, **right.anchors, **_equated(left, right, pairs)},
        rows=rows,
        rows_why=why,
        per_value=per_value,
        keys=joined_keys(left.keys, right.keys, left_once, right_once),
        determined=closure(determined, sides, pairs) if kind is Kind.TRACKED else frozenset(),
        table_rows=_product(left.table_rows, right.table_rows),
        complete=False,
        # Of two tracked sides with equal units, one without NULL or dangling owners is enough.
        owned=left.owned or right.owned
        if left.kind is right.kind is Kind.TRACKED
        else left.owned and right.owned,
    )


def _oriented(
    pairs: list[tuple[int, int]], left: Properties, right: Properties
) -> list[tuple[int, int]]:
    """Equal columns with the left side's first; those within one side are of no use here."""
    result: list[tuple[int, int]] = []
    for a, b in pairs:
        if a in left.columns and b in right.columns:
            result.append((a, b))
        elif b in left.columns and a in right.columns:
            result.append((b, a))
    return result


def _equated(
    left: Properties, right: Properties, pairs: list[tuple[int, int]]
) -> dict[int, Anchor]:
    """A column equal to an anchored one has its anchor."""
    found: dict[int, Anchor] = {}
    for a, b in pairs:
        if a in left.anchors:
            found.setdefault(b, left.anchors[a])
        if b in right.anchors:
            found.setdefault(a, right.anchors[b])
    # Keep what a column is anchored at by itself.
    for side in (left, right):
        found.update({c: anchor for c, anchor in side.anchors.items() if c in found})
    return found


def _rows(
    plan: Join,
    left: Properties,
    right: Properties,
    pairs: list[tuple[int, int]],
    left_fan: Bound,
    right_fan: Bound,
) -> tuple[Bound, str]:
    if left.kind is Kind.PUBLIC and right.kind is Kind.PUBLIC:
        return ONE, ""
    if left.kind is Kind.TRACKED and right.kind is Kind.TRACKED:
        if not same_unit(left.anchors, right.anchors, pairs):
            raise _across_units(plan, left, right)
        options = (right.rows * left_fan, left.rows * right.rows)
        rows = (left.rows * right_fan).least(*options)
        return rows, "; ".join(w for w in (left.rows_why, right.rows_why) if w)
    tracked, fan = (left, right_fan) if left.kind is Kind.TRACKED else (right, left_fan)
    if fan.claimed is None:
        raise _unknown_fan_out(plan)
    why = tracked.rows_why
    if fan.claimed != 1:
        why += f", times {fan.claimed} rows of a public table"
    return tracked.rows * fan, why


def _across_units(plan: Join, left: Properties, right: Properties) -> Rejected:
    message = "the joined rows could belong to two different units"
    help = "join on the unit, or on a key that leads to it"
    return Rejected(Diagnostic("DP402", message, plan.span, help))


def _unknown_fan_out(plan: Join) -> Rejected:
    message = "one private row could meet any number of rows of this public table"
    help = "join on its key, or declare the table's key or rows in the policy"
    return Rejected(Diagnostic("DP403", message, plan.span, help))


def _product(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a * b
