"""Two claims about what one unit can move: bins under `replace`, and dates that Python cannot tell
apart.
"""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pytest

import dpsql
from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options
from dpsql.core.release.statements import statements
from dpsql.execution.cells import ExactCells, read
from dpsql.execution.reading import engine_source, public_groups
from tests.support.policies import load

DELTA = Options(delta=Fraction(1, 10**6))

POLICY = """
unit: people.id
budget: {eps: 10, delta: 0.001}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}}
  visits:
    access: private
    columns:
      pid: {type: INTEGER, references: people.id, max_rows: 2}
      day: {type: DATE}
      moment: {type: TIMESTAMP}
  days:
    access: public
    key: [day]
    columns: {day: {type: DATE}}
"""


def compiled(sql: str, policy: str) -> ReleasedQuery:
    found: Compiled = compile_query(sql, load(policy).schema, Fraction(1))
    assert isinstance(found.query, ReleasedQuery)
    return found.query


@pytest.mark.parametrize(
    ("sql", "moved"),
    [
        # The one row of a patient goes from a bin to another: both move by 1.
        ("SELECT HISTOGRAM(weight, [50, 80]) AS h FROM patients", (2, 2, 2, 1)),
        # Both stays of a patient do: 2 rows leave a bin, 2 come to another.
        ("SELECT HISTOGRAM(days, [5, 30]) AS h FROM stays", (2, 4, 8, 2)),
        # One bin alone is a count.
        ("SELECT HISTOGRAM(weight, [50]) AS h FROM patients", (1, 1, 1, 1)),
        ("SELECT ward, HISTOGRAM(days, [5, 30]) AS h FROM stays GROUP BY ward", (4, 4, 8, 2)),
    ],
)
def test_bins_of_replaced_units(sql: str, moved: tuple[int, ...]) -> None:
    (release,) = compiled(sql, "replace").releases
    assert len({measure.family for measure in release.measures}) == 1
    for measure in release.measures:
        found = measure.sensitivity
        assert (found.l0, found.l1, found.l2_squared, found.linf) == moved


def test_bins_of_added_units_cost_as_much_as_one_count() -> None:
    (release,) = compiled(
        "SELECT HISTOGRAM(cost, [0, 50, 100]) AS h FROM visits", "visits"
    ).releases
    assert [measure.sensitivity.l1 for measure in release.measures] == [4, 4, 4]
    assert [measure.sensitivity.l2_squared for measure in release.measures] == [16, 16, 16]


def connection() -> duckdb.DuckDBPyConnection:
    """100 people on the last day that Python has, and one on the infinite one."""
    made = duckdb.connect()
    made.execute("CREATE TABLE people AS SELECT i::INTEGER AS id FROM range(200) t(i)")
    made.execute("CREATE TABLE visits (pid INTEGER, day DATE, moment TIMESTAMP)")
    made.execute(
        "INSERT INTO visits "
        "SELECT i, '9999-12-31', '9999-12-31 23:59:59.999999' FROM range(100) t(i)"
    )
    made.execute("INSERT INTO visits VALUES (0, 'infinity', 'infinity'), (150, '-infinity', NULL)")
    made.execute("CREATE TABLE days AS SELECT '9999-12-31'::DATE AS day")
    return made


def exact(database: dpsql.Database, sql: str) -> ExactCells:
    query = compile_query(sql, database.schema, Fraction(1), options=DELTA).query
    assert isinstance(query, ReleasedQuery)
    (release,) = query.releases
    source = engine_source(database._engine)
    with database._engine.snapshot() as snapshot:
        groups = public_groups(release, snapshot, source)
        return read(release, groups, snapshot, statements(release, source))


@pytest.mark.parametrize("key", ["day", "moment"])
def test_a_private_date_beyond_the_calendar_is_null(key: str) -> None:
    with dpsql.connect(connection(), POLICY) as database:
        found = exact(
            database, f"SELECT {key}, COUNT(DISTINCT pid) AS n FROM visits GROUP BY {key}"
        )
    assert [None in group for group in found.groups] == [False, True]
    assert found.values == [[100, 2]]


def test_a_public_date_beyond_the_calendar_is_null() -> None:
    made = connection()
    rows = "visits v JOIN days d ON v.day = d.day"
    sql = f"SELECT d.day, COUNT(DISTINCT pid) AS n FROM {rows} GROUP BY d.day"
    with dpsql.connect(made, POLICY) as database:
        assert exact(database, sql).values == [[100]]
    made.execute("INSERT INTO days VALUES ('infinity')")
    with dpsql.connect(made, POLICY) as database:
        found = exact(database, sql)
    assert dict(zip((None in g for g in found.groups), found.values[0], strict=True)) == {
        False: 100,
        True: 1,
    }
