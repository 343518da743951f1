"""A server whose texts have an order of their own, or are equal where they differ: PostgreSQL in
place computes what the copy does, and each mutant in `postgres_mutants.txt` is killed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import dpsql
from dpsql.audit.measured import exact
from dpsql.errors import PolicyError
from tests.support.edits import edits
from tests.support.on_a_server import do

TABLES = """
DROP TABLE IF EXISTS t, p;
CREATE TABLE p (id int PRIMARY KEY);
CREATE TABLE t (person int NOT NULL REFERENCES p, x text COLLATE "{of}", y text COLLATE "{of}",
  n numeric(6,2));
INSERT INTO p SELECT generate_series(0, 9);
INSERT INTO t SELECT i % 10, x, y, i / 7.0 FROM unnest({texts}) WITH ORDINALITY AS a(x, i),
  unnest({texts}) AS b(y) WHERE x <> y;
"""
TEXTS = ("a", "A", "b", "B", "ä", "z", "Z", "_", "a-b", "ab", "é")
POLICY = f"""
unit: p.id
budget: {{eps: 1e6, delta: 1e-6}}
tables:
  p: {{access: private, key: [id], columns: {{id: {{}}}}}}
  t:
    access: private
    columns:
      person: {{references: p.id, max_rows: 50}}
      x: {{max_length: 5, values: {list(TEXTS)}}}
      y: {{max_length: 5}}
      n: {{bounds: [0, 5]}}
"""
UNITS = "(SELECT person, MIN(x) AS low, MAX(x) AS high FROM t GROUP BY person) AS g"
FIRST = "(SELECT x, ROW_NUMBER() OVER (PARTITION BY person ORDER BY x, y, n) AS r FROM t) AS g"
QUERIES = (
    "SELECT COUNT(*) FROM t WHERE x < y",
    "SELECT COUNT(*) FROM t WHERE x BETWEEN 'B' AND y",
    "SELECT COUNT(*) FROM t WHERE CASE WHEN x < y THEN x ELSE y END = 'a'",
    "SELECT x, COUNT(*) FROM t GROUP BY x",
    "SELECT x, SUM(n) FROM t GROUP BY x",
    f"SELECT COUNT(*) FROM {UNITS} WHERE low < 'B'",
    f"SELECT COUNT(*) FROM {UNITS} WHERE high > 'z'",
    "SELECT x, COUNT(*) FROM (SELECT person, MIN(x) AS x FROM t GROUP BY person) AS g GROUP BY x",
    f"SELECT COUNT(*) FROM {FIRST} WHERE r = 1 AND x < 'B'",
)
"""Comparisons, group keys, the least, the greatest and the first of a unit."""


def cells(url: str, folder: Path, of: str) -> None:
    """What is computed there is what the copy has."""
    _known(url, of)
    texts = f"ARRAY[{', '.join(map(repr, TEXTS))}]"
    do(url, TABLES.format(of=of, texts=texts))
    found = []
    for in_place in (False, True):
        opened = dpsql.connect(url, POLICY, ledger=folder / "ledger", in_place=in_place)
        with opened as db:
            measured = [exact(db, query) for query in QUERIES]
            found.append(
                [{(m.name, g): v for g, v in zip(m.groups, m.values, strict=True)} for m in of_one]
                for of_one in measured
            )
    assert list(found[0]) == list(found[1])


def left_out(url: str, folder: Path, of: str) -> None:
    """Of a text that equals another one nothing is known here."""
    _known(url, "en-x-icu")
    made = "provider = icu, locale = 'und-u-ks-level2', deterministic = false"
    do(url, f'CREATE COLLATION IF NOT EXISTS "{of}" ({made})')
    do(url, TABLES.format(of=of, texts="ARRAY['a', 'A', 'b']"))
    refused = False
    try:
        dpsql.connect(url, POLICY, ledger=folder / "ledger", in_place=True).close()
    except PolicyError:
        refused = True
    assert refused


MOMENTS = """
DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, x timestamptz, y timestamptz[]);
INSERT INTO t VALUES (1, '2024-01-01 00:00 {of}', ARRAY['2024-01-01 00:00 {of}'::timestamptz]);
"""
OF_MOMENTS = "unit: t.id\nbudget: {eps: 1}\ntables: {t: {access: private, columns: {id: {}}}}"


def moments(url: str, folder: Path, of: str) -> None:
    """What is there and when is the same in whatever time zone the session is."""
    [[name]] = do(url, "SELECT current_database()")
    do(url, f"ALTER DATABASE {name} SET TimeZone = 'Asia/Kolkata'")
    do(url, MOMENTS.format(of=of))
    with dpsql.connect(url, OF_MOMENTS, ledger=folder / "ledger", in_place=True) as db:
        for query in (
            "SELECT COUNT(*) FROM t WHERE x = TIMESTAMP '2024-01-01 00:00'",
            """SELECT COUNT(*) FROM t WHERE y = '{"2024-01-01 00:00:00+00"}'""",
        ):
            [count] = exact(db, query)
            assert count.values == (1,)


def _known(url: str, collation: str) -> None:
    if not do(url, f"SELECT 1 FROM pg_collation WHERE collname = '{collation}'"):
        pytest.skip("the server has no ICU")


CHECKS: dict[str, Callable[[str, Path, str], None]] = {
    "cells": cells,
    "left_out": left_out,
    "moments": moments,
}
EDITS = edits(Path(__file__).with_name("postgres_mutants.txt"))


@pytest.mark.parametrize(
    ("mutant", "check", "of"), EDITS, ids=[mutant.__name__ for mutant, _, _ in EDITS]
)
def test_a_mutant_is_killed(
    mutant: Callable[[pytest.MonkeyPatch], None], check: str, of: str, url: str, tmp_path: Path
) -> None:
    CHECKS[check](url, tmp_path, of)
    with pytest.MonkeyPatch.context() as patch:
        mutant(patch)
        with pytest.raises(AssertionError):
            CHECKS[check](url, tmp_path, of)
