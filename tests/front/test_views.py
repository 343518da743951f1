"""A view is a query of the tables that it reads: as private, and no more trusted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import duckdb
import pytest

import dpsql
from dpsql.audit.databases import Maker
from dpsql.compile import Compiled, PublicQuery, ReleasedQuery, compile_query, plain_source
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.frozen import FrozenMap
from dpsql.core.release.statements import statements
from dpsql.core.schema import Schema, View
from dpsql.errors import PolicyError, Rejected
from dpsql.execution.identity import identities
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


OTHERWISE = re.compile(
    r"subquery_(any_all|in|scalar)/|grouping_sets/(two-rollups|minimum)|\w+/\w*-?roll(ed)?-?up"
    r"|functions_dates/((least-of-)?a-number|number-of-days-with-a-fraction|interval-of)"
    r"|functions_conditional/is-tests|values/(left-join|in-list)|where/is-true|window/frame-of-range|private_keys/rollup"
)
"""Cases that DuckDB stores in other words, such as NOT (x = ANY(…)), or a CAST that it adds."""
REFUSED = re.compile(r"DP(101|104|201|204|205|206)|DP105 Parser")

CASES = [
    case
    for case in every()
    if case.golden[0].startswith("-- accept") and sampled(f"view {case.name}", 40)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
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
    elif OTHERWISE.match(case.name) is None:
        assert shapes(found) == shapes(compiled(case.query, schema))


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


# --- databases with several schemas, and catalogs ---

DATA = """
CREATE SCHEMA clinic; CREATE SCHEMA "Old Ward";
CREATE TABLE patients (id INTEGER PRIMARY KEY, age INTEGER);
CREATE TABLE clinic.visits (pid INTEGER, cost INTEGER);
CREATE TABLE visits (pid INTEGER, cost INTEGER);
CREATE TABLE "Old Ward"."Odd Name" (pid INTEGER, cost INTEGER);
CREATE VIEW clinic.recent AS SELECT pid, cost FROM visits WHERE cost > 1;
CREATE VIEW clinic.every AS SELECT * FROM visits;
INSERT INTO patients SELECT i, 40 FROM range(100) AS t(i);
INSERT INTO clinic.visits SELECT i % 100, i % 3 FROM range(300) AS t(i);
INSERT INTO visits SELECT i % 100, 7 FROM range(200) AS t(i);
INSERT INTO "Old Ward"."Odd Name" SELECT i, 1 FROM range(50) AS t(i);
"""
COLUMNS = """{pid: {references: patients.id, max_rows: 9}, cost: {bounds: [0, 9]}}"""
POLICY = f"""
unit: patients.id
budget: {{eps: 1000000000}}
tables:
  patients: {{access: private, key: [id], columns: {{age: {{bounds: [0, 100]}}}}}}
  clinic.visits: {{access: private, columns: {COLUMNS}}}
  visits: {{access: private, columns: {COLUMNS}}}
  old ward.odd NAME: {{access: private, columns: {COLUMNS}}}
