"""The data: the same tables in a DuckDB file and in a PostgreSQL database."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import yaml

from tests.tpch.data import TABLES, database

POLICIES = Path(__file__).with_name("policies")
TPCH = Path(database.__code__.co_filename).with_name("policy.yaml")
GROUPS, ROWS = 200_000, 2_000_000
SECRET = "name-"
"""How every value of the column `name` begins: no message may show one."""

TABLE_TEXTS = """\
`people` has 10,000 rows, one a person: `age` is 0 to 100 and declared so, `income` 0 to 999 and
declared 0 to 1,000. `outliers`, `not_numbers`, `unowned`, `lonely` and `visits` are `people` with
the change that the probe names; `regions` is public and has 4 rows."""

_PERSON = """i::BIGINT AS pid, ((i * 37) % 101)::INTEGER AS age,
    ((i * 53) % 1000)::DOUBLE PRECISION AS income, 'r' || (i % 4) AS region, 'name-' || i AS name"""
PROBES = (
    f"CREATE TABLE people AS SELECT {_PERSON} FROM generate_series(1, 10000) AS t(i)",
    """CREATE TABLE outliers AS SELECT pid, CASE WHEN pid <= 50 THEN 1000000 ELSE age END AS age,
        income, region, name FROM people""",
    """CREATE TABLE not_numbers AS SELECT pid, age,
        CASE WHEN pid = 1 THEN 'NaN'::DOUBLE PRECISION ELSE income END AS income, region, name
        FROM people""",
    """CREATE TABLE unowned AS SELECT * FROM people UNION ALL
        SELECT NULL, age, income, region, name FROM people WHERE pid <= 5000""",
    """CREATE TABLE lonely AS SELECT pid, age, income,
        CASE WHEN pid = 1 THEN 'alone' ELSE region END AS region, name FROM people""",
    """CREATE TABLE visits AS SELECT p.* FROM people AS p, generate_series(1, 2) AS t(i)
        UNION ALL SELECT p.* FROM people AS p, generate_series(1, 50000) AS t(i) WHERE pid = 1""",
    "CREATE TABLE regions AS SELECT 'r' || i AS region FROM generate_series(0, 3) AS t(i)",
)
TIMES = (
    f"""CREATE TABLE events AS SELECT i::BIGINT AS uid, (i % {GROUPS})::BIGINT AS k,
        (i % 101)::INTEGER AS v FROM generate_series(1, {ROWS}) AS t(i)""",
)
COPY = "l_custkey"
OWNED = f"ALTER TABLE lineitem ADD COLUMN {COPY} BIGINT"
FILLED = f"UPDATE lineitem SET {COPY} = o_custkey FROM orders WHERE l_orderkey = o_orderkey"
"""For systems whose private tables must have the unit as a column."""


@dataclass(frozen=True, slots=True)
class Place:
    """One database, for each system.

    Attributes:
        name: of the database, and of its policy.
        duckdb: the path of the file.
        postgres: the URL.
        policy: dpsql's own, from which the other systems' declarations are made.
    """

    name: str
    duckdb: Path
    postgres: str
    policy: Path

    def request(self) -> dict[str, Any]:
        """What a worker is told."""
        place = {"database": self.name, "duckdb": str(self.duckdb), "postgres": self.postgres}
        return {**place, "policy": str(self.policy), "tables": declared(self.policy)}


def statements(connection: Any, texts: tuple[str, ...]) -> None:
    """Run each on a connection of either engine."""
    for text in texts:
        connection.execute(text)


def places(folder: Path, server: str, parts: list[str]) -> dict[str, Place]:
    """The databases of the parts, made anew in `folder` and on the server whose URL has a place
    for a name."""
    found = {}
    wanted = {*parts, "timestpch"} if "times" in parts else set(parts)
    with psycopg.connect(server.format("postgres"), autocommit=True) as connection:
        for name in wanted:
            connection.execute(f"CREATE DATABASE {name}")
    for name, texts in (("probes", PROBES), ("times", TIMES)):
        if name not in wanted:
            continue
        place = Place(name, folder / name, server.format(name), POLICIES / f"{name}.yaml")
        with duckdb.connect(str(place.duckdb)) as connection:
            statements(connection, texts)
        with psycopg.connect(place.postgres, autocommit=True) as connection:
            statements(connection, (*texts, "VACUUM ANALYZE"))
        found[name] = place
    for name, scale in (("tpch", "0.01"), ("timestpch", "0.1")):
        if name not in wanted:
            continue
        place = Place(name, folder / name, server.format(name), TPCH)
        shutil.copy(database(scale), place.duckdb)
        _copied(place)
        found[name] = place
    return found


def _copied(place: Place) -> None:
    with (
        duckdb.connect(str(place.duckdb), read_only=True) as source,
        psycopg.connect(place.postgres, autocommit=True) as target,
    ):
        for table in TABLES:
            columns = source.execute(
                "SELECT column_name || ' ' || data_type FROM information_schema.columns "
                f"WHERE table_name = '{table}' ORDER BY ordinal_position"
            ).fetchall()
            target.execute(f"CREATE TABLE {table} ({', '.join(one for (one,) in columns)})")
            cursor = source.execute(f"SELECT * FROM {table}")
            with target.cursor() as writer, writer.copy(f"COPY {table} FROM STDIN") as copy:
                while rows := cursor.fetchmany(10_000):
                    for row in rows:
                        copy.write_row(row)
        statements(target, (OWNED, FILLED, "VACUUM ANALYZE"))


def declared(policy: Path) -> dict[str, Any]:
    """The policy's claims in plain words, for the other systems.

    For each table: whether it is private, its columns, the unique ones, the column that has the
    unit (`unit`), Qrlew's path to the unit (`path`, `owner`), and the most rows of a unit.
    """
    content = yaml.safe_load(policy.read_text(encoding="utf-8"))
    top, key = content["unit"].split(".")
    return {name: _table(content["tables"], name, top, key) for name in content["tables"]}


def _table(tables: dict[str, Any], name: str, top: str, key: str) -> dict[str, Any]:
    found = tables[name]
    unique = found.get("key", ())
    made = {
        "private": found["access"] == "private",
        "columns": {column: _column(words) for column, words in found["columns"].items()},
        "unique": list(unique) if len(unique) == 1 else [],
    }
    if not made["private"]:
        return made
    if name == top:
        return {**made, "unit": key, "path": [], "owner": key, "rows": 1}
    path, rows, last = [], 1, name
    while last != top:
        column = tables[last]["owner"]
        words = tables[last]["columns"][column]
        last, to = words["references"].split(".")
        rows *= words["max_rows"]
        path.append([column, last, to])
    # The last step needs no join: the column that points at the unit is the unit.
    owner, steps = path[-1][0], path[:-1]
    return {**made, "unit": COPY if steps else owner, "path": steps, "owner": owner, "rows": rows}


def _column(words: dict[str, Any]) -> dict[str, Any]:
    kind = words["type"].partition("(")[0]
    names = {"BIGINT": "integer", "INTEGER": "integer", "DATE": "date", "VARCHAR": "text"}
    made: dict[str, Any] = {"type": names.get(kind, "number")}
    if "bounds" in words:
        made["low"], made["high"] = (str(b) if kind == "DATE" else b for b in words["bounds"])
    if "values" in words:
        made["values"] = words["values"]
    return made
