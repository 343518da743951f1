"""A table of people, and its policy."""

from __future__ import annotations

POLICY = """
unit: people.id
budget: {eps: 100000, delta: 0.001}
tables:
  people:
    access: private
    key: [id]
    columns:
      age: {bounds: [0, 120]}
      quantity: {bounds: [1, 50]}
      huge: {bounds: [-1.0e+308, 1.0e+308]}
"""


TYPED = POLICY.replace("{bounds", "{type: DOUBLE, bounds").replace(
    "columns:", "columns:\n      id: {type: INTEGER}"
)


TABLE = """
CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, quantity INTEGER, huge DOUBLE);
INSERT INTO people SELECT i, i % 100, 1 + i % 50, i * 1e300 FROM range(100) r(i);
"""
