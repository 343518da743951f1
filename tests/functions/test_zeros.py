"""No function tells -0.0 from 0.0. DuckDB takes them for equal, so MIN, DISTINCT and GROUP BY keep
either of them, as the order of rows has it; what is computed from it must not show which.
"""

from __future__ import annotations

import itertools

import duckdb
import pytest

from dpsql.core.emit.plans import column, scalar
from dpsql.core.enforce.secure import secure
from dpsql.core.functions import ALL
from dpsql.core.functions.build import cast, make
from dpsql.core.functions.enforcing import FUNCTIONS as ENFORCING
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.core.plan.values import of_type
from dpsql.errors import Rejected
from dpsql.types import BIGINT, BOOLEAN, DOUBLE, INTEGER, VARCHAR, Type

OTHERS = [Literal(n, kind) for n, kind in ((-2, INTEGER), (0, INTEGER), (1, INTEGER), (3, INTEGER))]
KINDS = (BIGINT, INTEGER, VARCHAR, BOOLEAN, DOUBLE, Type("FLOAT"), Type("DECIMAL", 9, 2))


def _calls(kind: Type) -> list[tuple[str, Expr]]:
    """Every call of one, two or three arguments in which the column stands somewhere."""
    x = Ref(Column(1, "x", kind))
    found: list[tuple[str, Expr]] = []
    for function in ALL:
        if function in ENFORCING:
            continue
        for count in (1, 2, 3):
            for place in range(count):
                for rest in itertools.product(OTHERS, repeat=count - 1):
                    args = (*rest[:place], x, *rest[place:])
                    try:
                        call = make(function.name, args, None)
                    except (Rejected, TypeError, ValueError, AssertionError, IndexError):
                        continue
                    if isinstance(call, Call):
                        found.append((function.name, call))
    for target in KINDS:
        for name in ("cast", "try_cast"):
            try:
                found.append((name, cast(name, x, target, None)))
            except Rejected:
                continue
    return found


@pytest.mark.parametrize("kind", [DOUBLE, Type("FLOAT")], ids=str)
def test_no_function_tells_the_zeros_apart(kind: Type) -> None:
    connection = duckdb.connect(":memory:", config={"threads": "1"})
    connection.execute(f"CREATE TABLE t (x {kind}, k INTEGER)")
    connection.execute(
        f"INSERT INTO t SELECT unnest(['-0.0', '0.0'])::{kind}, k FROM range(-3, 4) r(k)"
    )
    env = {1: of_type(kind), 2: of_type(INTEGER)}
    names = {1: column("t", "x"), 2: column("t", "k")}
    tried: set[str] = set()
    for name, call in _calls(kind):
        try:
            safe = secure(call, env, env, value=True)
        except Rejected:
            continue
        sql = scalar(safe, dict(names)).sql(dialect="duckdb")
        counts = f"SELECT COUNT(DISTINCT ({sql})), COUNT({sql}) FROM t GROUP BY k"
        for distinct, present in connection.execute(counts).fetchall():
            assert present in (0, 2), f"{name} is NULL for one zero only: {sql}"
            assert distinct <= 1, f"{name} tells the zeros apart: {sql}"
        tried.add(name)
    assert {"atan2", "div", "pow", "sqrt", "add", "mul", "sign", "floor"} <= tried
