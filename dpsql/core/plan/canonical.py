"""Plans and expressions by what they mean: the same digest whatever things are called.

    SELECT o.amount FROM orders o WHERE o.day > DATE '2024-01-03' AND o.kind = 'a'
    select AMOUNT as x from Orders where kind = 'a' and day > date '2024-01-03'

Each part gets a digest of what it is made of, down to the columns of declared tables. A column of a
table is named by the table, by which of its scans it is of, and by the table's own name for it; one
that is computed, by what computes it. Names, spans and the numbers of columns never take part.

Claim: two plans of one schema with the same digest have the same rows, and two expressions with the
same digest the same value in each of them. Why: a digest determines, but for collisions of SHA-256,
the tree of functions, types, constants, tables and scans that it was made of; so there is a plan
that both are, up to the names of columns. What is left out does not matter: columns that nothing
reads, the order of conditions and of joined sources (rows are a bag; every expression is total).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, timedelta
from enum import Enum
from fractions import Fraction

from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref, conjuncts
from dpsql.core.plan.nodes import (
    Aggregate,
    Filter,
    Join,
    Limit,
    OneRow,
    Plan,
    Project,
    Released,
    Scan,
    Sort,
    SortKey,
    Union,
    Window,
)
from dpsql.core.schema import Table
from dpsql.errors import Diagnostic, Span
from dpsql.types import Type

Digest = str
"""64 hexadecimal digits."""


def digest(*parts: str) -> Digest:
    """Of a list of texts; no two lists look the same."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data) + data)
    return found.hexdigest()


@dataclass(frozen=True, slots=True)
class Joined:
    """Rows as joined sources and the conditions on them.

    Attributes:
        sources: their digests, sorted.
        conditions: each condition that all rows satisfy, by its digest.
    """

    sources: tuple[Digest, ...]
    conditions: Mapping[Digest, Expr]

    @property
    def digest(self) -> Digest:
        """Of the rows."""
        return digest("block", *self.sources, "where", *sorted(self.conditions))


@dataclass(frozen=True, slots=True)
class Fed:
    """What released rows are: all of them together, and each column by its field."""

    rows: Digest
    fields: Mapping[str, Digest]


