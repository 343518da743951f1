"""What one unit can cost at the limit of work: `python benchmarks/work.py [RUNS]`.

Queries of three kinds are widened until they are just below `limits.work_per_unit`. Each then runs
on D, where one unit has the worst rows that are declared, and on D′, where it has none: CPU time of
the engine's statements (median of RUNS pairs), and the memory that they ask for.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction

import duckdb

from dpsql.compile import ReleasedQuery, compile_query, engine_sql
from dpsql.errors import Rejected
from dpsql.platform.policy import Policy, resolve

POLICY = Policy.parse("""
unit: people.id
budget: {eps: 1}
tables:
  people: {access: private, key: [id], columns: {id: {type: BIGINT}, note: {type: VARCHAR}}}
  visits:
    access: private
    columns: {person: {type: BIGINT, references: people.id, max_rows: 40}, x: {type: INTEGER}}
""")
SCHEMA = resolve(POLICY, None, None)
LIMIT = SCHEMA.limits.work_per_unit
WORST = "regexp_replace(note, '(a|b)(c)?', 'xy', 'g')"


def _values(count: int) -> str:
    return ", ".join(f"({n})" for n in range(count))


def pairs(width: int) -> str:
    """Rows of one unit, each with many public ones, told apart."""
    return (
        "SELECT COUNT(*) FROM (SELECT DISTINCT person, x, a, b, c FROM visits "
        f"CROSS JOIN (VALUES {_values(10)}) u(a) CROSS JOIN (VALUES {_values(10)}) v(b) "
        f"CROSS JOIN (VALUES {_values(width)}) w(c)) t"
    )


def itself(width: int) -> str:
    """Rows of one unit that meet one another, and some public ones."""
    return (
        "SELECT COUNT(*) FROM visits a JOIN visits b USING (person) "
        f"CROSS JOIN (VALUES {_values(width)}) v(c) WHERE a.x + b.x > c"
    )


def texts(width: int) -> str:
    """A text as long as texts may be, read by the dearest function, some times."""
    terms = " AND ".join(f"{WORST} <> 'q{n}'" for n in range(width))
    return f"SELECT COUNT(*) FROM people WHERE {terms}"


def searched(width: int) -> str:
    """The same, made longer and searched."""
    return f"SELECT COUNT(*) FROM people WHERE contains(repeat(note, {width}), 'ba')"


def _steps(sql: str) -> int | None:
    """What one unit can cause; None beyond the limit."""
    try:
        query = compile_query(sql, SCHEMA, Fraction(1)).query
    except Rejected:
        return None
    assert isinstance(query, ReleasedQuery)
    return sum(release.work for release in query.releases)


def widest(shape: Callable[[int], str]) -> tuple[str, int]:
    """The widest query of a shape that is accepted, and its steps."""
    low, high = 1, 2
    while _steps(shape(high)) is not None and high < 64:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _steps(shape(middle)) is not None else (low, middle)
    found = _steps(shape(low))
    assert found is not None
    return shape(low), found


def _database(present: bool) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": "1"})
    connection.execute(
        "CREATE TABLE people AS SELECT i AS id, 'note ' || i AS note FROM range(200) t(i); "
        "CREATE TABLE visits AS SELECT i % 200 AS person, (i % 10)::INTEGER AS x "
        "FROM range(1000) t(i)"
    )
    if present:
        connection.execute(
            "INSERT INTO people SELECT -1, repeat('ab', 5000); "
            "INSERT INTO visits SELECT -1, i::INTEGER FROM range(40) t(i)"
        )
    return connection


def _memory(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    ((_, text),) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}").fetchall()
    found: list[int] = []

    def visit(value: object) -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                if name in ("system_peak_buffer_memory", "total_memory_allocated"):
                    found.append(int(part))
                visit(part)
        elif isinstance(value, list):
            for part in value:
                visit(part)

    visit(json.loads(text))
    return max(found, default=0)


def main(runs: int) -> None:
    """Print a line for each shape."""
    print(f"{'shape':10} {'steps':>9} {'D′ ms':>8} {'more on D, ms':>14} {'more MB':>8}")
    for shape in (pairs, itself, texts, searched):
        sql, steps = widest(shape)
        statements = engine_sql(compile_query(sql, SCHEMA, Fraction(1)))
        worlds = [_database(False), _database(True)]
        times: list[list[float]] = [[], []]
        for _ in range(runs + 1):
            for world, connection in enumerate(worlds):
                start = time.process_time()
                for text in statements:
                    connection.execute(text).fetchall()
                times[world].append(time.process_time() - start)
        without, more = (
            statistics.median(times[0][1:]),
            statistics.median(b - a for a, b in zip(*times, strict=True)),
        )
        memory = [max(_memory(c, text) for text in statements) for c in worlds]
        print(
            f"{shape.__name__:10} {steps:9,} {without * 1e3:8.1f} {more * 1e3:14.2f} "
            f"{(memory[1] - memory[0]) / 1e6:8.1f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 51)
