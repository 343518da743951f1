"""How much work one unit can cause the engine, before a row is read.

An analyst sees how long an answer takes and whether it comes at all. What one unit can do to either
is bounded here as what it can add to a sum is: by a number that is known beforehand. A *step* is
what one value of one row costs where it is read, compared, computed or moved, or some 16 characters
of a text; a few nanoseconds, and up to 64 bytes (docs/figures.md has both, as measured).

    SELECT COUNT(*) FROM orders AS a JOIN orders AS b ON a.customer = b.customer
    40 rows a unit on both sides: 1,600 pairs, a few steps each

Claim: a unit with no more rows and no longer texts than are declared causes at most `steps` steps,
and one with more rows a number of steps that grows with them in proportion, not faster.
Why: by induction over the plan. A node's rows of a unit are at most what `multiplicity` says, with
the declared numbers; it reads its inputs' rows, evaluates its expressions once for each row, or for
each pair of rows that the equalities of a join let meet, and writes its own rows. An expression
takes a step for each function, and for a text as many as its greatest length says: texts are cut
where a function reads them (`enforce.secure`). Public rows alone are not the unit's doing.
The second half is `linear`: a unit's rows in each table, and those that share a value, are taken to
be k times what is declared, unless that is proven, for a k beyond all figures: steps are sums and
products of these numbers, so they are below k² only where no product has two of them. Where one has
(rows of one unit that meet one another), the rows are cut down to the declared number first, see
`enforce.cut_rows`.
Where nothing is declared, ASSUMED_ROWS rows a unit stand in: reading them once is what any query
does, and the bound is then one for each so many rows of the unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from dpsql.core.functions.string_length import length
from dpsql.core.infer.keys import compared, covers, plain_column
from dpsql.core.infer.multiplicity import Bound, fan_out
from dpsql.core.infer.properties import Properties, analyze, derive
from dpsql.core.infer.public_work import most_public_rows
from dpsql.core.infer.ranges import Environment
from dpsql.core.plan.expr import (
    Call,
    Case,
    Column,
    Expr,
    Literal,
    Ref,
    children,
    columns_of,
    conjuncts,
)
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import (
    Aggregate,
    Join,
    Plan,
    Scan,
    Window,
    expressions,
    inputs,
    nodes,
)
from dpsql.core.plan.values import Values
from dpsql.core.schema import Column as SchemaColumn
from dpsql.core.schema import Lookup, Schema, Table

ASSUMED_ROWS = 100
"""Rows of a unit in a table of which nothing is declared."""

CHARACTERS = 16
"""Of a text that a function reads or writes, in one step."""

COPIES = 4
"""Of what a window function reads: in its sort, its frame, its tree, and its result."""

PUBLIC_TEXT = 256
"""Characters of a public text. How long it is everybody may know; it is not the unit's doing."""

WINDOW = 16
"""Steps for a row of a window function: it is sorted, and aggregated in a tree."""

BOUNDED = 16
"""Steps for a row that is added up for its unit, cut down, and added to those of others."""

FAR = 10**30
"""Beyond all steps that a unit with the declared rows can cause."""

WEIGHTS = {
    **dict.fromkeys(("lower", "upper", "reverse", "replace", "split_part", "translate"), 4),
    **dict.fromkeys(("ilike", "like_escape", "ilike_escape", "glob"), 4),
    **dict.fromkeys(("like", "contains", "strpos"), 2),
    **dict.fromkeys(("regexp_matches", "regexp_full_match"), 8),
    **dict.fromkeys(("regexp_extract", "regexp_replace"), 128),
    "try_cast": 8,
}
"""Steps for CHARACTERS of a text, where they are more than one."""


