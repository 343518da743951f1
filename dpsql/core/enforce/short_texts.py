"""Cut texts where they are read, before rows are multiplied.

    SELECT DISTINCT id, note, c FROM people CROSS JOIN (VALUES (0), …, (999)) v(c)
    … FROM (SELECT id, cut(note, 10000) AS note FROM people) CROSS JOIN …

A text is cut where a function reads it (`enforce.secure`). Where one row becomes many, it is also
carried, compared and grouped as often; and one stored text of many megabytes would show.

    FROM people JOIN visits ON visits.person = people.id       a row of people, with each visit

Claim: above a scan whose rows a join can repeat no text of the table is longer than declared, and
no list, or other value without a length, is read there. Why: each column of texts whose length is
not proven is defined by a cut alone, right above its scan, and the scan's own column is read by
nothing else; lists are refused. Texts of keys, of columns that lead to the unit or elsewhere, and
of those of which it is said how many rows have one, tell rows apart, so that they are not cut: a
row in which one is longer, in bytes for as many characters, is left out, which hangs on that row
alone. A join repeats no row of a side that meets one row of the other at most, in fact
(`infer.multiplicity`), nor does a mark that hangs on equalities alone, or reads nothing that is
long. Groups carry what is a column of theirs. Of rows that no join repeats what is carried is what
is stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dpsql.core.functions.build import make
from dpsql.core.infer.keys import compared, covers
from dpsql.core.infer.multiplicity import fan_out
from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.infer.unit import scan_anchors
from dpsql.core.infer.work import looks_further
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref, conjuncts, walk
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.nodes import (
    Aggregate,
    Join,
    Plan,
    Project,
    Scan,
    filtered,
    inputs,
    nodes,
    with_inputs,
)
from dpsql.core.schema import Schema
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import BIGINT, BOOLEAN, VARCHAR, Type

BYTES = 4
"""Of a character in UTF-8, at most."""

_SHORT = ("TIME", "UUID", "INTERVAL", "UHUGEINT")
"""How the names of opaque types begin whose values are all of one size."""


def short_texts(plan: Plan, schema: Schema, ids: Ids, *, repeated: bool = False) -> Plan:
    """The secured plan with the texts of private tables cut above their scans, where a row of them
    can become many.

    Args:
        plan: secured.
        schema: what is public.
        ids: for the columns as they are stored.
        repeated: whether a join above repeats its rows.

    Raises:
        Rejected: DP501 for a list, or another value without a length, in such rows; DP402, DP403
            and DP405 as `infer.properties`.
    """
    if isinstance(plan, Scan):
        return _cut(plan, schema, ids) if repeated else plan
    if isinstance(plan, Join) and any(
        _long(s, schema) or _endless(s, schema) for s in _scans(plan)
    ):
        pairs = zip(inputs(plan), _repeats(plan, schema), strict=True)
        sides = (short_texts(p, schema, ids, repeated=repeated or more) for p, more in pairs)
        return with_inputs(plan, tuple(sides))
    if isinstance(plan, Aggregate):  # what is no column of the groups is not carried further
        repeated = repeated and any(_may_be_long(c.type) for c in plan.columns)
    below = (short_texts(child, schema, ids, repeated=repeated) for child in inputs(plan))
    return with_inputs(plan, tuple(below))


def _scans(plan: Plan) -> list[Scan]:
    return [node for node in nodes(plan) if isinstance(node, Scan)]


def _repeats(plan: Join, schema: Schema) -> tuple[bool, bool]:
    """Whether a row of the left side, and one of the right side, can meet several of the other. For
    a mark no more of both is put together than the condition reads.
    """
    terms = [] if plan.condition is None else conjuncts(plan.condition)
    if plan.kind == "mark":
        read = {n.column for t in terms for n in walk(t) if isinstance(n, Ref)}
        if not looks_further(plan) or not any(_may_be_long(c.type) for c in read):
            return False, False
    left, right = analyze(plan.left, schema), analyze(plan.right, schema)

    def meets_several(side: Properties, other: Properties) -> bool:
        tied = compared(terms, other.columns, side.columns)
        fan = fan_out(tied, covers(tied, other.keys), other.per_value, other.table_rows)
        return fan.proven != 1

    return meets_several(left, right), meets_several(right, left)


def _endless(scan: Scan, schema: Schema) -> list[Column]:
    """The columns of values of which nothing says how long they are, and that cannot be cut."""
    if not (scan.table.private or scan.table.hidden):
        return []
    kept = scan.table.named
    anchored = scan_anchors(scan, schema)
    pairs = zip(scan.fields, scan.columns, strict=True)
    return [
        c
        for f, c in pairs
        if _any_length(c.type) and c.id not in anchored and f.lower() not in kept
    ]


def _may_be_long(kind: Type) -> bool:
    return kind == VARCHAR or _any_length(kind)


def _any_length(kind: Type) -> bool:
    return kind.is_opaque and not kind.name.startswith(_SHORT)


@dataclass(frozen=True, slots=True)
class _Long:
    """The columns of texts that may be too long, and how many characters are declared.

    Attributes:
        cut: those to cut.
        told: those that tell rows apart.
    """

    cut: dict[int, int] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.cut or self.told)


def _long(scan: Scan, schema: Schema) -> _Long:
    if not (scan.table.private or scan.table.hidden):
        return _Long()
    kept = scan.table.named
    anchored = scan_anchors(scan, schema)
    found = _Long()
    for name, column in zip(scan.fields, scan.columns, strict=True):
        declared = scan.table.column(name)
        if declared is None or declared.type != VARCHAR or declared.max_length is None:
            continue
        proven = declared.max_length_proven or (
            declared.values is not None and declared.values_proven
        )
        counted = declared.references is not None or declared.max_rows is not None
        if not proven:
            tells = counted or column.id in anchored or name.lower() in kept
            (found.told if tells else found.cut)[column.id] = declared.max_length
    return found


def _cut(scan: Scan, schema: Schema, ids: Ids) -> Plan:
    if endless := _endless(scan, schema):
        name, kind = endless[0].name, endless[0].type
        message = (
            f"one unit could cause any amount of work: rows of {scan.table.name} are repeated by "
            f"a join, and nothing says how long a value of {name} is ({kind})"
        )
        help = f"take what is needed of {name} before the join, in a subquery with GROUP BY"
        raise Rejected(Diagnostic("DP501", message, scan.span, help))
    texts = _long(scan, schema)
    if not texts:
        return scan
    if not texts.cut:
        return _without(scan, texts.told)
    long = texts.cut
    raw = tuple(ids.column(c.name, c.type) if c.id in long else c for c in scan.columns)

    def item(column: Column, own: Column) -> tuple[Column, Expr]:
        if column.id not in long:
            return column, Ref(column)
        return column, Call("cut", (Ref(own), Literal(long[column.id], BIGINT)), VARCHAR)

    items = tuple(item(c, own) for c, own in zip(scan.columns, raw, strict=True))
    return Project(_without(replace(scan, columns=raw), texts.told), items)


def _without(scan: Scan, told: dict[int, int]) -> Plan:
    """Without the rows in which a text that tells rows apart is longer than so many characters."""
    terms: list[Expr] = []
    for column in scan.columns:
        if column.id in told:
            size = Call("strlen", (Ref(column),), BIGINT)
            short = make("le", (size, Literal(BYTES * told[column.id], BIGINT)), None)
            terms.append(make("coalesce", (short, Literal(True, BOOLEAN)), None))
    return filtered(scan, terms)
