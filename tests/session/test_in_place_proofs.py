"""PostgreSQL in place: what counts as proven is true of the values as they are read, since nobody
tests it on the rows once more.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import psycopg
import pytest

import dpsql
from dpsql.errors import PolicyError
from dpsql.platform.engine.postgres_catalog import RewrittenError, begin, found, hold, told
from dpsql.platform.policy.catalog import CatalogTable
from dpsql.session.database import Database
from tests.session.on_postgres import cells, in_place
from tests.session.test_in_place_values import LOOSE
from tests.support.on_a_server import do

SMALL = "unit: t.id\nbudget: {eps: 1}\ntables: {t: {access: private, columns: {id: {}}}}"


def table(db: Database, name: str) -> CatalogTable:
    [made] = [t for t in db._engine.catalog().tables if t.name == name]
    return made


PARTS = """
CREATE TABLE t (id int NOT NULL) PARTITION BY HASH (id);
CREATE TABLE t0 PARTITION OF t FOR VALUES WITH (modulus 2, remainder 0);
CREATE TABLE t1 PARTITION OF t FOR VALUES WITH (modulus 2, remainder 1)
"""


@pytest.mark.parametrize(("kind", "name"), [("UNIQUE", "id_key"), ("PRIMARY KEY", "pkey")])
def test_a_key_that_is_told_of_a_partitioned_table_only(
    kind: str, name: str, url: str, tmp_path: Path
) -> None:
    """One person may have many rows in parts that have no such index."""
    do(url, f"{PARTS}; ALTER TABLE ONLY t ADD {kind} (id)")
    for part in ("t0", "t1"):
        do(url, "INSERT INTO t1 SELECT id FROM t1; INSERT INTO t0 SELECT id FROM t0")
        with in_place(url, tmp_path, SMALL) as db:
            assert table(db, "t").keys == ()
        do(
            url,
            f"ALTER TABLE {part} ADD {kind} (id); "
            f"ALTER INDEX t_{name} ATTACH PARTITION {part}_{name}",
        )
    with in_place(url, tmp_path, SMALL) as db:
        assert table(db, "t").keys == (("id",),)


@pytest.mark.parametrize(
    ("theirs", "own", "believed"),
    [
        ("text", "varchar(9)", True),
        ("timestamp", "timestamp", True),
        ("timestamptz", "timestamptz", True),
        ("timestamp", "timestamptz", False),
        ("timestamptz", "timestamp", False),
        ("char(5)", "char(3)", True),
        ("text", "char(3)", False),
    ],
)
def test_a_reference_is_of_one_type(
    theirs: str, own: str, believed: bool, url: str, tmp_path: Path
) -> None:
    """Which moments with and without a zone are equal says the session that wrote them."""
    do(url, f"CREATE TABLE p (id {theirs} PRIMARY KEY)")
    do(url, f"CREATE TABLE v (pid {own} REFERENCES p, x numeric)")
    with in_place(url, tmp_path, LOOSE) as db:
        assert bool(table(db, "v").foreign_keys) == believed


@pytest.mark.parametrize("whole", [True, False])
def test_a_text_that_refers_to_one_with_blanks(whole: bool, url: str, tmp_path: Path) -> None:
    """'ab' and 'ab  ' are the same person there, and would be two here."""
    do(url, "CREATE TABLE p (id char(5) PRIMARY KEY); CREATE DOMAIN name_of AS text")
    do(url, "CREATE TABLE v (pid name_of REFERENCES p, x numeric)")
    do(url, "INSERT INTO p VALUES ('ab'); INSERT INTO v VALUES ('ab', 1), ('ab  ', 1)")
    with pytest.raises(PolicyError, match="has no column pid"):
        dpsql.connect(url, LOOSE, ledger=tmp_path / "l", in_place=whole)
    small = LOOSE[: LOOSE.index("  v:")]
    with dpsql.connect(url, small, ledger=tmp_path / "l", in_place=whole) as db:
        assert db._engine.left_out == ("v: of no table",)


def test_functions_of_one_name_have_one_text(url: str, tmp_path: Path) -> None:
    do(url, "CREATE TABLE t (id int, f regproc PRIMARY KEY)")
    with in_place(url, tmp_path, SMALL) as db:
        assert table(db, "t").keys == () and not table(db, "t").columns[1].not_null


DOMAINS = """
CREATE DOMAIN years AS int CHECK (VALUE >= 0);
CREATE DOMAIN age AS years CHECK (VALUE <= 120) CHECK (VALUE <> 7);
CREATE DOMAIN town AS varchar(9) CHECK (VALUE IN ('a', 'b'));
CREATE TABLE t (id int PRIMARY KEY, "value" age, home town);
ALTER DOMAIN years ADD CONSTRAINT late CHECK (VALUE >= 18) NOT VALID;
INSERT INTO t VALUES (1, 30, 'a'), (2, NULL, NULL)
"""


def test_a_domains_checks_are_tested_on_a_copy(url: str, tmp_path: Path) -> None:
    """In place they are no proof: the server sees not all rows when it takes them."""
    do(url, DOMAINS)
    with dpsql.connect(url, SMALL, ledger=tmp_path / "l") as db:
        _, age, home = table(db, "t").columns
        assert age.bounds == (0, 120) and home.values == ("a", "b")
    with in_place(url, tmp_path, SMALL) as db:
        _, age, home = table(db, "t").columns
        assert age.bounds is None and home.values is None


def test_an_enum_is_its_label(url: str, tmp_path: Path) -> None:
    """Whatever a cast of its owner's says."""
    do(url, "CREATE TYPE mood AS ENUM ('ok'); CREATE TABLE t (id int PRIMARY KEY, m mood)")
    do(url, "CREATE FUNCTION told(mood) RETURNS text LANGUAGE SQL AS 'SELECT 1 / 0 || ''x'''")
    do(url, "CREATE CAST (mood AS text) WITH FUNCTION told; INSERT INTO t VALUES (1, 'ok')")
    count = "SELECT COUNT(*) FROM t WHERE m = 'ok'"
    with dpsql.connect(url, SMALL, ledger=tmp_path / "l") as copied:
        wanted = cells(copied, (count,))
    with in_place(url, tmp_path, SMALL) as db:
        assert cells(db, (count,)) == wanted and "1" in str(wanted)


