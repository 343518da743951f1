"""Queries over public tables reach public tables, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import duckdb
import pytest
from sqlglot import exp

import dpsql
from dpsql.compile import compile_query
from dpsql.core.frozen import FrozenMap
from dpsql.core.functions.calculator import calculator
from dpsql.errors import Rejected
from dpsql.front import public
from dpsql.front.engine_check import check_public
from dpsql.front.parse import parse
from dpsql.front.tables import SETTINGS
from dpsql.proven import PublicQuery
from dpsql.session.database import Database
from dpsql.types import VARCHAR
from tests.adversarial.world import database
from tests.support import grammar
from tests.support.policies import load

REFUSED = """
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
SELECT current_time FROM nation
SELECT age(TIMESTAMP '2020-01-01') FROM nation
SELECT * FROM nation USING SAMPLE 2
SELECT query_table('orders') FROM nation
SELECT * FROM query_table('orders')
SELECT * FROM query('FROM orders'), nation
SELECT current_role() FROM nation
SELECT uniform(1, 9) FROM nation
SELECT randstr(5, n_nationkey) FROM nation
SELECT generator(1000000000) FROM nation
SELECT zipf(1, 1000000000, 3) FROM nation
SELECT generate_timestamp_array(DATE '1000-01-01', DATE '9000-01-01', INTERVAL 1 DAY) FROM nation
SELECT utc_timestamp() FROM nation
SELECT rpad(n_name, 1000000000, 'x') FROM nation
SELECT list_sum(range(100000000)) FROM nation
SELECT write_log(n_name) FROM nation
SELECT * FROM elsewhere.main.nation
SELECT * FROM system.information_schema.tables, nation
SELECT * FROM information_schema.tables, customer
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
SELECT * FROM memory.main.nation
SELECT version() FROM nation
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


REACHING = """
SELECT * FROM duckdb_settings
SELECT * FROM nation, duckdb_settings()
SELECT * FROM nation, system.main.duckdb_settings
SELECT * FROM nation, information_schema.tables
SELECT * FROM nation, customer
WITH duckdb_logs AS (FROM nation) SELECT 1 FROM nation
SELECT * FROM nation, range(3)
SELECT random() FROM nation
SELECT hash(n_name) + txid_current() FROM nation
SELECT n_name FROM nation WHERE (SELECT COUNT(*) FROM pg_class) > 1
SELECT n_name FROM nation ORDER BY current_setting('threads')
SELECT n_name || current_localtime() FROM nation
SELECT pg_get_viewdef(1) FROM nation
SELECT 1 FROM nation; SELECT 1 FROM nation
""".strip().splitlines()


@pytest.mark.parametrize("sql", REACHING)
def test_the_engines_own_reading_suffices(db: Database, sql: str) -> None:
    """Without our parser, and its list."""
    schema = db.schema
    nation = schema.table("nation")
    assert nation is not None
    check_public("SELECT * FROM nation", (nation,), schema)
    with pytest.raises(Rejected):
        check_public(sql, (nation,), schema)


def test_the_engine_is_asked_of_the_tables_of_this_schema() -> None:
    """Not of those of the query before, of a schema in which they were others."""
    schema = load("shop").schema
    tables = {name: schema.tables[name] for name in ("regions", "tags")}
    regions = tables["regions"]
    other = replace(
        regions,
        columns=tuple(replace(c, type=VARCHAR) for c in regions.columns if c.name != "zone"),
    )
    changed = replace(schema, tables=FrozenMap({"regions": other}))
    told = replace(schema, tables=FrozenMap(tables | {"regions": replace(regions, rows=7)}))
    both = tuple(tables.values())
    whole = [("id", "INTEGER"), ("name", "VARCHAR"), ("zone", "VARCHAR")]
    texts = [("id", "VARCHAR"), ("name", "VARCHAR")]
    for _ in range(2):
        for same in (schema, told):
            assert check_public("SELECT * FROM regions", both, same) == whole
        assert check_public("SELECT * FROM regions", (other,), changed) == texts
        with pytest.raises(Rejected):
            check_public("SELECT * FROM tags", (other,), changed)


def test_what_runs_is_what_was_written(db: Database) -> None:
    """Not what another parser made of it: here sqlglot would divide otherwise than DuckDB."""
    sql = "SELECT n_name, n_nationkey // 2 /* é */ FROM nation; -- end"
    query = compile_query(sql, db.schema, 1).query
    assert isinstance(query, PublicQuery) and query.sql == sql
    assert len(db.run(sql, eps=1)) == 6


