"""MySQL's protocol: who comes in, what is asked, what it costs."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pymysql
import pytest

from dpsql import demo
from tests.support.serving_mysql import (
    Raw,
    Serving,
    certificate,
    refused,
    rows,
    serving,
)

DENIED = 1045


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("mysql")) as made:
        made.join("anna", data=frozenset({"shop"}))
        made.join("bert")
        made.join("boss", role="owner")
        yield made


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("tls")
    with serving(folder, tls=certificate(folder), default_eps=0.125) as made:
        made.join("anna")
        yield made


@pytest.fixture
def anna(server: Serving) -> Iterator[pymysql.Connection]:
    with server.connect("anna") as made:
        yield made


def asked(cents: Iterator[int] = itertools.count(1)) -> str:  # noqa: B008
    """A query that nobody has asked: the answer to another's would be given again for free."""
    return f"SELECT COUNT(*) AS n FROM orders WHERE shipping > {next(cents)} / 100"


def new(server: Serving, name: str) -> pymysql.Connection:
    """A principal of one test's own, connected."""
    server.join(name)
    return server.connect(name)


# --- logins ---


def test_a_token_is_a_password(anna: pymysql.Connection) -> None:
    assert rows(anna, "SELECT DATABASE(), USER()") == [("shop", "anna@%")]


def test_whatever_is_wrong_the_same_is_said(server: Serving) -> None:
    server.join("gone")
    server.service.principals.revoke(server.tokens["gone"])
    server.join("resting")
    server.service.principals.pause("resting", True)
    server.service.principals.add("late")
    past = datetime.now(UTC) - timedelta(seconds=1)
    late = server.service.principals.new_token("late", past)
    said = set()
    for user, token in (
        ("anna", ""),
        ("anna", "dpsql_0123456789abcdef_" + "x" * 43),
        ("anna", server.tokens["bert"]),
        ("nobody", server.tokens["anna"]),
        ("", server.tokens["anna"]),
        ("gone", server.tokens["gone"]),
        ("resting", server.tokens["resting"]),
        ("late", late),
        ("anna' OR '1'='1", server.tokens["anna"]),
    ):
        with pytest.raises(pymysql.OperationalError) as caught:
            server.connect(user, password=token)
        said.add(caught.value.args)
    assert len(said) == 1
    assert said.pop()[0] == DENIED


def test_after_a_refusal_nothing_is_answered(server: Serving) -> None:
    raw = Raw(server.port)
    assert raw.login("anna", "wrong")[0] == 0xFF
    with pytest.raises((EOFError, ConnectionError)):
        raw.query("SELECT 1")
    raw.close()


def test_a_command_before_the_login_is_none(server: Serving) -> None:
    raw = Raw(server.port)
    raw.send(b"\x03SELECT 1", 1)
    assert raw.read()[0] == 0xFF
    with pytest.raises((EOFError, ConnectionError)):
        raw.read()
    raw.close()


def test_no_empty_password_goes_with_a_token_without_a_verifier(server: Serving) -> None:
    server.join("old")
    with server.service.principals._writing() as connection:
        connection.execute("UPDATE token SET verifier = NULL WHERE principal = 'old'")
    for password in ("", server.tokens["old"]):
        with pytest.raises(pymysql.OperationalError):
            server.connect("old", password=password)


@pytest.mark.parametrize("plugin", ["caching_sha2_password", "mysql_clear_password", None])
def test_over_tls_the_token_itself_is_shown(secret: Serving, plugin: str | None) -> None:
    """A token from before there were verifiers will do."""
    name = f"by_{plugin}"
    secret.join(name)
    if plugin is not None:
        with secret.service.principals._writing() as connection:
            connection.execute("UPDATE token SET verifier = NULL WHERE principal = ?", (name,))
    more = {} if plugin is None else {"auth_plugin_map": {}}
    with secret.connect(name, ssl={"check_hostname": False}, **more) as made:
        assert rows(made, "SELECT 1") == [(1,)]
    with pytest.raises(pymysql.OperationalError) as caught:
        secret.connect(name, password="wrong", ssl={"check_hostname": False})
    assert caught.value.args[0] == DENIED


def test_much_goes_over_tls(secret: Serving) -> None:
    text = "x" * 300_000
    with secret.connect("anna", ssl={"check_hostname": False}) as made:
        assert rows(made, f"SELECT '{text}' AS a, '{text}' AS b") == [(text, text)]


