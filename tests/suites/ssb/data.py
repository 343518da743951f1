"""A small star schema of our own making: rows that pass the conditions of the 13 queries, and that
satisfy every claim of `policy.yaml`.
"""

from __future__ import annotations

import duckdb

from tests.suites.making import mixed

CUSTOMERS = 150
LINES = 40
PLACES = """(VALUES (0, 'CHINA    0', 'CHINA', 'ASIA'), (1, 'CHINA    4', 'CHINA', 'ASIA'),
    (2, 'UNITED KI1', 'UNITED KINGDOM', 'EUROPE'), (3, 'UNITED KI5', 'UNITED KINGDOM', 'EUROPE'),
    (4, 'UNITED ST0', 'UNITED STATES', 'AMERICA'), (5, 'UNITED ST7', 'UNITED STATES', 'AMERICA'))
    AS p(n, city, nation, region)"""

TABLES = (
    f"""CREATE TABLE customer AS SELECT i::INTEGER AS c_custkey, city AS c_city, nation AS c_nation,
        region AS c_region FROM range(1, {CUSTOMERS} + 1) AS r(i) JOIN {PLACES} ON n = i % 6""",
    f"""CREATE TABLE supplier AS SELECT i::INTEGER AS s_suppkey, city AS s_city, nation AS s_nation,
        region AS s_region FROM range(1, 31) AS r(i) JOIN {PLACES} ON n = i % 6""",
    """CREATE TABLE part AS SELECT i::INTEGER AS p_partkey, 'MFGR#' || m AS p_mfgr,
        'MFGR#' || m || c AS p_category, 'MFGR#' || m || c || 20 + i % 10 AS p_brand1
        FROM (SELECT i, 1 + i % 3 AS m, 1 + i // 3 % 5 AS c FROM range(1, 91) AS r(i))""",
    """CREATE TABLE date AS SELECT strftime(d, '%Y%m%d')::INTEGER AS d_datekey,
        year(d)::INTEGER AS d_year, (year(d) * 100 + month(d))::INTEGER AS d_yearmonthnum,
        strftime(d, '%b%Y') AS d_yearmonth, (1 + dayofyear(d) // 7)::INTEGER AS d_weeknuminyear
        FROM (SELECT DATE '1992-01-01' + i::INTEGER AS d FROM range(2557) AS r(i))""",
    f"""CREATE TABLE lineorder AS SELECT (1 + i // 4)::INTEGER AS lo_orderkey,
        (1 + i % 4)::INTEGER AS lo_linenumber, (1 + i // {LINES})::INTEGER AS lo_custkey,
        (1 + {mixed(1, "90")})::INTEGER AS lo_partkey,
        (1 + {mixed(2, "30")})::INTEGER AS lo_suppkey,
        d_datekey AS lo_orderdate, (1 + {mixed(4, "50")})::INTEGER AS lo_quantity,
        (1000 + {mixed(5, "59000")})::INTEGER AS lo_extendedprice,
        ({mixed(6, "11")})::INTEGER AS lo_discount,
        (1000 + {mixed(7, "59000")})::INTEGER AS lo_revenue,
        ({mixed(8, "1000")})::INTEGER AS lo_supplycost
        FROM range({CUSTOMERS * LINES}) AS r(i)
        JOIN (SELECT d_datekey, row_number() OVER (ORDER BY d_datekey) - 1 AS day FROM date)
            ON day = {mixed(3, "2557")}""",
)


def database() -> duckdb.DuckDBPyConnection:
    """The five tables, in memory."""
    connection = duckdb.connect()
    for statement in TABLES:
        connection.execute(statement)
    return connection
