"""Different rows have different texts, and equal ones the same, as DuckDB says what is equal."""

from __future__ import annotations

from itertools import product

import duckdb
import pytest
from sqlglot import exp

from dpsql.core.emit.plans import scalar
from dpsql.core.emit.printing import printed
from dpsql.core.functions.told_apart import parts_told, told_apart
from dpsql.core.plan.expr import Ref
from dpsql.core.plan.ids import Ids
from dpsql.types import BIGINT, BOOLEAN, DATE, DOUBLE, TIMESTAMP, VARCHAR, Type, decimal

VALUES: dict[Type, tuple[str, ...]] = {
    VARCHAR: ("''", "'-'", "'1:'", "'1:a'", "'a1:b'", "'b'", "'ä'", "'11:'", "'0:'"),
    BIGINT: ("0", "1", "-1", "11", "111", "9223372036854775807"),
    DOUBLE: ("0.0", "-0.0", "0.1", "1e300", "1e-300", "'inf'", "'nan'", "'-nan'", "0.1000000001"),
    BOOLEAN: ("TRUE", "FALSE"),
    DATE: ("'2024-01-01'", "'0001-01-01'", "'infinity'"),
    TIMESTAMP: ("'2024-01-01'", "'2024-01-01 00:00:00.000001'"),
    decimal(6, 2): ("1.10", "11.00", "-0.01"),
}


@pytest.mark.parametrize("one", VALUES, ids=str)
@pytest.mark.parametrize("other", VALUES, ids=str)
def test_rows_are_told_apart_as_duckdb_does(one: Type, other: Type) -> None:
    ids = Ids()
    a, b = ids.column("a", one), ids.column("b", other)
    made = told_apart((Ref(a), Ref(b)))
    assert parts_told(made) == (Ref(a), Ref(b))
    text = printed(scalar(made, {a.id: exp.column("a"), b.id: exp.column("b")}))
    rows = ", ".join(
        f"(CAST({x} AS {one}), CAST({y} AS {other}))"
        for x, y in product((*VALUES[one], "NULL"), (*VALUES[other], "NULL"))
    )
    sql = f"SELECT COUNT(DISTINCT {text}), COUNT(DISTINCT (a, b)) FROM (VALUES {rows}) AS t(a, b)"
    (found,) = duckdb.sql(sql).fetchall()
    assert found[0] == found[1]
