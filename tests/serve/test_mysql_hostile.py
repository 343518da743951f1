"""MySQL's protocol under attack: what is sent is read, refused, or ends that one connection."""

from __future__ import annotations

import asyncio
import random
import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pymysql
import pytest

from dpsql.platform.engine import ownerlog
from dpsql.serve.guests import STRANGERS
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.prepared import Prepared, PreparedStatements, values
from dpsql.serve.mysql.sent_columns import Rows
from dpsql.serve.mysql.session import Session
from dpsql.serve.mysql.strict_bytes import Reader
from tests.support.effort import tries
from tests.support.serving_mysql import Raw, Serving, refused, rows, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("hostile"), connections=60, body=100_000) as made:
        made.join("anna", data=frozenset({"shop"}))
        made.join("mallory", data=frozenset({"shop"}))
        yield made


@pytest.fixture
def mallory(server: Serving) -> Iterator[pymysql.Connection]:
    with server.connect("mallory") as made:
        yield made


@pytest.fixture
def bugs(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What the owner's log would be told of."""
    found: list[BaseException] = []

    def noted(error: BaseException) -> str:
        found.append(error)
        return "0"

    monkeypatch.setattr(ownerlog, "report", noted)
    return found


@pytest.mark.parametrize(
    "value",
    [
        *[
            "'NaN'",
            "1e999",
            "-1",
            "0",
            "'inf'",
            "'1/0'",
            "''''",
            "'0.1; SELECT 1'",
            "1e-99",
            "TRUE",
        ],
        *["'١'", "'1_0'", "'0x1'", "(SELECT 1)", "RAND()", "'" + "9" * 999 + "'", "1 + 1", "b'1'"],
    ],
)
def test_an_eps_that_is_none_is_none(mallory: pymysql.Connection, value: str) -> None:
    """Neither is it charged, nor does it take the place of what was set before."""
    rows(mallory, "SET @eps = 0.5")
    try:
        rows(mallory, f"SET @eps = {value}")
    except pymysql.MySQLError as error:
        assert error.args[0] in (1231, 1210, 1064)  # noqa: PT017
        assert str(rows(mallory, "SELECT @eps")[0][0]) == "0.5"
    else:  # digits of another script, an underscore: Python's own numbers; TRUE is 1 in MySQL
        assert value in ("'١'", "'1_0'", "TRUE")


@pytest.mark.parametrize("value", ["1.0", "-1e-9", "'NaN'", "2", "'x'"])
def test_a_delta_that_is_none_is_none(mallory: pymysql.Connection, value: str) -> None:
    assert refused(mallory, f"SET @delta = {value}")[0] == 1231


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) AS '/* eps: 0.125 */' FROM orders",
        'SELECT COUNT(*) AS "-- eps: 0.125" FROM orders',
        "SELECT COUNT(*) AS `/* eps: 0.125 */` FROM orders",
        "SELECT COUNT(*) FROM orders WHERE channel = '/* eps: 0.125 */'",
        "SELECT COUNT(*) FROM orders WHERE channel = '\\' /* eps: 0.125 */'",
        "SELECT COUNT(*) FROM orders /* not eps: 0.125 */",
        "SELECT COUNT(*) FROM orders /* eps 0.125 */",
        "SELECT COUNT(*) FROM orders /* eps: */",
        "SELECT COUNT(*) FROM orders /* eps: 0.125 */ /* eps: 0.25 */",
        "SELECT COUNT(*) FROM orders /* eps: nan */",
        "SELECT COUNT(*) FROM orders /* eps: -1 */",
    ],
)
def test_what_is_no_eps_is_not_charged(
    server: Serving, mallory: pymysql.Connection, sql: str
) -> None:
    before = server.spent("mallory")
    assert refused(mallory, sql)[0] in (1231, 1064)
    assert server.spent("mallory") == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE orders",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders",
        "SELECT LOAD_FILE('/etc/passwd')",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM `/etc/passwd`",
        "SELECT * FROM duckdb_settings()",
        "SELECT getenv('HOME')",
        "SELECT * FROM information_schema.tables, read_text('/etc/passwd')",
        "SELECT 1 FROM information_schema.tables WHERE (SELECT 1 FROM read_text('/etc/passwd'))",
        "SELECT * FROM information_schema.`duckdb_settings()`",
        "SELECT read_text(table_name) FROM information_schema.tables",
        "SELECT t.* FROM information_schema.tables t, orders o",
        "SELECT * FROM told.tables",
        "SELECT * FROM memory.told.tables",
        "SELECT * FROM mysql.user",
        "SELECT * FROM performance_schema.threads",
        "CREATE USER x",
        "GRANT ALL ON *.* TO mallory",
        "SET GLOBAL max_connections = 1",
        "SET PASSWORD = 'x'",
        "SET @@global.read_only = 0",
        "SET version = '5'",
        "SET NAMES gbk",
        "SET character_set_client = ucs2",
        "SET sql_mode = 'ANSI_QUOTES'",
        "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
        "CALL x()",
        "DO SLEEP(10)",
        "SELECT SLEEP(10)",
        "SELECT BENCHMARK(1000000, MD5('x'))",
        "HANDLER orders OPEN",
        "PREPARE x",
        "EXECUTE x",
        "KILL 1 OR 1",
        "ATTACH 'x'",
        "COPY orders TO '/tmp/x'",
        "PRAGMA version",
        "INSTALL httpfs",
        "SHUTDOWN",
        "SELECT * FROM orders",
        "SELECT email FROM customers /* eps: 1 */",
        "TABLE orders",
        "VALUES ROW(1)",
        "SHOW TABLES FROM `shop' OR '1'='1`",
        "DESCRIBE `orders' UNION SELECT 1 -- `",
        "SHOW CREATE TABLE nope",
    ],
)
def test_what_is_not_there_is_refused(
    server: Serving, mallory: pymysql.Connection, bugs: list[BaseException], sql: str
) -> None:
    before = server.spent("mallory")
    number, text = refused(mallory, sql)
    assert number >= 1040
    assert "Traceback" not in text and "/work" not in text and "root:" not in text
    assert server.spent("mallory") == before
    assert bugs == []
    assert rows(mallory, "SELECT 1") == [(1,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
        "SELECT " + "+".join(["1"] * 20_000),
        "SELECT " + "NOT " * 20_000 + "1",
        "SELECT " + "-" * 1 + " - " * 9_000 + "1",
        "SELECT 1 " + "UNION SELECT 1 " * tries(500, 5_000),
        "SELECT CASE " + "WHEN 1 THEN 1 " * tries(1_000, 6_000) + "END",
        "SELECT 'x" + "'" * 1,
        "SELECT " + "`a`." * 9_000 + "b",
        "SELECT /*" + " eps:" + " " * 90_000 + "y*/ 1",
        "/*" * 40_000,
        "SELECT 1 FROM " + " JOIN ".join(["orders"] * 3_000),
        "SELECT @" + "a" * 90_000,
        "SET @a = '" + "x" * 90_000 + "'",
        "SHOW TABLES LIKE '" + "%a" * 5_000 + "'",
        "SELECT '" + "?" * 90_000,
        "SELECT 1 " + "\n" * 90_000,
        "EXPLAIN " * 5_000,
        "SELECT a FROM information_schema.tables WHERE a LIKE '" + "%_" * 30_000 + "'",
        "SELECT COUNT(*) FROM " + ", ".join(["information_schema.columns"] * 6),
    ],
    ids=range(19),
)
@pytest.mark.one_in(3)
def test_much_of_it_does_not_stop_the_others(
    server: Serving, mallory: pymysql.Connection, bugs: list[BaseException], sql: str
) -> None:
    began = time.monotonic()
    try:
        rows(mallory, sql)
    except pymysql.MySQLError as error:
        assert error.args[0] in (1064, 1235, 1231, 1193, 2013)  # noqa: PT017
    assert time.monotonic() - began < 60
    assert bugs == []
    with server.connect("anna") as anna:
        assert rows(anna, "SELECT 1") == [(1,)]


