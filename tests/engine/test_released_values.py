"""A released number of any type is a constant of it in what another server is asked."""

from __future__ import annotations

import duckdb
import pytest

from dpsql.core.emit.printing import printed as duckdb_text
from dpsql.core.enforce.cells_sql import feed_sql, parameter, travels
from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Released
from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far.bound_plan import read
from dpsql.platform.engine.far.postgres_language import POSTGRES
from dpsql.platform.engine.far.server_sql import Language, printed
from dpsql.platform.engine.far.spark_language import SPARK

VALUES = {
    "DECIMAL(10,2)": ("0.00", "-1234.50", "12345678.90", None),
    "DECIMAL(38,0)": ("0", "-" + "9" * 38),
    "HUGEINT": ("170141183460469231731687303715884105727", "-5"),
    "DATE": ("2024-02-29", "0001-01-01"),
    "TIMESTAMP": ("2024-02-29 12:00:00.5", "9999-12-31 23:59:59.999999"),
    "BIGINT": (7, -(2**63)),
    "DOUBLE": (0.1, -0.0, float("inf")),
    "BOOLEAN": (True, None),
    "VARCHAR": ("open", ""),
}


@pytest.mark.parametrize("language", [SPARK, POSTGRES])
@pytest.mark.parametrize("name", VALUES)
def test_it_is_said(name: str, language: Language) -> None:
    kind = parse_type(name)
    node = Released("f1", (Column(1, "x", kind),), ("x",))
    given = {parameter("f1", "x"): list(VALUES[name])}
    assert travels(kind) or all(v is None or isinstance(v, str) for v in VALUES[name])
    with duckdb.connect() as connection:
        [(plan,)] = connection.execute(PLAN, {"sql": duckdb_text(feed_sql(node))}).fetchall()
    text = printed(read(str(plan)), language, "".join, given)
    for value in VALUES[name]:
        shown = str(value).split(" ")[0].split(".")[0].lstrip("-")
        assert value is None or shown.lower() in text.lower() or shown in ("True", "", "inf")
