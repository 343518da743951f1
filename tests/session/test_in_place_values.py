"""PostgreSQL in place: settings, collations and odd values change no cell, and prove nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.on_postgres import QUERIES, cells, far, in_place
from tests.session.test_in_place import JOINED, TOWNS, WITH_TOWNS
from tests.support.on_a_server import PEOPLE, do

SETTINGS = """
ALTER ROLE {role} SET search_path = evil, pg_catalog, public;
ALTER ROLE {role} SET default_transaction_read_only = on;
ALTER ROLE {role} SET idle_in_transaction_session_timeout = '1ms';
ALTER ROLE {role} SET TimeZone = 'Asia/Kolkata';
ALTER ROLE {role} SET datestyle = 'SQL, DMY';
ALTER ROLE {role} SET extra_float_digits = -15;
ALTER ROLE {role} SET standard_conforming_strings = off;
ALTER ROLE {role} SET transform_null_equals = on;
ALTER ROLE {role} SET bytea_output = 'escape';
ALTER ROLE {role} SET intervalstyle = 'iso_8601';
ALTER ROLE {role} SET client_encoding = 'LATIN1';
ALTER ROLE {role} SET row_security = on;
ALTER ROLE {role} SET enable_hashjoin = off;
ALTER ROLE {role} SET default_transaction_isolation = 'read committed';
"""


EVIL = """
CREATE SCHEMA evil;
CREATE FUNCTION evil.abs(bigint) RETURNS bigint LANGUAGE SQL AS 'SELECT 7::bigint';
CREATE FUNCTION evil.no(text, text) RETURNS bool LANGUAGE SQL AS 'SELECT false';
CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.no);
CREATE TABLE evil.people (id bigint);
CREATE DOMAIN evil.text AS pg_catalog.text CHECK (length(VALUE) < 1);
CREATE COLLATION evil."C" FROM pg_catalog."POSIX";
GRANT USAGE ON SCHEMA evil TO PUBLIC;
"""


SENSITIVE = (
    *QUERIES,
    *JOINED,
    "SELECT HOUR(at), COUNT(*) FROM clinic.visits GROUP BY 1",
    "SELECT COUNT(*) FROM clinic.visits WHERE at = TIMESTAMP '2023-12-31 23:00:00'",
    "SELECT COUNT(*) FROM people WHERE town = 'a\\b' OR town = NULL OR town > 'A'",
    "SELECT SUM(ABS(age - 50)) FROM people",
)


def test_settings_of_a_role_change_no_cell(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE + TOWNS)
    with in_place(url, tmp_path, WITH_TOWNS) as db:
        wanted = cells(db, SENSITIVE)
    do(url, "CREATE ROLE odd LOGIN SUPERUSER")
    try:
        do(url, EVIL + SETTINGS.format(role="odd"))
        with in_place(url.replace("dpsql@", "odd@"), tmp_path, WITH_TOWNS) as db:
            assert cells(db, SENSITIVE) == wanted
    finally:
        do(url, "DROP OWNED BY odd; DROP ROLE odd")


def test_collations_change_no_cell(url: str, tmp_path: Path) -> None:
    if not do(url, "SELECT 1 FROM pg_collation WHERE collname = 'en-x-icu'"):
        pytest.skip("the server has no ICU")
    texts = ("a", "A", "b", "B", "ä", "z", "Z", "_", "a-b", "ab")
    listed = ", ".join(f"({i}, '{text}')" for i, text in enumerate(texts))
    policy = """
