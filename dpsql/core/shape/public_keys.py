"""Group keys that a public table lists, though the query groups by a private column.

    FROM lineitem JOIN supplier ON l_suppkey = s_suppkey GROUP BY l_suppkey     -- equal columns
    FROM lineitem GROUP BY l_suppkey                                            -- a foreign key
    FROM lineitem WHERE l_suppkey IN (SELECT s_suppkey …)            -- among public rows
    FROM (SELECT … UNION ALL SELECT …) GROUP BY x                       -- foreign keys, all of them
    FROM lineitem GROUP BY l_suppkey                         -- a foreign key, `nullable: true`
    FROM a LEFT JOIN lineitem ON … GROUP BY l_suppkey                   -- a foreign key, or NULL
    FROM (SELECT l_unit, MAX(s_name) AS s … GROUP BY l_unit) GROUP BY s -- chosen for each unit
    FROM lineitem GROUP BY COALESCE(l_suppkey, 0)           -- computed of foreign keys

In all the key is replaced by `s_suppkey`; where it is a foreign key the table is joined first, by a
LEFT JOIN where NULL is declared of it, where it is of one, or was chosen among a unit's rows: then
the table's values of that column, each once. What the query says of the private column it says of
the public one then: `l_suppkey = 3` lists one group.

Claim: the groups and their rows are the same, but for rows whose key is NULL or not in the public
table, which are dropped. Why: the columns are equal in every row that is left, and the join adds no
row because the public column is a key. A condition on a column holds of one that is equal to it,
and the same: it is added, and drops no row that is left. What is equal is the same, and so is what
is computed of it, where a type writes each value in one way; -0.0 is equal to 0.0, and a month to
30 days. Behind a LEFT JOIN no row is dropped: a key that is NULL or not in the public table is in
the group of NULL, or of what stands for it, as is a row that met none. What MIN, MAX, LAG or the
first of some rows gives is one of their values, or NULL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import common
from dpsql.core.infer.domain import is_strict, listed_values
from dpsql.core.infer.key_parts import listed_beside, private_parts
from dpsql.core.infer.keys import equalities
from dpsql.core.infer.properties import analyze
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Case, Column, Expr, Literal, Ref, columns_of, substitute, walk
from dpsql.core.plan.ids import Ids
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
)
from dpsql.core.schema import Schema, Table
from dpsql.core.shape.among_public import among_public, with_public_marks, written_once
from dpsql.core.shape.flatten import Block, factor

Keys = tuple[tuple[Column, Expr], ...]

Origin = tuple[str, str]
"""A table's name, and a column's."""


def with_public_keys(block: Block, keys: Keys, schema: Schema, ids: Ids) -> tuple[Block, Keys]:
    """The block and the keys over its sources' columns, made public where a table lists them."""
    block = among_public(block, tuple(key for _, key in keys), ids)
    kinds = {id(source): kind_of(source) for source in block.sources}
    owners = {c.id: source for source in block.sources for c in source.columns}
    public = {c for c, source in owners.items() if kinds[id(source)] is Kind.PUBLIC}
    columns = {c.id: c for source in block.sources for c in source.columns}
    twins: dict[int, Column] = {}
    for a, b in equalities([part for term in block.terms for part in factor(term)]):
        for x, y in ((a, b), (b, a)):
            if x in owners and x not in public and y in public:
                twins.setdefault(x, columns[y])
    items: list[tuple[Column, Expr]] = []
    for column, key in keys:
        if not isinstance(key, Ref) or key.column.id not in owners or key.column.id in public:
            block, key = _computed(block, key, public, twins, schema, ids)
            owners = {c.id: source for source in block.sources for c in source.columns}
            items.append((column, key))
            continue
        own = key.column
        if own.id not in twins:
            source = owners[own.id]
            inside = origins(source, own.id)
            listed = None if _with_nulls(inside, schema) else _referenced(inside, schema)
            behind = _referenced(origins(source, own.id, outer=True), schema)
            if listed is not None:
                block, twins[own.id] = _joined(block, key, listed, ids)
            elif behind is not None or (behind := _chosen(source, own.id, schema)) is not None:
                block, twins[own.id] = _extended(block, source, key, behind, ids)
                owners = {c.id: source for source in block.sources for c in source.columns}
        twin = twins.get(own.id)
        items.append((column, key if twin is None else _as_key(Ref(twin, key.span), key)))
    if any(columns_of(e) & (public | {t.id for t in twins.values()}) for _, e in items):
        moved = _moved(columns, twins)
        block = replace(block, terms=(*block.terms, *_implied(block.terms, public, moved)))
        block = with_public_marks(block, moved)
    return block, tuple(items)


