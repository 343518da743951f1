"""A small policy that is right."""

SHOP = """\
unit: customer.id
neighbours: add_remove
budget: {eps: 10, delta: 1e-5}
tables:
  customer:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      age: {type: INTEGER, bounds: [18, 99]}
      city: {type: VARCHAR, values: [Graz, Linz]}
      land: {type: INTEGER, references: land.id}
  orders:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      buyer: {type: BIGINT, references: customer.id, max_rows: 5}
      day: {type: DATE, bounds: [1992-01-01, 1998-12-31]}
      price: {type: "DECIMAL(15,2)", bounds: [0, 0.05]}
  lines:
    access: private
    columns:
      order_id: {type: BIGINT, references: orders.id}
  land:
    access: public
    key: [id]
    columns:
      id: {type: INTEGER}
"""
