"""Things that belong to one unit each: where rows are tied by such a thing, by its unit as well.

    web_sales: {one_unit: {order: [ws_order_number]}}, and the same of web_returns

    s JOIN r ON s.order = r.order      ON s.order = r.order AND s.customer = r.customer
    GROUP BY order                     GROUP BY order, customer
    OVER (PARTITION BY order)          OVER (PARTITION BY order, customer)

Claim: where the policy's `one_unit` is true of the data, the answer is the same. Why: rows with the
same order are rows of one customer, so an equality of orders implies the other one, and so many
groups of orders and customers are there as groups of orders. A NULL names no thing: it is equal to
nothing; groups and partitions are left as they are where it could be a key.

A row is such a thing itself, which the key of its table names, where that is declared and nobody
has tested it: if it were known to be unique, the unit would follow from it without this.

That is all that the policy's word is used for. What is proven afterwards, is proven of the query
with the unit in it, and so of any data: where `one_unit` is false, rows of two units do not meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from dpsql.core.functions.build import make
from dpsql.core.infer.keys import equalities, plain_column
from dpsql.core.plan.expr import Column, Expr, Ref, conjunction, conjuncts
from dpsql.core.plan.ids import Ids
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
from dpsql.core.schema import Schema
from dpsql.front.resolve.not_in import open_equality

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Thing:
    """Columns that name a thing of one unit, as rows have them.

    Attributes:
        name: of the kind of thing: values of one kind are compared.
        columns: ids, in the policy's order.
        unit: the column with the unit of the row.
        solid: the policy says that none of the columns is NULL.
    """

    name: str
    columns: tuple[int, ...]
    unit: Column
    solid: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """A plan in which units are tied, and what is known of its rows.

    Attributes:
        plan: it may have more columns than the one it stands for.
        things: whose columns are there, and their units'.
        pairs: columns that are equal in each row.
    """

    plan: Plan
    things: tuple[Thing, ...] = ()
    pairs: tuple[Pair, ...] = ()


NONE = Rows(OneRow())


def with_units(plan: Plan, schema: Schema, ids: Ids) -> Plan:
    """The plan in which things are compared, grouped and partitioned together with their units."""
    if not any(table.one_unit for table in schema.tables.values()):
        return plan
    tying = _Tying(schema, ids, {}, [])
    made = tying.rows(plan, NONE).plan
    return _exactly(made, plan.columns) if tying.units else plan


@dataclass(frozen=True, slots=True)
class _Tying:
    schema: Schema
    ids: Ids
    named: dict[int, Rows]
    units: list[int]
    """Columns that were made equal, or keys, where the query did not say so."""

    def rows(self, plan: Plan, outer: Rows) -> Rows:
        """The plan with units, where the rows of `outer` may be read, too."""
        match plan:
            case Scan():
                return Rows(plan, tuple(self._scanned(plan)))
            case OneRow() | Released():
                return Rows(plan)
            case Filter():
                below = self.rows(plan.input, outer)
                condition = self._tied(plan.predicate, outer, below)
                assert condition is not None
                known = below.pairs + _equal(condition)
                return replace(below, plan=Filter(below.plan, condition), pairs=known)
            case Sort() | Limit():
                below = self.rows(plan.input, outer)
                return replace(below, plan=replace(plan, input=below.plan))
            case Project():
                return self._project(plan, self.rows(plan.input, outer))
            case Aggregate():
                return self._aggregate(plan, self.rows(plan.input, outer))
            case Window():
                below = self.rows(plan.input, outer)
                calls = tuple(
                    (c, replace(w, partition=w.partition + self._units(w.partition, below)))
                    for c, w in plan.calls
                )
                return replace(below, plan=replace(plan, input=below.plan, calls=calls))
            case Union():
                branches = tuple(
                    _exactly(self.rows(b, outer).plan, b.columns) for b in plan.branches
                )
                return Rows(replace(plan, branches=branches))
            case Named():
                return self._named(plan)
            case Join():
                left, right = self.rows(plan.left, outer), self.rows(plan.right, outer)
                condition = self._tied(plan.condition, outer, left, right)
                made = replace(plan, left=left.plan, right=right.plan, condition=condition)
                return _joined(made, left, right, condition)
            case Apply():
                left = self.rows(plan.input, outer)
                right = self.rows(plan.subquery, _beside(outer, left))
                inner = right.plan
                if plan.kind == "scalar":
                    inner = _exactly(inner, plan.subquery.columns)
                condition = self._tied(plan.condition, outer, left, right)
                applied = replace(plan, input=left.plan, subquery=inner, condition=condition)
                return _joined(applied, left, right, condition)

    def _scanned(self, scan: Scan) -> Iterable[Thing]:
        table = scan.table
        if table.owner is None:
            return
        columns = dict(zip((f.lower() for f in scan.fields), scan.columns, strict=True))
        for name, fields in table.one_unit.items():
            declared = [table.column(field) for field in fields]
            yield Thing(
                name,
                tuple(columns[field.lower()].id for field in fields),
                columns[table.owner.lower()],
                all(c is not None and c.declared_nullable is False for c in declared),
            )

    def _named(self, plan: Named) -> Rows:
        below = self.named.get(id(plan.query))
        if below is None:
            below = self.rows(plan.query, NONE)
            below = replace(below, plan=_first(below.plan, plan.query.columns))
            self.named[id(plan.query)] = below
        count = len(plan.columns)
        own = tuple(self.ids.column(c.name, c.type) for c in below.plan.columns[count:])
        made = replace(plan, query=below.plan, columns=plan.columns + own)
        here = {c.id: d for c, d in zip(below.plan.columns, made.columns, strict=True)}
        return Rows(made, _renamed(below.things, here), _same(below.pairs, here))

    def _project(self, plan: Project, below: Rows) -> Rows:
        items = list(plan.items)
        here = {e.column.id: c for c, e in items if isinstance(e, Ref)}
        for thing in below.things:
            if all(c in here for c in thing.columns) and thing.unit.id not in here:
                here[thing.unit.id] = self.ids.column(thing.unit.name, thing.unit.type)
                items.append((here[thing.unit.id], Ref(thing.unit)))
        made = replace(plan, input=below.plan, items=tuple(items))
        return Rows(made, _renamed(below.things, here), _same(below.pairs, here))

    def _aggregate(self, plan: Aggregate, below: Rows) -> Rows:
        keys = list(plan.keys)
        if not plan.totals:
            for unit in self._units([e for _, e in keys], below):
                keys.append((self.ids.column(unit.column.name, unit.type), unit))
        made = replace(plan, input=below.plan, keys=tuple(keys))
        here = {e.column.id: c for c, e in keys if isinstance(e, Ref)}
        return Rows(made, _renamed(below.things, here), _same(below.pairs, here))

    def _tied(self, condition: Expr | None, *sides: Rows) -> Expr | None:
        """A condition on columns of all sides; where things are equal in it, units are, too."""
        if condition is None:
            return None
        known = _beside(*sides)
        same = _Classes([*known.pairs, *_equal(condition)])
        solid = {c for thing in known.things if thing.solid for c in thing.columns}
        for term in conjuncts(condition):
            test = open_equality(term)
            for a, b in equalities([] if test is None else [test]):
                if a in solid and b in solid:
                    same.join(a, b)
        terms = [condition]
        for one, other in combinations(known.things, 2):
            if one.name != other.name or same(one.unit.id, other.unit.id):
                continue
            if all(same(a, b) for a, b in zip(one.columns, other.columns, strict=True)):
                terms.append(make("eq", (Ref(one.unit), Ref(other.unit)), None))
                same.join(one.unit.id, other.unit.id)
                self.units.extend((one.unit.id, other.unit.id))
        return conjunction(terms)

    def _units(self, keys: Iterable[Expr], below: Rows) -> tuple[Ref, ...]:
        """The units of the things that are among keys, as far as they are no keys themselves."""
        plain = {plain_column(key) for key in keys}
        found: dict[int, Ref] = {}
        for thing in below.things:
            if thing.solid and plain.issuperset(thing.columns) and thing.unit.id not in plain:
                found[thing.unit.id] = Ref(thing.unit)
        self.units.extend(found)
        return tuple(found.values())


def _joined(plan: Join | Apply, left: Rows, right: Rows, condition: Expr | None) -> Rows:
    """What is known of joined rows: of those without a match, nothing is of the right side."""
    if plan.kind == "inner":
        pairs = left.pairs + right.pairs + _equal(condition)
        return Rows(plan, left.things + right.things, pairs)
    if plan.kind == "left":
        missing = tuple(replace(thing, solid=False) for thing in right.things)
        return Rows(plan, left.things + missing, left.pairs)
    return Rows(plan, left.things if plan.kind in ("mark", "scalar") else (), left.pairs)


def _beside(*sides: Rows) -> Rows:
    """Rows of which each has the columns of all."""
    things = tuple(thing for side in sides for thing in side.things)
    return Rows(OneRow(), things, tuple(pair for side in sides for pair in side.pairs))


def _equal(condition: Expr | None) -> tuple[Pair, ...]:
    return () if condition is None else tuple(equalities(conjuncts(condition)))


def _renamed(things: Iterable[Thing], here: Mapping[int, Column]) -> tuple[Thing, ...]:
    """The things whose columns are still there, under new names."""
    return tuple(
        replace(t, columns=tuple(here[c].id for c in t.columns), unit=here[t.unit.id])
        for t in things
        if t.unit.id in here and all(c in here for c in t.columns)
    )


def _same(pairs: Iterable[Pair], here: Mapping[int, Column]) -> tuple[Pair, ...]:
    return tuple((here[a].id, here[b].id) for a, b in pairs if a in here and b in here)


def _first(plan: Plan, columns: tuple[Column, ...]) -> Plan:
    """The plan with these columns first, then its others."""
    if plan.columns[: len(columns)] == columns:
        return plan
    others = tuple(c for c in plan.columns if c not in columns)
    return Project(plan, tuple((c, Ref(c)) for c in columns + others))


def _exactly(plan: Plan, columns: tuple[Column, ...]) -> Plan:
    """The plan with these columns alone."""
    return plan if plan.columns == columns else Project(plan, tuple((c, Ref(c)) for c in columns))


class _Classes:
    """Columns that are equal to one another."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._of: dict[int, int] = {}
        for a, b in pairs:
            self.join(a, b)

    def _root(self, column: int) -> int:
        while (upper := self._of.get(column, column)) != column:
            column = upper
        return column

    def join(self, a: int, b: int) -> None:
        """These two are equal."""
        self._of[self._root(a)] = self._root(b)

    def __call__(self, a: int, b: int) -> bool:
        """Whether they are known to be."""
        return self._root(a) == self._root(b)
