"""The query that is answered is the one that DuckDB would answer.

Division is set aside: x / 0, which is inf or NaN in DuckDB, is NULL here.
"""

from __future__ import annotations

import random

import duckdb
import pytest

import dpsql
from dpsql import audit
from dpsql.session.database import Database
from tests.adversarial.world import opened
from tests.support.effort import tries

TABLES = """
CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL CHECK (a BETWEEN -5 AND 5),
    b INTEGER CHECK (b BETWEEN -5 AND 5), c BIGINT CHECK (c BETWEEN 0 AND 9), s VARCHAR,
    p BOOLEAN, q BOOLEAN NOT NULL, x DOUBLE CHECK (x BETWEEN -10 AND 10),
    m DECIMAL(6,2) CHECK (m BETWEEN -99 AND 99), d DATE, z TIMESTAMP);
INSERT INTO t SELECT i, i % 11 - 5, CASE WHEN i % 7 = 0 THEN NULL ELSE i % 10 - 5 END, i % 10,
    CASE WHEN i % 5 = 0 THEN NULL ELSE ['a', 'B', 'ab', 'b%', '', 'A_c', '1', 't'][1 + i % 8] END,
    CASE WHEN i % 3 = 0 THEN NULL ELSE i % 2 = 0 END, i % 4 = 0,
    CASE WHEN i % 6 = 0 THEN NULL ELSE (i % 21 - 10) / 2.0 END, (i % 199 - 99)::DECIMAL(6,2) / 4,
    CASE WHEN i % 9 = 0 THEN NULL ELSE DATE '2000-01-31' + (i * 13 % 700)::INT END,
    TIMESTAMP '2000-01-31 10:30:00' + INTERVAL (i * 777) MINUTE FROM range(1, 400) r(i);
"""
POLICY = """
unit: t.id
budget: {eps: 1000}
tables:
  t: {access: private, key: [id]}
"""

CONDITIONS = """
a > 1_000
-a::INT = b
- a ^ 2 = 4
NOT a IS NULL
NOT p = q
a = b = p
a < b = q
a = b IS NULL
p IS NOT TRUE
NOT p IS TRUE
a BETWEEN b AND c AND q
NOT a BETWEEN b AND c
a NOT BETWEEN b AND c OR p
a IN (1,2) IS TRUE
a NOT IN (1,NULL)
p OR q AND NOT p
NOT s LIKE 'a%'
s LIKE 'b\\%'
s LIKE 'A_c'
'a' || 'b' = s
s || 'b' LIKE 'ab%'
a - b - c > -5
a * b // 2 = 1
a // 2 * b = 2
a * 2 % 3 = 1
-a % 3 = 1
a // -2 = 1
a == b
a IS NOT DISTINCT FROM b AND q
~a = 1
!q
a = '1'
m > '1.2'
d > '2000-05-01'
d = '2000-05-01 12:00:00'
d > TIMESTAMP '2000-05-01 12:00:00'
d + 30 > DATE '2000-06-01'
d > DATE '2000-05-31' - INTERVAL 3 MONTH
d + INTERVAL '1' MONTH = DATE '2000-03-29'
z > '2000-05-01'
z = d
z::DATE = d
dayofweek(d) = 0
date_part('dow', d) = 0
week(d) = 10
date_trunc('week', d) = DATE '2000-02-28'
CASE a WHEN 1 THEN q WHEN NULL THEN TRUE ELSE p END
COALESCE(b, a) > 0
IF(p, a, b) > 0
LEAST(a, b) = a
GREATEST(a, b, 1) = 1
ROUND(m, 1) = 1.3
ROUND(x) = 0
m::INTEGER = 2
x::INTEGER = 2
m::DECIMAL(6,1) = 1.3
d::VARCHAR = '2000-05-01'
SUBSTR(s, -1) = 'b'
SUBSTR(s, 0, 1) = ''
TRIM(LEADING 'a' FROM s) = 'b'
TRIM('a' FROM s) = 'b'
CONCAT(s, NULL, 'x') = 'ax'
s || NULL = 'a'
s = E'a'
s = $$a$$
a = - - 1
a - -1 = 2
a --1
a /* x */ = 1
a = b IS NOT NULL
b ISNULL OR p
T."A" = 1
-2147483648 = a
p < q
CAST(2.5 AS INTEGER) = c
CAST(1.255 AS DECIMAL(6,2)) = m
""".strip().splitlines()

ATOMS = ("a", "b", "c", "m", "x", "1", "2", "-1", "0.5", "3")
TESTS = (
    "p", "q", "a = 1", "b > 0", "b IS NULL", "s = 'a'", "c IN (1,2)", "a BETWEEN 0 AND 2", "NULL",
    "s LIKE 'a%'", "m < 1", "NOT p", "x IS NOT NULL",
)  # fmt: skip


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return opened(TABLES, POLICY, tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="module")
def plain() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    con.execute(TABLES)
    con.execute("SET error_on_division_by_zero = false")
    return con


def _agree(db: Database, plain: duckdb.DuckDBPyConnection, sql: str) -> bool:
    """Whether the query is accepted; both answers are then the same."""
    try:
        (measure,) = audit.exact(db, sql)
    except dpsql.Rejected:
        return False
    try:
        row = plain.execute(sql).fetchone()
    except duckdb.Error:
        return False  # a division by zero that folds, or a syntax of ours alone
    assert row is not None
    assert float(measure.values[0]) == pytest.approx(float(row[0] or 0), abs=1e-6), sql
    return True


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_means_what_it_means_in_duckdb(
    db: Database, plain: duckdb.DuckDBPyConnection, condition: str
) -> None:
    _agree(db, plain, f"SELECT COUNT(*) FROM t WHERE {condition}\n")


def _number(rng: random.Random) -> str:
    text = rng.choice(["", "-", "- -"]) + rng.choice(ATOMS)
    for _ in range(rng.randint(0, 3)):
        text += f" {rng.choice('+-*%')} {rng.choice(['', '', '-'])}{rng.choice(ATOMS)}"
    return text


def _condition(rng: random.Random) -> str:
    parts: list[str] = []
    for number in range(rng.randint(1, 4)):
        if number:
            parts.append(rng.choice(["AND", "OR", "=", "<>", "<"]))
        test = rng.choice(TESTS)
        if rng.random() < 0.4:
            test = f"{_number(rng)} {rng.choice(['<', '>', '=', '<>', '<='])} {_number(rng)}"
        parts.append(rng.choice(["", "NOT ", "NOT NOT "]) + test)
        parts.append(rng.choice(["", "", "", "IS NULL", "IS NOT TRUE", "= q"]))
    return " ".join(parts)


def test_precedence_is_duckdbs(db: Database, plain: duckdb.DuckDBPyConnection) -> None:
    rng = random.Random(11)
    texts = [f"SELECT COUNT(*) FROM t WHERE {_condition(rng)}" for _ in range(tries(120, 400))]
    texts += [f"SELECT SUM({_number(rng)}) FROM t" for _ in range(tries(40, 100))]
    assert sum(_agree(db, plain, sql) for sql in texts) > tries(45, 150)
