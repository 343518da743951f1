"""Queries in processes of their own: the same answers, and no more than the engine itself."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from dpsql.errors import EngineError
from dpsql.platform.engine import duckdb_open, worker_wire
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.guard import FAILED
from dpsql.platform.engine.protocol import Engine, Workspaces
from dpsql.platform.engine.remote import RemoteScratches
from dpsql.platform.engine.scratch import ScratchPool
from tests.engine.working import HANG, Opened, count, error_of

KINDS = """
SELECT 1::TINYINT, 2::UBIGINT, (-5)::HUGEINT, 1.50::DECIMAL(9,2), 0::DECIMAL(38,10), 0.1::DOUBLE,
       'NaN'::DOUBLE, '-inf'::FLOAT, true, NULL, 'a\0b''é', DATE '2026-11-22', DATE 'infinity',
       TIMESTAMP '2026-11-22 01:02:03.000004', TIME '01:02:03', INTERVAL 3 DAY, '\\xff'::BLOB,
       [1, NULL, 3], {'a': 1, 'b': [0.5]}, MAP {'x': 1}, [1, 2]::INTEGER[2],
       '00000000-0000-0000-0000-000000000005'::UUID, 'a'::ENUM('a', 'b')
"""


def test_rows_are_those_of_the_engine_itself(opened: Opened, file: Path) -> None:
    here, remote = duckdb_open.open_file(file), opened()
    feeds: dict[str, object] = {"n": [3, 1, None], "x": 2, "s": ["a", "'"], "e": []}
    texts = {
        KINDS: None,
        "SELECT * FROM t ORDER BY id": None,
        "SELECT id FROM t WHERE false": None,
        "SELECT unnest($n::INTEGER[]), $x, len($s::VARCHAR[]), len($e::INTEGER[])": feeds,
        "SELECT i, repeat('y', 1000) FROM range(30000) r(i)": None,  # several messages
    }
    for text, given in texts.items():
        with here.snapshot() as ours, remote.snapshot() as theirs:
            assert repr(theirs.rows(text, given)) == repr(ours.rows(text, given))
    here.close()


def test_scratch_databases_are_those_of_the_engine_itself(opened: Opened, file: Path) -> None:
    here, remote = duckdb_open.open_file(file), opened()
    rows = [(1, "a", 0.5), (None, "é'", None)]
    columns = [("n", "BIGINT"), ("s", "VARCHAR"), ("x", "DOUBLE")]
    found = []
    places: list[tuple[Engine, Workspaces]]
    places = [(here, ScratchPool()), (remote, RemoteScratches())]
    for engine, pool in places:
        with engine.snapshot() as snapshot, pool.take(snapshot) as scratch:
            scratch.load("r", columns, rows)
            scratch.copy("t", [("id", "BIGINT"), ("s", "VARCHAR")], snapshot, engine.target("t"))
            found.append(scratch.run("SELECT * FROM r JOIN t ON t.id = r.n ORDER BY ALL"))
            found.append(scratch.run("SELECT *, n::DECIMAL(5,2) AS d FROM r ORDER BY x"))
    assert found[:2] == found[2:]
    with (
        pytest.raises(EngineError),
        remote.snapshot() as snapshot,
        RemoteScratches().take(snapshot) as scratch,
    ):
        scratch.run("SELECT * FROM r")  # of another query
    here.close()


def test_a_folder_is_opened_by_each_worker(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "t.csv").write_text("id,s\n1,a\n2,\n")
    duckdb.sql("SELECT 5 AS x").write_parquet(str(folder / "p.parquet"))
    engine = opened(data=folder)
    with engine.snapshot() as snapshot:
        assert snapshot.rows("SELECT * FROM t, p") == [("1", "a", 5), ("2", None, 5)]
        with pytest.raises(EngineError):
            snapshot.rows(f"SELECT * FROM read_csv('{folder / 't.csv'}')")
    (folder / "t.csv").write_text("id,s\n1,b\n")
    with pytest.raises(EngineError, match="changed"), engine.snapshot():
        pass


def test_a_file_that_was_replaced_is_not_opened(opened: Opened, file: Path) -> None:
    engine = opened(keep=0)  # each query opens it anew
    assert count(engine) == 1000
    other = file.with_name("other")
    with duckdb.connect(str(other)) as made:
        made.execute("CREATE TABLE t AS SELECT 1 AS id")
    other.rename(file)
    with pytest.raises(EngineError, match="changed"), engine.snapshot():
        pass


def test_a_worker_can_do_no_more_than_the_engine_itself(opened: Opened, file: Path) -> None:
    secret = file.with_name("secret.csv")
    secret.write_text("a\n1\n")
    for text in (
        f"SELECT * FROM read_csv('{secret}')",
        f"COPY t TO '{secret}'",
        "SET memory_limit = '1TB'",
        "CREATE TABLE u (a INT)",
        "SELECT 1; SELECT 2",
        f"ATTACH '{secret}'",
    ):
        with pytest.raises(EngineError) as caught, opened(keep=0).snapshot() as snapshot:
            snapshot.rows(text)
        assert str(caught.value) == FAILED
        assert caught.value.__context__ is None and caught.value.__cause__ is None


def test_a_worker_waits_for_the_next_query(opened: Opened) -> None:
    engine = opened()
    assert engine.pids == ()  # none is started before a query is asked
    count(engine)
    [pid] = engine.pids
    count(engine)
    assert engine.pids == (pid,)
    # What the query refuses in this process leaves the worker as it is.
    with pytest.raises(ZeroDivisionError), engine.snapshot():
        raise ZeroDivisionError
    assert engine.pids == (pid,)


def test_threads_have_workers_of_their_own(opened: Opened) -> None:
    engine = opened(keep=2)
    found: list[object] = []
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        for _ in range(3):
            found.append(count(engine))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert found == [1000] * 12
    assert len(engine.pids) <= 2


@pytest.mark.parametrize(
    "said",
    [
        worker_wire.framed(b"D", b"[1"),
        worker_wire.framed(b"X", b"null"),
        worker_wire.framed(b"D", b"null"),
        worker_wire.framed(b"R", b'[["D",["1E+999999999"]]]')
        + worker_wire.framed(b"D", b'[["a"],["b"]]'),
        worker_wire.framed(b"R", b'[["",[{}]]]') + worker_wire.framed(b"D", b'[["a"],["b"]]'),
        worker_wire.framed(b"R", b'[["",[1]],["",[1]]]')
        + worker_wire.framed(b"D", b'[["a"],["b"]]'),
        worker_wire.framed(b"D", b'[[5],["b"]]'),
        worker_wire.framed(b"E", b'["seconds", ["secret"]]'),
        worker_wire.framed(b"E", b'["memory", ["secret"]]'),
        worker_wire.framed(b"E", b'{"a": "secret"}'),
        worker_wire.HEADER.pack(2**32 - 1, b"R"),
        b"",
    ],
    ids=str,
)
@pytest.mark.one_in(3)
def test_a_worker_that_lies_is_one_error(opened: Opened, said: bytes) -> None:
    engine = opened()
    ours, theirs = socket.socketpair()
    caught: BaseException | None = None
    with (
        suppress(EngineError),  # of what follows
        engine.snapshot(Deadline.after(HANG)) as snapshot,
        RemoteScratches().take(snapshot) as scratch,
    ):
        real, snapshot._worker._channel = snapshot._worker._channel, ours
        theirs.sendall(said)
        theirs.shutdown(socket.SHUT_WR)
        caught = error_of(lambda: scratch.run("SELECT 1"))
        snapshot._worker._channel = real
    ours.close()
    theirs.close()
    assert type(caught) is EngineError
    assert str(caught) == FAILED
    assert caught.__context__ is None and caught.__cause__ is None