def test_a_pivot_leaves_nothing_behind(db: Database) -> None:
    for _ in range(2):
        assert len(db.run("PIVOT nation ON n_regionkey USING COUNT(*)", eps=1)) == 6
        types = "SELECT type_name FROM duckdb_types() WHERE NOT internal"
        with calculator() as connection:
            assert connection.execute(types).fetchall() == []
        with pytest.raises(Rejected):
            db.run("SELECT j_s_o_n_object(n_name) FROM nation", eps=1)


def _kinds(kind: type[exp.Expr] = exp.Expr) -> Iterator[type[exp.Expr]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


def _passes(tree: exp.Expr) -> bool:
    try:
        public._check_nodes(exp.Select(expressions=[tree]))
    except Rejected:
        return False
    return True


def test_what_the_parser_may_learn_is_refused_until_it_is_listed() -> None:
    every = {kind for kind in _kinds() if kind.__module__.startswith("sqlglot")}
    assert len(every) > 1000
    passing = {kind.__name__ for kind in every if kind is not exp.Anonymous and _passes(kind())}
    of_one_pattern = {exp.Format.__name__}
    # Nothing by kinship, and no misspelling.
    assert passing == (public._SYNTAX | public._FUNCTIONS) - of_one_pattern

    class Learnt(exp.Abs):
        """A kind of a function that is listed."""

    assert not _passes(Learnt())


def test_moments_with_a_zone_are_those_of_utc() -> None:
    """Whatever the machine's zone is."""
    program = (
        "from dpsql.platform.engine.scratch import Scratch\n"
        "with Scratch() as scratch:\n"
        "    sql = \"SELECT hour(TIMESTAMPTZ '2024-07-01 12:00:00+00'), age(DATE '2024-02-01', \"\n"
        "    sql += \"DATE '2024-01-01')::VARCHAR\"\n"
        "    print(list(scratch.run(sql).rows))\n"
    )
    for zone in ("Asia/Tokyo", "UTC"):
        command = [sys.executable, "-c", program]
        environment = {**os.environ, "TZ": zone}
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert found.stdout == "[(12, '1 month')]\n"


def test_no_function_is_listed_that_is_another_at_another_time() -> None:
    query = """SELECT DISTINCT function_name FROM duckdb_functions()
        WHERE stability <> 'CONSISTENT' AND function_name SIMILAR TO '[a-z_0-9]+'
        AND parameter_types::VARCHAR NOT SIMILAR TO '.*(TIME ZONE|TIMESTAMPTZ).*'"""
    schema = load("shop").schema
    with duckdb.connect() as connection:
        names = [name for (name,) in connection.execute(query).fetchall()]
    assert {"random", "now", "current_setting", "nextval"} <= set(names)
    for name in names:
        for call in (f"{name}()", f"{name}(id)", f"{name}('x', 'y')"):
            try:
                tree = parse(f"SELECT {call} FROM regions")
            except Rejected:
                continue  # not even SQL
            with pytest.raises(Rejected):
                public.public_tables(tree, schema)


def test_nodes_that_private_tables_may_be_asked_with_are_listed() -> None:
    written = (exp.GenerateSeries, *SETTINGS)  # as constants, before anything else
    # Of little, without bounds; FORMAT but of one pattern.
    much = (exp.Lateral, exp.Explode, exp.Unnest, exp.Pad, exp.Repeat, exp.Format)
    for case in grammar.every():
        if grammar.accepted(case):
            for node in parse(case.query).walk():
                assert isinstance(node, (*much, *written, exp.Anonymous)) or _passes(
                    type(node)()
                ), case.name


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CAST(NULL AS \"guid), current_setting('temp_directory'), (1\") FROM nation",
        "SELECT CAST(NULL AS \"guid), x.* FROM query('SELECT 1') x --\") FROM nation",
        "SELECT * FROM nation AS t\u200bCROSS\u200bJOIN\u200bduckdb_tables",
        "SELECT * FROM nation AS t\u2060USING\u2060SAMPLE\u20602",
        "SELECT * FROM nation AS t\ufeffWHERE\ufeffhash(n_name)",
        'SELECT "current_date" FROM nation',
    ],
)
def test_what_is_printed_is_what_was_read(sql: str, db: dpsql.Database) -> None:
    """A name that the engine would read as more than a name is refused."""
    with pytest.raises(dpsql.Rejected):
        db.explain(sql, 1)