unit: t.id
budget: {eps: 1e6}
tables: {t: {access: private, key: [id], columns: {id: {}, x: {max_length: 5}}}}
"""
    queries = (
        "SELECT COUNT(*) FROM t WHERE x < 'a'",
        "SELECT COUNT(*) FROM t WHERE x BETWEEN 'B' AND 'b'",
        "SELECT COUNT(*) FROM t WHERE x NOT BETWEEN 'Z' AND 'z'",
    )
    found = []
    for collation in ("C", "en-x-icu"):
        do(
            url,
            "DROP TABLE IF EXISTS t; "
            f'CREATE TABLE t (id int PRIMARY KEY, x text COLLATE "{collation}")',
        )
        do(url, f"INSERT INTO t VALUES {listed}")
        with in_place(url, tmp_path, policy) as db:
            found.append(cells(db, queries))
    assert found[0] == found[1] and not [f for f in found[0] if isinstance(f, str)]


ODD = """
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int);
CREATE TABLE t (
  id int PRIMARY KEY, n numeric(6,2) UNIQUE NOT NULL, w numeric, d date NOT NULL, s timestamp,
  z timestamptz, c char(5), m mood NOT NULL, u uuid, f float8, r real, p pair, y numeric
);
INSERT INTO t VALUES
  (1, 'NaN', '1e400', 'infinity', 'infinity', 'infinity', 'ab', 'ok', NULL, 'NaN', 'NaN', ROW(1)),
  (2, 1.25, 'NaN', '-infinity', '-infinity', '-infinity', 'ab   ', 'sad', NULL, 'Infinity', 1,
    NULL),
  (3, -0.01, '1e-400', '0044-03-15 BC', '0044-03-15 BC', '0044-03-15 BC', NULL, 'happy',
    '11111111-1111-1111-1111-111111111111', '5e-324', 1e30, NULL),
  (4, 0, 0.1, '5874897-12-31', '294276-12-31 23:59:59', '294276-12-31 23:59:59+00', '', 'ok', NULL,
    '-0', -1, NULL),
  (5, 9999.99, -1e308, '2024-02-29', '2024-02-29 12:00', '2024-02-29 12:00+02', 'é', 'ok', NULL,
    1.7976931348623157e308, 0.1, NULL);
UPDATE t SET y = CASE id WHEN 1 THEN repeat('9', 131072)::numeric + 0.999 WHEN 2 THEN 99.994
  WHEN 3 THEN 99.995 WHEN 4 THEN '-Infinity' ELSE -99.9949 END;
"""


ODD_POLICY = """
unit: t.id
budget: {eps: 1e6, delta: 1e-6}
tables:
  t:
    access: private
    columns:
      id: {}
      n: {bounds: [0, 10]}
      w: {bounds: [0, 10]}
      y: {type: "DECIMAL(4,2)", bounds: [-99, 99]}
      d: {bounds: [2020-01-01, 2025-01-01]}
      s: {bounds: [2020-01-01, 2025-01-01]}
      z: {bounds: [2020-01-01, 2025-01-01]}
      c: {max_length: 5}
      f: {bounds: [0, 10]}
      r: {bounds: [0, 10]}