views: [clinic.recent, clinic.every]
"""


@pytest.fixture
def owner() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(DATA)
        yield connection


def number(database: dpsql.Database, query: str) -> int:
    return round(float(database.run(query, eps=10000).rows[0][0]))


def test_names_of_two_and_three_parts(owner: duckdb.DuckDBPyConnection) -> None:
    with dpsql.connect(owner, POLICY) as database:
        for query, expected in {
            "SELECT COUNT(*) FROM clinic.visits": 300,
            "SELECT COUNT(*) FROM MEMORY.Clinic.VISITS AS v": 300,
            'SELECT COUNT(clinic.visits.pid) FROM "clinic"."Visits"': 300,
            "SELECT COUNT(*) FROM visits": 200,
            "SELECT COUNT(*) FROM main.visits": 200,
            "SELECT COUNT(*) FROM memory.visits": 200,
            'SELECT COUNT(*) FROM "Old Ward"."Odd Name"': 50,
            'SELECT COUNT(*) FROM "odd name" AS o': 50,
            "SELECT COUNT(*) FROM recent": 100,
            "SELECT COUNT(*) FROM Clinic.RECENT AS r": 100,
            "SELECT COUNT(*) FROM clinic.every": 300,
            "SELECT COUNT(*) FROM clinic.visits v JOIN visits w ON v.pid = w.pid": 600,
            "WITH visits AS (SELECT 1 AS x) SELECT COUNT(*) FROM clinic.visits v, visits": 300,
        }.items():
            assert number(database, query) == expected, query
        query = "SELECT SUM(clinic.visits.cost) FROM main.visits WHERE pid IN (FROM clinic.visits)"
        with pytest.raises(Rejected, match="DP104"):  # a table of the query inside, not of this one
            database.run(query, eps=1)
        for other in ("other.visits", "clinic.patients", '"clinic.visits"', 'main."clinic.visits"'):
            with pytest.raises(Rejected, match="DP201"):
                database.run(f"SELECT COUNT(*) FROM {other}", eps=1)


def test_a_name_that_means_two_things_is_refused(owner: duckdb.DuckDBPyConnection) -> None:
    listed = POLICY.replace("  visits:", "  main.visits:")
    with dpsql.connect(owner, listed) as database:
        with pytest.raises(Rejected, match=r"memory\.clinic\.visits or memory\.main\.visits"):
            database.run("SELECT COUNT(*) FROM visits", eps=1)
        assert number(database, "SELECT COUNT(*) FROM main.visits") == 200
    owner.execute('CREATE SCHEMA other; CREATE TABLE other."visits" (pid INTEGER, cost INTEGER)')
    owner.execute("DROP TABLE main.visits")
    with pytest.raises(PolicyError, match=r"could mean memory\.\w+\.visits or memory\.\w+\.visits"):
        dpsql.connect(owner, POLICY)


def test_a_database_and_a_schema_of_one_name(owner: duckdb.DuckDBPyConnection) -> None:
    owner.execute(
        "ATTACH ':memory:' AS clinic; CREATE TABLE clinic.main.visits AS FROM main.visits"
    )
    with pytest.raises(PolicyError, match=r"could mean .*clinic\.main\.visits"):
        dpsql.connect(owner, POLICY)


def test_columns_that_are_called_alike(owner: duckdb.DuckDBPyConnection) -> None:
    """A claim that was verified for one would be taken for the other's."""
    owner.execute('CREATE TABLE clinic ("visits.cost" INTEGER)')
    listed = POLICY.replace("views:", "  clinic: {access: public}\nviews:")
    with pytest.raises(PolicyError, match=r"two columns are called clinic\.visits\.cost"):
        dpsql.connect(owner, listed)


@pytest.mark.parametrize("other", ["memory.clinic.visits", "MEMORY.CLINIC.VISITS"])
def test_no_table_is_listed_twice(owner: duckdb.DuckDBPyConnection, other: str) -> None:
    """Or it could be private under one name and public under the other."""
    twice = POLICY.replace("views:", f"  {other}: {{access: public}}\nviews:")
    with pytest.raises(PolicyError, match=r"clinic\.visits is the same table"):
        dpsql.connect(owner, twice)


def test_a_view_is_no_table_and_a_table_no_view(owner: duckdb.DuckDBPyConnection) -> None:
    table = POLICY.replace("views:", "  clinic.recent: {access: public}\nviews:")
    with pytest.raises(PolicyError, match="as a table, too"):
        dpsql.connect(owner, table)
    with pytest.raises(PolicyError, match="it is a view"):
        dpsql.connect(owner, table.replace("[clinic.recent, ", "["))
    with pytest.raises(PolicyError, match="is a table: list it under tables"):
        dpsql.connect(owner, POLICY.replace("[clinic.recent", "[memory.clinic.visits"))
    with pytest.raises(PolicyError, match="is listed already"):
        dpsql.connect(owner, POLICY.replace(", clinic.every", ", memory.clinic.recent"))
    with pytest.raises(PolicyError, match="the database has no view nothing"):
        dpsql.connect(owner, POLICY.replace("[clinic.recent", "[nothing"))


