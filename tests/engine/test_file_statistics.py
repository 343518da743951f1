"""What is read of a row of a Parquet file is what it has: statistics of its row group, from which
writers leave NaN out, decide nothing.
"""

from __future__ import annotations

import math
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpsql
from dpsql.platform.engine import duckdb_open

NAN = math.nan
VALUES = {
    "two": [50.0, NAN, 50.0, 49.0],
    "one": [50.0, NAN, 50.0, 50.0],
    "below": [-50.0, NAN, -49.0, -50.0],
    "none": [1.0, 2.0, 3.0, 4.0],
    "only": [NAN, NAN, NAN, NAN],
    "without": [math.inf, NAN, -math.inf, math.inf],
    "zeros": [0.0, -0.0, 0.0, -0.0],
    "null": [None, NAN, 3.0, 3.0],
}
AGGREGATES = [
    "count(*) FILTER (WHERE x > 100)",
    "count(*) FILTER (WHERE isnan(x))",
    "count(*) FILTER (WHERE x = 'NaN'::DOUBLE)",
    "max(x)",
    "min(x)",
    "count(DISTINCT x)",
    "list(x ORDER BY k)",
    "sum(CASE WHEN isnan(x) THEN 0 ELSE least(greatest(x, 0), 10) END)",
    "max(CASE WHEN x <= 50 THEN 1 ELSE 2 END)",
    "bool_and(x <= 60)",
    "arg_max(k, x)",
]
CONDITIONS = [
    *("x > 100", "x >= 100", "NOT x <= 100", "x <> 50 AND x <> 49", "isnan(x)", "x = 'NaN'::FLOAT"),
    *("x NOT BETWEEN -1e9 AND 1e9", "x IN ('NaN'::DOUBLE, 7)", "x * 1 > 100", "-x < -100", "x = 0"),
    *("x IN (SELECT x FROM t WHERE k = 2)", "x IS NOT DISTINCT FROM 'NaN'::DOUBLE", "-x > 0"),
]


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT"])
@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_numbers_are_those_of_a_table(
    values: list[float | None], kind: str, tmp_path: Path
) -> None:
    rows = pa.table(
        {"x": pa.array(values, pa.float64() if kind == "DOUBLE" else pa.float32()), "k": range(4)}
    )
    pq.write_table(rows, tmp_path / "t.parquet")
    asked = [f"SELECT {a} FROM t" for a in AGGREGATES]
    asked += [f"SELECT count(*) FROM t WHERE {c}" for c in CONDITIONS]
    asked += [f"SELECT {a} FROM t WHERE {c}" for a in AGGREGATES[-5:] for c in CONDITIONS[:5]]
    asked += ["SELECT x, count(*) FROM t GROUP BY x ORDER BY x", "SELECT x FROM t ORDER BY x, k"]
    asked += ["SELECT count(*) FROM t AS a JOIN t AS b ON a.x = b.x"]
    with duckdb.connect() as plain:
        plain.execute("CREATE TABLE t AS SELECT * FROM rows")
        expected = [repr(plain.execute(sql).fetchall()) for sql in asked]
    engine = duckdb_open.open_folder(tmp_path, {"t": {}})
    try:
        with engine.snapshot() as snapshot:
            found = [
                repr(
                    [*map(tuple, snapshot.rows(sql.replace("FROM t", 'FROM "memory"."main"."t"')))]
                )
                for sql in asked
            ]
    finally:
        engine.close()
    assert dict(zip(asked, found, strict=True)) == dict(zip(asked, expected, strict=True))


def test_numbers_in_lists_and_fields(tmp_path: Path) -> None:
    rows = pa.table({"s": [{"x": 50.0}, {"x": NAN}, {"x": 50.0}], "l": [[1.0], [NAN], [1.0]]})
    pq.write_table(rows, tmp_path / "t.parquet")
    engine = duckdb_open.open_folder(tmp_path, {"t": {}})
    try:
        with engine.snapshot() as snapshot:
            for condition in ("s.x > 100", "isnan(s.x)", "l[1] > 100", "isnan(l[1])"):
                sql = f'SELECT count(*) FROM "memory"."main"."t" WHERE {condition}'
                assert snapshot.rows(sql) == [(1,)], condition
            assert snapshot.rows('SELECT min(s.x), min(l[1]) FROM "memory"."main"."t"') == [(50, 1)]
    finally:
        engine.close()


POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 1e-6}
tables:
  people: {access: private, key: [id], columns: {id: {nullable: false}}}
  visits:
    access: private
    columns: {person: {references: people.id, max_rows: 3}, x: {bounds: [0, 1000]}}
"""


@pytest.mark.parametrize(
    ("sql", "moves"),
    [
        ("SELECT COUNT(*) FROM visits WHERE x > 100", 1),
        ("SELECT COUNT(*) FROM visits WHERE isnan(x)", 0),
        ("SELECT SUM(x) FROM visits", 100),
        ("SELECT COUNT(*) FROM visits WHERE x NOT BETWEEN 0 AND 100", 1),
    ],
)
def test_one_number_moves_no_other_row(sql: str, moves: int, tmp_path: Path) -> None:
    """Half of the visits have NaN; of one person one visit has 150 for 50."""
    answers = []
    for number, first in enumerate((50.0, 150.0)):
        folder = tmp_path / str(number)
        folder.mkdir()
        pq.write_table(pa.table({"id": range(100)}), folder / "people.parquet")
        numbers = [first, *(NAN if i % 2 else 50.0 for i in range(1, 300))]
        visits = pa.table({"person": [i % 100 for i in range(300)], "x": numbers})
        pq.write_table(visits, folder / "visits.parquet")
        with dpsql.connect(folder, POLICY, ledger=tmp_path / f"{number}.ledger") as db:
            [[found]] = db.run(sql, 1e6, fresh=True).rows
            answers.append(found)
    assert round(answers[1] - answers[0]) == moves
