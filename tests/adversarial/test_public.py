"""Queries over public tables reach public tables, and nothing else."""

from __future__ import annotations

import pytest

import dpsql
from dpsql.session import Database
from tests.adversarial.world import database

REFUSED = """
WITH tables AS (SELECT 1 FROM nation) SELECT * FROM information_schema.tables
SELECT * FROM duckdb_logs, (WITH duckdb_logs AS (FROM nation) SELECT * FROM duckdb_logs) t
WITH sqlite_master AS (SELECT 1 FROM nation) SELECT * FROM main.sqlite_master
WITH a AS (SELECT * FROM duckdb_settings), duckdb_settings AS (SELECT 1 FROM nation) SELECT * FROM a
SELECT * FROM nation, duckdb_settings()
SELECT * FROM 'x.csv', nation
SELECT * FROM "x.csv", nation
SELECT * FROM "main.orders", nation
SELECT read_text('/etc/hostname') FROM nation
SELECT * FROM read_csv('/etc/hostname'), nation
SELECT getenv('HOME') FROM nation
SELECT current_setting('home_directory') FROM nation
SELECT getvariable('x') FROM nation
SELECT nextval('s') FROM nation
SELECT random() FROM nation
SELECT now() FROM nation
SELECT version() FROM nation
SELECT * FROM nation USING SAMPLE 2
SELECT query_table('orders') FROM nation
SELECT * FROM query_table('orders')
SELECT * FROM query('FROM orders'), nation
SELECT rpad(n_name, 1000000000, 'x') FROM nation
SELECT list_sum(range(100000000)) FROM nation
SELECT write_log(n_name) FROM nation
SELECT * FROM memory.main.nation
SELECT * FROM temp.nation
SELECT n_name FROM nation UNION ALL SELECT c_name FROM customer
SELECT n_name FROM nation WHERE n_nationkey IN (SELECT c_custkey FROM customer)
SELECT n_name FROM nation ORDER BY (SELECT FIRST(c_acctbal) FROM customer)
SELECT n_name FROM nation LIMIT (SELECT COUNT(*) FROM customer)
SELECT * FROM nation JOIN LATERAL (SELECT * FROM customer) t ON TRUE
SELECT * FROM nation POSITIONAL JOIN customer
WITH customer AS (SELECT * FROM customer) SELECT * FROM customer
SELECT * FROM nation, CUSTOMER
SELECT * FROM nation, "Customer"
SELECT * FROM nation, main.customer
""".strip().splitlines()

FREE = """
SELECT * FROM NATION
SELECT * FROM main.nation
FROM nation SELECT n_name
SELECT * FROM nation AS customer
WITH customer AS (SELECT * FROM nation) SELECT * FROM customer
WITH x AS (SELECT n_name FROM nation) SELECT * FROM x WHERE n_name IN (SELECT n_name FROM x)
SELECT sum(n_nationkey) OVER () FROM nation
SELECT 1 // (n_nationkey - 1) FROM nation
""".strip().splitlines()


@pytest.fixture(scope="module")
def db() -> Database:
    return database()


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_not_public_is_refused(db: Database, sql: str) -> None:
    with pytest.raises(dpsql.Rejected):
        db.run(sql, eps=1)
    assert db.budget.spent.eps == 0


@pytest.mark.parametrize("sql", FREE)
def test_public_tables_are_free_under_any_name(db: Database, sql: str) -> None:
    answer = db.run(sql, eps=1)
    assert answer.explanation.kind == "public" and len(answer) == 6
    assert db.budget.spent.eps == 0