COMPARED = frozenset({"is_null", "coerce", "and", "or", "not"})
"""What looks at a text in one step. So does a comparison with a constant, beyond its length."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one unit can cause.

    Attributes:
        steps: the most steps.
        linear: whether they grow in proportion where a unit has more rows than are declared.
        costliest: the node that takes the most of them by itself.
        rows: the most rows of the unit, or pairs of rows, that a node looks at.
        widest: the join that does, if it is one.
        read: the rows of the unit in all tables that are read: more `rows` are made of them.
    """

    steps: int
    linear: bool
    costliest: Plan
    rows: int
    widest: Join | None
    read: int


def unit_work(plan: Plan, above: Iterable[Expr], schema: Schema) -> Work:
    """The work that one unit can cause in a statement over private rows.

    Args:
        plan: the private rows, as they are proven: every expression secured.
        above: what is computed of each of them: group keys, what is aggregated.
        schema: what is public.
    """
    every = tuple(above)
    found = _counted(plan, every, schema, 1)
    meeting = sum(isinstance(n, Scan) and n.table.private for n in nodes(plan)) > 1
    far = _counted(plan, every, schema, FAR).total if meeting else 0
    return Work(
        steps=found.total,
        linear=far < FAR * FAR,
        costliest=found.costliest or plan,
        rows=found.rows,
        widest=found.widest,
        read=found.read,
    )


def _counted(plan: Plan, above: tuple[Expr, ...], schema: Schema, times: int) -> _Counter:
    """The steps with `times` as many rows as are declared."""
    counter = _Counter(schema, _scaled(schema, 1), _scaled(schema, times), times)
    found = counter.visit(plan)
    rows = _rows(found)
    own = rows * (BOUNDED + sum(cost(e, found.claimed) + width(e, found.claimed) for e in above))
    counter.add(plan, own)
    return counter


class _Scaled(Mapping[str, Table]):
    """The tables of a schema, each as `_declared` when it is first asked for: few are."""

    def __init__(self, tables: Mapping[str, Table], times: int) -> None:
        self._tables, self._times = tables, times
        self._made: dict[str, Table] = {}

    def __getitem__(self, name: str) -> Table:
        if name not in self._made:
            self._made[name] = _declared(self._tables[name], self._times)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


@lru_cache(maxsize=32)
def _scaled(schema: Schema, times: int) -> Schema:
    return replace(schema, tables=_Scaled(schema.tables, times))


def _declared(table: Table, times: int) -> Table:
    """A private table with numbers of rows for all its owners; beyond what is declared, nothing but
    what is proven holds. The very table where that changes no column.
    """
    if table.private:
        owner = "" if table.owner is None else table.owner.lower()
        made = [_private(one, one.name.lower() == owner, times) for one in table.columns]
    else:
        made = [_public(one) for one in table.columns]
    same = all(new is old for new, old in zip(made, table.columns, strict=True))
    return table if same else replace(table, columns=tuple(made))


# A column is equal to itself alone, so that what was made of it is found by that very column; and
# what is known of the column that was made is then found by it, too (`properties`).
@lru_cache(maxsize=10_000)
def _private(column: SchemaColumn, owner: bool, times: int) -> SchemaColumn:
    rows = ASSUMED_ROWS if column.max_rows is None and owner else column.max_rows
    if rows is not None and not column.max_rows_proven:
        rows *= times
    made = column if rows == column.max_rows else replace(column, max_rows=rows)
    if times == 1:
        return made
    return replace(
        made,
        bounds=column.bounds if column.bounds_proven else None,
        values=column.values if column.values_proven else None,
    )


@lru_cache(maxsize=10_000)
def _public(column: SchemaColumn) -> SchemaColumn:
    if column.max_length is None or column.max_length <= PUBLIC_TEXT:
        return column
    return replace(column, max_length=PUBLIC_TEXT)


