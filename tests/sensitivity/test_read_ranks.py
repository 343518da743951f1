"""What stands for a released extreme or place in the tests: what is a row away, no more."""

from __future__ import annotations

import duckdb
import pytest

from tests.support.answers import _equal
from tests.support.read_ranks import between, moved

ROWS = "FROM (VALUES (1, 'a'), (5, 'a'), (9, 'b'), (20, 'b')) AS t(x, k)"


@pytest.mark.parametrize(
    ("sql", "low", "high"),
    [
        ("SELECT (SELECT MIN((y)) FROM (SELECT x AS y {rows})) + 1 AS v", -1, 9),
        ("SELECT (SELECT MIN(x) {rows}) AS v", 1, 5),
        ("SELECT (SELECT MAX(DISTINCT t.x) {rows}) AS v", 9, 20),
        ("SELECT (SELECT MIN(x) FILTER (WHERE k = 'b') {rows}) AS v", 9, 20),
        ("SELECT SUM(m - x) FROM (SELECT x, MAX(x) OVER () AS m {rows})", 1, 45),
        ("SELECT MAX(x) - MIN(x) {rows}", 4, 19),
        ("SELECT x FROM (SELECT x, ROW_NUMBER() OVER (ORDER BY x) AS p {rows}) WHERE p = 2", 1, 9),
        ("SELECT (SELECT MIN(x) FROM (VALUES (3)) AS t(x)) AS v", 3, 3),
        ("SELECT (SELECT MIN(k) {rows}) AS v", None, None),
        ("SELECT SUM(x) {rows}", 35, 35),
        ("SELECT SUM(m) FROM (SELECT MIN(z) AS m FROM (SELECT x AS z {rows}))", 1, 1),
    ],
)
def test_what_is_a_row_away_stands_for_it_and_nothing_else(
    sql: str, low: int | None, high: int | None
) -> None:
    with duckdb.connect() as connection:
        text = sql.format(rows=ROWS)
        others = [connection.execute(other).fetchall() for other in moved(text, {"x": 0, "y": 3})]
        (row,) = between(connection.execute(text).fetchall(), others)
    if low is None or high is None:
        assert _equal(row[0], "a", 0) and not _equal(row[0], "b", 0)
        return
    found = [n for n in range(-5, 100) if _equal(row[0], n, 0)]
    assert found == list(range(low, high + 1))