class Canonical:
    """The digests of the plans of one query; a plan comes before expressions over it.

    Args:
        released: what the released rows are that plans read, by name.
        left_out: "Class.field" of dataclasses whose value does not take part.
    """

    def __init__(
        self, released: Mapping[str, Fed] | None = None, left_out: frozenset[str] = frozenset()
    ) -> None:
        self._released, self._left_out = released or {}, left_out
        self._columns: dict[int, Digest] = {}
        self._scans: Counter[str] = Counter()
        self._scanned: dict[int, str] = {}
        self._expressions: dict[int, tuple[Expr, Digest]] = {}
        self._blocks: dict[int, tuple[Plan, Joined]] = {}

    # --- expressions ---

    def column(self, column: Column) -> Digest:
        """What a column is; one that nothing is known of is told apart from all others."""
        if column.id not in self._columns:
            self._columns[column.id] = digest("column", str(len(self._columns)), str(column.type))
        return self._columns[column.id]

    def expr(self, expr: Expr) -> Digest:
        """An expression over columns of plans that were seen."""
        known = self._expressions.get(id(expr))
        if known is None:
            # The expression is kept, and so its id stays its own.
            known = self._expressions[id(expr)] = expr, self._expr(expr)
        return known[1]

    def _expr(self, expr: Expr) -> Digest:
        if isinstance(expr, Ref):
            return self.column(expr.column)
        if isinstance(expr, Literal):
            return digest("literal", str(expr.type), repr(expr.value))
        if isinstance(expr, Call):
            parts = map(self.expr, expr.args)
            return digest("call", expr.function, str(expr.type), *parts)
        assert isinstance(expr, Case)
        branches = (self.expr(part) for branch in expr.branches for part in branch)
        return digest("case", str(expr.type), *branches, self.expr(expr.default))

    # --- plans ---

    def plan(self, plan: Plan) -> Digest:
        """The rows of a resolved plan; its columns are known from here on."""
        return self.block(plan).digest

    def block(self, plan: Plan) -> Joined:
        """The rows of a resolved plan as sources and conditions.

        Raises:
            TypeError: the plan is not resolved.
        """
        known = self._blocks.get(id(plan))
        if known is None:
            sources: list[Digest] = []
            conditions: dict[Digest, Expr] = {}
            self._collect(plan, sources, conditions)
            known = self._blocks[id(plan)] = plan, Joined(tuple(sorted(sources)), conditions)
        return known[1]

    def _collect(self, plan: Plan, sources: list[Digest], conditions: dict[Digest, Expr]) -> None:
        if isinstance(plan, OneRow):
            return
        if isinstance(plan, Filter):
            self._collect(plan.input, sources, conditions)
            conditions.update((self.expr(t), t) for t in conjuncts(plan.predicate))
        elif isinstance(plan, Project):
            self._collect(plan.input, sources, conditions)
            self._columns.update({c.id: self.expr(e) for c, e in plan.items})
        elif isinstance(plan, Join) and plan.kind in ("inner", "matched"):
            self._collect(plan.left, sources, conditions)
            self._collect(plan.right, sources, conditions)
            terms = [] if plan.condition is None else conjuncts(plan.condition)
            conditions.update((self.expr(t), t) for t in terms)
        elif isinstance(plan, Join) and plan.mark is not None:
            self._collect(plan.left, sources, conditions)
            right = self.plan(plan.right)
            self._columns[plan.mark.id] = digest("mark", right, self._some(plan.condition))
        else:
            sources.append(self._source(plan))

    def _source(self, plan: Plan) -> Digest:
        if isinstance(plan, Scan):
            return self._scan(plan)
        if isinstance(plan, Join):
            return self._outer(plan)
        if isinstance(plan, Union):
            parts = [self.plan(branch) for branch in plan.branches]
            found = digest("union", *parts)
            for place, column in enumerate(plan.columns):
                each = (self.column(branch.columns[place]) for branch in plan.branches)
                self._columns[column.id] = digest("of union", found, *each)
            return found
        if isinstance(plan, Aggregate):
            return self._groups(plan)
        if isinstance(plan, Window):
            below = self.plan(plan.input)
            for column, call in plan.calls:
                self._columns[column.id] = digest("window", below, self.of(call), str(column.type))
            return digest("windows", below)
        if isinstance(plan, Sort):
            return digest("sort", self.plan(plan.input), *map(self._sorted, plan.keys))
        if isinstance(plan, Limit):
            return digest("limit", repr(plan.count), repr(plan.offset), self.plan(plan.input))
        if isinstance(plan, Released):
            found_rows = self._released[plan.name]
            for column, name in zip(plan.columns, plan.fields, strict=True):
                self._columns[column.id] = found_rows.fields[name]
            return found_rows.rows
        raise TypeError(f"{type(plan).__name__} is resolved before it is compared")

    def _scan(self, plan: Scan) -> Digest:
        """One of a table's scans; the same again where the same columns are read again."""
        again = (self._scanned[c.id] for c in plan.columns if c.id in self._scanned)
        name = next(again, None)
        if name is None:
            table = plan.table.name.lower()
            name = digest("scan", table, str(self._scans[table]))
            self._scans[table] += 1
        for column, field in zip(plan.columns, plan.fields, strict=True):
            self._scanned[column.id] = name
            self._columns[column.id] = digest("field", name, field.lower())
        return name

    def _outer(self, plan: Join) -> Digest:
        """LEFT and FULL JOIN: a column that may become NULL is another one above."""
        sides = self.plan(plan.left), self.plan(plan.right)
        found = digest("join", plan.kind, *sides, self._some(plan.condition))
        changed = plan.columns if plan.kind == "full" else plan.right.columns
        for column in changed:
            self._columns[column.id] = digest("extended", found, self.column(column))
        self._expressions.clear()
        return found

    def _groups(self, plan: Aggregate) -> Digest:
        below = self.plan(plan.input)
        keys = [self.expr(e) for _, e in plan.keys]
        found = digest("groups", below, repr((plan.per_unit, plan.totals)), *keys)
        for (column, _), key in zip(plan.keys, keys, strict=True):
            self._columns[column.id] = digest("key", found, key)
        for column, call in plan.calls:
            self._columns[column.id] = digest("aggregate", found, self.of(call), str(column.type))
        return found

    def _sorted(self, key: SortKey) -> Digest:
        return digest(self.expr(key.expr), repr((key.descending, key.nulls_first)))

    def _some(self, expr: Expr | None) -> Digest:
        return "" if expr is None else self.expr(expr)

    # --- anything else ---

    def of(self, value: object) -> Digest:
        """Any frozen value that holds plans, expressions and constants: all of its fields but those
        that are left out. A pair of a column and an expression defines the column.

        Raises:
            TypeError: there is something in it whose meaning is not known.
        """
        if value is None or isinstance(value, Span | Diagnostic):
            return ""
        if isinstance(value, _EXPRESSIONS):
            return self.expr(value)
        if isinstance(value, Scan):
            return self._scan(value)
        if isinstance(value, _PLANS):
            return self._beside(value)
        if isinstance(value, Column):
            return self.column(value)
        if isinstance(value, Table):
            return digest("table", value.name.lower())
        if isinstance(value, Type):
            return digest("type", str(value))
        if isinstance(value, tuple | list):
            return self._listed(tuple(value))
        if isinstance(value, frozenset):
            return digest("set", *sorted(map(self.of, value)))
        if is_dataclass(value):
            return self._record(value)
        if isinstance(value, bool | int | float | str | Fraction | date | timedelta | Enum):
            return digest(type(value).__name__, repr(value))
        raise TypeError(f"{type(value).__name__} is not known to mean something")

    def _beside(self, plan: Plan) -> Digest:
        """Another plan, which may give columns of this one another meaning; it keeps them."""
        if id(plan) in self._blocks:
            return self.plan(plan)
        other = Canonical(self._released, self._left_out)
        other._columns, other._scans = dict(self._columns), Counter(self._scans)
        other._scanned = dict(self._scanned)
        return other.plan(plan)

    def _listed(self, value: tuple[object, ...]) -> Digest:
        if all(isinstance(v, _CONSTANTS) for v in value):
            return digest("constants", repr(value))
        if len(value) == 2 and isinstance(value[0], Column) and isinstance(value[1], _EXPRESSIONS):
            made = self.expr(value[1])
            self._columns.setdefault(value[0].id, made)
            return digest("defined", made, str(value[0].type))
        return digest("list", *map(self.of, value))

    def _record(self, value: object) -> Digest:
        name = type(value).__name__
        parts: list[str] = []
        for field in fields(value):  # type: ignore[arg-type]
            if f"{name}.{field.name}" not in self._left_out:
                parts += [field.name, self.of(getattr(value, field.name))]
        return digest("record", name, *parts)


_EXPRESSIONS = (Ref, Literal, Call, Case)
_PLANS = (Scan, OneRow, Filter, Project, Join, Union, Aggregate, Window, Sort, Limit, Released)
_CONSTANTS = (type(None), bool, int, str, Fraction, date)