def _computed(
    block: Block, key: Expr, public: set[int], twins: dict[int, Column], schema: Schema, ids: Ids
) -> tuple[Block, Expr]:
    """A key that is computed of foreign keys, and of what these refer to then, which `twins`
    learns. It stays as it is where its values are listed anyway, or where nothing lists those of
    what is left.
    """
    owners = {c.id: source for source in block.sources for c in source.columns}
    refs = {n.column.id: n for n in walk(key) if isinstance(n, Ref) and n.column.id in owners}
    own = {c: ref for c, ref in refs.items() if c not in public}
    led: dict[int, tuple[Table, str]] = {}
    for c, ref in own.items():
        listed = _referenced(origins(owners[c], c, outer=True), schema)
        theirs = twins.get(c) or (listed and listed[0].column(listed[1]))
        if theirs is not None and (theirs.type != ref.type or not written_once(ref.type)):
            return block, key
        if listed is not None and c not in twins:
            led[c] = listed
    moving = led.keys() | (own.keys() & twins.keys())
    if not moving:
        return block, key
    read = {id(owners[c]): owners[c] for c in refs}.values()
    known = {c: v for s in read for c, v in analyze(s, schema).expected.items()}
    rest = private_parts(key, frozenset(public | moving))
    if listed_values(key, known) is not None or any(listed_beside(p, known) is None for p in rest):
        return block, key
    for c, listed in led.items():
        source = next(s for s in block.sources if c in {column.id for column in s.columns})
        inside = origins(source, c)
        if inside and is_strict(key) and not _with_nulls(inside, schema):
            block, twins[c] = _joined(block, own[c], listed, ids)
        else:
            block, twins[c] = _extended(block, source, own[c], listed, ids)
    return block, substitute(key, {c: Ref(twins[c], own[c].span) for c in moving})


def _moved(columns: Mapping[int, Column], twins: Mapping[int, Column]) -> dict[int, Expr]:
    """The public columns that are read for private ones in a condition."""
    return {
        x: coerce(Ref(y), columns[x].type)
        for x, y in twins.items()
        if (y.type == columns[x].type and written_once(y.type))
        or (y.type.is_integer and columns[x].type.is_integer)
    }


def _implied(terms: tuple[Expr, ...], public: set[int], moved: Mapping[int, Expr]) -> list[Expr]:
    """What the terms say of private columns, said of the public ones that are equal to them."""
    found: list[Expr] = []
    for term in terms:
        used = columns_of(term)
        if used & moved.keys() and used <= moved.keys() | public:
            said = substitute(term, moved)
            pairs = equalities([said])
            if said not in terms and not any(a == b for a, b in pairs):
                found.append(said)
    return found


def origins(plan: Plan, column: int, *, outer: bool = False) -> frozenset[Origin]:
    """The columns of tables of which each value of a column is one, or NULL; none for what is
    computed, and, if not `outer`, for what is NULL where a LEFT JOIN finds no row.
    """
    match plan:
        case Scan():
            field = plan.fields[[c.id for c in plan.columns].index(column)]
            return frozenset({(plan.table.name, field)})
        case Filter() | Sort():
            return origins(plan.input, column, outer=outer)
        case Project():
            return _origins_of(plan.items, plan.input, column, outer)
        case Aggregate():
            return _origins_of(plan.keys, plan.input, column, outer)
        case Window() if column in {c.id for c in plan.input.columns}:
            return origins(plan.input, column, outer=outer)
        case Join() if plan.mark is None or plan.mark.id != column:
            if column in {c.id for c in plan.left.columns}:
                return origins(plan.left, column, outer=outer)
            if plan.kind == "left" and not outer:
                return frozenset()
            return origins(plan.right, column, outer=outer)
        case Union():
            place = [c.id for c in plan.columns].index(column)
            found = [origins(b, b.columns[place].id, outer=outer) for b in plan.branches]
            return frozenset().union(*found) if all(found) else frozenset()
        case Window() | Join() | OneRow() | Released() | Limit() | Apply() | Named():
            return frozenset()


def _origins_of(items: Keys, plan: Plan, column: int, outer: bool) -> frozenset[Origin]:
    made = next((e for c, e in items if c.id == column), None)
    return origins(plan, made.column.id, outer=outer) if isinstance(made, Ref) else frozenset()


_CHOSEN = frozenset({"min", "max", "first_value", "last_value", "lag", "lead"})
"""What gives one of the values of its argument, or NULL."""


def _chosen(plan: Plan, column: int, schema: Schema) -> tuple[Table, str] | None:
    """The public table, and its column, that lists what was chosen among the rows of a unit."""
    found = _choices(plan, column)
    target = _target(*next(iter(found)), schema) if len(found) == 1 else None
    table = None if target is None else schema.table(target[0])
    declared = None if target is None or table is None else table.column(target[1])
    if table is None or declared is None or table.private or table.hidden:
        return None
    return (table, declared.name) if written_once(declared.type) else None


