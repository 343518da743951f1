"""What a condition leaves of columns of which something is known: a row that it is TRUE of is in
what `narrow` says, another in what `failed` says, with NULL and NaN; and so is the value of a CASE.
Also where the condition contradicts what is known, so that only a NaN can pass.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product

import duckdb
import pytest

from dpsql.core.infer.ranges import failed, infer, narrow
from dpsql.core.plan.expr import Case, Expr
from dpsql.core.plan.nodes import Project, Scan, nodes
from dpsql.core.plan.values import Values
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from tests.support.policies import load

Cell = int | float | None

NAMES = {"DOUBLE": ("rate", "weight"), "SMALLINT": ("code", "units")}
CELLS: dict[str, list[Cell]] = {
    "DOUBLE": [None, -1.0, -0.0, 0.5, 1.0, 2.0, math.nan, math.inf],
    "SMALLINT": [None, -1, 0, 1, 2, 3, 5],
}
SINE = Values(Fraction(-1), Fraction(1), nullable=True, nan=True)
KNOWN = {
    "DOUBLE": [
        (SINE, SINE.but(low=Fraction(0), nullable=False)),
        (SINE.but(low=Fraction(0), high=None), SINE),
        (SINE.but(nan=False, nullable=False), SINE.but(low=None)),
    ],
    "SMALLINT": [
        (Values(0, 3), Values(2, 5, nullable=False, finite=(2, 5))),
        (Values(0, 3, nullable=False), Values(3, 5)),
        (Values(0, 0, finite=(0,)), Values(-1, 1)),
    ],
}
CONDITIONS = [
    *(f"x {op} {c}" for op in ("<", "<=", ">", ">=") for c in (0, 2)),
    *("x = 4", "x <> 0", "x < y", "x = y", "x IS NULL", "y IS NOT NULL", "x IN (0, 2)", "y > 1"),
    *("x NOT IN (0, 2)", "x IN (y, NULL)", "x = 0 OR x > 1", "x < -2 OR x > 2", "NOT x > 1"),
]


def is_in(cell: Cell, said: Values) -> bool:
    if cell is None:
        return said.nullable
    if math.isnan(cell):
        return said.nan
    if math.isinf(cell):
        return said.high is None and said.finite is None
    listed = said.finite is None or Fraction(cell) in said.finite
    above = said.low is None or said.low <= Fraction(cell)
    return listed and above and (said.high is None or Fraction(cell) <= said.high)


def bound(kind: str, first: str, second: str) -> tuple[str, Case, dict[str, int]]:
    """A CASE in DuckDB's words, as it is bound, and its columns."""
    text = f"CASE WHEN ({first}) AND ({second}) THEN x WHEN {second} THEN 2 ELSE 0 END"
    for letter, name in zip("xy", NAMES[kind], strict=True):
        text = re.sub(rf"\b{letter}\b", name, text)
    plan = bind(parse(f"SELECT {text} FROM orders"), load("shop").schema)[0].plan
    (scan,) = (node for node in nodes(plan) if isinstance(node, Scan))
    assert isinstance(plan, Project)
    ((_, case),) = plan.items
    assert isinstance(case, Case)
    return text, case, {c.name: c.id for c in scan.columns}


@pytest.mark.parametrize("kind", KNOWN)
def test_every_row_is_in_what_is_left(kind: str) -> None:
    x, y = NAMES[kind]
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({x} {kind}, {y} {kind})")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [*product(CELLS[kind], CELLS[kind])])
        for first, second in product(CONDITIONS, CONDITIONS):
            text, case, ids = bound(kind, first, second)
            condition: Expr = case.branches[0][0]
            (test,) = re.findall("WHEN (.*) THEN .* WHEN", text)
            rows = connection.execute(f"SELECT {x}, {y}, {text}, {test} FROM t").fetchall()
            for known in KNOWN[kind]:
                env = dict(zip((ids[x], ids[y]), known, strict=True))
                said, passed, others = (
                    infer(case, env),
                    narrow(condition, env),
                    failed(condition, env),
                )
                for a, b, value, true in rows:
                    if is_in(a, known[0]) and is_in(b, known[1]):
                        left = passed if true else others
                        assert is_in(value, said), (text, a, b, said)
                        assert is_in(a, left[ids[x]]), (text, a, b, left[ids[x]])
                        assert is_in(b, left[ids[y]]), (text, a, b, left[ids[y]])