def test_a_huge_packet_is_not_kept(server: Serving) -> None:
    raw = Raw(server.port)
    raw.login("mallory", server.tokens["mallory"])
    raw.socket.sendall(b"\xff\xff\xff\x00" + b"\x03SELECT '")
    assert struct.unpack("<H", raw.read()[1:3])[0] == 1153
    raw.close()
    with pytest.raises(pymysql.MySQLError), server.connect("mallory") as made:
        rows(made, "SELECT '" + "x" * 100_001 + "'")


def test_before_the_login_a_packet_is_small(server: Serving) -> None:
    raw = Raw(server.port)
    raw.socket.sendall(b"\x00\x00\x10\x01" + b"x" * 100)
    assert struct.unpack("<H", raw.read()[1:3])[0] == 1153
    raw.close()


def test_prepared_statements_are_bounded(server: Serving) -> None:
    raw = Raw(server.port)
    raw.login("mallory", server.tokens["mallory"])
    text = b"\x16SELECT '" + b"x" * 90_000 + b"'"
    said = []
    for _ in range(20):
        raw.send(text)
        said.append(raw.read())
        if said[-1][0] == 0xFF:
            break
    assert said[-1][0] == 0xFF
    raw.close()
    raw = Raw(server.port)
    raw.login("mallory", server.tokens["mallory"])
    raw.send(b"\x16SELECT ?")
    number = raw.read()[1:5]
    raw.read()
    raw.read()
    for _ in range(20):
        try:
            raw.send(b"\x18" + number + b"\0\0" + b"x" * 90_000)
        except OSError:
            break
    with pytest.raises((EOFError, OSError)):
        _answers(raw)
    raw.close()


