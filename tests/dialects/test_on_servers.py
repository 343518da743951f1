"""Drawn expressions of other dialects: what is read has the value that a server computes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from types import ModuleType

import duckdb
import psycopg
import pymysql
import pytest

import dpsql
from tests.dialects import drawn
from tests.dialects.drawn import mysql, postgres
from tests.support import mariadb, servers
from tests.support.effort import tries

POLICY = """
unit: u.id
budget: {eps: 1}
tables:
  u: {access: private, key: [id]}
  t: {access: public}
"""
ASK = "SELECT {} AS v FROM t ORDER BY id"
Ask = Callable[[str], list[tuple[object, ...]]]


@contextmanager
def on_mariadb() -> Iterator[Ask]:
    """Texts are compared by their bytes."""
    with (
        mariadb.mariadb() as socket,
        pymysql.connect(unix_socket=socket, user="root", autocommit=True) as theirs,
        theirs.cursor() as cursor,
    ):
        kinds = ("DOUBLE", "VARCHAR(20)", "VARCHAR(20)", "DATETIME")
        for text in ("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin", "CREATE DATABASE q", "USE q"):
            cursor.execute(text)
        cursor.execute(f"CREATE TABLE t ({drawn.COLUMNS.format(*kinds)})")
        cursor.executemany(f"INSERT INTO t VALUES ({', '.join(['%s'] * 10)})", drawn.rows())

        def ask(text: str) -> list[tuple[object, ...]]:
            cursor.execute(text)
            return list(cursor.fetchall())

        yield ask


@contextmanager
def on_postgres() -> Iterator[Ask]:
    """Texts are compared by their bytes."""
    with (
        servers.postgres() as url,
        psycopg.connect(url.format("postgres"), autocommit=True) as theirs,
        theirs.cursor() as cursor,
    ):
        text = 'TEXT COLLATE "C"'
        kinds = ("DOUBLE PRECISION", text, text, "TIMESTAMP")
        cursor.execute(f"CREATE TABLE t ({drawn.COLUMNS.format(*kinds)})")  # type: ignore[arg-type]
        cursor.executemany(f"INSERT INTO t VALUES ({', '.join(['%s'] * 10)})", drawn.rows())  # type: ignore[arg-type]
        yield lambda text: list(cursor.execute(text))  # type: ignore[arg-type]


SERVERS = {
    "mysql": (on_mariadb, mysql, mariadb.REASON),
    "postgres": (on_postgres, postgres, servers.REASON),
}


@pytest.fixture(scope="module")
def ours() -> Iterator[dpsql.Database]:
    data = duckdb.connect()
    kinds = ("DOUBLE", "VARCHAR", "VARCHAR", "TIMESTAMP")
    data.execute(f"CREATE TABLE u (id INT); CREATE TABLE t ({drawn.COLUMNS.format(*kinds)})")
    data.executemany(f"INSERT INTO t VALUES ({', '.join('?' * 10)})", drawn.rows())
    with dpsql.connect(data, POLICY) as made:
        yield made


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest) -> Iterator[tuple[str, ModuleType, Ask]]:
    """A dialect, what is drawn of it, and who knows what it means."""
    run, forms, reason = SERVERS[request.param]
    if reason:
        pytest.skip(reason)
    with run() as ask:
        yield request.param, forms, ask


@pytest.mark.parametrize("whole", [False, True], ids=["expressions", "queries"])
@pytest.mark.one_in(2)
def test_what_is_read_has_the_servers_value(
    ours: dpsql.Database, server: tuple[str, ModuleType, Ask], whole: bool
) -> None:
    dialect, forms, ask = server
    drawing, read = drawn.Drawing(forms, 11), 0
    for _ in range(tries(200, 1500)):
        text = drawing.query() if whole else ASK.format(drawing.expression())
        try:
            found = ours.run(text, 1, dialect=dialect).rows
            wanted = ask(text)
        except (dpsql.DpsqlError, pymysql.Error, psycopg.Error):  # too large for one, as a rule
            continue
        read += 1
        pairs = (
            pair for rows in zip(found, wanted, strict=True) for pair in zip(*rows, strict=True)
        )
        wrong = [pair for pair in pairs if not alike(*pair, dialect)]
        assert not wrong, f"{text}: {wrong[0]}"
    assert read > tries(80, 600)


def alike(ours: object, theirs: object, dialect: str) -> bool:
    """MySQL's quotients and means have four digits more than what they are of; a moment that is
    made of a text is a text there.
    """
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, bool | int | float | Decimal):
        a, b = float(ours), float(theirs)  # type: ignore[arg-type]
        return a == b or abs(a - b) <= (2e-4 if dialect == "mysql" else 1e-9) * max(1, abs(a))
    return str(ours).removesuffix(" 00:00:00") == str(theirs).removesuffix(" 00:00:00")


@pytest.mark.parametrize(
    ("start", "end"),
    [("2024-01-31", "2024-02-29"), ("2024-02-29", "2025-02-28"), ("2024-03-01", "2024-02-29")],
)
@pytest.mark.parametrize("server", ["mysql"], indirect=True)
def test_months_whose_last_day_comes_sooner(
    ours: dpsql.Database, server: tuple[str, ModuleType, Ask], start: str, end: str
) -> None:
    _, _, ask = server
    for unit in ("MONTH", "QUARTER", "YEAR"):
        for pair in ((start, end), (end, start)):
            text = ASK.format("TIMESTAMPDIFF({}, DATE '{}', DATE '{}')".format(unit, *pair))
            assert list(ours.run(text, 1, dialect="mysql").rows) == ask(text), text


NAMED = (
    "SELECT i % 2 AS j, COUNT(*) AS n FROM t GROUP BY j, i % 2",
    "SELECT j + 1 AS i, i + 1 AS j, COUNT(*) AS n FROM t GROUP BY i, j",
)
OF_HAVING = (
    "SELECT i % 2 AS j, COUNT(*) AS n FROM t GROUP BY j, i % 2 HAVING j > 0",
    "SELECT j + 1 AS i, i + 1 AS j, COUNT(*) AS n FROM t GROUP BY i, j HAVING i > j",
)


def test_what_a_name_is_in_group_by(
    ours: dpsql.Database, server: tuple[str, ModuleType, Ask]
) -> None:
    """A column, where there is one; in PostgreSQL's HAVING it is no alias at all."""
    dialect, _, ask = server
    for text in (*NAMED, *(OF_HAVING if dialect == "postgres" else ())):
        found = ours.run(text, 1, dialect=dialect).rows
        assert sorted(map(str, found)) == sorted(map(str, ask(text))), text