def _choices(plan: Plan, column: int) -> frozenset[Origin]:
    """The columns of tables of which one that was chosen has its values, or NULL."""
    match plan:
        case Filter() | Sort():
            return _choices(plan.input, column)
        case Project():
            made = next((e for c, e in plan.items if c.id == column), None)
            return _choices(plan.input, made.column.id) if isinstance(made, Ref) else frozenset()
        case Join() if plan.mark is None or plan.mark.id != column:
            left = column in {c.id for c in plan.left.columns}
            return _choices(plan.left if left else plan.right, column)
        case Aggregate() | Window():
            if isinstance(plan, Window) and column in {c.id for c in plan.input.columns}:
                return _choices(plan.input, column)
            call = next((call for c, call in plan.calls if c.id == column), None)
            chosen = call is not None and call.function in _CHOSEN
            if call is None or not chosen or len(call.arguments) > 2:  # LAG(x, 1, default)
                return frozenset()
            return _values_of(call.arguments[0], plan.input)
        case Scan() | OneRow() | Released() | Join() | Union() | Limit() | Apply() | Named():
            return frozenset()


def _values_of(value: Expr, plan: Plan) -> frozenset[Origin]:
    """As `_choices`, of what is chosen: a column, which may have been chosen before, or NULL."""
    if isinstance(value, Case):
        null = isinstance(value.default, Literal) and value.default.value is None
        one = value.branches[0][1] if null and len(value.branches) == 1 else None
        return frozenset() if one is None else _values_of(one, plan)
    if not isinstance(value, Ref):
        return frozenset()
    return origins(plan, value.column.id, outer=True) or _choices(plan, value.column.id)


def _as_key(twin: Ref, key: Expr) -> Expr:
    """The public column in the key's type where that holds all its values, else in its own."""
    holds = common((twin, key), "key") == key.type
    return coerce(twin, key.type) if holds else twin


def _referenced(found: frozenset[Origin], schema: Schema) -> tuple[Table, str] | None:
    """The public table of which all these columns are foreign keys, or its key, and that key."""
    targets = {_target(table, field, schema) for table, field in found}
    target = targets.pop() if len(targets) == 1 else None
    if target is None or found == {target}:
        return None  # it is a public column, which lists itself
    table, name = schema.table(target[0]), target[1]
    if table is None or table.private or table.hidden:
        return None
    return (table, name) if tuple(k.lower() for k in table.key) == (name.lower(),) else None


def _with_nulls(found: frozenset[Origin], schema: Schema) -> bool:
    """Whether NULL is declared of one of these columns, of which there is a group then."""
    tables = ((schema.table(table), field) for table, field in found)
    columns = (
        table.column(field) for table, field in tables if table is not None and table.private
    )
    return any(column is not None and column.declared_nullable for column in columns)


def _target(name: str, field: str, schema: Schema) -> Origin | None:
    """The key that a column's values are of; None where the policy lists them, or says nothing."""
    table = schema.table(name)
    declared = None if table is None else table.column(field)
    if table is None or declared is None or declared.values is not None:
        return None
    if not table.private:
        return table.name, declared.name
    to = declared.references
    other = None if to is None else schema.table(to.table)
    column = None if to is None or other is None else other.column(to.column)
    return None if other is None or column is None else (other.name, column.name)


def _joined(block: Block, key: Expr, listed: tuple[Table, str], ids: Ids) -> tuple[Block, Column]:
    scan, column, same = _read(key, listed, ids)
    block = replace(block, sources=(*block.sources, scan), terms=(*block.terms, same))
    return block, column


def _extended(
    block: Block, source: Plan, key: Expr, listed: tuple[Table, str], ids: Ids
) -> tuple[Block, Column]:
    """The block with a public table beside one of its sources."""
    new, column = _beside(source, key, listed, ids)
    sources = tuple(new if s is source else s for s in block.sources)
    return replace(block, sources=sources), column


def _beside(source: Plan, key: Expr, listed: tuple[Table, str], ids: Ids) -> tuple[Join, Column]:
    table, name = listed
    if tuple(k.lower() for k in table.key) == (name.lower(),):
        scan, column, same = _read(key, listed, ids)
        return Join(source, scan, same, key.span, kind="left"), column
    fields = tuple(dict.fromkeys((*(c.name for c in map(table.column, table.key) if c), name)))
    columns = tuple(ids.column(c.name, c.type) for c in map(table.column, fields) if c)
    once = ids.column(name, columns[fields.index(name)].type)
    scan = Scan(table, columns, fields, key.span)
    values = Aggregate(scan, ((once, Ref(columns[fields.index(name)])),), ())
    same = make("eq", (key, Ref(once)), key.span)
    return Join(source, values, same, key.span, kind="left"), once


def _read(key: Expr, listed: tuple[Table, str], ids: Ids) -> tuple[Scan, Column, Expr]:
    """A public table, its key, and that it is equal to a group key."""
    table, name = listed
    declared = table.column(name)
    assert declared is not None
    column = ids.column(declared.name, declared.type)
    scan = Scan(table, (column,), (declared.name,), key.span)
    return scan, column, make("eq", (key, Ref(column)), key.span)