def _answers(raw: Raw) -> None:
    """What comes back until it is over."""
    while raw.read():
        raw.send(b"\x0e")


def test_names_do_not_leave_their_quotes(mallory: pymysql.Connection) -> None:
    for name in ("a'b", 'a"b', "a`b", "a;b", "a\\b", "a--b", "x" * 300, "ö", "\u202e"):
        number, _ = refused(mallory, f"SELECT COUNT(*) FROM `{name.replace('`', '``')}`")
        assert number in (1146, 1064, 1235)
        number, _ = refused(mallory, f"SHOW COLUMNS FROM `{name.replace('`', '``')}`")
        assert number == 1146
        number, _ = refused(mallory, f"USE `{name.replace('`', '``')}`")
        assert number == 1049


# --- mutated frames ---

_COMMANDS = (
    b"\x03SELECT 1",
    b"\x03SELECT @@version_comment, DATABASE() FROM DUAL",
    b"\x03/* eps: 0.001 */ SELECT COUNT(*) FROM orders",
    b"\x03SHOW FULL COLUMNS FROM `orders` LIKE 'o%'",
    b"\x03SET @eps = 0.5, NAMES utf8mb4, @@session.autocommit = 1",
    b"\x03SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop' LIMIT 3",
    b"\x02shop",
    b"\x0e",
    b"\x16SELECT ?, product FROM products WHERE product_id = ?",
    b"\x17\x01\0\0\0\0\x01\0\0\0\0\x01\xfd\0\x08\0\x03abc\x01\0\0\0\0\0\0\0",
    b"\x17\x01\0\0\0\0\x01\0\0\0\0\x01\x0c\0\x05\0\x07\xe8\x07\x02\x1d\x01\x02\x03" + b"\0" * 8,
    b"\x18\x01\0\0\0\0\0piece",
    b"\x19\x01\0\0\0",
    b"\x1a\x01\0\0\0",
    b"\x1b\x01\0",
    b"\x1f",
    b"\x04orders\0%",
    b"\x0c\x01\0\0\0",
    b"\x11anna\0\x14" + b"x" * 20 + b"shop\0\xff\0mysql_native_password\0",
)


def _mutated(data: bytes, draw: random.Random) -> bytes:
    """Some bytes changed, put in, taken out, or said twice."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        at = draw.randrange(len(made) + 1)
        kind = draw.randrange(5)
        if kind == 0 and made:
            made[at % len(made)] = draw.choice((0, 1, 0x7F, 0x80, 0xFB, 0xFC, 0xFE, 0xFF, 39, 96))
        elif kind == 1:
            made[at:at] = draw.randbytes(draw.choice((1, 2, 8)))
        elif kind == 2:
            del made[at : at + draw.choice((1, 3, 9))]
        elif kind == 3:
            made[at:at] = made[: draw.randrange(20)]
        elif made:
            made[at % len(made)] ^= 1 << draw.randrange(8)
    return bytes(made)


def _framed(parts: list[bytes], draw: random.Random) -> bytes:
    found = b""
    for part in parts:
        size = len(part) if draw.random() < 0.9 else draw.choice((0, 1, len(part) + 1, 0xFFFFFF))
        number = 0 if draw.random() < 0.95 else draw.randrange(256)
        found += size.to_bytes(3, "little") + bytes((number,)) + part
    return found


def _drained(raw: Raw) -> None:
    """What the server says until it hangs up."""
    try:
        raw.socket.shutdown(socket.SHUT_WR)
        while raw.socket.recv(1 << 16):
            pass
    except OSError:
        pass
    raw.close()


@pytest.mark.parametrize("part", range(10))
def test_mutated_frames_end_one_connection_at_most(
    server: Serving, bugs: list[BaseException], part: int
) -> None:
    """10,000 in the deep suite: of logins, and of commands after a login."""
    draw = random.Random(part)
    token = server.tokens["mallory"]
    for _ in range(tries(30, 1_000)):
        raw = Raw(server.port)
        if draw.random() < 0.3:
            hello = raw.hello("mallory", token)
            data = _mutated(hello, draw)
            raw.socket.sendall(len(data).to_bytes(3, "little") + b"\x01" + data)
            _drained(raw)
            continue
        assert raw.login("mallory", token)[0] == 0
        chosen = [draw.choice(_COMMANDS) for _ in range(draw.choice((1, 2, 4)))]
        raw.socket.sendall(_framed([_mutated(c, draw) for c in chosen], draw))
        _drained(raw)
    assert [repr(bug) for bug in bugs] == []
    with server.connect("anna") as anna:
        assert rows(anna, "SELECT 1") == [(1,)]


def test_nothing_is_left_open(server: Serving) -> None:
    for _ in range(100):
        if not server.server._open:
            break
        time.sleep(0.1)
    assert not server.server._open


# --- one against the others ---


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT '{long}' AS x FROM {columns} a, {columns} b", "gives too much"),
        (
            "SELECT LENGTH(REPLACE(x, 'x', x)) FROM (SELECT '{long}' AS x FROM {columns}) q",
            "is not read: REPLACE",
        ),
        (
            "SELECT GROUP_CONCAT(a.table_name) FROM {columns} a, {columns} b, {columns} c",
            "much|long",
        ),
        ("SELECT a.* FROM {columns} a, {columns} b, {columns} c", "gives too much|too long"),
        ("SELECT " + ", ".join(["1"] * 300) + " FROM {columns} a", "more than 200 columns"),
    ],
)
def test_what_is_free_does_not_fill_the_memory(
    server: Serving, mallory: pymysql.Connection, sql: str, said: str
) -> None:
    """A statement of 100 kB, of which each row had a copy, took a GB of the server's memory."""
    columns, before = "information_schema.columns", _memory()
    number, text = refused(mallory, sql.format(long="x" * 90_000, columns=columns))
    assert re.search(said, text), (number, text)
    assert _memory() - before < 200


