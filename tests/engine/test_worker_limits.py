"""Queries in processes of their own: memory, and a place for what does not fit."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from dpsql.core.limits import Limits
from dpsql.errors import EngineError, InvalidArgument, LimitExceeded
from dpsql.platform.engine.guard import FAILED
from dpsql.platform.engine.remote import RemoteScratches
from dpsql.platform.engine.resources import Resources
from dpsql.platform.engine.sandbox import Allowance
from dpsql.platform.engine.scratch import Scratch
from dpsql.platform.engine.spill import Spill
from tests.engine.working import Opened, count

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


def test_settings_say_what_is_public(opened: Opened) -> None:
    engine = opened()
    count(engine)
    [pid] = engine.pids
    command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    assert json.loads(command[-2])["threads"] == 2


def test_a_place_for_what_does_not_fit_where_nothing_can_be_made(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="temp_directory: no directory can be made"):
        Resources(Limits(), temp_directory=tmp_path / "none")
