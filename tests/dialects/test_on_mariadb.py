"""Drawn expressions of MySQL's SQL: what is read has the value that a MariaDB server computes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal

import duckdb
import pymysql
import pytest

import dpsql
from tests.support import mariadb
from tests.support.effort import tries

pytestmark = pytest.mark.skipif(bool(mariadb.REASON), reason=mariadb.REASON)

COLUMNS = (
    "id INT, i INT, j INT, x DOUBLE, m DECIMAL(6, 2), s VARCHAR(20), r VARCHAR(20), d DATE, e DATE"
)
VALUES: tuple[tuple[object, ...], ...] = (
    (-7, -3, -1, 0, 1, 2, 5, 7, 100, 12345),
    (-2, 1, 2, 3, 4, 0),
    (0.5, -2.5, 1e6, 0.1, 3.75, 0.0),
    tuple(map(Decimal, ("2.50", "-2.50", "0.05", "99.99", "1.25", "0.00"))),
    ("ab", "Ab ", " x", "", "12", "a,b,c", "héé", "foo.bar", "2024-01-05"),
    ("b", "a", "", " ", "B", ".", "%"),
    tuple(map(date.fromisoformat, ("2024-02-29", "2024-01-31", "2023-12-31", "2021-01-03"))),
    tuple(map(date.fromisoformat, ("2024-03-01", "2024-01-01", "2020-02-29", "1999-12-31"))),
    tuple(
        map(datetime.fromisoformat, ("2024-12-30 13:45:59", "2024-02-29", "2021-01-01 12:00:01"))
    ),
)
POLICY = """
unit: u.id
budget: {eps: 1}
tables:
  u: {access: private, key: [id]}
  t: {access: public}
"""
ASK = "SELECT {} AS v FROM t ORDER BY id"

NUMBERS = """
    ({n} + {n})|({n} - {n})|({n} * {n})|({n} / {n})|({n} % {n})|({n} DIV {n})|MOD({n}, {n})|-({n})
    ABS({n})|SIGN({n})|FLOOR({n})|CEIL({n})|ROUND({n})|ROUND({n}, 1)|SQRT({n})|EXP({n} / 100)
    LN({n})|LOG({n})|LOG10({n})|LOG(2, {n})|POW({n}, 2)|LEAST({n}, {n})|GREATEST({n}, {n})
    IFNULL({n}, {n})|COALESCE({n}, {n})|NULLIF({n}, {n})|IF({c}, {n}, {n})|CHAR_LENGTH({t})
    CASE WHEN {c} THEN {n} ELSE {n} END|CASE {n} WHEN {n} THEN {n} END|FIELD(s, 'ab', '12')
    CAST({n} AS SIGNED)|CAST({n} AS DECIMAL(10,2))|CAST({n} AS DOUBLE)|YEAR({d})|MONTH({d})
    DAY({d})|DAYOFYEAR({d})|DAYOFWEEK({d})|WEEKDAY({d})|QUARTER({d})|WEEKOFYEAR({d})|HOUR({d})
    EXTRACT(MONTH FROM {d})|DATEDIFF({d}, {d})|TIMESTAMPDIFF(DAY, {d}, {d})
    TIMESTAMPDIFF(HOUR, {d}, {d})|TIMESTAMPDIFF(WEEK, {d}, {d})|TIMESTAMPDIFF(YEAR, d, e)
    TIMESTAMPDIFF(MONTH, e, d)|TIMESTAMPDIFF(QUARTER, DATE({d}), DATE({d}))
"""
TEXTS = """
    CONCAT({t}, {t})|CONCAT({t}, i)|CONCAT_WS('-', {t}, {t})|UPPER({t})|LOWER({t})|TRIM({t})
    LTRIM({t})|RTRIM({t})|LEFT({t}, 2)|RIGHT({t}, 2)|SUBSTRING({t}, 2)|SUBSTRING({t}, 1, 2)
    REPLACE({t}, 'a', 'zz')|IFNULL({t}, {t})|IF({c}, {t}, {t})|LEAST({t}, {t})|NULLIF({t}, {t})
    DATE_FORMAT({d}, '%Y-%m-%d')|DATE_FORMAT({d}, '%M %e %Y')|DATE_FORMAT({d}, '%a %b %d')
    DATE_FORMAT({d}, '%H:%i:%s')|DATE_FORMAT({d}, '%j')|DATE_FORMAT({d}, '%x-%v')
    DATE_FORMAT({d}, '%W %w')|DATE_FORMAT({d}, '%l %p')|DAYNAME({d})|MONTHNAME({d})
    CAST({t} AS CHAR)|MD5({t})
"""
MOMENTS = """
    DATE_ADD({d}, INTERVAL 1 {u})|DATE_SUB({d}, INTERVAL 13 {u})|({d} + INTERVAL 2 {u})
    ({d} - INTERVAL 1 {u})|TIMESTAMPADD({u}, 5, {d})|ADDDATE({d}, 31)|SUBDATE({d}, 1)|DATE({d})
    ADDDATE({d}, INTERVAL 1 {u})|LAST_DAY({d})|IFNULL({d}, {d})|CAST(d AS DATETIME)
    DATE_ADD({d}, INTERVAL j DAY)|STR_TO_DATE('2024-05-06', '%Y-%m-%d')