@pytest.mark.parametrize("way", ["", "mysql_clear_password", "mysql_native_password"])
@pytest.mark.parametrize("tls", ["--ssl", "--skip-ssl"])
def test_the_command_line_logs_in_every_way(secret: Serving, way: str, tls: str) -> None:
    program = shutil.which("mysql")
    if program is None:
        pytest.skip("there is no mysql")
    command = [program, "-h127.0.0.1", f"-P{secret.port}", "-uanna", tls, "-N", "-B"]
    command += [f"-p{secret.tokens['anna']}", *([f"--default-auth={way}"] if way else [])]
    command += ["--disable-ssl-verify-server-cert"] if tls == "--ssl" else []
    done = subprocess.run(
        [*command, "shop", "-e", "SELECT USER()"], capture_output=True, text=True, timeout=120
    )
    if "unknown option" in done.stderr:
        pytest.skip("another mysql")
    assert done.stdout == "anna@%\n", done.stderr


def test_on_loopback_tls_may_be_left_out(secret: Serving) -> None:
    with secret.connect("anna", ssl_disabled=True) as made:
        assert rows(made, "SELECT 1") == [(1,)]


def test_bytes_before_tls_are_not_read_as_if_they_were_encrypted(secret: Serving) -> None:
    raw = Raw(secret.port)
    ask = raw.hello("anna", secret.tokens["anna"])[:32]
    able = int.from_bytes(ask[:4], "little") | 1 << 11
    ask = able.to_bytes(4, "little") + ask[4:]
    early = raw.hello("anna", secret.tokens["anna"])
    packets = len(ask).to_bytes(3, "little") + b"\x01" + ask
    packets += len(early).to_bytes(3, "little") + b"\x02" + early
    raw.socket.sendall(packets)
    with pytest.raises((EOFError, ConnectionError)):
        raw.read()
    raw.close()


def test_the_user_may_name_the_data_set(server: Serving) -> None:
    with server.connect("bert/vault", data=None) as made:
        assert rows(made, "SELECT DATABASE()") == [("vault",)]
    with server.connect("bert/vault", data="shop") as made:  # the connection's own is nearer
        assert rows(made, "SELECT DATABASE()") == [("shop",)]
    with server.connect("anna", data=None) as made:  # who sees one alone need not say it
        assert rows(made, "SELECT DATABASE()") == [("shop",)]
    with server.connect("bert", data=None) as made:
        assert rows(made, "SELECT DATABASE()") == [(None,)]
        assert refused(made, asked() + " /* eps: 1 */")[0] == 1046
        assert refused(made, "SHOW TABLES")[0] == 1046


def test_anothers_data_set_is_none(server: Serving) -> None:
    said = set()
    for name in ("vault", "nope", "va'ult", "../vault", "vault\u0000"):
        with pytest.raises(pymysql.OperationalError) as caught:
            server.connect("anna", data=name)
        if "\0" not in name:
            said.add(caught.value.args)
    assert said == {(1049, "there is no such data set, or it is not yours")}


def test_another_user_goes_on_or_nobody_does(server: Serving) -> None:
    """COM_CHANGE_USER: after a refusal the connection is not its old user's."""
    raw = Raw(server.port)
    assert raw.login("anna", server.tokens["anna"])[0] == 0
    raw.send(b"\x11bert\0\x14" + b"x" * 20 + b"shop\0\xff\0mysql_native_password\0")
    assert raw.read()[0] == 0xFE  # it asks again, with another nonce
    raw.send(b"y" * 20, 2)
    assert raw.read()[0] == 0xFF
    with pytest.raises((EOFError, ConnectionError)):
        raw.query("SELECT USER()")
    raw.close()


def test_a_token_that_is_revoked_ends_the_connection(server: Serving) -> None:
    with new(server, "short") as made:
        assert rows(made, "SELECT 1") == [(1,)]
        server.service.principals.revoke("short")
        assert refused(made, "SELECT 1")[0] == DENIED
        with pytest.raises(pymysql.MySQLError):
            rows(made, "SELECT 1")


