"""A conforming copy in a schema of a PostgreSQL server, which enforces all that is true of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

import dpsql
from dpsql.audit.measured import exact
from dpsql.cli import main
from dpsql.errors import InvalidArgument, PolicyError
from dpsql.platform.engine import postgres_copy
from dpsql.session.database import Database
from tests.support.on_a_server import do

POLICY = """
unit: people.id
budget: {eps: 1e9, delta: 0.1}
tables:
  people:
    access: private
    key: [id]
    columns:
      id: {type: BIGINT}
      age: {bounds: [-3, 100], nullable: false}
      town: {values: [a, "b'c", 'd\\e']}
      tier: {values: [1, 2]}
  visits:
    access: private
    key: [vid]
    columns:
      vid: {}
      person: {references: people.id, max_rows: 3}
      cost: {bounds: [-0.25, 500.5]}
      weight: {bounds: [0.5, 100]}
      day: {bounds: [2024-01-01, 2024-12-31]}
      at: {bounds: ["2024-01-01 00:00:00", "2024-12-31 23:59:59.5"]}
      mood: {}
  stays:
    access: private
    columns:
      visit: {references: visits.vid, max_rows: 2}
      nights: {bounds: [1, 30]}
      room: {references: rooms.number}
  rooms: {access: public, key: [number], columns: {number: {}, beds: {}}}
"""

DATA = """
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE people AS SELECT i::BIGINT AS id, (i * 7 % 130 - 10)::TINYINT AS age,
  ['a', 'b''c', 'd\\e', 'zzz', NULL][i % 5 + 1] AS town, (i % 3)::UTINYINT AS tier, 'x' AS secret
FROM range(40) AS t(i);
CREATE TABLE visits AS SELECT (i * 100)::INTEGER AS vid, (i % 45)::BIGINT AS person,
  CAST(i * 11 % 700 - 60.25 AS DECIMAL(9, 2)) AS cost, (i % 130)::DOUBLE AS weight,
  DATE '2023-12-20' + i::INTEGER * 3 AS day, TIMESTAMP '2023-12-20' + INTERVAL (i) DAY AS at,
  ['sad', 'ok'][i % 2 + 1]::mood AS mood
FROM range(200) AS t(i);
CREATE TABLE stays AS SELECT (i % 220 * 100)::INTEGER AS visit, (i % 40)::SMALLINT AS nights,
  (i % 4)::INTEGER AS room FROM range(700) AS t(i);