"""
CONDITIONS = """
    {n} = {n}|{n} <> {n}|{n} < {n}|{n} >= {n}|{t} = {t}|{t} < {t}|{t} > {t}|{d} = {d}|{d} <= {d}
    {n} <=> {n}|{t} <=> {t}|{n} IS NULL|{t} IS NOT NULL|{n} IN ({n}, {n})|{t} NOT IN ({t}, {t})
    {n} BETWEEN {n} AND {n}|{d} BETWEEN {d} AND {d}|LOWER({t}) LIKE 'a%'|UPPER({t}) LIKE '%B'
    ({c}) AND ({c})|({c}) OR ({c})|({c}) && ({c})|({c}) || ({c})|NOT ({c})|({c}) IS TRUE
    ({c}) IS NOT FALSE|{t} LIKE '%'
"""
FORMS = {
    kind: [form.strip() for line in text.split("\n") for form in line.split("|") if form.strip()]
    for kind, text in (("n", NUMBERS), ("t", TEXTS), ("d", MOMENTS), ("c", CONDITIONS))
}
LEAVES = {
    "n": ["i", "j", "x", "m", "id", "2", "3", "-1", "0", "1.5", "10"],
    "t": ["s", "r", "'a'", "'b,c'", "'Ab'", "''"],
    "d": ["d", "e", "ts", "'2024-02-29'", "DATE '2024-01-31'", "TIMESTAMP '2024-01-31 10:20:30'"],
    "u": ["DAY", "MONTH", "YEAR", "WEEK", "HOUR", "MINUTE", "QUARTER", "SECOND"],
}


def drawn(kind: str, depth: int, rng: random.Random) -> str:
    if kind == "u" or (depth <= 0 and kind != "c"):
        return rng.choice(LEAVES[kind])
    text = rng.choice(FORMS[kind])
    for inner in "ntdcu":
        while "{" + inner + "}" in text:
            text = text.replace("{" + inner + "}", drawn(inner, depth - 1, rng), 1)
    return text


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[dpsql.Database, Callable[[str], list[object]]]]:
    """The same forty rows in a public table of dpsql's, and on a server."""
    rng = random.Random(7)
    columns = f"{COLUMNS}, ts DATETIME"
    rows = [
        (n, *(None if rng.random() < 0.1 else rng.choice(values) for values in VALUES))
        for n in range(40)
    ]
    data = duckdb.connect()
    data.execute(f"CREATE TABLE u (id INT); CREATE TABLE t ({columns})")
    data.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    with mariadb.mariadb() as socket, dpsql.connect(data, POLICY) as ours:
        theirs = pymysql.connect(unix_socket=socket, user="root", autocommit=True)
        with theirs, theirs.cursor() as cursor:
            cursor.execute("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin")  # texts by their bytes
            cursor.execute("CREATE DATABASE q")
            cursor.execute("USE q")
            cursor.execute(f"CREATE TABLE t ({columns})")
            cursor.executemany(
                "INSERT INTO t VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)", rows
            )

            def ask(text: str) -> list[object]:
                cursor.execute(ASK.format(text))
                return [row[0] for row in cursor.fetchall()]

            yield ours, ask


def test_what_is_read_has_the_servers_value(
    both: tuple[dpsql.Database, Callable[[str], list[object]]],
) -> None:
    ours, theirs = both
    rng = random.Random(11)
    read = 0
    for _ in range(tries(250, 4000)):
        kind, depth = rng.choice("ntdc"), rng.choice((1, 1, 2))
        text = drawn(kind, depth, rng)
        try:
            answer = ours.run(ASK.format(text), 1, dialect="mysql")
        except dpsql.Rejected:
            continue
        found = [row[0] for row in answer.rows]
        try:
            wanted = theirs(text)
        except pymysql.Error:  # what is too large there
            continue
        read += 1
        wrong = [(a, b) for a, b in zip(found, wanted, strict=True) if not alike(a, b)]
        assert not wrong, f"{text}: {wrong[0]}"
    assert read > tries(100, 1600)


def alike(ours: object, theirs: object) -> bool:
    """A mean or quotient has four digits more there than its operands; a moment that is made of a
    text is one.
    """
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(ours, bool | int | float | Decimal):
        a, b = float(ours), float(theirs)  # type: ignore[arg-type]
        return abs(a - b) <= 6e-5 * max(1, abs(a))
    return moment(ours) == moment(theirs)


def moment(value: object) -> str:
    return str(value).removesuffix(" 00:00:00")


@pytest.mark.parametrize(
    ("start", "end"),
    [("2024-01-31", "2024-02-29"), ("2024-02-29", "2025-02-28"), ("2024-03-01", "2024-02-29")],
)
def test_months_whose_last_day_comes_sooner(
    both: tuple[dpsql.Database, Callable[[str], list[object]]], start: str, end: str
) -> None:
    ours, theirs = both
    for unit in ("MONTH", "QUARTER", "YEAR"):
        for pair in ((start, end), (end, start)):
            text = "TIMESTAMPDIFF({}, DATE '{}', DATE '{}')".format(unit, *pair)
            answer = ours.run(ASK.format(text), 1, dialect="mysql")
            assert [row[0] for row in answer.rows] == theirs(text), text