def test_a_pause_holds_for_open_connections(server: Serving) -> None:
    with new(server, "pausing") as made:
        server.service.principals.pause("pausing", True)
        assert refused(made, f"/* eps: 0.125 */ {asked()}")[0] == 1044
        assert rows(made, "SHOW TABLES")
    assert server.spent("pausing") == 0


# --- what it costs ---


def test_the_three_ways_to_say_eps(server: Serving) -> None:
    query = asked()
    with new(server, "payer") as made:
        number, text = refused(made, query)
        assert number == 1231
        assert "eps: 0.2" in text and "@eps" in text
        assert server.spent("payer") == 0
        rows(made, f"/* eps: 0.125 */ {query}")
        assert server.spent("payer") == 0.125
        rows(made, f"{asked()} -- eps: 0.25")
        assert server.spent("payer") == 0.375
        rows(made, "SET @eps = 0.5")
        rows(made, asked())
        assert server.spent("payer") == 0.875
        rows(made, f"{asked()} /* eps: 0.125 */")  # the nearer one
        assert server.spent("payer") == 1.0
        rows(made, "SET @eps = NULL")
        assert refused(made, asked())[0] == 1231


def test_the_server_may_have_one_for_all(secret: Serving) -> None:
    secret.join("lazy")
    with secret.connect("lazy", ssl={"check_hostname": False}) as made:
        rows(made, asked())
    assert secret.spent("lazy") == 0.125


def test_a_refresh_is_free_and_the_same(server: Serving) -> None:
    query = asked()
    with new(server, "dashboard") as made:
        first = rows(made, f"/* eps: 0.125 */ {query}")
        with server.connect("dashboard") as again:
            text = query.replace("orders", "`orders`").replace(" AS ", "  as ")
            assert rows(again, f"/* eps: 0.125 */ {text}") == first
    assert server.spent("dashboard") == 0.125


def test_what_is_public_needs_no_eps_and_is_free(server: Serving) -> None:
    with new(server, "reader") as made:
        found = rows(made, "SELECT product_id, list_price FROM products ORDER BY 1 LIMIT 1")
        assert found == [(0, Decimal("27.60"))]
        assert rows(made, "SELECT 1 + 1, 'a'") == [(2, "a")]
    assert server.spent("reader") == 0


def test_explain_is_free_and_says_why(server: Serving) -> None:
    with new(server, "curious") as made:
        said = dict(rows(made, f"EXPLAIN {demo.QUERY} /* eps: 0.5 */"))
        assert (said["verdict"], said["cost"]) == ("accepted", "ε = 0.5")
        assert said["error of orders"].startswith("± ")
        said = dict(rows(made, "EXPLAIN SELECT email FROM customers"))
        assert (said["verdict"], said["code"]) == ("rejected", "DP401")
    assert server.spent("curious") == 0


def test_budgets_and_caps_hold(server: Serving) -> None:
    server.join("poor", caps={"shop": (Fraction(1, 8), None)})
    query = asked()
    with server.connect("poor") as made:
        rows(made, f"/* eps: 0.125 */ {query}")
        number, text = refused(made, f"{asked()} /* eps: 0.125 */")
        assert number == 1226
        assert "ε" in text
        assert rows(made, f"/* eps: 0.125 */ {query}")
        assert [name for name, *_ in rows(made, "SHOW BUDGET")][-1] == "of yours"
    assert server.spent("poor") == 0.125


def test_the_least_eps_of_a_principal_holds(server: Serving) -> None:
    server.join("coarse", min_eps=Fraction(2))
    with server.connect("coarse") as made:
        assert refused(made, f"{asked()} /* eps: 0.125 */")[0] == 1231
        assert rows(made, "SELECT COUNT(*) FROM regions")
    assert server.spent("coarse") == 0


def test_delta_is_passed_on(server: Serving) -> None:
    with new(server, "exact") as made:
        rows(made, "SET @delta = 0")
        rows(made, f"/* eps: 0.125 */ {asked()}")
        rows(made, f"/* eps: 0.125 */ /* delta: 1e-9 */ {asked()}")
    history = server.service.data["shop"].db.budget.history
    lines = [line for line in history if line.analyst == "exact"]
    assert [line.delta for line in lines if hasattr(line, "delta")] or len(lines) == 2