def test_what_is_not_listed_does_not_exist(owner: duckdb.DuckDBPyConnection) -> None:
    with dpsql.connect(owner, POLICY.replace("[clinic.recent, ", "[")) as database:
        with pytest.raises(Rejected) as rejected:
            database.run("SELECT COUNT(*) FROM clinic.recent", eps=1)
        assert "memory" not in str(rejected.value)
        names = [row[0] for row in database.run("SHOW TABLES", eps=1).rows]
        assert "recent" not in names and "every" in names


def test_a_view_by_the_name_of_a_private_table(owner: duckdb.DuckDBPyConnection) -> None:
    """Names of a definition are those of the view's own schema, not of the query's."""
    owner.execute("""CREATE SCHEMA s; CREATE VIEW s.patients AS SELECT 1 AS one;
        CREATE VIEW s.all_of_them AS FROM patients; CREATE TEMP VIEW patients AS SELECT 2 AS two""")
    listed = POLICY.replace("[clinic.recent", "[s.patients, s.all_of_them")
    with dpsql.connect(owner, listed) as database:
        assert number(database, "SELECT COUNT(*) FROM patients") == 100
        assert database.run("SELECT * FROM s.all_of_them", eps=1).rows == ((1,),)
        assert database.run("SELECT one FROM s.patients", eps=1).rows == ((1,),)


def test_a_temporary_table_is_nobodys(owner: duckdb.DuckDBPyConnection) -> None:
    owner.execute("CREATE TEMP TABLE t (x INTEGER); CREATE VIEW of_temp AS FROM t")
    with (
        dpsql.connect(owner, POLICY.replace("[clinic.recent", "[of_temp")) as database,
        pytest.raises(Rejected, match="in the view of_temp: no table t is declared"),
    ):
        database.run("SELECT COUNT(*) FROM of_temp", eps=1)


def test_a_stale_star_is_of_the_columns_that_there_are(owner: duckdb.DuckDBPyConnection) -> None:
    owner.execute("ALTER TABLE clinic.visits ADD COLUMN more INTEGER DEFAULT 5")
    with dpsql.connect(owner, POLICY) as database:
        rows = database.run("DESCRIBE clinic.every", eps=1).rows
        assert [row[0] for row in rows] == ["pid", "cost", "more"]
        assert [row[0] for row in rows] == [
            row[0] for row in owner.execute("DESCRIBE FROM clinic.every").fetchall()
        ]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE OR REPLACE VIEW clinic.recent AS SELECT 1 AS pid, 2 AS cost",
        "DROP VIEW clinic.recent",
        "DROP TABLE clinic.visits; CREATE VIEW clinic.visits AS FROM main.visits",
    ],
)
def test_what_is_redefined_is_not_read(owner: duckdb.DuckDBPyConnection, sql: str) -> None:
    with dpsql.connect(owner, POLICY) as database:
        assert number(database, "SELECT COUNT(*) FROM recent") == 100
        owner.execute(sql)
        spent = database.budget.spent
        with pytest.raises(PolicyError, match="not defined as it was"):
            database.run("SELECT COUNT(*) FROM recent", eps=3)
        assert database.budget.spent == spent


def test_metadata_has_schemas_and_views(owner: duckdb.DuckDBPyConnection) -> None:
    with dpsql.connect(owner, POLICY) as database:
        query = """SELECT table_schema, table_name, table_type FROM information_schema.tables
            ORDER BY ALL"""
        assert database.run(query, eps=1).rows == (
            ("Old Ward", "Odd Name", "BASE TABLE"),
            ("clinic", "every", "VIEW"),
            ("clinic", "recent", "VIEW"),
            ("clinic", "visits", "BASE TABLE"),
            ("main", "patients", "BASE TABLE"),
            ("main", "visits", "BASE TABLE"),
        )
        query = """SELECT column_name, data_type FROM information_schema.columns
            WHERE table_name = 'recent'"""
        assert database.run(query, eps=1).rows == (("pid", "INTEGER"), ("cost", "INTEGER"))


