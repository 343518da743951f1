"""A small TPC-H database D, and the same one without customer 7 and all that is hers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database

POLICY = Path(__file__).resolve().parents[1] / "tpch" / "policy.yaml"

TABLES = """
CREATE TABLE region (r_regionkey BIGINT, r_name VARCHAR, r_comment VARCHAR);
CREATE TABLE nation (n_nationkey BIGINT, n_name VARCHAR, n_regionkey BIGINT, n_comment VARCHAR);
CREATE TABLE supplier (s_suppkey BIGINT, s_name VARCHAR, s_address VARCHAR, s_nationkey BIGINT,
    s_phone VARCHAR, s_acctbal DECIMAL(15,2), s_comment VARCHAR);
CREATE TABLE part (p_partkey BIGINT, p_name VARCHAR, p_mfgr VARCHAR, p_brand VARCHAR,
    p_type VARCHAR, p_size INTEGER, p_container VARCHAR, p_retailprice DECIMAL(15,2),
    p_comment VARCHAR);
CREATE TABLE partsupp (ps_partkey BIGINT, ps_suppkey BIGINT, ps_availqty INTEGER,
    ps_supplycost DECIMAL(15,2), ps_comment VARCHAR);
CREATE TABLE customer (c_custkey BIGINT, c_name VARCHAR, c_address VARCHAR, c_nationkey BIGINT,
    c_phone VARCHAR, c_acctbal DECIMAL(15,2), c_mktsegment VARCHAR, c_comment VARCHAR);
CREATE TABLE orders (o_orderkey BIGINT, o_custkey BIGINT, o_orderstatus VARCHAR,
    o_totalprice DECIMAL(15,2), o_orderdate DATE, o_orderpriority VARCHAR, o_clerk VARCHAR,
    o_shippriority INTEGER, o_comment VARCHAR);
CREATE TABLE lineitem (l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT,
    l_linenumber INTEGER, l_quantity DECIMAL(15,2), l_extendedprice DECIMAL(15,2),
    l_discount DECIMAL(15,2), l_tax DECIMAL(15,2), l_returnflag VARCHAR, l_linestatus VARCHAR,
    l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE, l_shipinstruct VARCHAR,
    l_shipmode VARCHAR, l_comment VARCHAR);
"""

PUBLIC = """
INSERT INTO region VALUES (0, 'AFRICA', ''), (1, 'AMERICA', ''), (2, 'ASIA', '');
INSERT INTO nation SELECT i, 'NATION ' || i, i % 3, '' FROM range(6) t(i);
INSERT INTO supplier SELECT i, 'Supplier ' || i, '', i % 6, '', 10 * i, '' FROM range(1, 4) t(i);
INSERT INTO part SELECT i, 'part ' || i, 'Manufacturer#1', 'Brand#11', 'SMALL TIN', 1 + i,
    'SM BOX', 900 + i, '' FROM range(1, 4) t(i);
INSERT INTO partsupp SELECT i, i, 10, 5, '' FROM range(1, 4) t(i);
"""

PRIVATE = """
INSERT INTO customer SELECT i, 'Customer#' || lpad(i::VARCHAR, 9, '0'), 'street ' || i, i % 6,
    (10 + i) || '-555', 100 * i, ['AUTOMOBILE', 'BUILDING', 'MACHINERY'][1 + i % 3], 'regular'
    FROM range(1, 13) t(i);
INSERT INTO orders SELECT i, 1 + i % 12, ['F', 'O'][1 + i % 2], 1000 + i,
    DATE '1995-01-01' + i::INT, '5-LOW', 'Clerk#1', 0, '' FROM range(1, 31) t(i);
INSERT INTO lineitem SELECT 1 + i % 30, 1 + i % 3, 1 + i % 3, 1 + i // 30, 1 + i % 40, 1000 + i,
    0.05, 0.02, 'N', 'O', DATE '1995-06-01' + i::INT, DATE '1995-06-03' + i::INT,
    DATE '1995-06-05' + i::INT, 'NONE', 'RAIL', '' FROM range(90) t(i);
"""

# Customer 7 is outside every declared bound, fan-out and domain, and breaks what can be broken.
SEVEN = """
UPDATE customer SET c_name = 'x', c_acctbal = 9999999999999.99, c_mktsegment = 'SECRET',
    c_phone = '999999999999', c_comment = repeat('a', 60), c_nationkey = 5 WHERE c_custkey = 7;
INSERT INTO orders SELECT 1000 + i, 7, CASE WHEN i % 2 = 0 THEN 'Z' ELSE 'P' END,
    9999999999999.99, CASE WHEN i % 3 = 0 THEN 'infinity'::DATE ELSE DATE '2290-01-01' END,
    '0-NONE', 'Clerk#7', 77, 'a' FROM range(60) t(i);
INSERT INTO lineitem SELECT 1000 + i % 60, 1, 1, 100 + i // 60, 9999999999999.99, -9999999999999.99,
    9999999999999.99, 9999999999999.99, 'Q', 'Q', 'infinity'::DATE, '-infinity'::DATE,
    DATE '5000-01-01', 'ODD', 'ODD', '' FROM range(600) t(i);
"""

WITHOUT = """
DELETE FROM lineitem WHERE l_orderkey IN (SELECT o_orderkey FROM orders WHERE o_custkey = 7);
DELETE FROM orders WHERE o_custkey = 7;
DELETE FROM customer WHERE c_custkey = 7;
"""


def connection(*, seven: bool = True) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    con.execute(TABLES + PUBLIC + PRIVATE + SEVEN + ("" if seven else WITHOUT))
    return con


def database(*, seven: bool = True, eps: int = 100_000, delta: int = 0) -> Database:
    ledger = MemoryLedger(Cost(Fraction(eps), Fraction(delta)))
    return dpsql.connect(connection(seven=seven), POLICY, ledger=ledger)


def opened(tables: str, policy: str, tmp_path: Path, eps: int = 100_000) -> Database:
    """A database of one's own: its DDL and its policy's YAML."""
    con = duckdb.connect(":memory:")
    con.execute(tables)
    file = tmp_path / "policy.yaml"
    file.write_text(policy, encoding="utf-8")
    return dpsql.connect(con, file, ledger=MemoryLedger(Cost(Fraction(eps))))