def test_intervals_are_there_for_who_asks(server: Serving) -> None:
    with new(server, "careful") as made:
        query = asked().replace("COUNT", "channel, COUNT")
        sql = f"{query} GROUP BY channel /* eps: 0.25 */"
        assert len(rows(made, sql)[0]) == 2
        rows(made, "SET @intervals = 1")
        with made.cursor() as cursor:
            cursor.execute(sql)
            names = [part[0] for part in cursor.description]
            row = cursor.fetchone()
        assert names == ["channel", "n", "n_low", "n_high"]
        assert row[2] < row[1] < row[3]
    assert server.spent("careful") == 0.25


# --- what clients ask for ---


def test_what_is_there(anna: pymysql.Connection) -> None:
    assert rows(anna, "SHOW DATABASES") == [("information_schema",), ("shop",)]
    assert rows(anna, "SHOW TABLES LIKE 'order%'") == [("orders",), ("order_lines",)]
    assert rows(anna, "DESCRIBE regions")[0] == ("region_id", "int", "NO", "PRI", None, "")
    assert "PRIMARY KEY (`order_id`)" in rows(anna, "SHOW CREATE TABLE shop.orders")[0][1]
    found = rows(
        anna,
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() "
        "AND table_comment LIKE 'private%' ORDER BY 1",
    )
    assert [name for (name,) in found] == ["customers", "order_lines", "orders"]
    found = rows(
        anna,
        "SELECT c.COLUMN_NAME, k.CONSTRAINT_NAME FROM INFORMATION_SCHEMA.COLUMNS c LEFT JOIN "
        "INFORMATION_SCHEMA.KEY_COLUMN_USAGE k USING (table_schema, table_name, column_name) "
        "WHERE c.table_name = 'regions' ORDER BY c.ORDINAL_POSITION LIMIT 1",
    )
    assert found == [("region_id", "PRIMARY")]


def test_a_model(server: Serving) -> None:
    sql = "SELECT `gift`, dp_linear_regression(rating, [shipping], ridge := 1) FROM orders "
    with new(server, "modeller") as there:
        found = rows(there, f"/* eps: 2 */ {sql} GROUP BY gift")
        assert [row[:2] for row in found] == [
            (gift, term) for gift in (0, 1) for term in ("intercept", "shipping")
        ]
        assert server.spent("modeller") == 2
        told = dict(rows(there, f"/* eps: 2 */ EXPLAIN {sql} GROUP BY gift"))
        assert told["cost"] == "ε = 2"
        assert "DP208" in refused(there, f"/* eps: 2 */ {sql}")[1]
        tree = "SELECT dp_decision_tree(rating, [shipping, gift], depth := 1) FROM orders"
        leaves = rows(there, f"/* eps: 2 */ {tree}")
        assert len(leaves) == len({row[1] for row in leaves}) and leaves[0][0] == 0
        for odd in ("SELECT [1] FROM orders", "SELECT f(rating, [shipping]) FROM orders"):
            assert "is not read here" in refused(there, f"/* eps: 2 */ {odd}")[1]


def test_texts_of_the_catalog_may_have_a_character_set(anna: pymysql.Connection) -> None:
    sql = (
        "SELECT CONVERT(table_name USING utf8mb4) AS t FROM information_schema.tables "
        "WHERE table_name COLLATE utf8mb4_bin LIKE 'order\\_%%'"
    )
    assert rows(anna, sql.replace("%%", "%")) == [("order_lines",)]


def test_what_is_not_ones_own_is_not_listed(anna: pymysql.Connection, server: Serving) -> None:
    sql = "SELECT DISTINCT table_schema FROM information_schema.columns ORDER BY 1"
    assert rows(anna, sql) == [("shop",)]
    assert refused(anna, "SHOW TABLES FROM vault")[0] == 1049
    assert refused(anna, "USE vault")[0] == 1049
    assert refused(anna, "SELECT COUNT(*) FROM vault.orders /* eps: 1 */")[0] == 1044
    assert refused(anna, "DESCRIBE vault.orders")[0] == 1049
    with server.connect("bert") as made:
        assert rows(made, sql) == [("shop",), ("vault",)]


def test_types_of_values(anna: pymysql.Connection) -> None:
    sql = (
        "SELECT p.list_price, p.product, p.product_id, p.product_id > 3 AS big, "
        "p.product_id / 4 AS part, DATE '2024-02-29' AS day, NULL AS none FROM products p "
        "WHERE p.product_id = 1"
    )
    (found,) = rows(anna, sql)
    assert found == (Decimal("216.00"), "Amber desk", 1, 0, 0.25, date(2024, 2, 29), None)


