"""MySQL's protocol: who comes in."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pymysql
import pytest

from dpsql.serve.request_rate import Pacer
from tests.serve.mysql.connecting import DENIED, asked, new
from tests.support.serving_mysql import (
    Raw,
    Serving,
    refused,
    rows,
)


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


def test_refused_logins_are_noted(server: Serving) -> None:
    """Of a token that is over, and where a connection outlives it."""
    server.service.refused_logins._pacer = Pacer(100)
    token = server.join("barred")
    with server.connect("barred") as made:
        server.service.principals.revoke("barred")
        refused(made, "SELECT 1")
    with pytest.raises(pymysql.OperationalError):
        server.connect("barred")
    lines = server.service.audit.lines()
    found = [(x["action"], x["protocol"]) for x in lines if x.get("whom") == "barred"]
    assert found == [("refused login", "mysql")] * 2
    assert token[-43:] not in str(lines)


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