"""


ODD_QUERIES = (
    *(f"SELECT SUM({column}), COUNT({column}) FROM t" for column in "nwfry"),
    "SELECT SUM(f * f), SUM(LEAST(GREATEST(f / w, 0), 9)) FROM t",
    "SELECT COUNT(*) FROM t WHERE f * 1e300 > 1",
    "SELECT s, COUNT(*) FROM t GROUP BY s",
    *(f"SELECT COUNT(*) FROM t WHERE {c} < '2024-03-01'" for c in "dsz"),
    *(f"SELECT COUNT(*) FROM t WHERE YEAR({c}) > 2000" for c in "dsz"),
    *("SELECT COUNT(*) FROM t WHERE c = 'ab'", "SELECT COUNT(*) FROM t WHERE LENGTH(c) < 2"),
    *("SELECT m, COUNT(*) FROM t GROUP BY m", "SELECT COUNT(u) FROM t WHERE m > 'a'"),
    *("SELECT SUM(DATE_DIFF('day', d, DATE '2024-03-01')) FROM t", "SELECT SUM(n * n) FROM t"),
    *(
        "SELECT COUNT(DISTINCT d) FROM t",
        "SELECT d, COUNT(*) FROM t WHERE d > '2024-01-01' GROUP BY d",
    ),
)


def test_no_value_makes_a_query_fail(url: str, tmp_path: Path) -> None:
    """Not even where the copy would be refused."""
    do(url, ODD)
    with in_place(url, tmp_path, ODD_POLICY) as db:
        assert "p" not in db.tables["t"]
        for query in ODD_QUERIES:
            db.run(query, 100)
        [[n]] = db.run("SELECT COUNT(n) FROM t", 1e4).rows
        assert n == 4  # NaN is no DECIMAL
        [[n]] = db.run("SELECT COUNT(y) FROM t", 1e4).rows
        assert n == 2  # nor is what is rounded to one digit more


def test_what_is_read_as_another_value_is_not_proven(url: str, tmp_path: Path) -> None:
    do(url, ODD)
    with in_place(url, tmp_path, ODD_POLICY) as db:
        table = far(db)[0].catalog().table("t")
        assert table is not None and table.keys == (("id",),)
        known = {column.name: column for column in table.columns}
        assert not known["n"].not_null and known["d"].not_null and known["m"].not_null
        assert known["m"].values == ("sad", "ok", "happy")


@pytest.mark.parametrize(
    ("column", "check", "bounds"),
    [
        ("int", "x BETWEEN 0 AND 5", (0, 5)),
        ("int", "x >= -3 AND x <= 5::bigint", (-3, 5)),
        ("int", "x IN (1, 2)", None),
        ("int", "x >= 0 AND x <= 5.7::int", None),
        ("float8", "x >= 0 AND x <= 0.5", (0, 0.5)),
        ("float8", "x >= 0 AND x <= 0.1::real", None),
        ("float8", "x::int BETWEEN 0 AND 5", None),
        ("real", "x >= 0 AND x <= 0.1", None),
        ("numeric(6,2)", "x BETWEEN 0 AND 5", (0, 5)),
        ("numeric", "x BETWEEN 0 AND 5", None),
        ("date", "x BETWEEN '2020-01-01' AND '2021-01-01'", ("2020-01-01", "2021-01-01")),
        ("date", "x >= '2020-01-01' AND x < '2021-01-01 12:00'::timestamp", None),
        ("int", "x > 0", (0, 2**31 - 1)),
        ("timestamptz", "x >= '2020-01-01'::timestamp AND x <= '2021-01-01'::timestamp", None),
        ("timestamp", "x >= '2020-01-01'::timestamptz AND x <= '2021-01-01'::timestamptz", None),
        ("timestamptz", "x BETWEEN '2020-01-01Z' AND '2021-01-01Z'", ("2020-01-01", "2021-01-01")),
    ],
)
@pytest.mark.one_in(3)
def test_checks_that_prove(
    column: str, check: str, bounds: object, url: str, tmp_path: Path
) -> None:
    """Nobody tests them on the rows once more: a cast that rounds says another thing."""
    do(url, f"CREATE TABLE t (id int PRIMARY KEY, x {column} CHECK ({check}))")
    policy = "unit: t.id\nbudget: {eps: 1}\ntables: {t: {access: private, columns: {id: {}}}}"
    with in_place(url, tmp_path, policy) as db:
        table = far(db)[0].catalog().table("t")
        known = table.column("x") if table is not None else None
        assert known is not None
        found = known.bounds
        if column == "numeric":  # DOUBLE, of which it says the same as nearly as can be
            return
        if found is not None and bounds is not None and column in ("date", "timestamptz"):
            found = tuple(str(f)[:10] for f in found)  # type: ignore[assignment]
        narrow = bounds is None and found is not None and column in ("int", "numeric(6,2)")
        assert found == bounds or (narrow and found[1] > 6)  # type: ignore[index]


LOOSE = """
unit: p.id
budget: {eps: 1e9}
tables:
  p: {access: private, columns: {id: {}}}
  v:
    access: private
    columns: {pid: {references: p.id, max_rows: 1000}, x: {type: "DECIMAL(5,2)"}}
"""


@pytest.mark.parametrize(
    ("made", "proven"),
    [
        ("x numeric(5, 2) NOT NULL CHECK (x >= 0 AND x <= 0.5)", True),
        ("x numeric NOT NULL CHECK (x >= 0 AND x <= 0.996)", False),  # it is read as 1.00
    ],
)
def test_a_check_is_of_the_number_that_is_read(
    made: str, proven: bool, url: str, tmp_path: Path
) -> None:
    do(url, "CREATE TABLE p (id int PRIMARY KEY)")
    do(url, f"CREATE TABLE v (pid int NOT NULL REFERENCES p, {made})")
    with in_place(url, tmp_path, LOOSE) as db:
        [table] = [t for t in db._engine.catalog().tables if t.name == "v"]
        column = table.column("x")
        assert column is not None and (column.bounds is not None) == proven


@pytest.mark.parametrize(("kind", "believed"), [("int", True), ("uuid", True), ("jsonb", False)])
def test_a_reference_is_of_values_that_are_read_as_equal(
    kind: str, believed: bool, url: str, tmp_path: Path
) -> None:
    """Of jsonb 1.0 and 1.00 are equal, and their texts are not."""
    do(url, f"CREATE TABLE p (id {kind} PRIMARY KEY)")
    do(url, f"CREATE TABLE v (pid {kind} REFERENCES p, x numeric)")
    with in_place(url, tmp_path, LOOSE) as db:
        [table] = [t for t in db._engine.catalog().tables if t.name == "v"]
        assert bool(table.foreign_keys) == believed