def test_a_column_is_named_as_it_was_written(anna: pymysql.Connection) -> None:
    with anna.cursor() as cursor:
        cursor.execute("SELECT COUNT(*), MAX(region_id) FROM regions")
        assert [part[0] for part in cursor.description] == ["COUNT(*)", "MAX(region_id)"]


@pytest.mark.parametrize(
    "sql",
    [
        "SET NAMES utf8mb4",
        "SET autocommit = 1, sql_mode = 'STRICT_TRANS_TABLES'",
        "SET character_set_results = NULL",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SET sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES')",
        "SHOW VARIABLES LIKE 'lower%'",
        "SHOW WARNINGS",
        "SHOW COLLATION",
        "SHOW PLUGINS",
        "SHOW GRANTS",
        "SELECT @@session.auto_increment_increment AS a, @@character_set_client AS b",
        "/* ApplicationName=x */ SELECT @@version_comment LIMIT 1",
        "SELECT CONNECTION_ID(), NOW(), VERSION()",
        "SELECT 1 FROM DUAL",
        "SELECT CAST('test plain returns' AS CHAR(60)) AS anon_1",
        "BEGIN",
        "START TRANSACTION READ ONLY",
        "COMMIT",
        "ROLLBACK",
        "-- nothing",
        ";",
    ],
)
def test_what_drivers_send(anna: pymysql.Connection, sql: str) -> None:
    rows(anna, sql)


@pytest.mark.parametrize("sql", ["SELECT", "/* eps: 1 */ SELECT"])
def test_a_query_without_columns_is_refused(anna: pymysql.Connection, sql: str) -> None:
    """The protocol cannot say that there are none."""
    assert "DP104" in refused(anna, sql)[1]
    assert rows(anna, "SELECT 1") == [(1,)]


def test_a_shell_lists_columns_to_complete_them(server: Serving) -> None:
    raw = Raw(server.port)
    raw.login("anna", server.tokens["anna"])
    raw.send(b"\x04regions\0")
    found = []
    while (packet := raw.read())[0] != 0xFE:
        found.append(packet)
    assert len(found) == 3 and b"region_id" in found[0] and b"country" in found[2]
    raw.send(b"\x04nope\0")
    assert raw.read()[0] == 0xFF
    raw.close()


def test_prepared_statements(server: Serving) -> None:
    raw = Raw(server.port)
    assert raw.login("anna", server.tokens["anna"])[0] == 0
    sql = "SELECT product FROM products WHERE product_id = ? AND category <> ? LIMIT ?"
    (found,) = raw.execute(sql, 1, "x", 5)
    assert found.endswith(b"\x0aAmber desk")
    assert raw.execute("SELECT ? AS a", None)[0][1] & 4
    raw.close()


@pytest.mark.parametrize(
    "text",
    ["' OR 1=1 -- ", "\\' OR 1=1 -- ", "a'; DROP TABLE x", "?", "\\", "''", "/* eps: 1 */", "ö\\1"],
)
def test_no_parameter_leaves_its_quotes(server: Serving, text: str) -> None:
    raw = Raw(server.port)
    raw.login("anna", server.tokens["anna"])
    (found,) = raw.execute("SELECT ? AS a, '?' AS b, ? AS c", text, "?")
    data = text.encode()
    assert found[2:] == bytes((len(data),)) + data + b"\x01?\x01?"
    # In a query over a table: no product has that name, whatever is in it.
    assert raw.execute("SELECT product FROM products WHERE product = ?", text) == []
    raw.close()


