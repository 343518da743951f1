"""Errors, shapes and charges must not depend on a row."""

from __future__ import annotations

import math
import threading
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
from sqlglot import parse_one

import dpsql
from dpsql import audit
from dpsql.core.account.amount import Cost
from dpsql.core.release import statements
from dpsql.errors import DpsqlError
from dpsql.execution import cells, ready
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.adversarial.world import database, opened
from tests.support.effort import tries
from tests.support.public_reads import forbid_private_reads

# --- predicates in another order than the query's -------------------------------------------------

# The engine evaluates a test on x and z below the join that would remove the last user.
ORDER = """
CREATE TABLE n (lo INTEGER NOT NULL CHECK (lo BETWEEN 0 AND 3),
    hi INTEGER NOT NULL CHECK (hi BETWEEN 0 AND 3));
INSERT INTO n SELECT 0, i % 4 FROM range(2000) t(i);
CREATE TABLE u (id INTEGER PRIMARY KEY, x INTEGER, z INTEGER);
INSERT INTO u SELECT i, i % 4, i % 5 FROM range(1, 20) t(i);
"""
ORDER_POLICY = """
unit: u.id
budget: {eps: 1000}
tables:
  u: {access: private, key: [id], columns: {z: {values: [1, 2, 3]}}}
  n: {access: public, rows: 2000}
"""
EVIL = "INSERT INTO u VALUES (99, 2147483647, 1); INSERT INTO u VALUES (98, -1, 1);"


@pytest.mark.parametrize(
    "key",
    [
        "CASE WHEN z = 1 THEN CAST(x AS TINYINT) ELSE z END",
        "CASE WHEN z = 1 THEN x * 1000000000 // 1000000000 ELSE z END",
        "CASE WHEN z = 1 THEN 10 // (x + 1) ELSE z END",
    ],
)
def test_group_key_cannot_fail_on_a_row_that_a_join_removes(tmp_path: Path, key: str) -> None:
    sql = f"SELECT {key} AS g, COUNT(*) FROM u JOIN n ON x = n.lo OR x = n.hi GROUP BY 1"
    seen = []
    for extra in ("", EVIL):
        db = opened(ORDER + extra, ORDER_POLICY, tmp_path)
        try:
            seen.append(str([row[0] for row in db.run(sql, eps=1).rows]))
        except DpsqlError as error:
            seen.append(str(error))
    assert seen[0] == seen[1]
    assert "engine" not in seen[0]


# --- nothing fails on any value -------------------------------------------------------------------

EXTREME = """
CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, l BIGINT, h HUGEINT, m DECIMAL(38,2),
    x DOUBLE, d DATE, z TIMESTAMP, s VARCHAR, b BOOLEAN);
INSERT INTO t VALUES
    (1, 0, 0, 0, 0, 0, '2000-01-01', '2000-01-01', '', true),
    (2, 2147483647, 9223372036854775807, 170141183460469231731687303715884105727,
        999999999999999999999999999999999999.99, 'inf', 'infinity', 'infinity', 'x', false),
    (3, -2147483648, -9223372036854775808, -170141183460469231731687303715884105728,
        -999999999999999999999999999999999999.99, '-inf', '-infinity', '-infinity', '-1', NULL),
    (4, NULL, NULL, NULL, NULL, 'nan', '5877642-06-25 (BC)', '290309-12-22 (BC) 00:00:00', '1e999',
        NULL),
    (5, 1, -1, -1, 0.01, -0.0, '5881580-07-10', '294247-01-10 04:00:54.775806', repeat('9', 300),
        NULL),
    (6, -1, 1, 1, -0.01, 5e-324, '0001-01-01', '0001-01-01', chr(128512), NULL),
    (7, NULL, NULL, NULL, NULL, 1.7976931348623157e308, '9999-12-31', '9999-12-31 23:59:59', 'é',
        NULL);
"""
EXTREME_POLICY = """
unit: t.id
budget: {eps: 100000}
tables:
  t: {access: private, key: [id]}
"""
EXPRESSIONS = (
    """
i + 1;i - 1;-i;i * i;abs(i);i // -1;i % -1;i // (i + 1);i * i * i * i * i;i::DOUBLE;i::VARCHAR
l + l;l * l * l;-l;abs(l);l // -1;l % -1;l // l;l::DECIMAL(38,0);TRY_CAST(l AS TINYINT);l / l
h + 1;h * h;-h;abs(h);h // -1;h % -1;h // h;TRY_CAST(h AS BIGINT);h::DOUBLE;h * 1.5
m + 1;m * m;-m;abs(m);round(m, 1);floor(m);ceil(m);round(m);m / m;TRY_CAST(m AS INTEGER);m * 0.001
x + x;x * x;-x;x / x;abs(x);sqrt(x);ln(x);exp(x);round(x, 3);floor(x);ceil(x);TRY_CAST(x AS INTEGER)
TRY_CAST(x AS DECIMAL(9,2));x * 1e308;round(x, 15);exp(exp(x));ln(ln(x));LEAST(x, 1);GREATEST(x, 1)
year(d);month(d);week(d);dayofyear(d);dayofweek(d);isodow(d);quarter(d);day(d);d - DATE '2000-01-01'
d + INTERVAL 1 MONTH;d - INTERVAL 9999 YEAR;d + 3;date_trunc('week', d);d::TIMESTAMP;d::VARCHAR
year(z);week(z);hour(z);second(z);z + INTERVAL 1 YEAR;date_trunc('quarter', z);z::DATE;z::VARCHAR
length(s);upper(s);substring(s, -1);substring(s, 0, 1000000);trim(s);s || s;TRY_CAST(s AS INTEGER)
TRY_CAST(s AS DOUBLE);TRY_CAST(s AS DATE);TRY_CAST(s AS TIMESTAMP);TRY_CAST(s AS BOOLEAN)
TRY_CAST(s AS DECIMAL(38,10));TRY_CAST(s AS HUGEINT);s LIKE '%_9%_9%';b::INTEGER;NOT b;concat(s, s)
""".replace("\n", ";")
    .strip(";")
    .split(";")
)