ATTACHED = POLICY.replace("clinic.", "w.clinic.").replace("patients", "w.patients")
ATTACHED = ATTACHED.replace("  visits:", "  w.visits:").replace("  old ward", "  w.old ward")
ATTACHED = ATTACHED.replace("views:", "  ages: {access: public, columns: {age: {}}}\nviews:")
JOINED = "SELECT COUNT(*) FROM w.patients JOIN ages USING (age)"


def saved(path: Path, sql: str) -> Path:
    with duckdb.connect(path) as made:
        made.execute(sql)
    return path


def test_attached_databases(tmp_path: Path) -> None:
    file = saved(tmp_path / "w.duckdb", DATA)
    with duckdb.connect() as owner:
        owner.execute(f"ATTACH '{file}' AS w; CREATE TABLE ages AS SELECT 40 AS age")
        with dpsql.connect(owner, ATTACHED) as database:
            assert number(database, "SELECT COUNT(*) FROM w.clinic.visits") == 300
            assert number(database, "SELECT COUNT(*) FROM w.visits") == 200
            assert number(database, "SELECT COUNT(*) FROM w.clinic.recent") == 100
            assert number(database, JOINED) == 100
            database.prepare(tmp_path / "copy")
            spent = database.budget.spent
    with dpsql.connect(tmp_path / "copy", ATTACHED) as database:
        assert database.verified and database.budget.spent == spent
        assert number(database, "SELECT COUNT(*) FROM w.clinic.visits") == 300
        assert number(database, "SELECT COUNT(*) FROM clinic.recent") == 100
        assert number(database, JOINED) == 100


def test_units_have_one_budget_whatever_they_are_attached_to(tmp_path: Path) -> None:
    file = saved(tmp_path / "w.duckdb", DATA)
    for name in (":memory:", ":memory:", str(tmp_path / "other.duckdb")):
        with duckdb.connect(name) as owner:
            owner.execute(f"ATTACH '{file}' AS w; CREATE TABLE ages AS SELECT 40 AS age")
            with dpsql.connect(owner, ATTACHED) as database:
                before = database.budget.spent
                database.run("SELECT COUNT(*) FROM w.patients", eps=1, fresh=True)
    assert before.eps == 2
    assert (tmp_path / "w.duckdb.dpsql-ledger").exists()
    assert not (tmp_path / "other.duckdb.dpsql-ledger").exists()
    with pytest.raises(PolicyError, match="is private and in an attached file"):
        dpsql.connect(tmp_path / "other.duckdb", ATTACHED + "attach: {w: w.duckdb}\n")


def test_private_tables_of_several_databases_need_a_ledger(tmp_path: Path) -> None:
    file = saved(tmp_path / "w.duckdb", "CREATE TABLE visits(patient INTEGER)")
    data = saved(tmp_path / "home.duckdb", "CREATE TABLE people(id INTEGER PRIMARY KEY)")
    policy = """
unit: people.id
budget: {eps: 1}
tables:
  people: {access: private}
  w.visits: {access: private, columns: {patient: {references: people.id, max_rows: 3}}}
"""
    with pytest.raises(PolicyError, match=r"w\.visits is private and in an attached file"):
        dpsql.connect(data, policy + "attach: {w: w.duckdb}\n")
    with duckdb.connect(data) as owner:
        owner.execute(f"ATTACH '{file}' AS w")
        with pytest.raises(PolicyError, match="private tables are in several databases"):
            dpsql.connect(owner, policy)
        with dpsql.connect(owner, policy, ledger=tmp_path / "one.ledger") as database:
            database.run("SELECT COUNT(*) FROM w.visits", eps=1)