def test_the_command_line(server: Serving) -> None:
    program = shutil.which("mysql")
    if program is None:
        pytest.skip("there is no mysql")
    server.join("terminal")
    base = [program, "-h127.0.0.1", f"-P{server.port}", "-uterminal", "--skip-ssl", "--comments"]
    base += [f"-p{server.tokens['terminal']}", "shop", "-N", "-B", "-e"]
    sql = f"SET @eps = 0.125; SELECT COUNT(*) > 5 FROM regions; {asked()}; SHOW TABLES"
    done = subprocess.run([*base, sql], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "1" and int(lines[1]) > 0 and "orders" in lines
    assert server.spent("terminal") == 0.125
    clear = [*base[:-1], "--default-auth=mysql_clear_password", "--enable-cleartext-plugin", "-e"]
    done = subprocess.run([*clear, "SELECT 7"], capture_output=True, text=True, timeout=120)
    assert "7" in done.stdout.splitlines() or "unknown option" in done.stderr


def test_other_letters_than_those_of_unicode(server: Serving) -> None:
    with server.connect("anna", charset="latin1") as made:
        assert rows(made, "SELECT 'ö' AS a, 'x' AS b") == [("ö", "x")]
        rows(made, "SET NAMES utf8mb4")


def test_variables_stand_for_their_values(server: Serving) -> None:
    with new(server, "varying") as made:
        rows(made, "SET @low = -1, @name = 'Amber desk', @x := NULL")
        sql = "SELECT product_id FROM products WHERE product_id > @low AND product = @name"
        assert rows(made, sql) == [(1,)]
        assert rows(made, "SELECT @x, @nothing") == [(None, None)]
        assert refused(made, "SELECT @@nothing")[0] == 1193


# --- ends ---


def test_a_query_is_killed_by_its_own_principal_alone(server: Serving) -> None:
    with new(server, "slow") as made, server.connect("slow") as other:
        number = rows(made, "SELECT CONNECTION_ID()")[0][0]
        with server.connect("anna") as anna:
            assert refused(anna, f"KILL QUERY {number}")[0] == 1094
            assert refused(anna, f"KILL {number}")[0] == 1094
        rows(other, f"KILL QUERY {number}")
        assert rows(made, "SELECT 1") == [(1,)]
        rows(other, f"KILL {number}")
        with pytest.raises(pymysql.MySQLError):
            rows(made, "SELECT 1")


def test_who_hangs_up_stops_the_query(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that waits in the row."""
    began, stopped = threading.Event(), threading.Event()
    db = server.service.data["shop"].db

    def slow(*_: object, stop: threading.Event, **__: object) -> object:
        began.set()
        if stop.wait(20):
            stopped.set()
        raise KeyboardInterrupt

    server.join("impatient")
    monkeypatch.setattr(type(db), "run", slow)
    raw = Raw(server.port)
    raw.login("impatient", server.tokens["impatient"])
    raw.send(b"\x03" + f"/* eps: 0.125 */ {asked()}".encode())
    assert began.wait(20)
    raw.close()
    assert stopped.wait(20)


def test_a_stopped_query_is_told(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    began = threading.Event()
    db = server.service.data["shop"].db

    def slow(*_: object, stop: threading.Event, **__: object) -> object:
        began.set()
        stop.wait(20)
        raise KeyboardInterrupt

    with new(server, "stopper") as made, server.connect("stopper") as other:
        number = rows(made, "SELECT CONNECTION_ID()")[0][0]
        monkeypatch.setattr(type(db), "run", slow)
        said: list[tuple[int, str]] = []
        asking = threading.Thread(
            target=lambda: said.append(refused(made, f"/* eps: 0.125 */ {asked()}"))
        )
        asking.start()
        assert began.wait(20)
        rows(other, f"KILL QUERY {number}")
        asking.join(20)
        assert said[0][0] == 1317
        monkeypatch.undo()
        assert rows(made, "SELECT 2") == [(2,)]


def test_many_connections_are_served_and_no_more(tmp_path: Path) -> None:
    with serving(tmp_path, connections=3) as server:
        server.join("anna")
        every = [server.connect("anna") for _ in range(3)]
        with pytest.raises(pymysql.OperationalError) as caught:
            server.connect("anna")
        assert caught.value.args[0] == 1040
        every.pop().close()
        for _ in range(50):
            try:
                every.append(server.connect("anna"))
                break
            except pymysql.OperationalError:
                time.sleep(0.1)
        assert rows(every[-1], "SELECT 3") == [(3,)]
        for made in every:
            made.close()


def test_who_says_nothing_is_hung_up_on(tmp_path: Path) -> None:
    with serving(tmp_path, seconds=0.3) as server:
        raw = Raw(server.port)
        with pytest.raises((EOFError, ConnectionError)):
            raw.read()
        raw.close()