def test_no_value_makes_a_query_fail(tmp_path: Path) -> None:
    db = opened(EXTREME, EXTREME_POLICY, tmp_path)
    answered = 0
    for expr in EXPRESSIONS[:: tries(3, 1)]:
        for sql in (
            f"SELECT COUNT({expr}) FROM t",
            f"SELECT SUM(LEAST(GREATEST({expr}, -5), 5)) FROM t",
        ):
            try:
                db.run(sql, eps=1)
            except dpsql.Rejected:
                continue
            answered += 1
            if "SUM" in sql:
                assert all(o.within for o in audit.sensitivity(db, sql)), sql
    assert answered > tries(40, 130)


# --- charges ------------------------------------------------------------------------------------


def test_the_charge_is_made_before_anything_private_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    db = database()
    spent: list[Fraction] = []

    def fail(*_: object) -> None:
        spent.append(db.budget.spent.eps)
        raise KeyboardInterrupt

    monkeypatch.setattr(cells, "read", fail)
    with pytest.raises(KeyboardInterrupt):
        db.run("SELECT COUNT(*) FROM customer", eps=1)
    assert spent == [1]
    assert db.budget.spent.eps == 1


def test_threads_cannot_spend_more_than_there_is() -> None:
    db = database(eps=5)
    outcomes: list[str] = []

    def ask() -> None:
        try:
            db.run("SELECT COUNT(*), SUM(c_acctbal) FROM customer", eps=1)
            outcomes.append("answered")
        except dpsql.BudgetExceeded:
            outcomes.append("refused")

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["answered"] * 5 + ["refused"] * 7
    assert db.budget.remaining.eps == 0


@pytest.mark.parametrize(
    "eps", [math.nan, -1, math.inf, 1e-320, "1e5", 0, True, None, Decimal("NaN"), 10**9]
)
@pytest.mark.one_in(2)
def test_an_epsilon_that_is_none_is_refused(eps: object) -> None:
    db = database(eps=10)
    with pytest.raises(dpsql.DpsqlError, match="10 is left"):
        db.run("SELECT COUNT(*) FROM customer", eps=eps)
    db.run("SELECT COUNT(*) FROM customer", eps=10)
    assert db.budget.remaining.eps == 0


def test_explain_reads_no_private_row(monkeypatch: pytest.MonkeyPatch) -> None:
    db = database()
    seen = forbid_private_reads(db, monkeypatch)
    db.explain(
        "SELECT n_name, COUNT(*) FROM customer, nation WHERE c_nationkey = n_nationkey GROUP BY 1"
    )
    first, second = seen  # are these the tables that were opened? are there too many groups?
    assert '"duckdb_tables"()' in first and second.startswith("SELECT COUNT(*)")
    db.explain("SELECT c_mktsegment, COUNT(*) FROM customer GROUP BY 1")
    db.explain("SELECT * FROM nation")
    assert len(seen) == 2 and db.budget.spent.eps == 0


def test_engine_errors_are_opaque(monkeypatch: pytest.MonkeyPatch) -> None:
    con = duckdb.connect(":memory:")
    con.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, w INTEGER); INSERT INTO u VALUES (7, 1)")
    policy = dpsql.Policy.parse(
        "unit: u.id\nbudget: {eps: 10}\n"
        "tables:\n  u: {access: private, key: [id], columns: {w: {bounds: [0, 5]}}}\n"
    )
    db = dpsql.connect(con, policy, ledger=MemoryLedger(Cost(Fraction(10))))
    failing = parse_one("SELECT CAST(w AS INTEGER) FROM (SELECT 'Alice' AS w)", dialect="duckdb")
    monkeypatch.setattr(statements, "cells_sql", lambda cells, source: failing)
    monkeypatch.setattr(ready, "certified", lambda *_: None)  # which would not follow it
    with pytest.raises(dpsql.EngineError) as caught:
        db.run("SELECT SUM(w) FROM u", eps=1)
    assert "Alice" not in repr(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    assert db.budget.spent.eps == 1


LARGE = """
unit: u.id
budget: {eps: 1000000}
tables:
  u: {access: private, key: [id]}
  o: {access: private, columns: {uid: {references: u.id, max_rows: 10000000000000}}}
"""


@pytest.mark.parametrize("work", [None, 10**15])
def test_a_bound_too_large_for_the_engine_is_no_bound(tmp_path: Path, work: int | None) -> None:
    """It is too much work; and where the owner allows that, clipping finds a bound of its own."""
    db = opened(
        "CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO u VALUES (1);"
        "CREATE TABLE o (uid INTEGER); INSERT INTO o VALUES (1), (1);",
        LARGE if work is None else f"{LARGE}limits: {{work_per_unit: {work}}}\n",
        tmp_path,
        eps=10**7,
    )
    sql = "SELECT COUNT(*) FROM o"
    if work is None:
        with pytest.raises(dpsql.Rejected, match="declare a smaller max_rows, or a larger limits"):
            db.explain(sql)
        return
    assert [r.clipping for r in db.explain(sql).releases] == ["adaptive"]
    db.run(sql, eps=1_000_000)
