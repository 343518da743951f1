"""A view is a query of the tables that it reads: as private, and no more trusted."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from dpsql.compile import Compiled, ReleasedQuery, compile_query, plain_source
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.frozen import FrozenMap
from dpsql.core.release.statements import statements
from dpsql.core.schema import Schema, View
from dpsql.errors import Rejected
from dpsql.execution.identity import identities
from dpsql.proven import PublicQuery
from tests.support.brute import check_neighbours
from tests.support.effort import sampled
from tests.support.grammar import Case, every
from tests.support.policies import load

EPS = Fraction(1)


def with_views(schema: Schema, made: str) -> Schema:
    """The schema with views, as DuckDB stores their definitions."""
    with duckdb.connect() as connection:
        for table in schema.tables.values():
            columns = ", ".join(f'"{c.name}" {c.type}' for c in table.columns)
            connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
        connection.execute(made)
        stored = "SELECT view_name, sql FROM duckdb_views() WHERE NOT internal"
        found = connection.execute(stored).fetchall()
    views = {name.lower(): View(name, ("memory", "main", name), sql) for name, sql in found}
    kinds = tuple(replace(kind, views=FrozenMap(views)) for kind in schema.kinds)
    return replace(schema, views=FrozenMap(views), kinds=kinds)


def compiled(query: str, schema: Schema) -> Compiled:
    return compile_query(query, schema, EPS, options=Options(delta=usual_delta(EPS, None, schema)))


def shapes(made: Compiled) -> list[str]:
    """What is measured, and how; whatever it is called."""
    assert isinstance(made.query, ReleasedQuery)
    texts = tuple(statements(release, plain_source) for release in made.query.releases)
    return [found.shape for found in identities(made.query, made.schema, texts)]


SAME = {
    "a row of a table": (
        "CREATE VIEW paid AS SELECT * FROM orders WHERE paid",
        "SELECT SUM(amount) FROM paid",
        "SELECT SUM(amount) FROM orders WHERE paid",
    ),
    "columns that are called otherwise": (
        "CREATE VIEW w(day, amount) AS SELECT amount, units, status FROM orders",
        "SELECT SUM(day) AS a, SUM(amount) AS b FROM w WHERE status = 'open'",
        "SELECT SUM(amount) AS a, SUM(units) AS b FROM orders WHERE status = 'open'",
    ),
    "a view over a view": (
        "CREATE VIEW a AS SELECT c.id, c.segment, o.amount AS x FROM customers c JOIN orders o"
        " ON o.customer = c.id; CREATE VIEW b(s, x) AS SELECT segment, x + 1 FROM a WHERE x > 5",
        "SELECT s, SUM(x) FROM b GROUP BY s",
        "SELECT c.segment, SUM(o.amount + 1) FROM customers c JOIN orders o ON o.customer = c.id"
        " WHERE o.amount > 5 GROUP BY 1",
    ),
    "a number of each unit": (
        "CREATE VIEW spent AS SELECT customer, SUM(amount) AS s FROM orders GROUP BY customer",
        "SELECT AVG(s) FROM spent WHERE s < 900",
        "WITH w AS (SELECT customer, SUM(amount) AS s FROM orders GROUP BY customer)"
        " SELECT AVG(s) FROM w WHERE s < 900",
    ),
    "rows beside a number of their group": (
        "CREATE VIEW w AS SELECT balance, AVG(balance) OVER (PARTITION BY segment) AS a"
        " FROM customers",
        "SELECT COUNT(*) FROM w WHERE balance > a",
        "SELECT COUNT(*) FROM (SELECT balance, AVG(balance) OVER (PARTITION BY segment) AS a"
        " FROM customers) WHERE balance > a",
    ),
    "used twice": (
        "CREATE VIEW o AS SELECT customer, units FROM orders",
        "SELECT COUNT(*) FROM o AS a JOIN o AS b ON a.customer = b.customer",
        "WITH w AS (SELECT customer, units FROM orders)"
        " SELECT COUNT(*) FROM w AS a JOIN w AS b ON a.customer = b.customer",
    ),
    "a WITH query in it has the name of a table": (
        "CREATE VIEW w AS WITH customers AS (SELECT * FROM orders WHERE units > 3)"
        " SELECT units FROM customers",
        "SELECT SUM(units) FROM w",
        "SELECT SUM(units) FROM orders WHERE units > 3",
    ),
    "a WITH query around it has the name of its table": (
        "CREATE VIEW w AS SELECT units FROM orders",
        "WITH orders AS (SELECT 1 AS units) SELECT SUM(w.units) FROM w, orders",
        "WITH one AS (SELECT 1 AS units) SELECT SUM(o.units) FROM orders AS o, one",
    ),
    "a WITH query around it has its name": (
        "CREATE VIEW w AS SELECT units FROM orders",
        "WITH w AS (SELECT units + 1 AS units FROM main.w) SELECT SUM(units) FROM w",
        "SELECT SUM(units + 1) FROM orders",
    ),
    "in a subquery": (
        "CREATE VIEW late AS SELECT customer FROM orders WHERE day > DATE '2024-06-30'",
        "SELECT COUNT(*) FROM customers c WHERE EXISTS"
        " (SELECT 1 FROM late WHERE late.customer = c.id)",
        "WITH w AS (SELECT customer FROM orders WHERE day > DATE '2024-06-30') SELECT COUNT(*)"
        " FROM customers c WHERE EXISTS (SELECT 1 FROM w WHERE w.customer = c.id)",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_view_is_what_it_stands_for(name: str) -> None:
    made, query, plain = SAME[name]
    schema = with_views(load("shop").schema, made)
    found = compiled(query, schema)
    assert shapes(found) == shapes(compiled(plain, schema))
    # Its text tells which columns are drawn.
    check_neighbours(replace(found, text=f"{query}; {made}"), "shop")


def test_a_view_of_public_tables_is_public() -> None:
    made = "CREATE VIEW north(n) AS SELECT name FROM regions WHERE zone = 'north'"
    schema = with_views(load("shop").schema, made)
    found = compiled("SELECT UPPER(n) FROM north", schema)
    assert isinstance(found.query, PublicQuery)
    assert [table.name for table in found.query.tables] == ["regions"]


OTHERWISE = frozenset(
    {
        "functions_dates/a-number-of-days-later",
        "functions_dates/days-until-a-number-of-months-later",
        "functions_dates/interval-of-a-column",
        "functions_dates/least-of-a-number-of-days-later",
        "functions_dates/least-of-a-number-of-months-later",
        "functions_dates/number-of-days-with-a-fraction",
        "functions_dates/number-of-months",
        "functions_dates/within-a-number-of-months",
        "grouping_sets/two-rollups",
        "join_outer/what-is-never-null-is-null",
        "join_outer/what-nothing-meets",
        "spine/two-public-sides",
        "subquery_any_all/not-all",
        "subquery_in/values",
        "values/in-list-of-values",
        "values/left-join",
    }
)
"""Cases that DuckDB stores in other words, which are other expressions here: it adds a CAST, a
subquery around VALUES, or writes NOT (x = ALL (…))."""
REFUSED = re.compile(r"DP(101|104|201|204|205|206)|DP105 Parser")

CASES = [
    case
    for case in every()
    if case.golden[0].startswith("-- accept") and sampled(f"view {case.name}", 40, 8)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.one_in(3)
def test_what_is_stored_of_a_query_is_read_as_that_query(case: Case) -> None:
    """Measured the same, or refused; also where DuckDB prints it in words of its own."""
    schema = load(case.policy).schema
    try:
        schema = with_views(schema, f"CREATE VIEW w AS {case.query}")
    except duckdb.Error:
        return  # it is no view: PIVOT, or words that DuckDB keeps for itself
    problem: Rejected | None = None
    try:
        found = compiled("SELECT * FROM w", schema)
    except Rejected as rejected:
        problem = rejected
    if problem is not None:
        assert REFUSED.match(f"{problem.code} {problem.message}"), problem
    else:
        same = sorted(shapes(found)) == sorted(shapes(compiled(case.query, schema)))
        assert same == (case.name not in OTHERWISE)


REJECTED = {
    "rows depend on other units": (
        "CREATE VIEW w AS SELECT amount, RANK() OVER (ORDER BY amount) AS n FROM orders",
        "SELECT SUM(n) FROM w",
        "DP405",
    ),
    "which rows there are depends on other units": (
        "CREATE VIEW w AS SELECT amount FROM orders ORDER BY amount LIMIT 3",
        "",
        "DP",
    ),
    "chance": ("CREATE VIEW w AS SELECT random() AS r FROM orders", "", "DP204"),
    "public chance": ("CREATE VIEW w AS SELECT random() AS r FROM regions", "", "DP204"),
    "a sample": ("CREATE VIEW w AS SELECT amount FROM orders USING SAMPLE 3", "", "DP"),
    "a clock": ("CREATE VIEW w AS SELECT now() AS r FROM orders", "", "DP204"),
    "a clock beside that of the query": (
        "CREATE VIEW w AS SELECT placed FROM orders WHERE placed < now()",
        "SELECT COUNT(*) FROM w WHERE placed < now()",
        "DP204",
    ),
    "who asks": ("CREATE VIEW w AS SELECT current_user AS r, id FROM regions", "", "DP"),
    "a setting": ("CREATE VIEW w AS SELECT current_setting('threads') FROM orders", "", "DP204"),
    "a macro": (
        "CREATE MACRO twice(x) AS 2 * x; CREATE VIEW w AS SELECT twice(amount) FROM orders",
        "",
        "DP204",
    ),
    "a macro of rows": (
        "CREATE MACRO every() AS TABLE SELECT * FROM orders; CREATE VIEW w AS FROM every()",
        "",
        "DP206",
    ),
    "a file": ("CREATE VIEW w AS SELECT * FROM read_csv('{file}')", "", "DP206"),
    "a file by its name": ("CREATE VIEW w AS SELECT * FROM '{file}'", "", "DP201"),
    "the engine's catalog": ("CREATE VIEW w AS SELECT * FROM duckdb_tables()", "", "DP206"),
    "another catalog": (
        "CREATE VIEW w AS SELECT table_name FROM information_schema.tables",
        "",
        "DP201",
    ),
    "a table that is not declared": (
        "CREATE TABLE salaries(x INTEGER); CREATE VIEW w AS FROM salaries",
        "",
        "DP201",
    ),
    "a view of itself": (
        "CREATE VIEW w AS FROM orders; CREATE OR REPLACE VIEW w AS FROM main.w",
        "",
        "DP104",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_what_is_refused_is_refused_in_a_view(name: str, tmp_path: Path) -> None:
    made, query, code = REJECTED[name]
    file = tmp_path / "x.csv"
    file.write_text("a\n1\n")
    schema = with_views(load("shop").schema, made.replace("{file}", str(file)))
    query = query or "SELECT COUNT(*) FROM w"
    with pytest.raises(Rejected) as rejected:
        compiled(query, schema)
    assert rejected.value.code.startswith(code)
    told = [d for d in rejected.value.diagnostics if "in the view w: " in d.message]
    at = query.index(" w") + 1
    assert told and all(d.span and (d.span.start, d.span.end) == (at, at + 1) for d in told)


def test_nothing_of_the_query_around_is_seen() -> None:
    """A column that is gone from the view's table is not one of another table of FROM."""
    views = {"w": View("w", ("memory", "main", "w"), "CREATE VIEW w AS SELECT age FROM orders;")}
    schema = replace(load("shop").schema, views=FrozenMap(views))
    with pytest.raises(Rejected, match="in the view w: no column age"):
        compiled("SELECT COUNT(w.age) FROM customers c, w", schema)