CREATE TABLE rooms AS SELECT i::INTEGER AS number, i * 2 AS beds FROM range(3) AS t(i);
"""

QUERIES = (
    "SELECT COUNT(*) FROM people",
    "SELECT town, COUNT(*), SUM(age) FROM people GROUP BY town",
    "SELECT tier, COUNT(*) FROM people GROUP BY tier",
    "SELECT SUM(cost), COUNT(*) FROM visits",
    "SELECT COUNT(*) FROM visits WHERE mood = 'ok' AND day > DATE '2024-03-01'",
    "SELECT town, SUM(nights) FROM stays JOIN visits ON visit = vid JOIN people ON person = id "
    "GROUP BY town",
    "SELECT beds, COUNT(*) FROM stays JOIN rooms ON room = number GROUP BY beds",
    "SELECT MAX(at), MIN(weight) FROM visits",
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return made(tmp_path / "clinic.duckdb")


def made(file: Path, without: str = "FALSE") -> Path:
    with duckdb.connect(file) as new:
        new.execute(DATA)
        new.execute(f"DELETE FROM stays WHERE visit IN (SELECT vid FROM visits WHERE {without})")
        new.execute(f"DELETE FROM visits WHERE {without}")
        new.execute(f"DELETE FROM people WHERE {without.replace('person', 'id')}")
    return file


def prepared(data: Path, url: str, ledger: Path, schema: str = "clean") -> tuple[dpsql.Cut, ...]:
    return dpsql.prepare(data, POLICY, url, schema=schema, ledger=ledger)


@contextmanager
def opened(url: str, ledger: Path, *, in_place: bool) -> Iterator[Database]:
    with dpsql.connect(url, POLICY, ledger=ledger, in_place=in_place) as db:
        yield db


def cells(db: Database) -> list[object]:
    return [
        [(m.name, dict(zip(m.groups, m.values, strict=True))) for m in exact(db, query)]
        for query in QUERIES
    ]


@pytest.mark.parametrize("in_place", [False, True])
def test_the_server_proves_what_the_copy_does(
    data: Path, url: str, tmp_path: Path, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda size: "5a" * size)
    ledger = tmp_path / "ledger"
    cuts = prepared(data, url, ledger)
    assert {c.table: (c.rows, c.kept) for c in cuts} == {
        c.table: (c.rows, c.kept)
        for c in dpsql.prepare(data, POLICY, tmp_path / "copy", ledger=ledger)
    }
    with opened(url, ledger, in_place=in_place) as db:
        tables = db.schema.tables
        for table in (t for t in tables.values() if t.private):
            assert table.owner_proven
            for column in table.columns:
                assert column.bounds is None or column.bounds_proven, column.name
                assert column.values is None or column.values_proven, column.name
                assert column.max_rows is None or column.max_rows_proven, column.name
        assert (tables["people"].key, tables["visits"].key) == (("id",), ("vid",))
        most = {c.name: c.max_rows for t in tables.values() for c in t.columns if c.max_rows}
        assert most == {"id": 1, "vid": 1, "person": 3, "visit": 2, "number": 1}
        age = tables["people"].column("age")
        assert age is not None and not age.nullable
        found = cells(db)
        for query in QUERIES:
            shown = str(db.explain(query, 1))
            assert "enforced" not in shown and "clamped" not in shown
    with dpsql.connect(tmp_path / "copy", POLICY) as db:
        assert cells(db) == found  # the salt, by which rows are chosen, is the same


def test_what_a_row_breaks_the_server_refuses(data: Path, url: str, tmp_path: Path) -> None:
    import psycopg

    prepared(data, url, tmp_path / "ledger")
    [[person, most]] = do(
        url, "SELECT person, count(*) FROM clean.visits GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1"
    )
    assert most == 3
    row = f"INSERT INTO clean.visits (vid, person, {postgres_copy.NTH}) VALUES (1, {person}, {{}})"
    for number in ("1", "3", "4", "0", "NULL"):
        with pytest.raises(psycopg.errors.IntegrityError):
            do(url, row.format(number))


def test_a_unit_has_in_the_copy_what_its_own_rows_say(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a unit the tables on the server are without its rows and else the same, the numbers
    of rows among them.
    """
    monkeypatch.setattr(secrets, "token_hex", lambda size: "5a" * size)

    def rows(name: str, without: str) -> dict[str, list[Any]]:
        folder = tmp_path / name
        folder.mkdir()
        prepared(made(folder / "clinic.duckdb", without), url, folder / "ledger")
        visits = "SELECT * FROM clean.visits ORDER BY vid"
        stays = "SELECT s.*, v.person FROM clean.stays s JOIN clean.visits v ON visit = vid"
        return {
            "people": do(url, "SELECT * FROM clean.people ORDER BY id"),
            "visits": do(url, visits),
            "stays": sorted(do(url, stays), key=str),
        }

    every = rows("all", "FALSE")
    for unit in (1, 39):
        left = rows(f"without{unit}", f"person = {unit}")
        assert left["people"] == [row for row in every["people"] if row[0] != unit]
        assert left["visits"] == [row for row in every["visits"] if row[1] != unit]
        assert left["stays"] == [row for row in every["stays"] if row[-1] != unit]
        assert len(left["visits"]) < len(every["visits"])