@dataclass(slots=True)
class _Counter:
    """Adds up the steps of the nodes of one plan, with `times` as many rows as `declared`: under
    `schema`, and `known` is the one under which the plan is analysed.
    """

    known: Schema
    declared: Schema
    schema: Schema
    times: int
    total: int = 0
    most: int = -1
    costliest: Plan | None = None
    rows: int = 0
    widest: Join | None = None
    read: int = 0
    alike: bool = field(init=False)

    def __post_init__(self) -> None:
        private = ((low, table) for low, table in self.known.tables.items() if table.private)
        self.alike = all(self.declared.tables[low] is table for low, table in private)

    def add(self, plan: Plan, steps: int) -> None:
        """Add the steps of a node."""
        self.total += steps
        if steps > self.most:
            self.most, self.costliest = steps, plan

    def visit(self, plan: Plan) -> Properties:
        """The node's properties; its steps and those below are added."""
        if isinstance(plan, Scan):
            below: tuple[Properties, ...] = ()
            found = self.scan(plan)
            if plan.table.lookup is not None:
                there = _there(plan.table.lookup)
                self.add(plan, _looked_up(found, there, self.visit(there)))
            if found.kind is Kind.TRACKED:
                self.read += _rows(found)
        else:
            below = tuple(self.visit(child) for child in inputs(plan))
            found = self.above(plan, below)
        if found.kind is Kind.TRACKED:
            met = _pairs(plan, *below) if isinstance(plan, Join) else _rows(found)
            if met > self.rows:
                self.rows, self.widest = met, plan if isinstance(plan, Join) else None
            self.add(plan, _node(plan, found, below, met))
        return found

    def scan(self, plan: Scan) -> Properties:
        """A table's: a path of two tables does not multiply twice."""
        if self.times == 1:
            return self._declared(plan)
        found, most = _scanned(plan, self.schema), self._declared(plan).rows.claimed
        if most is None:
            return found
        return replace(found, rows=found.rows.least(Bound(most * self.times, None)))

    def _declared(self, plan: Scan) -> Properties:
        """Those that are known, where the private tables and the columns are the very same."""
        table = self.declared.tables[plan.table.name.lower()]
        same = (table.column(name) is plan.table.column(name) for name in plan.fields)
        if self.alike and (table is plan.table if table.private else all(same)):
            return analyze(plan, self.known)
        return _scanned(plan, self.declared)

    def above(self, plan: Plan, below: tuple[Properties, ...]) -> Properties:
        """Those that are known, where those below are: of a schema only private tables are read
        above the scans.
        """
        pairs = zip(inputs(plan), below, strict=True)
        if self.alike and self.times == 1 and all(analyze(p, self.known) is b for p, b in pairs):
            return analyze(plan, self.known)
        return derive(plan, below, self.schema)


def _scanned(plan: Scan, schema: Schema) -> Properties:
    return derive(replace(plan, table=schema.tables[plan.table.name.lower()]), (), schema)


def _there(found: Lookup) -> Scan:
    """The rows in which owners are looked up, of their key and their owner."""
    fields = tuple(dict.fromkeys((*found.key, found.owner)))
    known = [found.table.column(name) for name in fields]
    columns = tuple(Column(-i, c.name, c.type) for i, c in enumerate(known, 1) if c is not None)
    return Scan(found.table, columns, fields)


def _looked_up(rows: Properties, there: Scan, found: Properties) -> int:
    """The steps of a join by a key: each row of both sides is kept, and meets one at most."""
    each = BOUNDED + sum(width(Ref(c), found.claimed) for c in there.columns)
    return (_rows(rows) + _rows(found)) * each


def _node(plan: Plan, found: Properties, below: tuple[Properties, ...], met: int) -> int:
    """The steps of one node: what it evaluates (a join of `met` pairs), keeps, and writes."""
    written = _rows(found) * (1 + len(plan.columns))
    if isinstance(plan, Join):
        left, right = below
        condition = [] if plan.condition is None else conjuncts(plan.condition)
        known = {**left.claimed, **right.claimed}
        kept = sum(
            _rows(side) * sum(width(Ref(c), side.claimed) for c in columns)
            for side, columns in ((left, plan.left.columns), (right, plan.right.columns))
            if side.kind is Kind.TRACKED
        )
        return written + kept + met * (1 + sum(cost(t, known) for t in condition))
    if not below:
        return written
    read, env = _rows(below[0]), {c: v for b in below for c, v in b.claimed.items()}
    each = sum(cost(e, env) for e in expressions(plan))
    if isinstance(plan, Aggregate):
        each += sum(width(e, env) for e in expressions(plan))
    if isinstance(plan, Window):
        each += WINDOW * len(plan.calls) + sum(width(Ref(c), env) for c in plan.input.columns)
        each += COPIES * sum(width(a, env) for _, call in plan.calls for a in call.arguments)
    return written + read * each


