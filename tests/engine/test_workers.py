"""Queries in processes of their own: the same answers, and of one that is stopped nothing stays."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from dpsql.core.limits import Limits
from dpsql.errors import EngineError, InvalidArgument, LimitExceeded
from dpsql.platform.engine import wire
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.guard import FAILED
from dpsql.platform.engine.protocol import Engine, Workspaces
from dpsql.platform.engine.remote import RemoteEngine, RemoteScratches
from dpsql.platform.engine.resources import Resources
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.scratch import Scratch, ScratchPool
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.worker import WorkerSettings

FOREVER = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b"
HANG = 60  # seconds: a guard, no measure

KINDS = """
SELECT 1::TINYINT, 2::UBIGINT, (-5)::HUGEINT, 1.50::DECIMAL(9,2), 0::DECIMAL(38,10), 0.1::DOUBLE,
       'NaN'::DOUBLE, '-inf'::FLOAT, true, NULL, 'a\0b''é', DATE '2026-11-22', DATE 'infinity',
       TIMESTAMP '2026-11-22 01:02:03.000004', TIME '01:02:03', INTERVAL 3 DAY, '\\xff'::BLOB,
       [1, NULL, 3], {'a': 1, 'b': [0.5]}, MAP {'x': 1}, [1, 2]::INTEGER[2],
       '00000000-0000-0000-0000-000000000005'::UUID, 'a'::ENUM('a', 'b')
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute(
            "CREATE TABLE t AS SELECT i AS id, i % 7 AS k, 'x' || i AS s FROM range(1000) r(i)"
        )
    return path


Opened = Callable[..., RemoteEngine]


@pytest.fixture
def opened(file: Path, tmp_path: Path) -> Iterator[Opened]:
    """Makes engines; afterwards no process and no directory of theirs is left."""
    engines: list[tuple[DuckDBEngine, RemoteEngine]] = []
    place = tmp_path / "temporary"
    place.mkdir()

    def make(
        keep: int = 1, memory: int = 10**9, data: Path = file, temp_space: int = 10**9
    ) -> RemoteEngine:
        here = DuckDBEngine.open_folder(data) if data.is_dir() else DuckDBEngine.open_file(data)
        settings = WorkerSettings(memory, 2, temp_space, str(place), 60)
        engines.append((here, RemoteEngine(here, settings, keep)))
        return engines[-1][1]

    yield make
    for here, remote in engines:
        remote.close()
        here.close()
    assert list(place.iterdir()) == []
    assert children() == set()