def test_it_is_made_anew_in_one_step(
    data: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger"
    prepared(data, url, ledger)
    before = do(url, "SELECT count(*), min(oid) FROM pg_class WHERE relname = 'stays'")

    def fails(*_: object) -> Iterator[str]:
        raise PolicyError("stopped")
        yield ""

    with monkeypatch.context() as patch:
        patch.setattr(postgres_copy, "_constraints", fails)
        with pytest.raises(PolicyError, match="stopped"):
            prepared(data, url, ledger)
    assert do(url, "SELECT count(*), min(oid) FROM pg_class WHERE relname = 'stays'") == before
    with opened(url, ledger, in_place=True) as db:
        db.run(QUERIES[0], 1)
        prepared(data, url, ledger)
        with pytest.raises(dpsql.EngineError, match="open it again"):
            db.run(QUERIES[1], 1)
    with opened(url, ledger, in_place=True) as db:
        assert db.budget.spent.exact.eps == 1  # of one data set, whichever copy it is
        assert db.run(QUERIES[1], 1).rows


def test_a_schema_with_other_tables_is_refused(data: Path, url: str, tmp_path: Path) -> None:
    do(url, "CREATE SCHEMA clean; CREATE TABLE clean.theirs (a int)")
    with pytest.raises(PolicyError, match="the schema clean has other tables in it"):
        prepared(data, url, tmp_path / "ledger")
    assert do(url, "SELECT count(*) FROM clean.theirs") == [(0,)]
    do(url, "DROP TABLE clean.theirs")
    prepared(data, url, tmp_path / "ledger")
    for theirs in ("TABLE clean.theirs (a int)", "VIEW clean.theirs AS SELECT 1"):
        do(url, f"CREATE {theirs}")  # beside a copy: it is not dropped with it
        with pytest.raises(PolicyError, match="the schema clean has other tables in it"):
            prepared(data, url, tmp_path / "ledger")
        do(url, f"DROP {' '.join(theirs.split()[:2])}")
    prepared(data, url, tmp_path / "ledger")
    do(url, 'CREATE SCHEMA "Other ""one"')
    prepared(data, url, tmp_path / "ledger", 'Other "one')


def test_why_it_cannot_be_written(data: Path, url: str, tmp_path: Path) -> None:
    do(url, "CREATE ROLE writes_nothing LOGIN")
    with pytest.raises(PolicyError, match="cannot be written by this user, who has to own"):
        prepared(data, url.replace("dpsql@", "writes_nothing@"), tmp_path / "ledger")
    prepared(data, url, tmp_path / "ledger")
    do(url, "CREATE VIEW old AS SELECT * FROM clean.people")
    with pytest.raises(PolicyError, match="something else rests on the copy"):
        prepared(data, url, tmp_path / "ledger")
    with duckdb.connect(data) as made:
        made.execute("INSERT INTO rooms VALUES (77, NULL)")
        made.execute("ALTER TABLE rooms ADD COLUMN note VARCHAR DEFAULT 'a' || chr(0)")
    do(url, "DROP VIEW old")
    with pytest.raises(PolicyError, match="the copy cannot be written; the owner's log") as caught:
        prepared(data, url, tmp_path / "ledger")
    assert "77" not in str(caught.value) and caught.value.__context__ is None


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (POLICY.replace("unit: people.id", "unit: people.id per month(visits.day)"), "in time"),
        (POLICY + "views: [busy]\n", "views are not read on a server"),
        (
            POLICY.replace("  rooms:", "  hotel.rooms:").replace("rooms.n", "hotel.rooms.n"),
            "schema",
        ),
    ],
)
def test_what_a_schema_cannot_have(data: Path, tmp_path: Path, policy: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        dpsql.prepare(data, policy, "postgresql://nowhere.invalid/x", schema="clean")


def test_a_schema_goes_with_a_server(data: Path, tmp_path: Path) -> None:
    for words in ({"into": tmp_path / "copy", "schema": "a"}, {"into": "postgresql://x/y"}):
        with pytest.raises(InvalidArgument, match="a schema is of a PostgreSQL server"):
            dpsql.prepare(data, POLICY, **words)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument):
        dpsql.prepare(data, POLICY, "postgresql://x/y", schema="clean", refresh=True)


def test_the_command(
    data: Path, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = tmp_path / "clinic.yaml"
    policy.write_text(POLICY)
    words = ["prepare", str(data), "--policy", str(policy), "--into", url, "--schema", "clean"]
    assert main([*words, "--ledger", str(tmp_path / "ledger")]) == 0
    printed = capsys.readouterr().out
    assert "visits: " in printed and "wrote the schema clean" in printed
    assert url not in printed


def test_a_reader_of_the_copy_alone_names_tables_as_the_policy_does(
    url: str, tmp_path: Path
) -> None:
    """The source is in the same database, under the same names."""
    do(url, "CREATE TABLE people (id int PRIMARY KEY, age int)")
    do(url, "INSERT INTO people SELECT i, i * 5 FROM generate_series(1, 40) AS i")
    policy = (
        "unit: people.id\nbudget: {eps: 1e9}\n"
        "tables: {people: {access: private, key: [id], columns: {age: {bounds: [0, 100]}}}}"
    )
    ledger = tmp_path / "ledger"
    dpsql.prepare(url, policy, url, schema="clean", ledger=ledger)
    do(url, "CREATE ROLE reader_of_copies LOGIN; GRANT USAGE ON SCHEMA clean TO reader_of_copies")
    do(url, "GRANT SELECT ON ALL TABLES IN SCHEMA clean TO reader_of_copies")
    reader = url.replace("dpsql@", "reader_of_copies@")
    sql = "SELECT SUM(age) FROM people"
    for in_place in (False, True):
        with dpsql.connect(url, policy, ledger=ledger, in_place=in_place) as db:
            age = db.schema.tables["people"].column("age")
            assert age is not None and not age.bounds_proven  # the owner's are the source's
        with dpsql.connect(reader, policy, ledger=ledger, in_place=in_place) as db:
            age = db.schema.tables["people"].column("age")
            assert age is not None and age.bounds_proven
            [[total]] = db.run(sql, 1e6, fresh=True).rows
            assert total == sum(min(i * 5, 100) for i in range(1, 41))