def test_what_is_computed_as_it_is_read_may_fail(url: str, tmp_path: Path) -> None:
    if int(do(url, "SHOW server_version_num")[0][0]) < 180000:
        pytest.skip("columns are stored before PostgreSQL 18")
    do(url, "CREATE TABLE t (id int PRIMARY KEY, x int, y int GENERATED ALWAYS AS (1 / x) VIRTUAL)")
    do(url, "INSERT INTO t VALUES (1, 0)")
    with in_place(url, tmp_path, SMALL) as db:
        assert "y" not in db.tables["t"]
        assert "t.y: computed when it is read" in db._engine.left_out[0]


def test_a_table_that_is_another_one_since_the_snapshot(url: str) -> None:
    """Its rows may be older than they are (FREEZE), and nothing is known of it."""
    do(url, "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
    with psycopg.connect(url, autocommit=True) as server:
        begin(server)
        tables, _ = found(told(server, None, in_place=True), "server", {}, in_place=True)
        hold(server, tables)
        server.execute("ROLLBACK")
        begin(server)
        server.execute("SELECT 1")
        do(url, "DROP TABLE t; CREATE TABLE t (id int)")
        with pytest.raises(RewrittenError):
            hold(server, tables)


@pytest.mark.parametrize(
    ("column", "check", "least"),
    [
        ("numeric(9,2)", "x BETWEEN -0.25 AND 7", "-1/4"),
        ("float8", "x BETWEEN -0.25 AND 7", "-1/4"),
        ("float8", "x BETWEEN '-0.25' AND 7", "-1/4"),
        ("int", "x BETWEEN -0.5 AND 7", "0"),
        ("int", "x BETWEEN -3 AND 7", "-3"),
        ("float8", "x BETWEEN -1e300 AND 7", None),
        (
            "numeric(9,2)",
            "x BETWEEN '-0.256'::numeric(9,2) AND 7",
            "-9999999.99",
        ),  # rounded to -0.26
        ("float4", "x BETWEEN -0.25 AND 7", None),
    ],
)
def test_a_bound_below_zero(
    column: str, check: str, least: str | None, url: str, tmp_path: Path
) -> None:
    do(url, f"CREATE TABLE t (id int NOT NULL, x {column} CHECK ({check}))")
    with in_place(url, tmp_path, SMALL.replace("{id: {}}", "{id: {}, x: {}}")) as db:
        x = db.schema.tables["t"].column("x")
        assert x is not None and x.bounds_proven is (least is not None)
        assert x.bounds is None if least is None else x.bounds == (Fraction(least), 7)