def test_what_information_schema_tells_is_in_order(mallory: pymysql.Connection) -> None:
    found = rows(
        mallory,
        "SELECT table_name AS a, table_name AS a, ordinal_position FROM "
        "information_schema.columns ORDER BY ordinal_position DESC, table_name LIMIT 7, 20",
    )
    assert found == sorted(found, key=lambda row: (-row[2], row[0])) and len(found) == 20


def test_a_long_answer_does_not_stop_the_others(server: Serving) -> None:
    """Rows were written in the loop in which all are served: 15,000 of them took two seconds."""
    stop, latest = threading.Event(), [0.0]

    def watch() -> None:
        while not stop.wait(0.01):
            began = time.monotonic()
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), server.loop).result(60)
            latest.append(time.monotonic() - began)

    rowed = Rows([f"c{n}" for n in range(40)], ["VARCHAR"] * 40, [("a",) * 40] * 20_000)
    raw = Raw(server.port)
    raw.login("mallory", server.tokens["mallory"])
    watching = threading.Thread(target=watch)
    watching.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "begin", lambda *_: rowed)
        raw.query("SELECT 1")
        for _ in range(40 + 1 + 20_000 + 1):
            last = raw.read()
    stop.set()
    watching.join()
    raw.close()
    assert last[0] == 0xFE
    assert max(latest) < 1


def test_one_does_not_take_all_connections(tmp_path: Path) -> None:
    with serving(tmp_path, connections=8, connections_each=4) as made:
        made.join("anna")
        made.join("mallory")
        every = [made.connect("mallory") for _ in range(4)]
        with pytest.raises(pymysql.OperationalError, match="in your name"):
            made.connect("mallory")
        silent = [socket.create_connection(("127.0.0.1", made.port)) for _ in range(STRANGERS * 2)]
        with made.connect("anna") as anna:
            assert rows(anna, "SELECT 1") == [(1,)]
        for one in silent:
            one.close()
        every.pop().close()
        for _ in range(50):
            try:
                every.append(made.connect("mallory"))
                break
            except pymysql.OperationalError:
                time.sleep(0.1)
        assert len(every) == 4
        for connection in every:
            connection.close()


def test_types_of_parameters_are_counted() -> None:
    """They were kept as tuples, which are thirty times as large as they came."""
    kept = PreparedStatements(100_000)
    made = Prepared("?", 10_000)
    kept.add(made)
    body = b"\xff" * 1250 + b"\x01" + b"\x08\x00" * 10_000
    assert list(values(made, Reader(body), "utf8")) == [None] * 10_000
    assert made.size >= sys.getsizeof(made.types) - 100
    for _ in range(3):
        kept.add(Prepared("?", 10_000))
    with pytest.raises(Refused, match="too much"):
        kept.add(Prepared("?", 20_000))


def test_a_variable_has_a_short_name(mallory: pymysql.Connection) -> None:
    assert refused(mallory, f"SET @{'a' * 2_000} = 1")[0] == 1231


def _memory() -> int:
    """Of this process, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024