def _pairs(plan: Join, left: Properties, right: Properties) -> int:
    """How many pairs of rows of one unit, or of its rows and public ones, a join looks at: those
    that its equalities let meet. A mark that hangs on equalities alone is known at the first.
    """
    condition = [] if plan.condition is None else conjuncts(plan.condition)
    sides = []
    for side, other, below in ((left, right, plan.left), (right, left, plan.right)):
        tied = compared(condition, side.columns, other.columns)
        public = None if side.kind is Kind.TRACKED else side.table_rows or most_public_rows(below)
        fan = fan_out(tied, covers(tied, side.keys), side.per_value, public).claimed
        sides.append((_rows(side) if side.kind is Kind.TRACKED else None, fan))
    (left_rows, left_fan), (right_rows, right_fan) = sides
    options = [
        rows * fan
        for rows, fan in ((left_rows, right_fan), (right_rows, left_fan), (left_rows, right_rows))
        if rows is not None and fan is not None
    ]
    if plan.kind == "mark" and left_rows is not None and not looks_further(plan):
        options.append(left_rows + (right_rows or 0))
    return min(options)


def looks_further(plan: Join) -> bool:
    """Whether the condition of a mark looks at a left row otherwise than by columns that equal
    right ones. Where it does, be it at the left row alone, the engine pairs its values with all
    right rows that the equalities let meet, before it looks.
    """
    here, there = ({c.id for c in side.columns} for side in (plan.left, plan.right))
    for term in [] if plan.condition is None else conjuncts(plan.condition):
        used = columns_of(term)
        equal = (
            isinstance(term, Call)
            and term.function in ("eq", "is_not_distinct")
            and None not in map(plain_column, term.args)
            and used & there
        )
        if used & here and not equal:
            return True
    return False


def _rows(found: Properties) -> int:
    """Of one unit; every owner has a number here, so that there is one."""
    assert found.rows.claimed is not None
    return found.rows.claimed


def cost(expr: Expr, env: Environment) -> int:
    """The steps of an expression in one row."""
    return _weighed(expr, env)[0]


def width(expr: Expr, env: Environment) -> int:
    """The steps that keeping one value takes."""
    return 1 + _weighed(expr, env)[1] // CHARACTERS


def _weighed(expr: Expr, env: Environment) -> tuple[int, int]:
    """The steps, and the characters of the result if it is a text; 0 for what is none."""
    if isinstance(expr, Ref):
        if expr.type.name != "VARCHAR":
            return 0, 0
        known = env[expr.column.id]
        return 0, (known.longest or 0) if known.length is None else known.length
    if isinstance(expr, Literal):
        return 0, len(expr.value) if isinstance(expr.value, str) else 0
    below = [_weighed(child, env) for child in children(expr)]
    steps, lengths = 1 + sum(n for n, _ in below), [n for _, n in below]
    if isinstance(expr, Case):
        return steps, max(lengths)
    made = 0
    if expr.type.is_string:
        made = length(expr, tuple(Values(length=n) for n in lengths)) or 0
    if expr.function in COMPARED:
        return steps, made
    if expr.function in ("eq", "ne", "in") and any(isinstance(a, Literal) for a in expr.args):
        lengths = [n for a, n in zip(expr.args, lengths, strict=True) if isinstance(a, Literal)]
    longest = max(made, *lengths, 0)
    return steps + -(-longest * WEIGHTS.get(expr.function, 1) // CHARACTERS), made
