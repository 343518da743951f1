"""MySQL's protocol: how queries and connections end."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pymysql
import pytest

from tests.serve.mysql.connecting import asked, new
from tests.support.serving_mysql import (
    Raw,
    Serving,
    refused,
    rows,
    serving,
)


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
