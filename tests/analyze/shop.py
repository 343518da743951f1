"""A small schema and the path from text to the normalised plan below its aggregate."""

from __future__ import annotations

from dpsql.core.infer.properties import Properties, analyze
from dpsql.core.plan.nodes import Aggregate, Plan, Scan, nodes
from dpsql.core.shape.flatten import flatten
from dpsql.core.shape.normal import Normaliser
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from dpsql.platform.policy import Policy, Schema, resolve

POLICY = """
unit: customers.id
budget: {eps: 1}
tables:
  customers:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      region_id: {type: INTEGER, references: regions.id}
      vip: {type: BOOLEAN}
  orders:
    access: private
    key: [id]
    columns:
      id: {type: INTEGER}
      customer_id: {type: BIGINT, references: customers.id, max_rows: 5}
      amount: {type: "DECIMAL(9,2)", bounds: [-10, 500]}
  lines:
    access: private
    columns:
      order_id: {type: INTEGER, references: orders.id, max_rows: 3}
      product_id: {type: INTEGER, references: products.id}
      quantity: {type: INTEGER, bounds: [1, 9]}
  regions:
    access: public
    key: [id]
    rows: 4
    columns: {id: {type: INTEGER}, name: {type: VARCHAR}}
  products:
    access: public
    key: [id]
    columns: {id: {type: INTEGER}, kind: {type: VARCHAR}}
  tags:
    access: public
    columns: {product_id: {type: INTEGER, max_rows: 6}, tag: {type: VARCHAR}}
"""

SCHEMA: Schema = resolve(Policy.parse(POLICY), None, None)


def tree(from_where: str) -> Plan:
    """The join tree of `SELECT COUNT(*) FROM …`, with every column kept."""
    bound, ids = bind(parse(f"SELECT COUNT(*) FROM {from_where}"), SCHEMA)
    aggregate = next(n for n in nodes(bound.plan) if isinstance(n, Aggregate))
    block = flatten(aggregate.input)
    used = frozenset(c.id for source in block.sources for c in source.columns)
    return Normaliser(SCHEMA, ids).tree(block, used)


def properties(from_where: str) -> Properties:
    """The properties of the joined rows."""
    return analyze(tree(from_where), SCHEMA)


def names(plan: Plan, ids: frozenset[int]) -> set[str]:
    """The columns of those ids, as table.column."""
    return {
        f"{scan.table.name}.{field}"
        for scan in nodes(plan)
        if isinstance(scan, Scan)
        for field, column in zip(scan.fields, scan.columns, strict=True)
        if column.id in ids
    }