def children() -> set[int]:
    """The processes that this one has, also those that ended and were not waited for."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(text.rpartition(")")[2].split()[1]) == os.getpid() and (
                b"worker_main" in command or not command
            ):
                found.add(int(entry.name))
    return found


def gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not true():
        assert time.monotonic() < end, "hung"
        time.sleep(0.01)


def count(engine: RemoteEngine) -> object:
    with engine.snapshot() as snapshot:
        return snapshot.rows("SELECT count(*) FROM t")[0][0]


def test_rows_are_those_of_the_engine_itself(opened: Opened, file: Path) -> None:
    here, remote = DuckDBEngine.open_file(file), opened()
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
    here, remote = DuckDBEngine.open_file(file), opened()
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


def test_a_worker_that_is_killed_is_one_error_and_another_answers(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    killer = threading.Timer(0.2, os.kill, (pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(EngineError) as caught, engine.snapshot() as snapshot:
        snapshot.rows(FOREVER)
    killer.join()
    assert str(caught.value) == FAILED
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    assert gone(pid)
    assert count(engine) == 1000
    assert pid not in engine.pids


def test_a_worker_that_died_while_it_waited_is_replaced(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    os.kill(pid, signal.SIGKILL)
    until(lambda: gone(pid))
    assert count(engine) == 1000


def test_a_deadline_ends_the_worker(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    began = time.monotonic()
    with pytest.raises(EngineError) as caught, engine.snapshot(Deadline.after(0.3)) as snapshot:
        snapshot.rows(FOREVER)
    assert time.monotonic() - began < HANG
    assert str(caught.value) == FAILED
    assert gone(pid)
    assert count(engine) == 1000


def test_a_deadline_holds_for_scratch_databases(opened: Opened) -> None:
    engine = opened()
    count(engine)  # it has begun
    deadline = Deadline.after(0.5)
    with (
        pytest.raises(EngineError),
        engine.snapshot(deadline) as snapshot,
        RemoteScratches().take(snapshot) as scratch,
    ):
        scratch.run(FOREVER)
    assert deadline.passed


MANY = "SELECT count(*) FROM (SELECT DISTINCT hash(i) FROM range(3000000) r(i))"


@pytest.mark.parametrize("where", ["here", "worker"])
def test_memory_that_runs_out_is_said_of_what_is_public_alone(
    opened: Opened, tmp_path: Path, where: str
) -> None:
    def run(public: bool) -> object:
        if where == "here":
            spill = Spill(tmp_path, 10**6)
            with Scratch(Allowance(memory_limit="30MB", spill=spill)) as scratch:
                return scratch.run(MANY, public=public)
        engine = opened(memory=30 * 10**6, temp_space=10**6)
        with engine.snapshot() as snapshot, RemoteScratches().take(snapshot) as scratch:
            return scratch.run(MANY, public=public)

    with pytest.raises(LimitExceeded, match=r"limits\.memory") as caught:
        run(public=True)
    assert caught.value.limit == "memory"
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    with pytest.raises(EngineError) as other:
        run(public=False)
    assert type(other.value) is EngineError
    assert str(other.value) == FAILED
    assert other.value.__context__ is None and other.value.__cause__ is None


def test_a_worker_that_is_slow_to_start_is_no_loss(opened: Opened) -> None:
    engine = opened()
    soon = Deadline.after(1e-4)
    with pytest.raises(LimitExceeded, match="Nothing was charged"), engine.snapshot(soon):
        pass
    [pid] = engine.pids  # it goes on
    assert count(engine) == 1000
    assert engine.pids == (pid,)


def test_what_grows_beside_the_engines_buffers_is_limited(opened: Opened) -> None:
    """DuckDB itself lets 4 GB of strings pass where 200 MB are allowed."""
    engine = opened(memory=200 * 10**6)
    hog = "SELECT max(length(list_aggregate(list_transform(range(60), i -> repeat('x' || a || i, "
    hog += "20000000)), 'string_agg', ''))) FROM range(4) r(a)"
    with pytest.raises(EngineError) as caught, engine.snapshot() as snapshot:
        snapshot.rows(hog)
    assert str(caught.value) == FAILED
    assert count(engine) == 1000


def test_the_operating_system_limits_a_worker(opened: Opened) -> None:
    engine = opened(memory=10**9)
    count(engine)
    [pid] = engine.pids
    limits = Path(f"/proc/{pid}/limits").read_text()
    named = {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()}
    assert named["Max core file size"] == "0"
    assert named["Max data size"] == str(2 * 10**9 + 2**29)
    assert named["Max file size"] == str(10**9)
    assert named["Max cpu time"] != "unlimited"
    assert int(Path(f"/proc/{pid}/oom_score_adj").read_text()) == 1000
    status = Path(f"/proc/{pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status


def test_ctrl_c_ends_the_worker(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    presser = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    presser.start()
    with pytest.raises(KeyboardInterrupt) as caught, engine.snapshot() as snapshot:
        snapshot.rows(FOREVER)
    presser.join()
    assert caught.value.__context__ is None
    assert gone(pid)
    assert count(engine) == 1000


def test_closing_stops_what_runs(opened: Opened) -> None:
    engine = opened()
    count(engine)
    closer = threading.Timer(0.3, engine.close)
    closer.start()
    with pytest.raises(EngineError), engine.snapshot() as snapshot:
        snapshot.rows(FOREVER)
    closer.join()
    assert engine.pids == ()
    with pytest.raises(EngineError, match="closed"), engine.snapshot():
        pass


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


@pytest.mark.parametrize("forked", [False, True])
def test_a_worker_dies_with_its_parent(file: Path, tmp_path: Path, forked: bool) -> None:
    """Also where a child of its parent's lives on."""
    place = tmp_path / "temporary"
    place.mkdir()
    parent = f"""
import os, sys, time
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.protocol import Engine, Workspaces
from dpsql.platform.engine.remote import RemoteEngine
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.worker import WorkerSettings
here = DuckDBEngine.open_file({str(file)!r})
engine = RemoteEngine(here, WorkerSettings(10**9, 1, 10**9, {str(place)!r}, 60), 1)
with engine.snapshot() as snapshot:
    child = os.fork() if {forked} else 0
    if {forked} and not child:
        time.sleep(60)
        os._exit(0)
    print(engine.pids[0], child, flush=True)
    snapshot.rows({FOREVER!r})
"""
    process = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    pid, child = map(int, process.stdout.readline().split())
    assert not gone(pid)
    assert len(list(place.iterdir())) == 1
    process.kill()
    process.wait()
    process.stdout.close()
    try:
        until(lambda: gone(pid))
        until(lambda: list(place.iterdir()) == [])
        assert not forked or not gone(child)
    finally:
        if child:
            os.kill(child, signal.SIGKILL)


