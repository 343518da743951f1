"""Databases with several schemas, and catalogs: a name means one table or view, or is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import duckdb
import pytest

import dpsql
from dpsql.audit.databases import Maker
from dpsql.errors import PolicyError, Rejected

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
    with pytest.raises(PolicyError, match="no such file or folder"):
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