def test_databases_that_the_policy_attaches(tmp_path: Path) -> None:
    data = saved(tmp_path / "shop.duckdb", DATA)
    saved(tmp_path / "w.duckdb", "CREATE SCHEMA s; CREATE TABLE s.ages AS SELECT 40 AS age")
    listed = "  w.s.ages: {access: public, columns: {age: {}}}\nviews:"
    policy = POLICY.replace("views:", listed) + "attach: {w: w.duckdb}\n"
    joined = "SELECT COUNT(*) FROM patients JOIN w.s.ages USING (age)"
    for workers in (0, 1):
        with dpsql.connect(data, policy, workers=workers) as database:
            assert number(database, "SELECT COUNT(*) FROM clinic.recent") == 100
            assert number(database, joined) == 100
            assert database.run("SELECT AGE + 1 FROM W.S.Ages", eps=1).rows == ((41,),)
            version = database._engine.version()
    with dpsql.connect(data, policy) as one, dpsql.connect(data, policy) as other:
        assert number(one, joined) == number(other, joined)  # the second is free
        assert other.run(joined, eps=10000).reused
        assert one.verify().clean
    with dpsql.connect(data, policy) as database:
        assert database.verified
        database.prepare(tmp_path / "copy")
    with dpsql.connect(tmp_path / "copy", policy) as database:
        assert database.verified and number(database, joined) == 100
    saved(tmp_path / "w.duckdb", "UPDATE s.ages SET age = 39")
    with dpsql.connect(data, policy) as database:  # another version of the data
        assert database._engine.version() not in (version, None) and not database.verified
        assert round(float(database.run(joined, eps=10000, fresh=True).rows[0][0])) == 0
    (tmp_path / "w.duckdb").unlink()
    with pytest.raises(PolicyError, match="no such database file"):
        dpsql.connect(data, policy)


def test_what_another_connection_has_attached_is_not_there(tmp_path: Path) -> None:
    """Connections of a process to one file share it; the digest would not cover the other file."""
    data = saved(tmp_path / "shop.duckdb", DATA)
    saved(tmp_path / "w.duckdb", "CREATE TABLE ages AS SELECT 40 AS age")
    listed = POLICY.replace("views:", "  w.ages: {access: public}\nviews:")
    with (
        dpsql.connect(data, listed + "attach: {w: w.duckdb}\n"),
        pytest.raises(PolicyError, match="another connection"),
    ):
        dpsql.connect(data, listed)
    with dpsql.connect(data, POLICY), pytest.raises(PolicyError, match="another connection"):
        dpsql.connect(data, listed + "attach: {w: w.duckdb}\n")


def test_a_view_over_the_copy_reads_nothing_else(tmp_path: Path) -> None:
    """Nor does DuckDB, when the view is made over the copy."""
    (tmp_path / "x.csv").write_text("a\n1\n")
    made = f"CREATE VIEW f AS FROM read_csv('{tmp_path / 'x.csv'}'); CREATE VIEW g AS FROM f;"
    made += "CREATE TABLE gone (x INTEGER); CREATE VIEW e AS FROM gone"
    data = saved(tmp_path / "shop.duckdb", f"{DATA}; {made}")
    for view in "feg":
        listed = POLICY.replace("[clinic.recent", f"[f, {view}" if view == "g" else f"[{view}")
        with pytest.raises(PolicyError, match="cannot be made over the copy"):
            dpsql.prepare(data, listed, tmp_path / "copy")
    assert not list((tmp_path / "copy").glob("*.duckdb"))


def test_an_audit_varies_what_a_view_reads(owner: duckdb.DuckDBPyConnection) -> None:
    with dpsql.connect(owner, POLICY) as database:
        maker = Maker(database.schema, "SELECT SUM(cost) FROM Recent", Random(3))
    drawn = [maker.draw().tables["clinic.visits"] for _ in range(20)]
    assert len({row[1] for rows in drawn for row in rows}) > 2
