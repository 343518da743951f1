"""A condition that a group key is among public rows, as a join with their values: these list it.

    WHERE product IN (SELECT id FROM products WHERE kind = 'toy') GROUP BY product
    FROM orders SEMI JOIN products ON id = product AND kind = 'toy' GROUP BY product
    FROM orders JOIN (SELECT DISTINCT id FROM products WHERE kind = 'toy') ON id = product …

Claim: the rows are the same, and each is there as often. Why: a row passes where the condition is
true of a public row. It is a conjunction of equalities with columns of that row, so that of the
different values of these columns one at most is equal, and one is where a row was. What is equal is
the same: only types that write each value in one way are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from dpsql.core.infer.keys import equalities, plain_column
from dpsql.core.infer.tracking import kind_of
from dpsql.core.plan.expr import Call, Expr, Ref, columns_of, conjunction, conjuncts, substitute
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Aggregate, Filter, Plan, Scan, nodes
from dpsql.core.shape.flatten import Block, Mark
from dpsql.types import Type


def among_public(block: Block, keys: tuple[Expr, ...], ids: Ids) -> Block:
    """The block with such joins instead of the marks that say so of a key.

    Args:
        block: of the rows that are grouped.
        keys: over the columns of its sources and marks.
        ids: for the columns of what is joined.
    """
    plain = {c for key in keys if (c := plain_column(key)) is not None}
    for mark in block.marks:
        others = [m.condition for m in block.marks if m is not mark and m.condition is not None]
        read = [*keys, *others, *(t for t in block.terms if t != Ref(mark.column))]
        if Ref(mark.column) not in block.terms or any(
            mark.column.id in columns_of(e) for e in read
        ):
            continue
        if (values := _values(mark, plain, ids)) is not None:
            source, said = values
            block = replace(
                block,
                sources=(*block.sources, source),
                terms=(*(t for t in block.terms if t != Ref(mark.column)), *said),
                marks=tuple(m for m in block.marks if m is not mark),
            )
    return block


def with_public_marks(block: Block, moved: Mapping[int, Expr]) -> Block:
    """The block with public columns in the conditions of marks of public rows, such as NOT IN: what
    a mark says of a key it says of the public one then (`public_parts`).

    Claim: each row has the mark that it had. Why: the columns are equal in every row that is left.

    Args:
        block: of the rows that are grouped.
        moved: public columns that may be read for private ones.
    """
    pairs = {pair for a, b in equalities(block.terms) for pair in ((a, b), (b, a))}
    equal = {c: e for c, e in moved.items() if (c, plain_column(e)) in pairs}
    marks = (
        m
        if m.condition is None or not _public(m.right)
        else replace(m, condition=substitute(m.condition, equal))
        for m in block.marks
    )
    return replace(block, marks=tuple(marks))


def _values(mark: Mark, keys: set[int], ids: Ids) -> tuple[Plan, list[Expr]] | None:
    """The values that a key is among, and that it is equal to one; None where that is not said."""
    right, here = mark.right, {c.id: c for c in mark.right.columns}
    if mark.condition is None or not _public(right):
        return None
    terms = conjuncts(mark.condition)
    own = [term for term in terms if columns_of(term) <= here.keys()]
    said = [term for term in terms if term not in own]
    pairs = [next(_sides(term, here.keys()), None) for term in said]
    if None in pairs or not any(pair is not None and pair[0] in keys for pair in pairs):
        return None
    equal = dict.fromkeys(pair[1] for pair in pairs if pair is not None)
    new = {c: ids.column(here[c].name, here[c].type) for c in equal}
    passing = conjunction(own)
    rows = right if passing is None else Filter(right, passing)
    values = Aggregate(rows, tuple((new[c], Ref(here[c])) for c in equal), (), mark.span)
    return values, [substitute(term, {c: Ref(n) for c, n in new.items()}) for term in said]


def _sides(term: Expr, here: AbstractSet[int]) -> Iterator[tuple[int | None, int]]:
    """The column that an equality is about, if it is one, and the one of the public row."""
    if not isinstance(term, Call) or term.function != "eq":
        return
    for mine, theirs in (term.args, term.args[::-1]):
        column = plain_column(theirs)
        if column in here and not columns_of(mine) & here and written_once(term.args[0].type):
            assert column is not None
            yield plain_column(mine), column


def _public(plan: Plan) -> bool:
    hidden = any(isinstance(node, Scan) and node.table.hidden for node in nodes(plan))
    return kind_of(plan) is Kind.PUBLIC and not hidden


def written_once(kind: Type) -> bool:
    """Whether a type writes each value in one way, so that what is equal is the same."""
    return kind.is_exact or kind.is_string or kind.is_boolean or kind.is_temporal
