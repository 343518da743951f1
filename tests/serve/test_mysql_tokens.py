"""Tokens and what is kept of them, also in a file of an earlier version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from hashlib import sha1
from pathlib import Path

import pytest
from pydantic import ValidationError

from dpsql.errors import PolicyError
from dpsql.serve.config import MysqlConfig, ServerConfig, TlsConfig
from dpsql.serve.login import Login
from dpsql.serve.mysql.entrance import NATIVE, SHA2, known
from dpsql.serve.mysql.server import MysqlServer
from dpsql.serve.principals import FILE, Principals

NONCE = b"12345678901234567890"


def scramble(token: str, nonce: bytes = NONCE) -> bytes:
    """What a client sends, by MySQL's description of it."""
    one = sha1(token.encode()).digest()
    mask = sha1(nonce + sha1(one).digest()).digest()
    return bytes(a ^ b for a, b in zip(one, mask, strict=True))


def before(folder: Path) -> None:
    """A file as it was before there were verifiers."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        connection.executescript(
            "CREATE TABLE principal (name TEXT PRIMARY KEY, role TEXT NOT NULL, data TEXT NOT NULL,"
            " min_eps TEXT NOT NULL, caps TEXT NOT NULL, paused INTEGER NOT NULL DEFAULT 0) STRICT;"
            "CREATE TABLE token (id TEXT PRIMARY KEY, principal TEXT NOT NULL REFERENCES principal,"
            " hash TEXT NOT NULL, made TEXT NOT NULL, expires TEXT, revoked TEXT) STRICT;"
        )


def test_an_earlier_file_is_brought_up_to_date(tmp_path: Path) -> None:
    """Its tokens go on, but for the login that needs a verifier."""
    before(tmp_path)
    first = Principals(tmp_path)
    first.add("anna", default_eps=Fraction(1, 2))
    old = first.new_token("anna")
    with first._writing() as connection:
        connection.execute("UPDATE token SET verifier = NULL")
    again = Principals(tmp_path)  # a second time nothing is to be done
    who = again.known(old)
    assert who is not None and (who.name, who.default_eps) == ("anna", Fraction(1, 2))
    assert known(Login(again), "anna", NATIVE, scramble(old), NONCE) is None
    assert known(Login(again), "anna", SHA2, old.encode() + b"\0", NONCE) is not None
    new = again.new_token("anna")
    assert known(Login(again), "anna", NATIVE, scramble(new), NONCE) is not None
    assert known(Login(again), "anna", NATIVE, scramble(old), NONCE) is None


def test_the_file_holds_neither_a_token_nor_what_proves_one(tmp_path: Path) -> None:
    every = Principals(tmp_path)
    every.add("anna")
    token = every.new_token("anna")
    kept = (tmp_path / FILE).read_bytes()
    assert token.encode() not in kept and token.split("_", 2)[2].encode() not in kept
    assert sha1(token.encode()).digest() not in kept
    assert sha1(token.encode()).hexdigest().encode() not in kept
    verifier = sha1(sha1(token.encode()).digest()).digest()
    assert verifier.hex().encode() in kept
    for guess in (verifier, verifier.hex().encode(), b"", b"\0" * 20, scramble(token)[:19]):
        assert known(Login(every), "anna", NATIVE, guess, NONCE) is None
        assert known(Login(every), "anna", SHA2, guess, NONCE) is None


def test_a_proof_is_of_one_nonce_and_one_name(tmp_path: Path) -> None:
    every = Principals(tmp_path)
    for name in ("anna", "bert"):
        every.add(name)
    token = every.new_token("anna")
    assert known(Login(every), "anna", NATIVE, scramble(token), NONCE) is not None
    assert known(Login(every), "anna", NATIVE, scramble(token), NONCE[::-1]) is None
    assert known(Login(every), "bert", NATIVE, scramble(token), NONCE) is None
    assert known(Login(every), "bert", SHA2, token.encode(), NONCE) is None
    assert known(Login(every), "nobody", NATIVE, scramble(token), NONCE) is None


def test_a_token_that_has_ended_proves_nothing(tmp_path: Path) -> None:
    every = Principals(tmp_path)
    every.add("anna")
    late = every.new_token("anna", datetime.now(UTC) - timedelta(seconds=1))
    gone, good = every.new_token("anna"), every.new_token("anna")
    every.revoke(gone)
    for token, there in ((late, False), (gone, False), (good, True)):
        for plugin, proof in ((NATIVE, scramble(token)), (SHA2, token.encode())):
            found = known(Login(every), "anna", plugin, proof, NONCE)
            assert (found is not None) == there
    who = every.known(good)
    assert who is not None and every.holder(who.token) == who
    every.pause("anna", True)
    assert known(Login(every), "anna", NATIVE, scramble(good), NONCE) is None


def test_no_token_goes_where_others_read_it(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(
        "data: {shop: {data: x, policy: y}}\nmysql: {host: 0.0.0.0, port: 3306}\n"
    )
    with pytest.raises(PolicyError, match="give tls"):
        ServerConfig.load(tmp_path / "s.yaml")
    (tmp_path / "s.yaml").write_text(
        "data: {shop: {data: x, policy: y}}\n"
        "mysql: {host: 0.0.0.0, tls: {certificate: a.pem, key: a.key}, default_eps: 0.1}\n"
    )
    found = ServerConfig.load(tmp_path / "s.yaml").mysql
    assert found is not None and found.tls is not None
    assert found.tls.certificate == str(tmp_path / "a.pem")
    with pytest.raises(ValidationError):
        MysqlConfig(default_eps=-1)
    with pytest.raises(PolicyError, match="certificate"):
        MysqlServer(None, None, MysqlConfig(tls=TlsConfig(certificate="nope", key="nope")))  # type: ignore[arg-type]
