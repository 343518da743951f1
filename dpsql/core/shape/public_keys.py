"""Group keys that a public table lists, though the query groups by a private column.

    FROM lineitem JOIN supplier ON l_suppkey = s_suppkey GROUP BY l_suppkey     -- equal columns
    FROM lineitem GROUP BY l_suppkey                                            -- a foreign key

In both the key is replaced by `s_suppkey`; in the second the table is joined first.

Claim: the groups and their rows are the same, but for rows whose key is NULL or not in the public
table, which are dropped. Why: the columns are equal in every row that is left, and the join adds no
row because the public column is a key.
"""

from __future__ import annotations

from dataclasses import replace

from dpsql.core.functions.build import make
from dpsql.core.functions.spec import coerce
from dpsql.core.functions.typing import common
from dpsql.core.infer.keys import equalities
from dpsql.core.infer.kind import kind_of
from dpsql.core.plan.expr import Column, Expr, Ref
from dpsql.core.plan.ids import Ids
from dpsql.core.plan.kind import Kind
from dpsql.core.plan.nodes import Scan
from dpsql.core.schema import Schema, Table
from dpsql.core.shape.flatten import Block, factor

Keys = tuple[tuple[Column, Expr], ...]


def with_public_keys(block: Block, keys: Keys, schema: Schema, ids: Ids) -> tuple[Block, Keys]:
    """The block and the keys over its sources' columns, made public where a table lists them."""
    terms = [part for term in block.terms for part in factor(term)]
    private = _private_columns(block)
    public = {
        c.id: c
        for source in block.sources
        if kind_of(source) is Kind.PUBLIC
        for c in source.columns
    }
    twins: dict[int, Column] = {}
    for a, b in equalities(terms):
        for x, y in ((a, b), (b, a)):
            if x in private and y in public:
                twins.setdefault(x, public[y])
    items: list[tuple[Column, Expr]] = []
    for column, key in keys:
        if not isinstance(key, Ref) or key.column.id not in private:
            items.append((column, key))
            continue
        own, scan = key.column, private[key.column.id]
        if own.id not in twins and not _listed(own, scan):
            listed = _referenced(own, scan, schema)
            if listed is not None:
                block, twins[own.id] = _joined(block, key, listed, ids)
        twin = twins.get(own.id)
        items.append((column, key if twin is None else _as_key(Ref(twin, key.span), key)))
    return block, tuple(items)


def _as_key(twin: Ref, key: Expr) -> Expr:
    """The public column in the key's type where that holds all its values, else in its own."""
    holds = common((twin, key), "key") == key.type
    return coerce(twin, key.type) if holds else twin


def _private_columns(block: Block) -> dict[int, Scan]:
    """The columns of the block's private tables, and their scans."""
    return {
        c.id: source
        for source in block.sources
        if isinstance(source, Scan) and source.table.private
        for c in source.columns
    }


def _field(column: Column, scan: Scan) -> str:
    return scan.fields[[c.id for c in scan.columns].index(column.id)]


def _listed(column: Column, scan: Scan) -> bool:
    """Whether the policy lists the column's own values."""
    declared = scan.table.column(_field(column, scan))
    return declared is not None and declared.values is not None


def _referenced(column: Column, scan: Scan, schema: Schema) -> tuple[Table, str] | None:
    """The public table of which the column is a foreign key, and the key there."""
    declared = scan.table.column(_field(column, scan))
    if declared is None or declared.references is None:
        return None
    table = schema.table(declared.references.table)
    name = declared.references.column.lower()
    if table is None or table.private or table.hidden:
        return None
    if tuple(k.lower() for k in table.key) != (name,):
        return None
    return table, declared.references.column


def _joined(block: Block, key: Expr, listed: tuple[Table, str], ids: Ids) -> tuple[Block, Column]:
    table, name = listed
    declared = table.column(name)
    assert declared is not None
    column = ids.column(declared.name, declared.type)
    scan = Scan(table, (column,), (declared.name,), key.span)
    term = make("eq", (key, Ref(column)), key.span)
    return replace(block, sources=(*block.sources, scan), terms=(*block.terms, term)), column
