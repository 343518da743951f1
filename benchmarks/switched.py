"""What one unit's row can switch on or off: `python benchmarks/switched.py [RUNS]`.

Each query asks for the one person who meets a condition, and joins him with much that is not his.
It runs on D, where he meets the condition, and on D′, where nobody does: CPU time of the engine's
statement (median of RUNS pairs), as it is printed and without its stages, see `enforce.staged`.
"""

from __future__ import annotations

import statistics
import sys
import time
from fractions import Fraction
from unittest.mock import patch

import duckdb

from dpsql.compile import compile_query, engine_sql
from dpsql.core.enforce import cells_sql
from dpsql.platform.policy import Policy, resolve

POLICY = Policy.parse("""
unit: people.id
budget: {eps: 1}
tables:
  people:
    access: private
    key: [id]
    columns: {id: {type: INTEGER}, town: {type: INTEGER}, year: {type: INTEGER}}
  notes:
    access: private
    columns:
      person: {type: INTEGER, references: people.id, max_rows: 50}
      txt: {type: VARCHAR, max_length: 40}
  places:
    access: public
    key: [id]
    rows: 1000000
    columns: {id: {type: INTEGER}, word: {type: VARCHAR}}
""")
PEOPLE, NOTES, PLACES = 100_000, 2_000_000, 1_000_000
WORLD = f"""
CREATE TABLE people AS
SELECT i::INTEGER AS id, (i % 10)::INTEGER AS town, 1950 AS year FROM range({PEOPLE}) t(i);
CREATE TABLE notes AS
SELECT (i * 7919 % {PEOPLE})::INTEGER AS person, 'a note of ' || hash(i) AS txt
FROM range({NOTES}) t(i);
CREATE TABLE places AS
SELECT i::INTEGER AS id, 'w' || hash(i) AS word FROM range({PLACES}) t(i);
"""
ONE = "(SELECT * FROM people WHERE town = 7 AND year = 1970) p"
QUERIES = {
    "his notes, by a rare pattern": f"SELECT COUNT(*) FROM {ONE} WHERE id IN "
    "(SELECT person FROM notes WHERE regexp_matches(txt, 'Q.*2.*3'))",
    "his place, by a rare pattern": f"SELECT COUNT(*) FROM {ONE} JOIN (SELECT id FROM places "
    "WHERE regexp_matches(word, 'Q.*2.*3')) w ON w.id = p.year",
    "a product of public rows": f"SELECT COUNT(*) FROM {ONE} WHERE year IN (SELECT a.id + b.id "
    "FROM (SELECT id FROM places LIMIT 1000) a, (SELECT id FROM places LIMIT 1000) b)",
    "his notes, numbered": f"SELECT COUNT(*) FROM {ONE} JOIN (SELECT person, ROW_NUMBER() OVER "
    "(PARTITION BY person ORDER BY txt) AS r FROM notes) n ON n.person = p.id WHERE r > 3",
    "his notes, in upper case": f"SELECT COUNT(*) FROM {ONE} LEFT JOIN (SELECT n.person, n.txt "
    "FROM notes n JOIN people q ON q.id = n.person) n ON n.person = p.id AND UPPER(txt) LIKE '%Q%'",
    "his notes": f"SELECT COUNT(*) FROM {ONE} JOIN notes ON person = p.id "
    "WHERE txt > 'a note of 5'",
    "his place": f"SELECT COUNT(*) FROM {ONE} JOIN places w ON w.id = p.year",
}


def cpu(connection: duckdb.DuckDBPyConnection, sql: str) -> float:
    begun = time.process_time()
    connection.execute(sql).fetchall()
    return time.process_time() - begun


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    schema = resolve(POLICY, None, None)
    here, there = duckdb.connect(), duckdb.connect()
    for connection in (here, there):
        connection.execute(WORLD)
    here.execute("UPDATE people SET year = 1970 WHERE id = 77")
    print(f"{NOTES:,} notes, {PLACES:,} places; {runs} runs each, CPU ms\n")
    print("| query | D | D′ | D, without stages | D′, without stages |\n|---|---|---|---|---|")
    for name, query in QUERIES.items():
        compiled = compile_query(query, schema, Fraction(1))
        (printed,) = engine_sql(compiled)
        with patch.object(cells_sql, "staged", lambda plan: (plan, ())):
            (plain,) = engine_sql(compiled)
        times: dict[tuple[bool, bool], list[float]] = {}
        for _ in range(runs):
            for text in (printed, plain):
                for connection in (here, there):
                    took = cpu(connection, text)
                    times.setdefault((text is plain, connection is there), []).append(took)
        found = [f"{1000 * statistics.median(times[place]):.0f}" for place in sorted(times)]
        if printed == plain:
            found[2:] = ["the same", "the same"]
        print(f"| {name} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
