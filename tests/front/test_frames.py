"""A RANGE with an offset has the rows that are so far away, whatever the numbers are."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.compile import compile_query, engine_sql
from dpsql.platform.policy import Policy, resolve
from tests.support.effort import tries

POLICY = """
unit: people.id
budget: {eps: 10}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}}
  rows:
    access: private
    columns:
      person: {type: BIGINT, references: people.id, max_rows: 9}
      x: {type: BIGINT}
      u: {type: UBIGINT}
      d: {type: DATE}
      t: {type: TIMESTAMP}
"""
SCHEMA = resolve(Policy.parse(POLICY), None, None)

DAY = 86_400_000_000
FAR = 2**63
SECOND = 1_000_000
NOON = datetime(2024, 1, 1, 12, 0, 1)
WAYS = {
    # The unit of an offset as it is written, what it counts, and values.
    "x": ("{}", 1, (-FAR, 1 - FAR, -2, -1, 0, 1, 2, 3, FAR - 2, FAR - 1)),
    "u": ("{}", 1, (0, 1, 2, 3, 2 * FAR - 2, 2 * FAR - 1)),
    "d": ("INTERVAL {} DAY", 1, (date.min, date(2, 1, 1), date(2024, 2, 28), date.max)),
    "t": (
        "INTERVAL {} SECOND",
        SECOND,
        (datetime.min, datetime(2024, 1, 1, 0, 0, 1), datetime.max),
    ),
}


def place(value: object) -> int:
    """The number by which a value is compared."""
    if isinstance(value, datetime):
        passed = value - datetime(1970, 1, 1)
        return passed.days * DAY + passed.seconds * SECOND + passed.microseconds
    return value.toordinal() if isinstance(value, date) else int(str(value))


def within(values: list[object], i: int, low: int | None, high: int | None, down: bool) -> int:
    """How many of the values are in the frame of one, from `low` before it to `high` after it."""
    here = values[i]
    if here is None:  # its peers, and all rows on a side without end, where NULLs come last
        return len(values) if low is None else sum(v is None for v in values)
    found = 0
    for value in values:
        if value is None:
            found += high is None
            continue
        ahead = (place(value) - place(here)) * (-1 if down else 1)
        found += (low is None or ahead >= -low) and (high is None or ahead <= high)
    return found


@pytest.mark.parametrize("column", WAYS)
@pytest.mark.one_in(2)
def test_a_range_has_the_rows_that_are_so_far_away(column: str) -> None:
    written, size, known = WAYS[column]
    near = st.sampled_from(known)
    value = st.none() | (near | near.map(lambda v: min(v + 1, 2**62)) if column == "x" else near)
    offset = st.none() | st.integers(0, 3)

    def side(n: int | None, word: str) -> str:
        return f"{'UNBOUNDED' if n is None else written.format(n)} {word}"

    @settings(max_examples=tries(30, 300), deadline=None, derandomize=True)
    @given(st.lists(value, min_size=1, max_size=9), offset, offset, st.booleans())
    def run(values: list[object], low: int | None, high: int | None, down: bool) -> None:
        sql = (
            f"SELECT SUM(n) AS s FROM (SELECT COUNT(*) OVER (PARTITION BY person ORDER BY {column}"
            f" {'DESC' * down} NULLS LAST RANGE BETWEEN {side(low, 'PRECEDING')}"
            f" AND {side(high, 'FOLLOWING')}) AS n FROM rows)"
        )
        (text,) = engine_sql(compile_query(sql, SCHEMA, Fraction(1)))
        connection.execute("DELETE FROM rows")
        for item in values:
            connection.execute(f"INSERT INTO rows (person, {column}) VALUES (1, ?)", [item])
        ends = [None if n is None else n * size for n in (low, high)]
        exact = sum(within(values, i, *ends, down) for i in range(len(values)))
        answer = connection.execute(text).fetchone()
        assert answer is not None and answer[1] == exact, (sql, values)

    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE people (id BIGINT);"
            " CREATE TABLE rows (person BIGINT, x BIGINT, u UBIGINT, d DATE, t TIMESTAMP)"
        )
        run()