CUT = {
    "mysql": [f"TRUNCATE({of}, {n})" for of in ("m", "x", "i") for n in (0, 1, 3, -1)],
    "postgres": [
        *(f"TRUNC({of}, {n})" for of in ("m", "i::numeric") for n in (0, 1, 3, -1)),
        *(
            "CBRT(x)",
            "||/ x",
            "|/ ABS(x)",
            "-(|/ (j * j)) + 1",
            "|/ (j * j) > 1",
            "COT(x + 0.3)",
            "ATAN2(x, 2)",
            "SINH(j)",
            "COSH(j)",
            "TANH(x)",
        ),
        *(f"SPLIT_PART(s, '{by}', {n})" for by in (",", ".", "a") for n in (1, 2, 5)),
    ],
}


def test_what_is_cut_off_and_split(
    ours: dpsql.Database, server: tuple[str, ModuleType, Ask]
) -> None:
    dialect, _, ask = server
    for text in map(ASK.format, CUT[dialect]):
        pairs = zip(ours.run(text, 1, dialect=dialect).rows, ask(text), strict=True)
        assert all(alike(mine[0], theirs[0], dialect) for mine, theirs in pairs), text


PATTERNS = (
    *("a", "^a", "b$", "^$", "a.*b", "^.b", "[a-c]$", "[^a-z]", "(a|x)+", "^(ab|foo)", "o{2}", ","),
    *("a{1,2}b", "x?", "é", "^[ ]?x", "(^a|b$)", "a*?b", ".", "2-0", "[.,]", "A"),
)


@pytest.mark.parametrize("server", ["postgres"], indirect=True)
def test_patterns(ours: dpsql.Database, server: tuple[str, ModuleType, Ask]) -> None:
    _, _, ask = server
    for operator in ("~", "~*", "!~", "!~*"):
        for pattern in PATTERNS:
            text = ASK.format(f"s {operator} '{pattern}'")
            assert list(ours.run(text, 1, dialect="postgres").rows) == ask(text), text


CHARACTERS = ("a", "b", ".", ",", "[a-c]", "[^a-z]", "[^a]", "[0-9-]", "é", "o")
REPEATED = ("", "", "", "*", "+", "?", "?", "{2}", "{0,2}", "{1,}")


def pattern_of(rng: random.Random) -> str:
    """A row of characters and groups of them."""

    def some(most: int) -> str:
        counts = range(rng.randint(0, most))
        return "".join(rng.choice(CHARACTERS) + rng.choice(REPEATED) for _ in counts)

    found = rng.choice(("", "", "^")) + some(3)
    for _ in range(rng.choice((0, 1, 1, 2))):
        found += f"({some(3)}){some(2)}"
    return found + rng.choice(("", "", "$"))


@pytest.mark.parametrize("server", ["postgres"], indirect=True)
def test_parts_by_patterns(ours: dpsql.Database, server: tuple[str, ModuleType, Ask]) -> None:
    """The first group of a match, or all of it."""
    _, _, ask = server
    rng = random.Random(3)
    values = "s", "r || s", "s || ',' || s", "s || s || r"
    for _ in range(tries(15, 300)):
        parts = [f"SUBSTRING({of} FROM '{pattern_of(rng)}')" for of in values for _ in range(5)]
        known = ", ".join(f"COALESCE({part}, '-')" for part in parts)
        text = ASK.format(f"CONCAT_WS(';', {known})")
        assert list(ours.run(text, 1, dialect="postgres").rows) == ask(text), text


BESIDE = (
    *("i = 2 IS NULL", "i = j IS NOT NULL", "i < j IS NULL", "NOT i = j IS NULL", "NOT x IS NULL"),
    *("i IS NULL = (j = 2)", "i <> j IS TRUE", "i > j IS NOT FALSE"),
    *(
        "x IS NULL <> (i > 0)",
        "s = r IS NULL",
        "(i > 0) = (j > 0) IS TRUE",
    ),
)


def test_conditions_side_by_side(ours: dpsql.Database, server: tuple[str, ModuleType, Ask]) -> None:
    dialect, _, ask = server
    for text in map(ASK.format, BESIDE):
        pairs = zip(ours.run(text, 1, dialect=dialect).rows, ask(text), strict=True)
        assert all(alike(mine[0], theirs[0], dialect) for mine, theirs in pairs), text