def test_a_forked_process_leaves_its_parents_worker_alone(file: Path) -> None:
    script = f"""
import os
from dpsql.platform.engine.duckdb_engine import DuckDBEngine
from dpsql.platform.engine.protocol import Engine, Workspaces
from dpsql.platform.engine.remote import RemoteEngine
from dpsql.platform.engine.spill import Spill
from dpsql.platform.engine.worker import WorkerSettings
here = DuckDBEngine.open_file({str(file)!r})
engine = RemoteEngine(here, WorkerSettings(10**9, 1, 10**9, None, 60), 1)
def count():
    with engine.snapshot() as snapshot:
        return snapshot.rows("SELECT count(*) FROM t")
count()
before = engine.pids
child = os.fork()
if not child:
    os._exit(0 if count() == [(1000,)] and engine.pids != before else 1)
assert os.waitpid(child, 0)[1] == 0
assert count() == [(1000,)] and engine.pids == before
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=HANG)


def test_what_does_not_fit_into_memory_goes_to_a_private_place(
    opened: Opened, tmp_path: Path
) -> None:
    engine = opened(memory=100 * 10**6)
    place = tmp_path / "temporary"
    modes: set[tuple[str, str]] = set()
    texts: list[bytes] = []
    done = threading.Event()

    def look() -> None:
        while not done.wait(0.01):
            for directory in place.iterdir():
                modes.add(("d", oct(directory.stat().st_mode & 0o777)))
                for entry in directory.iterdir():
                    try:
                        modes.add(("f", oct(entry.stat().st_mode & 0o777)))
                        if "storage" in entry.name and len(texts) < 5:
                            texts.append(entry.read_bytes()[: 10**6])
                    except OSError:
                        continue

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with engine.snapshot() as snapshot:
            text = "SELECT 'abcdefghijklmnop' || hash(i)::VARCHAR AS h FROM range(2500000) r(i)"
            [(rows,)] = snapshot.rows(f"SELECT count(*) FROM (SELECT h FROM ({text}) ORDER BY h)")
            found = snapshot.rows(f"SELECT count(*) FROM (SELECT DISTINCT h FROM ({text}))")
    finally:
        done.set()
        looking.join()
    assert (rows, found) == (2_500_000, [(2_500_000,)])
    assert ("d", "0o700") in modes and ("f", "0o600") in modes
    assert {mode for _, mode in modes} == {"0o700", "0o600"}
    assert texts and not any(b"abcdefghijklmnop" in text for text in texts)


@pytest.mark.parametrize(
    "said",
    [
        wire.framed(b"D", b"[1"),
        wire.framed(b"X", b"null"),
        wire.framed(b"D", b"null"),
        wire.framed(b"R", b'[["D",["1E+999999999"]]]') + wire.framed(b"D", b'[["a"],["b"]]'),
        wire.framed(b"R", b'[["",[{}]]]') + wire.framed(b"D", b'[["a"],["b"]]'),
        wire.framed(b"R", b'[["",[1]],["",[1]]]') + wire.framed(b"D", b'[["a"],["b"]]'),
        wire.framed(b"D", b'[[5],["b"]]'),
        wire.framed(b"E", b'["seconds", ["secret"]]'),
        wire.framed(b"E", b'["memory", ["secret"]]'),
        wire.framed(b"E", b'{"a": "secret"}'),
        wire.HEADER.pack(2**32 - 1, b"R"),
        b"",
    ],
    ids=str,
)
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


def error_of(work: Callable[[], object]) -> BaseException | None:
    try:
        work()
    except Exception as error:
        return error
    return None


def test_settings_say_what_is_public(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    assert json.loads(command[-2])["threads"] == 2


def test_a_place_for_what_does_not_fit_where_nothing_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="temp_directory: no directory can be made"):
        Resources(Limits(), temp_directory=tmp_path / "none")
