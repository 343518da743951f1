"""What DuckDB has bound, read and printed: in a language that is DuckDB's own, it is the same."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pytest

from dpsql.compile import ReleasedQuery, plain_source
from dpsql.core.release.statements import statements
from dpsql.platform.engine.empty import PLAN
from dpsql.platform.engine.far import plan_constants
from dpsql.platform.engine.far.bound_plan import mentioned, read
from dpsql.platform.engine.far.operators import (
    AggregateCall,
    Call,
    Constant,
    Unsupported,
    WindowCall,
)
from dpsql.platform.engine.far.server_sql import Language, printed
from dpsql.platform.engine.sql_text import dotted, name, text
from dpsql.types import Type
from tests.support import grammar
from tests.support.answers import Home
from tests.support.brute import repeat
from tests.support.databases import PLAIN, databases
from tests.support.effort import sampled, tries
from tests.support.policies import load

SIGNS = {"=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "||", "&", "|", "<<", ">>"}
SIGNS |= {"IS NOT DISTINCT FROM", "IS DISTINCT FROM"}
CASES = [c for c in grammar.every() if grammar.accepted(c) and sampled(c.name, 12)]


def constant(value: Constant) -> str:
    kind = value.type
    if value.value is None:
        return f"CAST(NULL AS {kind})" if kind.name != "NULL" else "NULL"
    if kind.name == "INTERVAL":
        return "to_months({months}) + to_days({days}) + to_microseconds({micros})".format(
            **value.value
        )
    written = {
        "DATE": lambda: plan_constants.day(value).isoformat(),
        "TIMESTAMP": lambda: plan_constants.moment(value).isoformat(sep=" "),
        "DOUBLE": lambda: plan_constants.double(value),
        "VARCHAR": lambda: str(value.value),
        "BOOLEAN": lambda: str(value.value),
    }
    if kind.is_decimal:
        return f"CAST({text(f'{plan_constants.decimal(value):f}')} AS {kind})"
    if kind.is_integer:
        return f"CAST({text(str(plan_constants.whole(value)))} AS {kind})"
    return f"CAST({text(written[kind.name]())} AS {kind})"


def call(node: Call, args: Sequence[str]) -> str:
    if node.name in ("cast", "try_cast"):
        return f"{node.name.upper()}({args[0]} AS {node.type})"
    if node.name in SIGNS:
        joined = f" {node.name} ".join(args)
        return f"({joined})" if len(args) > 1 else f"({node.name} {joined})"
    if not node.name.isidentifier():
        raise Unsupported(node.name)
    return f"{node.name}({', '.join(args)})"


def aggregate(node: AggregateCall, args: Sequence[str]) -> str:
    inner = "DISTINCT " * node.distinct + ", ".join(args)
    return "COUNT(*)" if node.name == "count_star" else f"{node.name}({inner})"


def window(node: WindowCall, args: Sequence[str]) -> str:
    return f"{node.name}({', '.join(args)})"


def kind_of(kind: Type) -> str:
    return str(kind)


OWN = Language("DuckDB", name, kind_of, constant, call, aggregate, window, lambda _, value: value)


def said(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    [(plan,)] = connection.execute(PLAN, {"sql": sql}).fetchall()
    return printed(read(plan), OWN, lambda path: f"{dotted(path)} AS t", {})


def rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[str]:
    return sorted(map(repr, connection.execute(sql).fetchall()))


@pytest.mark.parametrize("policy", sorted({case.policy for case in CASES}))
@pytest.mark.one_in(3)
def test_the_statements_of_accepted_cases_say_the_same(policy: str) -> None:
    """Cells of drawn databases are equal, whatever of a plan is read."""
    loaded = load(policy)
    home = Home(loaded)
    texts = [
        sql
        for case in CASES
        if case.policy == policy
        and isinstance(query := grammar.compiled(case).query, ReleasedQuery)
        for release in query.releases
        for sql in statements(release, plain_source).every
        if "$" not in sql
    ]

    def check(drawn: object) -> None:
        home.fill(drawn)  # type: ignore[arg-type]
        for sql in texts:
            try:
                other = said(home.connection, sql)
            except Unsupported:
                continue
            assert rows(home.connection, other) == rows(home.connection, sql), sql

    repeat(databases(loaded, " ".join(texts[:5]), PLAIN), check, tries(1, 10))


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute("CREATE TABLE a (x INT, v BOOL, y INT, t VARCHAR)")
    made.execute("CREATE TABLE b (x INT, q BOOL, z INT)")
    made.execute(
        "INSERT INTO a VALUES (1, true, 1, 'a'), (2, false, NULL, 'b'), (NULL, NULL, 3, NULL), "
        "(1, true, 4, 'a'), (5, true, 5, 'c')"
    )
    made.execute("INSERT INTO b VALUES (1, false, 7), (NULL, true, 8), (2, NULL, 9), (1, true, 1)")
    return made


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a.y, b.z FROM a LEFT JOIN b ON a.x = b.x AND (a.v OR b.q)",
        "SELECT a.y, b.z FROM a JOIN b ON a.x = b.x AND a.y + b.z > 3",
        "SELECT a.y, b.z FROM a LEFT JOIN b ON a.v OR b.q",
        "SELECT y, x IN (SELECT x FROM b) FROM a",
        "SELECT y, x IN (SELECT x FROM b WHERE x > 100) FROM a",
        "SELECT y, x IN (SELECT x FROM b WHERE x IS NOT NULL) FROM a",
        "SELECT y FROM a WHERE x IN (SELECT x FROM b)",
        "SELECT y FROM a WHERE x NOT IN (SELECT x FROM b)",
        "SELECT y FROM a WHERE x NOT IN (SELECT x FROM b WHERE x IS NOT NULL) AND v",
        "SELECT y FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND b.z <> a.y) OR y = 3",
        "SELECT y FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND b.z <> a.y)",
        "SELECT y FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND b.z <> a.y) AND v",
        "SELECT y FROM a SEMI JOIN b ON a.x = b.x",
        "SELECT y FROM a ANTI JOIN b ON a.x = b.x",
        "SELECT DISTINCT x, v FROM a",
        "SELECT x FROM a UNION SELECT z FROM b",
        "SELECT 5, 'x', COUNT(*) FROM a GROUP BY ALL",
        "SELECT COUNT(DISTINCT x), SUM(y) FROM a WHERE t > 'a' OR t IS NULL",
        "SELECT y, SUM(y) OVER (PARTITION BY x ORDER BY y DESC NULLS FIRST ROWS UNBOUNDED "
        "PRECEDING), RANK() OVER (ORDER BY x NULLS LAST) FROM a",
        "WITH w AS MATERIALIZED (SELECT x FROM a), v AS MATERIALIZED (SELECT x FROM w) "
        "SELECT COUNT(*) FROM w, v, (VALUES (1), (2)) AS n(i)",
        "SELECT count(*) FROM a HAVING COUNT(*) > 3",
        "SELECT COUNT(*) FROM a, (SELECT 1) AS one",
    ],
)
def test_shapes(sql: str, connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, said(connection, sql)) == rows(connection, sql)


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("SELECT x FROM a ORDER BY x LIMIT 1", "limit"),
        ("SELECT x FROM a TABLESAMPLE 50%", "sample"),
        ("SELECT i FROM range(3) AS r(i)", "a table function"),
        ("SELECT DISTINCT ON (x) x, y FROM a", "order by|DISTINCT ON|distinct"),
        ("SELECT COUNT(*) FILTER (v) FROM a", "filter"),
        ("SELECT SUM(y) OVER (ORDER BY x ROWS 1 PRECEDING) FROM a", "window"),
        ("SELECT x, COUNT(*) FROM a GROUP BY ROLLUP (x)", "grouping sets"),
        ("SELECT x FROM a FULL JOIN b USING (x)", "a join of the kind full"),
        ("SELECT x FROM a, LATERAL (SELECT z FROM b WHERE b.x = a.x) AS l", "."),
        ("SELECT ROW_NUMBER() OVER (ORDER BY t COLLATE NOCASE) FROM a", "."),
        ("SELECT 1 FROM a HAVING TRUE", "a group of nothing"),
        ("SELECT rowid FROM a", "a column that is none of its table's"),
        ("SELECT 'nan'::DOUBLE + x FROM a WHERE x = 3 AND 'a' ~ t", "."),
    ],
)
def test_what_is_not_read(sql: str, what: str, connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(Unsupported, match=what):
        said(connection, sql)


def test_tables_are_found_in_whatever_a_plan_has(connection: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT isnan(CAST('nan' AS DOUBLE)), 'INF' FROM a WHERE x IN (SELECT x FROM b LIMIT 3)"
    [(plan,)] = connection.execute(PLAN, {"sql": sql}).fetchall()
    assert set(mentioned(plan)) == {("memory", "main", "a"), ("memory", "main", "b")}
