"""What stands before gRPC: how many come, for how long without a token, and with how many bytes."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.flight as flight
import pytest

from dpsql.serve.config import LimitsConfig
from dpsql.serve.flight import flight_sql as m
from dpsql.serve.flight import server
from dpsql.serve.flight.gate import Gate
from dpsql.serve.guests import STRANGERS
from tests.support.flight_server import Served, served

HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
"""As a connection of gRPC begins: its preface, and no settings."""

LIMITS = LimitsConfig(requests_per_minute=100_000, connections_each=3, seconds=1.5, body=100_000)


GATES: list[Gate] = []
"""That were made, the newest last."""


@pytest.fixture(scope="module", autouse=True)
def gates() -> Iterator[None]:
    class Noted(Gate):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            GATES.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "Gate", Noted)
        yield


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, gates: None) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("gate"), limits=LIMITS) as made:
        yield made


def strangers(port: int, count: int) -> list[socket.socket]:
    every = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(count)]
    for one in every:
        one.sendall(HELLO)
    return every


def is_over(one: socket.socket) -> bool:
    """Whether the server has hung up, within the socket's time."""
    try:
        while one.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def own(there: Served) -> flight.FlightClient:
    """A client with a connection of its own: those of one process share theirs."""
    return flight.connect(there.uri, generic_options=[("grpc.use_local_subchannel_pool", 1)])


def test_strangers_do_not_keep_others_out(there: Served) -> None:
    silent = strangers(there.port, 3 * STRANGERS)
    assert there.client("anna").ask("SELECT 1 AS x").num_rows == 1
    silent[0].settimeout(5)
    assert is_over(silent[0])
    for one in silent:
        one.close()


def test_a_stranger_is_heard_for_a_while(there: Served) -> None:
    (silent,) = strangers(there.port, 1)
    silent.settimeout(0.5)
    assert not is_over(silent)
    silent.settimeout(10)
    assert is_over(silent)
    silent.close()


def test_who_is_known_may_be_silent(there: Served) -> None:
    anna = there.client("anna")
    assert anna.ask("SELECT 1 AS x").num_rows == 1
    every = set(GATES[-1]._passing)
    time.sleep(LIMITS.seconds + 0.5)
    assert every & set(GATES[-1]._passing)
    assert anna.ask("SELECT 2 AS x").num_rows == 1


def test_a_message_of_a_stranger_is_not_kept(there: Served) -> None:
    """gRPC would read all of it before it asks for a token; 100 MB took 300."""
    top, stop = [_memory()], threading.Event()

    def watch() -> None:
        while not stop.wait(0.02):
            top.append(_memory())

    code = (
        "import sys, pyarrow.flight as f\n"
        "d = f.FlightDescriptor.for_command(b'x' * (100 << 20))\n"
        "try: f.connect(sys.argv[1]).get_flight_info(d)\n"
        "except f.FlightUnavailableError: print('hung up')\n"
    )
    watching = threading.Thread(target=watch)
    watching.start()
    said = subprocess.run([sys.executable, "-c", code, there.uri], capture_output=True, check=False)
    stop.set()
    watching.join()
    assert said.stdout.strip() == b"hung up", said.stderr
    assert max(top) - top[0] < 60


def test_a_token_does_not_make_messages_longer(there: Served) -> None:
    anna = there.client("anna")
    anna.ask("SELECT 1 AS x")
    with pytest.raises(flight.FlightServerError, match="too large"):
        anna.info(b"x" * 250_000)
    with pytest.raises(flight.FlightUnavailableError):
        anna.info(b"x" * 2_000_000)
    assert there.client("anna").ask("SELECT 1 AS x").num_rows == 1


def test_many_requests_on_one_connection_are_no_long_one(there: Served) -> None:
    anna = there.client("anna")
    text = "SELECT 1 AS x -- " + "y" * 90_000
    for _ in range(20):
        anna.info(m.CommandStatementQuery(text))


def test_one_has_so_many_connections(there: Served) -> None:
    anna, ben = there.client("anna"), there.client("ben")
    every = [own(there) for _ in range(2 * LIMITS.connections_each)]
    told = []
    for raw in every:
        try:
            knock(raw, anna.options)
        except flight.FlightUnavailableError as error:
            told.append(str(error))
    assert told and "too many connections are open in your name" in told[0]
    knock(own(there), ben.options)
    for raw in every:
        raw.close()
    for _ in range(50):
        try:
            knock(own(there), anna.options)
            break
        except flight.FlightUnavailableError:
            time.sleep(0.1)
    else:
        raise AssertionError("what was closed is still counted")


def test_nothing_is_left_when_it_is_closed(tmp_path: Path) -> None:
    with served(tmp_path, limits=LIMITS) as made:
        made.client("anna").ask("SELECT 1 AS x")
        inside = Path(GATES.pop().inside)
        assert inside.exists() and inside.parent.stat().st_mode & 0o777 == 0o700
        (silent,) = strangers(made.port, 1)
    assert not inside.parent.exists()
    assert is_over(silent)
    silent.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", made.port), timeout=5)


def knock(raw: flight.FlightClient, options: flight.FlightCallOptions) -> None:
    """A call that asks nothing; raises where the connection is not let in."""
    asked = flight.FlightDescriptor.for_command(b"")
    try:
        raw.get_flight_info(asked, options)
    except flight.FlightUnavailableError:
        raise
    except flight.FlightError:
        pass  # it was let in, and asked nothing


def _memory() -> int:
    """Of this process, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024
